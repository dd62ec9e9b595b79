//===- heddle/Lower/ViewerNames.h - Names in a viewer -----------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// How chrome:viewer calls the ranks of a trace, for whoever looks for them in a viewer.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LOWER_VIEWERNAMES_H
#define HEDDLE_LOWER_VIEWERNAMES_H

#include "heddle/IR/Trace.h"

namespace heddle {

/// What stands before the names of the processes of each of these ranks, which are places in the
/// trace: "rank 07: ". No two are equal; that of a single one is empty.
std::vector<std::string> viewerTitles(const Trace &trace, llvm::ArrayRef<size_t> places);

} // namespace heddle

#endif
