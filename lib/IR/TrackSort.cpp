//===- TrackSort.cpp - Canonical order of tracks and events ---------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "TrackSort.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace heddle;

static int compareIds(const SourceId &a, const SourceId &b, const StringTable &strings) {
  if (a.form != b.form)
    return a.form < b.form ? -1 : 1;
  if (a.form == SourceId::Int)
    return a.value < b.value ? -1 : a.value > b.value;
  return strings[a.text].compare(strings[b.text]);
}

bool heddle::trackBefore(const Track &a, const Track &b, const StringTable &strings) {
  auto group = [](const Track &t) {
    return isThread(t.key.family) ? 0 : isStream(t.key.family) ? 1 : 2;
  };
  if (group(a) != group(b))
    return group(a) < group(b);
  if (group(a) == 2 && a.key.family != b.key.family)
    return a.key.family < b.key.family;
  if (a.device != b.device)
    return a.device < b.device;
  if (a.stream != b.stream)
    return a.stream < b.stream;
  if (int c = compareIds(a.key.pid, b.key.pid, strings))
    return c < 0;
  if (int c = compareIds(a.key.tid, b.key.tid, strings))
    return c < 0;
  return a.key.family < b.key.family;
}

std::vector<uint32_t> heddle::orderTracks(llvm::ArrayRef<Track> tracks,
                                          const StringTable &strings) {
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i != tracks.size(); ++i)
    if (!tracks[i].empty())
      order.push_back(i);
  llvm::sort(order,
             [&](uint32_t a, uint32_t b) { return trackBefore(tracks[a], tracks[b], strings); });
  std::vector<uint32_t> place(tracks.size(), kDropped);
  for (uint32_t i = 0; i != order.size(); ++i)
    place[order[i]] = i;
  return place;
}

template <typename V> static void gather(V &column, llvm::ArrayRef<uint32_t> order) {
  V out;
  out.reserve(order.size());
  for (uint32_t i : order)
    out.push_back(column[i]);
  column = std::move(out);
}

void heddle::gatherTrack(Track &t, llvm::ArrayRef<uint32_t> order) {
  gather(t.begin, order);
  gather(t.end, order);
  gather(t.names, order);
  gather(t.kinds, order);
  gather(t.layouts, order);
  gather(t.rows, order);
  gather(t.seq, order);
  for (auto &[name, column] : t.derived) {
    if (!column.ints.empty())
      gather(column.ints, order);
    if (!column.strings.empty())
      gather(column.strings, order);
  }
}

std::vector<uint32_t> heddle::sortTrack(Track &t) {
  bool sorted = true;
  for (uint32_t i = 1; i < t.size() && sorted; ++i)
    sorted = !eventBefore(t, i, i - 1);
  if (sorted)
    return {};
  std::vector<uint32_t> order(t.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return eventBefore(t, a, b); });
  std::vector<uint32_t> place(t.size());
  for (uint32_t i = 0; i != order.size(); ++i)
    place[order[i]] = i;
  gatherTrack(t, order);
  return place;
}
