//===- StepMarks.h - Where host steps begin and end -------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// The part of Steps that finds the marks.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_ANALYSIS_STEPMARKS_H
#define HEDDLE_LIB_ANALYSIS_STEPMARKS_H

#include "heddle/Analysis/Nesting.h"
#include "heddle/Analysis/Steps.h"

namespace heddle {

/// Fills source, pattern, marks, misplaced and missingProfilerStep. O(n log n).
void findStepMarks(const Rank &rank, Steps &steps);

} // namespace heddle

#endif
