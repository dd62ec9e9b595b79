//===- Checks.cpp - The checks of health ----------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Checks.h"
#include "heddle/Lower/ReportText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace heddle::health {

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

bool isQuiet(const Check &c) {
  static constexpr StringLiteral ids[] = {"repairs", "partial", "resolution", "marks",
                                          "volume",  "memory",  "shapes",     "stacks"};
  return is_contained(ids, c.id) || (c.id == "ranks" && c.of == 1) ||
         (c.id == "order" && c.value == 0);
}

namespace {
int64_t integer(uint64_t n) { return static_cast<int64_t>(n); }

std::string share(int64_t part, int64_t whole) {
  return percentText(tenthsOf(part, whole).value_or(0));
}

/// "3 nan, 9 trailing-comma", most first.
std::string listed(const std::map<std::string, uint64_t, std::less<>> &counts) {
  std::vector<std::pair<uint64_t, StringRef>> sorted;
  for (const auto &[kind, n] : counts)
    sorted.push_back({n, kind});
  stable_sort(sorted, [](const auto &a, const auto &b) { return a.first > b.first; });
  std::string out;
  for (size_t i = 0; i != sorted.size() && i != 4; ++i)
    out += (i ? ", " : "") + countText(integer(sorted[i].first)) + " " + sorted[i].second.str();
  if (sorted.size() > 4)
    out += ", " + plural(integer(sorted.size() - 4), "more kind");
  return out;
}

uint64_t count(const RankFacts &facts, EventKind k) { return facts.byKind[static_cast<size_t>(k)]; }

void checkSteps(const RankFacts &facts, const HealthFacts &health, std::vector<Check> &out) {
  if (facts.devices.empty())
    return;
  uint64_t steps = 0, typical = ~uint64_t{0}, unassigned = 0;
  Duration unassignedTime;
  for (const DeviceFacts &d : facts.devices) {
    unassigned += d.unassigned;
    unassignedTime += d.unassignedTime;
    steps = std::max(steps, d.steps);
    typical = std::min(typical, d.typicalSteps);
  }
  bool unmarked = facts.stepSource == StepSource::None;
  // A first step alone counts as typical where there is no other; it is not steady.
  uint64_t steady = unmarked || steps < 2 ? 0 : typical;
  Check c{"cold",
          steady < kSteadySteps ? Status::Warn : Status::Ok,
          integer(steady),
          integer(steps),
          "steps",
          {},
          {},
          "medians, findings"};
  if (unmarked)
    c.message = "no step marks, so a start is not told from what follows";
  else if (!steps)
    c.message = "no GPU activity was launched inside a step mark";
  else if (steps == 1)
    c.message = "1 step";
  else
    c.message = plural(integer(steady), "steady step") + " of " + countText(integer(steps));
  if (health.coldGaps)
    c.message += "; " + plural(integer(health.coldGaps), "gap") + " over 1 ms (" +
                 timeText(health.coldGapTime.ns) + ")" +
                 (health.coldGaps == 1 ? " comes" : ", each") + " before the first use of a kernel";
  if (c.status == Status::Warn)
    c.advice =
        unmarked ? "call prof.step() after each step" : "record 3 or more steps after warm-up";
  out.push_back(std::move(c));

  if (unmarked)
    return;
  Check m{"marks",
          Status::Ok,
          integer(facts.misplacedMarks),
          integer(facts.stepMarks),
          "marks",
          {},
          {},
          "steps, medians"};
  m.message =
      plural(integer(facts.stepMarks), "mark") + " of steps (" +
      (facts.stepPattern.empty() ? stepSourceName(facts.stepSource).str() : facts.stepPattern) +
      ")";
  if (facts.missingProfilerStep) {
    m.status = Status::Warn;
    m.message += "; no ProfilerStep marks: prof.step() or the schedule is missing";
    m.advice = "record with schedule=..., and call prof.step() after each step";
  }
  if (facts.misplacedMarks) {
    m.status = Status::Warn;
    m.message +=
        "; " + countText(integer(facts.misplacedMarks)) + " begin or end inside an optimizer step";
    m.advice = "call prof.step() after optimizer.step() has returned";
  }
  out.push_back(std::move(m));
  if (unassigned)
    out.push_back({"outside-steps",
                   Status::Ok,
                   integer(unassigned),
                   integer(facts.activities),
                   "events",
                   plural(integer(unassigned), "activity") + " (" + timeText(unassignedTime.ns) +
                       ") launched in no step: busy in windows, part of none",
                   {},
                   "steps"});
}

void checkProbe(const RankFacts &facts, const HealthFacts &health, std::vector<Check> &out) {
  int64_t range = facts.hasHost ? facts.hostRange.length().ns : 0;
  if (health.frames || health.shapedOps) {
    Check c{"probe", Status::Ok, std::nullopt, range, "ns", {}, {}, "host shares, launch-bound"};
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
            {},
            "host shares, idle"};
    out.push_back(std::move(c));
  }
}
} // namespace

void checkReading(const Rank &rank, const RankFacts &facts, std::vector<Check> &out) {
  const Recording &r = rank.recording;
  int64_t events = integer(r.sourceEvents ? r.sourceEvents : facts.events);
  uint64_t repairs = 0;
  for (const auto &[kind, n] : r.repairs)
    repairs += n;
  out.push_back({"repairs",
                 repairs ? Status::Warn : Status::Ok,
                 integer(repairs),
                 events,
                 "events",
                 repairs ? "repaired while reading: " + listed(r.repairs) : "nothing repaired",
                 {},
                 repairs ? "whatever the repaired events say" : ""});
  if (r.truncatedAt)
    out.push_back({"partial", Status::Warn, integer(r.truncatedAt), std::nullopt, "bytes",
                   "the text ends inside an event at byte " + countText(integer(r.truncatedAt)) +
                       ": what follows is missing",
                   "copy the file again, or let the profiler finish", "everything at the end"});
  else if (r.partial)
    out.push_back({"partial",
                   Status::Warn,
                   std::nullopt,
                   std::nullopt,
                   "",
                   "a part of a larger recording",
                   {},
                   "totals"});
  else
    out.push_back(
        {"partial", Status::Ok, std::nullopt, std::nullopt, "", "the file is whole", {}, {}});
  if (r.integerMicroseconds)
    out.push_back({"resolution", Status::Warn, 1000, std::nullopt, "ns",
                   "stamps are whole microseconds: nothing below 1 us can be told, and short "
                   "kernels are off by up to that",
                   "record with PyTorch 2.4 or later", "short kernels, launch latency, gaps"});
  else
    out.push_back(
        {"resolution", Status::Ok, 1, std::nullopt, "ns", "stamps are nanoseconds", {}, {}});
  if (r.externalIdsBroken)
    out.push_back({"external-ids",
                   Status::Warn,
                   std::nullopt,
                   std::nullopt,
                   "",
                   "External ids repeat correlation ids (PyTorch 1.12 to 2.2): launches are linked "
                   "to ops by time alone",
                   {},
                   "ops of launches"});
  uint64_t withoutTime = 0, far = 0, cut = 0;
  for (const DeviceFacts &d : facts.devices)
    withoutTime += d.withoutTime, far += d.far, cut += d.cut;
  if (uint64_t all = withoutTime + far + cut) {
    std::string message;
    auto add = [&](uint64_t n, StringRef what) {
      if (n)
        message += (message.empty() ? "" : "; ") + countText(integer(n)) + " " + what.str();
    };
    add(withoutTime, "GPU activities have no time");
    add(far, "lie farther outside the recording than it is long");
    add(cut, "overrun their successor by more than their peers last, and are cut there");
    out.push_back({"quarantine",
                   Status::Warn,
                   integer(all),
                   integer(facts.activities),
                   "events",
                   message,
                   {},
                   "busy time"});
  }
}

void checkDevices(const Recording &recording, const RankFacts &facts, std::vector<Check> &out) {
  if (!facts.activities)
    return;
  int64_t activities = integer(facts.activities), launched = integer(facts.launched);
  int64_t missing = partsPerMillion(activities - launched, activities);
  Check links{
      "links",
      Status::Ok,
      launched,
      activities,
      "events",
      countText(launched) + " of " + countText(activities) + " GPU activities have a launch",
      {},
      {}};
  if (missing > kLinksPpm) {
    links.status = missing > kLinksFailPpm ? Status::Fail : Status::Warn;
    links.touches = "idle causes, launches";
  }
  if (facts.graphLaunches)
    links.message += " (" + countText(integer(facts.graphActivities)) + " of " +
                     plural(integer(facts.graphLaunches), "graph launch") + ")";
  out.push_back(std::move(links));

  Duration without, work, overlapTime;
  uint64_t overlapping = 0, oneNs = 0, gaps = 0;
  bool swallowed = false;
  for (const DeviceFacts &d : facts.devices) {
    without += d.withoutLaunchTime;
    work += d.workTime;
    overlapTime += d.overlapTime;
    overlapping += d.overlapping;
    swallowed |= d.gapsSwallowed;
    oneNs += d.oneNsGaps;
    gaps += d.streamGaps;
  }
  if (without.ns) {
    bool warn = partsPerMillion(without.ns, work.ns) > kLinksPpm;
    out.push_back({"unrecorded", warn ? Status::Warn : Status::Ok, without.ns, work.ns, "ns",
                   share(without.ns, work.ns) + " of GPU time (" + timeText(without.ns) +
                       ") has no launch in the file",
                   warn ? "record from before the first launch" : "",
                   warn ? "idle causes, launches" : ""});
  }
  if (facts.beforeLaunch) {
    bool warn = partsPerMillion(integer(facts.beforeLaunch), launched) > kLinksPpm;
    out.push_back(
        {"order",
         warn ? Status::Warn : Status::Ok,
         integer(facts.beforeLaunch),
         launched,
         "events",
         countText(integer(facts.beforeLaunch)) + " begin before their launch does (clocks)",
         {},
         warn ? "launch latency, idle causes" : ""});
  } else if (launched) {
    out.push_back(
        {"order", Status::Ok, 0, launched, "events", "none begins before its launch", {}, {}});
  }
  if (overlapping) {
    bool warn = partsPerMillion(overlapTime.ns, work.ns) > kOverlapPpm;
    StringRef why = recording.integerMicroseconds      ? "rounding, "
                    : recording.vendor == Vendor::Cuda ? "PDL?, "
                                                       : "";
    out.push_back({"overlap",
                   warn ? Status::Warn : Status::Ok,
                   integer(overlapping),
                   activities,
                   "events",
                   countText(integer(overlapping)) +
                       " begin before their predecessor on the stream ends (" + why.str() +
                       timeText(overlapTime.ns) + ")",
                   {},
                   warn ? "sums of durations" : ""});
  }
  if (swallowed)
    out.push_back({"rocm-gaps",
                   Status::Warn,
                   integer(oneNs),
                   integer(gaps),
                   "events",
                   "busy time is an upper bound: " + countText(integer(oneNs)) + " of " +
                       countText(integer(gaps)) +
                       " gaps within a stream are exactly 1 ns, so a queued kernel's duration "
                       "holds the gap before it",
                   {},
                   "busy time, kernel times, comparison with other vendors"});
}

void checkRecorded(const RankFacts &facts, const HealthFacts &health, std::vector<Check> &out) {
  checkProbe(facts, health, out);
  uint64_t python = count(facts, EventKind::Python);
  if (python) {
    bool warn = facts.events >= kVolumeEvents &&
                partsPerMillion(integer(python), integer(facts.events)) >= kVolumePpm;
    out.push_back({"volume",
                   warn ? Status::Warn : Status::Ok,
                   integer(python),
                   integer(facts.events),
                   "events",
                   share(integer(python), integer(facts.events)) + " of events are Python frames",
                   warn ? "heddle opt -p drop:kind=python makes the file small" : "",
                   {}});
  }
  auto recorded = [&](StringRef id, bool yes, StringRef what, StringRef advice, StringRef touches) {
    out.push_back({id, yes ? Status::Ok : Status::Unknown, std::nullopt, std::nullopt, "",
                   what.str() + (yes ? " recorded" : ": not recorded"), yes ? "" : advice.str(),
                   yes ? "" : touches});
  };
  if (!facts.hasHost && !facts.activities)
    return;
  recorded("memory", facts.hasMemory, "memory", "profile_memory=True", "memory");
  recorded("shapes", facts.hasShapes, "shapes", "record_shapes=True", "FLOPs, padding");
  recorded("stacks", facts.hasStacks, "Python stacks", "with_stack=True, in a second recording",
           "source lines");
}

std::vector<Check> checkRank(const Rank &rank, const RankFacts &facts, const HealthFacts &health) {
  std::vector<Check> out;
  checkSteps(facts, health, out);
  checkReading(rank, facts, out);
  checkDevices(rank.recording, facts, out);
  checkRecorded(facts, health, out);
  return out;
}

} // namespace heddle::health
