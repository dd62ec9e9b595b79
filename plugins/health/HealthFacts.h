//===- HealthFacts.h - What the recorder itself costs -----------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_PLUGINS_HEALTH_HEALTHFACTS_H
#define HEDDLE_PLUGINS_HEALTH_HEALTHFACTS_H

#include "heddle/Analysis/Analysis.h"
#include "heddle/Analysis/IdleCauses.h"

namespace heddle::health {

/// Figures that `health` needs beside RankFacts. O(events).
struct HealthFacts {
  static constexpr llvm::StringLiteral name = "health-facts";
  static constexpr uint32_t inputs = IdleCauses::inputs;
  static constexpr unsigned version = 1;
  static constexpr bool summary = true;
  static llvm::Expected<HealthFacts> compute(const Rank &rank, AnalysisContext &context);

  /// Frames of Python recorded on threads that launch work, and what one costs at least: the median
  /// span of `len`, or else of the quickest of a few other builtins that do next to nothing, so
  /// that their span is the price of recording it.
  uint64_t frames = 0, shapedOps = 0;
  std::string builtin; ///< Empty if none was called often enough.
  uint64_t builtinCalls = 0;
  int64_t twiceMedianNs = 0; ///< Twice, since an even count has two middles.
  Duration probeFloor() const { return {static_cast<int64_t>(frames) * twiceMedianNs / 2}; }

  bool communicates = false; ///< Some activity communicates.
  Duration overhead;         ///< Union of the recorder's own rows (buffer flushes, module loads).

  /// Gaps of 1 ms or more before the first use of a kernel's name, mostly spent waiting for its
  /// launch.
  uint64_t coldGaps = 0;
  Duration coldGapTime;
};

} // namespace heddle::health

#endif
