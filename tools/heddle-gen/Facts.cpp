//===- Facts.cpp - What was done, counted ---------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "Loop.h"
#include <map>
#include <set>

using namespace heddle::gen;

namespace {
/// Of a step, or of the whole.
struct Counts {
  std::map<std::string, int64_t> counts; ///< By fact.
  std::set<uint32_t> calls;              ///< That own an activity.
};
} // namespace

/// Kernels under this are short.
static constexpr int64_t shortBelow = 10000;

static void count(Counts &counts, const RankTrace &trace, const Activity &activity) {
  const Event &event = trace.events[activity.event];
  ++counts.counts["activities"];
  switch (event.cls) {
  case EventClass::Kernel:
    ++counts.counts["kernels"];
    counts.counts["short-kernels"] += activity.end - activity.begin < shortBelow;
    break;
  case EventClass::Memcpy:
    ++counts.counts["copies"];
    break;
  default:
    ++counts.counts["fills"];
  }
  if (!activity.launched) {
    ++counts.counts["without-launch"];
  } else if (counts.calls.insert(event.launch).second) {
    ++counts.counts["launches"];
    counts.counts["graph-launches"] +=
        llvm::StringRef(trace.events[event.launch].name).ends_with("GraphLaunch");
  }
}

/// What was planted in a rank beside the others, and how long it waits for them: no table of
/// Heddle's counts the same, so these are told apart by their first word.
static void plantedFacts(Worker &worker, std::map<int64_t, Counts> &steps, Counts &whole) {
  for (const Straggler &straggler : worker.options.stragglers)
    if (straggler.rank == worker.trace.number)
      whole.counts[("planted straggler-" + slownessName(straggler.kind)).str()] = straggler.amount;
  if (worker.options.hosts > 1)
    whole.counts["planted host"] = worker.trace.host;
  for (const HostClock &clock : worker.options.clocks)
    if (clock.host == worker.trace.host) {
      whole.counts["planted clock-offset-ns"] += clock.offset;
      whole.counts["planted clock-drift-ns-a-second"] += clock.drift;
    }
  for (const auto &[step, peak] : worker.peaks)
    (step >= 0 ? steps[step] : whole).counts["planted peak-bytes"] = peak;
  for (const auto &[key, value] : worker.planted) {
    if (key.first >= 0)
      steps[key.first].counts["planted " + key.second] += value;
    whole.counts["planted " + key.second] += value;
  }
}

void heddle::gen::countFacts(Worker &worker) {
  RankTrace &trace = worker.trace;
  Counts whole;
  std::map<int64_t, Counts> steps;
  for (const Activity &activity : worker.activities) {
    count(whole, trace, activity);
    if (activity.launched && activity.step >= 0)
      count(steps[activity.step], trace, activity);
    else
      ++whole.counts["outside-steps"];
    const Event &event = trace.events[activity.event];
    if (event.cls != EventClass::Memcpy)
      continue;
    ++whole.counts["copies " + event.name];
    for (const Arg &arg : event.args)
      if (arg.key == "bytes")
        whole.counts["bytes " + event.name] += arg.value.number;
  }
  for (const Event &event : trace.events) {
    llvm::StringRef name = event.name;
    if (event.cls == EventClass::Runtime &&
        (name.ends_with("Synchronize") || name.ends_with("WaitEvent")))
      ++whole.counts["calls " + event.name];
    if (event.cls == EventClass::SyncRow)
      ++whole.counts["rows " + event.name];
  }
  whole.counts["misplaced-marks"] = misplacedMarks(worker.options);
  plantedFacts(worker, steps, whole);
  for (const auto &[step, counts] : steps)
    for (const auto &[name, value] : counts.counts)
      trace.facts.push_back({worker.options.stepNumber(step), name, value});
  for (const auto &[name, value] : whole.counts)
    trace.facts.push_back({std::nullopt, name, value});
}
