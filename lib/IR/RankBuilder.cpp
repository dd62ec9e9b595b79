//===- RankBuilder.cpp - Builds a rank event by event ---------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "TrackSort.h"
#include "heddle/IR/Rank.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <numeric>

using namespace heddle;

// xxh3 rather than llvm::hash_combine: the latter is seeded per process, and a stable value
// keeps bucket order out of everything.
static uint64_t hashLayout(const Layout &l) {
  std::vector<uint32_t> words{static_cast<uint32_t>(l.phase), static_cast<uint32_t>(l.cat)};
  for (const Entry &e : l.entries) {
    words.push_back(static_cast<uint32_t>(e.scope) | static_cast<uint32_t>(e.type) << 8 |
                    static_cast<uint32_t>(e.scale) << 16 | static_cast<uint32_t>(e.quoted) << 24);
    words.push_back(static_cast<uint32_t>(e.key));
  }
  uint64_t h = 0xcbf29ce484222325u;
  for (uint32_t w : words)
    h = (h ^ w) * 0x100000001b3u;
  return h >> 1; // Keep clear of DenseMap's two reserved keys.
}

std::optional<LayoutId> RankBuilder::layout(const Layout &l) {
  std::vector<uint16_t> &bucket = layoutIndex[hashLayout(l)];
  for (uint16_t i : bucket)
    if (rank.layoutList[i].layout == l)
      return static_cast<LayoutId>(i);
  if (rank.layoutList.size() >= 0xffff)
    return std::nullopt;
  uint16_t id = static_cast<uint16_t>(rank.layoutList.size());
  bucket.push_back(id);
  LayoutStore store;
  store.layout = l;
  store.columns.resize(l.entries.size());
  for (size_t i = 0; i != l.entries.size(); ++i)
    store.columns[i].type = l.entries[i].type;
  rank.layoutList.push_back(std::move(store));
  return static_cast<LayoutId>(id);
}

uint32_t RankBuilder::track(const TrackKey &key) {
  auto [it, added] = trackIndex.try_emplace(key, static_cast<uint32_t>(rank.trackList.size()));
  if (added) {
    rank.trackList.emplace_back();
    rank.trackList.back().key = key;
  }
  return it->second;
}

uint32_t RankBuilder::event(uint32_t track, Time begin, Time end, StringId name, EventKind kind,
                            LayoutId layout, uint32_t row, uint32_t seq) {
  Track &t = rank.trackList[track];
  t.begin.push_back(begin);
  t.end.push_back(end);
  t.names.push_back(name);
  t.kinds.push_back(kind);
  t.layouts.push_back(layout);
  t.rows.push_back(row);
  t.seq.push_back(seq);
  return t.size() - 1;
}

void RankBuilder::sortEdges() {
  llvm::sort(rank.edgeList);
  rank.edgeList.erase(std::unique(rank.edgeList.begin(), rank.edgeList.end()), rank.edgeList.end());
}

void RankBuilder::finish() {
  std::vector<uint32_t> newTrack = orderTracks(rank.trackList, *rank.stringTable);
  std::vector<std::vector<uint32_t>> newIndex(newTrack.size());
  std::vector<Track> sorted(rank.trackList.size());
  for (uint32_t old = 0; old != newTrack.size(); ++old) {
    newIndex[old] = sortTrack(rank.trackList[old]);
    if (newTrack[old] != kDropped)
      sorted[newTrack[old]] = std::move(rank.trackList[old]);
  }
  llvm::erase_if(sorted, [](const Track &t) { return t.empty(); });
  rank.trackList = std::move(sorted);
  trackIndex.clear();
  for (uint32_t i = 0; i != rank.trackList.size(); ++i)
    trackIndex[rank.trackList[i].key] = i;

  auto move = [&](EventRef &e) {
    if (e.valid())
      e = {newTrack[e.track], newIndex[e.track].empty() ? e.index : newIndex[e.track][e.index]};
  };
  for (Edge &e : rank.edgeList) {
    move(e.from);
    move(e.to);
  }
  for (FlowRow &f : rank.flowList)
    move(f.anchor);
  sortEdges();
  auto bySeq = [](const auto &a, const auto &b) { return a.seq < b.seq; };
  if (!std::is_sorted(rank.flowList.begin(), rank.flowList.end(), bySeq))
    std::stable_sort(rank.flowList.begin(), rank.flowList.end(), bySeq);
  if (!std::is_sorted(rank.looseList.begin(), rank.looseList.end(), bySeq))
    std::stable_sort(rank.looseList.begin(), rank.looseList.end(), bySeq);
}
