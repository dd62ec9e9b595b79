import os

config.name = "my-passes"
config.test_source_root = os.path.dirname(__file__)
lit_config.load_config(config, lit_config.params["heddle"])
