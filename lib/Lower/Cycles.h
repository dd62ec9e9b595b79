//===- Cycles.h - Tables of several cycles of a rank ------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_LOWER_CYCLES_H
#define HEDDLE_LIB_LOWER_CYCLES_H

#include "heddle/IR/Result.h"
#include "heddle/IR/Trace.h"

namespace heddle {

/// The rows of all tables of this id, in order. Where some rank has several cycles, a column
/// `cycle` behind `rank` tells them apart.
std::optional<Table> tableOfRanks(const Trace &trace, const Results &results, llvm::StringRef id);

} // namespace heddle

#endif
