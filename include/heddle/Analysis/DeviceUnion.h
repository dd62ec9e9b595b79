//===- heddle/Analysis/DeviceUnion.h - When a device works ------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// The activities of each device in order, the union of their times by class, and the gaps
/// between them. Percentages and idle times come from unions, never from sums: activities of
/// several streams overlap, and those of one stream may (programmatic launches).
///
/// What does not count:
///   * an activity at file time 0 beside an absolute time base has no time;
///   * an activity without a launch that lies farther from the recording's host range than that
///     range is long is outside every window ("far");
///   * an activity that overruns the begin of the next one on its stream by more than any other
///     activity of its name lasts is a runaway: it is cut there.
/// All three are counted. Annotations, sync rows, overhead and markers on a device are no work.
/// Times are ns relative to the recording's origin, intervals half-open.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_ANALYSIS_DEVICEUNION_H
#define HEDDLE_ANALYSIS_DEVICEUNION_H

#include "heddle/Analysis/Analysis.h"
#include "heddle/Analysis/Communication.h"
#include "heddle/Analysis/IntervalSet.h"

namespace heddle {

/// One activity that counts.
struct DeviceActivity {
  EventRef event;                      ///< The event itself.
  Time begin, end;                     ///< `end` is cut if the activity is a runaway.
  int64_t stream = -1;                 ///< As its track says; -1 if unknown.
  uint32_t seq = 0;                    ///< Its place in the file.
  WorkClass work = WorkClass::Compute; ///< What kind of work it is.
  bool cut = false;                    ///< True if `end` is not the recorded one.
  /// From `begin` to `end`.
  Interval interval() const { return {begin, end}; }
};

/// A maximal time without work between two activities.
struct DeviceGap {
  Interval interval;    ///< Half-open, never empty.
  uint32_t endedBy = 0; ///< Index of the activity that ends it.
};

/// What one device did, in order.
struct DeviceTimeline {
  int64_t device = -1; ///< Its number; -1 if unknown.
  /// Sorted by (begin, longer first, order in the file).
  std::vector<DeviceActivity> activities;
  /// Activities that count in no window, in the same order.
  std::vector<DeviceActivity> excluded;
  /// Activities by the reason why they are excluded, and those that were cut.
  uint64_t withoutTime = 0, far = 0, cut = 0;
  Interval range; ///< First begin to last end of `activities`; empty if there are none.
  /// When anything runs, and when each class of work does.
  IntervalSet busy, compute, communication, copies;
  IntervalSet computeOrCommunication; ///< The union of the two.
  std::vector<DeviceGap> gaps;        ///< Inside `range`, in order.
};

/// Where a window's time goes. busy + idle and compute + exposedCommunication + exposedCopy + idle
/// are both the window's length, exactly.
struct DeviceBreakdown {
  /// `exposed` is what nothing of the classes before it covers.
  Duration window, busy, idle, compute, exposedCommunication, exposedCopy;
};
/// All work of the device in the window counts, whoever launched it. O(log n).
DeviceBreakdown breakdown(const DeviceTimeline &device, Interval window);

/// The devices of a rank, by number. O(n log n).
struct DeviceUnion {
  static constexpr llvm::StringLiteral name = "device-union";
  static constexpr uint32_t inputs =
      columns(ColumnId::Begin, ColumnId::End, ColumnId::Name, ColumnId::Kind, ColumnId::Attributes);
  static constexpr unsigned version = 1;
  static constexpr bool summary = false;
  static llvm::Expected<DeviceUnion> compute(const Rank &rank, AnalysisContext &context);

  /// Devices that have an activity at all.
  std::vector<DeviceTimeline> devices;
  /// First begin to last end of ops, annotations, API calls and Python frames; empty if none.
  Interval hostRange;
  bool hasHost = false; ///< True if there is any such event.

  /// The timeline of a device, or null.
  const DeviceTimeline *find(int64_t device) const;
};

/// True for what a host thread does: ops, annotations, runtime and driver calls, Python frames.
/// Asks about the kind alone; copies of annotations on streams are told apart by their track.
constexpr bool isHostWork(EventKind k) {
  return k == EventKind::CpuOp || k == EventKind::Annotation || isApiCall(k) ||
         k == EventKind::Python;
}
/// True for tracks that hold what a host thread does.
constexpr bool isHostTrack(const Track &t) {
  return t.key.family == Family::ThreadWork || t.key.family == Family::ThreadPython;
}
/// An event at file time 0 of a recording with an absolute base has no time.
bool hasNoTime(const Recording &recording, Time begin);

} // namespace heddle

#endif
