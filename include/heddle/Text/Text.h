//===- heddle/Text/Text.h - The .ht text form -------------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Prints and parses Heddle text; docs/TraceText.md is the grammar. parse(print(x)) equals x.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_TEXT_TEXT_H
#define HEDDLE_TEXT_TEXT_H

#include "heddle/IR/Result.h"
#include "heddle/IR/Trace.h"
#include "heddle/Support/Limits.h"
#include "llvm/Support/raw_ostream.h"

namespace heddle {

struct PrintOptions {
  bool stripSource = false; ///< Leave out what only a faithful export needs.
};

/// Prints in canonical order. O(events).
void printText(const Trace &trace, llvm::raw_ostream &os, const PrintOptions &options = {});
/// Prints tables, remarks, statistics and abstentions in the same syntax.
void printText(const Results &results, llvm::raw_ostream &os);

/// Parses a whole file. Errors carry line, column and the source line for a caret; several may be
/// reported before parsing stops. `results` (may be null) takes tables and remarks.
llvm::Error parseText(llvm::StringRef text, llvm::StringRef name, Trace &out, Results *results,
                      const Limits &limits, Diagnostics &diagnostics);

/// True if the text begins like .ht: comments and blank lines, then `trace`, `table` or `remark`.
bool looksLikeText(llvm::StringRef head);

} // namespace heddle

#endif
