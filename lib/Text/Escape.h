//===- Escape.h - Bytes between quotes --------------------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// How .ht text spells arbitrary bytes: quoted strings with \\ \" \n \t and \xNN. Valid UTF-8
/// stands as it is, except control characters.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_TEXT_ESCAPE_H
#define HEDDLE_LIB_TEXT_ESCAPE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace heddle::text {

constexpr bool isWordStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
constexpr bool isDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool isWordChar(char c) { return isWordStart(c) || isDigit(c); }

/// The length of the valid UTF-8 character that begins at p and is no control character; 0 if
/// there is none. p < end.
unsigned printableLength(const char *p, const char *end);

/// True if all bytes are such characters. O(length).
bool isPrintable(llvm::StringRef bytes);

/// True if the bytes can stand between quotes as they are. O(length).
bool isPlain(llvm::StringRef bytes);

/// Appends the bytes between quotes, escaped where needed. O(length).
void appendQuoted(llvm::SmallVectorImpl<char> &out, llvm::StringRef bytes);

/// True if a key can stand without quotes: a letter or '_', then those, digits, and '-' before one
/// of them.
bool isIdentifier(llvm::StringRef key);

/// Appends a key, quoted where it must be.
void appendKey(llvm::SmallVectorImpl<char> &out, llvm::StringRef key);

} // namespace heddle::text

#endif
