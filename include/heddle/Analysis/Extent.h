//===- heddle/Analysis/Extent.h - When and where a rank ran -----*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// What tells recordings apart, or that they belong together: when they were made, of which
/// processes and devices.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_ANALYSIS_EXTENT_H
#define HEDDLE_ANALYSIS_EXTENT_H

#include "heddle/Analysis/Analysis.h"
#include <set>

namespace heddle {

/// O(events); small.
struct Extent {
  static constexpr llvm::StringLiteral name = "extent";
  static constexpr uint32_t inputs = columns(ColumnId::Begin, ColumnId::End, ColumnId::TrackMeta);
  static constexpr unsigned version = 1;
  static constexpr bool summary = true;
  static llvm::Expected<Extent> compute(const Rank &rank, AnalysisContext &context);
  /// The same, for those who have no cache.
  explicit Extent(const Rank &rank);

  /// From the first begin to the last end of what host threads and devices did; the rank's own
  /// time. None if they did nothing.
  std::optional<Interval> range;
  std::set<int64_t> processes; ///< Of host threads, where their ids are numbers.
  std::set<int64_t> devices;   ///< With work.
};

/// Whether two sets have an element in common. O(smaller * log larger).
bool intersect(const std::set<int64_t> &a, const std::set<int64_t> &b);

} // namespace heddle

#endif
