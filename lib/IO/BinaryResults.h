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

/// Writes a frame for each pass and unit.
llvm::Error writeResults(const Results &results, Out &out);
/// Writes where the trace came from.
llvm::Error writeProvenance(const Trace &trace, Out &out);
/// Appends a unit to `to`. False if it is none: cells without text, a column too few, more text
/// than the budget has room for.
bool readResult(const hb::Result &from, Budget &budget, Results &to);
/// Fills in the provenance, and the path and size of each rank. False if the budget has no room.
bool readProvenance(const hb::Provenance &from, Budget &budget, Trace &to);

} // namespace heddle::binary

#endif
