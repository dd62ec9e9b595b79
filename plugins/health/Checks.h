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

/// What Checks.def says of a check.
struct CheckInfo {
  llvm::StringLiteral id;
  bool quiet;                  ///< Its success is no news on a first screen.
  llvm::StringLiteral touches; ///< Which figures it makes doubtful.
};
const CheckInfo &infoOf(llvm::StringRef id);

/// One line of the table.
struct Check {
  llvm::StringRef id;
  Status status = Status::Ok;
  std::optional<int64_t> value, of; ///< Numerator and denominator.
  llvm::StringRef unit;             ///< Of both: "events", "ns", "steps", "ranks".
  std::string message;
  std::string advice; ///< What to record or do; may be empty.

  /// Which figures are doubtful: nothing while all is well.
  llvm::StringRef touches() const {
    return status == Status::Ok ? llvm::StringRef() : llvm::StringRef(infoOf(id).touches);
  }
  /// True if it is no news on a first screen.
  bool isQuiet() const;
};

/// Thresholds, with where they come from.
inline constexpr int64_t kLinksPpm = 10'000; ///< 1 % without a launch (analyses, A18).
inline constexpr int64_t kLinksFailPpm =
    500'000;                                ///< Half of them: causes of idling are guesses (ours).
inline constexpr int64_t kLostPpm = 10'000; ///< 1 % of launches without work (analyses, A18).
inline constexpr int64_t kOverlapPpm = 10'000; ///< 1 % of work time (ours).
inline constexpr int64_t kGraphsPpm = 10'000;  ///< 1 % of activities (ours).
inline constexpr int64_t kProbePpm =
    10'000; ///< 1 % of the host's range, being a lower bound (ours).
inline constexpr int64_t kOverheadPpm = 50'000; ///< 5 % (analyses, A18).
inline constexpr int64_t kNestingPpm = 10'000;  ///< 1 % of the spans (ours).
inline constexpr int64_t kOutsidePpm = 500'000; ///< Half of the work: steps tell little (ours).
inline constexpr int64_t kVolumePpm = 900'000;  ///< Python frames are 9 of 10 events (ours).
inline constexpr uint64_t kVolumeEvents = 100'000;
inline constexpr uint64_t kSteadySteps = 3;        ///< "Record 3 or more steps after warm-up".
inline constexpr uint64_t kEventCap = 1'000'000;   ///< Where XProf stops writing events.
inline constexpr Duration kSilence{1'000'000'000}; ///< Clocks that are set jump by seconds (ours).
inline constexpr int64_t kSilencePpm = 500'000;    ///< Half of the range (ours).
inline constexpr size_t kProcesses = 2;            ///< One rank is one launching process.

/// All checks of one rank, in the order of Checks.def.
std::vector<Check> checkRank(const Rank &rank, const RankFacts &facts, const HealthFacts &health);

/// The checks of steps and their marks.
void checkSteps(const RankFacts &facts, const HealthFacts &health, std::vector<Check> &out);
/// The checks of how files were read: repairs, truncation, clocks, ids.
void checkReading(const Rank &rank, const RankFacts &facts, const HealthFacts &health,
                  std::vector<Check> &out);
/// The checks of the device's activities.
void checkDevices(const Recording &recording, const RankFacts &facts, const HealthFacts &health,
                  std::vector<Check> &out);
/// The checks of what recording costs the host, and of its spans.
void checkHost(const RankFacts &facts, const HealthFacts &health, std::vector<Check> &out);
/// The checks of what was recorded, and of how much room it takes.
void checkRecorded(const RankFacts &facts, const HealthFacts &health, std::vector<Check> &out);

/// part / whole in millionths; 0 without a whole.
int64_t partsPerMillion(int64_t part, int64_t whole);
/// "3.2 %".
std::string share(int64_t part, int64_t whole);
inline int64_t integer(uint64_t n) { return static_cast<int64_t>(n); }

} // namespace heddle::health

#endif
