//===- heddle/Analysis/IdleCauses.h - Why a device idles --------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Splits every gap of a device exactly by cause, by what happened on the thread that launched the
/// activity that ends the gap.
///
///   * A gap below 1 us is the turn from one kernel to the next: kernel-to-kernel.
///   * A gap ended by an activity whose launch was not recorded is unrecorded.
///   * Otherwise the launch call parts it. Before the call the thread decides, by the deepest span
///     that has a cause: a blocking call (sync), the data loader (input), the garbage collector
///     (gc), an allocation (alloc), a compilation or module load (compile); any other span is host,
///     none unobserved. During the call: launch-call. After it: dependency inside a recorded wait
///     of the stream, else launch-latency.
///   * A blocking call returns when the queue is empty, so it costs what follows it: after the last
///     call in which the queue ran dry, host and unobserved become after-sync. `sync` is the lower
///     bound of what synchronising costs, `sync` + `after-sync` the upper.
///   * A call that blocks for over 100 us, or a launch that waits for longer, while no device of
///   the
///     recording works waits for something that is not in the file: unrecorded.
/// Step marks are no spans here. Parts are contiguous, so they add up to the gap.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_ANALYSIS_IDLECAUSES_H
#define HEDDLE_ANALYSIS_IDLECAUSES_H

#include "heddle/Analysis/DeviceUnion.h"
#include "heddle/Analysis/Launches.h"
#include "heddle/Analysis/Steps.h"
#include <array>

namespace heddle {

/// In the order in which tables list them.
enum class IdleCause : uint8_t {
  Sync,
  AfterSync,
  Input,
  Gc,
  Alloc,
  Compile,
  Host,
  Unobserved,
  LaunchCall,
  Dependency,
  LaunchLatency,
  KernelToKernel,
  Unrecorded,
};
/// How many there are.
inline constexpr unsigned kNumIdleCauses = static_cast<unsigned>(IdleCause::Unrecorded) + 1;
/// kebab-case: sync, after-sync, ..., kernel-to-kernel, unrecorded.
llvm::StringRef idleCauseName(IdleCause c);

/// Gaps shorter than this are kernel-to-kernel: what a device needs between two kernels of a queue.
inline constexpr Duration kTurnaround{1000};
/// What waits for longer than this while no device works waits for what was not recorded.
inline constexpr Duration kUnrecordedWait{100000};

/// A contiguous part of a gap.
struct IdlePart {
  Interval interval; ///< Half-open, never empty.
  IdleCause cause;   ///< The one cause of all of it.
};

/// A time without work, in parts by cause.
struct IdleGap {
  Interval interval;    ///< The whole of it.
  uint32_t endedBy = 0; ///< Index in the device's activities.
  bool leadIn = false;  ///< Before the first activity, in the first step's window; in no `all`.
  uint32_t firstPart = 0, numParts = 0; ///< Its parts in DeviceIdle::parts.
};

/// The gaps of one device.
struct DeviceIdle {
  int64_t device = -1;         ///< Its number; -1 if unknown.
  std::vector<IdleGap> gaps;   ///< In order of time, a lead-in first.
  std::vector<IdlePart> parts; ///< Of all gaps, in the order of gaps.
  /// The parts of a gap, which cover it.
  llvm::ArrayRef<IdlePart> partsOf(const IdleGap &g) const {
    return llvm::ArrayRef(parts).slice(g.firstPart, g.numParts);
  }
  /// The gaps that share an instant with `window`, in order and uncut. O(log n).
  llvm::ArrayRef<IdleGap> in(Interval window) const;
};

/// Idle time by cause; what `add` takes in adds up to the length of the gaps in their windows.
struct IdleSums {
  std::array<Duration, kNumIdleCauses> time{}; ///< By cause.
  std::array<int64_t, kNumIdleCauses> gaps{};  ///< With a part of that cause.
  /// Adds what of a gap lies in `window`. O(parts).
  void add(llvm::ArrayRef<IdlePart> parts, Interval window);
  Duration operator[](IdleCause c) const { return time[static_cast<unsigned>(c)]; }
};

/// O(n log n).
struct IdleCauses {
  static constexpr llvm::StringLiteral name = "idle-causes";
  static constexpr uint32_t inputs = Steps::inputs;
  static constexpr unsigned version = 1;
  static constexpr bool summary = false;
  static llvm::Expected<IdleCauses> compute(const Rank &rank, AnalysisContext &context);

  std::vector<DeviceIdle> devices; ///< Parallel to DeviceUnion::devices.
};

} // namespace heddle

#endif
