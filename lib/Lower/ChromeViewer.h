//===- ChromeViewer.h - One rank for TensorBoard's plugin -------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_LOWER_CHROMEVIEWER_H
#define HEDDLE_LIB_LOWER_CHROMEVIEWER_H

#include "ChromeRank.h"
#include "heddle/IR/Trace.h"

namespace heddle::chrome {

/// Writes the rank at this place for torch-tb-profiler; returns what is not shown.
llvm::Expected<LeftOut> writeForPlugin(const Trace &trace, size_t rank, const Results &results,
                                       llvm::raw_ostream &os);

/// Unix times of the events of a trace: where its ranks are placed, those of their place, so that
/// clocks of hosts that are wrong are put right; else those that each recording tells.
class UnixTimes {
public:
  explicit UnixTimes(const Trace &trace);
  /// Whether `at` is Unix time for this rank.
  bool known(const Rank &rank) const;
  /// The ns at a time of a rank; where nothing tells Unix time, from some origin.
  int64_t at(const Rank &rank, int64_t ns) const;
  /// The ns of a rank's first event, if they are known.
  std::optional<int64_t> first(const Rank &rank) const;

private:
  const Trace &trace;
  const bool merged;
  bool placed = false; ///< Merged, and a recording tells when it was.
};

} // namespace heddle::chrome

#endif
