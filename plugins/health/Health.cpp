//===- Health.cpp - Whether a recording's figures can be believed ---------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//
// health: what in a recording makes figures doubtful, as a table of checks with stable ids.
//===----------------------------------------------------------------------===//
#include "Checks.h"
#include "heddle/Lower/ReportText.h"
#include "heddle/Plugin/Plugin.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;

namespace heddle::health {

namespace {

constexpr ColumnInfo columns[] = {
    {"input", Unit::None, false, "ordinal of the input; null for the whole trace"},
    {"rank", Unit::None, false, "number of the rank, else the ordinal; null for the whole trace"},
    {"check", Unit::None, true, "id"},
    {"status", Unit::None, true,
     "ok, warn (biased or a bound), fail (not to be believed), unknown (not recorded)"},
    {"value", Unit::None, false, "numerator; null if there is none"},
    {"of", Unit::None, false, "denominator; null if there is none"},
    {"unit", Unit::None, true, "of value and of"},
    {"share_ppm", Unit::Count, false, "value in millionths of `of`; null if there is none"},
    {"quiet", Unit::None, false, "1: while it is ok, no news on a first screen"},
    {"message", Unit::None, true, "one line for people"},
    {"advice", Unit::None, true, "what to record or do; may be empty"},
    {"touches", Unit::None, true, "whose figures it biases; may be empty"},
};
constexpr TableInfo tables[] = {{"health", "Can you believe it", columns}};

constexpr StatInfo stats[] = {
    {"health-warnings", Statistic::Severity::Info, "checks with status warn"},
    {"health-failures", Statistic::Severity::Info, "checks with status fail"},
};

constexpr StringLiteral description =
    R"(One row a check; checks that have nothing to say are left out.

| check | warns |
| --- | --- |
| `cold` | fewer than 3 steady steps, or no marks; tells gaps over 1 ms before the first use of a kernel |
| `outside-steps` | never; tells what was launched in no step |
| `marks` | marks inside an optimizer step, or `prof.step()` missing |
| `repairs` | any repair while reading |
| `partial` | the text is cut, or a selection left parts out |
| `resolution` | stamps are whole microseconds |
| `external-ids` | External ids repeat correlation ids |
| `quarantine` | activities without a time, far outside, or cut as runaways |
| `links` | over 1 % of activities have no launch; fails over 50 % |
| `unrecorded` | over 1 % of GPU time has no launch |
| `order` | over 1 % of activities begin before their launch; a few are normal, clocks differ by microseconds |
| `overlap` | activities of a stream overlap for over 1 % of work time; some is normal (programmatic launches, rounding) |
| `rocm-gaps` | at least half of 100 or more gaps within a stream are exactly 1 ns |
| `probe` | Python frames cost at least 1 % of the host's range: the median span of the shortest builtin, times their number |
| `overhead` | the recorder's own rows cover over 5 % of the host's range |
| `volume` | Python frames are 90 % of 100,000 or more events |
| `memory`, `shapes`, `stacks` | unknown where not recorded |
| `ranks` | fewer ranks given than the job has |)";

Cell optional(std::optional<int64_t> n) { return n ? Cell(*n) : Cell(); }

class Health : public TraceCheck {
public:
  Error run(const Trace &trace, TraceContext &context) const override {
    Table table = tables[0].make();
    int64_t warnings = 0, failures = 0;
    auto add = [&](Cell input, Cell rank, const Check &c) {
      warnings += c.status == Status::Warn;
      failures += c.status == Status::Fail;
      Cell share;
      if (c.value && c.of && *c.of > 0)
        share = partsPerMillion(*c.value, *c.of);
      table.rows.push_back({std::move(input), std::move(rank), c.id.str(),
                            statusName(c.status).str(), optional(c.value), optional(c.of),
                            c.unit.str(), std::move(share), int64_t{isQuiet(c)}, c.message,
                            c.advice, c.touches.str()});
    };
    bool communicates = false;
    for (uint32_t i = 0; i != trace.ranks.size(); ++i) {
      auto facts = context.get<RankFacts>(i);
      if (!facts)
        return facts.takeError();
      auto own = context.get<HealthFacts>(i);
      if (!own)
        return own.takeError();
      communicates |= (*own)->communicates;
      for (const Check &c : checkRank(*trace.ranks[i], **facts, **own))
        add(static_cast<int64_t>(i), context.rankLabel(i), c);
    }
    if (std::optional<Check> c = checkRanks(trace, communicates))
      add(Cell(), Cell(), *c);
    context.table(std::move(table));
    context.stat("health-warnings", warnings);
    context.stat("health-failures", failures);
    return Error::success();
  }

private:
  static std::optional<Check> checkRanks(const Trace &trace, bool communicates) {
    std::set<int64_t> numbers;
    std::optional<int64_t> world;
    for (const auto &rank : trace.ranks) {
      if (rank->number)
        numbers.insert(*rank->number);
      if (rank->worldSize)
        world = std::max(world.value_or(0), *rank->worldSize);
    }
    auto given = static_cast<int64_t>(
        std::max<size_t>(numbers.size(), numbers.empty() ? trace.ranks.size() : 0));
    Check c{"ranks", Status::Ok, given, world, "ranks", {}, {}, {}};
    if (!world) {
      if (!communicates)
        return std::nullopt;
      c.status = Status::Unknown;
      c.message = plural(given, "rank") + " given; the job's size is not stated";
      c.touches = "communication";
      return c;
    }
    c.message = countText(given) + " of " + plural(*world, "rank") + " given";
    if (given < *world) {
      c.status = Status::Warn;
      c.touches = "communication, comparison of ranks";
      if (communicates)
        c.message +=
            ": communication time contains waiting for the other " + countText(*world - given);
      c.advice = "give the files of all ranks";
    }
    return c;
  }
};

Expected<std::unique_ptr<PassBase>> create(const ParamValues &) {
  return std::make_unique<Health>();
}

constexpr PassInfo info = {
    .name = "health",
    .summary = "whether the recording's figures can be believed, and what it lacks",
    .description = description,
    .level = Level::Trace,
    .kind = PassKind::Check,
    .tables = tables,
    .stats = stats,
    .create = create,
};

} // namespace
} // namespace heddle::health

HEDDLE_PLUGIN(health) { return registry.passes.add(heddle::health::info); }
