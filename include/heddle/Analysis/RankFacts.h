//===- heddle/Analysis/RankFacts.h - Figures that describe a rank -*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Small figures of a rank that trace-level passes (health, summary) read without its columns: what
/// was recorded, how it is linked, what makes its figures doubtful. Computed from the other
/// analyses; definitions stand there.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_ANALYSIS_RANKFACTS_H
#define HEDDLE_ANALYSIS_RANKFACTS_H

#include "heddle/Analysis/Steps.h"
#include <array>

namespace heddle {

/// Figures of one device.
struct DeviceFacts {
  int64_t device = -1;                        ///< Its number; -1 if unknown.
  uint64_t withoutTime = 0, far = 0, cut = 0; ///< As in DeviceTimeline.
  Duration withoutLaunchTime; ///< Sum of durations of activities without a launch in the file.
  Duration workTime;          ///< Sum of durations of all activities that count.
  Interval range;             ///< First begin to last end.
  uint64_t overlapping = 0;   ///< Activities that begin before one of their own stream has ended.
  Duration overlapTime;       ///< By how much, in sum.
  uint64_t streamGaps = 0;    ///< Positive gaps between neighbours of a stream.
  uint64_t oneNsGaps = 0;     ///< Of these, exactly 1 ns.
  /// True if a recorder closed the small gaps of queued kernels: at least 100 gaps within streams
  /// and at least half of them exactly 1 ns. Then busy time is an upper bound.
  bool gapsSwallowed = false;
  uint64_t steps = 0, typicalSteps = 0; ///< As in DeviceSteps.
  uint64_t unassigned = 0;              ///< Activities launched in no step.
  Duration unassignedTime;              ///< The sum of their durations.
};

/// O(n log n); small.
struct RankFacts {
  static constexpr llvm::StringLiteral name = "rank-facts";
  static constexpr uint32_t inputs = Steps::inputs | Launches::inputs;
  static constexpr unsigned version = 1;
  static constexpr bool summary = true;
  static llvm::Expected<RankFacts> compute(const Rank &rank, AnalysisContext &context);

  std::array<uint64_t, kNumEventKinds> byKind{}; ///< Events on tracks, by kind.
  uint64_t events = 0;                           ///< All events on tracks.
  Interval hostRange;                            ///< As in DeviceUnion.
  bool hasHost = false;                          ///< True if there is any such event.
  /// What was recorded, each true if it is there once.
  bool hasShapes = false, hasStacks = false, hasMemory = false;
  std::vector<DeviceFacts> devices; ///< By device number.

  uint64_t graphLaunches = 0, graphActivities = 0;         ///< As in Launches.
  uint64_t activities = 0, launched = 0, beforeLaunch = 0; ///< As in Launches.

  StepSource stepSource = StepSource::None; ///< As in Steps.
  std::string stepPattern;                  ///< The list's entry, for annotations.
  /// Marks, and those of them that cross an optimizer step.
  uint64_t stepMarks = 0, misplacedMarks = 0;
  bool missingProfilerStep = false; ///< As in Steps.
};

} // namespace heddle

#endif
