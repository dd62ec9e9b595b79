//===- Numbers.cpp - Which recording is which rank ------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "Merge.h"

#include "llvm/ADT/STLExtras.h"

using namespace heddle;
using namespace heddle::merge;
using llvm::Twine;

/// A number that is stated stays with the first who states it. Who states none gets the first that
/// is free. Who states one that is taken gets one behind all others and outside of the job, where
/// it is nobody's: a free number inside is that of a rank whose recording is missing.
void Merge::giveNumbers() {
  std::map<int64_t, size_t> owner;
  int64_t behind = 0;
  // A file may state any number; what no job has is no reason to count from there.
  auto leave = [&](int64_t numbers) {
    if (numbers <= INT64_MAX / 2)
      behind = std::max(behind, numbers);
  };
  for (auto [i, g] : llvm::enumerate(groups)) {
    leave(members[g.first].rank->worldSize.value_or(0));
    if (!g.stated)
      continue;
    leave(*g.stated + (*g.stated < INT64_MAX));
    if (owner.try_emplace(*g.stated, i).second) {
      g.number = *g.stated;
      g.why = "as stated";
    }
  }
  giveFreeNumbers(owner, behind);
  std::vector<std::string> moved;
  for (Group &g : groups) {
    if (!g.why.empty())
      continue;
    const Member &other = members[groups[owner[*g.stated]].first];
    while (owner.count(behind))
      ++behind;
    g.number = behind++;
    g.why = "rank " + std::to_string(*g.stated) + " is " + nameOf(*other.rank);
    moved.push_back(nameOf(*members[g.first].rank) + ": " + std::to_string(g.number) +
                    " instead of " + std::to_string(*g.stated));
  }
  for (const Group &g : groups)
    for (Member &m : membersOf(g)) {
      if (!m.rank->placement) {
        m.rank->placement.emplace();
        m.rank->placement->stated = m.rank->number;
      }
      m.rank->number = g.number;
    }
  context.stat("renumbered", static_cast<int64_t>(moved.size()));
  if (!moved.empty())
    tell("merge-ranks-renumbered", Remark::Level::Warning,
         "equal rank numbers in recordings that are no cycles of one rank: " + listed(moved),
         "give each rank once, and the recordings of one run only");
}

void Merge::giveFreeNumbers(const std::map<int64_t, size_t> &owner, int64_t &behind) {
  std::vector<std::string> given;
  int64_t free = 0;
  for (Group &g : groups) {
    if (g.stated)
      continue;
    while (owner.count(free))
      ++free;
    g.number = free++;
    behind = std::max(behind, free);
    g.why = "none stated, the first that is free";
    given.push_back(nameOf(*members[g.first].rank) + ": " + std::to_string(g.number));
  }
  context.stat("unnumbered", static_cast<int64_t>(given.size()));
  if (!given.empty() && groups.size() > 1)
    tell("merge-ranks-unnumbered", Remark::Level::Note,
         "no rank number stated; given in the order of inputs: " + listed(given));
}

/// Which ranks of the job there is no recording of.
void Merge::tellMissing() {
  int64_t world = 0;
  bool differ = false, unknown = false;
  std::set<int64_t> stated;
  for (const Group &g : groups) {
    int64_t size = members[g.first].rank->worldSize.value_or(0);
    differ |= world && size && size != world;
    world = std::max(world, size);
    unknown |= !g.stated;
    if (g.stated && *g.stated >= 0)
      stated.insert(*g.stated);
  }
  if (differ) {
    tell("merge-ranks-jobs", Remark::Level::Warning,
         "the recordings are of jobs of different sizes, up to " + Twine(world) + " ranks",
         "merge the recordings of one job");
    return;
  }
  stated.erase(stated.lower_bound(world), stated.end());
  auto there = static_cast<int64_t>(unknown ? groups.size() : stated.size());
  if (there >= world)
    return;
  // A file may state any size: what lies between two ranks is one range, however long.
  std::vector<std::string> missing;
  int64_t next = 0;
  auto gap = [&](int64_t from, int64_t to) {
    if (from < to)
      missing.push_back(std::to_string(from) + (to - from > 1 ? "-" + std::to_string(to - 1) : ""));
  };
  for (int64_t n : stated) {
    gap(next, n);
    next = n + 1;
  }
  gap(next, world);
  tell("merge-ranks-missing", Remark::Level::Note,
       Twine(there) + " of " + Twine(world) + " ranks, " +
           (unknown ? "which of them is not said" : "missing: " + listed(missing)),
       "record all ranks");
}

void Merge::sortByNumber() {
  std::vector<size_t> order(groups.size());
  for (size_t i = 0; i != order.size(); ++i)
    order[i] = i;
  llvm::stable_sort(order, [&](size_t a, size_t b) { return groups[a].number < groups[b].number; });
  std::vector<std::unique_ptr<Rank>> ranks;
  std::vector<Member> sortedMembers;
  std::vector<Group> sortedGroups;
  for (size_t i : order) {
    Group g = groups[i];
    for (size_t m = g.first; m != g.first + g.count; ++m) {
      ranks.push_back(std::move(trace.ranks[m]));
      members[m].group = sortedGroups.size();
      sortedMembers.push_back(std::move(members[m]));
    }
    g.first = sortedMembers.size() - g.count;
    sortedGroups.push_back(std::move(g));
  }
  trace.ranks = std::move(ranks);
  members = std::move(sortedMembers);
  groups = std::move(sortedGroups);
}
