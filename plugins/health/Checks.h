//===- Checks.h - The checks of health --------------------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_PLUGINS_HEALTH_CHECKS_H
#define HEDDLE_PLUGINS_HEALTH_CHECKS_H

#include "HealthFacts.h"
#include "heddle/Analysis/RankFacts.h"

namespace heddle::health {

enum class Status : uint8_t {
  Ok,
  Warn,    ///< Figures are biased or bounds.
  Fail,    ///< Figures are not to be believed.
  Unknown, ///< Not recorded; printed "--".
};
llvm::StringRef statusName(Status s);

/// One line of the table.
struct Check {
  llvm::StringRef id;
  Status status = Status::Ok;
  std::optional<int64_t> value, of; ///< Numerator and denominator.
  llvm::StringRef unit;             ///< Of both: "events", "ns", "steps", "ranks".
  std::string message;
  std::string advice;      ///< What to record or do; may be empty.
  llvm::StringRef touches; ///< Whose figures it biases; may be empty.
};

/// Thresholds, with where they come from.
inline constexpr int64_t kLinksPpm = 10'000; ///< 1 % without a launch (analyses, A18).
inline constexpr int64_t kLinksFailPpm =
    500'000; ///< Half of them: causes of idling are guesses (ours).
inline constexpr int64_t kOverlapPpm = 10'000; ///< 1 % of work time (ours).
inline constexpr int64_t kProbePpm =
    10'000; ///< 1 % of the host's range, being a lower bound (ours).
inline constexpr int64_t kOverheadPpm = 50'000; ///< 5 % (analyses, A18).
inline constexpr int64_t kVolumePpm = 900'000;  ///< Python frames are 9 of 10 events (ours).
inline constexpr uint64_t kVolumeEvents = 100'000;
inline constexpr uint64_t kSteadySteps = 3; ///< "Record 3 or more steps after warm-up".

/// All checks of one rank, in the order in which a report shows them.
std::vector<Check> checkRank(const Rank &rank, const RankFacts &facts, const HealthFacts &health);

/// The checks of how files were read: repairs, truncation, ids, resolution, quarantine.
void checkReading(const Rank &rank, const RankFacts &facts, std::vector<Check> &out);
/// The checks of the device's activities.
void checkDevices(const Recording &recording, const RankFacts &facts, std::vector<Check> &out);
/// The checks of what was recorded and what recording costs.
void checkRecorded(const RankFacts &facts, const HealthFacts &health, std::vector<Check> &out);

/// True for checks whose success is no news on a first screen.
bool isQuiet(const Check &c);
/// part / whole in millionths; 0 without a whole.
int64_t partsPerMillion(int64_t part, int64_t whole);

} // namespace heddle::health

#endif
