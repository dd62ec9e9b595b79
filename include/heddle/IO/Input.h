//===- heddle/IO/Input.h - Streaming bytes in -------------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Input hands out the decompressed bytes of a file, of stdin or of memory. gzip is found by its
/// magic (multi-member too), never by name. Memory stays bounded: nothing is read ahead beyond one
/// block. Not thread-safe.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_IO_INPUT_H
#define HEDDLE_IO_INPUT_H

#include "heddle/Support/Diagnostics.h"
#include "heddle/Support/Limits.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace heddle {

/// A text to read, decompressed on the way.
class Input {
public:
  virtual ~Input();
  /// Opens a file, or stdin for "-". The error names the path and the cause.
  static llvm::Expected<std::unique_ptr<Input>> open(llvm::StringRef path, const Limits &limits);
  /// Reads from memory (gzip allowed); `name` stands in messages. Bytes must outlive the input.
  static std::unique_ptr<Input> fromMemory(llvm::StringRef bytes, llvm::StringRef name,
                                           const Limits &limits);

  /// Up to `size` bytes; 0 only at the end. A gzip stream without trailer, or a damaged one, ends
  /// early: then `truncated()` is true afterwards and says why.
  virtual llvm::Expected<size_t> read(char *to, size_t size) = 0;
  /// The first bytes (up to 64 KiB) without consuming them.
  virtual llvm::Expected<llvm::StringRef> head() = 0;

  /// As the user named it.
  llvm::StringRef name() const { return inputName; }
  /// True if the text ended before its end.
  bool truncated() const { return !truncation.empty(); }
  /// Why; empty if it did not.
  llvm::StringRef truncationReason() const { return truncation; }
  uint64_t rawSize() const { return rawBytes; } ///< Size of the file as stored; 0 = unknown.
  /// Bytes other than zero after the last gzip member: skipped, known at the end.
  uint64_t foreignTailBytes() const { return foreignTail; }

protected:
  std::string inputName, truncation;
  uint64_t rawBytes = 0, foreignTail = 0;
};

} // namespace heddle

#endif
