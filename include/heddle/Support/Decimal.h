//===- heddle/Support/Decimal.h - Decimal numbers as written ----*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Decimal: a JSON number as mantissa and scale, which prints back byte for byte, trailing zeros
/// included. Numbers with an exponent, "-0", "-0.0", or a mantissa beyond int64 are not decimals:
/// their text is kept raw.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_SUPPORT_DECIMAL_H
#define HEDDLE_SUPPORT_DECIMAL_H

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace heddle {

/// The value mantissa / 10^scale, spelled with exactly `scale` digits after the point.
struct Decimal {
  int64_t mantissa = 0; ///< All digits, without the point.
  uint8_t scale = 0;    ///< 0..18; 0 prints without a point.
  friend bool operator==(const Decimal &, const Decimal &) = default;

  /// Nearest double; exact text stays in the mantissa.
  double toDouble() const;
  /// The decimal times 10^power, rounded half to even to an integer; nullopt on overflow.
  /// `toScaled(3)` turns microseconds into nanoseconds.
  std::optional<int64_t> toScaled(unsigned power) const;
  /// Appends the number as it was written.
  void print(llvm::SmallVectorImpl<char> &out) const;
};

/// Parses a number that JSON's grammar allows and that prints back byte for byte; nullopt for
/// every other text. O(length), no allocation.
std::optional<Decimal> parseDecimal(llvm::StringRef text);

} // namespace heddle

#endif
