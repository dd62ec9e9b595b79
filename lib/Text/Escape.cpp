//===- Escape.cpp - Bytes between quotes ----------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Escape.h"
#include "heddle/Support/Utf8.h"

using namespace heddle;

unsigned text::printableLength(const char *p, const char *end) {
  auto c = static_cast<unsigned char>(*p);
  if (c < 0x80)
    return c >= 0x20 && c != 0x7f;
  unsigned length = utf8Length(p, end);
  // U+0080 to U+009F are control characters, which terminals obey.
  bool control = length == 2 && c == 0xc2 && static_cast<unsigned char>(p[1]) < 0xa0;
  return control || (length == 3 && isSurrogate(p)) ? 0 : length;
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
