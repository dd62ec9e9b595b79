//===- OptRun.h - One run of opt or report ----------------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Reads, runs the pipeline, writes. What the command line gets wrong is found before anything is
/// read.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_TOOLS_HEDDLE_OPTRUN_H
#define HEDDLE_TOOLS_HEDDLE_OPTRUN_H

#include "OptOptions.h"
#include "Session.h"
#include "heddle/IO/OutputFile.h"
#include "heddle/IO/OutputFolder.h"
#include "heddle/Text/Text.h"

namespace heddle {

class OptRun {
public:
  OptRun(const OptOptions &options, Watch &watch) : options(options), watch(watch) {}

  /// Pipeline and output if the command line names none.
  llvm::StringRef defaultPasses, defaultEmit;

  llvm::Error run();

private:
  llvm::Error prepare();
  llvm::Error runWhole();
  /// --split-input-file, --verify-diagnostics: each part of each input by itself.
  llvm::Error runParts();
  llvm::Error runPart(llvm::StringRef text, llvm::StringRef name, unsigned firstLine,
                      OutputFile *file);
  /// `lines` takes the line of each event in the part if the part is .ht.
  llvm::Error readPart(llvm::StringRef text, llvm::StringRef name, Loaded &part, EventLines &lines,
                       Diagnostics &diagnostics);
  llvm::Error runPasses(Loaded &all);
  /// `write` emits, with the options that the command line makes.
  llvm::Error emitWith(const Loaded &all,
                       llvm::function_ref<llvm::Error(EmitOptions &options)> write);
  llvm::Error emitTo(OutputFile &file, const Loaded &all);
  llvm::Error checkFolder();
  llvm::Error writeFile(const Loaded &all);
  llvm::Error writeFolder(OutputFolder &folder, const Loaded &all);

  const OptOptions &options;
  Watch &watch;
  Registry registry;
  Pipeline pipeline;
  const EmitterInfo *emitter = nullptr;
  Selection selection;
};

} // namespace heddle

#endif
