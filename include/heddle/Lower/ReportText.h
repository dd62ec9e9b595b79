//===- heddle/Lower/ReportText.h - Figures and names for people -*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// How the report writes figures so that what is shown adds up, and names so that a terminal is
/// safe from them. Pure functions of their arguments; `summary` uses them too, so that a sentence
/// and the table beside it show the same figures.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LOWER_REPORTTEXT_H
#define HEDDLE_LOWER_REPORTTEXT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// Splits `target` units over `parts` (none negative) in proportion, by largest remainder; of equal
/// remainders the earlier part wins. The result sums to `target`, unless all parts are 0: then it
/// is all 0. A part of 0 gets 0. O(n log n).
std::vector<int64_t> apportion(llvm::ArrayRef<int64_t> parts, int64_t target);

/// How times of one window are shown: multiples of `quantum` ns with `decimals` digits of `name`.
struct TimeScale {
  llvm::StringRef name = "ms"; ///< The unit.
  int64_t quantum = 10000;     ///< ns; the least step that is shown.
  unsigned decimals = 2;       ///< Digits behind the point.
  /// The nearest number of quanta, half up.
  int64_t steps(int64_t ns) const;
  /// "87.13" for 8713 quanta; thousands are separated by commas.
  std::string number(int64_t steps) const;
  /// "87.13 ms".
  std::string text(int64_t steps) const { return number(steps) + " " + name.str(); }
};

/// The scale for a window of this length: us below 2 ms, s from 100 s, else ms. Where stamps have
/// a resolution of 1 us, nothing below that is shown.
TimeScale timeScale(int64_t windowNs, bool microseconds);

/// Parts of a whole as shown: quanta of time and tenths of a percent, each column closed.
struct Shown {
  std::vector<int64_t> steps;  ///< Sums to the whole's steps.
  std::vector<int64_t> tenths; ///< Sums to the whole's tenths.
};
/// Splits both figures of a whole over its parts.
Shown closeColumns(llvm::ArrayRef<int64_t> parts, int64_t wholeSteps, int64_t wholeTenths);
/// Likewise, but parts of the same group (numbers from 0 up) are rounded together first, so that a
/// sentence about a group and the rows of its parts agree with each other and with the figures.
Shown closeGroups(llvm::ArrayRef<int64_t> parts, llvm::ArrayRef<unsigned> groups,
                  int64_t wholeSteps, int64_t wholeTenths);
/// Likewise for the parts of a window, the last of which is idle time: busy is the nearest figure,
/// as wherever it is shown by itself, idle is the rest of the window, then busy is split.
Shown closeWindow(llvm::ArrayRef<int64_t> parts, const TimeScale &scale);

/// "9.9 %" for 99 tenths.
std::string percentText(int64_t tenths);
/// part / whole in tenths of a percent, half up; nullopt where there is no whole.
std::optional<int64_t> tenthsOf(int64_t part, int64_t whole);
/// "24,656".
std::string countText(int64_t n);
/// A time by itself with three or four digits: "181 ns", "3.0 us", "94 us", "2.64 ms", "95.7 s".
std::string timeText(int64_t ns);
/// "8 B", "5.1 MB" (powers of ten).
std::string bytesText(int64_t bytes);
/// "1 step", "3 steps".
std::string plural(int64_t n, llvm::StringRef noun);

/// A name from a trace, made safe: control characters and invalid UTF-8 as \xNN, a backslash that
/// precedes one of those spellings doubled; without `unicode` other code points as \u{NN}.
std::string safeName(llvm::StringRef name, bool unicode);
/// Columns that a safe text takes on a terminal.
unsigned textWidth(llvm::StringRef safe);
/// At most `width` columns of a safe text; what is cut shows as "..." at its end (or, for paths,
/// at its front).
std::string fitText(llvm::StringRef safe, unsigned width, bool cutFront = false);
/// Filled up with blanks on the right or left; longer text stays as it is.
std::string padRight(llvm::StringRef safe, unsigned width);
/// The same with the blanks on the left.
std::string padLeft(llvm::StringRef safe, unsigned width);
/// Lines of at most `width` columns, broken at blanks; a word that is longer is cut. Never empty.
std::vector<std::string> wrapText(llvm::StringRef safe, unsigned width);

} // namespace heddle

#endif
