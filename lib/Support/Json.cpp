//===- Json.cpp - JSON strings and trees ----------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/Support/Json.h"

using namespace llvm;
using namespace heddle;

/// The length of the UTF-8 character that begins at p; 0 if there is none. Surrogates are counted
/// as characters of three bytes.
static unsigned characterLength(const char *p, const char *end) {
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
  unsigned second = byte(1);
  if ((c == 0xe0 && second < 0xa0) || (c == 0xf0 && second < 0x90) || (c == 0xf4 && second > 0x8f))
    return 0;
  return length;
}

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
    unsigned length = characterLength(p, end);
    if (length == 0) {
      if (bad == BadBytes::Keep)
        out.push_back(*p);
      else
        out.append({'\xef', '\xbf', '\xbd'});
      ++p;
    } else if (length == 3 && c == 0xed && static_cast<unsigned char>(p[1]) > 0x9f) {
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
