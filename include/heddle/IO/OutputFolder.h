//===- heddle/IO/OutputFolder.h - Folders whole or absent -------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Writes a folder of files beside the target and renames it on commit, so that a reader sees the
/// old folder or the whole new one, never files of both. The file `.heddle-folder` in it lists what
/// was written: only a folder that holds nothing else can be replaced.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_IO_OUTPUTFOLDER_H
#define HEDDLE_IO_OUTPUTFOLDER_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>

namespace heddle {

/// One folder on its way to disk.
class OutputFolder {
public:
  /// Fails where `path` is something else than an empty folder, unless `replace` is set and it is a
  /// folder with files of an OutputFolder and no others; and where it is the current folder. Makes
  /// the folders above it that are missing.
  static llvm::Expected<std::unique_ptr<OutputFolder>> create(llvm::StringRef path, bool replace);
  /// Without a commit nothing is left behind, of the folders above neither.
  ~OutputFolder();
  /// Writes one file; a name that ends in .gz is compressed. Fails where `write` does, and on a
  /// name that was used or has a separator.
  llvm::Error file(llvm::StringRef name,
                   llvm::function_ref<llvm::Error(llvm::raw_ostream &os)> write);
  /// Puts the folder where it belongs, and removes the one that it replaces.
  llvm::Error commit();

private:
  OutputFolder();
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace heddle

#endif
