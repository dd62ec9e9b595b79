//===- RankFacts.cpp - Figures that describe a rank -----------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/RankFacts.h"
#include <algorithm>
#include <map>

using namespace heddle;

/// Fewer gaps than this say nothing about how a recorder treats them.
static constexpr uint64_t kEnoughGaps = 100;

static DeviceFacts factsOf(const Launches &launches, const DeviceTimeline &device,
                           const DeviceSteps &steps) {
  DeviceFacts f;
  f.device = device.device;
  f.withoutTime = device.withoutTime;
  f.far = device.far;
  f.cut = device.cut;
  f.range = device.range;
  f.steps = steps.steps.size();
  f.typicalSteps = llvm::count(steps.typical, true);
  f.unassigned = steps.unassigned;
  f.unassignedTime = steps.unassignedTime;

  std::map<int64_t, Time> endOfStream; // any number may be a stream: no DenseMap
  for (const DeviceActivity &a : device.activities) {
    Duration length = a.end - a.begin;
    f.workTime = addClamped(f.workTime, length);
    if (!launches.launchOf(a.event))
      f.withoutLaunchTime = addClamped(f.withoutLaunchTime, length);
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
  f.gapsSwallowed = f.streamGaps >= kEnoughGaps && 2 * f.oneNsGaps >= f.streamGaps;
  return f;
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

  RankFacts f;
  for (const Track &track : rank.tracks()) {
    f.events += track.size();
    for (EventKind k : track.kinds)
      ++f.byKind[static_cast<unsigned>(k)];
  }
  auto count = [&](EventKind k) { return f.byKind[static_cast<unsigned>(k)]; };
  f.hasStacks = count(EventKind::Python) > 0;
  f.hasMemory = count(EventKind::Memory) > 0;
  f.hasShapes = AttrReader(rank, {"Input Dims", "Input dims"}).anywhere();
  f.hostRange = (*devices)->hostRange;
  f.hasHost = (*devices)->hasHost;

  f.graphLaunches = (*launches)->graphLaunches;
  f.graphActivities = (*launches)->graphActivities;
  f.activities = (*launches)->activities;
  f.launched = (*launches)->launched;
  f.beforeLaunch = (*launches)->beforeLaunch;
  for (size_t d = 0; d < (*devices)->devices.size(); ++d)
    f.devices.push_back(factsOf(**launches, (*devices)->devices[d], (*steps)->devices[d]));

  f.stepSource = (*steps)->source;
  f.stepPattern = (*steps)->pattern;
  f.stepMarks = (*steps)->marks.size();
  f.misplacedMarks = (*steps)->misplaced;
  f.missingProfilerStep = (*steps)->missingProfilerStep;
  return f;
}
