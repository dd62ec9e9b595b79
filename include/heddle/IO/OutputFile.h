//===- heddle/IO/OutputFile.h - Files whole or absent -----------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Writes to a temporary file beside the target and renames it on commit, so that a reader sees
/// the old file or the whole new one. Without a commit the temporary file is removed; a signal
/// handler removes it too (Ctrl-C, a closed pipe).
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_IO_OUTPUTFILE_H
#define HEDDLE_IO_OUTPUTFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>
#include <string>

namespace heddle {

/// One file on its way to disk.
class OutputFile {
public:
  /// `path` "-" is stdout. A name that ends in .gz is compressed. Refuses a directory.
  static llvm::Expected<std::unique_ptr<OutputFile>> create(llvm::StringRef path);
  ~OutputFile();
  /// Where to write; until `commit` nobody sees it.
  llvm::raw_ostream &os();
  /// Flushes, fsyncs and renames; errors of earlier writes surface here. For stdout: flushes; a
  /// closed pipe is success.
  llvm::Error commit();

private:
  OutputFile();
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace heddle

#endif
