//===- Runs.cpp - Sequences of small ops on a stream ----------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Runs.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <map>

using namespace llvm;

namespace heddle::fusion {

namespace {

constexpr uint32_t kNone = 0xffffffff;

/// As CUDA's and ROCm's recorders name copies.
bool isWithinDevice(StringRef copy) {
  return copy.contains("DtoD") || copy.contains("DeviceToDevice");
}

/// Numbers for pairs of numbers, in order of first use.
class Pairs {
public:
  uint32_t of(uint32_t a, uint32_t b) {
    return ids.try_emplace({a, b}, static_cast<uint32_t>(ids.size())).first->second;
  }
  size_t size() const { return ids.size(); }

private:
  DenseMap<std::pair<uint32_t, uint32_t>, uint32_t> ids;
};

/// Builds runs from activities in order.
class Builder {
public:
  Builder(const Rank &rank, const Launches &launches, const Limits &limits, DeviceRuns &out)
      : rank(rank), launches(launches), limits(limits), out(out), traffic(rank) {}

  /// `window` is kNone for what belongs to none, which ends runs.
  void add(const DeviceActivity &a, uint32_t window) {
    Stream &s = streams[a.stream];
    OpClass kind = OpClass::Never;
    EventRef op = window == kNone ? EventRef() : fusibleOp(a, kind);
    if (!op.valid() || s.window != window || (s.run != kNone && a.begin - s.end >= limits.maxGap))
      s.run = kNone;
    s.end = s.any ? std::max(s.end, a.end) : a.end;
    s.any = true;
    if (!op.valid())
      return;
    ++out.fusible;
    bool joins = s.run != kNone;
    if (!joins) {
      s.run = static_cast<uint32_t>(out.runs.size());
      s.window = window;
      out.runs.emplace_back();
    }
    std::vector<Member> &run = out.runs[s.run];
    const LaunchCall *launch = launches.launchOf(a.event);
    uint32_t calls = !joins || launch != s.launch;
    s.launch = launch;
    if (!joins || run.back().op != op)
      run.push_back({op, keyOf(a.stream, op), {}, {}, 0, a.event, traffic.traffic(op, kind)});
    Member &m = run.back();
    m.activities.push_back(a.interval());
    m.work += a.end - a.begin;
    m.launches += calls;
  }

private:
  /// The op that launched the activity if it could be fused, and the op's class.
  EventRef fusibleOp(const DeviceActivity &a, OpClass &kind) {
    const LaunchCall *launch = launches.launchOf(a.event);
    if (!launch)
      return {};
    if (launch->graph) {
      ++out.inGraphs;
      return {};
    }
    const Track &track = rank.track(a.event.track);
    EventKind what = track.kinds[a.event.index];
    StringRef name = rank.str(track.names[a.event.index]);
    bool hasOp = launch->op.valid() && rank.kind(launch->op) == EventKind::CpuOp;
    kind = hasOp ? opClass(launch->op) : OpClass::Unknown;
    bool fusible = false;
    if (a.work == WorkClass::Communication)
      return {};
    if (a.work == WorkClass::Copy)
      fusible = isWithinDevice(name) || isFusible(a.event);
    else if (kind == OpClass::Unknown)
      fusible = what == EventKind::Memset || isFusible(a.event);
    else
      fusible = kind != OpClass::Never;
    if (fusible && !hasOp)
      ++out.withoutOp;
    return fusible && hasOp ? launch->op : EventRef();
  }

  OpClass opClass(EventRef op) {
    auto [it, isNew] = classes.try_emplace(static_cast<uint32_t>(nameOf(op)));
    if (isNew)
      it->second = classOfOp(rank.name(op));
    return it->second;
  }
  bool isFusible(EventRef kernel) {
    auto [it, isNew] = fusibleNames.try_emplace(static_cast<uint32_t>(nameOf(kernel)));
    if (isNew)
      it->second = isFusibleKernel(rank.name(kernel));
    return it->second;
  }
  StringId nameOf(EventRef e) const { return rank.track(e.track).names[e.index]; }

  uint32_t keyOf(int64_t stream, EventRef op) {
    auto key = std::make_tuple(stream, static_cast<uint32_t>(nameOf(op)), traffic.dims(op));
    return keys.try_emplace(key, static_cast<uint32_t>(keys.size())).first->second;
  }

  struct Stream {
    bool any = false; ///< Some activity came.
    Time end;         ///< The last end so far.
    uint32_t run = kNone, window = kNone;
    const LaunchCall *launch = nullptr; ///< Of the activity before.
  };

  const Rank &rank;
  const Launches &launches;
  const Limits &limits;
  DeviceRuns &out;
  TrafficReader traffic;
  std::map<int64_t, Stream> streams;
  DenseMap<uint32_t, OpClass> classes; ///< By name.
  DenseMap<uint32_t, bool> fusibleNames;
  std::map<std::tuple<int64_t, uint32_t, StringId>, uint32_t> keys;
};

/// Cuts runs that are too long.
class Cutter {
public:
  Cutter(ArrayRef<std::vector<Member>> runs, const Limits &limits, uint64_t windows)
      : limits(limits), need(limits.minRepeats * windows) {
    for (const std::vector<Member> &run : runs)
      if (run.size() > limits.maxLength) {
        for (const Member &m : run)
          members.push_back(&m);
        members.push_back(nullptr); // nothing crosses the end of a run
      }
  }

  std::vector<Occurrence> parts() {
    std::vector<Occurrence> out;
    if (members.empty())
      return out;
    // ids[l][i]: equal for equal parts of l + 1 members that begin at i.
    std::vector<std::vector<uint32_t>> ids(1);
    for (const Member *m : members)
      ids[0].push_back(m ? m->key : kNone);
    std::vector<size_t> numIds(1);
    for (size_t l = 1; l < limits.maxLength; ++l) {
      Pairs pairs;
      ids.emplace_back(members.size(), kNone);
      for (size_t i = 0; i + l < members.size(); ++i)
        if (ids[l - 1][i] != kNone && members[i + l])
          ids[l][i] = pairs.of(ids[l - 1][i], members[i + l]->key);
      numIds.push_back(pairs.size());
    }
    taken.assign(members.size(), false);
    for (size_t l = limits.maxLength; l-- > 1;)
      take(ids[l], numIds[l], l + 1, out);
    return out;
  }

private:
  void take(ArrayRef<uint32_t> ids, size_t numIds, size_t length, std::vector<Occurrence> &out) {
    // How many members are free from each on.
    std::vector<uint32_t> room(members.size() + 1);
    for (size_t i = members.size(); i-- > 0;)
      room[i] = members[i] && !taken[i] ? room[i + 1] + 1 : 0;
    std::vector<uint64_t> count(numIds);
    std::vector<size_t> next(numIds);
    for (size_t i = 0; i != members.size(); ++i)
      if (room[i] >= length && i >= next[ids[i]]) {
        ++count[ids[i]];
        next[ids[i]] = i + length;
      }
    for (size_t i = 0; i < members.size();) {
      if (room[i] < length || count[ids[i]] < need) {
        ++i;
        continue;
      }
      out.emplace_back(members[i], length); // members of a run lie side by side
      std::fill_n(taken.begin() + static_cast<ptrdiff_t>(i), length, true);
      i += length;
    }
  }

  const Limits &limits;
  uint64_t need;
  std::vector<const Member *> members; ///< Null between runs.
  std::vector<bool> taken;
};

} // namespace

DeviceRuns findRuns(const Rank &rank, const DeviceTimeline &device, const DeviceSteps &steps,
                    const Launches &launches, ArrayRef<ReportWindow> windows,
                    const Limits &limits) {
  DeviceRuns out;
  std::vector<uint32_t> windowOfStep(steps.steps.size(), kNone);
  uint32_t other = kNone; // besides steps there is at most one
  for (const auto &[i, w] : enumerate(windows))
    (w.isStep ? windowOfStep[w.index] : other) = static_cast<uint32_t>(i);
  Builder builder(rank, launches, limits, out);
  for (const auto &[i, a] : enumerate(device.activities)) {
    uint32_t step = steps.stepOf[i],
             window = step == DeviceSteps::kNone ? kNone : windowOfStep[step];
    if (other != kNone && windows[other].interval.contains(a.begin))
      window = other;
    builder.add(a, window);
  }
  for (const std::vector<Member> &run : out.runs)
    for (const Member &m : run)
      if (auto bytes = m.traffic.all();
          bytes && m.work > Duration{} &&
          static_cast<Wide>(*bytes) * out.bestNs > static_cast<Wide>(out.bestBytes) * m.work.ns) {
        out.bestBytes = *bytes;
        out.bestNs = m.work.ns;
      }

  std::vector<Occurrence> all = Cutter(out.runs, limits, windows.size()).parts();
  for (const std::vector<Member> &run : out.runs)
    if (run.size() >= 2 && run.size() <= limits.maxLength)
      all.emplace_back(run);
  sort(all, [&](Occurrence a, Occurrence b) {
    return std::pair(a.front().activities.front().begin, a.front().first) <
           std::pair(b.front().activities.front().begin, b.front().first);
  });
  Pairs chains; // of a sequence's id and the next key
  DenseMap<uint32_t, size_t> index;
  for (Occurrence o : all) {
    uint32_t id = kNone - 1;
    for (const Member &m : o)
      id = chains.of(id, m.key);
    auto [it, isNew] = index.try_emplace(id, out.groups.size());
    if (isNew)
      out.groups.push_back({rank.track(o.front().first.track).stream, {}});
    out.groups[it->second].occurrences.push_back(o);
  }
  return out;
}

} // namespace heddle::fusion
