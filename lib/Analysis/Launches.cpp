//===- Launches.cpp - Who launched what -----------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/Launches.h"
#include "heddle/IR/Names.h"
#include <algorithm>

using namespace heddle;

namespace {

/// Finds the ops of API calls, which are asked for in their order.
class OpFinder {
public:
  explicit OpFinder(const Rank &rank)
      : rank(rank), externalId(rank, {"External id", "external id"}),
        correlation(rank, "correlation") {
    if (rank.recording.externalIdsBroken)
      return;
    for (uint32_t t = 0; t < rank.tracks().size(); ++t) {
      const Track &track = rank.track(t);
      if (track.key.family != Family::ThreadWork)
        continue;
      for (uint32_t i = 0; i < track.size(); ++i) {
        if (track.kinds[i] != EventKind::CpuOp && track.kinds[i] != EventKind::Annotation)
          continue;
        // Ids are unique; should two ops share one, the one that comes later has it.
        auto id = externalId.getInt(track, i);
        if (!id || *id == 0 || *id == INT64_MAX || *id == INT64_MIN)
          continue;
        EventRef &op = ops[*id];
        if (!op.valid() || place(op) < place({t, i}))
          op = {t, i};
      }
    }
  }

  void find(LaunchCall &launch) {
    const Track &track = rank.track(launch.call.track);
    EventRef byId;
    auto id = externalId.getInt(track, launch.call.index);
    if (id && *id < INT64_MAX && *id > INT64_MIN)
      if (auto it = ops.find(*id); it != ops.end())
        byId = it->second;
    if (byId.valid() && correlation.getInt(track, launch.call.index) == id &&
        (byId.track != launch.call.track ||
         !rank.interval(byId).contains(track.begin[launch.call.index])))
      byId = {};
    if (byId.valid()) {
      launch.op = byId;
      return;
    }
    launch.op = opAround(launch.call);
    launch.opByContainment = launch.op.valid();
  }

private:
  /// Event order: by begin, the longer first, then as in the file.
  std::tuple<Time, int64_t, uint64_t> place(EventRef e) const {
    const Track &track = rank.track(e.track);
    return {track.begin[e.index], ~track.end[e.index].ns, track.seq[e.index]};
  }
  /// The op that begins last of those before the call in which it begins.
  EventRef opAround(EventRef call) {
    if (call.track != reached.track)
      reached = {call.track, 0}, open.clear();
    const Track &track = rank.track(call.track);
    for (; reached.index != call.index; ++reached.index)
      if (track.kinds[reached.index] == EventKind::CpuOp) {
        close(track, track.begin[reached.index]);
        open.push_back(reached.index);
      }
    close(track, track.begin[call.index]);
    return open.empty() ? EventRef() : EventRef{call.track, open.back()};
  }
  void close(const Track &track, Time t) {
    while (!open.empty() && track.end[open.back()] <= t)
      open.pop_back();
  }

  const Rank &rank;
  AttrReader externalId, correlation;
  llvm::DenseMap<int64_t, EventRef> ops;
  EventRef reached;
  std::vector<uint32_t> open; ///< Ops before `reached`; those that ended are below others only.
};

} // namespace

static StringId nameOf(const Rank &rank, EventRef e) { return rank.track(e.track).names[e.index]; }

static bool startsWork(const Rank &rank, NameFacts &names, EventRef call) {
  StringId name = nameOf(rank, call);
  return names.is(NameFact::Launches, name) || names.is(NameFact::Several, name) ||
         names.is(NameFact::Copies, name) || names.is(NameFact::Fills, name);
}

/// True if `b` is to be preferred to `a` as the launch of an activity.
static bool isBetterLaunch(const Rank &rank, NameFacts &names, EventRef a, EventRef b) {
  bool launchA = startsWork(rank, names, a), launchB = startsWork(rank, names, b);
  if (launchA != launchB)
    return launchB;
  Time beginA = rank.interval(a).begin, beginB = rank.interval(b).begin;
  if (beginA != beginB)
    return beginB > beginA;
  return rank.track(b.track).seq[b.index] > rank.track(a.track).seq[a.index];
}

llvm::Expected<Launches> Launches::compute(const Rank &rank, AnalysisContext &) {
  Launches result;

  // The one launch of each activity.
  std::vector<std::vector<EventRef>> launch(rank.tracks().size());
  for (uint32_t t = 0; t < rank.tracks().size(); ++t) {
    const Track &track = rank.track(t);
    if (track.key.family != Family::StreamWork)
      continue;
    launch[t].resize(track.size());
    for (EventKind k : track.kinds)
      result.activities += isDeviceWork(k);
  }
  NameFacts names(rank.strings());
  for (const Edge &e : rank.edges()) {
    if (e.kind != EdgeKind::Launch || e.to.index >= launch[e.to.track].size() ||
        !isDeviceWork(rank.kind(e.to)) || !isApiCall(rank.kind(e.from)) ||
        names.is(NameFact::Probe, nameOf(rank, e.from)))
      continue;
    EventRef &l = launch[e.to.track][e.to.index];
    if (!l.valid() || isBetterLaunch(rank, names, l, e.from))
      l = e.from;
  }

  for (const auto &track : launch)
    for (EventRef l : track)
      if (l.valid())
        result.calls.push_back({l, {}, 0, false, false});
  auto byCall = [](const LaunchCall &a, const LaunchCall &b) { return a.call < b.call; };
  std::sort(result.calls.begin(), result.calls.end(), byCall);
  result.calls.erase(std::unique(result.calls.begin(), result.calls.end(),
                                 [](auto &a, auto &b) { return a.call == b.call; }),
                     result.calls.end());

  result.callOf.resize(rank.tracks().size());
  for (uint32_t t = 0; t < launch.size(); ++t) {
    result.callOf[t].assign(launch[t].size(), kNone);
    for (uint32_t i = 0; i < launch[t].size(); ++i) {
      EventRef l = launch[t][i];
      if (!l.valid())
        continue;
      auto it = std::lower_bound(result.calls.begin(), result.calls.end(),
                                 LaunchCall{l, {}, 0, false, false}, byCall);
      result.callOf[t][i] = it - result.calls.begin();
      ++it->activities;
      ++result.launched;
      result.beforeLaunch += rank.track(t).begin[i] < rank.interval(l).begin;
    }
  }

  OpFinder finder(rank);
  for (LaunchCall &c : result.calls) {
    finder.find(c);
    c.graph = names.is(NameFact::LaunchesGraph, nameOf(rank, c.call));
    result.graphLaunches += c.graph;
    result.graphActivities += c.graph ? c.activities : 0;
    result.callsWithoutOp += !c.op.valid();
  }
  return result;
}
