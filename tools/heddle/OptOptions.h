//===- OptOptions.h - Options of opt and report -----------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_TOOLS_HEDDLE_OPTOPTIONS_H
#define HEDDLE_TOOLS_HEDDLE_OPTOPTIONS_H

#include "Options.h"
#include "heddle/Lower/Emitter.h"
#include "heddle/Pass/Pipeline.h"

namespace heddle {

/// Which passes run; what comes out, and where.
struct OptOptions : InputOptions {
  cl::OptionCategory passCategory{"Passes"};
  cl::list<std::string> passes{"passes", cl::value_desc("pipeline"), cl::cat(passCategory),
                               cl::desc("Passes to run: 'rank(idle-gaps<min=5us>,kernels)'")};
  cl::list<std::string> pass{"p", cl::value_desc("name:key=value,..."), cl::cat(passCategory),
                             cl::desc("One more pass to run, without quotes")};

  cl::OptionCategory outputCategory{"Output"};
  cl::opt<std::string> emit{"emit", cl::value_desc("name"), cl::cat(outputCategory),
                            cl::desc("What to write; 'heddle passes' lists what there is")};
  cl::opt<bool> text{"S", cl::cat(outputCategory), cl::desc("The same as --emit=ht")};
  cl::opt<std::string> output{
      "o", cl::value_desc("file"), cl::init("-"), cl::cat(outputCategory),
      cl::desc("Where to; its suffix chooses what to write, .gz compresses")};
  cl::opt<bool> force{"force", cl::cat(outputCategory),
                      cl::desc("Replace a folder that Heddle wrote (--emit=tensorboard)")};
  cl::opt<std::string> table{"table", cl::value_desc("name"), cl::cat(outputCategory),
                             cl::desc("csv: which table")};
  cl::list<std::string> sections{"s", cl::CommaSeparated, cl::value_desc("names"),
                                 cl::cat(outputCategory),
                                 cl::desc("report: which sections; 'all' for all")};
  cl::opt<bool> stripSource{"strip-source", cl::cat(outputCategory),
                            cl::desc("ht: leave out what only a faithful export needs")};
  cl::opt<bool> stats{"stats", cl::cat(outputCategory),
                      cl::desc("Print every statistic to stderr")};

  cl::OptionCategory debugCategory{"Looking inside"};
  cl::opt<bool> printPipeline{"print-pipeline", cl::cat(debugCategory),
                              cl::desc("Print the explicit form of the pipeline and stop")};
  cl::list<std::string> printAfter{"print-after", cl::CommaSeparated, cl::value_desc("pass"),
                                   cl::cat(debugCategory),
                                   cl::desc("Print the trace to stderr after this pass")};
  cl::opt<bool> printChanged{
      "print-changed", cl::cat(debugCategory),
      cl::desc("Print the trace to stderr after every pass that changed its text")};
  NumberOption stopAfter{"stop-after", cl::value_desc("n"), cl::cat(debugCategory),
                         cl::desc("Run only the first n passes of the printed pipeline")};
  cl::opt<bool> debugPasses{
      "debug-passes", cl::cat(debugCategory),
      cl::desc("Say what runs, and which analyses are computed, reused or dropped, and why")};
  cl::opt<bool> timePasses{"time-passes", cl::cat(debugCategory),
                           cl::desc("Print the time that each pass took to stderr")};
  cl::opt<bool> verifyEach{"verify-each", cl::cat(debugCategory),
                           cl::desc("Check the trace after reading and after every pass")};
  cl::opt<bool> verifyDiagnostics{
      "verify-diagnostics", cl::cat(debugCategory),
      cl::desc("ht: compare diagnostics with the input's expected-... comments")};
  cl::opt<bool> splitInput{"split-input-file", cl::cat(debugCategory),
                           cl::desc("ht: treat the parts between '// -----' one by one")};
  NumberOption shuffleSeed{"shuffle-seed", cl::Hidden, cl::cat(debugCategory),
                           cl::desc("Start ranks in an order that follows from this number")};

  /// What --passes and -p say, in their order on the command line.
  llvm::Error pipeline(const PassRegistry &registry, Pipeline &out) const;
  /// What --emit, -S and the suffix of -o say; `fallback` if they say nothing.
  llvm::Expected<const EmitterInfo *> emitter(const EmitterRegistry &registry,
                                              llvm::StringRef fallback) const;
};

} // namespace heddle

#endif
