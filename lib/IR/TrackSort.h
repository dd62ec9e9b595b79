//===- TrackSort.h - Canonical order of tracks and events -------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// The one place that knows the canonical order, shared by the builder, the editor and the
/// verifier.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_IR_TRACKSORT_H
#define HEDDLE_LIB_IR_TRACKSORT_H

#include "heddle/IR/Editor.h"
#include "llvm/ADT/ArrayRef.h"

namespace heddle {

inline constexpr uint32_t kDropped = 0xffffffff;

/// Event a goes before event b of the same track: earlier begin, then longer, then lower seq.
inline bool eventBefore(const Track &t, uint32_t a, uint32_t b) {
  if (t.begin[a] != t.begin[b])
    return t.begin[a] < t.begin[b];
  if (t.end[a] != t.end[b])
    return t.end[a] > t.end[b];
  return t.seq[a] < t.seq[b];
}

/// Track a goes before track b: threads, streams, the rest; streams by device and stream number;
/// then by pid, tid and family. String ids compare by their bytes.
bool trackBefore(const Track &a, const Track &b, const StringTable &strings);

/// Where each track goes; kDropped for empty ones.
std::vector<uint32_t> orderTracks(llvm::ArrayRef<Track> tracks, const StringTable &strings);

/// Sorts the columns of a track. Returns the new index of each old one, or an empty vector when
/// the track was sorted. O(n) when sorted, else O(n log n).
std::vector<uint32_t> sortTrack(Track &track);

/// Reorders (and drops) the events of a track: element i of the result is old element order[i].
void gatherTrack(Track &track, llvm::ArrayRef<uint32_t> order);

/// Moves edges and flow rows to the new places of events and counts what no longer has one. The end
/// of a span goes with it.
void applyRemap(const Remap &remap, std::vector<Edge> &edges, std::vector<FlowRow> &flows,
                llvm::function_ref<bool(const FlowRow &)> isEnd, EditLoss &lost);

} // namespace heddle

#endif
