//===- heddle/Pass/PassManager.h - Runs a pipeline --------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Runs a pipeline over a trace. Neighbouring rank passes are one fan-out over ranks (all passes
/// on rank 0, then on rank 1, ...) on one thread pool; results are buffered per unit and merged in
/// (pipeline position, rank) order, so output is byte-equal for any number of threads.
/// Exceptions that leave a pass become errors that name it.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_PASS_PASSMANAGER_H
#define HEDDLE_PASS_PASSMANAGER_H

#include "heddle/Pass/Pipeline.h"

namespace heddle {

struct PassOptions {
  unsigned threads = 1;    ///< 1 runs inline.
  bool verifyEach = false; ///< The verifier after every pass (after every rewrite at least).
  bool timePasses = false; ///< Fill `timings`.
  Selection selection;
  Limits limits;
  Progress *progress = nullptr;
  unsigned scheduleSeed = 0; ///< Non-zero: units are started in a shuffled order (tests).
  /// After the pass of this name has run on the whole trace (fan-outs are split there).
  std::vector<std::string> printAfter;
  std::function<void(const PassInstance &, const Trace &)> onPrintAfter;
  std::function<void(llvm::StringRef)>
      debugLog; ///< --debug-passes: one line per event, unit order.
};

struct PassTiming {
  std::string pass;
  double cpuSeconds = 0, wallSeconds = 0;
  unsigned runs = 0;
};

class PassManager {
public:
  explicit PassManager(PassOptions options) : options(std::move(options)) {}
  /// Runs all passes. On error nothing of `results` is to be used.
  llvm::Error run(const Pipeline &pipeline, Trace &trace, Results &results);
  llvm::ArrayRef<PassTiming> timings() const { return times; } ///< In pipeline order.

private:
  PassOptions options;
  std::vector<PassTiming> times;
};

} // namespace heddle

#endif
