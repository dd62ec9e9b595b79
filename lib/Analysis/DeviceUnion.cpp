//===- DeviceUnion.cpp - When a device works ------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/DeviceUnion.h"
#include "heddle/Analysis/Launches.h"
#include <algorithm>
#include <map>

using namespace heddle;

bool heddle::hasNoTime(const Recording &recording, Time begin) {
  return recording.base.value_or(0) > 0 && begin.ns == -recording.origin;
}

DeviceBreakdown heddle::breakdown(const DeviceTimeline &device, Interval window) {
  DeviceBreakdown b;
  b.window = window.length();
  b.busy = device.busy.measure(window);
  b.idle = b.window - b.busy;
  b.compute = device.compute.measure(window);
  Duration both = device.computeOrCommunication.measure(window);
  b.exposedCommunication = both - b.compute;
  b.exposedCopy = b.busy - both;
  return b;
}

const DeviceTimeline *DeviceUnion::find(int64_t device) const {
  for (const DeviceTimeline &d : devices)
    if (d.device == device)
      return &d;
  return nullptr;
}

static bool inOrder(const DeviceActivity &a, const DeviceActivity &b) {
  if (a.begin != b.begin)
    return a.begin < b.begin;
  return a.end != b.end ? a.end > b.end : a.seq < b.seq;
}

/// Whether something without a launch lies farther from the host's range than that is long.
static bool isFar(Interval host, Interval activity) {
  Duration distance = std::max(host.begin - activity.end, activity.begin - host.end);
  return distance > host.length();
}

/// Cuts activities that run into the next one of their stream by more than any other activity of
/// their name lasts. Activities are in order; all are judged by their recorded times.
static void cutRunaways(const Rank &rank, DeviceTimeline &d) {
  struct Longest {
    Duration first{-1}, second{-1}; ///< The two longest of a name; -1 if there are fewer.
  };
  llvm::DenseMap<uint32_t, Longest> byName;
  auto nameOf = [&](const DeviceActivity &a) {
    return static_cast<uint32_t>(rank.track(a.event.track).names[a.event.index]);
  };
  for (const DeviceActivity &a : d.activities) {
    Longest &l = byName[nameOf(a)];
    Duration length = a.end - a.begin;
    if (length > l.first)
      l.second = std::exchange(l.first, length);
    else
      l.second = std::max(l.second, length);
  }
  std::map<int64_t, uint32_t> lastOfStream; // any number may be a stream: no DenseMap
  std::vector<std::pair<uint32_t, Time>> cuts;
  for (uint32_t q = 0; q < d.activities.size(); ++q) {
    auto [it, isNew] = lastOfStream.try_emplace(d.activities[q].stream, q);
    if (isNew)
      continue;
    const DeviceActivity &p = d.activities[std::exchange(it->second, q)];
    Duration overrun = p.end - d.activities[q].begin;
    if (overrun <= Duration{})
      continue;
    const Longest &l = byName[nameOf(p)];
    Duration others = p.end - p.begin == l.first ? l.second : l.first;
    if (others.ns >= 0 && overrun > others)
      cuts.push_back({static_cast<uint32_t>(&p - d.activities.data()), d.activities[q].begin});
  }
  for (auto [i, end] : cuts) {
    d.activities[i].end = std::max(end, d.activities[i].begin);
    d.activities[i].cut = true;
  }
  d.cut = cuts.size();
  if (!cuts.empty())
    std::stable_sort(d.activities.begin(), d.activities.end(), inOrder);
}

static void findUnionsAndGaps(DeviceTimeline &d) {
  std::vector<Interval> all, compute, communication, copies, both;
  all.reserve(d.activities.size());
  for (const DeviceActivity &a : d.activities) {
    Interval i = a.interval();
    all.push_back(i);
    if (a.work == WorkClass::Copy)
      copies.push_back(i);
    else
      both.push_back(i);
    if (a.work == WorkClass::Compute)
      compute.push_back(i);
    if (a.work == WorkClass::Communication)
      communication.push_back(i);
  }
  d.busy = IntervalSet::unionOf(std::move(all));
  d.compute = IntervalSet::unionOf(std::move(compute));
  d.communication = IntervalSet::unionOf(std::move(communication));
  d.copies = IntervalSet::unionOf(std::move(copies));
  d.computeOrCommunication = IntervalSet::unionOf(std::move(both));
  if (d.activities.empty())
    return;
  d.range = d.activities.front().interval();
  for (uint32_t i = 1; i < d.activities.size(); ++i) {
    const DeviceActivity &a = d.activities[i];
    if (a.begin > d.range.end)
      d.gaps.push_back({{d.range.end, a.begin}, i});
    d.range.end = std::max(d.range.end, a.end);
  }
}

llvm::Expected<DeviceUnion> DeviceUnion::compute(const Rank &rank, AnalysisContext &context) {
  auto launches = context.get<Launches>();
  if (!launches)
    return launches.takeError();
  DeviceUnion result;

  for (const Track &track : rank.tracks()) {
    if (!isHostTrack(track))
      continue;
    for (uint32_t i = 0; i < track.size(); ++i) {
      if (!isHostWork(track.kinds[i]) || hasNoTime(rank.recording, track.begin[i]))
        continue;
      if (!result.hasHost)
        result.hostRange = track.interval(i);
      result.hasHost = true;
      result.hostRange.begin = std::min(result.hostRange.begin, track.begin[i]);
      result.hostRange.end = std::max(result.hostRange.end, track.end[i]);
    }
  }

  WorkClassifier classifier(rank);
  std::map<int64_t, DeviceTimeline> byDevice;
  for (uint32_t t = 0; t < rank.tracks().size(); ++t) {
    const Track &track = rank.track(t);
    if (track.key.family != Family::StreamWork)
      continue;
    DeviceTimeline *d = nullptr;
    for (uint32_t i = 0; i < track.size(); ++i) {
      if (!isDeviceWork(track.kinds[i]))
        continue;
      if (!d)
        d = &byDevice[track.device];
      const LaunchCall *launch = (*launches)->launchOf({t, i});
      DeviceActivity a;
      a.event = {t, i};
      a.begin = track.begin[i];
      a.end = track.end[i];
      a.stream = track.stream;
      a.seq = track.seq[i];
      a.work = classifier.classify(track, i,
                                   launch ? rank.track(launch->call.track).names[launch->call.index]
                                          : StringId::None);
      bool noTime = hasNoTime(rank.recording, a.begin);
      bool far = !noTime && !launch && result.hasHost && isFar(result.hostRange, a.interval());
      d->withoutTime += noTime;
      d->far += far;
      (noTime || far ? d->excluded : d->activities).push_back(a);
    }
  }
  for (auto &[number, d] : byDevice) {
    d.device = number;
    std::sort(d.activities.begin(), d.activities.end(), inOrder);
    std::sort(d.excluded.begin(), d.excluded.end(), inOrder);
    cutRunaways(rank, d);
    findUnionsAndGaps(d);
    result.devices.push_back(std::move(d));
  }
  return result;
}
