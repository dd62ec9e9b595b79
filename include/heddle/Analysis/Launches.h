//===- heddle/Analysis/Launches.h - Who launched what -----------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// For every device activity the API call that launched it (the Launch edge that the importer
/// wrote), and for every such call the op that issued it.
///
/// Where an activity has several Launch edges, calls named Launch, Memcpy or Memset go before
/// others, then the call that begins last. Calls that only ask (cudaGet..., occupancy queries) own
/// no activity, whatever ids they carry. One call may own many activities: a graph launch.
///
/// The op of a call is the one that its `External id` names, unless the recorder wrote correlation
/// ids there (Recording::externalIdsBroken); an id of 0, one that no op has, and one that equals
/// the call's correlation without the op containing the call, names nothing. Otherwise it is the
/// innermost op in which the call begins.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_ANALYSIS_LAUNCHES_H
#define HEDDLE_ANALYSIS_LAUNCHES_H

#include "heddle/Analysis/Analysis.h"

namespace heddle {

/// One API call that owns at least one activity.
struct LaunchCall {
  EventRef call;                ///< The API call.
  EventRef op;                  ///< The op that issued it; invalid if none was recorded.
  uint32_t activities = 0;      ///< How many it owns.
  bool graph = false;           ///< A graph launch, by its name.
  bool opByContainment = false; ///< `op` was found by time, not by id.
};

/// O(events + edges log edges).
struct Launches {
  static constexpr llvm::StringLiteral name = "launches";
  static constexpr uint32_t inputs =
      columns(ColumnId::Begin, ColumnId::End, ColumnId::Name, ColumnId::Kind, ColumnId::Attributes);
  static constexpr unsigned version = 1;
  static constexpr bool summary = false;
  static llvm::Expected<Launches> compute(const Rank &rank, AnalysisContext &context);

  std::vector<LaunchCall> calls; ///< Sorted by `call`.
  /// By track and event: index in `calls`, kNone where an activity has no launch. Empty for tracks
  /// without device work.
  std::vector<std::vector<uint32_t>> callOf;
  static constexpr uint32_t kNone = 0xffffffff; ///< Stands for "no call" in `callOf`.

  uint64_t activities = 0;      ///< Device activities of the rank.
  uint64_t launched = 0;        ///< Of these, the ones with a launch.
  uint64_t beforeLaunch = 0;    ///< Of these, the ones that begin before their launch does.
  uint64_t graphLaunches = 0;   ///< Calls that launch a graph.
  uint64_t graphActivities = 0; ///< Activities of graph launches.
  uint64_t callsWithoutOp = 0;  ///< Calls of `calls` that no recorded op issued.

  /// The call that launched an activity, or null. O(1).
  const LaunchCall *launchOf(EventRef activity) const {
    if (activity.track >= callOf.size() || activity.index >= callOf[activity.track].size())
      return nullptr;
    uint32_t c = callOf[activity.track][activity.index];
    return c == kNone ? nullptr : &calls[c];
  }
};

} // namespace heddle

#endif
