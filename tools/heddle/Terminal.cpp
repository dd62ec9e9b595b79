//===- Terminal.cpp - What may be shown where -----------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "Terminal.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Format.h"
#include <algorithm>
#include <clocale>
#include <cstdlib>
#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

using namespace llvm;

namespace heddle {

bool isTerminal(int fd) { return isatty(fd) == 1; }

static StringRef environment(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

bool wantsColour(int fd) {
  return isTerminal(fd) && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
}

unsigned terminalWidth(int fd) {
  constexpr unsigned least = 40, most = 1000;
  unsigned columns = 0;
  if (!to_integer(environment("COLUMNS"), columns, 10) || columns == 0) {
    winsize size{};
    columns = ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
  }
  return columns == 0 ? 100 : std::clamp(columns, least, most);
}

bool localeIsUtf8() {
  // C.UTF-8 or the user's; a locale that is not installed counts as "C", which is ASCII.
  if (!std::setlocale(LC_CTYPE, ""))
    return false;
  bool utf8 = StringRef(nl_langinfo(CODESET)).equals_insensitive("UTF-8");
  std::setlocale(LC_CTYPE, "C");
  return utf8;
}

/// Length of the UTF-8 character at the begin of `text`: 0 if it is none, -1 if it is cut off.
static int characterLength(StringRef text) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  unsigned length = getNumBytesForUTF8(byte(0));
  if (byte(0) < 0x80)
    return 1;
  if (byte(0) < 0xc2 || length > 4)
    return 0;
  if (text.size() < length) {
    for (size_t i = 1; i != text.size(); ++i)
      if ((byte(i) & 0xc0) != 0x80)
        return 0;
    return -1;
  }
  const auto *source = reinterpret_cast<const UTF8 *>(text.data());
  return isLegalUTF8Sequence(source, source + length) ? static_cast<int>(length) : 0;
}

/// C1 controls, bidirectional marks and overrides, line and paragraph separators.
static bool isDangerous(StringRef character) {
  unsigned code = 0;
  const auto *source = reinterpret_cast<const UTF8 *>(character.data());
  UTF32 *target = &code;
  if (ConvertUTF8toUTF32(&source, source + character.size(), &target, &code + 1,
                         strictConversion) != conversionOK)
    return true;
  return (code >= 0x80 && code < 0xa0) || (code >= 0x200e && code <= 0x200f) ||
         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

/// The length of a sequence that sets colours, at the begin of `text`; 0 if there is none.
static size_t colourSequence(StringRef text) {
  if (!text.consume_front("\x1b["))
    return 0;
  size_t end = text.find_first_not_of("0123456789;");
  return end != StringRef::npos && end < 32 && text[end] == 'm' ? end + 3 : 0;
}

/// Appends `text` escaped to `out`; returns how much of it was used: a character at the end may be
/// cut off.
static size_t escape(StringRef text, std::string &out, bool keepLines, bool colours) {
  raw_string_ostream os(out);
  StringRef all = text;
  while (!text.empty()) {
    char c = text[0];
    if (size_t n = colours && c == '\x1b' ? colourSequence(text) : 0) {
      os << text.take_front(n);
      text = text.drop_front(n);
      continue;
    }
    if (c == '\x1b' && colours && text.size() < 40 &&
        text.drop_front().find('m') == StringRef::npos)
      return all.size() - text.size();
    int length = characterLength(text);
    if (length < 0)
      return all.size() - text.size();
    StringRef character = text.take_front(std::max(1, length));
    if (c == '\n' && keepLines)
      os << c;
    else if (c == '\t')
      os << ' ';
    else if (length == 0 || static_cast<unsigned char>(c) < 0x20 || c == 0x7f ||
             (length > 1 && isDangerous(character)))
      for (char byte : character)
        os << format("\\x%02X", static_cast<unsigned char>(byte));
    else
      os << character;
    text = text.drop_front(character.size());
  }
  return all.size();
}

/// What `escape` held back is cut off for good.
static void escapeRest(StringRef text, std::string &out) {
  raw_string_ostream os(out);
  for (char byte : text) {
    if (isPrint(byte))
      os << byte;
    else
      os << format("\\x%02X", static_cast<unsigned char>(byte));
  }
}

std::string escapeForTerminal(StringRef text, bool keepLines) {
  std::string out;
  escapeRest(text.drop_front(escape(text, out, keepLines, /*colours=*/false)), out);
  return out;
}

void EscapingStream::write_impl(const char *ptr, size_t size) {
  position += size;
  rest.append(ptr, size);
  std::string out;
  rest.erase(0, escape(rest, out, /*keepLines=*/true, colours));
  to << out;
}

void EscapingStream::finish() {
  flush();
  std::string out;
  escapeRest(rest, out);
  rest.clear();
  to << out;
}

} // namespace heddle
