//===- heddle/Analysis/IntervalSet.h - Unions of intervals ------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// IntervalSet: a set of instants as sorted, disjoint, half-open intervals, none empty; touching
/// ones are one. Its length inside any window is found in O(log n).
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_ANALYSIS_INTERVALSET_H
#define HEDDLE_ANALYSIS_INTERVALSET_H

#include "heddle/Support/Time.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace heddle {

/// Disjoint intervals in order, with the lengths before each.
class IntervalSet {
public:
  IntervalSet() = default;
  /// The union of intervals in any order; empty ones add nothing. O(n) if they are sorted by begin,
  /// else O(n log n).
  static IntervalSet unionOf(std::vector<Interval> intervals);

  /// Sorted; no two touch.
  llvm::ArrayRef<Interval> intervals() const { return list; }
  /// True if it holds no instant.
  bool empty() const { return list.empty(); }
  /// The intervals that share an instant with `window`, uncut. O(log n).
  llvm::ArrayRef<Interval> in(Interval window) const;
  /// True if it holds the instant. O(log n).
  bool contains(Time t) const;
  /// Length of the whole set. O(1).
  Duration measure() const { return prefix.empty() ? Duration{} : prefix.back(); }
  /// Length of the intersection with `window`. O(log n).
  Duration measure(Interval window) const;
  /// True if the set and `window` share an instant. O(log n).
  bool overlaps(Interval window) const;

private:
  Duration before(Time t) const; ///< Length of what lies before t.
  std::vector<Interval> list;
  std::vector<Duration> prefix; ///< Length of list[0..i].
};

} // namespace heddle

#endif
