//===- heddle/Pass/Windows.h - The windows a pass reports on ----*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Passes that give figures per window all give the same ones: one per step of a device and one
/// called `all`, from the device's first activity to its last. `--steps` leaves only the steps it
/// names; `--window` replaces them by one called `window`.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_PASS_WINDOWS_H
#define HEDDLE_PASS_WINDOWS_H

#include "heddle/Analysis/Steps.h"
#include "heddle/IR/Trace.h"
#include "heddle/Pass/Selection.h"
#include "llvm/ADT/ArrayRef.h"
#include <set>

namespace heddle {

/// A time for which a pass gives its figures.
struct ReportWindow {
  std::string step;    ///< "7", "all" or "window": what a `step` column holds.
  Interval interval;   ///< Half-open.
  bool isStep = false; ///< Neither `all` nor `window`.
  uint32_t index = 0;  ///< In DeviceSteps::steps; steps only.
  bool first = false, misplaced = false, typical = false; ///< As in DeviceStep; steps only.
};

/// The windows of one device under a selection, steps in order, then `all`; none if the selection
/// leaves the device out. A window by name is the span of the first annotation or op of that name
/// on a host thread; if there is none, the result is an error that names the nearest.
llvm::Expected<std::vector<ReportWindow>> reportWindows(const Rank &rank,
                                                        const DeviceTimeline &timeline,
                                                        const DeviceSteps &steps,
                                                        const Selection &selection);

/// What is wrong if one of these inclusive ranges holds nothing of what there is: "--rank=99
/// selects no rank; there is 0-3"; else empty. `what` is the singular, "rank".
std::string missingRange(llvm::ArrayRef<std::pair<int64_t, int64_t>> ranges,
                         const std::set<int64_t> &there, llvm::StringRef option,
                         llvm::StringRef what);

/// The activities of a device that are selected, in order: those launched in the selected steps,
/// and those that begin in the selected window; without either, all, and behind them the ones that
/// count in no window. `windows` are those of `reportWindows`. O(activities * windows).
std::vector<const DeviceActivity *> selectedActivities(const DeviceTimeline &timeline,
                                                       const DeviceSteps &steps,
                                                       llvm::ArrayRef<ReportWindow> windows,
                                                       const Selection &selection);

/// A usage error that says what there is if the selection names devices, steps or a window of which
/// no rank of the trace has any. One that some rank has is fine; so is all of it where no device
/// works, since passes abstain there. Computes the steps of ranks anew if steps or a window are
/// asked for.
llvm::Error checkSelection(const Trace &trace, const Selection &selection, const Limits &limits);

/// What `--window=NAME` selects: the first span of that name on a host thread. A usage error offers
/// the nearest name where there is none. O(events).
llvm::Expected<Interval> namedWindow(const Rank &rank, llvm::StringRef name);

} // namespace heddle

#endif
