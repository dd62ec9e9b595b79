//===- Session.h - From files to results ------------------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// What verbs have in common: the registry, and reading inputs into one trace.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_TOOLS_HEDDLE_SESSION_H
#define HEDDLE_TOOLS_HEDDLE_SESSION_H

#include "Options.h"
#include "Partial.h"
#include "Watch.h"
#include "heddle/Plugin/Plugin.h"

namespace heddle {

/// Fills the registry: built-in passes and modules as the options say, and libheddle's own.
llvm::Error fillRegistry(Registry &registry, const PluginOptions &options);

/// What names on a command line come to.
struct FoundInputs {
  struct Skipped {
    std::string path, why; ///< "plain text".
  };
  std::vector<std::string> files; ///< "-" is stdin.
  std::vector<Skipped> skipped;
};

/// The files that the user means: patterns and directories are resolved. Directories are searched
/// for files whose content some importer claims. `out` tells what was skipped after an error too.
llvm::Error findInputs(const ImporterRegistry &importers, llvm::ArrayRef<std::string> named,
                       FoundInputs &out);

/// Names what was skipped; of many files with the same reason the first few.
void printSkipped(llvm::ArrayRef<FoundInputs::Skipped> skipped);

/// Everything that was read.
struct Loaded {
  Trace trace;
  Results results; ///< That the inputs held.
  std::vector<std::string> inputs;
  std::vector<std::string> files; ///< By rank: which input it was read from.
  BytesRead bytes;                ///< Of inputs of which a part was read.
};

struct LoadOptions {
  unsigned threads = 1;
  bool strict = false;
  bool verify = false;
  bool merges = false; ///< A pass is to follow that resolves equal and absent numbers.
  Selection selection;
  uint64_t memory = UINT64_MAX; ///< That the events of all ranks may take.
  bool partOfTime = false; ///< Only figures of the selection are wanted, no totals and no events.
};

/// Reads all inputs as ranks of one trace, in order of their numbers, and keeps those selected.
/// Prints warnings, and one line about repairs for each input. The error may hold several.
llvm::Expected<Loaded> loadInputs(const ImporterRegistry &importers,
                                  llvm::ArrayRef<std::string> named, const LoadOptions &options,
                                  Watch &watch);

} // namespace heddle

#endif
