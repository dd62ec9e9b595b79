//===- heddle/Analysis/Steps.h - The steps of each device -------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// A step of a device is the activities that were launched inside a host step, from any thread.
/// Hosts run ahead: the device's step lies elsewhere in time. Its window runs from the end of the
/// previous step's last activity to the end of its own; the first step's, or the only one's, from
/// the host begin of the step, and is marked `first`, since it holds what a start costs. So the
/// wait for a loader or a first launch lies inside a window.
///
/// Host steps come from the first of these that the recording has:
///   1. spans `ProfilerStep#N`; the step's number is N;
///   2. annotations of serving engines (`stepAnnotations()`); steps are numbered 1, 2, ...;
///   3. optimizer steps (`Optimizer.step#...`): a step ends where one ends;
///   4. nothing: one window, from the host's or the device's begin, whichever is later, to the last
///      end, in which everything lies.
/// Of each process the thread with most marks tells. Work launched in no step belongs to none, and
/// is counted; windows still hold it, since a device that works is not idle.
///
/// A mark of 1 or 2 whose begin or end lies inside an optimizer step is misplaced (`prof.step()` in
/// the wrong place): said, and not used for medians.
/// Times are ns relative to the recording's origin, intervals half-open.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_ANALYSIS_STEPS_H
#define HEDDLE_ANALYSIS_STEPS_H

#include "heddle/Analysis/DeviceUnion.h"
#include "heddle/Analysis/Launches.h"

namespace heddle {

/// What marks the steps, in the order in which it is looked for.
enum class StepSource : uint8_t { ProfilerStep, Annotation, Optimizer, None };
/// For people: "ProfilerStep", "annotation", "Optimizer.step", "none".
llvm::StringRef stepSourceName(StepSource s);

/// One host step.
struct StepMark {
  EventRef event;         ///< The span that marks it; for optimizer steps the one that ends it.
  Interval interval;      ///< Of the host step.
  int64_t number = 0;     ///< What `--steps` takes: the mark's own, else 1, 2, ...
  bool misplaced = false; ///< True if it crosses an optimizer step.
};

/// One step of one device.
struct DeviceStep {
  int64_t number = 0;         ///< As in StepMark.
  uint32_t mark = 0xffffffff; ///< Index in Steps::marks; none if there are no marks.
  Interval window;            ///< Where its figures are taken.
  /// The device's first; of a mark that crosses an optimizer step.
  bool first = false, misplaced = false;
  uint64_t activities = 0; ///< Launched in the step.
  /// Of a first step whose window begins before the device's first activity: that time.
  Interval leadIn;
};

/// The steps of one device.
struct DeviceSteps {
  int64_t device = -1;           ///< Its number; -1 if unknown.
  std::vector<DeviceStep> steps; ///< In order of time; only those with an activity.
  /// By activity of the device's timeline: index in `steps`, kNone where it was launched in none.
  std::vector<uint32_t> stepOf;
  static constexpr uint32_t kNone = 0xffffffff; ///< Stands for "no step" in `stepOf`.
  uint64_t unassigned = 0;                      ///< Activities launched in no step.
  Duration unassignedTime;                      ///< The sum of their durations.
  /// True if the step may stand in a median: not first, not misplaced; where that leaves none, all.
  std::vector<bool> typical;
};

/// O(n log n).
struct Steps {
  static constexpr llvm::StringLiteral name = "steps";
  static constexpr uint32_t inputs = DeviceUnion::inputs | Launches::inputs;
  static constexpr unsigned version = 1;
  static constexpr bool summary = false;
  static llvm::Expected<Steps> compute(const Rank &rank, AnalysisContext &context);

  StepSource source = StepSource::None; ///< What the marks are.
  llvm::StringRef pattern;              ///< Annotation only: which entry of the list it was.
  std::vector<StepMark> marks;          ///< In order of time.
  std::vector<DeviceSteps> devices;     ///< Parallel to DeviceUnion::devices.
  uint64_t misplaced = 0;               ///< Marks that cross an optimizer step.
  /// Two or more optimizer steps but no ProfilerStep, or one ProfilerStep around several of them:
  /// `prof.step()` is missing from the loop.
  bool missingProfilerStep = false;

  /// The steps of a device, or null.
  const DeviceSteps *find(int64_t device) const;
};

/// Names (globs) of annotations that mark steps, in the order in which they are tried.
llvm::ArrayRef<llvm::StringLiteral> stepAnnotations();
/// The N of `ProfilerStep#N`, or nullopt.
std::optional<int64_t> profilerStepNumber(llvm::StringRef name);
/// True for names of marks of the first two sources; such spans say nothing about what a thread
/// does.
bool isStepMarkName(llvm::StringRef name);

} // namespace heddle

#endif
