//===- heddle/Analysis/ColdGaps.h - Gaps before first uses ------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Which long gaps of a device end with the first use of a kernel: what a start costs (loading
/// code, choosing algorithms, growing pools), and what no steady step would.
///
/// A gap is cold if it lasts kLongGap or longer, is no lead-in, mostly waits for a launch, and if
/// no activity before it has the name of the one that ends it.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_ANALYSIS_COLDGAPS_H
#define HEDDLE_ANALYSIS_COLDGAPS_H

#include "heddle/Analysis/IdleCauses.h"

namespace heddle {

/// From this length on a gap is looked at as one, not as a part of a rate of launches.
inline constexpr Duration kLongGap{1'000'000};

/// Causes that are waiting for a launch, whatever the thread does meanwhile but synchronising or
/// fetching a batch.
bool isLaunchWait(IdleCause c);

/// O(gaps + parts + activities).
struct ColdGaps {
  static constexpr llvm::StringLiteral name = "cold-gaps";
  static constexpr uint32_t inputs = IdleCauses::inputs;
  static constexpr unsigned version = 1;
  static constexpr bool summary = false;
  static llvm::Expected<ColdGaps> compute(const Rank &rank, AnalysisContext &context);

  /// Parallel to IdleCauses::devices: true for the gaps of DeviceIdle::gaps that are cold.
  std::vector<std::vector<bool>> devices;
};

} // namespace heddle

#endif
