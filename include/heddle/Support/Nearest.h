//===- heddle/Support/Nearest.h - "did you mean" ----------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Finds the name that a misspelt one most likely stands for.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_SUPPORT_NEAREST_H
#define HEDDLE_SUPPORT_NEAREST_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace heddle {

/// The candidate with the least edit distance from `name`, if that is at most a third of the longer
/// of the two (at least 1), or the only one that begins with `name`; else "". The first of equals
/// wins. O(candidates * length^2).
llvm::StringRef nearest(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> candidates);

/// "; did you mean 'x'?" or "".
std::string didYouMean(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> candidates);

} // namespace heddle

#endif
