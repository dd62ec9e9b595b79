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
constexpr ColumnInfo contentColumns[] = {
    {"input", Unit::None, false, "ordinal of the input"},
    {"rank", Unit::None, false, "number of the rank, else the ordinal"},
    {"kind", Unit::None, true, "kind of event; flow, and loose for what lies on no track"},
    {"name", Unit::None, true, "null: all events of the kind"},
    {"events", Unit::Count, false, "how many"},
    {"bytes", Unit::Bytes, false, "of their text as JSON without white space"},
    {"share_ppm", Unit::Count, false, "bytes in millionths of all events' bytes"},
};
constexpr TableInfo tables[] = {
    {"health", "Can you believe it", columns},
    {"health-contents", "What fills the file", contentColumns},
};

constexpr StatInfo stats[] = {
    {"health-warnings", Statistic::Severity::Info, "checks with status warn"},
    {"health-failures", Statistic::Severity::Info, "checks with status fail"},
};

constexpr StringLiteral description =
    R"(One row a check; checks that have nothing to say are left out. A check with the status warn or
fail is a remark too. `touches` names the figures that are then doubtful: columns and tables of other
passes, or statements of a report. `health-contents` tells what fills the file: kinds of events, then
the ten names that take most room.)";

constexpr RemarkInfo remarks[] = {
#define HEDDLE_CHECK(ID, QUIET, WHEN, TOUCHES) {"health-" ID, WHEN ". Doubtful then: " TOUCHES},
#include "Checks.def"
};

Cell optional(std::optional<int64_t> n) { return n ? Cell(*n) : Cell(); }

class Health : public TraceCheck {
public:
  Error run(const Trace &trace, TraceContext &context) const override {
    Table table = tables[0].make(), contents = tables[1].make();
    int64_t warnings = 0, failures = 0;
    auto add = [&](Cell input, Cell rank, const Check &c) {
      warnings += c.status == Status::Warn;
      failures += c.status == Status::Fail;
      Cell share;
      if (c.value && c.of && *c.of > 0)
        share = partsPerMillion(*c.value, *c.of);
      table.rows.push_back({std::move(input), std::move(rank), c.id.str(),
                            statusName(c.status).str(), optional(c.value), optional(c.of),
                            c.unit.str(), std::move(share), int64_t{c.isQuiet()}, c.message,
                            c.advice, c.touches().str()});
    };
    bool communicates = false;
    for (uint32_t i = 0; i != trace.ranks.size(); ++i) {
      auto facts = context.get<RankFacts>(i);
      if (!facts)
        return facts.takeError();
      auto own = context.get<HealthFacts>(i);
      if (!own)
        return own.takeError();
      communicates |= (*own)->communications != 0;
      for (const Check &c : checkRank(*trace.ranks[i], **facts, **own)) {
        add(static_cast<int64_t>(i), context.rankLabel(i), c);
        remark(context, c, i);
      }
      addContents(contents, i, context.rankLabel(i), (*own)->contents);
    }
    if (std::optional<Check> c = checkRanks(trace, communicates)) {
      add(Cell(), Cell(), *c);
      remark(context, *c, std::nullopt);
    }
    context.table(std::move(table));
    context.table(std::move(contents));
    context.stat("health-warnings", warnings);
    context.stat("health-failures", failures);
    return Error::success();
  }

private:
  static void remark(TraceContext &context, const Check &c, std::optional<uint32_t> input) {
    if (c.status != Status::Warn && c.status != Status::Fail)
      return;
    Remark r;
    r.id = ("health-" + c.id).str();
    r.level = Remark::Level::Warning;
    r.message = c.message;
    if (input)
      r.rank = *input;
    r.advice = c.advice;
    r.args.push_back({"touches", c.touches().str()});
    context.remark(std::move(r));
  }

  static void addContents(Table &table, uint32_t input, int64_t label, ArrayRef<ContentRow> rows) {
    int64_t all = 0;
    for (const ContentRow &r : rows)
      if (r.name.empty())
        all += integer(r.bytes);
    for (const ContentRow &r : rows)
      table.rows.push_back({int64_t{input}, label, r.kind, r.name.empty() ? Cell() : Cell(r.name),
                            integer(r.events), integer(r.bytes),
                            partsPerMillion(integer(r.bytes), all)});
  }

  /// ", without 3, 5-7"; of many gaps the first few.
  static std::string missing(const std::set<int64_t> &numbers, int64_t world) {
    constexpr unsigned shown = 4;
    std::string text;
    unsigned gaps = 0;
    int64_t next = 0;
    auto gap = [&](int64_t from, int64_t to) {
      if (from >= to || ++gaps > shown)
        return;
      text += (text.empty() ? ", without " : ", ") + countText(from);
      if (to - from > 1)
        text += (to - from == 2 ? ", " : "-") + countText(to - 1);
    };
    if (numbers.empty())
      return "";
    for (int64_t n : numbers)
      if (n >= 0 && n < world) {
        gap(next, n);
        next = n + 1;
      }
    gap(next, world);
    return gaps > shown ? text + " and others" : text;
  }

  static std::optional<Check> checkRanks(const Trace &trace, bool communicates) {
    std::set<int64_t> numbers;
    std::optional<int64_t> world;
    for (const auto &rank : trace.ranks) {
      if (rank->number)
        numbers.insert(*rank->number);
      if (rank->worldSize)
        world = std::max(world.value_or(0), *rank->worldSize);
    }
    auto given = static_cast<int64_t>(numbers.empty() ? countRanks(trace) : numbers.size());
    if (world) // a number beyond the job is no rank of it
      given -= count_if(numbers, [&](int64_t n) { return n < 0 || n >= *world; });
    Check c{"ranks", Status::Ok, given, world, "ranks", {}, {}};
    if (!world) {
      if (!communicates)
        return std::nullopt;
      c.status = Status::Unknown;
      c.message = plural(given, "rank") + " given; the job's size is not stated";
      return c;
    }
    c.message = countText(given) + " of " + plural(*world, "rank") + " given";
    if (given < *world) {
      c.status = Status::Warn;
      c.message += missing(numbers, *world);
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
    .remarks = remarks,
    .stats = stats,
    .create = create,
    .prepare = computeSummaries<RankFacts, HealthFacts>,
};

} // namespace
} // namespace heddle::health

HEDDLE_PLUGIN(health) { return registry.passes.add(heddle::health::info); }
