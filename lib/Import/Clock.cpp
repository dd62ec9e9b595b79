//===- Clock.cpp - Exact microseconds to nanoseconds ----------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Clock.h"
#include "heddle/Support/Time.h"

using namespace llvm;

namespace heddle::chrome {

static constexpr unsigned kMaxScale = 18;

static Int128 power(unsigned n) {
  Int128 r = 1;
  while (n--)
    r *= 10;
  return r;
}

Micros operator+(Micros a, Micros b) {
  unsigned scale = std::max(a.scale, b.scale);
  return {a.mantissa * power(scale - a.scale) + b.mantissa * power(scale - b.scale), scale};
}

std::optional<int64_t> Micros::toNanoseconds() const {
  Int128 ns;
  if (scale <= 3) {
    ns = mantissa * power(3 - scale);
  } else {
    Int128 unit = power(scale - 3), magnitude = mantissa < 0 ? -mantissa : mantissa;
    Int128 rest = magnitude % unit;
    ns = magnitude / unit;
    if (rest * 2 > unit || (rest * 2 == unit && (ns & 1)))
      ++ns;
    if (mantissa < 0)
      ns = -ns;
  }
  // Half of the range: a difference of two times still fits.
  if (ns > kMaxAbsTimeNs / 2 || ns < -kMaxAbsTimeNs / 2)
    return std::nullopt;
  return static_cast<int64_t>(ns);
}

/// A JSON number with or without exponent.
static std::optional<Micros> parseNumberText(StringRef t) {
  Micros m;
  bool minus = t.consume_front("-"), point = false, any = false;
  int exponent = 0;
  size_t i = 0;
  for (; i < t.size() && (isDigit(t[i]) || (t[i] == '.' && !point)); ++i) {
    if (t[i] == '.') {
      point = true;
      continue;
    }
    any = true;
    if (m.mantissa < power(25)) // further digits are below any resolution
      m.mantissa = m.mantissa * 10 + (t[i] - '0');
    else
      ++exponent;
    exponent -= point;
  }
  if (!any)
    return std::nullopt;
  t = t.drop_front(i);
  if (t.consume_front("e") || t.consume_front("E")) {
    t.consume_front("+");
    int e;
    if (t.getAsInteger(10, e) || e > 1000 || e < -1000)
      return std::nullopt;
    exponent += e;
    t = "";
  }
  if (!t.empty())
    return std::nullopt;
  for (; exponent > 0; --exponent) {
    if (m.mantissa > power(20))
      return std::nullopt;
    m.mantissa *= 10;
  }
  for (; exponent < -static_cast<int>(kMaxScale); ++exponent)
    m.mantissa /= 10;
  m.scale = static_cast<unsigned>(-exponent);
  if (minus)
    m.mantissa = -m.mantissa;
  return m;
}

std::optional<Micros> parseMicros(const Token &t) {
  std::optional<Micros> m;
  if (t.type == ValueType::Int || t.type == ValueType::Decimal)
    return Micros{t.number, t.scale};
  if (t.type != ValueType::String && t.type != ValueType::Raw)
    return std::nullopt;
  StringRef text = t.text.trim();
  StringRef whole = text, part;
  if (size_t i = text.find(".-"); i != StringRef::npos) {
    whole = text.take_front(i);
    part = text.drop_front(i + 2);
    whole.consume_front("-");
    uint64_t us, ns;
    if (whole.getAsInteger(10, us) || part.getAsInteger(10, ns) || ns > 999 ||
        us > uint64_t{1} << 60)
      return std::nullopt;
    return Micros{-(static_cast<Int128>(us) * 1000 + ns), 3};
  }
  m = parseNumberText(text);
  if (m &&
      (m->mantissa > power(20) * power(m->scale) || m->mantissa < -power(20) * power(m->scale)))
    return std::nullopt;
  return m;
}

} // namespace heddle::chrome
