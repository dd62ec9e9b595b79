//===- heddle/Analysis/RankFacts.h - Figures that describe a rank -*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Small figures of a rank that trace-level passes (health, summary) read without its columns: what
/// was recorded, how it is linked, what makes its figures doubtful. Computed from the other
/// analyses; definitions stand there.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_ANALYSIS_RANKFACTS_H
#define HEDDLE_ANALYSIS_RANKFACTS_H

#include "heddle/Analysis/IdleCauses.h"
#include <array>

namespace heddle {

/// Figures of one device.
struct DeviceFacts {
  int64_t device = -1;                         ///< Its number; -1 if unknown.
  uint64_t kernels = 0, copies = 0, fills = 0; ///< By kind; those that count in windows.
  uint64_t shortKernels = 0;                   ///< Kernels under 10 us.
  uint64_t withoutLaunch = 0;                  ///< Activities without a launch in the file.
  uint64_t withoutTime = 0, far = 0, cut = 0;  ///< As in DeviceTimeline.
  Duration withoutLaunchTime;                  ///< Sum of durations.
  Duration workTime;                           ///< Sum of durations of all activities that count.
  Interval range;                              ///< First begin to last end.
  Duration busy, idle;                         ///< Over `range`.
  Duration unrecordedIdle;  ///< Idle time of which the cause was not recorded (IdleCauses).
  uint64_t overlapping = 0; ///< Activities that begin before one of their own stream has ended.
  Duration overlapTime;     ///< By how much, in sum.
  uint64_t streamGaps = 0;  ///< Positive gaps between neighbours of a stream.
  uint64_t oneNsGaps = 0;   ///< Of these, exactly 1 ns.
  uint64_t streams = 0;     ///< Streams with an activity.
  /// True if a recorder closed the small gaps of queued kernels: at least 100 gaps within streams
  /// and at least half of them exactly 1 ns. Then busy time is an upper bound.
  bool gapsSwallowed = false;
  uint64_t steps = 0, typicalSteps = 0; ///< As in DeviceSteps.
  uint64_t unassigned = 0;              ///< Activities launched in no step.
  Duration unassignedTime;              ///< The sum of their durations.
};

/// One host thread that launches work.
struct LaunchThread {
  SourceId pid, tid;         ///< As the source spelled them.
  std::string name;          ///< The thread's name; empty if it has none.
  uint64_t launches = 0;     ///< Calls that own an activity.
  uint64_t pythonFrames = 0; ///< Frames recorded on it.
  uint64_t shapedOps = 0;    ///< Ops recorded with their inputs' shapes.
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
  uint64_t hostThreads = 0; ///< Threads with ops, annotations, API calls or frames.
  Interval hostRange;       ///< As in DeviceUnion.
  bool hasHost = false;     ///< True if there is any such event.
  /// What was recorded, each true if it is there once.
  bool hasShapes = false, hasStacks = false, hasMemory = false, hasSyncRows = false;
  bool hasCollectiveArgs = false;   ///< Some activity carries arguments of a collective.
  std::vector<DeviceFacts> devices; ///< By device number.

  uint64_t launches = 0;                           ///< Calls that own an activity.
  uint64_t graphLaunches = 0, graphActivities = 0; ///< As in Launches.
  uint64_t activities = 0, launched = 0;           ///< As in Launches.
  uint64_t beforeLaunch = 0;           ///< Activities that begin before their launch does.
  std::optional<Duration> medianDelay; ///< Of max(0, begin - end of the launch), over activities.
  uint64_t callsWithoutOp = 0;         ///< As in Launches.
  std::vector<LaunchThread> threads;   ///< That launch, most launches first.

  StepSource stepSource = StepSource::None; ///< As in Steps.
  std::string stepPattern;                  ///< The list's entry, for annotations.
  /// Marks, and those of them that cross an optimizer step.
  uint64_t stepMarks = 0, misplacedMarks = 0;
  bool missingProfilerStep = false; ///< As in Steps.
  /// The one mark's name where there is one, else the first's: what a report calls the window.
  std::string firstMarkName;
};

} // namespace heddle

#endif
