//===- ChromeViewer.h - One rank for TensorBoard's plugin -------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_LOWER_CHROMEVIEWER_H
#define HEDDLE_LIB_LOWER_CHROMEVIEWER_H

#include "ChromeRank.h"
#include "heddle/IR/Trace.h"

namespace heddle::chrome {

/// Writes the rank at this place for torch-tb-profiler; returns what is not shown.
llvm::Expected<LeftOut> writeForPlugin(const Trace &trace, size_t rank, const Results &results,
                                       llvm::raw_ostream &os);

/// Unix time in ns of a rank's first event, where the recording tells it.
std::optional<int64_t> firstInUnixTime(const Rank &rank);

} // namespace heddle::chrome

#endif
