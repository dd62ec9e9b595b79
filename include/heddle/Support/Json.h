//===- heddle/Support/Json.h - Bytes as JSON strings ------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// The one way in which Heddle spells JSON strings that came from a trace. Such strings are bytes:
/// some are no UTF-8, and some hold surrogates that stand alone (as three bytes each).
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_SUPPORT_JSON_H
#define HEDDLE_SUPPORT_JSON_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace heddle {

/// What becomes of bytes that are no UTF-8, and of surrogates that stand alone.
enum class BadBytes : uint8_t {
  Keep,    ///< Bytes stay as they are; surrogates are escaped, so that a reader finds them again.
  Replace, ///< Each becomes U+FFFD: the result is valid everywhere.
};

/// Appends a JSON string with its quotes: control characters, quotes and backslashes are escaped.
/// O(length), any thread.
void appendJsonString(llvm::SmallVectorImpl<char> &out, llvm::StringRef bytes, BadBytes bad);

} // namespace heddle

#endif
