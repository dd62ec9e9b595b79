//===- Link.cpp - Launch edges by correlation -----------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Link.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace heddle::chrome {

/// What an API call's name says about the device work it owns.
Linker::Call Linker::callOf(StringId name) {
  auto [it, added] = calls.try_emplace(static_cast<uint32_t>(name), Call::Plain);
  if (!added)
    return it->second;
  StringRef n = rank.str(name);
  auto has = [&](StringRef part) { return n.contains(part); };
  Call c = Call::Plain;
  if (n.starts_with("cudaGet") || n.starts_with("hipGet") || n.starts_with("cuGet") ||
      has("Occupancy") || has("GetAttribute") || has("IsCapturing") || has("Query"))
    c = Call::Probe;
  else if (has("GraphLaunch") || has("Memcpy") || has("memcpy") || has("Memset") || has("memset") ||
           has("Batch") || has("MultiDevice"))
    c = Call::Many;
  else if (has("Launch") || has("launch"))
    c = Call::One;
  return it->second = c;
}

/// External ids that equal the correlation nearly everywhere link nothing: one generation of
/// recorders wrote the one for the other.
void Linker::judgeExternalIds() {
  uint64_t both = 0, equal = 0;
  AttrReader correlation(rank, "correlation"), external(rank, {"External id", "external id"});
  if (!correlation.anywhere() || !external.anywhere())
    return;
  for (const Track &t : rank.tracks())
    for (uint32_t i = 0; i < t.size(); ++i) {
      if (!isApiCall(t.kinds[i]) && !isDeviceWork(t.kinds[i]))
        continue;
      auto c = correlation.getInt(t, i), e = external.getInt(t, i);
      if (!c || !e || *c == 0 || *e == 0)
        continue;
      ++both;
      equal += *c == *e;
    }
  rank.recording.externalIdsBroken = both >= 4 && equal * 100 >= both * 95;
}

void Linker::collect() {
  AttrReader correlation(rank, "correlation");
  for (uint32_t n = 0; n < rank.tracks().size(); ++n) {
    const Track &t = rank.track(n);
    bool host = t.key.family == Family::ThreadWork;
    if (!host && t.key.family != Family::StreamWork)
      continue;
    for (uint32_t i = 0; i < t.size(); ++i) {
      if (host ? !isApiCall(t.kinds[i]) : !isDeviceWork(t.kinds[i]))
        continue;
      int64_t id = correlation.getInt(t, i).value_or(0);
      (host ? launches : activities).push_back({id, t.begin[i].ns, {n, i}});
    }
  }
  auto byId = [](const Linked &a, const Linked &b) {
    return std::tie(a.id, a.begin, a.event) < std::tie(b.id, b.begin, b.event);
  };
  llvm::sort(launches, byId);
  llvm::sort(activities, byId);
}

/// The call of one process that owns an activity: a launch, copy or fill before any other call,
/// among equals the latest that begins before the activity, else the first.
const Linker::Linked *Linker::choose(ArrayRef<const Linked *> calls, int64_t begin) {
  const Linked *best = nullptr;
  auto better = [&](const Linked &a, const Linked &b) {
    bool work = isWork(a), other = isWork(b);
    if (work != other)
      return work;
    bool causal = a.begin <= begin, otherCausal = b.begin <= begin;
    if (causal != otherCausal)
      return causal;
    return causal ? a.begin > b.begin : a.begin < b.begin;
  };
  for (const Linked *l : calls)
    if (callOf(nameOf(*l)) != Call::Probe && (!best || better(*l, *best)))
      best = l;
  return best;
}

void Linker::byCorrelation() {
  size_t l = 0;
  SmallVector<const Linked *, 8> group, ofProcess;
  SmallVector<std::pair<const Linked *, const Linked *>, 8> owned; // call, activity
  for (size_t a = 0; a < activities.size();) {
    int64_t id = activities[a].id;
    size_t end = a;
    while (end < activities.size() && activities[end].id == id)
      ++end;
    while (l < launches.size() && launches[l].id < id)
      ++l;
    group.clear();
    for (size_t i = l; id != 0 && i < launches.size() && launches[i].id == id; ++i)
      group.push_back(&launches[i]);
    llvm::stable_sort(
        group, [&](const Linked *x, const Linked *y) { return processOf(*x) < processOf(*y); });
    owned.clear();
    for (; a < end; ++a)
      if (const Linked *call = owner(group, activities[a], ofProcess))
        owned.push_back({call, &activities[a]});
      else
        unlinked.push_back(activities[a].event);
    // A single launch owns one activity: the first.
    for (size_t i = 0; i < owned.size(); ++i) {
      auto [call, activity] = owned[i];
      bool first =
          none_of(ArrayRef(owned).take_front(i), [c = call](auto &o) { return o.first == c; });
      if (callOf(nameOf(*call)) == Call::Many || first) {
        link(call->event, activity->event);
      } else {
        sink.note("second-activity-of-launch");
        unlinked.push_back(activity->event);
      }
    }
  }
}

/// The owner among the calls with an activity's id, which are sorted by process.
const Linker::Linked *Linker::owner(ArrayRef<const Linked *> group, const Linked &activity,
                                    SmallVectorImpl<const Linked *> &ofProcess) {
  const Linked *found = nullptr, *causal = nullptr;
  unsigned processes = 0, causes = 0;
  for (size_t i = 0; i < group.size();) {
    ofProcess.clear();
    for (size_t first = i; i < group.size() && processOf(*group[i]) == processOf(*group[first]);
         ++i)
      ofProcess.push_back(group[i]);
    const Linked *call = choose(ofProcess, activity.begin);
    if (!call)
      continue;
    ++processes;
    found = call;
    if (call->begin <= activity.begin) {
      ++causes;
      causal = call;
    }
  }
  if (processes <= 1)
    return found;
  // Several processes in one file use the same ids: only one of them may have been first.
  if (causes == 1)
    return causal;
  sink.note("ambiguous-launch");
  return nullptr;
}

void Linker::link(EventRef call, EventRef activity) {
  builder.edges().push_back({EdgeKind::Launch, call, activity});
  if (rank.interval(activity).begin < rank.interval(call).begin)
    sink.note("activity-before-launch");
  // A copy is a copy by the call that made it, whatever ran it.
  EventKind &kind = builder.trackAt(activity.track).kinds[activity.index];
  if (kind == EventKind::Kernel) {
    StringRef name = rank.name(call);
    if (name.contains("Memcpy"))
      kind = EventKind::Memcpy;
    else if (name.contains("Memset"))
      kind = EventKind::Memset;
  }
}

/// Counts what has no partner, after all links are made.
void Linker::countUnlinked() {
  std::vector<EventRef> callers;
  for (const Edge &e : rank.edges())
    if (e.kind == EdgeKind::Launch)
      callers.push_back(e.from);
  llvm::sort(callers);
  uint64_t idle = 0;
  for (const Linked &l : launches)
    idle += isWork(l) && !std::binary_search(callers.begin(), callers.end(), l.event);
  sink.note("launch-without-activity", idle);
  sink.note("activity-without-launch",
            unlinked.size() - static_cast<uint64_t>(llvm::count(linkedByFlow, true)));
}

void linkEvents(Sink &sink) {
  Linker linker(sink);
  linker.judgeExternalIds();
  linker.collect();
  linker.byCorrelation();
  linker.byFlows();
  linker.countUnlinked();
  sink.ranks().sortEdges();
}

} // namespace heddle::chrome
