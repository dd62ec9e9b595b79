//===- WindowFacts.h - What a device does in each window --------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Figures of every step of every device, and of the whole recording ("all"), that `summary` needs
/// beside the tables of other passes: kinds of work, launches, communication, copies, first uses.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_PLUGINS_SUMMARY_WINDOWFACTS_H
#define HEDDLE_PLUGINS_SUMMARY_WINDOWFACTS_H

#include "heddle/Analysis/ColdGaps.h"
#include "heddle/Pass/Selection.h"

namespace heddle::summary {

/// A median delay below this says that kernels meet an empty queue (ours; Flare looks at the
/// shape).
inline constexpr Duration kQueueEmptyDelay{20'000};
/// Kernels below this are short.
inline constexpr Duration kShortKernel{10'000};

/// The activities of one kind in a window.
struct KindTotal {
  llvm::StringRef kind; ///< One of `activityKind`, which are literals.
  WorkClass work = WorkClass::Compute;
  uint64_t calls = 0; ///< Those that begin in the window.
  Duration time;      ///< Sum of durations, clipped to the window.
};

struct WindowFacts {
  std::string step;    ///< The step's number, or "all".
  Interval window;     ///< Relative to the recording's origin.
  bool marked = false; ///< A mark of the host says where the step is.
  bool first = false, misplaced = false, typical = false;
  std::string markName;
  Interval host;   ///< The mark's own time.
  Duration leadIn; ///< Of a first step: what passes before the device's first activity.

  uint64_t kernels = 0, copies = 0, fills = 0; ///< Those that begin in the window.
  uint64_t shortKernels = 0;
  Duration workTime;                   ///< Sum over `kinds`.
  std::vector<KindTotal> kinds;        ///< Most time first.
  uint64_t launches = 0;               ///< API calls that own an activity of the window.
  uint64_t graphLaunches = 0;          ///< Of these, those that launch a graph.
  std::optional<Duration> medianDelay; ///< From the end of the launch to the begin, at least 0.
  std::string thread;   ///< The thread with most of the launches; empty if there is none.
  uint64_t threads = 0; ///< Threads that launch.

  Duration communication; ///< Union of communication, hidden or not.
  uint64_t communications = 0;
  uint64_t onComputeStream = 0; ///< Of these, on a stream that also computes.
  Duration communicationMedian, communicationMax;
  uint64_t pageableCopies = 0, pageableBytes = 0;
  Duration pageableExposed; ///< Time in which such a copy runs, and nothing but copies does.
  uint64_t toDevice = 0;    ///< Copies from the host.

  uint64_t longGaps = 0; ///< Gaps of kLongGap.
  uint64_t coldGaps = 0; ///< As in ColdGaps.
  Duration coldGapTime;
  Duration shortHostWait, longHostWait; ///< Waiting for a launch, in gaps below and from kLongGap.
};

struct DeviceWindows {
  int64_t device = -1;
  std::vector<WindowFacts> windows; ///< Steps in order, then "all".
};

/// O(n log n); small.
struct AllWindows {
  static constexpr llvm::StringLiteral name = "summary-windows";
  static constexpr uint32_t inputs = IdleCauses::inputs | Launches::inputs;
  static constexpr unsigned version = 1;
  static constexpr bool summary = true;
  static llvm::Expected<AllWindows> compute(const Rank &rank, AnalysisContext &context);

  std::vector<DeviceWindows> devices; ///< By device number.

  const WindowFacts *find(int64_t device, llvm::StringRef step) const;
};

/// The same for the windows that a selection leaves or asks for. Loads what it needs of the rank
/// anew: only for a report about a window that somebody named.
llvm::Expected<AllWindows> selectedWindows(const Rank &rank, const Selection &selection,
                                           const Limits &limits);

/// The host's work by name, for recordings without device work. Spans of unknown kind count where
/// no other is there: in traces of other tools, whose lanes may be hosts or devices.
struct HostTotals {
  static constexpr llvm::StringLiteral name = "summary-host";
  static constexpr uint32_t inputs =
      columns(ColumnId::Begin, ColumnId::End, ColumnId::Name, ColumnId::Kind);
  static constexpr unsigned version = 1;
  static constexpr bool summary = true;
  static llvm::Expected<HostTotals> compute(const Rank &rank, AnalysisContext &context);

  struct Row {
    std::string name;
    uint64_t spans = 0;
    Duration self, total;
  };
  /// Most self time first. Self times of all rows add up to `covered`. Step marks share a row,
  /// asynchronous communication (gloo:..., nccl:...) has no self time and takes none from others.
  std::vector<Row> rows;
  Duration covered; ///< Time for which threads are inside spans, summed over threads.
  uint64_t threads = 0;
  bool known = false;        ///< Some span is the host's for certain.
  uint64_t unknownSpans = 0; ///< Of unknown kind beside those: in no row.
};

} // namespace heddle::summary

#endif
