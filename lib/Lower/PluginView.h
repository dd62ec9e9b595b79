//===- PluginView.h - What torch-tb-profiler wants otherwise ----*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// TensorBoard's profiler plugin reads files as PyTorch 1.8 to 1.11 wrote them, and drops a file at
/// the first event that surprises it. PluginView says what an event is called there and which ids
/// it carries; the figures are those of the recording. docs/TensorBoard.md has the list.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_LOWER_PLUGINVIEW_H
#define HEDDLE_LIB_LOWER_PLUGINVIEW_H

#include "ChromeArgs.h"
#include "heddle/Analysis/Launches.h"
#include "heddle/Analysis/Nesting.h"
#include <set>

namespace heddle::chrome {

class RowPlan;

class PluginView {
public:
  /// O(events log events).
  static llvm::Expected<PluginView> create(const Rank &rank);
  /// True for what the plugin makes its tree of: ops, steps, loaders, optimizers, modules.
  static bool isNode(const Rank &rank, const Track &t, uint32_t i);

  /// The category to write for an event that viewers know as `cat`.
  llvm::StringRef category(EventRef e, llvm::StringRef cat) const;
  /// Sets what stands in place of recorded arguments; `pid` is that of the event's row.
  void adjust(EventRef e, uint32_t pid, ViewerArgs::Extra &extra) const;
  /// True where flows from forward to backward harm: the plugin hangs what they lead to under
  /// modules, which no view shows, and loses all other backward work, or the file.
  bool hidesBackward() const { return modules; }
  /// Writes what the plugin takes from the document: properties of devices, the rank of a job.
  void members(const RowPlan &plan, ChromeText &out) const;

  /// The plugin adds doubles: of a begin and a length, both in microseconds. Where the sum is not
  /// the double of the end, spans that touch overlap for it. Then the length that gives this end,
  /// which differs from the true one by less than the plugin can tell; else none. There is none
  /// either where every sum lies half way between two doubles, one of which is the end.
  static std::optional<double> longDuration(int64_t beginNs, int64_t endNs);

private:
  explicit PluginView(const Rank &rank);
  void linkCalls(const Nesting &nesting, const Launches &launches);
  int64_t memoryDevice(const Track &t, uint32_t i) const;
  bool shapesBreak(const Track &t, uint32_t i) const;

  const Rank &rank;
  AttrReader externalId, deviceId, deviceType, dims, types;
  /// By track and event: the id that links ops, calls and activities. kRecorded: as recorded.
  std::vector<std::vector<int64_t>> ids;
  static constexpr int64_t kRecorded = -1;
  std::set<EventRef> launching; ///< Driver calls that own activities.
  bool modules = false;
  int64_t memoryDevices = -1; ///< The highest number that memory events name: they index the list.
};

} // namespace heddle::chrome

#endif
