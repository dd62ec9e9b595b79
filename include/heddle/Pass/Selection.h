//===- heddle/Pass/Selection.h - Which part to look at ----------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// --rank, --device, --steps, --window as the user gave them. Passes look at all events but
/// report only what is selected; `ranks` is applied by the driver before anything runs.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_PASS_SELECTION_H
#define HEDDLE_PASS_SELECTION_H

#include "heddle/Support/Time.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heddle {

/// What of the job the user wants to see.
struct Selection {
  std::vector<std::pair<int64_t, int64_t>> ranks, devices, steps; ///< Inclusive; empty = all.
  std::optional<Interval> window; ///< --window=BEGIN..END, relative to the recording's origin.
  std::string windowName; ///< --window=NAME: the span of the annotation of that name; "" = none.

  /// True if a rank of this number is selected.
  bool wantsRank(int64_t r) const { return matches(ranks, r); }
  /// True if a device of this number is.
  bool wantsDevice(int64_t d) const { return matches(devices, d); }
  /// True if a step of this number is.
  bool wantsStep(int64_t s) const { return matches(steps, s); }
  /// True if anything is left out.
  bool any() const {
    return !ranks.empty() || !devices.empty() || !steps.empty() || window || !windowName.empty();
  }

private:
  static bool matches(const std::vector<std::pair<int64_t, int64_t>> &rs, int64_t v) {
    if (rs.empty())
      return true;
    for (auto [lo, hi] : rs)
      if (lo <= v && v <= hi)
        return true;
    return false;
  }
};

/// "2-4", "2,5-7": inclusive ranges. Usage error otherwise.
llvm::Expected<std::vector<std::pair<int64_t, int64_t>>> parseRanges(llvm::StringRef text,
                                                                     llvm::StringRef option);

/// The text of --window or of a parameter `window`: a time "5ms..20ms" (an end may be left out),
/// else a name. Usage error if it is neither.
llvm::Error parseWindow(llvm::StringRef text, llvm::StringRef option, Selection &selection);

/// "5us", "1ms", "20ns", "2s", "1.5ms" to nanoseconds; a bare 0 too. nullopt otherwise.
std::optional<Duration> parseDuration(llvm::StringRef text);

} // namespace heddle

#endif
