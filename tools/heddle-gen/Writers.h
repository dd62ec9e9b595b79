//===- Writers.h - Recordings to files --------------------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_GEN_WRITERS_H
#define HEDDLE_GEN_WRITERS_H

#include "Model.h"
#include "llvm/Support/raw_ostream.h"

namespace heddle::gen {

/// One rank as the era's recorder would have written it.
void writeKineto(const JobTrace &job, const RankTrace &rank, const Options &options,
                 llvm::raw_ostream &os);

/// All ranks as Heddle text.
void writeText(const JobTrace &job, const Options &options, llvm::raw_ostream &os);

/// Every gap of every device, one row for each cause that it has: the columns of the table
/// idle-gaps, and whether it was planted and is a lead-in.
void writeManifest(const JobTrace &job, llvm::raw_ostream &os);

/// Counts of each step and of the whole, whose step is empty.
void writeFacts(const JobTrace &job, llvm::raw_ostream &os);

} // namespace heddle::gen

#endif
