# lit settings of every folder of tests of passes, ours and others'. A project outside has in its
# lit.cfg.py
#
#   config.name = "my-passes"
#   config.test_source_root = os.path.dirname(__file__)
#   lit_config.load_config(config, lit_config.params["heddle"])
#
# Reads config.heddle_tools, folders for PATH, and config.heddle_modules, the modules to test.
import os
import sys

import lit.formats

config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test", ".ht", ".json"]
config.excludes = ["Inputs"]
config.environment["PATH"] = os.pathsep.join(config.heddle_tools + [config.environment["PATH"]])
config.environment["LC_ALL"] = "C.UTF-8"
config.environment["TZ"] = "UTC"
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

config.substitutions += [
    ("%inputs", os.path.join(config.test_source_root, "Inputs")),
    ("%python", f'"{sys.executable}"'),
    # What makes heddle know the passes under test, and the module's path where there is one.
    ("%plugins", " ".join(f"--load-plugin={module}" for module in config.heddle_modules)),
]
if len(config.heddle_modules) == 1:
    config.substitutions.append(("%plugin", config.heddle_modules[0]))
