//===- Names.h - Readable names of kernels and functions --------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_PLUGINS_SYMBOLIZE_NAMES_H
#define HEDDLE_PLUGINS_SYMBOLIZE_NAMES_H

#include "heddle/IR/Editor.h"

namespace heddle::symbolize {

/// What became of names, each counted once.
struct NameCounts {
  int64_t demangled = 0; ///< Names that stood for a C++ name.
  int64_t mangled = 0;   ///< Names that look mangled and stay so.
  int64_t shortened = 0; ///< Names of kernels with a shorter form.
};

/// Writes the columns `symbolize.name` (the C++ name of events whose name is mangled) and
/// `symbolize.short` (the short form of the names of kernels, and of C++ names, where it differs).
/// Tracks without any such value get no column. O(events + length of the names).
llvm::Expected<NameCounts> writeNames(RankEditor &editor);

} // namespace heddle::symbolize

#endif
