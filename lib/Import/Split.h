//===- Split.h - Several ranks in one file ----------------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
#ifndef HEDDLE_LIB_IMPORT_SPLIT_H
#define HEDDLE_LIB_IMPORT_SPLIT_H

#include "heddle/IR/Rank.h"

namespace heddle::chrome {

/// The label in the text of a process id, "TP01" of "[TP01] 4100"; empty if there is none.
llvm::StringRef partLabel(llvm::StringRef pid);

/// Whether a file is an export for viewers of several ranks, whose member `heddle` describes each.
bool isExportOfRanks(const Document &document);

/// The ranks of a file that a script merged from several, as the labels of its process ids tell
/// them; empty for a file of one rank. `whole` has no edges yet. A device whose rows bear no label
/// belongs to the only part that launched its work; where one belongs to none or to several, the
/// file stays one rank, which `whole` notes. An export of several ranks is split as it describes
/// them: each has the document that it had, with its description as the member `heddle`.
std::vector<std::unique_ptr<Rank>> splitMerged(Rank &whole);

} // namespace heddle::chrome

#endif
