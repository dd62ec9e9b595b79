//===- TestPasses.cpp - Passes for tests of the pass manager --------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "TestPasses.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <random>
#include <stdexcept>

using namespace llvm;

namespace heddle::test {

/// How many events have each name: an analysis, so that the cache is in play.
struct NameCounts {
  static constexpr StringLiteral name = "t-name-counts";
  static constexpr uint32_t inputs = columns(ColumnId::Name);
  static constexpr unsigned version = 1;
  static constexpr bool summary = true;
  static Expected<NameCounts> compute(const Rank &rank, AnalysisContext &) {
    NameCounts result;
    for (const Track &t : rank.tracks())
      for (StringId name : t.names)
        ++result.counts[rank.str(name).str()];
    return result;
  }
  std::map<std::string, int64_t> counts;
};

template <typename T> static Expected<std::unique_ptr<PassBase>> create(const ParamValues &values) {
  return std::make_unique<T>(values);
}

struct Count : RankCheck {
  explicit Count(const ParamValues &values) : top(values.getInt("top")) {}
  Error run(const Rank &, RankContext &context) const override;
  int64_t top;
};
static constexpr StringLiteral orders[] = {"name", "count"};
static constexpr StringLiteral kinds[] = {"kernel", "memcpy"};
static constexpr ParamInfo countParams[] = {
    {"top", ParamType::Int, "100", "rows"},           {"min", ParamType::Time, "1us", "shortest"},
    {"order", ParamType::Enum, "name", "by", orders}, {"match", ParamType::String, "", "names"},
    {"kinds", ParamType::List, "", "kinds", kinds},
};
static constexpr ColumnInfo countColumns[] = {{"rank", Unit::None, false, "rank"},
                                              {"name", Unit::None, true, "name"},
                                              {"calls", Unit::Count, false, "calls"}};
static constexpr TableInfo countTables[] = {{"t-count", "events by name", countColumns}};
static constexpr StatInfo countStats[] = {{"events", Statistic::Severity::Info, "events seen"}};
static const PassInfo countInfo = {
    "t-count",   "counts", "",         Level::Rank, PassKind::Check, nullptr, countParams,
    countTables, {},       countStats, {},          create<Count>};
Error Count::run(const Rank &, RankContext &context) const {
  auto counts = context.get<NameCounts>();
  if (!counts)
    return counts.takeError();
  Table t = countTables[0].make();
  for (const auto &[name, n] : (*counts)->counts)
    if (static_cast<int64_t>(t.rows.size()) < top) {
      t.rows.push_back({context.rankLabel(), name, n});
      context.stat("events", n);
    }
  context.table(std::move(t));
  return Error::success();
}

struct Note : RankCheck {
  explicit Note(const ParamValues &values) : min(values.getTime("min")) {}
  Error run(const Rank &rank, RankContext &context) const override {
    for (uint32_t t = 0; t != rank.tracks().size(); ++t)
      for (uint32_t i = 0; i != rank.track(t).size(); ++i)
        if (rank.track(t).duration(i) >= min) {
          Remark r;
          r.id = "long";
          r.message = rank.name({t, i}).str();
          r.rank = context.ordinal();
          r.evidence = {{t, i}};
          context.remark(std::move(r));
        }
    return Error::success();
  }
  Duration min;
};
static constexpr ParamInfo noteParams[] = {{"min", ParamType::Time, "0", "shortest"}};
static constexpr RemarkInfo noteRemarks[] = {{"long", "an event of at least `min`"}};
static const PassInfo noteInfo = {"t-note",        "notes", "",         Level::Rank,
                                  PassKind::Check, nullptr, noteParams, {},
                                  noteRemarks,     {},      {},         create<Note>};

struct Drop : RankRewrite {
  explicit Drop(const ParamValues &values) : name(values.getString("name")) {}
  Error run(RankEditor &editor, RankContext &) const override {
    const Rank &rank = editor.get();
    std::vector<std::vector<bool>> mask;
    for (const Track &t : rank.tracks()) {
      mask.emplace_back();
      for (StringId id : t.names)
        mask.back().push_back(rank.str(id) != name);
    }
    return editor.keep(mask).takeError();
  }
  std::string name;
};
static constexpr ParamInfo dropParams[] = {{"name", ParamType::String, "", "which"}};
static Effects structural(const ParamValues &) { return {0, true}; }
static const PassInfo dropInfo = {"t-drop",   "drops",     "", Level::Rank, PassKind::Rewrite,
                                  structural, dropParams,  {}, {},          {},
                                  {},         create<Drop>};

struct Liar : RankRewrite {
  explicit Liar(const ParamValues &) {}
  Error run(RankEditor &editor, RankContext &) const override {
    return editor.setName({0, 0}, "changed");
  }
};
static const PassInfo liarInfo = {"t-liar",   "lies",      "", Level::Rank, PassKind::Rewrite,
                                  structural, {},          {}, {},          {},
                                  {},         create<Liar>};

struct Throw : RankCheck {
  explicit Throw(const ParamValues &values) : on(values.getInt("on")) {}
  Error run(const Rank &, RankContext &context) const override {
    if (context.rankLabel() >= on)
      throw std::runtime_error("no luck");
    return Error::success();
  }
  int64_t on;
};
static constexpr ParamInfo throwParams[] = {{"on", ParamType::Int, "0", "first rank"}};
static const PassInfo throwInfo = {"t-throw", "throws",     "", Level::Rank, PassKind::Check,
                                   nullptr,   throwParams,  {}, {},          {},
                                   {},        create<Throw>};

struct Rogue : RankCheck {
  explicit Rogue(const ParamValues &values) : what(values.getString("what")) {}
  Error run(const Rank &, RankContext &context) const override {
    if (what == "table")
      context.table(countTables[0].make());
    if (what == "remark") {
      Remark r;
      r.id = "surprise";
      context.remark(r);
    }
    if (what == "stat")
      context.stat("surprises", 1);
    if (what == "row") {
      Table t = context.rankLabel() >= 0 ? rogueTable().make() : Table();
      t.rows.push_back({int64_t{1}, int64_t{2}});
      context.table(std::move(t));
    }
    return Error::success();
  }
  static TableInfo rogueTable();
  std::string what;
};
static constexpr ColumnInfo rogueColumns[] = {{"n", Unit::Count, false, "n"}};
static constexpr TableInfo rogueTables[] = {{"t-rogue", "one column", rogueColumns}};
TableInfo Rogue::rogueTable() { return rogueTables[0]; }
static constexpr StringLiteral rogueWhat[] = {"table", "remark", "stat", "row"};
static constexpr ParamInfo rogueParams[] = {{"what", ParamType::Enum, "table", "what", rogueWhat}};
static const PassInfo rogueInfo = {
    "t-rogue",   "publishes", "", Level::Rank, PassKind::Check, nullptr, rogueParams,
    rogueTables, {},          {}, {},          create<Rogue>};

struct Needs : RankCheck {
  explicit Needs(const ParamValues &) {}
  Error run(const Rank &, RankContext &) const override {
    return createStringError("ran without what it needs");
  }
};
static constexpr Capability needed[] = {Capability::DeviceWork};
static const PassInfo needsInfo = {"t-needs", "needs",      "", Level::Rank, PassKind::Check,
                                   nullptr,   {},           {}, {},          {},
                                   needed,    create<Needs>};

struct Sum : TraceCheck {
  explicit Sum(const ParamValues &) {}
  Error run(const Trace &trace, TraceContext &context) const override {
    int64_t sum = 0;
    if (auto t = context.results().table("t-count"))
      for (size_t i = 0; i != t->rows.size(); ++i)
        sum += *t->getInt(i, "calls");
    context.stat("calls", sum);
    for (uint32_t r = 0; r != trace.ranks.size(); ++r) {
      auto counts = context.get<NameCounts>(r);
      if (!counts)
        return counts.takeError();
      context.stat("names", static_cast<int64_t>((*counts)->counts.size()));
    }
    return Error::success();
  }
};
static constexpr StatInfo sumStats[] = {{"calls", Statistic::Severity::Info, "calls"},
                                        {"names", Statistic::Severity::Info, "names"}};
static const PassInfo sumInfo = {"t-sum", "sums",     "", Level::Trace, PassKind::Check,
                                 nullptr, {},         {}, {},           sumStats,
                                 {},      create<Sum>};

struct First : TraceRewrite {
  explicit First(const ParamValues &) {}
  Error run(Trace &trace, TraceContext &) const override {
    trace.ranks.resize(1);
    return Error::success();
  }
};
static constexpr ParamInfo firstParams[] = {{"hush", ParamType::String, "", "results go; why"}};
static const PassInfo firstInfo = {"t-first",
                                   "keeps the first",
                                   "",
                                   Level::Trace,
                                   PassKind::Rewrite,
                                   [](const ParamValues &values) {
                                     Effects ranks{0, true};
                                     return values.getString("hush").empty()
                                                ? ranks
                                                : ranks.with(ColumnId::Results);
                                   },
                                   firstParams,
                                   {},
                                   {},
                                   {},
                                   {},
                                   create<First>};

void addTestPasses(PassRegistry &registry) {
  for (const PassInfo *info : {&countInfo, &noteInfo, &dropInfo, &liarInfo, &throwInfo, &rogueInfo,
                               &needsInfo, &sumInfo, &firstInfo})
    cantFail(registry.add(*info));
}

Trace makeTrace(unsigned ranks, unsigned seed, unsigned events) {
  Trace trace;
  std::mt19937 random(seed);
  for (unsigned r = 0; r != ranks; ++r) {
    auto rank = std::make_unique<Rank>();
    rank->number = r;
    RankBuilder b(*rank);
    LayoutId layout = *b.layout({});
    for (unsigned i = 0; i != events + 10 * r; ++i) {
      uint32_t t =
          b.track({SourceId::integer(1), SourceId::integer(random() % 3), Family::ThreadWork});
      int64_t begin = random() % 100000;
      b.event(t, Time{begin}, Time{begin + int64_t(random() % 5000)},
              b.intern("op" + std::to_string(random() % 20)), EventKind::CpuOp, layout,
              b.endRow(layout), i);
    }
    b.finish();
    trace.ranks.push_back(std::move(rank));
  }
  return trace;
}

std::string dump(const Results &results) {
  std::string text;
  raw_string_ostream os(text);
  for (const PassResult &u : results.units) {
    os << u.pass << " rank " << u.rank << " generation " << u.generation
       << (u.stale ? " stale" : "") << '\n';
    for (const Table &t : u.tables)
      for (const auto &row : t.rows) {
        os << "  " << t.id << ':';
        for (const Cell &c : row) {
          if (const auto *n = std::get_if<int64_t>(&c))
            os << ' ' << *n;
          if (const auto *s = std::get_if<std::string>(&c))
            os << ' ' << *s;
        }
        os << '\n';
      }
    for (const Remark &r : u.remarks) {
      os << "  " << r.id << ' ' << r.message;
      for (EventRef e : r.evidence)
        os << " @" << e.track << '.' << e.index;
      os << '\n';
    }
    for (const Statistic &s : u.stats)
      os << "  " << s.name << " = " << s.value << '\n';
    for (const Abstention &a : u.abstained)
      os << "  abstained: " << a.reason << "; " << a.record << '\n';
  }
  return text;
}

std::string message(Error error) {
  std::string text = "no error";
  handleAllErrors(
      std::move(error),
      [&](const DiagnosticError &e) {
        const Place &p = e.diagnostic.place;
        text = (p.column ? std::to_string(p.column) + ": " : "") + e.diagnostic.message;
      },
      [&](const ErrorInfoBase &e) { text = "without diagnostic: " + e.message(); });
  return text;
}

ExitCode exitCode(Error error) {
  ExitCode code = ExitCode::Ok;
  handleAllErrors(
      std::move(error), [&](const DiagnosticError &e) { code = e.code; },
      [&](const ErrorInfoBase &) { code = ExitCode::Internal; });
  return code;
}

} // namespace heddle::test
