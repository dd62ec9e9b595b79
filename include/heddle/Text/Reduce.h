//===- heddle/Text/Reduce.h - Smaller traces that still show it -*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Makes a trace smaller while a test still calls it interesting: takes away ranks, tracks, events,
/// edges, flow and loose rows and arguments, in halves first and then one by one (delta debugging),
/// until nothing more can go. The result is a local minimum: no single thing can be left out.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_TEXT_REDUCE_H
#define HEDDLE_TEXT_REDUCE_H

#include "heddle/IR/Trace.h"
#include "heddle/Support/Limits.h"
#include <functional>

namespace heddle {

/// What to look for, and whom to tell.
struct ReduceOptions {
  /// Whether a candidate, given as .ht text, still shows what is looked for. Must give the same
  /// answer for the same text.
  std::function<llvm::Expected<bool>(llvm::StringRef text)> interesting;
  /// Called after each round with what is left; may be empty.
  std::function<void(llvm::StringRef what, uint64_t left)> progress;
  const Progress *cancel =
      nullptr; ///< Where set and cancelled, the smallest text so far is returned.
};

/// Reduces the trace that `text` spells. An error if it is not interesting to begin with. About
/// 2 k log(n / k) tests for n things of which k stay; each parses and prints the candidate.
llvm::Expected<std::string> reduceText(llvm::StringRef text, llvm::StringRef name,
                                       const ReduceOptions &options);

} // namespace heddle

#endif
