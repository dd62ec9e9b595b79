//===- Json.cpp - JSON strings and trees ----------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/Support/Json.h"
#include "heddle/Support/Utf8.h"

using namespace llvm;
using namespace heddle;

static void appendEscape(SmallVectorImpl<char> &out, unsigned code) {
  static constexpr char digits[] = "0123456789abcdef";
  out.append({'\\', 'u', digits[code >> 12 & 15], digits[code >> 8 & 15], digits[code >> 4 & 15],
              digits[code & 15]});
}

void heddle::appendJsonString(SmallVectorImpl<char> &out, StringRef bytes, BadBytes bad) {
  out.push_back('"');
  for (const char *p = bytes.begin(), *end = bytes.end(); p != end;) {
    unsigned char c = static_cast<unsigned char>(*p);
    if (c >= 0x20 && c < 0x80 && c != '"' && c != '\\') {
      out.push_back(*p++);
      continue;
    }
    unsigned length = utf8Length(p, end);
    if (length == 0) {
      if (bad == BadBytes::Keep)
        out.push_back(*p);
      else
        out.append({'\xef', '\xbf', '\xbd'});
      ++p;
    } else if (length == 3 && isSurrogate(p)) {
      if (bad == BadBytes::Keep)
        appendEscape(out, 0xd000 | (static_cast<unsigned>(p[1]) & 0x3f) << 6 |
                              (static_cast<unsigned>(p[2]) & 0x3f));
      else
        out.append({'\xef', '\xbf', '\xbd'});
      p += length;
    } else if (length > 1) {
      out.append(p, p + length);
      p += length;
    } else {
      ++p;
      static constexpr StringLiteral plain = "\"\\\b\f\n\r\t", letter = "\"\\bfnrt";
      if (size_t i = plain.find(static_cast<char>(c)); i != StringRef::npos)
        out.append({'\\', letter[i]});
      else
        appendEscape(out, c);
    }
  }
  out.push_back('"');
}

/// Brackets in strings do not count.
static bool nestsTooDeep(StringRef text) {
  unsigned depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '"')
      inString = !inString;
    else if (inString)
      i += c == '\\';
    else if ((c == '[' || c == '{') && ++depth > kMaxTreeNesting)
      return true;
    else if ((c == ']' || c == '}') && depth > 0)
      --depth;
  }
  return false;
}

std::optional<json::Value> heddle::parseJsonTree(StringRef text) {
  if (nestsTooDeep(text))
    return std::nullopt;
  Expected<json::Value> value = json::parse(text);
  if (value)
    return std::move(*value);
  consumeError(value.takeError());
  return std::nullopt;
}
