//===- JsonText.h - Nested values in canonical spacing ----------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Nested lists and objects are kept as JSON text in canonical spacing: "[1, 2]", "{\"a\": 1}",
/// "[]", "{}", with numbers and strings as spelled. In .ht text a space follows a '[' that another
/// follows, since FileCheck reads "[[" as a variable.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_TEXT_JSONTEXT_H
#define HEDDLE_LIB_TEXT_JSONTEXT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace heddle::text {

/// What is wrong with a JSON value, and where.
struct JsonFault {
  const char *at = nullptr;
  const char *wanted = nullptr; ///< "a value", "',' or ']'", ...
  bool tooDeep = false;
};

/// Appends the JSON value at the beginning of `text` to `out` in canonical spacing and returns the
/// place after it; null, with `fault` filled, if there is none. Strict JSON, but for raw bytes
/// above 0x7f. O(length), no recursion.
const char *scanJson(llvm::StringRef text, unsigned maxNesting, llvm::SmallVectorImpl<char> &out,
                     JsonFault &fault);

/// How a nested value can be printed.
enum class JsonForm : uint8_t {
  AsIs,   ///< Canonical and printable, without "[[".
  Spaced, ///< Canonical and printable; "[[" needs a space between.
  Quoted, ///< Anything else: #json"...".
};
/// O(length).
JsonForm jsonForm(llvm::StringRef text);

/// Appends a value of form Spaced with the space that FileCheck needs.
void appendSpaced(llvm::SmallVectorImpl<char> &out, llvm::StringRef text);

} // namespace heddle::text

#endif
