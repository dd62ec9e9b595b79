//===- IdleCauses.cpp - Why a device idles --------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/IdleCauses.h"
#include "HostCauses.h"
#include "heddle/Analysis/Nesting.h"
#include <algorithm>

using namespace heddle;

llvm::StringRef heddle::idleCauseName(IdleCause c) {
  static constexpr llvm::StringLiteral names[] = {
      "sync",      "after-sync", "input",       "gc",         "alloc",          "compile",
      "host",      "unobserved", "launch-call", "dependency", "launch-latency", "kernel-to-kernel",
      "unrecorded"};
  static_assert(std::size(names) == kNumIdleCauses);
  return names[static_cast<unsigned>(c)];
}

llvm::ArrayRef<IdleGap> DeviceIdle::in(Interval window) const {
  if (window.empty())
    return {};
  auto first = std::upper_bound(gaps.begin(), gaps.end(), window.begin,
                                [](Time t, const IdleGap &g) { return t < g.interval.end; });
  auto last = std::lower_bound(first, gaps.end(), window.end,
                               [](const IdleGap &g, Time t) { return g.interval.begin < t; });
  return llvm::ArrayRef(gaps).slice(first - gaps.begin(), last - first);
}

void IdleSums::add(llvm::ArrayRef<IdlePart> parts, Interval window) {
  std::array<bool, kNumIdleCauses> seen{};
  for (const IdlePart &p : parts) {
    Duration length = p.interval.meet(window).length();
    if (length == Duration{})
      continue;
    auto c = static_cast<unsigned>(p.cause);
    time[c] += length;
    gaps[c] += !std::exchange(seen[c], true);
  }
}

namespace {

/// Recorded waits of streams for events, by device and stream.
class StreamWaits {
public:
  explicit StreamWaits(const Rank &rank) {
    AttrReader syncKind(rank, "cuda_sync_kind");
    std::map<std::pair<int64_t, int64_t>, std::vector<Interval>> waits;
    for (const Track &track : rank.tracks()) {
      if (track.key.family != Family::StreamSync)
        continue;
      for (uint32_t i = 0; i < track.size(); ++i)
        if (track.kinds[i] == EventKind::Sync &&
            syncKind.getString(track, i).value_or(rank.str(track.names[i])) == "Stream Wait Event")
          waits[{track.device, track.stream}].push_back(track.interval(i));
    }
    for (auto &[stream, list] : waits)
      sets[stream] = IntervalSet::unionOf(std::move(list));
  }
  const IntervalSet *find(int64_t device, int64_t stream) const {
    auto it = sets.find({device, stream});
    return it == sets.end() ? nullptr : &it->second;
  }

private:
  std::map<std::pair<int64_t, int64_t>, IntervalSet> sets;
};

/// Splits gaps of one device.
class Splitter {
public:
  Splitter(const Rank &rank, const DeviceUnion &devices, const DeviceTimeline &device,
           const Launches &launches, const StreamWaits &waits, HostThreads &threads,
           DeviceIdle &out)
      : rank(rank), devices(devices), device(device), launches(launches), waits(waits),
        threads(threads), out(out) {}

  void split(Interval gap, uint32_t endedBy, bool leadIn) {
    first = out.parts.size();
    attribute(gap, device.activities[endedBy], leadIn);
    out.gaps.push_back({gap, endedBy, leadIn, static_cast<uint32_t>(first),
                        static_cast<uint32_t>(out.parts.size() - first)});
  }

private:
  void add(Time begin, Time end, IdleCause cause) {
    if (end <= begin)
      return;
    if (out.parts.size() > first && out.parts.back().cause == cause)
      out.parts.back().interval.end = end;
    else
      out.parts.push_back({{begin, end}, cause});
  }

  void attribute(Interval gap, const DeviceActivity &next, bool leadIn) {
    if (gap.length() < kTurnaround)
      return add(gap.begin, gap.end, IdleCause::KernelToKernel);
    const LaunchCall *launch = launches.launchOf(next.event);
    if (!launch)
      return add(gap.begin, gap.end, IdleCause::Unrecorded);
    Interval call = rank.interval(launch->call);
    Time callBegin = std::clamp(call.begin, gap.begin, gap.end);
    Time callEnd = std::clamp(call.end, callBegin, gap.end);
    const HostThread &thread = threads.threadOf(launch->call);
    beforeCall(thread, {gap.begin, callBegin}, leadIn);
    add(callBegin, callEnd, IdleCause::LaunchCall);
    afterCall({callEnd, gap.end}, next);
  }

  /// True if what the host or the queue waits for during `piece` is not in the recording.
  bool waitsForUnrecorded(Interval piece) const {
    return piece.length() > kUnrecordedWait &&
           llvm::none_of(devices.devices, [&](const DeviceTimeline &d) {
             return &d != &device && d.busy.overlaps(piece);
           });
  }

  void beforeCall(const HostThread &thread, Interval part, bool leadIn) {
    if (part.empty())
      return;
    // The call in which the queue ran dry; what follows it is its price.
    Time drained = part.end;
    if (auto until = leadIn ? std::nullopt : thread.blockedUntil(part.begin))
      drained = *until;
    const auto &begins = thread.segmentBegin;
    size_t s = std::upper_bound(begins.begin(), begins.end(), part.begin) - begins.begin();
    for (Time t = part.begin; t < part.end; ++s) {
      Time end = s < begins.size() ? std::min(begins[s], part.end) : part.end;
      uint32_t span = s > 0 ? thread.segmentEvent[s - 1] : TrackNesting::kNone;
      if (span == TrackNesting::kNone) {
        unexplained(thread, {t, end}, drained);
      } else {
        IdleCause cause = thread.causes[span];
        Interval whole = thread.spans[span];
        bool drains = !leadIn && whole.begin <= part.begin;
        if (cause == IdleCause::Sync && !drains &&
            waitsForUnrecorded({std::max(whole.begin, part.begin), std::min(whole.end, part.end)}))
          cause = IdleCause::Unrecorded;
        add(t, end, cause);
      }
      t = end;
    }
  }

  /// Time in which no span of the thread has a cause of its own.
  void unexplained(const HostThread &thread, Interval part, Time drained) {
    if (Time end = std::min(part.end, drained); end > part.begin) {
      Time t = part.begin;
      for (Interval i : thread.observed.in({part.begin, end})) {
        add(t, i.begin, IdleCause::Unobserved);
        add(std::max(i.begin, part.begin), std::min(i.end, end), IdleCause::Host);
        t = std::min(i.end, end);
      }
      add(t, end, IdleCause::Unobserved);
    }
    add(std::max(part.begin, drained), part.end, IdleCause::AfterSync);
  }

  void afterCall(Interval part, const DeviceActivity &next) {
    if (part.empty())
      return;
    IdleCause other = waitsForUnrecorded(part) ? IdleCause::Unrecorded : IdleCause::LaunchLatency;
    Time t = part.begin;
    if (const IntervalSet *set = waits.find(device.device, next.stream))
      for (Interval i : set->in(part)) {
        add(t, i.begin, other);
        add(std::max(i.begin, part.begin), std::min(i.end, part.end), IdleCause::Dependency);
        t = std::min(i.end, part.end);
      }
    add(t, part.end, other);
  }

  const Rank &rank;
  const DeviceUnion &devices;
  const DeviceTimeline &device;
  const Launches &launches;
  const StreamWaits &waits;
  HostThreads &threads;
  DeviceIdle &out;
  size_t first = 0; ///< Where the parts of the current gap begin.
};

} // namespace

llvm::Expected<IdleCauses> IdleCauses::compute(const Rank &rank, AnalysisContext &context) {
  auto devices = context.get<DeviceUnion>();
  if (!devices)
    return devices.takeError();
  auto launches = context.get<Launches>();
  if (!launches)
    return launches.takeError();
  auto steps = context.get<Steps>();
  if (!steps)
    return steps.takeError();

  IdleCauses result;
  StreamWaits waits(rank);
  HostThreads threads(rank, **launches);
  for (size_t d = 0; d < (*devices)->devices.size(); ++d) {
    const DeviceTimeline &device = (*devices)->devices[d];
    DeviceIdle idle;
    idle.device = device.device;
    Splitter splitter(rank, **devices, device, **launches, waits, threads, idle);
    const auto &own = (*steps)->devices[d].steps;
    if (!own.empty() && !own.front().leadIn.empty())
      splitter.split(own.front().leadIn, 0, /*leadIn=*/true);
    for (const DeviceGap &g : device.gaps)
      splitter.split(g.interval, g.endedBy, /*leadIn=*/false);
    result.devices.push_back(std::move(idle));
  }
  return result;
}
