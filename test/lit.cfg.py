# How the tests in this folder run; docs/Testing.md tells how to write one.
import os

config.name = "Heddle"
config.test_source_root = os.path.dirname(__file__)

build, source = config.heddle_build, config.heddle_source
config.heddle_tools = [os.path.join(build, "bin"), config.llvm_tools]
config.heddle_modules = []  # our passes are built in
lit_config.load_config(config, os.path.join(source, "tools", "cmake", "HeddleLit.cfg.py"))
config.excludes = [*config.excludes, "Unit", "Bench", "Fuzz", "Golden"]

config.substitutions += [
    ("%src", source),
    ("%build", build),
    ("%cxx", config.cxx),
    ("%llvm_include", config.llvm_include),
    ("%libllvm", os.path.join(config.llvm_libs, "libLLVM.so.19.1")),
    ("%anchor", config.abi_anchor),
]
if config.module_pass:
    config.available_features.add("module-pass")
    config.substitutions.append(("%module_pass", config.module_pass))

if config.heddle_sanitize:
    for name in config.heddle_sanitize.split(","):
        config.available_features.add({"address": "asan", "undefined": "ubsan", "thread": "tsan"}[name])
else:
    config.available_features.add("no-sanitizer")
if config.heddle_build_type != "Release":
    config.available_features.add("asserts")
if os.path.exists(os.path.join(config.llvm_libs, "libLLVM.so.19.1")):
    config.available_features.add("libllvm")
if os.path.exists(os.path.join(build, "bin", "heddle-gen")):
    config.available_features.add("heddle-gen")
if os.environ.get("HEDDLE_LONG"):
    config.available_features.add("long")

# A folder of real traces, larger than what a repository should hold.
corpus = os.environ.get("HEDDLE_CORPUS")
if corpus:
    config.available_features.add("corpus")
    config.environment["HEDDLE_CORPUS"] = corpus
    config.substitutions.append(("%corpus", corpus))

# A Python that has TensorBoard and its profiler plugin.
tensorboard = os.environ.get("HEDDLE_TENSORBOARD")
if tensorboard:
    config.available_features.add("tensorboard")
    config.substitutions.append(("%tensorboard", tensorboard))

# What other tools say of those traces.
expected = os.environ.get("HEDDLE_EXPECTED")
if expected:
    config.available_features.add("expected")
    config.environment["HEDDLE_EXPECTED"] = expected
    config.substitutions.append(("%expected", expected))
