//===- Places.h - Which events lie where one looks --------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// What a selection by time, steps, devices and streams holds of one rank.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_PLUGINS_SELECT_PLACES_H
#define HEDDLE_PLUGINS_SELECT_PLACES_H

#include "heddle/Analysis/IntervalSet.h"
#include "heddle/Pass/Pass.h"

namespace heddle::select {

/// What to keep by place, as `--steps`, `--window` and `--device` say it, and streams likewise.
struct Wanted : Selection {
  std::vector<std::pair<int64_t, int64_t>> streams; ///< Inclusive; empty = all.
  bool times() const { return window || !windowName.empty() || !steps.empty(); }
};

struct Places {
  bool limited = false;                ///< By time.
  IntervalSet host;                    ///< Then: when host events count.
  std::vector<std::vector<bool>> kept; ///< By track and event.
  uint64_t launches = 0; ///< Launches from elsewhere, kept for the device work that they launched.
  std::string missing;   ///< A sentence, if what is asked for is not there.

  bool wantsTime(Time t) const { return !limited || host.overlaps({t, t + Duration{1}}); }
};

/// What is where one looks. Spans are whole: one that shares an instant with the time asked for
/// stays. Device work that was launched in a step asked for stays too, and with device work the
/// call that launched it and the spans around that call. O(n log n).
llvm::Expected<Places> findPlaces(const Rank &rank, RankContext &context, const Wanted &wanted);

} // namespace heddle::select

#endif
