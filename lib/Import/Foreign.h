//===- Foreign.h - Which files are not for us -------------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
#ifndef HEDDLE_LIB_IMPORT_FOREIGN_H
#define HEDDLE_LIB_IMPORT_FOREIGN_H

#include "llvm/ADT/StringRef.h"

namespace heddle::chrome {

/// How much of a text Input::head shows.
inline constexpr size_t kHeadBytes = 64 << 10;

/// What a file is, as describeForeign says it, and what to do instead; both may be empty.
struct ForeignKind {
  llvm::StringRef kind, advice;
};

/// A known kind of file that is no Chrome trace; empty for the rest, JSON of unknown shape among
/// it.
ForeignKind knownForeign(llvm::StringRef head);
/// What the name of a file of unknown content says.
ForeignKind foreignByName(llvm::StringRef path);
/// The text behind a byte order mark and white space.
llvm::StringRef skipMark(llvm::StringRef head);

} // namespace heddle::chrome

#endif
