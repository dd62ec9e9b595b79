//===- Checks.cpp - The checks of health ------------------------------------ ===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Checks.h"
#include "heddle/Lower/ReportText.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace heddle::health {

const CheckInfo &infoOf(StringRef id) {
  static constexpr CheckInfo infos[] = {
#define HEDDLE_CHECK(ID, QUIET, WHEN, TOUCHES) {ID, QUIET, TOUCHES},
#include "Checks.def"
  };
  const auto *it = find_if(infos, [&](const CheckInfo &i) { return i.id == id; });
  assert(it != std::end(infos) && "every check stands in Checks.def");
  return *it;
}

StringRef statusName(Status s) {
  switch (s) {
  case Status::Ok:
    return "ok";
  case Status::Warn:
    return "warn";
  case Status::Fail:
    return "fail";
  case Status::Unknown:
    return "unknown";
  }
  return "";
}

int64_t partsPerMillion(int64_t part, int64_t whole) {
  __extension__ typedef __int128 Wide;
  return whole > 0 ? static_cast<int64_t>(static_cast<Wide>(part) * 1'000'000 / whole) : 0;
}

std::string share(int64_t part, int64_t whole) {
  return percentText(tenthsOf(part, whole).value_or(0));
}

bool Check::isQuiet() const {
  return infoOf(id).quiet || (id == "ranks" && of == 1) || (id == "order" && value == 0);
}

std::vector<Check> checkRank(const Rank &rank, const RankFacts &facts, const HealthFacts &health) {
  std::vector<Check> out;
  // The recorder's own span and its marks say nothing of the work.
  uint64_t own = facts.byKind[static_cast<size_t>(EventKind::Window)];
  own += own ? facts.byKind[static_cast<size_t>(EventKind::Marker)] : 0;
  if (facts.events == own) {
    // Kineto's loose rows are metadata; other tools write samples and objects too.
    size_t unread = rank.recording.format == "kineto" ? 0 : health.loose;
    out.push_back({"empty", Status::Fail, 0, std::nullopt, "events",
                   unread ? "no event of a form that is read: " + plural(integer(unread), "row") +
                                " (samples, objects, metadata) are kept as they are"
                          : std::string("nothing was recorded but metadata"),
                   unread ? "write spans as complete events (X)"
                          : "let the work run between the start and the stop of the profiler"});
  }
  checkSteps(facts, health, out);
  checkReading(rank, facts, health, out);
  checkDevices(rank.recording, facts, health, out);
  checkHost(facts, health, out);
  checkRecorded(facts, health, out);
  return out;
}

} // namespace heddle::health
