//===- RecordedChecks.cpp - What was recorded ------------------------------- ===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Checks.h"
#include "heddle/Lower/ReportText.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace heddle::health {

/// "python 68.1 % of the text, cpu_op 20.2 %, runtime 5.0 %; ...": what a file's size is made of.
static std::string fillText(const HealthFacts &health) {
  int64_t all = 0;
  for (const ContentRow &r : health.contents)
    if (r.name.empty())
      all += integer(r.bytes);
  std::string kinds, name;
  unsigned shown = 0;
  for (const ContentRow &r : health.contents) {
    std::string part = share(integer(r.bytes), all);
    if (r.name.empty() && shown++ < 3)
      kinds += (kinds.empty() ? "" : ", ") + r.kind + " " + part;
    else if (!r.name.empty() && name.empty())
      name = "; most of one name: '" + r.name + "' " + part;
  }
  return "what fills the file: " + kinds + name;
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
