//===- Lexer.h - Lenient JSON tokens over a window of text ------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// The lexer reads tokens from a window that may end anywhere: a token that does not fit asks for
/// more text and is read again from its start. Strict JSON reads as itself; what is not strict is
/// read by fixed rules, and each mend is noted in `found`. No recursion: nested values are scanned
/// with a stack of brackets.
///
/// The byte at `end` and at least kPadding bytes after it can be read and are 0.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_IMPORT_LEXER_H
#define HEDDLE_LIB_IMPORT_LEXER_H

#include "Repair.h"
#include "heddle/IR/Layout.h"
#include "heddle/Support/Limits.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Allocator.h"
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace heddle::chrome {

inline constexpr size_t kPadding = 64;

enum class Scan : uint8_t {
  Ok,
  More, ///< The window ends first; never when it is the last.
  Bad,  ///< Cannot be read even leniently; or the text ends (`truncated`); or a limit is met.
};

/// Where a string stands: what may follow it differs.
enum class Where : uint8_t { Key, Member, Element };

struct Token {
  Scope scope = Scope::Event;
  ValueType type = ValueType::Null; ///< Int..Null, or Args for an args object.
  uint8_t scale = 0;                ///< Decimal.
  bool plain = false;               ///< A string whose bytes are those between its quotes.
  int64_t number = 0;               ///< Int, Decimal: the mantissa. Bool: 0 / 1.
  llvm::StringRef key;              ///< Decoded.
  llvm::StringRef text;             ///< String: decoded. List: canonical. Raw: as written.
  llvm::StringRef raw;              ///< The value as it stands in the window.
};

/// One event: its tokens in source order; an args object is followed by its members.
struct EventText {
  llvm::SmallVector<Token, 32> tokens;
  llvm::StringRef raw;
  bool learnable = false; ///< Nothing was mended and the keys have no escapes.
};

inline bool isSpace(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
inline bool isDigit(char c) { return static_cast<unsigned char>(c - '0') <= 9; }
/// What may follow a number or a word.
inline bool isDelimiter(char c) { return c == ',' || c == '}' || c == ']' || isSpace(c); }

/// The first '"', '\\', byte below 0x20 or byte from 0x80 on at or after p.
inline const char *findSpecial(const char *p) {
#if defined(__SSE2__)
  const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\'), low = _mm_set1_epi8(0x20);
  for (;; p += 16) {
    __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i *>(p));
    // Signed: bytes from 0x80 on are below 0x20 too.
    __m128i hit = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(v, quote), _mm_cmpeq_epi8(v, slash)),
                               _mm_cmplt_epi8(v, low));
    if (int mask = _mm_movemask_epi8(hit))
      return p + __builtin_ctz(static_cast<unsigned>(mask));
  }
#else
  for (;; ++p)
    if (*p == '"' || *p == '\\' || static_cast<signed char>(*p) < 0x20)
      return p;
#endif
}

/// Parses a number as parseDecimal does, without looking at what follows it. False, p unchanged,
/// for what is no decimal or has too many digits; an exponent is left standing.
inline bool parseNumber(const char *&p, int64_t &mantissa, uint8_t &scale) {
  const char *q = p;
  bool negative = *q == '-';
  q += negative;
  if (!isDigit(*q) || (*q == '0' && isDigit(q[1])))
    return false;
  const char *digits = q;
  uint64_t value = 0;
  while (isDigit(*q))
    value = value * 10 + static_cast<unsigned char>(*q++ - '0');
  size_t count = static_cast<size_t>(q - digits);
  uint8_t fraction = 0;
  if (*q == '.') {
    const char *point = q++;
    while (isDigit(*q))
      value = value * 10 + static_cast<unsigned char>(*q++ - '0');
    size_t n = static_cast<size_t>(q - point) - 1;
    if (n == 0 || n > 18)
      return false;
    count += n;
    fraction = static_cast<uint8_t>(n);
  }
  if (count > 19 || value > INT64_MAX || (negative && value == 0))
    return false; // parseDecimal decides; 19 digits do not overflow
  mantissa = negative ? -static_cast<int64_t>(value) : static_cast<int64_t>(value);
  scale = fraction;
  p = q;
  return true;
}

class Lexer {
public:
  explicit Lexer(const Limits &limits) : limits(limits) {}

  /// Sets the window. Strings that tokens point at live until the next `reset`.
  void window(const char *windowEnd, bool isLast) { end = windowEnd, last = isLast; }
  /// Forgets the tokens and repairs of the last event.
  void reset() {
    arena.Reset();
    found.clear();
    truncated = tooDeep = tooLong = lost = false;
  }

  /// An event; p at '{', on Ok after its '}'.
  Scan event(const char *&p, EventText &out);
  /// A string; p after the opening quote, on Ok after the closing one.
  Scan string(const char *&p, Where where, llvm::StringRef &text);
  /// Any value, nested ones as canonical text; p at its first character.
  Scan value(const char *&p, Where where, Token &out);
  /// A list or object in canonical spacing; p at its bracket.
  Scan nested(const char *&p, llvm::StringRef &canonical);
  /// A key and its colon; p at the quote, on Ok at the value's first character.
  Scan key(const char *&p, llvm::StringRef &text);
  /// Skips white space; More at the end of a window that is not the last.
  Scan space(const char *&p) {
    while (isSpace(*p))
      ++p;
    return p == end ? atEnd() : Scan::Ok;
  }
  /// The value as JSON in canonical spacing: strings that were mended are escaped anew.
  llvm::StringRef canonical(const Token &t);

  llvm::SmallVector<Repair, 8> found; ///< Mends since the last reset.
  bool truncated = false;             ///< Bad because the text ends.
  bool tooDeep = false;               ///< Bad because of Limits::maxNesting.
  bool tooLong = false;               ///< Bad because of Limits::maxStringBytes.
  /// How long a string may be in which a quote was taken for no end; set before each event.
  size_t quoteReach = 0;
  bool lost = false; ///< Bad because of quoteReach.
  /// Is a string of this size within the limit?
  bool fits(size_t size) const { return size <= limits.maxStringBytes; }

private:
  Scan atEnd() {
    truncated |= last;
    return last ? Scan::Bad : Scan::More;
  }
  Scan slowString(const char *start, const char *&p, Where where, llvm::StringRef &text);
  Scan closes(const char *quote, Where where);
  Scan word(const char *&p, Token &out);
  Scan escape(const char *&p, Where where, llvm::SmallVectorImpl<char> &out, bool &closed);
  llvm::StringRef keep(llvm::StringRef text);

  Limits limits;
  const char *end = nullptr;
  bool last = false;
  llvm::BumpPtrAllocator arena;
  llvm::SmallString<256> scratch, nestedText;
  llvm::SmallVector<bool, 64> brackets; ///< True for an object.
};

} // namespace heddle::chrome

#endif
