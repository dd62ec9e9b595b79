//===- Runs.h - Sequences of small ops on a stream --------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Finds the runs of fusible ops of a device, cuts long ones, and groups what is alike.
///
/// An activity is fusible if an API call that launches no graph launched it, inside of a recorded
/// op, and it is a fill, a copy within the device, or a kernel whose op is elementwise, reduces or
/// copies; of ops in no list the kernel's name tells. Neighbours on a stream that one op launched
/// are one *member*. A *run* is a maximal sequence of members, in event order, of one step, each
/// of which begins less than a limit after the end of all before it.
///
/// A run of 2 to `maxLength` members is an occurrence of what it is. A longer one is cut: of its
/// parts of `maxLength` members those that occur often enough in such runs, without overlap and
/// counted from the left, are taken from left to right; in what is left, those one shorter, down
/// to 2.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_PLUGINS_FUSIONCANDIDATES_RUNS_H
#define HEDDLE_PLUGINS_FUSIONCANDIDATES_RUNS_H

#include "Traffic.h"
#include "heddle/Pass/Windows.h"
#include "llvm/ADT/SmallVector.h"

namespace heddle::fusion {

/// For products of bytes and ns.
__extension__ typedef __int128 Wide;

/// What an op put on a stream, without anything else in between.
struct Member {
  EventRef op;
  uint32_t key = 0; ///< Equal for members of the same stream, op name and shapes.
  llvm::SmallVector<Interval, 1> activities; ///< In event order.
  Duration work;                             ///< Sum of their durations.
  uint32_t launches = 0;                     ///< Calls that launched them.
  EventRef first;                            ///< Its first activity.
  Traffic traffic;
};

/// Members next to each other.
using Occurrence = llvm::ArrayRef<Member>;

/// Occurrences that are alike.
struct Group {
  int64_t stream = -1;
  std::vector<Occurrence> occurrences; ///< In order of time.
};

struct Limits {
  Duration maxGap;
  size_t maxLength = 0;
  uint64_t minRepeats = 0; ///< In each window.
};

/// What was found on one device.
struct DeviceRuns {
  std::vector<std::vector<Member>> runs; ///< What the occurrences point into.
  std::vector<Group> groups;             ///< In order of the first occurrence.
  /// The highest traffic in a time of all members: bytes and ns. 0 bytes: unknown.
  int64_t bestBytes = 0, bestNs = 1;
  uint64_t fusible = 0, inGraphs = 0, withoutOp = 0; ///< Activities.
};

/// The runs of activities that belong to one of `windows`. O(n log n + n maxLength).
DeviceRuns findRuns(const Rank &rank, const DeviceTimeline &device, const DeviceSteps &steps,
                    const Launches &launches, llvm::ArrayRef<ReportWindow> windows,
                    const Limits &limits);

} // namespace heddle::fusion

#endif
