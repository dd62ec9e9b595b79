//===- Clocks.cpp - Which host a rank ran on, and when --------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "Merge.h"

#include "llvm/ADT/STLExtras.h"

using namespace heddle;
using namespace heddle::merge;
using llvm::Twine;

std::optional<Interval> Member::ran() const {
  std::optional<int64_t> origin = rank->recording.unixOrigin();
  if (before)
    origin = rank->placement->assumed ? std::nullopt : std::optional(rank->placement->origin);
  if (!origin || !extent->range)
    return std::nullopt;
  // Each is a time within 146 years, so that their sum is no overflow.
  return Interval{{extent->range->begin.ns + *origin}, {extent->range->end.ns + *origin}};
}

std::optional<Interval> Member::ranIn(const Trace &trace) const {
  if (!extent->range)
    return std::nullopt;
  auto begin = timeInTrace(trace, *rank, extent->range->begin),
       end = timeInTrace(trace, *rank, extent->range->end);
  return begin && end ? std::optional(Interval{{*begin}, {*end}}) : std::nullopt;
}

namespace {
/// A host without a name, as far as its ranks show it.
struct Unnamed {
  uint32_t clock;
  Interval ran;
  std::set<int64_t> processes, devices;

  /// Recorded at the same time, no process and no device is the other's too.
  bool mayHold(const Interval &when, const std::set<int64_t> &otherProcesses,
               const std::set<int64_t> &otherDevices) const {
    return ran.begin <= when.end && when.begin <= ran.end &&
           !intersect(processes, otherProcesses) && !intersect(devices, otherDevices);
  }
};
} // namespace

/// A host is known by its name. Recordings that state none are of one host if they overlap in time
/// and nothing shows that they are not: a process id of both, or a device that both used. A rank
/// has one host, whatever its cycles show.
void Merge::findClocks() {
  std::map<std::string, uint32_t> named;
  std::vector<Unnamed> unnamed;
  auto newClock = [&] {
    trace.clocks.emplace_back();
    return static_cast<uint32_t>(trace.clocks.size() - 1);
  };
  std::set<uint32_t> taken;
  uint32_t nextIds = 0;
  for (const Member &m : members)
    if (m.before) {
      taken.insert(m.rank->placement->ids);
      if (!m.rank->host.empty())
        named.try_emplace(m.rank->host, m.rank->placement->clock);
    }
  for (const Group &g : groups) {
    std::string host, by;
    std::optional<Interval> when;
    std::set<int64_t> processes, devices;
    std::optional<uint32_t> clock;
    for (Member &m : membersOf(g)) {
      if (host.empty())
        host = m.rank->host;
      if (m.before)
        clock = m.rank->placement->clock;
      if (std::optional<Interval> ran = m.ran())
        when = when ? Interval{std::min(when->begin, ran->begin), std::max(when->end, ran->end)}
                    : *ran;
      processes.insert(m.extent->processes.begin(), m.extent->processes.end());
      devices.insert(m.extent->devices.begin(), m.extent->devices.end());
    }
    if (clock) {
      by = "as before";
    } else if (!host.empty()) {
      auto [it, added] = named.try_emplace(host, 0);
      if (added)
        it->second = newClock();
      clock = it->second;
      by = "name";
    } else if (!when) {
      clock = newClock();
      by = "not known";
    } else {
      auto it = llvm::find_if(
          unnamed, [&](const Unnamed &u) { return u.mayHold(*when, processes, devices); });
      if (it == unnamed.end()) {
        unnamed.push_back({newClock(), *when, {}, {}});
        it = std::prev(unnamed.end());
      }
      by = "processes, devices and time";
      clock = it->clock;
      it->ran = {std::min(it->ran.begin, when->begin), std::max(it->ran.end, when->end)};
      it->processes.insert(processes.begin(), processes.end());
      it->devices.insert(devices.begin(), devices.end());
    }
    for (Member &m : membersOf(g)) {
      m.host = host;
      m.hostBy = by;
      if (m.before)
        continue;
      while (!taken.insert(nextIds).second)
        ++nextIds;
      m.rank->placement->clock = *clock;
      m.rank->placement->ids = nextIds;
    }
  }
  std::set<uint32_t> used;
  for (const Member &m : members)
    used.insert(m.rank->placement->clock);
  context.stat("clocks", static_cast<int64_t>(used.size()));
}

/// Unix time where the recording tells it; what does not begins with the first of the others.
void Merge::placeInTime() {
  std::optional<int64_t> start;
  std::vector<Member *> unplaced;
  std::vector<std::string> names;
  for (Member &m : members) {
    Placement &place = *m.rank->placement;
    if (m.before) {
      m.time = "as before";
    } else {
      std::optional<int64_t> origin = m.rank->recording.unixOrigin();
      place.assumed = !origin;
      place.origin = origin.value_or(0);
      m.time = origin ? "Unix time" : "none stated, laid at the begin of the trace";
      if (!origin)
        unplaced.push_back(&m);
    }
    if (std::optional<Interval> ran = m.ranIn(trace); ran && !place.assumed)
      start = std::min(start.value_or(INT64_MAX), ran->begin.ns);
  }
  for (Member *m : unplaced) {
    int64_t first = m->extent->range ? m->extent->range->begin.ns : 0;
    m->rank->placement->origin =
        std::clamp(addClamped({start.value_or(0)}, {-first}).ns, -kMaxAbsTimeNs, kMaxAbsTimeNs);
    names.push_back(nameOf(*m->rank));
  }
  bool several = members.size() > 1; // else there is nothing to be beside
  context.stat("unplaced", several ? static_cast<int64_t>(unplaced.size()) : 0);
  if (!unplaced.empty() && several)
    tell("merge-ranks-unplaced", Remark::Level::Warning,
         "no Unix time stated, so that nothing tells when they ran beside the others; laid at the "
         "begin of the trace: " +
             listed(names),
         "record with a PyTorch of 2.4 or later, which writes baseTimeNanoseconds");
}

/// Ranks of one run overlap in time.
void Merge::tellApart() {
  std::vector<std::pair<Interval, size_t>> all;
  for (const Member &m : members)
    if (std::optional<Interval> ran = m.ranIn(trace); ran && !m.rank->placement->assumed)
      all.push_back({*ran, m.group});
  llvm::sort(all, [](const auto &a, const auto &b) {
    return std::tuple(a.first.begin, a.first.end, a.second) <
           std::tuple(b.first.begin, b.first.end, b.second);
  });
  // The two latest ends so far, of different ranks: cycles of one rank lie apart from each other.
  std::vector<bool> meets(groups.size());
  struct Reach {
    Time end{INT64_MIN};
    size_t group = SIZE_MAX;
  } latest, second;
  for (const auto &[ran, group] : all) {
    for (const Reach &r : {latest, second})
      if (r.group != SIZE_MAX && r.group != group && r.end >= ran.begin)
        meets[r.group] = meets[group] = true;
    if (latest.group == group) {
      latest.end = std::max(latest.end, ran.end);
    } else if (ran.end > latest.end) {
      second = latest;
      latest = {ran.end, group};
    } else if (ran.end > second.end) {
      second = {ran.end, group};
    }
  }
  std::vector<std::string> apart;
  std::set<size_t> known;
  for (const auto &[ran, group] : all)
    known.insert(group);
  for (size_t g : known)
    if (!meets[g])
      apart.push_back(std::to_string(groups[g].number));
  if (known.size() > 1 && !apart.empty())
    tell("merge-ranks-apart", Remark::Level::Warning,
         Twine(apart.size() == 1 ? "a rank" : "ranks") +
             " recorded when no other was: " + listed(apart),
         "merge the recordings of one run");
}
