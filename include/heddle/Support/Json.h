//===- heddle/Support/Json.h - JSON strings and trees -----------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// The one way in which Heddle spells JSON strings that came from a trace, and reads JSON texts
/// that came from one as a tree. Such strings are bytes: some are no UTF-8, and some hold
/// surrogates that stand alone (as three bytes each).
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_SUPPORT_JSON_H
#define HEDDLE_SUPPORT_JSON_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include <cstdint>
#include <optional>

namespace heddle {

/// What becomes of bytes that are no UTF-8, and of surrogates that stand alone.
enum class BadBytes : uint8_t {
  Keep,    ///< Bytes stay as they are; surrogates are escaped, so that a reader finds them again.
  Replace, ///< Each becomes U+FFFD: the result is valid everywhere.
};

/// Appends a JSON string with its quotes: control characters, quotes and backslashes are escaped.
/// O(length), any thread.
void appendJsonString(llvm::SmallVectorImpl<char> &out, llvm::StringRef bytes, BadBytes bad);

/// How deep lists and objects may nest in a text that is read as a tree, which takes recursion.
inline constexpr unsigned kMaxTreeNesting = 500;
/// Strict JSON as a tree; nullopt if the text is none, or nests deeper than `kMaxTreeNesting`.
/// O(length), any thread.
std::optional<llvm::json::Value> parseJsonTree(llvm::StringRef text);

} // namespace heddle

#endif
