//===- MergeRanks.cpp - Recordings become one trace -----------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//
// Gives each recording its place among the others: a number, a clock, a time and a namespace. No
// event changes.
//
//===----------------------------------------------------------------------===//

#include "Merge.h"

#include "heddle/Plugin/Plugin.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace heddle;
using namespace heddle::merge;

static constexpr ColumnInfo kColumns[] = {
    {"rank", Unit::None, false, "the number given"},
    {"cycle", Unit::None, false, "which recording of its rank it is, where there are several"},
    {"stated", Unit::None, false, "the number that the recording states, in it or in its name"},
    {"file", Unit::None, true, "the recording, and which part of it"},
    {"number_by", Unit::None, true, "how it got its number"},
    {"host", Unit::None, true, "its host's name, where a recording of the rank states it"},
    {"clock", Unit::None, false, "the clock of its host"},
    {"clock_by", Unit::None, true, "how its host was found"},
    {"offset_ns", Unit::Nanoseconds, false, "from the first begin in the trace to its own"},
    {"time_by", Unit::None, true, "how it was placed in time"},
};
static constexpr TableInfo kTables[] = {{"merge-ranks", "Recordings in the trace", kColumns}};
static constexpr RemarkInfo kRemarks[] = {
    {"merge-ranks-renumbered",
     "recordings that are no cycles of one rank state the same number: all but the first got "
     "another one"},
    {"merge-ranks-unnumbered", "recordings state no number, and got one"},
    {"merge-ranks-missing", "the job has ranks of which no recording is given"},
    {"merge-ranks-jobs", "the recordings state jobs of different sizes"},
    {"merge-ranks-unplaced", "recordings state no Unix time"},
    {"merge-ranks-apart", "a rank was recorded when no other one was"},
};
static constexpr StatInfo kStats[] = {
    {"recordings", Statistic::Severity::Info, "recordings in the trace"},
    {"ranks", Statistic::Severity::Info, "ranks that they are of"},
    {"clocks", Statistic::Severity::Info, "clocks, one for each host"},
    {"renumbered", Statistic::Severity::Loss, "ranks whose stated number another one has"},
    {"unnumbered", Statistic::Severity::Info, "ranks that state no number"},
    {"unplaced", Statistic::Severity::Loss, "recordings that state no Unix time"},
};

namespace {

class MergeRanks : public TraceRewrite {
public:
  llvm::Error run(Trace &trace, TraceContext &context) const override {
    return Merge(trace, context).run();
  }
};

} // namespace

std::string merge::nameOf(const Rank &rank) {
  const Recording &r = rank.recording;
  return r.part.empty() ? r.path : r.path + " [" + r.part + "]";
}

std::string merge::listed(llvm::ArrayRef<std::string> texts) {
  constexpr size_t shown = 8;
  std::string all = llvm::join(texts.take_front(shown), ", ");
  if (texts.size() > shown)
    all += " and " + std::to_string(texts.size() - shown) + " more";
  return all;
}

void Merge::tell(llvm::StringRef id, Remark::Level level, const llvm::Twine &message,
                 llvm::StringRef advice) {
  Remark remark;
  remark.id = id.str();
  remark.level = level;
  remark.message = message.str();
  remark.advice = advice.str();
  context.remark(std::move(remark));
}

llvm::Error Merge::findMembers() {
  for (uint32_t i = 0; i != trace.ranks.size(); ++i) {
    Rank &rank = *trace.ranks[i];
    auto extent = context.get<Extent>(i);
    if (!extent)
      return extent.takeError();
    if (i == 0 || rank.cycle.value_or(1) <= 1) {
      groups.emplace_back();
      groups.back().first = i;
      groups.back().stated = rank.number;
    }
    ++groups.back().count;
    Member m;
    m.rank = &rank;
    m.extent = *extent;
    m.group = groups.size() - 1;
    m.before = rank.placement.has_value();
    members.push_back(std::move(m));
  }
  return llvm::Error::success();
}

void Merge::publish() {
  Table table = kTables[0].make();
  std::optional<int64_t> start;
  for (const Member &m : members)
    if (std::optional<Interval> ran = m.ranIn(trace))
      start = std::min(start.value_or(INT64_MAX), ran->begin.ns);
  for (const Member &m : members) {
    auto number = [](std::optional<int64_t> n) { return n ? Cell(*n) : Cell(); };
    std::optional<int64_t> offset;
    if (std::optional<Interval> ran = m.ranIn(trace))
      if (llvm::SubOverflow(ran->begin.ns, *start, offset.emplace()))
        offset = INT64_MAX;
    table.rows.push_back({*m.rank->number, number(m.rank->cycle), number(m.rank->placement->stated),
                          nameOf(*m.rank), groups[m.group].why,
                          m.host.empty() ? Cell() : Cell(m.host), int64_t{m.rank->placement->clock},
                          m.hostBy, number(offset), m.time});
  }
  context.table(std::move(table));
  context.stat("recordings", static_cast<int64_t>(members.size()));
  context.stat("ranks", static_cast<int64_t>(groups.size()));
}

llvm::Error Merge::run() {
  if (llvm::Error e = findMembers())
    return e;
  giveNumbers();
  tellMissing();
  sortByNumber();
  findClocks();
  placeInTime();
  tellApart();
  publish();
  return llvm::Error::success();
}

static llvm::Expected<std::unique_ptr<PassBase>> create(const ParamValues &) {
  return std::make_unique<MergeRanks>();
}

HEDDLE_PLUGIN(merge_ranks) {
  static constexpr PassInfo info = {
      .name = "merge-ranks",
      .summary = "make one trace of the recordings of several ranks",
      .description =
          R"(Several inputs lie side by side, each on its own time, until this pass makes them one trace. It gives each
recording a place: a number, a clock, the time of its begin, a namespace for its ids. No event changes, so that figures
of a rank stay those of its file; whoever lays ranks beside each other, as `chrome:viewer` does, goes by the places.

Numbers: what a recording states, in it or in its name, counts. Recordings of one rank that follow each other are its
cycles and stay so. Of several others that state the same number the first keeps it; each further one gets the next
number behind all others and outside of the job, so that no rank that is missing seems to be there. A recording without
number gets the first that is free, in the order of inputs. Ranks then stand in the order of their numbers.

Time: Unix time, where the recording states it. A recording without it cannot be placed; it begins with the
first of the others, and that is said.

Clocks: the ranks of a host share one. A host is known by its name. Recordings that state none are of one host if
they overlap in time, share no process id, and no device was used by both. Clocks are taken to agree until something
aligns them.

A trace that was merged before keeps its clocks, times and namespaces; what was added to it gets its own.)",
      .level = Level::Trace,
      .kind = PassKind::Rewrite,
      .effects = [](const ParamValues &) { return Effects{0, true}.with(ColumnId::RankMeta); },
      .tables = kTables,
      .remarks = kRemarks,
      .stats = kStats,
      .create = create,
      .prepare = computeSummaries<Extent>,
  };
  return registry.passes.add(info);
}
