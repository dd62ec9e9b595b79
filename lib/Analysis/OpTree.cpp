//===- OpTree.cpp - Ops as torch's tables nest them -----------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/Analysis/OpTree.h"
#include "heddle/IR/Names.h"
#include <algorithm>

using namespace heddle;
using State = OpTrackTree::State;
static constexpr uint32_t kNone = OpTrackTree::kNone;

static State stateOf(NameFacts &names, const Track &track, uint32_t i) {
  EventKind kind = track.kinds[i];
  if (kind != EventKind::CpuOp && kind != EventKind::Annotation && !isApiCall(kind))
    return State::Absent;
  if (names.is(NameFact::HiddenOp, track.names[i]))
    return State::Absent;
  return kind == EventKind::Annotation && names.is(NameFact::AsyncSpan, track.names[i])
             ? State::Async
             : State::Member;
}

// Parents by containment, in the track's order, which is (begin, longer first).
static void nest(const Rank &rank, NameFacts &names, const Track &track, OpTrackTree &tree) {
  Duration slack{rank.recording.integerMicroseconds ? 1000 : 0};
  std::vector<uint32_t> open;
  for (uint32_t i = 0; i != track.size(); ++i) {
    tree.state[i] = stateOf(names, track, i);
    if (tree.state[i] != State::Member)
      continue;
    while (!open.empty() && (track.begin[i] >= track.end[open.back()] ||
                             track.end[i] > track.end[open.back()] + slack))
      open.pop_back();
    if (!open.empty())
      tree.parent[i] = open.back();
    open.push_back(i);
  }
}

// Folds only children of the same name, outermost first, so that a chain ends in its outermost
// span with the device work of its innermost. Returns what the replaced device work was.
static Duration fold(const Track &track, OpTrackTree &tree) {
  uint32_t n = track.size();
  // Children as a linked list each, in order.
  std::vector<uint32_t> first(n, kNone), last(n, kNone), next(n, kNone), count(n, 0);
  for (uint32_t i = 0; i != n; ++i) {
    uint32_t p = tree.parent[i];
    if (p == kNone)
      continue;
    (first[p] == kNone ? first[p] : next[last[p]]) = i;
    last[p] = i;
    ++count[p];
  }
  Duration dropped;
  for (uint32_t p = 0; p != n; ++p) {
    if (tree.state[p] != State::Member)
      continue;
    while (count[p] == 1 && track.names[first[p]] == track.names[p]) {
      uint32_t child = first[p];
      tree.state[child] = State::Folded;
      dropped = addClamped(dropped, tree.deviceSelf[p]);
      tree.deviceSelf[p] = tree.deviceSelf[child];
      tree.deviceSelf[child] = {};
      first[p] = first[child];
      count[p] = count[child];
    }
    for (uint32_t c = first[p]; c != kNone; c = next[c])
      tree.parent[c] = p;
  }
  return dropped;
}

// Children stand after their parents in a track's order: one sweep forward for the time that
// children cover, one backward for sums of subtrees.
static void sum(const Track &track, OpTrackTree &tree) {
  std::vector<Time> coveredTo = track.begin;
  for (uint32_t i = 0; i != track.size(); ++i)
    if (tree.state[i] == State::Member)
      tree.self[i] = track.duration(i);
  for (uint32_t i = 0; i != track.size(); ++i) {
    uint32_t p = tree.parent[i];
    if (tree.state[i] != State::Member || p == kNone)
      continue;
    Time begin = std::max(track.begin[i], coveredTo[p]);
    Time end = std::min(track.end[i], track.end[p]);
    if (end > begin) {
      tree.self[p] -= end - begin;
      coveredTo[p] = end;
    }
  }
  tree.deviceTotal = tree.deviceSelf;
  for (uint32_t i = track.size(); i-- != 0;)
    if (tree.state[i] == State::Member && tree.parent[i] != kNone)
      tree.deviceTotal[tree.parent[i]] =
          addClamped(tree.deviceTotal[tree.parent[i]], tree.deviceTotal[i]);
}

llvm::Expected<OpTree> OpTree::compute(const Rank &rank, AnalysisContext &context) {
  auto launches = context.get<Launches>();
  if (!launches)
    return launches.takeError();
  OpTree result;
  result.tracks.resize(rank.tracks().size());
  NameFacts names(rank.strings());
  for (uint32_t t = 0; t != rank.tracks().size(); ++t) {
    if (rank.track(t).key.family != Family::ThreadWork)
      continue;
    OpTrackTree &tree = result.tracks[t];
    uint32_t n = rank.track(t).size();
    tree.state.assign(n, State::Absent);
    tree.parent.assign(n, kNone);
    tree.self.resize(n);
    tree.deviceSelf.resize(n);
    nest(rank, names, rank.track(t), tree);
  }
  for (uint32_t t = 0; t != rank.tracks().size(); ++t) {
    const Track &track = rank.track(t);
    if (track.key.family != Family::StreamWork)
      continue;
    for (uint32_t i = 0; i != track.size(); ++i) {
      if (!isDeviceWork(track.kinds[i]))
        continue;
      const LaunchCall *call = (*launches)->launchOf({t, i});
      bool owned = call && call->op.valid() && !result.tracks[call->op.track].state.empty() &&
                   result.tracks[call->op.track].state[call->op.index] == State::Member;
      Duration &to =
          owned ? result.tracks[call->op.track].deviceSelf[call->op.index] : result.deviceWithoutOp;
      to = addClamped(to, track.duration(i));
    }
  }
  for (uint32_t t = 0; t != rank.tracks().size(); ++t)
    if (OpTrackTree &tree = result.tracks[t]; !tree.state.empty()) {
      result.deviceWithoutOp = addClamped(result.deviceWithoutOp, fold(rank.track(t), tree));
      sum(rank.track(t), tree);
    }
  return result;
}
