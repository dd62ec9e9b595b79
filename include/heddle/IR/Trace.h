//===- heddle/IR/Trace.h - All ranks under analysis -------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Trace is the outer unit: an ordered list of ranks, their clocks and where they came from.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_IR_TRACE_H
#define HEDDLE_IR_TRACE_H

#include "heddle/IR/Residency.h"

namespace heddle {

/// What was done to a trace; takes no part in equality.
struct Provenance {
  std::string toolVersion; ///< Of the Heddle that made it.
  std::string pipeline;    ///< As printed.
};

/// The ranks of one job.
class Trace {
public:
  /// Order: as given on the command line; ranks of one job are sorted by number by the driver.
  std::vector<std::unique_ptr<Rank>> ranks;
  std::vector<ClockDomain> clocks; ///< Of the ranks that have a placement.
  Provenance provenance;           ///< What was done to it.
  /// Bounds the memory of the ranks' events; null: all stay in memory.
  std::shared_ptr<Residency> residency;

  /// Keeps the events of the rank at `i` in memory as long as what is returned lives: whoever reads
  /// events holds their rank. An error if they were put aside and cannot be read. One thread at a
  /// time for each rank.
  llvm::Expected<RankHold> hold(size_t i) const;
};

/// What stands in a `rank` column for the rank at `i`: its number, else its place among the ranks.
/// Cycles of one rank share it.
int64_t rankLabel(const Trace &trace, size_t i);
/// The same for people: "rank 0", "rank 0 cycle 2".
std::string rankTitle(const Trace &trace, size_t i);
/// How many ranks there are: several cycles are one.
size_t countRanks(const Trace &trace);

/// Keeps the events of all ranks in memory, whatever they take.
llvm::Expected<std::vector<RankHold>> holdAll(const Trace &trace);

/// Moves all ranks of `from` behind those of `to`; clocks and namespaces of the two stay apart.
void append(Trace &to, Trace &&from);
/// Whether the ranks are one trace: there are some, and each has its place.
bool isMerged(const Trace &trace);
/// The time of the trace at a rank's own time `t`: that of its clock domain. A rank without
/// placement: none.
std::optional<int64_t> timeInTrace(const Trace &trace, const Rank &rank, Time t);

/// True when all ranks are equal, in order, and their clocks; see the form for ranks.
bool equal(const Trace &a, const Trace &b, std::string *why = nullptr);

} // namespace heddle

#endif
