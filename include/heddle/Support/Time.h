//===- heddle/Support/Time.h - Strong time types ----------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Time and Duration: int64 nanoseconds that cannot be mixed up. Intervals are half-open
/// [begin, end). Arithmetic saturates nowhere: readers keep values within +-2^62, so that a
/// difference of two times always fits.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_SUPPORT_TIME_H
#define HEDDLE_SUPPORT_TIME_H

#include <compare>
#include <cstdint>

namespace heddle {

/// A length of time in nanoseconds; may be negative (a delay).
struct Duration {
  int64_t ns = 0; ///< Nanoseconds.
  friend constexpr auto operator<=>(Duration, Duration) = default;
  friend constexpr Duration operator+(Duration a, Duration b) { return {a.ns + b.ns}; }
  friend constexpr Duration operator-(Duration a, Duration b) { return {a.ns - b.ns}; }
  constexpr Duration &operator+=(Duration b) { return ns += b.ns, *this; }
  constexpr Duration &operator-=(Duration b) { return ns -= b.ns, *this; }
};

/// a + b, held at the ends of the range: for sums over any number of spans.
constexpr Duration addClamped(Duration a, Duration b) {
  Duration sum;
  if (!__builtin_add_overflow(a.ns, b.ns, &sum.ns))
    return sum;
  return {b.ns > 0 ? INT64_MAX : INT64_MIN};
}

/// A point in time in nanoseconds, relative to the origin of the recording it stands in.
struct Time {
  int64_t ns = 0; ///< Nanoseconds.
  friend constexpr auto operator<=>(Time, Time) = default;
  friend constexpr Time operator+(Time t, Duration d) { return {t.ns + d.ns}; }
  friend constexpr Time operator-(Time t, Duration d) { return {t.ns - d.ns}; }
  friend constexpr Duration operator-(Time a, Time b) { return {a.ns - b.ns}; }
};

/// A half-open interval [begin, end). Empty when end <= begin.
struct Interval {
  Time begin, end; ///< The first instant inside, and the first behind it.
  friend constexpr bool operator==(Interval, Interval) = default;
  /// Never negative.
  constexpr Duration length() const { return end > begin ? end - begin : Duration{}; }
  /// True if no instant is inside.
  constexpr bool empty() const { return end <= begin; }
  /// True if the instant is inside.
  constexpr bool contains(Time t) const { return begin <= t && t < end; }
  /// What both hold; empty if they share nothing.
  constexpr Interval meet(Interval o) const {
    return {begin > o.begin ? begin : o.begin, end < o.end ? end : o.end};
  }
};

/// Readers refuse or quarantine times beyond this magnitude (146 years).
inline constexpr int64_t kMaxAbsTimeNs = (int64_t{1} << 62) - 1;

} // namespace heddle

#endif
