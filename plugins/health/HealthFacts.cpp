//===- HealthFacts.cpp - Figures that only health needs -------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "HealthFacts.h"
#include "heddle/Analysis/Nesting.h"
#include "heddle/IR/Names.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;

namespace heddle::health {

namespace {
/// A builtin called less often tells too little of what a call costs.
constexpr size_t kMinCalls = 5;
/// Builtins that do next to nothing; methods of an object are known by what precedes its address.
constexpr StringLiteral kQuickBuiltins[] = {
    "<built-in function len>",
    "<built-in function isinstance>",
    "<built-in function getattr>",
    "<built-in function hasattr>",
    "<built-in function id>",
    "<built-in function callable>",
    "<built-in method append of list object",
    "<built-in method get of dict object",
};

/// Which builtin functions were called on which threads, and for how long.
class Builtins {
public:
  void add(StringRef name, Duration d) {
    for (StringRef quick : kQuickBuiltins)
      if (name.starts_with(quick)) {
        spans[quick].push_back(d.ns);
        return;
      }
  }

  void decide(HealthFacts &out) {
    for (StringRef name : kQuickBuiltins) {
      std::vector<int64_t> &values = spans[name];
      if (values.size() < kMinCalls)
        continue;
      llvm::sort(values);
      int64_t twice = values[(values.size() - 1) / 2] + values[values.size() / 2];
      if (twice == 0) // too quick for the clock: it says nothing
        continue;
      if (!out.builtin.empty() && twice >= out.twiceMedianNs)
        continue;
      out.builtin = name.str();
      out.builtinCalls = values.size();
      out.twiceMedianNs = twice;
      if (name == kQuickBuiltins[0])
        return;
    }
  }

private:
  DenseMap<StringRef, std::vector<int64_t>> spans;
};

void probe(const Rank &rank, const Launches &launches, HealthFacts &out) {
  std::set<std::pair<SourceId, SourceId>> threads;
  for (const LaunchCall &c : launches.calls) {
    const TrackKey &key = rank.track(c.call.track).key;
    threads.insert({key.pid, key.tid});
  }
  AttrReader dims(rank, {"Input Dims", "Input dims"});
  Builtins builtins;
  for (const Track &t : rank.tracks()) {
    if (!isHostTrack(t) || !threads.count({t.key.pid, t.key.tid}))
      continue;
    for (uint32_t i = 0; i != t.size(); ++i) {
      if (t.kinds[i] == EventKind::Python) {
        ++out.frames;
        builtins.add(rank.str(t.names[i]), t.duration(i));
      } else if (t.kinds[i] == EventKind::CpuOp && dims.present(t, i)) {
        ++out.shapedOps;
      }
    }
  }
  builtins.decide(out);
}

void recorderTime(const Rank &rank, HealthFacts &out) {
  std::vector<Interval> spans;
  for (const Track &t : rank.tracks())
    for (uint32_t i = 0; i != t.size(); ++i)
      if (t.kinds[i] == EventKind::Overhead) {
        spans.push_back(t.interval(i));
        out.fullBuffers += rank.str(t.names[i]) == "Command Buffer Full";
      }
  out.overhead = IntervalSet::unionOf(std::move(spans)).measure();
}

/// Calls that launch, and those of which no work was recorded.
void countLaunches(const Rank &rank, const Launches &launches, HealthFacts &out) {
  std::set<SourceId> pids;
  for (const LaunchCall &c : launches.calls)
    pids.insert(rank.track(c.call.track).key.pid);
  out.launchingProcesses = pids.size();
  enum Class : uint8_t { Unasked, Plain, Launch, Capture };
  std::vector<Class> classes(rank.strings().size(), Unasked);
  auto classOf = [&](StringId name) {
    Class &c = classes[static_cast<uint32_t>(name)];
    if (c == Unasked) {
      StringRef text = rank.str(name);
      auto is = [&](NameFact fact) { return nameIs(fact, text); };
      c = is(NameFact::CapturesGraph) || is(NameFact::MakesGraph) ? Capture
          : is(NameFact::Launches) && !is(NameFact::Probe)        ? Launch
                                                                  : Plain;
    }
    return c;
  };
  uint64_t owners = 0;
  for (const LaunchCall &c : launches.calls)
    if (const Track &t = rank.track(c.call.track); t.key.family == Family::ThreadWork)
      owners += classOf(t.names[c.call.index]) == Launch;
  for (const Track &t : rank.tracks()) {
    if (t.key.family != Family::ThreadWork)
      continue;
    for (uint32_t i = 0; i != t.size(); ++i)
      if (isApiCall(t.kinds[i])) {
        out.launchCalls += classOf(t.names[i]) == Launch;
        out.captures |= classOf(t.names[i]) == Capture;
      }
  }
  out.withoutWork = out.launchCalls - owners;
}

/// Spans that nest in nothing, and those that nobody closed.
void countSpans(const Rank &rank, const Nesting &nesting, HealthFacts &out) {
  AttrReader finished(rank, "finished");
  for (auto [t, tree] : zip_equal(rank.tracks(), nesting.tracks)) {
    if (!isHostTrack(t))
      continue;
    out.partialOverlaps += tree.partialOverlaps;
    for (uint32_t i = 0; i != t.size(); ++i) {
      out.hostSpans += isHostWork(t.kinds[i]);
      // Frames around the profiler's own calls are always open at its stop.
      if (isHostWork(t.kinds[i]) && t.kinds[i] != EventKind::Python && finished.present(t, i))
        out.unfinished += finished.getInt(t, i) == 0;
    }
  }
}

/// The longest time for which neither host nor device did anything.
void findSilence(const Rank &rank, const DeviceUnion &devices, HealthFacts &out) {
  std::vector<Interval> spans;
  auto add = [&](Interval i) { // touching ones are one: little is kept of a busy track
    if (!spans.empty() && i.begin >= spans.back().begin && i.begin <= spans.back().end)
      spans.back().end = std::max(spans.back().end, i.end);
    else
      spans.push_back(i);
  };
  for (const Track &t : rank.tracks())
    if (isHostTrack(t))
      for (uint32_t i = 0; i != t.size(); ++i)
        if (!hasNoTime(rank.recording, t.begin[i]))
          add(t.interval(i));
  for (const DeviceTimeline &d : devices.devices)
    for (Interval i : d.busy.intervals())
      add(i);
  llvm::sort(spans, [](Interval a, Interval b) {
    return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
  });
  if (spans.empty())
    return;
  out.range = spans.front();
  for (Interval i : spans) {
    if (i.begin - out.range.end > out.silence) {
      out.silence = i.begin - out.range.end;
      out.silenceBegin = out.range.end;
    }
    out.range.end = std::max(out.range.end, i.end);
  }
}

void countCommunication(const Rank &rank, const DeviceUnion &devices, HealthFacts &out) {
  AttrReader collective(rank, "Collective name");
  for (const DeviceTimeline &d : devices.devices)
    for (const DeviceActivity &a : d.activities)
      if (a.work == WorkClass::Communication) {
        ++out.communications;
        out.withCollectiveArgs += collective.present(rank.track(a.event.track), a.event.index);
      }
}
} // namespace

Expected<HealthFacts> HealthFacts::compute(const Rank &rank, AnalysisContext &context) {
  auto calls = context.get<Launches>();
  if (!calls)
    return calls.takeError();
  auto devices = context.get<DeviceUnion>();
  if (!devices)
    return devices.takeError();
  auto causes = context.get<IdleCauses>();
  if (!causes)
    return causes.takeError();
  auto cold = context.get<ColdGaps>();
  if (!cold)
    return cold.takeError();
  auto nesting = context.get<Nesting>();
  if (!nesting)
    return nesting.takeError();
  HealthFacts out;
  probe(rank, **calls, out);
  recorderTime(rank, out);
  countLaunches(rank, **calls, out);
  countCommunication(rank, **devices, out);
  countSpans(rank, **nesting, out);
  findSilence(rank, **devices, out);
  for (auto [idle, isCold] : zip_equal((*causes)->devices, (*cold)->devices))
    for (auto [gap, yes] : zip_equal(idle.gaps, isCold))
      if (yes) {
        ++out.coldGaps;
        out.coldGapTime += gap.interval.length();
      }
  out.loose = rank.loose().size();
  out.contents = contentsOf(rank);
  return out;
}

} // namespace heddle::health
