//===- heddle/Analysis/OpTree.h - Ops as torch's tables nest them -*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// The tree behind `torch.profiler`'s `key_averages()`, rebuilt from the recording, so that calls,
/// self and total times equal torch's to its rounding. It differs from Nesting, which says what a
/// thread does at an instant.
///
///   * Members are the ops, annotations, runtime and driver calls of a host thread; Python frames
///     are not. Rows that torch leaves out (NameFact::HiddenOp) are no members: their time is their
///     parent's.
///   * In order of (begin, longer first), the parent of a span is the innermost open one that
///     contains it wholly. Spans that overlap in part are siblings. Where the recorder counts whole
///     microseconds, a child may end 1 us after its parent, since both ends are truncated apart.
///   * A span that is the only child of one of the same name is folded into it: it is no call of
///     its own, its children and its device work become the parent's, whose own device work is
///     dropped, as torch does it.
///   * Spans of c10d's work (`nccl:...`, `gloo:...` annotations) end on another thread: their self
///     time is 0 and they are parent of nothing.
///
/// Self time is the span without the union of its children. torch subtracts the sum, which goes
/// negative where siblings overlap; without such overlap the two are the same.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_ANALYSIS_OPTREE_H
#define HEDDLE_ANALYSIS_OPTREE_H

#include "heddle/Analysis/Launches.h"

namespace heddle {

/// Of one thread track; vectors are parallel to its events.
struct OpTrackTree {
  static constexpr uint32_t kNone = 0xffffffff; ///< Stands for "no event".
  /// What became of an event of the track.
  enum class State : uint8_t {
    Absent, ///< No member: another kind, or a hidden row.
    Folded, ///< Folded into its parent.
    Async,  ///< A member without self time and children.
    Member,
  };
  std::vector<State> state;          ///< By event.
  std::vector<uint32_t> parent;      ///< After folding; kNone at the top.
  std::vector<Duration> self;        ///< Never negative.
  std::vector<Duration> deviceSelf;  ///< Sum of the durations of the activities it launched.
  std::vector<Duration> deviceTotal; ///< That and its children's.
};

/// O(n) over the events of a track.
struct OpTree {
  static constexpr llvm::StringLiteral name = "op-tree";
  static constexpr uint32_t inputs = Launches::inputs;
  static constexpr unsigned version = 1;
  static constexpr bool summary = false;
  static llvm::Expected<OpTree> compute(const Rank &rank, AnalysisContext &context);

  /// By track; empty for tracks that are no thread's work.
  std::vector<OpTrackTree> tracks;
  /// Device work whose launch no op issued, or whose op was dropped by a fold.
  Duration deviceWithoutOp;
};

} // namespace heddle

#endif
