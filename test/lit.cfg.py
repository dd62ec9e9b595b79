# How the tests in this folder run; docs/Testing.md tells how to write one.
import os
import sys

import lit.formats

config.name = "Heddle"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test", ".ht", ".json"]
config.excludes = ["Inputs", "Unit", "Bench", "Fuzz", "Golden"]
config.test_source_root = os.path.dirname(__file__)

build, source = config.heddle_build, config.heddle_source
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(build, "bin"), config.llvm_tools, config.environment["PATH"]]
)
config.environment["LC_ALL"] = "C.UTF-8"
config.environment["TZ"] = "UTC"
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

config.substitutions += [
    ("%inputs", os.path.join(source, "test", "Inputs")),
    ("%src", source),
    ("%build", build),
    ("%python", f'"{sys.executable}"'),
    ("%cxx", config.cxx),
    ("%llvm_include", config.llvm_include),
    ("%libllvm", os.path.join(config.llvm_libs, "libLLVM.so.19.1")),
]

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
