//===- heddle/Import/Importer.h - Readers of foreign traces -----*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// An importer is data. Exactly one claims an input, by content, never by name; a claimed input's
/// first error is the error.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_IMPORT_IMPORTER_H
#define HEDDLE_IMPORT_IMPORTER_H

#include "heddle/IO/Input.h"
#include "heddle/IR/Result.h"
#include "heddle/IR/Trace.h"
#include "heddle/Support/Limits.h"

namespace heddle {

/// How to read, and where to report.
struct ImportOptions {
  Limits limits;                ///< What a hostile input may make us do.
  Progress *progress = nullptr; ///< `done` counts decompressed bytes.
  Results *results = nullptr;   ///< Takes results that the input holds (.ht); null drops them.
  /// Bytes of text held at once; more where one event is longer. Results do not depend on it.
  uint64_t windowBytes = 4 << 20;
  /// Read events as earlier ones were spelled where that gives the same. Off: for tests.
  bool predict = true;
};

/// One reader; a constant.
struct ImporterInfo {
  llvm::StringLiteral name, summary; ///< For messages and lists.
  int priority;                      ///< Higher is asked first.
  /// Looks at the first bytes of the decompressed text (up to 64 KiB, or all of it).
  bool (*sniff)(llvm::StringRef head);
  /// Appends the ranks it reads to `out`. Repairs and warnings go to `diagnostics`.
  llvm::Error (*read)(Input &input, Trace &out, const ImportOptions &options,
                      Diagnostics &diagnostics);
};

/// The readers that exist.
class ImporterRegistry {
public:
  /// Fails if the name is taken.
  llvm::Error add(const ImporterInfo &info);
  /// The importer that claims this head, or null.
  const ImporterInfo *claim(llvm::StringRef head) const;
  llvm::ArrayRef<const ImporterInfo *> all() const { return importers; } ///< By falling priority.

private:
  std::vector<const ImporterInfo *> importers;
};

/// Reads Chrome trace JSON (Kineto and its relatives); see docs/Import.md for what becomes what.
extern const ImporterInfo chromeJsonImporter;

/// If `head` is a file of a known kind that is no trace of ours, what it is, as a sentence part:
/// "a PyTorch execution trace", "an nsys SQLite export". Empty if unknown.
llvm::StringRef describeForeign(llvm::StringRef head);

/// Opens `path` ("-" is stdin), finds the importer by content, and reads. Errors name the file and
/// what it is.
llvm::Error importFile(const ImporterRegistry &importers, llvm::StringRef path, Trace &out,
                       const ImportOptions &options, Diagnostics &diagnostics);

} // namespace heddle

#endif
