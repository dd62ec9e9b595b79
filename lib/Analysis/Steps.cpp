//===- Steps.cpp - The steps of each device -------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/Steps.h"
#include "StepMarks.h"
#include <algorithm>

using namespace heddle;

const DeviceSteps *Steps::find(int64_t device) const {
  for (const DeviceSteps &d : devices)
    if (d.device == device)
      return &d;
  return nullptr;
}

namespace {

/// Finds the mark in which a launch begins: of several that hold it, the last in order.
class MarkIndex {
public:
  MarkIndex(const Rank &rank, llvm::ArrayRef<StepMark> marks) : rank(rank) {
    std::map<SourceId, std::pair<std::vector<Interval>, std::vector<uint32_t>>> byPid;
    for (uint32_t m = 0; m < marks.size(); ++m) {
      auto &[spans, ids] = byPid[rank.track(marks[m].event.track).key.pid];
      spans.push_back(marks[m].interval);
      ids.push_back(m);
    }
    // Marks are in order of time for each process too; ties of optimizer steps are empty spans.
    for (auto &[pid, lists] : byPid) {
      Process &p = processes[pid];
      p.mark = std::move(lists.second);
      innermostSegments(lists.first, p.begin, p.segment);
    }
  }

  uint32_t find(EventRef call) const {
    const Track &track = rank.track(call.track);
    auto it = processes.find(track.key.pid);
    if (it == processes.end())
      return DeviceSteps::kNone;
    const Process &p = it->second;
    auto s = std::upper_bound(p.begin.begin(), p.begin.end(), track.begin[call.index]);
    if (s == p.begin.begin())
      return DeviceSteps::kNone;
    uint32_t i = p.segment[s - p.begin.begin() - 1];
    return i == TrackNesting::kNone ? DeviceSteps::kNone : p.mark[i];
  }

private:
  struct Process {
    std::vector<Time> begin;
    std::vector<uint32_t> segment, mark;
  };
  const Rank &rank;
  std::map<SourceId, Process> processes;
};

} // namespace

/// Steps of a device from the marks that own its activities.
static void findWindows(const Steps &steps, const DeviceTimeline &device,
                        const std::vector<uint32_t> &markOf, DeviceSteps &out) {
  struct Own {
    Time begin{INT64_MAX}, end{INT64_MIN};
    uint64_t count = 0;
  };
  std::vector<Own> own(steps.marks.size());
  for (uint32_t i = 0; i < device.activities.size(); ++i) {
    const DeviceActivity &a = device.activities[i];
    if (markOf[i] == DeviceSteps::kNone) {
      ++out.unassigned;
      out.unassignedTime = addClamped(out.unassignedTime, a.end - a.begin);
      continue;
    }
    Own &o = own[markOf[i]];
    o.begin = std::min(o.begin, a.begin);
    o.end = std::max(o.end, a.end);
    ++o.count;
  }
  std::vector<uint32_t> stepOfMark(steps.marks.size(), DeviceSteps::kNone);
  for (uint32_t m = 0; m < steps.marks.size(); ++m) {
    if (!own[m].count)
      continue;
    const StepMark &mark = steps.marks[m];
    DeviceStep s;
    s.number = mark.number;
    s.mark = m;
    s.activities = own[m].count;
    s.misplaced = mark.misplaced;
    s.first = out.steps.empty();
    Time begin =
        s.first ? std::min(mark.interval.begin, own[m].begin) : out.steps.back().window.end;
    s.window = {begin, std::max(begin, own[m].end)};
    if (s.first && begin < device.range.begin)
      s.leadIn = {begin, device.range.begin};
    stepOfMark[m] = out.steps.size();
    out.steps.push_back(s);
  }
  out.stepOf.resize(markOf.size());
  for (uint32_t i = 0; i < markOf.size(); ++i)
    out.stepOf[i] = markOf[i] == DeviceSteps::kNone ? DeviceSteps::kNone : stepOfMark[markOf[i]];
}

/// The one window of a recording without marks.
static void makeOneWindow(const DeviceUnion &devices, const DeviceTimeline &device,
                          DeviceSteps &out) {
  out.stepOf.assign(device.activities.size(), 0);
  if (device.activities.empty())
    return;
  DeviceStep s;
  s.number = 1;
  s.first = true;
  s.activities = device.activities.size();
  s.window = device.range;
  if (devices.hasHost && devices.hostRange.begin < device.range.end)
    s.window.begin = std::max(devices.hostRange.begin, device.range.begin);
  out.steps.push_back(s);
}

llvm::Expected<Steps> Steps::compute(const Rank &rank, AnalysisContext &context) {
  auto devices = context.get<DeviceUnion>();
  if (!devices)
    return devices.takeError();
  auto launches = context.get<Launches>();
  if (!launches)
    return launches.takeError();
  Steps result;
  findStepMarks(rank, result);
  MarkIndex index(rank, result.marks);

  for (const DeviceTimeline &device : (*devices)->devices) {
    DeviceSteps d;
    d.device = device.device;
    if (result.source == StepSource::None) {
      makeOneWindow(**devices, device, d);
    } else {
      std::vector<uint32_t> markOf;
      markOf.reserve(device.activities.size());
      for (const DeviceActivity &a : device.activities) {
        const LaunchCall *launch = (*launches)->launchOf(a.event);
        markOf.push_back(launch ? index.find(launch->call) : DeviceSteps::kNone);
      }
      findWindows(result, device, markOf, d);
    }
    for (const DeviceStep &s : d.steps)
      d.typical.push_back(!s.first && !s.misplaced);
    if (llvm::none_of(d.typical, [](bool t) { return t; }))
      d.typical.assign(d.steps.size(), true);
    result.devices.push_back(std::move(d));
  }
  return result;
}
