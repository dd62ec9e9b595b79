//===- Lexer.cpp - Lenient JSON tokens: strings and words -----------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Lexer.h"
#include "heddle/Support/Utf8.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

using namespace llvm;

namespace heddle::chrome {

StringRef repairName(Repair r) {
  static constexpr StringLiteral names[kNumRepairs] = {
      "absurd-duration",   "bad-token",        "broken-tail",      "byte-order-mark",
      "control-character", "duplicate-key",    "empty-event",      "invalid-utf8",
      "missing-comma",     "missing-duration", "missing-name",     "negative-duration",
      "not-a-number",      "null-args",        "quoted-number",    "skipped-event",
      "split-negative",    "stray-comma",      "trailing-garbage", "trailing-gzip",
      "truncated",         "truncated-gzip",   "unclosed-array",   "unescaped-quote",
      "unknown-escape"};
  return names[static_cast<unsigned>(r)];
}

StringRef Lexer::keep(StringRef text) {
  char *copy = arena.Allocate<char>(text.size());
  std::copy(text.begin(), text.end(), copy);
  return StringRef(copy, text.size());
}

//===----------------------------------------------------------------------===//
// Strings
//===----------------------------------------------------------------------===//

/// How far a key is looked for behind a quote that may close a value.
static constexpr ptrdiff_t kKeyReach = 4096;

/// Does the quote at `quote` end the string? In strict JSON every unescaped quote does, and each
/// rule here agrees: after a key comes a colon, after a member a closing brace or a comma and the
/// next key, after an element a bracket or a comma and a value.
Scan Lexer::closes(const char *quote, Where where) {
  const char *q = quote + 1;
  while (isSpace(*q))
    ++q;
  if (q == end)
    return last ? Scan::Ok : Scan::More;
  if (where == Where::Key)
    return *q == ':' ? Scan::Ok : Scan::Bad;
  if (*q == (where == Where::Member ? '}' : ']'))
    return Scan::Ok;
  if (*q != ',')
    return Scan::Bad;
  while (isSpace(*q) || *q == ',')
    ++q;
  if (q == end)
    return last ? Scan::Ok : Scan::More;
  if (where == Where::Element)
    return *q == '"' || *q == '[' || *q == '{' || *q == ']' || *q == '-' || isAlnum(*q) ? Scan::Ok
                                                                                        : Scan::Bad;
  if (*q == '}')
    return Scan::Ok;
  // A key, which some writer may have left without its opening quote.
  q += *q == '"';
  for (const char *stop = q + std::min(kKeyReach, end - q); q < stop; ++q) {
    if (*q == '\\')
      ++q;
    else if (*q == '"') {
      for (++q; isSpace(*q); ++q)
        ;
      if (q == end)
        break;
      return *q == ':' ? Scan::Ok : Scan::Bad;
    }
  }
  return q >= end && !last ? Scan::More : Scan::Ok;
}

Scan Lexer::string(const char *&p, Where where, StringRef &text) {
  const char *start = p, *q = p;
  bool wide = false;
  for (;;) {
    q = findSpecial(q);
    if (static_cast<signed char>(*q) < 0) {
      wide = true;
      ++q;
      continue;
    }
    if (*q != '"')
      break;
    Scan s = closes(q, where);
    if (s == Scan::More)
      return s;
    if (s == Scan::Bad)
      break;
    text = StringRef(start, static_cast<size_t>(q - start));
    if (!fits(text.size())) {
      tooLong = true;
      return Scan::Bad;
    }
    p = q + 1;
    if (wide) {
      auto *u = reinterpret_cast<const UTF8 *>(text.begin());
      if (!isLegalUTF8String(&u, reinterpret_cast<const UTF8 *>(text.end())))
        found.push_back(Repair::InvalidUtf8);
    }
    return Scan::Ok;
  }
  p = q;
  return slowString(start, p, where, text);
}

/// Four hex digits at p, or -1.
static int hex4(const char *p) {
  unsigned v = 0;
  for (int i = 0; i < 4; ++i) {
    unsigned d = hexDigitValue(p[i]);
    if (d > 15)
      return -1;
    v = v * 16 + d;
  }
  return static_cast<int>(v);
}

/// p at a backslash, afterwards behind the escape. `closed`: it was a backslash before the end.
Scan Lexer::escape(const char *&p, Where where, SmallVectorImpl<char> &out, bool &closed) {
  if (end - p < 14 && !last)
    return Scan::More; // two \uXXXX and a look at what follows
  if (p + 1 >= end)
    return atEnd();
  char c = p[1];
  static constexpr StringLiteral from = "\"\\/bfnrt", to = "\"\\/\b\f\n\r\t";
  if (c == 'u') {
    int high = hex4(p + 2);
    if (high >= 0) {
      p += 6;
      int low = p[0] == '\\' && p[1] == 'u' ? hex4(p + 2) : -1;
      if (high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 && low < 0xe000) {
        p += 6;
        appendUtf8(out, 0x10000 + ((static_cast<unsigned>(high) - 0xd800) << 10 |
                                   (static_cast<unsigned>(low) - 0xdc00)));
      } else {
        appendUtf8(out, static_cast<unsigned>(high));
      }
      return Scan::Ok;
    }
  } else if (c == '"' && where == Where::Member) {
    // A Windows folder ends in a backslash: then a comma, a key, and a colon follow the quote. In
    // a string that goes on, the quote before such a key would have ended it.
    const char *q = p + 2;
    while (isSpace(*q))
      ++q;
    if (*q == ',') {
      Scan s = closes(p + 1, where);
      if (s == Scan::More)
        return s;
      if (s == Scan::Ok && (q = findSpecial(q)) < end && *q == '"' &&
          (q = findSpecial(q + 1)) < end && *q == '"') {
        found.push_back(Repair::UnknownEscape);
        out.push_back('\\');
        p += 2;
        closed = true;
        return Scan::Ok;
      }
    }
    out.push_back('"');
    p += 2;
    return Scan::Ok;
  } else if (size_t i = from.find(c); i != StringRef::npos) {
    out.push_back(to[i]);
    p += 2;
    return Scan::Ok;
  }
  found.push_back(Repair::UnknownEscape);
  out.push_back('\\');
  ++p; // what follows stands for itself
  return Scan::Ok;
}

Scan Lexer::slowString(const char *start, const char *&p, Where where, StringRef &text) {
  size_t mends = found.size();
  scratch.assign(start, p);
  bool closed = false, quoted = false;
  while (!closed) {
    const char *q = findSpecial(p);
    scratch.append(p, q);
    p = q;
    if (!fits(static_cast<size_t>(p - start))) {
      tooLong = true;
      return Scan::Bad;
    }
    if (quoted && static_cast<size_t>(p - start) > quoteReach) {
      lost = true;
      return Scan::Bad;
    }
    unsigned char c = static_cast<unsigned char>(*p);
    Scan s = Scan::Ok;
    if (c == '"') {
      s = closes(p, where);
      if (s == Scan::Bad) {
        found.push_back(Repair::UnescapedQuote);
        quoted = true;
        scratch.push_back('"');
        s = Scan::Ok;
      } else {
        closed = s == Scan::Ok;
      }
      ++p;
    } else if (c == '\\') {
      s = escape(p, where, scratch, closed);
    } else if (c >= 0x80) {
      scratch.push_back(*p++);
    } else if (p == end) {
      s = atEnd();
    } else {
      found.push_back(Repair::ControlCharacter);
      scratch.push_back(*p++);
    }
    if (s != Scan::Ok)
      return s;
  }
  // One kind is counted once a string.
  for (size_t i = mends; i < found.size(); ++i)
    found.erase(std::remove(found.begin() + static_cast<ptrdiff_t>(i) + 1, found.end(), found[i]),
                found.end());
  auto *u = reinterpret_cast<const UTF8 *>(scratch.begin());
  // Lone surrogates come from escapes and are no fault of the bytes.
  StringRef bytes(start, static_cast<size_t>(p - start));
  auto *r = reinterpret_cast<const UTF8 *>(bytes.begin());
  if (!isLegalUTF8String(&u, reinterpret_cast<const UTF8 *>(scratch.end())) &&
      !isLegalUTF8String(&r, reinterpret_cast<const UTF8 *>(bytes.end())))
    found.push_back(Repair::InvalidUtf8);
  text = keep(scratch);
  return Scan::Ok;
}

//===----------------------------------------------------------------------===//
// Words and values
//===----------------------------------------------------------------------===//

static bool isJsonNumber(StringRef t) {
  t.consume_front("-");
  auto digits = [&t] {
    size_t n = t.find_if_not(isDigit);
    n = std::min(n, t.size());
    t = t.drop_front(n);
    return n;
  };
  bool zero = t.starts_with("0");
  size_t n = digits();
  if (n == 0 || (zero && n > 1) || (t.consume_front(".") && digits() == 0))
    return false;
  if (t.consume_front("e") || t.consume_front("E")) {
    if (!t.consume_front("+"))
      t.consume_front("-");
    if (digits() == 0)
      return false;
  }
  return t.empty();
}

static bool isSplitNegative(StringRef t) {
  t.consume_front("-");
  auto [whole, part] = t.split('.');
  return part.consume_front("-") && !whole.empty() && !part.empty() && all_of(whole, isDigit) &&
         all_of(part, isDigit);
}

/// A word: everything up to a delimiter.
Scan Lexer::word(const char *&p, Token &out) {
  const char *q = p;
  while (!isDelimiter(*q) && *q != '"' && *q != ':' && *q != '[' && *q != '{' && q != end)
    ++q;
  if (q == end)
    return atEnd();
  if (!isDelimiter(*q))
    return Scan::Bad;
  StringRef t(p, static_cast<size_t>(q - p));
  out.raw = out.text = t;
  out.number = 0;
  if (t == "null") {
    out.type = ValueType::Null;
  } else if (t == "true" || t == "false") {
    out.type = ValueType::Bool;
    out.number = t == "true";
  } else if (auto d = parseDecimal(t)) {
    out.type = d->scale ? ValueType::Decimal : ValueType::Int;
    out.number = d->mantissa;
    out.scale = d->scale;
  } else if (t.empty()) {
    out.type = ValueType::Null;
    found.push_back(Repair::BadToken);
  } else {
    out.type = ValueType::Raw;
    StringRef magnitude = t;
    if (!magnitude.consume_front("-"))
      magnitude.consume_front("+");
    std::string lower = magnitude.lower();
    if (lower == "nan" || lower == "inf" || lower == "infinity" || lower == "n/a")
      found.push_back(Repair::NotANumber);
    else if (isSplitNegative(t))
      found.push_back(Repair::SplitNegative);
    else if (!isJsonNumber(t))
      found.push_back(Repair::BadToken);
  }
  p = q;
  return Scan::Ok;
}

Scan Lexer::value(const char *&p, Where where, Token &out) {
  const char *start = p;
  out.scale = 0;
  switch (*p) {
  case '"': {
    size_t mends = found.size();
    ++p;
    Scan s = string(p, where, out.text);
    if (s != Scan::Ok)
      return s;
    out.type = ValueType::String;
    out.raw = StringRef(start, static_cast<size_t>(p - start));
    out.plain = out.text.data() == start + 1 && found.size() == mends;
    return s;
  }
  case '[':
  case '{': {
    Scan s = nested(p, out.text);
    out.type = ValueType::List;
    out.raw = StringRef(start, static_cast<size_t>(p - start));
    return s;
  }
  default:
    if (parseNumber(p, out.number, out.scale) && isDelimiter(*p)) {
      out.type = out.scale ? ValueType::Decimal : ValueType::Int;
      out.raw = StringRef(start, static_cast<size_t>(p - start));
      return Scan::Ok;
    }
    p = start;
    return word(p, out);
  }
}

} // namespace heddle::chrome
