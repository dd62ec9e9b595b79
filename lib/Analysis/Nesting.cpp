//===- Nesting.cpp - What encloses what on a thread -----------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/Nesting.h"
#include <algorithm>

using namespace heddle;

static constexpr uint32_t kNone = TrackNesting::kNone;

void heddle::innermostSegments(llvm::ArrayRef<Interval> spans, std::vector<Time> &segmentBegin,
                               std::vector<uint32_t> &segmentEvent) {
  segmentBegin.clear();
  segmentEvent.clear();
  auto mark = [&](Time t, uint32_t event) {
    if (!segmentBegin.empty() && segmentBegin.back() == t) {
      segmentEvent.back() = event;
      if (segmentEvent.size() > 1 && segmentEvent[segmentEvent.size() - 2] == event) {
        segmentBegin.pop_back();
        segmentEvent.pop_back();
      }
      return;
    }
    if (segmentEvent.empty() ? event == kNone : segmentEvent.back() == event)
      return;
    segmentBegin.push_back(t);
    segmentEvent.push_back(event);
  };
  // Open spans, the one that began last on top. A span below may end before one above it: it is
  // found to be over when it comes to the top.
  std::vector<uint32_t> open;
  auto closeUntil = [&](Time t) {
    while (!open.empty() && spans[open.back()].end <= t) {
      Time end = spans[open.back()].end;
      open.pop_back();
      while (!open.empty() && spans[open.back()].end <= end)
        open.pop_back();
      mark(end, open.empty() ? kNone : open.back());
    }
  };
  for (uint32_t i = 0; i < spans.size(); ++i) {
    if (spans[i].empty())
      continue;
    closeUntil(spans[i].begin);
    open.push_back(i);
    mark(spans[i].begin, i);
  }
  closeUntil(Time{INT64_MAX});
}

uint32_t TrackNesting::innermost(Time t) const {
  auto it = std::upper_bound(segmentBegin.begin(), segmentBegin.end(), t);
  return it == segmentBegin.begin() ? kNone : segmentEvent[it - segmentBegin.begin() - 1];
}

EventRef Nesting::parent(EventRef e) const {
  if (e.track >= tracks.size() || e.index >= tracks[e.track].parent.size())
    return {};
  uint32_t p = tracks[e.track].parent[e.index];
  return p == kNone ? EventRef{} : EventRef{e.track, p};
}

EventRef Nesting::innermost(uint32_t track, Time t) const {
  if (track >= tracks.size())
    return {};
  uint32_t i = tracks[track].innermost(t);
  return i == kNone ? EventRef{} : EventRef{track, i};
}

namespace {

/// The recorded parents of Python frames.
class FrameParents {
public:
  FrameParents(const Rank &rank, const Track &track)
      : track(track), id(rank, "Python id"), parentId(rank, "Python parent id") {
    for (uint32_t i = 0; i < track.size(); ++i)
      if (auto v = id.getInt(track, i); v && usable(*v))
        byId.try_emplace(*v, i);
  }
  /// The frame that `i` names as its parent and that stands before it, or kNone.
  uint32_t of(uint32_t i) const {
    auto v = parentId.getInt(track, i);
    if (!v || !usable(*v))
      return kNone;
    auto it = byId.find(*v);
    // A parent begins no later than its child; so there is no cycle.
    return it != byId.end() && it->second < i ? it->second : kNone;
  }

private:
  /// DenseMap keeps two values for itself.
  static bool usable(int64_t v) { return v > INT64_MIN + 1 && v < INT64_MAX; }
  const Track &track;
  AttrReader id, parentId;
  llvm::DenseMap<int64_t, uint32_t> byId;
};

} // namespace

static void findParents(const Rank &rank, const Track &track, Duration tolerance,
                        TrackNesting &nesting) {
  uint32_t n = track.size();
  nesting.parent.assign(n, kNone);
  nesting.depth.assign(n, 0);
  bool python = track.key.family == Family::ThreadPython;
  std::optional<FrameParents> recorded;
  if (python)
    recorded.emplace(rank, track);
  // Spans that may still enclose later ones. Each one's end is not after that of the one below it,
  // by more than the tolerance, since a span that overlaps in part closes what it leaves.
  std::vector<uint32_t> open;
  for (uint32_t i = 0; i < n; ++i) {
    while (!open.empty() && track.end[open.back()] <= track.begin[i])
      open.pop_back();
    uint32_t parent = kNone;
    size_t level = open.size();
    bool partial = false;
    for (; level > 0; --level) {
      uint32_t p = open[level - 1];
      if (track.begin[i] >= track.end[p])
        continue; // Ended before the one above it.
      if (isApiCall(track.kinds[i]) || track.end[i] <= track.end[p] + tolerance) {
        parent = p;
        break;
      }
      partial = true;
    }
    nesting.partialOverlaps += partial;
    if (recorded)
      if (uint32_t p = recorded->of(i); p != kNone)
        parent = p;
    nesting.parent[i] = parent;
    nesting.depth[i] = parent == kNone ? 0 : nesting.depth[parent] + 1;
    // What `i` overlaps in part ends before it: nothing that begins later inside both is lost to
    // the inner one, and the walk above stays short.
    open.resize(level);
    if (track.end[i] > track.begin[i])
      open.push_back(i);
  }
}

static void findSelfTimes(const Track &track, TrackNesting &nesting) {
  std::vector<Interval> spans(track.size());
  for (uint32_t i = 0; i < track.size(); ++i)
    spans[i] = track.interval(i);
  innermostSegments(spans, nesting.segmentBegin, nesting.segmentEvent);
  nesting.self.assign(track.size(), Duration{});
  for (size_t s = 0; s + 1 < nesting.segmentBegin.size(); ++s)
    if (nesting.segmentEvent[s] != kNone)
      nesting.self[nesting.segmentEvent[s]] +=
          nesting.segmentBegin[s + 1] - nesting.segmentBegin[s];
}

llvm::Expected<Nesting> Nesting::compute(const Rank &rank, AnalysisContext &) {
  Nesting result;
  result.tracks.resize(rank.tracks().size());
  Duration tolerance{rank.recording.integerMicroseconds ? 1000 : 0};
  for (uint32_t t = 0; t < rank.tracks().size(); ++t) {
    const Track &track = rank.track(t);
    if (track.key.family != Family::ThreadWork && track.key.family != Family::ThreadPython)
      continue;
    findParents(rank, track, tolerance, result.tracks[t]);
    findSelfTimes(track, result.tracks[t]);
  }
  return result;
}
