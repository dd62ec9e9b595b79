//===- HealthFacts.h - Figures that only health needs -----------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_PLUGINS_HEALTH_HEALTHFACTS_H
#define HEDDLE_PLUGINS_HEALTH_HEALTHFACTS_H

#include "Contents.h"
#include "heddle/Analysis/ColdGaps.h"

namespace heddle::health {

/// Figures that `health` needs beside RankFacts. O(n log n); small.
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

  Duration overhead;        ///< Union of the recorder's own rows (buffer flushes, module loads).
  uint64_t fullBuffers = 0; ///< Rows of the recorder that say that a command buffer was full.

  uint64_t launchCalls = 0, withoutWork = 0; ///< Calls that launch; of these, without an activity.
  bool captures = false;                     ///< A graph is captured or instantiated.
  size_t launchingProcesses = 0;

  uint64_t communications = 0;     ///< Activities that communicate.
  uint64_t withCollectiveArgs = 0; ///< Of these, those that say which collective.

  uint64_t hostSpans = 0, partialOverlaps = 0; ///< Of ops, annotations, API calls, Python frames.
  uint64_t unfinished = 0; ///< Spans open at the recorder's stop, Python frames left out.

  Interval range;      ///< First begin to last end of host spans and work that counts.
  Duration silence;    ///< The longest time in it for which nothing was recorded.
  Time silenceBegin{}; ///< Of that time.

  uint64_t coldGaps = 0; ///< As in ColdGaps, of all devices.
  Duration coldGapTime;

  size_t loose = 0;                 ///< Rows of no typed form.
  std::vector<ContentRow> contents; ///< What fills the file.
};

} // namespace heddle::health

#endif
