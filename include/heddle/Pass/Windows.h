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
#include "heddle/Pass/Pass.h"
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

/// A device on which a pass reports. Points into the analyses that it was made from.
struct SelectedDevice {
  size_t index;                   ///< In DeviceUnion::devices, and in all that is parallel to it.
  const DeviceTimeline *timeline; ///< What it did.
  const DeviceSteps *steps;       ///< Its steps, also those that are not selected.
  const Selection *selection;     ///< What the user wants to see.
  std::vector<ReportWindow> windows = {}; ///< Steps in order, then `all`; none without activities.

  /// Its number.
  int64_t number() const { return timeline->device; }
  /// The activities that are selected, in order: those launched in the selected steps, and those
  /// that begin in the selected window; without either, all, and behind them the ones that count
  /// in no window. O((activities + windows) log windows).
  std::vector<const DeviceActivity *> activities() const;
};

/// The devices that a selection keeps, by number. A window by name that the rank lacks is an error,
/// if a device works at all.
llvm::Expected<std::vector<SelectedDevice>> selectedDevices(const Rank &rank,
                                                            const DeviceUnion &devices,
                                                            const Steps &steps,
                                                            const Selection &selection);
/// The same for what the user selected, which a pass begins with:
/// `for (const SelectedDevice &device : *devices) for (const ReportWindow &w : device.windows)`.
llvm::Expected<std::vector<SelectedDevice>> selectedDevices(const Rank &rank, RankContext &context);

/// What is wrong if one of these inclusive ranges holds nothing of what there is: "--rank=99
/// selects no rank; there is 0-3"; else empty. `what` is the singular, "rank".
std::string missingRange(llvm::ArrayRef<std::pair<int64_t, int64_t>> ranges,
                         const std::set<int64_t> &there, llvm::StringRef option,
                         llvm::StringRef what);

/// A usage error that says what there is if the selection names devices, steps or a window of which
/// no rank of the trace has any. One that some rank has is fine; so is all of it where no device
/// works, since passes abstain there. Computes the steps of ranks anew if steps or a window are
/// asked for.
llvm::Error checkSelection(const Trace &trace, const Selection &selection, const Limits &limits);

/// What `--window=NAME` selects: the first span of that name on a host thread. A usage error offers
/// the nearest name where there is none. O(events).
llvm::Expected<Interval> namedWindow(const Rank &rank, llvm::StringRef name);
/// The annotation on a host thread whose name is the nearest to this one; "" if none is near.
/// Points into the rank. O(events + names * length).
llvm::StringRef nearestWindow(const Rank &rank, llvm::StringRef name);
/// What `--window` selects, by time or by name; nullopt without it.
llvm::Expected<std::optional<Interval>> selectedWindow(const Rank &rank,
                                                       const Selection &selection);

} // namespace heddle

#endif
