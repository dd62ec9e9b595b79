//===- Session.h - From files to results ------------------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// What verbs have in common: the registry, and reading inputs into one trace.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_TOOLS_HEDDLE_SESSION_H
#define HEDDLE_TOOLS_HEDDLE_SESSION_H

#include "Options.h"
#include "Watch.h"
#include "heddle/Plugin/Plugin.h"

namespace heddle {

/// Fills the registry: built-in passes and modules as the options say, and libheddle's own.
llvm::Error fillRegistry(Registry &registry, const PluginOptions &options);

/// The files that the user means: patterns and directories are resolved, "-" is stdin. Directories
/// are searched for files whose content some importer claims; `skipped` takes the others.
llvm::Expected<std::vector<std::string>> findInputs(const ImporterRegistry &importers,
                                                    llvm::ArrayRef<std::string> named,
                                                    std::vector<std::string> &skipped);

/// Everything that was read.
struct Loaded {
  Trace trace;
  Results results; ///< That the inputs held.
  std::vector<std::string> inputs;
};

struct LoadOptions {
  unsigned threads = 1;
  bool strict = false;
  bool verify = false;
  Selection selection;
};

/// Reads all inputs as ranks of one trace, in order of their numbers, and keeps those selected.
/// Prints warnings, and one line about repairs for each input. The error may hold several.
llvm::Expected<Loaded> loadInputs(const ImporterRegistry &importers,
                                  llvm::ArrayRef<std::string> named, const LoadOptions &options,
                                  Watch &watch);

} // namespace heddle

#endif
