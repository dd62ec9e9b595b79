//===- Link.cpp - Launch edges by correlation -----------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Link.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <algorithm>

using namespace llvm;

namespace heddle::chrome {

/// What an API call's name says about the device work it owns.
Linker::Call Linker::callOf(StringId name) {
  auto [it, added] = calls.try_emplace(static_cast<uint32_t>(name), Call::Plain);
  if (!added)
    return it->second;
  auto is = [&](NameFact fact) { return nameIs(fact, rank.str(name)); };
  if (is(NameFact::Probe))
    it->second = Call::Probe;
  else if (is(NameFact::Several) || is(NameFact::Copies) || is(NameFact::Fills))
    it->second = Call::Many;
  else if (is(NameFact::Launches))
    it->second = Call::One;
  return it->second;
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

/// The calls that may own activities of one id, by process: launches, copies and fills, or, where
/// a process has none, its other calls; none that only asks. Processes by their first call.
void Linker::groupCalls(ArrayRef<Linked> sameId) {
  processes.clear();
  SmallVector<const Linked *, 8> group;
  for (const Linked &l : sameId)
    if (callOf(nameOf(l)) != Call::Probe)
      group.push_back(&l);
  llvm::stable_sort(
      group, [&](const Linked *a, const Linked *b) { return processOf(*a) < processOf(*b); });
  for (size_t i = 0; i < group.size(); ++i) {
    if (i == 0 || !(processOf(*group[i]) == processOf(*group[i - 1])))
      processes.emplace_back();
    Process &p = processes.back();
    if (isWork(*group[i]) && !p.work) {
      p.work = true;
      p.calls.clear();
    }
    if (isWork(*group[i]) == p.work)
      p.calls.push_back(group[i]);
  }
  llvm::stable_sort(processes, [](const Process &a, const Process &b) {
    return a.calls.front()->begin < b.calls.front()->begin;
  });
}

/// The call that owns an activity: of its process the latest that begins before it, else the first.
const Linker::Linked *Linker::owner(const Linked &activity) {
  if (processes.empty())
    return nullptr;
  if (processes.size() > 1) {
    // Several processes in one file use the same ids: only one of them may have been first.
    bool one = processes[0].calls.front()->begin <= activity.begin &&
               processes[1].calls.front()->begin > activity.begin;
    if (!one) {
      sink.note("ambiguous-launch");
      return nullptr;
    }
  }
  const auto &calls = processes[0].calls;
  auto beginsBefore = [](const Linked *l, int64_t at) { return l->begin < at; };
  auto after = llvm::upper_bound(calls, activity.begin,
                                 [](int64_t at, const Linked *l) { return at < l->begin; });
  if (after == calls.begin())
    return calls.front();
  return *std::lower_bound(calls.begin(), after, (*(after - 1))->begin, beginsBefore);
}

void Linker::byCorrelation() {
  size_t l = 0;
  llvm::SmallPtrSet<const Linked *, 8> owners;
  for (size_t a = 0; a < activities.size();) {
    int64_t id = activities[a].id;
    while (l < launches.size() && launches[l].id < id)
      ++l;
    size_t end = l;
    while (id > 0 && end < launches.size() && launches[end].id == id)
      ++end;
    groupCalls(ArrayRef(launches).slice(l, end - l));
    owners.clear();
    for (; a < activities.size() && activities[a].id == id; ++a) {
      const Linked *call = owner(activities[a]);
      // A single launch owns one activity: the first.
      if (call && callOf(nameOf(*call)) != Call::Many && !owners.insert(call).second) {
        sink.note("second-activity-of-launch");
        call = nullptr;
      }
      if (call)
        link(call->event, activities[a].event);
      else
        unlinked.push_back(activities[a].event);
    }
  }
}

void Linker::link(EventRef call, EventRef activity) {
  builder.edges().push_back({EdgeKind::Launch, call, activity});
  if (rank.interval(activity).begin < rank.interval(call).begin)
    sink.note("activity-before-launch");
  // A copy is a copy by the call that made it, whatever ran it.
  EventKind &kind = builder.trackAt(activity.track).kinds[activity.index];
  if (kind == EventKind::Kernel) {
    StringId name = rank.track(call.track).names[call.index];
    if (names.is(NameFact::Copies, name))
      kind = EventKind::Memcpy;
    else if (names.is(NameFact::Fills, name))
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
