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

/// How to print.
struct PrintOptions {
  bool stripSource = false; ///< Leave out what only a faithful export needs.
};

/// Prints in canonical order. O(events). Fails only where a rank that is put aside cannot be read.
llvm::Error printText(const Trace &trace, llvm::raw_ostream &os, const PrintOptions &options = {});
/// Prints tables, remarks, statistics and abstentions in the same syntax.
void printText(const Results &results, llvm::raw_ostream &os);

/// Where the events of a text stand: lines[rank][track][index] is a 1-based line.
using EventLines = std::vector<std::vector<std::vector<uint32_t>>>;

/// How to parse a part of a file.
struct ParseOptions {
  unsigned firstLine = 1;      ///< Number of the text's first line, for chunks of a split file.
  EventLines *lines = nullptr; ///< Takes the line of each event, in canonical order.
};

/// Parses a whole file and appends its ranks to `out`. Errors carry line, column and the source
/// line for a caret. Parsing goes on behind an error, up to 20 of them: all but the last are
/// reported to `diagnostics`, in order, and the last is returned; `out` and `results` are then
/// unchanged. `results` (may be null) takes what passes published. O(length).
llvm::Error parseText(llvm::StringRef text, llvm::StringRef name, Trace &out, Results *results,
                      const Limits &limits, Diagnostics &diagnostics,
                      const ParseOptions &options = {});

/// True if the text begins like .ht: comments and blank lines, then `trace` or the first word of a
/// result (`pass`, `table`, `remark`, `statistic`, `abstain`).
bool looksLikeText(llvm::StringRef head);

} // namespace heddle

#endif
