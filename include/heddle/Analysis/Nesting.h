//===- heddle/Analysis/Nesting.h - What encloses what on a thread -*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Trees of the spans of host threads. Ops, annotations and API calls of a thread are one tree,
/// its Python frames another: recorders let the two overlap by nanoseconds.
///
/// The parent of a span is the innermost span of its track in which it begins and which does not
/// end before it; of equal spans the one that comes first in the file is the outer. An API call
/// belongs to the span in which it begins, even if it ends later. Where the recorder counts whole
/// microseconds, begin and end are truncated apart, and a child may end 1 us after its parent. A
/// span that overlaps another in part is a child of neither, and counted. Of Python frames, the
/// recorded parent id outranks time: frames that a recorder never closed all end at its stop.
///
/// The innermost span at a time is the one that began last; its self time is the time for which
/// it is innermost, so self times are never negative and add up to the time that is covered.
/// Times are relative to the recording's origin, intervals half-open.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_ANALYSIS_NESTING_H
#define HEDDLE_ANALYSIS_NESTING_H

#include "heddle/Analysis/Analysis.h"

namespace heddle {

/// The tree of one track; vectors are parallel to the track's events.
struct TrackNesting {
  static constexpr uint32_t kNone = 0xffffffff; ///< Stands for "no event".
  std::vector<uint32_t> parent;                 ///< Index in the same track, kNone at the top.
  std::vector<uint32_t> depth;                  ///< 0 at the top.
  std::vector<Duration> self;                   ///< Time for which the event is the innermost.
  /// The innermost event from segmentBegin[i] until segmentBegin[i + 1]; kNone where there is none.
  std::vector<Time> segmentBegin;
  std::vector<uint32_t> segmentEvent; ///< Parallel to `segmentBegin`.
  /// Spans that overlap another span of the track in part, by more than the recorder's resolution.
  uint64_t partialOverlaps = 0;

  /// The innermost event at `t`, or kNone. O(log n).
  uint32_t innermost(Time t) const;
};

/// The trees of all host threads of a rank. O(n) over the events of a track.
struct Nesting {
  static constexpr llvm::StringLiteral name = "nesting";
  static constexpr uint32_t inputs =
      columns(ColumnId::Begin, ColumnId::End, ColumnId::Kind, ColumnId::Attributes);
  static constexpr unsigned version = 1;
  static constexpr bool summary = false;
  static llvm::Expected<Nesting> compute(const Rank &rank, AnalysisContext &context);

  /// By track; empty for tracks that hold neither a thread's work nor its Python frames.
  std::vector<TrackNesting> tracks;

  /// The event that encloses `e`, invalid at the top or on a track without a tree. O(1).
  EventRef parent(EventRef e) const;
  /// The innermost event of a track at a time, invalid if none. O(log n).
  EventRef innermost(uint32_t track, Time t) const;
};

/// The segments of the innermost span (the one that began last, in the order given) of spans that
/// are sorted by (begin, longer first). The last segment begins at the last end and has kNone.
/// Segments of the same event that touch are one. O(n).
void innermostSegments(llvm::ArrayRef<Interval> spans, std::vector<Time> &segmentBegin,
                       std::vector<uint32_t> &segmentEvent);

} // namespace heddle

#endif
