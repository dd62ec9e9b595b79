//===- RankFacts.cpp - Figures that describe a rank -----------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/RankFacts.h"
#include <algorithm>
#include <map>
#include <set>

using namespace heddle;

/// Below this a kernel costs about as much to launch as it runs.
static constexpr Duration kShortKernel{10000};
/// Fewer gaps than this say nothing about how a recorder treats them.
static constexpr uint64_t kEnoughGaps = 100;

static Duration median(std::vector<Duration> &values) {
  auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2)
    return *middle;
  Duration below = *std::max_element(values.begin(), middle);
  return Duration{below.ns + (middle->ns - below.ns) / 2};
}

static DeviceFacts factsOf(const Rank &rank, const Launches &launches, const DeviceTimeline &device,
                           const DeviceSteps &steps, const DeviceIdle &idle) {
  DeviceFacts f;
  f.device = device.device;
  f.withoutTime = device.withoutTime;
  f.far = device.far;
  f.cut = device.cut;
  f.range = device.range;
  f.busy = device.busy.measure();
  f.idle = device.range.length() - f.busy;
  for (const IdleGap &g : idle.gaps)
    for (const IdlePart &p : idle.partsOf(g))
      if (!g.leadIn && p.cause == IdleCause::Unrecorded)
        f.unrecordedIdle += p.interval.length();
  f.steps = steps.steps.size();
  f.typicalSteps = llvm::count(steps.typical, true);
  f.unassigned = steps.unassigned;
  f.unassignedTime = steps.unassignedTime;

  std::map<int64_t, Time> endOfStream; // any number may be a stream: no DenseMap
  for (const DeviceActivity &a : device.activities) {
    Duration length = a.end - a.begin;
    EventKind kind = rank.kind(a.event);
    f.kernels += kind == EventKind::Kernel;
    f.copies += kind == EventKind::Memcpy;
    f.fills += kind == EventKind::Memset;
    f.shortKernels += kind == EventKind::Kernel && length < kShortKernel;
    f.workTime = addClamped(f.workTime, length);
    if (!launches.launchOf(a.event)) {
      ++f.withoutLaunch;
      f.withoutLaunchTime = addClamped(f.withoutLaunchTime, length);
    }
    auto [it, isNew] = endOfStream.try_emplace(a.stream, a.end);
    if (isNew)
      continue;
    if (a.begin < it->second) {
      ++f.overlapping;
      f.overlapTime = addClamped(f.overlapTime, std::min(it->second, a.end) - a.begin);
    } else if (a.begin > it->second) {
      ++f.streamGaps;
      f.oneNsGaps += (a.begin - it->second).ns == 1;
    }
    it->second = std::max(it->second, a.end);
  }
  f.streams = endOfStream.size();
  f.gapsSwallowed = f.streamGaps >= kEnoughGaps && 2 * f.oneNsGaps >= f.streamGaps;
  return f;
}

static void findThreads(const Rank &rank, const Launches &launches, RankFacts &facts) {
  using Key = std::pair<SourceId, SourceId>;
  std::map<Key, LaunchThread> launching;
  for (const LaunchCall &c : launches.calls) {
    const TrackKey &key = rank.track(c.call.track).key;
    ++launching[{key.pid, key.tid}].launches;
  }
  AttrReader shapes(rank, {"Input Dims", "Input dims"});
  facts.hasShapes = shapes.anywhere();
  std::set<Key> hosts;
  for (const Track &track : rank.tracks()) {
    if (!isHostTrack(track))
      continue;
    Key key{track.key.pid, track.key.tid};
    auto it = launching.find(key);
    bool works = false;
    for (uint32_t i = 0; i < track.size(); ++i) {
      works |= isHostWork(track.kinds[i]);
      if (it == launching.end())
        continue;
      it->second.pythonFrames += track.kinds[i] == EventKind::Python;
      it->second.shapedOps += track.kinds[i] == EventKind::CpuOp && shapes.present(track, i);
    }
    if (works)
      hosts.insert(key);
    if (it != launching.end() && track.name != StringId::None)
      it->second.name = rank.str(track.name);
  }
  facts.hostThreads = hosts.size();
  for (auto &[key, thread] : launching) {
    thread.pid = key.first;
    thread.tid = key.second;
    facts.threads.push_back(std::move(thread));
  }
  std::stable_sort(facts.threads.begin(), facts.threads.end(),
                   [](auto &a, auto &b) { return a.launches > b.launches; });
}

llvm::Expected<RankFacts> RankFacts::compute(const Rank &rank, AnalysisContext &context) {
  auto devices = context.get<DeviceUnion>();
  if (!devices)
    return devices.takeError();
  auto launches = context.get<Launches>();
  if (!launches)
    return launches.takeError();
  auto steps = context.get<Steps>();
  if (!steps)
    return steps.takeError();
  auto idle = context.get<IdleCauses>();
  if (!idle)
    return idle.takeError();

  RankFacts f;
  for (const Track &track : rank.tracks()) {
    f.events += track.size();
    for (EventKind k : track.kinds)
      ++f.byKind[static_cast<unsigned>(k)];
  }
  auto count = [&](EventKind k) { return f.byKind[static_cast<unsigned>(k)]; };
  f.hasStacks = count(EventKind::Python) > 0;
  f.hasMemory = count(EventKind::Memory) > 0;
  f.hasSyncRows = count(EventKind::Sync) > 0;
  f.hasCollectiveArgs = AttrReader(rank, "Collective name").anywhere();
  f.hostRange = (*devices)->hostRange;
  f.hasHost = (*devices)->hasHost;

  f.launches = (*launches)->calls.size();
  f.graphLaunches = (*launches)->graphLaunches;
  f.graphActivities = (*launches)->graphActivities;
  f.activities = (*launches)->activities;
  f.launched = (*launches)->launched;
  f.beforeLaunch = (*launches)->beforeLaunch;
  f.callsWithoutOp = (*launches)->callsWithoutOp;
  findThreads(rank, **launches, f);

  std::vector<Duration> delays;
  for (size_t d = 0; d < (*devices)->devices.size(); ++d) {
    const DeviceTimeline &device = (*devices)->devices[d];
    f.devices.push_back(
        factsOf(rank, **launches, device, (*steps)->devices[d], (*idle)->devices[d]));
    for (const DeviceActivity &a : device.activities)
      if (const LaunchCall *l = (*launches)->launchOf(a.event))
        delays.push_back(std::max(Duration{}, a.begin - rank.interval(l->call).end));
  }
  if (!delays.empty())
    f.medianDelay = median(delays);

  f.stepSource = (*steps)->source;
  f.stepPattern = (*steps)->pattern;
  f.stepMarks = (*steps)->marks.size();
  f.misplacedMarks = (*steps)->misplaced;
  f.missingProfilerStep = (*steps)->missingProfilerStep;
  if (!(*steps)->marks.empty())
    f.firstMarkName = rank.name((*steps)->marks.front().event);
  return f;
}
