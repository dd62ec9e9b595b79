//===- heddle/IR/Verifier.h - What every valid rank satisfies ---*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// The invariants that readers and rewrites must leave: column sizes agree; tracks are sorted by
/// (begin, longer first, seq) with end >= begin; keys are unique; layouts and rows are in range
/// and each row is used at most once; string ids exist; seq is unique and at most kMaxSeq, and flow
/// and loose rows are in its order; times and the origin are within kMaxAbsTimeNs; edges are sorted
/// and point at existing events of fitting kinds; derived columns have the track's length; the
/// clock that a rank is placed by exists, and its figures are possible.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_IR_VERIFIER_H
#define HEDDLE_IR_VERIFIER_H

#include "heddle/IR/Result.h"
#include "heddle/IR/Trace.h"

namespace heddle {

/// The greatest ordinal of an event: tables of ordinals need a few numbers for themselves.
inline constexpr uint32_t kMaxSeq = UINT32_MAX - 16;

/// Returns the first violation (id `verify-...`), or success. O(events).
llvm::Error verify(const Rank &rank);
/// The same for all ranks, in order.
llvm::Error verify(const Trace &trace);
/// Of that what concerns clocks and placements, which ranks that are put aside have too.
llvm::Error verifyPlaces(const Trace &trace);
/// Results name ranks, and evidence events, that the trace has. O(results).
llvm::Error verify(const Trace &trace, const Results &results);
/// Whether a clock can be so: times within kMaxAbsTimeNs, drift below a second a second.
bool isPossible(const ClockDomain &clock);

} // namespace heddle

#endif
