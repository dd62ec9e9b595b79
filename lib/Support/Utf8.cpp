//===- Utf8.cpp - Characters in bytes -------------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/Support/Utf8.h"

unsigned heddle::utf8Length(const char *p, const char *end) {
  auto byte = [&](unsigned i) { return static_cast<unsigned char>(p[i]); };
  unsigned c = byte(0);
  if (c < 0x80)
    return 1;
  unsigned length = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
  if (c < 0xc2 || c > 0xf4 || static_cast<size_t>(end - p) < length)
    return 0;
  for (unsigned i = 1; i != length; ++i)
    if ((byte(i) & 0xc0) != 0x80)
      return 0;
  // Overlong forms, and what lies beyond U+10FFFF.
  unsigned second = byte(1);
  if ((c == 0xe0 && second < 0xa0) || (c == 0xf0 && second < 0x90) || (c == 0xf4 && second > 0x8f))
    return 0;
  return length;
}

void heddle::appendUtf8(llvm::SmallVectorImpl<char> &out, unsigned code) {
  if (code < 0x80) {
    out.push_back(static_cast<char>(code));
    return;
  }
  unsigned more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  static constexpr unsigned heads[] = {0, 0xc0, 0xe0, 0xf0};
  out.push_back(static_cast<char>(heads[more] | code >> 6 * more));
  while (more--)
    out.push_back(static_cast<char>(0x80 | (code >> 6 * more & 0x3f)));
}
