//===- Clock.h - Exact microseconds to nanoseconds --------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// ts and dur are decimal microseconds. They become integer nanoseconds by exact arithmetic,
/// rounded once, half to even.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_IMPORT_CLOCK_H
#define HEDDLE_LIB_IMPORT_CLOCK_H

#include "Lexer.h"
#include "Wide.h"

namespace heddle::chrome {

/// A number as it was written, in microseconds: mantissa / 10^scale.
struct Micros {
  Int128 mantissa = 0;
  unsigned scale = 0; ///< At most 18.

  bool negative() const { return mantissa < 0; }
  /// The sum, exactly; both must be within +-10^20 microseconds.
  friend Micros operator+(Micros a, Micros b);
  /// Nanoseconds, rounded half to even; nullopt beyond what Time may hold.
  std::optional<int64_t> toNanoseconds() const;
};

/// The microseconds that a token stands for: numbers of any spelling, numbers in strings, and
/// negative numbers that were printed in two parts ("-5.-123" is -5123 ns). nullopt for the rest
/// and for what lies beyond 10^20.
std::optional<Micros> parseMicros(const Token &t);

} // namespace heddle::chrome

#endif
