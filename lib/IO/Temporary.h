//===- Temporary.h - Names of what is not whole yet -------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// What is being written stands beside its target as <target>.heddle-<host>-<pid>-<random>.tmp, so
/// that a later run can tell what a killed process left behind.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_IO_TEMPORARY_H
#define HEDDLE_LIB_IO_TEMPORARY_H

#include "heddle/Support/Diagnostics.h"
#include "llvm/ADT/Twine.h"
#include <string>

namespace heddle {

/// "cannot write 'PATH': CAUSE".
llvm::Error writeError(llvm::StringRef path, const llvm::Twine &cause);
/// The name of a temporary of `target`, with % for random digits.
std::string temporaryModel(llvm::StringRef target);
/// Removes temporaries of `target`, files and folders of files, that processes of this host which
/// are dead left behind ten minutes ago or more.
void removeStale(llvm::StringRef target);
/// Removes a folder and the files in it; folders inside stay, and so does what holds one.
void removeFolder(const std::string &path);

} // namespace heddle

#endif
