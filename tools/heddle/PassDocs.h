//===- PassDocs.h - Descriptions of passes ----------------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Renders what a PassInfo says: for a terminal, and as the Markdown of docs/Passes.md and
/// docs/Remarks.md.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_TOOLS_HEDDLE_PASSDOCS_H
#define HEDDLE_TOOLS_HEDDLE_PASSDOCS_H

#include "heddle/Plugin/Plugin.h"

namespace heddle {

/// One pass with all it has.
void printPass(llvm::raw_ostream &os, const PassInfo &info);
void printPassesMarkdown(llvm::raw_ostream &os, const PassRegistry &registry);
void printRemarksMarkdown(llvm::raw_ostream &os, const PassRegistry &registry);

/// "rank check", "trace rewrite".
std::string describeKind(const PassInfo &info);

} // namespace heddle

#endif
