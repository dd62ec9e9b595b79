//===- heddle/Lower/Emitter.h - What a trace is lowered to ------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// An emitter renders a trace and its results; it computes nothing.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LOWER_EMITTER_H
#define HEDDLE_LOWER_EMITTER_H

#include "heddle/IR/Result.h"
#include "heddle/IR/Trace.h"
#include "heddle/Support/Diagnostics.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace heddle {

/// What the user asked of an emitter; each reads what concerns it.
struct EmitOptions {
  std::string table;                  ///< csv: which table.
  bool stripSource = false;           ///< ht: leave out what only a faithful export needs.
  unsigned width = 100;               ///< Columns of the terminal.
  bool colour = false;                ///< Escape sequences for a terminal.
  bool unicode = false;               ///< False: ASCII only.
  std::vector<std::string> sections;  ///< report: -s host,kernels; empty = the first screen; "all".
  Diagnostics *diagnostics = nullptr; ///< Takes what an emitter left out; may be null.
  std::vector<std::string> inputs;    ///< As the user named them, for headings.
};

/// Makes one file of a folder: calls `write` with its stream, and hands on what fails. A name that
/// ends in .gz is compressed. Each name is used once and has no separator.
using FileMaker = llvm::function_ref<llvm::Error(
    llvm::StringRef name, llvm::function_ref<llvm::Error(llvm::raw_ostream &os)> write)>;

/// One renderer; a constant. It writes a text or a folder: one of the two functions is null.
struct EmitterInfo {
  llvm::StringLiteral name, summary;            ///< What --emit takes, and a line of help.
  llvm::ArrayRef<llvm::StringLiteral> suffixes; ///< ".ht": chosen by the suffix of -o.
  /// Writes all of it, or fails.
  llvm::Error (*emit)(const Trace &trace, const Results &results, llvm::raw_ostream &os,
                      const EmitOptions &options);
  /// Makes all files of a folder, or fails. The caller sees to it that the folder is whole or
  /// absent.
  llvm::Error (*emitFolder)(const Trace &trace, const Results &results, FileMaker file,
                            const EmitOptions &options) = nullptr;
  /// The pipeline that runs where the user names no pass; empty: none.
  llvm::StringLiteral pipeline = "";
};

/// The renderers that exist.
class EmitterRegistry {
public:
  /// Fails if the name is taken.
  llvm::Error add(const EmitterInfo &info);
  /// The emitter of this name, or null.
  const EmitterInfo *find(llvm::StringRef name) const;
  const EmitterInfo *bySuffix(llvm::StringRef path) const; ///< A trailing .gz is ignored.
  /// In the order added.
  llvm::ArrayRef<const EmitterInfo *> all() const { return emitters; }

private:
  std::vector<const EmitterInfo *> emitters;
};

extern const EmitterInfo reportEmitter; ///< `report`: text for people.
extern const EmitterInfo
    reportJsonEmitter; ///< `report-json`: all tables, with units and a schema version.
/// `chrome:faithful`: the one recording as it was read, token for token, and what passes added.
extern const EmitterInfo chromeFaithfulEmitter;
/// `chrome:viewer`: for Perfetto's UI, chrome://tracing and TensorBoard; docs/Chrome.md.
extern const EmitterInfo chromeViewerEmitter;
/// `chrome`: faithful for one recording that has a document, else for viewers.
extern const EmitterInfo chromeEmitter;
/// `tensorboard`: a run directory for TensorBoard and its profiler plugin; docs/TensorBoard.md.
extern const EmitterInfo tensorBoardEmitter;
extern const EmitterInfo csvEmitter; ///< `csv`: one table, header and integers.
extern const EmitterInfo
    textEmitter; ///< `results`: remarks, tables and statistics as text; opt's default.

} // namespace heddle

#endif
