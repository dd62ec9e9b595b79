//===- Grouping.cpp - Which inputs are one rank ---------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//
// Two recordings are cycles of one rank if nothing speaks against it (another number, size of the
// job, host, folder; a time that both cover) and something for it: one worker name in names with
// times, as tensorboard_trace_handler writes them, or a process that is in both.
//
//===----------------------------------------------------------------------===//

#include "Grouping.h"
#include "heddle/Analysis/Extent.h"
#include "heddle/IR/Names.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <map>

using namespace llvm;

namespace heddle {

GraphUse graphUse(const Rank &rank) {
  GraphUse use;
  enum class Name : uint8_t { Other, Capture, Launch };
  DenseMap<uint32_t, Name> names;
  auto nameOf = [&](StringId id) {
    auto [it, added] = names.try_emplace(static_cast<uint32_t>(id), Name::Other);
    if (StringRef name = rank.str(id); !added)
      return it->second;
    else if (nameIs(NameFact::CapturesGraph, name))
      it->second = Name::Capture;
    else if (nameIs(NameFact::LaunchesGraph, name))
      it->second = Name::Launch;
    return it->second;
  };
  for (const Track &t : rank.tracks())
    for (uint32_t i = 0; i != t.size(); ++i)
      if (isApiCall(t.kinds[i])) {
        Name name = nameOf(t.names[i]);
        use.captured += name == Name::Capture;
        use.launched += name == Name::Launch;
      }
  for (const Edge &e : rank.edges())
    use.activities += e.kind == EdgeKind::Launch &&
                      nameOf(rank.track(e.from.track).names[e.from.index]) == Name::Launch;
  auto idle = rank.recording.notes.find("launch-without-activity");
  use.idle = idle == rank.recording.notes.end() ? 0 : idle->second;
  return use;
}

std::string describeGraphs(const GraphUse &use) {
  auto count = [](uint64_t n, StringRef one, StringRef many) {
    return (Twine(n) + " " + (n == 1 ? one : many)).str();
  };
  std::string captured = count(use.captured, "graph", "graphs") + " captured",
              launched = count(use.launched, "launch of a graph", "launches of graphs") + " with " +
                         count(use.activities, "activity", "activities");
  if (use.isCapture())
    return "a capture: " + captured + ", none launched; " + count(use.idle, "launch", "launches") +
           " without activity";
  if (use.captured)
    return captured + "; " + launched;
  return use.launched ? "a replay: " + launched : "";
}

Evidence::Evidence(const Rank &rank) {
  isCapture = graphUse(rank).isCapture();
  StringRef path = rank.recording.path, name = sys::path::filename(path);
  folder = sys::path::parent_path(path).str();
  name.consume_back(".gz");
  if (name.consume_back(".pt.trace.json")) {
    auto [head, digits] = name.rsplit('.');
    if (digits.size() >= 13 && all_of(digits, isDigit) && !digits.getAsInteger(10, stamp))
      worker = head.str();
  }
  Extent extent(rank);
  processes = std::move(extent.processes);
  // Each is a time within centuries, so that their sum is no overflow.
  if (std::optional<int64_t> origin = rank.recording.unixOrigin(); extent.range && origin)
    range = Interval{Time{extent.range->begin.ns + *origin}, Time{extent.range->end.ns + *origin}};
}

/// The time in the name is when the file was written.
static int64_t whenOf(const Evidence &e) { return e.range ? e.range->begin.ns : e.stamp; }

static bool shareProcess(const Evidence &a, const Evidence &b) {
  return intersect(a.processes, b.processes);
}

namespace {
/// Recordings of one rank.
struct Group {
  std::vector<size_t> members;
};
} // namespace

static bool areCycles(const Rank &a, const Evidence &x, const Rank &b, const Evidence &y) {
  if (a.number != b.number || a.worldSize != b.worldSize || a.host != b.host ||
      x.folder != y.folder || x.isCapture != y.isCapture || !a.recording.part.empty() ||
      !b.recording.part.empty())
    return false;
  bool sameWorker = !x.worker.empty() && x.worker == y.worker;
  if (!sameWorker && !(a.number && shareProcess(x, y)))
    return false;
  if (!x.range || !y.range)
    return sameWorker && x.stamp != y.stamp;
  return x.range->end < y.range->begin || y.range->end < x.range->begin;
}

/// Whether a file of several recordings says that `b` is the next cycle of the rank that `a` is of.
static bool continues(const Rank &a, const Rank &b) {
  return b.cycle.value_or(1) > 1 && b.cycle == a.cycle.value_or(1) + 1 && a.number == b.number &&
         !b.recording.part.empty() && a.recording.path == b.recording.path;
}

std::vector<size_t> groupCycles(const Trace &trace, ArrayRef<Evidence> evidence) {
  std::vector<Group> groups;
  // Only recordings of one folder and number can be one rank: few, so that pairs may be compared.
  std::map<std::pair<std::string, std::optional<int64_t>>, std::vector<size_t>> candidates;
  size_t before = 0; // the group of the recording before
  for (size_t i = 0; i != trace.ranks.size(); ++i) {
    if (i > 0 && continues(*trace.ranks[i - 1], *trace.ranks[i])) {
      groups[before].members.push_back(i);
      continue;
    }
    auto &near = candidates[{evidence[i].folder, trace.ranks[i]->number}];
    auto joins = [&](size_t g) {
      return all_of(groups[g].members, [&](size_t m) {
        return areCycles(*trace.ranks[m], evidence[m], *trace.ranks[i], evidence[i]);
      });
    };
    auto it = find_if(near, joins);
    if (it != near.end()) {
      before = *it;
      groups[*it].members.push_back(i);
    } else {
      before = groups.size();
      near.push_back(before);
      groups.push_back({{i}});
    }
  }
  stable_sort(groups, [&](const Group &a, const Group &b) {
    auto number = [&](const Group &g) {
      return trace.ranks[g.members[0]]->number.value_or(INT64_MAX);
    };
    return number(a) < number(b);
  });
  std::vector<size_t> order;
  for (Group &g : groups) {
    stable_sort(g.members,
                [&](size_t a, size_t b) { return whenOf(evidence[a]) < whenOf(evidence[b]); });
    for (auto [n, member] : enumerate(g.members)) {
      trace.ranks[member]->cycle.reset();
      if (g.members.size() > 1)
        trace.ranks[member]->cycle = static_cast<int64_t>(n) + 1;
      order.push_back(member);
    }
  }
  return order;
}

/// "3, 5-7"; of many ranges the first few.
static std::string ranges(ArrayRef<int64_t> numbers) {
  constexpr size_t shown = 12;
  std::string text;
  size_t count = 0;
  for (size_t i = 0; i != numbers.size();) {
    size_t j = i + 1;
    while (j != numbers.size() && numbers[j] - numbers[i] == static_cast<int64_t>(j - i))
      ++j;
    if (++count > shown)
      return text + " and " + std::to_string(numbers.size() - i) + " more";
    text += (text.empty() ? "" : ", ") + std::to_string(numbers[i]);
    if (j - i > 1)
      text += (j - i == 2 ? ", " : "-") + std::to_string(numbers[j - 1]);
    i = j;
  }
  return text;
}

std::string missingRanks(const Trace &trace) {
  std::set<int64_t> there;
  int64_t world = 0;
  for (const auto &rank : trace.ranks) {
    if (!rank->number)
      return "";
    there.insert(*rank->number);
    world = std::max(world, rank->worldSize.value_or(0));
  }
  // A file may state any size: what lies between two ranks is one range, however long.
  std::string text;
  int64_t next = 0, count = 0;
  constexpr int64_t shown = 12;
  auto gap = [&](int64_t from, int64_t to) {
    if (from >= to || ++count > shown)
      return;
    text += (text.empty() ? "" : ", ") + std::to_string(from);
    if (to - from > 1)
      text += (to - from == 2 ? ", " : "-") + std::to_string(to - 1);
  };
  for (int64_t n : there)
    if (n >= 0 && n < world) {
      gap(next, n);
      next = n + 1;
    }
  gap(next, world);
  return count > shown ? text + ", ..." : text;
}

static Expected<Evidence> evidenceOf(const Trace &trace, size_t i) {
  Expected<RankHold> rank = trace.hold(i);
  if (!rank)
    return rank.takeError();
  return Evidence(**rank);
}

Expected<std::vector<std::string>> describeGroups(const Trace &trace) {
  std::vector<std::string> facts;
  std::vector<int64_t> numbers;
  int64_t world = 0;
  bool differ = false;
  for (const auto &rank : trace.ranks) {
    if (rank->number && (numbers.empty() || numbers.back() != *rank->number))
      numbers.push_back(*rank->number);
    differ |= world && rank->worldSize.value_or(world) != world;
    world = std::max(world, rank->worldSize.value_or(0));
  }
  size_t ranks = countRanks(trace);
  std::string what = std::to_string(trace.ranks.size()) +
                     (trace.ranks.size() == 1 ? " recording of " : " recordings of ") +
                     std::to_string(ranks) + (ranks == 1 ? " rank" : " ranks");
  if (!numbers.empty())
    what += ": " + ranges(numbers);
  facts.push_back(what);
  if (differ)
    facts.push_back("they state jobs of different sizes, up to " + std::to_string(world));
  else if (world)
    facts.push_back("the job has " + std::to_string(world) + (world == 1 ? " rank" : " ranks"));
  if (std::string missing = missingRanks(trace); !missing.empty())
    facts.push_back("missing: " + missing);
  else if (world && numbers.empty())
    facts.push_back("which of them is not said");
  for (size_t i = 0; i != trace.ranks.size(); ++i) {
    if (trace.ranks[i]->cycle != 1)
      continue;
    size_t n = 1;
    while (i + n != trace.ranks.size() && trace.ranks[i + n]->cycle.value_or(1) > 1)
      ++n;
    if (n == 1)
      continue; // a selection took the others
    Expected<Evidence> one = evidenceOf(trace, i), other = evidenceOf(trace, i + 1);
    if (!one || !other)
      return joinErrors(one.takeError(), other.takeError());
    const Evidence &first = *one, &second = *other;
    std::string why = "one folder";
    if (!first.worker.empty() && first.worker == second.worker)
      why += ", worker '" + first.worker + "'";
    if (shareProcess(first, second))
      why += ", one process";
    why += first.range && second.range ? ", one after the other" : ", by the times in their names";
    facts.push_back("rank " + std::to_string(rankLabel(trace, i)) + " in " + std::to_string(n) +
                    " cycles (" + why + ")");
  }
  for (size_t i = 0; i != trace.ranks.size() && trace.ranks.size() > 1; ++i) {
    Expected<RankHold> rank = trace.hold(i);
    if (!rank)
      return rank.takeError();
    if (graphUse(**rank).isCapture())
      facts.push_back(sys::path::filename((*rank)->recording.path).str() +
                      " is a capture of graphs: others show what the graphs do");
  }
  return facts;
}

} // namespace heddle
