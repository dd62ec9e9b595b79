//===- Partial.h - Of a .hb what the selection needs ------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// With --rank, --steps or --window only a part of a .hb is read: the ranks, and of each the time
/// of the steps, if figures of the part are those of the whole. Where they would not be, all is
/// read.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_TOOLS_HEDDLE_PARTIAL_H
#define HEDDLE_TOOLS_HEDDLE_PARTIAL_H

#include "heddle/IO/Binary.h"
#include "heddle/IO/RankStore.h"
#include "heddle/Pass/Selection.h"

namespace heddle {

/// How much of an input was read.
struct BytesRead {
  uint64_t read = 0, all = 0;
};

/// Reads what the selection needs: of ranks, and with `partOfTime` of their time. False if the
/// input is no file of which parts can be read, or all of it is needed; `out` is then unchanged.
llvm::Expected<bool> readPartOf(llvm::StringRef path, const Selection &selection, bool partOfTime,
                                const Limits &limits, Trace &out, BytesRead &bytes);

/// Reads the heads of all ranks of a .hb file if those selected do not fit into memory beside what
/// is there. False if it is none, or they fit. Of a selection of ranks, results are left.
llvm::Expected<bool> readHeadsOf(llvm::StringRef path, const Selection &selection,
                                 const Residency &residency, const FileState &state,
                                 const Limits &limits, Trace &out, Results &results);

/// Lets the ranks of an input go that were just read: what memory does not hold is put aside.
/// `path` is the input's, of which the trace holds all, as it was when it had this state.
llvm::Error settle(llvm::StringRef path, const FileState &state,
                   const std::shared_ptr<Residency> &residency, const Limits &limits, Trace &trace);

} // namespace heddle

#endif
