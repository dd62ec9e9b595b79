//===- ReadingChecks.cpp - How the file was read ---------------------------- ===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Checks.h"
#include "heddle/Lower/ReportText.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;

namespace heddle::health {

/// "3 nan, 9 trailing-comma", most first.
static std::string listed(const std::map<std::string, uint64_t, std::less<>> &counts) {
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

static uint64_t noteOf(const Recording &r, StringRef note) {
  auto it = r.notes.find(note);
  return it == r.notes.end() ? 0 : it->second;
}

/// Whether all of the file was read, and the file holds all that was recorded.
static void checkWhole(const Recording &r, int64_t events, std::vector<Check> &out) {
  uint64_t repairs = 0;
  for (const auto &[kind, n] : r.repairs)
    repairs += n;
  out.push_back({"repairs",
                 repairs ? Status::Warn : Status::Ok,
                 integer(repairs),
                 events,
                 "events",
                 repairs ? "repaired while reading: " + listed(r.repairs) : "nothing repaired",
                 {}});
  if (r.truncatedAt)
    out.push_back({"partial", Status::Warn, integer(r.truncatedAt), std::nullopt, "bytes",
                   "the text ends inside an event at byte " + countText(integer(r.truncatedAt)) +
                       ": what follows is missing",
                   "copy the file again, or let the profiler finish"});
  else if (r.partial)
    out.push_back({"partial",
                   Status::Warn,
                   std::nullopt,
                   std::nullopt,
                   "",
                   "a part of a larger recording",
                   {}});
  else
    out.push_back({"partial", Status::Ok, std::nullopt, std::nullopt, "", "the file is whole", {}});
  if (noteOf(r, "buffer-overflow"))
    out.push_back({"dropped", Status::Warn, std::nullopt, events, "events",
                   "the recorder's buffer overflowed: the oldest events are lost",
                   "record less at a time, or with a larger buffer"});
  else if (r.sourceEvents == kEventCap)
    out.push_back({"dropped", Status::Warn, std::nullopt, events, "events",
                   "exactly " + countText(events) +
                       " events, which is where exporters stop: more may have been recorded",
                   "record less at a time"});
}

/// What the stamps are worth.
static void checkStamps(const Recording &r, const HealthFacts &health, std::vector<Check> &out) {
  if (r.integerMicroseconds)
    out.push_back({"resolution", Status::Warn, 1000, std::nullopt, "ns",
                   "stamps are whole microseconds: nothing below 1 us can be told, and short "
                   "kernels are off by up to that",
                   "record with PyTorch 2.4 or later"});
  else
    out.push_back({"resolution", Status::Ok, 1, std::nullopt, "ns", "stamps are nanoseconds", {}});
  Duration range = health.range.length();
  if (health.silence >= kSilence && partsPerMillion(health.silence.ns, range.ns) >= kSilencePpm)
    out.push_back({"clock", Status::Warn, health.silence.ns, range.ns, "ns",
                   "nothing is recorded for " + timeText(health.silence.ns) + " (" +
                       share(health.silence.ns, range.ns) + " of the range) from " +
                       timeText(health.silenceBegin.ns) +
                       " on: a clock jumped, or two recordings are in one file",
                   "look at one side of that time: --window=BEGIN..END"});
  if (noteOf(r, "unknown-base"))
    out.push_back({"time-base",
                   Status::Unknown,
                   std::nullopt,
                   std::nullopt,
                   "",
                   "date and time of the recording: not stated",
                   {}});
}

void checkReading(const Rank &rank, const RankFacts &facts, const HealthFacts &health,
                  std::vector<Check> &out) {
  const Recording &r = rank.recording;
  checkWhole(r, integer(r.sourceEvents ? r.sourceEvents : facts.events), out);
  checkStamps(r, health, out);
  std::set<int64_t> ids;
  bool twice = any_of(r.devices, [&](const Device &d) { return !ids.insert(d.id).second; });
  if (twice || health.launchingProcesses >= kProcesses)
    out.push_back({"joined", Status::Warn, integer(health.launchingProcesses), std::nullopt,
                   "processes",
                   health.launchingProcesses >= kProcesses
                       ? countText(integer(health.launchingProcesses)) +
                             " processes launch work: several ranks are in one file"
                       : "a device is described more than once: several ranks are in one file",
                   "give the file of each rank by itself"});
  if (r.externalIdsBroken)
    out.push_back({"external-ids",
                   Status::Warn,
                   std::nullopt,
                   std::nullopt,
                   "",
                   "External ids repeat correlation ids (PyTorch 1.12 to 2.2): launches are linked "
                   "to ops by time alone",
                   {}});
  uint64_t withoutTime = 0, far = 0, cut = 0;
  for (const DeviceFacts &d : facts.devices)
    withoutTime += d.withoutTime, far += d.far, cut += d.cut;
  if (uint64_t all = withoutTime + far + cut) {
    std::string message;
    auto add = [&](uint64_t n, StringRef what) {
      if (n)
        message += (message.empty() ? "" : "; ") + countText(integer(n)) + " " + what.str();
    };
    add(withoutTime, "without a time");
    add(far, "farther outside the recording than it is long");
    add(cut, "cut at their successor, which they overrun by more than their peers last");
    out.push_back({"quarantine",
                   Status::Warn,
                   integer(all),
                   integer(facts.activities),
                   "events",
                   "of the GPU activities " + message,
                   {}});
  }
}

} // namespace heddle::health
