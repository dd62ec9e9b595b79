//===- HostChecks.cpp - What recording costs the host, and its spans -------- ===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Checks.h"
#include "heddle/Lower/ReportText.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace heddle::health {

static void checkProbe(int64_t range, const HealthFacts &health, std::vector<Check> &out) {
  if (health.frames || health.shapedOps) {
    Check c{"probe", Status::Ok, std::nullopt, range, "ns", {}, {}};
    if (health.frames)
      c.message = plural(integer(health.frames), "Python frame");
    if (health.shapedOps)
      c.message +=
          (health.frames ? " and " : "") + plural(integer(health.shapedOps), "op") + " with shapes";
    c.message += " recorded on the launching threads";
    if (!health.frames) {
      c.message += ", at a cost that is not known";
    } else if (health.builtin.empty()) {
      c.status = Status::Warn;
      c.message += ", at a cost that is not measurable here";
    } else {
      int64_t floor = health.probeFloor().ns;
      c.value = floor;
      c.message += ": >= " + timeText(floor) + " of their time (" + share(floor, range) +
                   " of the host's " + timeText(range) + ")";
      if (partsPerMillion(floor, range) >= kProbePpm)
        c.status = Status::Warn;
    }
    if (c.status == Status::Warn) {
      c.message += ". Host shares are upper bounds";
      c.advice = "record once more, with_stack=False and record_shapes=False";
    }
    out.push_back(std::move(c));
  }
  if (health.overhead.ns) {
    int64_t value = health.overhead.ns;
    Check c{"overhead",
            partsPerMillion(value, range) > kOverheadPpm ? Status::Warn : Status::Ok,
            value,
            range,
            "ns",
            "the recorder was busy for " + timeText(value) + " (" + share(value, range) +
                " of the host's range)",
            {}};
    out.push_back(std::move(c));
  }
}

void checkHost(const RankFacts &facts, const HealthFacts &health, std::vector<Check> &out) {
  checkProbe(facts.hasHost ? facts.hostRange.length().ns : 0, health, out);
  if (health.fullBuffers)
    out.push_back({"command-buffer",
                   Status::Warn,
                   integer(health.fullBuffers),
                   std::nullopt,
                   "events",
                   "the device's command buffer was full " +
                       plural(integer(health.fullBuffers), "time") +
                       ": launches waited for room, at the recorder's cost or not",
                   {}});
  int64_t spans = integer(health.hostSpans);
  if (health.partialOverlaps &&
      partsPerMillion(integer(health.partialOverlaps), spans) > kNestingPpm)
    out.push_back({"nesting",
                   Status::Warn,
                   integer(health.partialOverlaps),
                   spans,
                   "events",
                   countText(integer(health.partialOverlaps)) + " of " + countText(spans) +
                       " spans of host threads end after the span in which they begin",
                   {}});
  if (health.unfinished)
    out.push_back({"unfinished", Status::Warn, integer(health.unfinished), spans, "events",
                   plural(integer(health.unfinished), "op") +
                       " or calls were open when the recorder stopped: they end there",
                   "stop the profiler between steps"});
}

} // namespace heddle::health
