//===- heddle/Pass/PassManager.h - Runs a pipeline --------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Runs a pipeline over a trace. Neighbouring rank passes are one fan-out over ranks (all passes
/// on rank 0, then on rank 1, ...) on one thread pool; results are buffered per unit and merged in
/// (pipeline position, rank) order, so output is byte-equal for any number of threads.
/// Exceptions that leave a pass become errors that name it; of several failing ranks the first
/// one's error is returned. A check that runs again replaces its earlier results; rewrites keep
/// theirs, since each did something. A rewrite marks earlier results of its rank stale, moves their
/// evidence along, and drops remarks that have none left, counted as the statistic `remarks-lost`.
/// One that writes Results drops those of its rank, and those of the trace, counted as
/// `results-dropped`.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_PASS_PASSMANAGER_H
#define HEDDLE_PASS_PASSMANAGER_H

#include "heddle/Pass/Pipeline.h"

namespace heddle {

/// What the manager itself counts for a rewrite.
inline constexpr StatInfo kRemarksLost = {
    "remarks-lost", Statistic::Severity::Loss,
    "remarks of earlier passes that were dropped because a rewrite removed all their evidence"};

/// And for one that takes earlier results away.
inline constexpr StatInfo kResultsDropped = {"results-dropped", Statistic::Severity::Loss,
                                             "tables, remarks and abstentions of earlier passes "
                                             "that were dropped, since they quote what the "
                                             "rewrite took away; run those passes after it"};

/// How to run.
struct PassOptions {
  unsigned threads = 1;         ///< 1 runs inline.
  bool verifyEach = false;      ///< The verifier after every pass (after every rewrite at least).
  bool timePasses = false;      ///< Fill `timings`.
  Selection selection;          ///< What passes report on.
  Limits limits;                ///< Handed to passes and analyses.
  Progress *progress = nullptr; ///< May be null; counts passes times ranks.
  unsigned scheduleSeed = 0;    ///< Non-zero: units are started in a shuffled order (tests).
  /// After the pass of this name has run on the whole trace (fan-outs are split there).
  std::vector<std::string> printAfter;
  /// Is called then, with that pass.
  std::function<void(const PassInstance &, const Trace &)> onPrintAfter;
  std::function<void(llvm::StringRef)>
      debugLog; ///< --debug-passes: one line per event, unit order.
};

/// What a pass cost, over all ranks.
struct PassTiming {
  std::string pass;                       ///< Its name.
  double cpuSeconds = 0, wallSeconds = 0; ///< Of the threads that ran it; by the clock.
  unsigned runs = 0;                      ///< On how many units.
};

/// Runs pipelines, one at a time.
class PassManager {
public:
  explicit PassManager(PassOptions options) : options(std::move(options)) {}
  /// Runs all passes. On error nothing of `results` is to be used.
  llvm::Error run(const Pipeline &pipeline, Trace &trace, Results &results);
  llvm::ArrayRef<PassTiming> timings() const { return times; } ///< In pipeline order.

private:
  class Run;
  PassOptions options;
  std::vector<PassTiming> times;
};

} // namespace heddle

#endif
