//===- BinaryBudget.h - What reading may make of memory ---------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_IO_BINARYBUDGET_H
#define HEDDLE_LIB_IO_BINARYBUDGET_H

#include "heddle/Support/Diagnostics.h"
#include "heddle/Support/Limits.h"
#include "llvm/ADT/Twine.h"

namespace heddle::binary {

/// What reading may still make of memory: what is decoded, unpacked and copied is counted against
/// the stored bytes, so that a file of a few constant columns, or of a text that is referred to a
/// million times, does not become a machine full.
class Budget {
public:
  explicit Budget(const Limits &limits) : limits(limits) {}
  /// More of the file was read.
  void stored(uint64_t bytes) { allowed += bytes * limits.maxExpansion; }
  /// Whether so much more may be made; counts nothing.
  bool fits(uint64_t bytes) const { return bytes <= allowed - used; }
  /// Counts it, or fails.
  llvm::Error take(uint64_t bytes) {
    if (!fits(bytes))
      return inputError("limit-exceeded", "this expands more than " +
                                              llvm::Twine(limits.maxExpansion) +
                                              " times: refused as a decompression bomb");
    used += bytes;
    return llvm::Error::success();
  }
  /// The same of decoded values; false if that goes too far.
  bool values(uint64_t count) {
    bool fit = fits(count * sizeof(int64_t));
    used += fit ? count * sizeof(int64_t) : 0;
    return fit;
  }

private:
  const Limits &limits;
  uint64_t allowed = uint64_t{1} << 30, used = 0;
};

} // namespace heddle::binary

#endif
