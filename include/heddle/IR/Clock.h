//===- heddle/IR/Clock.h - Where a rank stands in a trace -------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// A recording has a time, a number and ids of its own. ClockDomain and Placement say what they are
/// in a trace of several: they are transforms, no event is changed for them.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_IR_CLOCK_H
#define HEDDLE_IR_CLOCK_H

#include <compare>
#include <cstdint>
#include <optional>

namespace heddle {

/// The clock of one host, and how it leads to the time of the trace. Left as it is, it is that
/// time.
struct ClockDomain {
  int64_t reference = 0;        ///< ns by this clock, where `offset` is right.
  int64_t offset = 0;           ///< ns to add.
  int64_t drift = 0;            ///< ns to add besides for each second behind `reference`.
  std::optional<int64_t> error; ///< ns; what comes out is right within it. None: nobody knows.

  /// The time of the trace at a time by this clock, held at the ends of 64 bits.
  int64_t map(int64_t ns) const;
  friend bool operator==(const ClockDomain &, const ClockDomain &) = default;
};

/// Where a rank stands in a trace of several; `merge-ranks` gives it.
struct Placement {
  uint32_t clock = 0; ///< Index into Trace::clocks.
  /// The namespace of pids, correlations and other ids: those of ranks in different ones are
  /// different things, whatever their numbers.
  uint32_t ids = 0;
  int64_t origin = 0;   ///< ns by its clock, at the rank's time 0: Unix time if not `assumed`.
  bool assumed = false; ///< The recording does not tell when it was; `origin` was chosen.
  std::optional<int64_t> stated; ///< The number that the recording states; `Rank::number` counts.
  friend bool operator==(const Placement &, const Placement &) = default;
};

} // namespace heddle

#endif
