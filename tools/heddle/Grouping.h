//===- Grouping.h - Which inputs are one rank -------------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// A profiler's schedule that repeats writes a file for each cycle: several inputs of one rank.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_TOOLS_HEDDLE_GROUPING_H
#define HEDDLE_TOOLS_HEDDLE_GROUPING_H

#include "heddle/IR/Trace.h"
#include <set>

namespace heddle {

/// What tells recordings of one rank from others.
struct Evidence {
  explicit Evidence(const Rank &rank);

  std::string folder, worker;    ///< Without the time; empty if the name has none.
  std::set<int64_t> processes;   ///< Of host threads.
  std::optional<Interval> range; ///< Unix time, if it is known.
  int64_t stamp = 0;             ///< In the name: when the file was written.
  bool isCapture = false;        ///< Of graphs.
};

/// Gives the recordings of one rank their cycles, and returns the order in which they stand side by
/// side: ranks by number, those without one last, in order of inputs. The evidence is by rank.
std::vector<size_t> groupCycles(const Trace &trace, llvm::ArrayRef<Evidence> evidence);

/// What inputs there are, as facts for people: "8 files: ranks 0-7 of 8", "2 cycles of rank 0,
/// ...". Empty for one input of a job of one.
llvm::Expected<std::vector<std::string>> describeGroups(const Trace &trace);

/// The ranks of the job of which no recording is given, as "3, 5-7"; empty if none or unknown.
std::string missingRanks(const Trace &trace);

/// Calls that have to do with graphs.
struct GraphUse {
  uint64_t captured = 0, launched = 0; ///< Begun captures, launches of graphs.
  uint64_t activities = 0;             ///< That launches of graphs own.
  uint64_t idle = 0;                   ///< Other launches that own none, as those in a capture.
  /// Launches went into graphs, and no graph was launched.
  bool isCapture() const { return captured && !launched; }
};
GraphUse graphUse(const Rank &rank);
/// One phrase for people; empty without graphs.
std::string describeGraphs(const GraphUse &use);

} // namespace heddle

#endif
