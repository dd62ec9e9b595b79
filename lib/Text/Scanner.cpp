//===- Scanner.cpp - Tokens of .ht text, errors and recovery --------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Scanner.h"
#include "Escape.h"
#include "JsonText.h"
#include "heddle/Support/Decimal.h"
#include "heddle/Support/Nearest.h"
#include "heddle/Support/Time.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <cstring>

using namespace heddle;
using namespace heddle::text;
using llvm::StringRef;

std::string text::shown(StringRef text) {
  llvm::SmallString<48> out;
  text = text.take_until([](char c) { return c == '\n' || c == '\r'; });
  for (const char *q = text.begin(); q != text.end() && out.size() < 40;) {
    unsigned length = std::max(1u, printableLength(q, text.end()));
    out += *q == '\t' || static_cast<unsigned char>(*q) >= 0x20 ? StringRef(q, length) : "?";
    q += length;
  }
  if (out.size() < text.size())
    out += "...";
  return out.str().str();
}

//===----------------------------------------------------------------------===//
// Errors and recovery
//===----------------------------------------------------------------------===//

unsigned Scanner::lineOf(const char *at) {
  if (!lastPlace || at < lastPlace) {
    lastPlace = begin;
    lastLine = firstLine;
  }
  lastLine += std::count(lastPlace, at, '\n');
  lastPlace = at;
  return lastLine;
}

bool Scanner::fail(const char *at, StringRef id, const llvm::Twine &message) {
  // A caret needs the whole line, but an event's line may be of any length.
  constexpr size_t longestSnippet = 1000;
  if (stopped())
    return false;
  const char *line = at, *lineEnd = at;
  while (line != begin && line[-1] != '\n')
    --line;
  while (lineEnd != end && *lineEnd != '\n')
    ++lineEnd;
  Diagnostic d{Severity::Error, id.str(), message.str(), {}};
  d.place.file = name.str();
  d.place.offset = at - begin;
  d.place.line = lineOf(at);
  d.place.column = at - line + 1;
  if (static_cast<size_t>(lineEnd - line) <= longestSnippet)
    d.place.snippet = StringRef(line, lineEnd - line).rtrim('\r').str();
  errors.push_back(std::move(d));
  return false;
}

StringRef Scanner::nextToken() {
  skip();
  if (p == end)
    return "";
  const char *q = p;
  if (*q == '"') {
    ++q;
    while (q != end && *q != '"' && *q != '\n')
      q += *q == '\\' && q + 1 != end ? 2 : 1;
    q = q == end || *q == '\n' ? q : q + 1;
  } else if (isWordChar(*q)) {
    while (q != end && (isWordChar(*q) || *q == '.' || *q == '-'))
      ++q;
  } else {
    q += std::max(1u, printableLength(q, end));
  }
  return StringRef(p, q - p);
}

bool Scanner::failExpected(StringRef wanted) {
  StringRef token = nextToken();
  std::string got = token.empty()     ? "the end of the text"
                    : token[0] == '"' ? shown(token)
                                      : "'" + shown(token) + "'";
  std::string hint;
  if (wanted.size() > 3 && wanted.front() == '\'' && wanted.back() == '\'') {
    StringRef bare = wanted.drop_front().drop_back();
    hint = didYouMean(token, bare);
  }
  return fail(p, "text-expected", "expected " + wanted + ", got " + got + hint);
}

bool Scanner::failUnknown(const char *at, StringRef what, StringRef got,
                          llvm::ArrayRef<StringRef> known) {
  return fail(at, "text-unknown",
              "unknown " + what + " '" + shown(got) + "'" + didYouMean(got, known));
}

/// Where a scan over a faulty item stops: behind its last line, or before the '}' that closes the
/// block around it, or, `intoBlock`, at the '{' of its own block.
static const char *skipItem(const char *start, const char *fault, const char *end, bool intoBlock) {
  unsigned depth = 0;
  bool inBlock = false; // A line ended in '{': what follows up to its '}' belongs to the item.
  char last = 0;
  const char *q = start;
  for (; q != end; ++q) {
    char c = *q;
    if (c == '\n') {
      inBlock |= last == '{';
      inBlock &= depth != 0;
      if (q >= fault && !inBlock)
        return q;
    } else if (c == '"') {
      const char *close = q + 1;
      while (close != end && *close != '"' && *close != '\n')
        close += *close == '\\' && close + 1 != end ? 2 : 1;
      if (close < end && *close == '"')
        q = close;
    } else if (c == '/' && q + 1 != end && q[1] == '/') {
      const char *newline = static_cast<const char *>(std::memchr(q, '\n', end - q));
      if (!newline)
        return end;
      q = newline - 1;
      continue;
    } else if (c == '{') {
      if (intoBlock && q >= fault)
        return q;
      ++depth;
    } else if (c == '}') {
      if (depth == 0 && q >= fault)
        return q;
      depth -= depth != 0;
    }
    if (c != ' ' && c != '\t' && c != '\r')
      last = c;
  }
  return end;
}

/// Where reading failed: where the last good token ended, if the next one is in the way.
const char *Scanner::failedAt() const { return p == skippedTo ? skippedFrom : p; }

void Scanner::recover(const char *start) { p = skipItem(start, failedAt(), end, false); }

bool Scanner::recoverIntoBlock(const char *start) {
  p = skipItem(start, failedAt(), end, true);
  if (p == end || *p != '{')
    return false;
  ++p;
  return true;
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

void Scanner::skip() {
  if (p != end && *p > '/')
    return;
  const char *start = p;
  while (p != end) {
    if (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r') {
      ++p;
    } else if (*p == '/' && p + 1 != end && p[1] == '/') {
      const char *newline = static_cast<const char *>(std::memchr(p, '\n', end - p));
      p = newline ? newline : end;
    } else {
      break;
    }
  }
  if (p != start) {
    skippedFrom = start;
    skippedTo = p;
  }
}

bool Scanner::expect(char c) {
  if (accept(c))
    return true;
  char wanted[] = {'\'', c, '\''};
  return failExpected(StringRef(wanted, 3));
}

StringRef Scanner::word() {
  skip();
  const char *start = p;
  if (p != end && isWordStart(*p))
    while (p != end && (isWordChar(*p) || (*p == '-' && p + 1 != end && isWordChar(p[1]))))
      ++p;
  return StringRef(start, p - start);
}

bool Scanner::acceptWord(StringRef w) {
  skip();
  const char *start = p;
  if (word() == w)
    return true;
  p = start;
  return false;
}

bool Scanner::expectWord(StringRef w) {
  return acceptWord(w) || failExpected(("'" + w + "'").str());
}

bool Scanner::string(StringRef &out) {
  if (peek() != '"')
    return failExpected("a quoted string");
  const char *start = ++p;
  auto tooLong = [&] { return static_cast<uint64_t>(p - start) > limits.maxStringBytes; };
  while (p != end && *p != '"' && *p != '\\' && *p != '\n')
    ++p;
  if (p != end && *p == '"') {
    out = StringRef(start, p++ - start);
    return !tooLong() ||
           fail(start, "limit-exceeded",
                "a string is longer than " + llvm::Twine(limits.maxStringBytes) + " bytes");
  }
  unescaped.assign(start, p);
  while (p != end && *p != '"' && *p != '\n') {
    if (tooLong())
      return fail(start, "limit-exceeded",
                  "a string is longer than " + llvm::Twine(limits.maxStringBytes) + " bytes");
    if (*p != '\\') {
      unescaped.push_back(*p++);
      continue;
    }
    char c = end - p > 1 ? p[1] : '\n';
    if (c == 'x' && end - p > 3 && llvm::isHexDigit(p[2]) && llvm::isHexDigit(p[3])) {
      unescaped.push_back(
          static_cast<char>(llvm::hexDigitValue(p[2]) << 4 | llvm::hexDigitValue(p[3])));
      p += 4;
      continue;
    }
    if (c != '\\' && c != '"' && c != 'n' && c != 't' && c != 'r')
      return fail(p, "text-string",
                  "unknown escape '" + shown(StringRef(p, std::min<size_t>(end - p, 2))) +
                      "'; known are \\\\ \\\" \\n \\t \\r \\xNN");
    unescaped.push_back(c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c);
    p += 2;
  }
  if (p == end || *p != '"') {
    const char *lineEnd = p;
    p = start - 1;
    fail(p, "text-string", "the string has no closing '\"' on its line");
    p = lineEnd;
    return false;
  }
  ++p;
  out = unescaped;
  return true;
}

bool Scanner::string(std::string &out) {
  StringRef text;
  if (!string(text))
    return false;
  out = text.str();
  return true;
}

bool Scanner::key(StringRef &out) {
  if (peek() == '"')
    return string(out);
  out = word();
  return !out.empty() || failExpected("a key");
}

bool Scanner::failNumber(const char *start, StringRef wanted) {
  p = start;
  return failExpected(wanted);
}

bool Scanner::integer(int64_t &out) {
  skip();
  const char *start = p;
  bool negative = p != end && *p == '-';
  p += negative;
  if (p == end || !isDigit(*p))
    return failNumber(start, "an integer");
  uint64_t value = 0;
  bool overflow = false;
  for (; p != end && isDigit(*p); ++p)
    overflow |= __builtin_mul_overflow(value, uint64_t{10}, &value) |
                __builtin_add_overflow(value, static_cast<uint64_t>(*p - '0'), &value);
  if (p != end && (isWordChar(*p) || *p == '.'))
    return failNumber(start, "an integer");
  if (overflow || value > static_cast<uint64_t>(INT64_MAX) + negative)
    return fail(start, "text-number",
                "'" + shown(StringRef(start, p - start)) + "' does not fit into 64 bits");
  out = static_cast<int64_t>(negative ? 0 - value : value);
  return true;
}

bool Scanner::natural(uint64_t &out, uint64_t most) {
  skip();
  const char *start = p;
  uint64_t value = 0;
  bool overflow = false;
  for (; p != end && isDigit(*p); ++p)
    overflow |= __builtin_mul_overflow(value, uint64_t{10}, &value) |
                __builtin_add_overflow(value, static_cast<uint64_t>(*p - '0'), &value);
  if (p == start || (p != end && (isWordChar(*p) || *p == '.')))
    return failNumber(start, "a number from 0 up");
  if (overflow || value > most)
    return fail(start, "text-number",
                "'" + shown(StringRef(start, p - start)) + "' is beyond " + llvm::Twine(most));
  out = value;
  return true;
}

bool Scanner::boolean(bool &out) {
  if (acceptWord("true"))
    out = true;
  else if (acceptWord("false"))
    out = false;
  else
    return failExpected("true or false");
  return true;
}

bool Scanner::time(int64_t &out) {
  skip();
  const char *start = p;
  bool negative = p != end && *p == '-';
  p += negative;
  const char *digits = p;
  uint64_t value = 0;
  while (p != end && isDigit(*p) && p - digits < 18)
    value = value * 10 + static_cast<unsigned>(*p++ - '0');
  if (p != digits && (p == end || !(isWordChar(*p) || *p == '.'))) {
    out = static_cast<int64_t>(negative ? 0 - value : value);
    return true; // The printed form.
  }
  while (p != end && (isDigit(*p) || *p == '.'))
    ++p;
  std::optional<Decimal> number = parseDecimal(StringRef(start, p - start));
  if (p == digits)
    return failNumber(start, "a time");
  StringRef unit = p != end && isWordStart(*p) ? word() : "";
  StringRef all(start, p - start);
  unsigned power = unit == "us" ? 3 : unit == "ms" ? 6 : unit == "s" ? 9 : 0;
  if (power == 0 && unit != "ns" && !unit.empty())
    return failUnknown(p - unit.size(), "unit of time", unit, {"ns", "us", "ms", "s"});
  std::optional<int64_t> ns = number ? number->toScaled(power) : std::nullopt;
  if (!ns || *ns > kMaxAbsTimeNs || *ns < -kMaxAbsTimeNs)
    return fail(start, "text-time", "'" + shown(all) + "' is no time within 146 years");
  int64_t rest = number->mantissa;
  for (unsigned i = power; i < number->scale; ++i, rest /= 10)
    if (rest % 10 != 0)
      return fail(start, "text-time", "'" + shown(all) + "' is no whole number of nanoseconds");
  out = *ns;
  return true;
}

bool Scanner::label(StringRef &out) {
  if (!accept('%'))
    return failExpected("an event, as in %k0");
  const char *start = p;
  while (p != end && (isWordChar(*p) || *p == '.'))
    ++p;
  out = StringRef(start, p - start);
  return !out.empty() || failExpected("a name right after '%'");
}

bool Scanner::json(llvm::SmallVectorImpl<char> &out, bool scalars) {
  char c = peek();
  if (c == '#') {
    ++p;
    StringRef text;
    if (!expectWord("json") || !string(text))
      return false;
    out.append(text.begin(), text.end());
    return true;
  }
  if (!scalars && c != '[' && c != '{')
    return failExpected("'[', '{' or #json\"...\"");
  JsonFault fault;
  const char *start = p;
  if (const char *after = scanJson(StringRef(p, end - p), limits.maxNesting, out, fault)) {
    p = after;
    return static_cast<uint64_t>(after - start) <= limits.maxStringBytes ||
           fail(start, "limit-exceeded",
                "a nested value is longer than " + llvm::Twine(limits.maxStringBytes) + " bytes");
  }
  p = fault.at;
  if (fault.tooDeep)
    return fail(p, "limit-exceeded",
                "a value is nested deeper than " + llvm::Twine(limits.maxNesting));
  return fail(p, "text-json",
              llvm::Twine("expected ") + fault.wanted + " in a nested value, got " +
                  (p == end ? "the end of the text" : "'" + shown(nextToken()) + "'"));
}
