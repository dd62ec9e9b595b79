//===- BinaryResults.h - Results and provenance as frames -------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_IO_BINARYRESULTS_H
#define HEDDLE_LIB_IO_BINARYRESULTS_H

#include "BinaryBudget.h"
#include "BinaryOut.h"
#include "heddle/IR/Result.h"
#include "heddle/IR/Trace.h"
#include "result_generated.h"

namespace heddle::binary {

/// Writes a frame, or several pieces, for each pass and unit.
llvm::Error writeResults(const Results &results, Out &out);
/// Writes where the trace came from.
llvm::Error writeProvenance(const Trace &trace, Out &out);

/// Takes the Result frames of a file in order and puts the pieces of each unit together. Errors are
/// causes without a place.
class ResultReader {
public:
  explicit ResultReader(Budget &budget) : budget(budget) {}

  /// Takes the next. On an error nothing is taken.
  llvm::Error take(const hb::Result &from);
  /// Whether the last unit lacks pieces.
  bool lacksPieces() const { return more; }
  /// From now on does without those: the unit is stale. For recovery.
  void giveUp() {
    read.units.back().stale = true;
    more = false;
  }
  /// The error of a unit that lacks pieces.
  llvm::Error end() const;

  Results read; ///< So far.

private:
  Budget &budget;
  uint32_t pieces = 0; ///< That the last unit has.
  bool more = false;   ///< It has more.
};

/// Fills in the provenance, and the path and size of each rank.
llvm::Error readProvenance(const hb::Provenance &from, Budget &budget, Trace &to);

} // namespace heddle::binary

#endif
