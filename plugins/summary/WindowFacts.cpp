//===- WindowFacts.cpp - What a device does in each window ----------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "WindowFacts.h"
#include "ActivityKinds.h"
#include "heddle/IR/Names.h"
#include "heddle/Pass/Windows.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <set>

using namespace llvm;

namespace heddle::summary {

const WindowFacts *AllWindows::find(int64_t device, StringRef step) const {
  for (const DeviceWindows &d : devices)
    if (d.device == device)
      for (const WindowFacts &w : d.windows)
        if (w.step == step)
          return &w;
  return nullptr;
}

namespace {
Duration overlap(Interval a, Interval b) {
  return Interval{std::max(a.begin, b.begin), std::min(a.end, b.end)}.length();
}

/// The middle of the values, of two middles the lower. Reorders them.
std::optional<Duration> lowerMedian(std::vector<Duration> &values) {
  if (values.empty())
    return std::nullopt;
  auto middle = values.begin() + static_cast<ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

struct KindSum {
  WorkClass work = WorkClass::Compute;
  uint64_t calls = 0;
  Duration time;
};

/// Gathers one window.
struct Gatherer {
  Gatherer(WindowFacts &out, bool last) : out(out), last(last) {}

  WindowFacts &out;
  bool last; ///< An empty activity at the very end belongs to the last window.
  MapVector<StringRef, KindSum> kinds;
  DenseSet<uint32_t> calls;
  DenseMap<uint32_t, uint64_t> launchesByTrack;
  std::vector<Duration> delays, communications;
  std::set<int64_t> computeStreams;
  std::vector<int64_t> communicationStreams;
  std::vector<Interval> pageable; ///< In order of time.

  bool isStep() const { return out.step != "all" && out.step != "window"; }
  bool holds(const DeviceActivity &a) const {
    return overlap(a.interval(), out.window).ns || beginsIn(a.begin);
  }
  bool beginsIn(Time t) const { return out.window.contains(t) || (last && t == out.window.end); }
};

class Builder {
public:
  Builder(const Rank &rank, const DeviceTimeline &device, const Launches &launches)
      : rank(rank), device(device), launches(launches), bytes(rank, "bytes"),
        names(rank.strings()) {}

  void activities(MutableArrayRef<Gatherer> gatherers);
  static void gaps(const DeviceIdle &idle, const std::vector<bool> &cold,
                   MutableArrayRef<Gatherer> gatherers);
  void finish(Gatherer &g);

private:
  void add(Gatherer &g, const DeviceActivity &a);
  StringRef kindOf(const DeviceActivity &a);

  const Rank &rank;
  const DeviceTimeline &device;
  const Launches &launches;
  AttrReader bytes;
  NameFacts names;
  DenseMap<std::pair<uint32_t, uint32_t>, StringRef> kindCache;
};

StringRef Builder::kindOf(const DeviceActivity &a) {
  const Track &t = rank.track(a.event.track);
  EventKind kind = t.kinds[a.event.index];
  uint32_t classes = static_cast<uint32_t>(kind) << 8 | static_cast<uint32_t>(a.work);
  auto [it, isNew] =
      kindCache.try_emplace({static_cast<uint32_t>(t.names[a.event.index]), classes});
  if (isNew)
    it->second = activityKind(kind, a.work, rank.name(a.event));
  return it->second;
}

void Builder::add(Gatherer &g, const DeviceActivity &a) {
  WindowFacts &out = g.out;
  const Track &t = rank.track(a.event.track);
  EventKind eventKind = t.kinds[a.event.index];
  KindSum &total = g.kinds[kindOf(a)];
  total.work = a.work;
  Duration inside = overlap(a.interval(), out.window);
  total.time += inside;
  out.workTime += inside;
  bool isCopy = a.work == WorkClass::Copy;
  StringId name = t.names[a.event.index];
  bool isPageable = isCopy && names.is(NameFact::Pageable, name);
  if (isPageable)
    g.pageable.push_back({std::max(a.begin, out.window.begin), std::min(a.end, out.window.end)});
  if (!g.beginsIn(a.begin))
    return;
  ++total.calls;
  ++(isCopy ? out.copies : eventKind == EventKind::Memset ? out.fills : out.kernels);
  if (!isCopy && eventKind == EventKind::Kernel && a.end - a.begin < kShortKernel)
    ++out.shortKernels;
  if (a.work == WorkClass::Communication) {
    ++out.communications;
    g.communications.push_back(a.end - a.begin);
    g.communicationStreams.push_back(a.stream);
  } else if (a.work == WorkClass::Compute && eventKind == EventKind::Kernel) {
    g.computeStreams.insert(a.stream);
  }
  if (isCopy) {
    if (isPageable) {
      ++out.pageableCopies;
      out.pageableBytes +=
          static_cast<uint64_t>(std::max<int64_t>(0, bytes.getInt(t, a.event.index).value_or(0)));
    }
    if (names.is(NameFact::ToDevice, name))
      ++out.toDevice;
  }
  if (const LaunchCall *call = launches.launchOf(a.event)) {
    auto index = static_cast<uint32_t>(call - launches.calls.data());
    if (g.calls.insert(index).second) {
      out.graphLaunches += call->graph;
      ++g.launchesByTrack[call->call.track];
    }
    g.delays.push_back(std::max(Duration{}, a.begin - rank.interval(call->call).end));
  }
}

void Builder::activities(MutableArrayRef<Gatherer> gatherers) {
  // Steps are disjoint and in order; what is no step is the last.
  bool whole = !gatherers.back().isStep();
  MutableArrayRef<Gatherer> steps = whole ? gatherers.drop_back() : gatherers;
  for (const DeviceActivity &a : device.activities) {
    if (whole && gatherers.back().holds(a))
      add(gatherers.back(), a);
    auto it = partition_point(steps, [&](const Gatherer &g) {
      return g.out.window.end <= a.begin && !(g.last && a.begin == g.out.window.end);
    });
    for (; it != steps.end() && (it->out.window.begin < a.end || it->beginsIn(a.begin)); ++it)
      if (it->holds(a))
        add(*it, a);
  }
}

void Builder::gaps(const DeviceIdle &idle, const std::vector<bool> &cold,
                   MutableArrayRef<Gatherer> gatherers) {
  for (auto [gap, isCold] : zip_equal(idle.gaps, cold)) {
    bool isLong = gap.interval.length() >= kLongGap;
    for (Gatherer &g : gatherers) {
      if ((g.out.step == "all" && gap.leadIn) || overlap(gap.interval, g.out.window).ns == 0)
        continue;
      Duration inside = overlap(gap.interval, g.out.window);
      g.out.longGaps += isLong;
      g.out.coldGaps += isCold;
      if (isCold)
        g.out.coldGapTime += inside;
      for (const IdlePart &p : idle.partsOf(gap))
        if (isLaunchWait(p.cause))
          (isLong ? g.out.longHostWait : g.out.shortHostWait) += overlap(p.interval, g.out.window);
    }
  }
}

void Builder::finish(Gatherer &g) {
  WindowFacts &out = g.out;
  for (const auto &[kind, total] : g.kinds)
    out.kinds.push_back({kind, total.work, total.calls, total.time});
  llvm::sort(out.kinds, [](const KindTotal &a, const KindTotal &b) {
    return std::tie(b.time, b.calls, a.kind) < std::tie(a.time, a.calls, b.kind);
  });
  out.launches = g.calls.size();
  out.medianDelay = lowerMedian(g.delays);
  if (!g.communications.empty()) {
    out.communicationMax = *std::max_element(g.communications.begin(), g.communications.end());
    out.communicationMedian = *lowerMedian(g.communications);
  }
  for (int64_t stream : g.communicationStreams)
    out.onComputeStream += g.computeStreams.count(stream);
  out.communication = device.communication.measure(out.window);
  const IntervalSet pageable = IntervalSet::unionOf(std::move(g.pageable));
  for (Interval i : pageable.intervals())
    out.pageableExposed += i.length() - device.computeOrCommunication.measure(i);
  out.threads = g.launchesByTrack.size();
  uint32_t best = 0;
  uint64_t most = 0;
  for (auto [track, count] : g.launchesByTrack)
    if (count > most || (count == most && track < best)) {
      best = track;
      most = count;
    }
  if (most) {
    const SourceId &tid = rank.track(best).key.tid;
    out.thread = tid.form == SourceId::Int      ? itostr(tid.value)
                 : tid.form == SourceId::Absent ? "?"
                                                : rank.str(tid.text).str();
  }
}
} // namespace

/// The window of a step, of everything, or one that was asked for.
static WindowFacts emptyFacts(const Rank &rank, const Steps &steps, const DeviceSteps &device,
                              const ReportWindow &window) {
  WindowFacts w;
  w.step = window.step;
  w.window = window.interval;
  if (!window.isStep)
    return w;
  const DeviceStep &step = device.steps[window.index];
  w.first = step.first;
  w.misplaced = step.misplaced;
  w.typical = device.typical[window.index];
  w.leadIn = step.leadIn.length();
  if (step.mark < steps.marks.size()) {
    const StepMark &mark = steps.marks[step.mark];
    w.marked = true;
    w.host = mark.interval;
    w.markName = rank.name(mark.event).str();
  }
  return w;
}

static Expected<AllWindows> gather(const Rank &rank, AnalysisContext &context,
                                   const Selection &selection) {
  auto launches = context.get<Launches>();
  if (!launches)
    return launches.takeError();
  auto unions = context.get<DeviceUnion>();
  if (!unions)
    return unions.takeError();
  auto steps = context.get<Steps>();
  if (!steps)
    return steps.takeError();
  auto causes = context.get<IdleCauses>();
  if (!causes)
    return causes.takeError();
  auto cold = context.get<ColdGaps>();
  if (!cold)
    return cold.takeError();

  auto devices = selectedDevices(rank, **unions, **steps, selection);
  if (!devices)
    return devices.takeError();
  AllWindows result;
  for (const SelectedDevice &selected : *devices) {
    if (selected.windows.empty())
      continue;
    const DeviceTimeline &device = *selected.timeline;
    DeviceWindows &out = result.devices.emplace_back();
    out.device = device.device;
    for (const ReportWindow &w : selected.windows)
      out.windows.push_back(emptyFacts(rank, **steps, *selected.steps, w));

    std::vector<Gatherer> gatherers;
    gatherers.reserve(out.windows.size());
    for (WindowFacts &w : out.windows)
      gatherers.emplace_back(w, w.window.end == device.range.end);
    Builder builder(rank, device, **launches);
    builder.activities(gatherers);
    Builder::gaps((*causes)->devices[selected.index], (*cold)->devices[selected.index], gatherers);
    for (Gatherer &g : gatherers)
      builder.finish(g);
  }
  return result;
}

Expected<AllWindows> AllWindows::compute(const Rank &rank, AnalysisContext &context) {
  return gather(rank, context, Selection());
}

Expected<AllWindows> selectedWindows(const Rank &rank, const Selection &selection,
                                     const Limits &limits) {
  AnalysisCache cache(rank);
  AnalysisContext context(cache, limits, nullptr);
  return gather(rank, context, selection);
}

} // namespace heddle::summary
