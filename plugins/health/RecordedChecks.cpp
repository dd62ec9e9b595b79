//===- RecordedChecks.cpp - What was recorded ------------------------------- ===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Checks.h"
#include "heddle/Lower/ReportText.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace heddle::health {

/// "python 68.1 % of the events, cpu_op 21.5 %, flow 10.3 %": what a file is made of. Not by bytes,
/// which hang on how times and threads are numbered: those stand in health-contents.
static std::string fillText(const HealthFacts &health) {
  std::vector<std::pair<int64_t, StringRef>> kinds;
  int64_t all = 0;
  for (const ContentRow &r : health.contents)
    if (r.name.empty()) {
      kinds.push_back({integer(r.events), r.kind});
      all += integer(r.events);
    }
  llvm::sort(kinds, [](const auto &a, const auto &b) {
    return std::tie(b.first, a.second) < std::tie(a.first, b.second);
  });
  std::string text;
  for (auto [events, kind] : ArrayRef(kinds).take_front(3))
    text += (text.empty() ? "what fills the file: " : ", ") + kind.str() + " " +
            share(events, all) + (text.empty() ? " of the events" : "");
  return text + "; by bytes and names: health-contents";
}

void checkRecorded(const RankFacts &facts, const HealthFacts &health, std::vector<Check> &out) {
  if (facts.events) {
    auto python = integer(facts.byKind[static_cast<size_t>(EventKind::Python)]);
    bool warn = facts.events >= kVolumeEvents &&
                partsPerMillion(python, integer(facts.events)) >= kVolumePpm;
    out.push_back({"volume", warn ? Status::Warn : Status::Ok, python, integer(facts.events),
                   "events", fillText(health),
                   warn ? "heddle opt -p drop:kind=python makes the file small" : ""});
  }
  if (!facts.hasHost && !facts.activities)
    return;
  auto recorded = [&](StringRef id, bool yes, StringRef what, StringRef advice) {
    out.push_back({id, yes ? Status::Ok : Status::Unknown, std::nullopt, std::nullopt, "",
                   what.str() + (yes ? " recorded" : ": not recorded"), yes ? "" : advice.str()});
  };
  recorded("memory", facts.hasMemory, "memory", "profile_memory=True");
  recorded("shapes", facts.hasShapes, "shapes", "record_shapes=True");
  recorded("stacks", facts.hasStacks, "Python stacks", "with_stack=True, in a second recording");
}

} // namespace heddle::health
