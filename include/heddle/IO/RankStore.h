//===- heddle/IO/RankStore.h - Ranks on disk meanwhile ----------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Where ranks lie that are not in memory (IR/Residency.h): in the .hb file that they were read
/// from, or in a file of our own.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_IO_RANKSTORE_H
#define HEDDLE_IO_RANKSTORE_H

#include "heddle/IR/Residency.h"
#include "heddle/Support/Limits.h"

namespace heddle {

/// A store in a file without a name, which ends with the process or the last rank in it. It lies in
/// TMPDIR, else where the system keeps temporary files that need not fit into memory, and is made
/// when the first rank comes.
std::unique_ptr<RankStore> makeRankStore(const Limits &limits);

/// The ranks of a .hb file, in its order; none if it cannot be opened as one. Reading one fails if
/// the file was replaced or written to meanwhile.
std::vector<std::shared_ptr<const RankSource>> sourcesIn(llvm::StringRef path,
                                                         const Limits &limits);

} // namespace heddle

#endif
