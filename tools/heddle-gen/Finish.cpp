//===- Finish.cpp - From what happened to what a recorder writes ----------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "Loop.h"
#include <algorithm>
#include <map>

using namespace heddle::gen;

static const Value *find(const Event &event, llvm::StringRef key) {
  for (const Arg &arg : event.args)
    if (arg.key == key)
      return &arg.value;
  return nullptr;
}

/// Annotations come again on each stream that ran something launched inside them.
static void addDeviceAnnotations(RankTrace &trace, Era era) {
  struct Call {
    uint32_t lane;
    int64_t begin;
    uint32_t activity;
  };
  std::vector<Call> calls;
  for (uint32_t i = 0; i < trace.events.size(); ++i)
    if (trace.events[i].launch != none) {
      const Event &call = trace.events[trace.events[i].launch];
      calls.push_back({call.lane, call.begin, i});
    }
  int64_t before = era == Era::Torch1_13 ? 1000 : 1, after = era == Era::Torch1_13 ? 1000 : 2;
  std::vector<Event> copies;
  for (const Event &annotation : trace.events) {
    if (annotation.cls != EventClass::Annotation)
      continue;
    std::map<uint32_t, std::pair<int64_t, int64_t>> covered; // by lane
    for (const Call &call : calls) {
      if (call.lane != annotation.lane || call.begin < annotation.begin ||
          call.begin >= annotation.end)
        continue;
      const Event &activity = trace.events[call.activity];
      auto [at, added] = covered.try_emplace(activity.lane, activity.begin, activity.end);
      if (!added) {
        at->second.first = std::min(at->second.first, activity.begin);
        at->second.second = std::max(at->second.second, activity.end);
      }
    }
    for (const auto &[lane, span] : covered) {
      Event copy;
      copy.cls = EventClass::DeviceAnnotation;
      copy.lane = lane;
      copy.name = annotation.name;
      copy.begin = span.first - before;
      copy.end = span.second + after;
      if (const Value *id = find(annotation, "External id"))
        copy.args.push_back({"External id", *id});
      copies.push_back(std::move(copy));
    }
  }
  for (Event &copy : copies)
    trace.events.push_back(std::move(copy));
}

/// The rows of the recorder itself.
static void addRecorderRows(RankTrace &trace) {
  auto lane = [&](Lane l) {
    trace.lanes.push_back(std::move(l));
    return static_cast<uint32_t>(trace.lanes.size() - 1);
  };
  auto event = [&](EventClass cls, uint32_t onLane, llvm::StringRef name, int64_t begin,
                   int64_t end, Args args) {
    Event e;
    e.cls = cls;
    e.lane = onLane;
    e.name = name.str();
    e.begin = begin;
    e.end = end;
    e.args = std::move(args);
    trace.events.push_back(std::move(e));
  };
  event(EventClass::Overhead, lane({Lane::Recorder, -1, 0, {}, {}, false, {}}),
        "Activity Buffer Request", trace.windowBegin + 96000, trace.windowBegin + 180000, {});
  event(EventClass::Window, lane({Lane::Recorder, 0, 0, "Spans", "PyTorch Profiler", true, {}}),
        "PyTorch Profiler (0)", trace.windowBegin, trace.windowEnd - 90000,
        {{"Op count", Value::integer(0)}});
  event(EventClass::Marker,
        lane({Lane::Recorder, 0, 0, "Traces", "Trace PyTorch Profiler", true, {}}),
        "Iteration Start: PyTorch Profiler", trace.windowBegin, trace.windowBegin, {});
  event(EventClass::Marker, lane({Lane::Recorder, 0, 0, "", "", true, {}}), "Record Window End",
        trace.windowEnd, trace.windowEnd, {});
}

/// Recorders write what ops did, then Python's frames, then activities each with its call.
static void sortForFile(RankTrace &trace) {
  auto section = [](const Event &e) {
    switch (e.cls) {
    case EventClass::CpuOp:
    case EventClass::Annotation:
    case EventClass::Memory:
      return 0;
    case EventClass::Python:
      return 1;
    case EventClass::Runtime:
    case EventClass::Driver:
    case EventClass::SyncRow:
    case EventClass::Kernel:
    case EventClass::Memcpy:
    case EventClass::Memset:
      return 2;
    case EventClass::DeviceAnnotation:
      return 3;
    case EventClass::Overhead:
    case EventClass::Window:
    case EventClass::Marker:
      return 4;
    }
    return 4;
  };
  std::vector<uint32_t> order(trace.events.size());
  for (uint32_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](uint32_t x, uint32_t y) {
    const Event &a = trace.events[x], &b = trace.events[y];
    if (section(a) != section(b))
      return section(a) < section(b);
    if (section(a) == 2) {
      if (a.correlation != b.correlation)
        return a.correlation < b.correlation;
      return isActivity(a.cls) && !isActivity(b.cls);
    }
    return section(a) < 2 && a.begin < b.begin;
  });
  std::vector<uint32_t> place(order.size());
  for (uint32_t i = 0; i < order.size(); ++i)
    place[order[i]] = i;
  std::vector<Event> sorted;
  sorted.reserve(order.size());
  for (uint32_t i : order)
    sorted.push_back(std::move(trace.events[i]));
  for (Event &event : sorted) {
    if (event.launch != none)
      event.launch = place[event.launch];
    if (event.forward != none)
      event.forward = place[event.forward];
  }
  trace.events = std::move(sorted);
}

/// Turns true times into those of the host's clock.
static void setClock(RankTrace &trace, const HostClock &clock) {
  auto shown = [&](int64_t time) {
    int64_t passed = time - trace.jobBegin;
    // By second and rest, so that nothing overflows; rounded down, so that order stays.
    int64_t drifted =
        passed / 1000000000 * clock.drift + passed % 1000000000 * clock.drift / 1000000000;
    return time + clock.offset + drifted;
  };
  for (Event &event : trace.events) {
    event.begin = shown(event.begin);
    event.end = shown(event.end);
  }
  trace.windowBegin = shown(trace.windowBegin);
  trace.windowEnd = shown(trace.windowEnd);
}

void heddle::gen::finish(Worker &worker) {
  RankTrace &trace = worker.trace;
  addDeviceAnnotations(trace, worker.options.era);
  addRecorderRows(trace);
  for (const HostClock &clock : worker.options.clocks)
    if (clock.host == trace.host)
      setClock(trace, clock);
  if (worker.options.era == Era::Torch1_13)
    for (Event &event : trace.events) {
      // Begin and duration are cut to whole microseconds, each by itself.
      int64_t length = (event.end - event.begin) / 1000 * 1000;
      event.begin = event.begin / 1000 * 1000;
      event.end = event.begin + length;
    }
  sortForFile(trace);
}
