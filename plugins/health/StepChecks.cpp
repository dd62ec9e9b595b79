//===- StepChecks.cpp - Steps and their marks ------------------------------- ===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Checks.h"
#include "heddle/Lower/ReportText.h"
#include "heddle/Pass/Pass.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace heddle::health {

static void checkMarks(const RankFacts &facts, std::vector<Check> &out) {
  Check m{"marks", Status::Ok, integer(facts.misplacedMarks), integer(facts.stepMarks), "marks",
          {},      {}};
  StringRef source =
      facts.stepPattern.empty() ? stepSourceName(facts.stepSource) : StringRef(facts.stepPattern);
  m.message = plural(integer(facts.stepMarks), "mark") + " of steps (" + source.str() + ")";
  if (facts.missingProfilerStep) {
    m.status = Status::Warn;
    if (facts.stepSource == StepSource::Optimizer) {
      m.message += "; recorded without a schedule: a step is told by where an optimizer step ends";
      m.advice = capabilityAdvice(Capability::Steps).str();
    } else {
      m.message += "; some hold several optimizer steps: prof.step() is missing from the loop";
      m.advice = "call prof.step() after each step";
    }
  }
  if (facts.misplacedMarks) {
    m.status = Status::Warn;
    m.message +=
        "; " + countText(integer(facts.misplacedMarks)) + " begin or end inside an optimizer step";
    m.advice = "call prof.step() after optimizer.step() has returned";
  }
  out.push_back(std::move(m));
}

void checkSteps(const RankFacts &facts, const HealthFacts &health, std::vector<Check> &out) {
  bool unmarked = facts.stepSource == StepSource::None;
  if (facts.devices.empty()) {
    if (!unmarked)
      checkMarks(facts, out);
    return;
  }
  uint64_t steps = 0, typical = ~uint64_t{0}, unassigned = 0;
  Duration unassignedTime, work;
  for (const DeviceFacts &d : facts.devices) {
    unassigned += d.unassigned;
    unassignedTime += d.unassignedTime;
    work += d.workTime;
    steps = std::max(steps, d.steps);
    typical = std::min(typical, d.typicalSteps);
  }
  // A first step alone counts as typical where there is no other; it is not steady.
  uint64_t steady = unmarked || steps < 2 ? 0 : typical;
  Check c{"cold",
          steady < kSteadySteps ? Status::Warn : Status::Ok,
          integer(steady),
          integer(steps),
          "steps",
          {},
          {}};
  if (unmarked)
    c.message = "no step marks, so a start is not told from what follows";
  else if (!steps)
    c.message = "no GPU activity was launched inside a step mark";
  else if (steps == 1)
    c.message = "1 step";
  else
    c.message = plural(integer(steady), "steady step") + " of " + countText(integer(steps));
  if (health.coldGaps)
    c.message += "; " + plural(integer(health.coldGaps), "gap") + " of 1 ms or more (" +
                 timeText(health.coldGapTime.ns) + ")" +
                 (health.coldGaps == 1 ? " comes" : ", each") + " before the first use of a kernel";
  if (c.status == Status::Warn)
    c.advice = unmarked ? capabilityAdvice(Capability::Steps).str()
                        : "record 3 or more steps after warm-up";
  out.push_back(std::move(c));
  if (unmarked)
    return;
  checkMarks(facts, out);
  if (!unassigned)
    return;
  bool warn = partsPerMillion(unassignedTime.ns, work.ns) >= kOutsidePpm;
  out.push_back({"outside-steps",
                 warn ? Status::Warn : Status::Ok,
                 unassignedTime.ns,
                 work.ns,
                 "ns",
                 (unassigned == 1 ? std::string("1 activity")
                                  : countText(integer(unassigned)) + " activities") +
                     " (" + timeText(unassignedTime.ns) +
                     ") launched in no step: busy in windows, part of none",
                 {}});
}

} // namespace heddle::health
