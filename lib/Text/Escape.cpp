//===- Escape.cpp - Bytes between quotes ----------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Escape.h"

using namespace heddle;

unsigned text::printableLength(const char *p, const char *end) {
  auto byte = [&](unsigned i) { return static_cast<unsigned char>(p[i]); };
  unsigned c = byte(0);
  if (c < 0x80)
    return c >= 0x20 && c != 0x7f;
  unsigned length = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
  if (c < 0xc2 || c > 0xf4 || static_cast<size_t>(end - p) < length)
    return 0;
  for (unsigned i = 1; i != length; ++i)
    if ((byte(i) & 0xc0) != 0x80)
      return 0;
  // Overlong forms, surrogates, beyond U+10FFFF, and the control characters U+0080 to U+009F,
  // which terminals obey.
  unsigned second = byte(1);
  if ((c == 0xe0 && second < 0xa0) || (c == 0xed && second > 0x9f) ||
      (c == 0xf0 && second < 0x90) || (c == 0xf4 && second > 0x8f) || (c == 0xc2 && second < 0xa0))
    return 0;
  return length;
}

bool text::isPrintable(llvm::StringRef bytes) {
  for (const char *p = bytes.begin(), *end = bytes.end(); p != end;) {
    unsigned length = printableLength(p, end);
    if (length == 0)
      return false;
    p += length;
  }
  return true;
}

bool text::isPlain(llvm::StringRef bytes) {
  for (const char *p = bytes.begin(), *end = bytes.end(); p != end;) {
    unsigned length = printableLength(p, end);
    if (length == 0 || *p == '"' || *p == '\\')
      return false;
    p += length;
  }
  return true;
}

void text::appendQuoted(llvm::SmallVectorImpl<char> &out, llvm::StringRef bytes) {
  static constexpr char digits[] = "0123456789ABCDEF";
  out.push_back('"');
  for (const char *p = bytes.begin(), *end = bytes.end(); p != end;) {
    unsigned length = printableLength(p, end);
    if (length != 0 && *p != '"' && *p != '\\') {
      out.append(p, p + length);
      p += length;
      continue;
    }
    out.push_back('\\');
    unsigned char c = static_cast<unsigned char>(*p++);
    if (c == '"' || c == '\\')
      out.push_back(static_cast<char>(c));
    else if (c == '\n')
      out.push_back('n');
    else if (c == '\t')
      out.push_back('t');
    else
      out.append({'x', digits[c >> 4], digits[c & 15]});
  }
  out.push_back('"');
}

bool text::isIdentifier(llvm::StringRef key) {
  if (key.empty() || !isWordStart(key[0]))
    return false;
  for (size_t i = 1; i != key.size(); ++i)
    if (!isWordChar(key[i]) && (key[i] != '-' || i + 1 == key.size() || !isWordChar(key[i + 1])))
      return false;
  return true;
}

void text::appendKey(llvm::SmallVectorImpl<char> &out, llvm::StringRef key) {
  if (isIdentifier(key))
    out.append(key.begin(), key.end());
  else
    appendQuoted(out, key);
}
