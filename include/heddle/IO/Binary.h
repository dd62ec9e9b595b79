//===- heddle/IO/Binary.h - The .hb binary form -----------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Writes and reads Heddle binary; docs/TraceFormat.md is its specification. read(write(x)) equals
/// x, and what is written up to the footer depends on the IR alone, not on how it came about.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_IO_BINARY_H
#define HEDDLE_IO_BINARY_H

#include "heddle/IO/Input.h"
#include "heddle/IR/Result.h"
#include "heddle/IR/Trace.h"
#include "llvm/Support/raw_ostream.h"

namespace heddle {

/// A step of a device, as a file's footer holds it, so that a reader of one step finds its rows.
struct BinaryStep {
  int64_t device = -1; ///< Its number; -1 if unknown.
  int64_t number = 0;  ///< What `--steps` takes.
  Interval window;     ///< Where the device's figures are taken.
  Interval host;       ///< The host's span that marks it; empty if none does.
};

/// How to write.
struct BinaryWriteOptions {
  /// The steps of each rank; ranks behind its end have none.
  llvm::ArrayRef<std::vector<BinaryStep>> steps;
};

/// Writes a trace and its results. O(events). Fails where a layout, a document or a result is too
/// large for a frame.
llvm::Error writeBinary(const Trace &trace, const Results &results, llvm::raw_ostream &os,
                        const BinaryWriteOptions &options = {});

/// True if the bytes begin a .hb file.
bool looksLikeBinary(llvm::StringRef head);

/// How to read.
struct BinaryReadOptions {
  Limits limits;                ///< What a hostile input may make us do.
  Progress *progress = nullptr; ///< `done` counts bytes.
  Results *results = nullptr;   ///< Takes results; null drops them.
};

/// Reads a whole file and appends its ranks to `out`, each of which satisfies the verifier. Errors
/// name the offset and the cause; `out` and the results are then unchanged. O(bytes + events).
llvm::Error readBinary(Input &input, Trace &out, const BinaryReadOptions &options);

} // namespace heddle

#endif
