//===- Decimal.cpp - Decimal numbers as written ---------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/Support/Decimal.h"
#include <cmath>

using namespace heddle;

static constexpr int64_t kPow10[] = {1,
                                     10,
                                     100,
                                     1000,
                                     10000,
                                     100000,
                                     1000000,
                                     10000000,
                                     100000000,
                                     1000000000,
                                     10000000000,
                                     100000000000,
                                     1000000000000,
                                     10000000000000,
                                     100000000000000,
                                     1000000000000000,
                                     10000000000000000,
                                     100000000000000000,
                                     1000000000000000000};
static constexpr unsigned kMaxScale = 18;

double Decimal::toDouble() const {
  return static_cast<double>(mantissa) / static_cast<double>(kPow10[scale]);
}

std::optional<int64_t> Decimal::toScaled(unsigned power) const {
  if (power >= scale) {
    unsigned up = power - scale;
    int64_t r;
    if (up > kMaxScale || __builtin_mul_overflow(mantissa, kPow10[up], &r))
      return std::nullopt;
    return r;
  }
  // Round half to even on the magnitude, so that negative numbers mirror positive ones.
  uint64_t unit = static_cast<uint64_t>(kPow10[scale - power]);
  uint64_t magnitude = mantissa < 0 ? 0 - static_cast<uint64_t>(mantissa) : mantissa;
  uint64_t quotient = magnitude / unit, rest = magnitude % unit, half = unit / 2;
  if (rest > half || (rest == half && (quotient & 1)))
    ++quotient;
  return mantissa < 0 ? -static_cast<int64_t>(quotient) : static_cast<int64_t>(quotient);
}

void Decimal::print(llvm::SmallVectorImpl<char> &out) const {
  char digits[24];
  unsigned n = 0;
  uint64_t magnitude = mantissa < 0 ? 0 - static_cast<uint64_t>(mantissa) : mantissa;
  do {
    digits[n++] = static_cast<char>('0' + magnitude % 10);
    magnitude /= 10;
  } while (magnitude || n <= scale);
  if (mantissa < 0)
    out.push_back('-');
  while (n) {
    if (n == scale)
      out.push_back('.');
    out.push_back(digits[--n]);
  }
}

std::optional<Decimal> heddle::parseDecimal(llvm::StringRef text) {
  const char *p = text.begin(), *end = text.end();
  bool negative = p != end && *p == '-';
  p += negative;
  if (p == end || *p < '0' || *p > '9')
    return std::nullopt;
  if (*p == '0' && p + 1 != end && p[1] != '.')
    return std::nullopt;
  uint64_t value = 0;
  unsigned scale = 0;
  bool point = false;
  for (; p != end; ++p) {
    if (*p == '.') {
      if (point || p + 1 == end)
        return std::nullopt;
      point = true;
      continue;
    }
    unsigned digit = static_cast<unsigned char>(*p) - '0';
    if (digit > 9 || scale + point > kMaxScale)
      return std::nullopt;
    scale += point;
    if (__builtin_mul_overflow(value, uint64_t{10}, &value) ||
        __builtin_add_overflow(value, uint64_t{digit}, &value))
      return std::nullopt;
  }
  uint64_t limit = static_cast<uint64_t>(INT64_MAX) + negative;
  if (value > limit || (negative && value == 0))
    return std::nullopt;
  return Decimal{static_cast<int64_t>(negative ? 0 - value : value), static_cast<uint8_t>(scale)};
}
