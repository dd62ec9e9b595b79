//===- HealthFacts.cpp - What the recorder itself costs -------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "HealthFacts.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
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
constexpr Duration kLongGap{1'000'000};

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

bool mostlyWaitsForLaunch(const DeviceIdle &idle, const IdleGap &gap) {
  Duration wait;
  for (const IdlePart &p : idle.partsOf(gap))
    if (p.cause == IdleCause::Host || p.cause == IdleCause::Unobserved ||
        p.cause == IdleCause::LaunchCall || p.cause == IdleCause::Compile ||
        p.cause == IdleCause::Alloc)
      wait += p.interval.length();
  return wait.ns > gap.interval.length().ns / 2;
}

void recorderTime(const Rank &rank, HealthFacts &out) {
  std::vector<Interval> spans;
  for (const Track &t : rank.tracks())
    for (uint32_t i = 0; i != t.size(); ++i)
      if (t.kinds[i] == EventKind::Overhead)
        spans.push_back(t.interval(i));
  llvm::sort(spans, [](Interval a, Interval b) {
    return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
  });
  out.overhead = IntervalSet::unionOf(spans).measure();
}

void firstUses(const Rank &rank, const DeviceTimeline &device, const DeviceIdle &idle,
               HealthFacts &out) {
  DenseSet<uint32_t> seen;
  uint32_t next = 0;
  for (const IdleGap &gap : idle.gaps) {
    for (; next < gap.endedBy; ++next) {
      EventRef e = device.activities[next].event;
      seen.insert(static_cast<uint32_t>(rank.track(e.track).names[e.index]));
    }
    if (gap.leadIn || gap.interval.length() < kLongGap || !mostlyWaitsForLaunch(idle, gap))
      continue;
    EventRef e = device.activities[gap.endedBy].event;
    if (seen.contains(static_cast<uint32_t>(rank.track(e.track).names[e.index])))
      continue;
    ++out.coldGaps;
    out.coldGapTime += gap.interval.length();
  }
}
} // namespace

Expected<HealthFacts> HealthFacts::compute(const Rank &rank, AnalysisContext &context) {
  auto launches = context.get<Launches>();
  if (!launches)
    return launches.takeError();
  auto devices = context.get<DeviceUnion>();
  if (!devices)
    return devices.takeError();
  auto causes = context.get<IdleCauses>();
  if (!causes)
    return causes.takeError();
  HealthFacts out;
  probe(rank, **launches, out);
  recorderTime(rank, out);
  for (size_t i = 0; i != (*devices)->devices.size(); ++i) {
    const DeviceTimeline &d = (*devices)->devices[i];
    out.communicates |= !d.communication.empty();
    firstUses(rank, d, (*causes)->devices[i], out);
  }
  return out;
}

} // namespace heddle::health
