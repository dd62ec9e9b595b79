//===- heddle/Support/Utf8.h - Characters in bytes --------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Strings of traces are bytes: mostly UTF-8, sometimes none, sometimes with surrogates that stand
/// alone, which take three bytes as if they were characters.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_SUPPORT_UTF8_H
#define HEDDLE_SUPPORT_UTF8_H

#include "llvm/ADT/SmallString.h"

namespace heddle {

/// The length of the UTF-8 character that begins at p, 1 to 4; 0 if there is none. Surrogates count
/// as characters of three bytes: `isSurrogate` tells. Needs p < end.
unsigned utf8Length(const char *p, const char *end);

/// Whether the character of three bytes at p, as `utf8Length` found it, is half of a pair.
inline bool isSurrogate(const char *p) {
  return static_cast<unsigned char>(p[0]) == 0xed && static_cast<unsigned char>(p[1]) > 0x9f;
}

/// Appends a code point up to 0x1fffff; surrogates take their three bytes.
void appendUtf8(llvm::SmallVectorImpl<char> &out, unsigned code);

} // namespace heddle

#endif
