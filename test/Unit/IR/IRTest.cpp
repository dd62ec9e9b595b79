#include "heddle/IR/Editor.h"
#include "heddle/IR/Verifier.h"
#include "gtest/gtest.h"

using namespace heddle;

namespace {
/// A rank with a thread of `ops` ops, a stream of as many kernels and a launch edge for each.
struct Sample {
  Rank rank;
  RankBuilder builder{rank};
  LayoutId layout;
  uint32_t seq = 0;

  Sample() {
    Layout l;
    l.cat = builder.intern("cpu_op");
    l.entries = {{Scope::Event, ValueType::Ts, 3, false, builder.intern("ts")},
                 {Scope::Event, ValueType::Args, 0, false, builder.intern("args")},
                 {Scope::Args, ValueType::Int, 0, false, builder.intern("correlation")},
                 {Scope::Args, ValueType::String, 0, false, builder.intern("bytes")}};
    layout = *builder.layout(l);
  }
  uint32_t track(int64_t tid, Family family) {
    return builder.track({SourceId::integer(1), SourceId::integer(tid), family});
  }
  EventRef add(uint32_t track, int64_t begin, int64_t end, llvm::StringRef name) {
    LayoutStore &s = builder.store(layout);
    s.columns[2].ints.push_back(seq);
    s.columns[3].strings.push_back(builder.intern("0x10"));
    uint32_t i = builder.event(track, {begin}, {end}, builder.intern(name), EventKind::CpuOp,
                               layout, builder.endRow(layout), seq);
    ++seq;
    return {track, i};
  }
};
} // namespace

static std::string message(llvm::Error e) { return llvm::toString(std::move(e)); }

TEST(RankBuilder, SortsTracksAndRemapsEdges) {
  Sample s;
  uint32_t stream = s.track(7, Family::StreamWork), thread = s.track(7, Family::ThreadWork);
  s.track(9, Family::ThreadPython); // Stays empty and goes.
  EventRef late = s.add(stream, 50, 60, "late"), early = s.add(stream, 10, 20, "early");
  EventRef inner = s.add(thread, 5, 6, "inner"), outer = s.add(thread, 5, 9, "outer");
  s.builder.edges() = {{EdgeKind::Launch, inner, late},
                       {EdgeKind::Launch, outer, early},
                       {EdgeKind::Launch, outer, early}};
  s.builder.finish();
  EXPECT_EQ(message(verify(s.rank)), "");
  ASSERT_EQ(s.rank.tracks().size(), 2u);
  EXPECT_EQ(s.rank.track(0).key.family, Family::ThreadWork);
  EXPECT_EQ(s.rank.name({0, 0}), "outer");
  EXPECT_EQ(s.rank.name({1, 0}), "early");
  ASSERT_EQ(s.rank.edges().size(), 2u);
  EXPECT_EQ(s.rank.edges()[0], (Edge{EdgeKind::Launch, {0, 0}, {1, 0}}));
  EXPECT_EQ(s.rank.edges()[1], (Edge{EdgeKind::Launch, {0, 1}, {1, 1}}));
}

TEST(RankEditor, KeepRemapsEverything) {
  Sample s;
  uint32_t thread = s.track(7, Family::ThreadWork), stream = s.track(7, Family::StreamWork);
  std::vector<EventRef> ops, kernels;
  for (int i = 0; i != 4; ++i) {
    ops.push_back(s.add(thread, i * 10, i * 10 + 5, "op" + std::to_string(i)));
    kernels.push_back(s.add(stream, i * 10 + 5, i * 10 + 9, "k" + std::to_string(i)));
    s.builder.edges().push_back({EdgeKind::Launch, ops[i], kernels[i]});
  }
  s.builder.finish();
  RankEditor refused(s.rank, Effects{});
  EXPECT_NE(message(refused.keep({}).takeError()).find("declares no structural change"),
            std::string::npos);
  RankEditor editor(s.rank, Effects{0, true});
  EXPECT_EQ(message(editor.keep({{true}, {}}).takeError()),
            "the mask of track 0 has 1 elements for 4 events");
  auto remap = editor.keep({{true, false, true, true}, {}});
  ASSERT_TRUE(static_cast<bool>(remap));
  EXPECT_EQ(message(verify(s.rank)), "");
  EXPECT_EQ(editor.loss().edges, 1u);
  EXPECT_EQ(s.rank.edges().size(), 3u);
  EXPECT_FALSE((*remap)({0, 1}).valid());
  EXPECT_EQ((*remap)({0, 3}), (EventRef{0, 2}));
  EXPECT_EQ(s.rank.layout(s.layout).rows, 7u);
  AttrReader correlation(s.rank, "correlation");
  EXPECT_EQ(correlation.getInt(s.rank.track(0), 2), 6);
  ASSERT_TRUE(static_cast<bool>(editor.keep({{false, false, false}, {}})));
  EXPECT_EQ(s.rank.tracks().size(), 1u);
  EXPECT_TRUE(s.rank.edges().empty());
  EXPECT_EQ(message(verify(s.rank)), "");
}

TEST(RankEditor, InsertRemapsEverything) {
  Sample s;
  uint32_t thread = s.track(7, Family::ThreadWork), stream = s.track(7, Family::StreamWork);
  s.builder.edges() = {{EdgeKind::Launch, s.add(thread, 10, 20, "op"), s.add(stream, 30, 40, "k")}};
  s.builder.finish();
  RankEditor editor(s.rank, Effects{0, true});
  auto remap = editor.insert([&](RankBuilder &b) {
    uint32_t first = b.track({SourceId::integer(0), SourceId::integer(1), Family::ThreadWork});
    for (uint32_t t : {first, b.track(s.rank.track(1).key)}) {
      LayoutStore &store = b.store(s.layout);
      store.columns[2].ints.push_back(99);
      store.columns[3].strings.push_back(b.intern("x"));
      b.event(t, {1}, {2}, b.intern("new"), EventKind::CpuOp, s.layout, b.endRow(s.layout),
              s.seq++);
    }
    return llvm::Error::success();
  });
  ASSERT_TRUE(static_cast<bool>(remap));
  EXPECT_EQ(message(verify(s.rank)), "");
  EXPECT_EQ(s.rank.tracks().size(), 3u);
  ASSERT_EQ(s.rank.edges().size(), 1u);
  EXPECT_EQ(s.rank.name(s.rank.edges()[0].from), "op");
  EXPECT_EQ(s.rank.name(s.rank.edges()[0].to), "k");
  EXPECT_EQ((*remap)({1, 0}), (EventRef{2, 1}));
}

TEST(AttrReader, CoercesNumbersInStrings) {
  Sample s;
  s.add(s.track(7, Family::ThreadWork), 0, 1, "op");
  s.builder.finish();
  EXPECT_EQ(AttrReader(s.rank, "bytes").getInt(s.rank.track(0), 0), 16);
  EXPECT_EQ(AttrReader(s.rank, {"Bytes", "bytes"}).getString(s.rank.track(0), 0), "0x10");
  EXPECT_FALSE(AttrReader(s.rank, "absent").anywhere());
}

TEST(Equal, ComparesByValueNotById) {
  Sample a, b;
  b.builder.intern("shifts every later id");
  for (Sample *s : {&a, &b}) {
    s->add(s->track(7, Family::ThreadWork), 0, 1, "op");
    s->builder.finish();
  }
  std::string why;
  EXPECT_TRUE(equal(a.rank, b.rank, &why)) << why;
  Sample c;
  c.add(c.track(7, Family::ThreadWork), 0, 1, "other");
  c.builder.finish();
  EXPECT_FALSE(equal(a.rank, c.rank, &why));
  EXPECT_EQ(why, "track 0, event 0 ('op' and 'other') differs");
}

template <typename Unit> static std::string verdict(const Unit &rank) {
  std::string text;
  llvm::handleAllErrors(verify(rank), [&](const DiagnosticError &e) {
    text = e.diagnostic.id + ": " + e.diagnostic.message;
  });
  return text;
}

/// What the verifier says of a good rank of one op, one kernel and their edge, after `damage`.
static std::string damaged(llvm::function_ref<void(Sample &)> damage) {
  Sample s;
  uint32_t thread = s.track(7, Family::ThreadWork), stream = s.track(7, Family::StreamWork);
  s.builder.edges() = {{EdgeKind::Launch, s.add(thread, 10, 20, "op"), s.add(stream, 30, 40, "k")}};
  s.builder.finish();
  EXPECT_EQ(verdict(s.rank), "");
  damage(s);
  return verdict(s.rank);
}

TEST(Verifier, FindsEachViolation) {
  constexpr auto unknown = static_cast<StringId>(999);
  auto column = [](Sample &s, size_t i) -> Column & {
    return s.builder.store(s.layout).columns[i];
  };
  EXPECT_EQ(damaged([](Sample &s) { std::swap(s.builder.trackAt(0), s.builder.trackAt(1)); }),
            "verify-track-order: track 1 is out of order or has the key of the one before");
  EXPECT_EQ(damaged([](Sample &s) { s.builder.trackAt(0).names.push_back(StringId::Empty); }),
            "verify-column-size: track 0 has columns of different lengths");
  EXPECT_EQ(damaged([&](Sample &s) { column(s, 2).ints.push_back(1); }),
            "verify-column-size: layout 0 has a column of 3 values for 2 rows");
  EXPECT_EQ(damaged([&](Sample &s) { column(s, 2).type = ValueType::Bool; }),
            "verify-column-type: layout 0 has a column of another type than its entry");
  EXPECT_EQ(damaged([](Sample &s) { s.builder.store(s.layout).columns.pop_back(); }),
            "verify-column-size: layout 0 has 3 columns for 4 entries");
  EXPECT_EQ(damaged([&](Sample &s) { column(s, 3).strings[0] = unknown; }),
            "verify-string: layout 0 has a value with an unknown string");
  EXPECT_EQ(damaged([](Sample &s) { s.builder.trackAt(1).names[0] = unknown; }),
            "verify-string: track 1, event 0 has an unknown name");
  EXPECT_EQ(
      damaged([](Sample &s) { s.builder.store(s.layout).layout.entries[0].scope = Scope::Args; }),
      "verify-layout: layout 0 derives an argument");
  EXPECT_EQ(damaged([](Sample &s) { s.builder.trackAt(0) = {}; }),
            "verify-track-empty: track 0 is empty");
  EXPECT_EQ(damaged([](Sample &s) { s.builder.trackAt(0).derived["d"].ints = {1, 2}; }),
            "verify-derived-size: track 0 has the derived column 'd' of another length");
  EXPECT_EQ(damaged([](Sample &s) { s.builder.trackAt(0).begin[0] = {21}; }),
            "verify-negative-duration: track 0, event 0 ends before it begins");
  EXPECT_EQ(damaged([](Sample &s) { s.builder.trackAt(0).end[0] = {kMaxAbsTimeNs}; }), "");
  EXPECT_EQ(damaged([](Sample &s) { s.builder.trackAt(0).end[0] = {kMaxAbsTimeNs + 1}; }),
            "verify-time: track 0, event 0 is beyond 146 years");
  EXPECT_EQ(damaged([](Sample &s) { s.builder.trackAt(0).begin[0] = {-kMaxAbsTimeNs - 1}; }),
            "verify-time: track 0, event 0 is beyond 146 years");
  EXPECT_EQ(damaged([](Sample &s) { s.rank.recording.origin = -kMaxAbsTimeNs; }), "");
  EXPECT_EQ(damaged([](Sample &s) { s.rank.recording.origin = -kMaxAbsTimeNs - 1; }),
            "verify-time: the origin is no time within 146 years");
  EXPECT_EQ(damaged([](Sample &s) { s.builder.trackAt(1).rows[0] = 0; }),
            "verify-row: track 1, event 0 has a row that another event has");
  EXPECT_EQ(damaged([](Sample &s) { s.builder.trackAt(1).rows[0] = 2; }),
            "verify-row: track 1, event 0 has a row that does not exist");
  EXPECT_EQ(damaged([](Sample &s) { s.builder.trackAt(1).seq[0] = 0; }),
            "verify-seq: two events have the ordinal 0");
  EXPECT_EQ(damaged([](Sample &s) {
              s.builder.loose({5, StringId::Empty});
              s.builder.loose({4, StringId::Empty});
            }),
            "verify-row-order: the loose rows are not in the order of their ordinals");
  EXPECT_EQ(damaged([](Sample &s) { s.builder.loose({5, unknown}); }),
            "verify-string: loose row 5 has an unknown string");
  auto flow = [](Sample &s, uint32_t seq, EventRef anchor) {
    FlowRow f;
    f.layout = s.layout;
    f.row = s.builder.endRow(s.layout);
    for (size_t i : {2, 3})
      if (s.builder.store(s.layout).columns[i].type == ValueType::Int)
        s.builder.store(s.layout).columns[i].ints.push_back(0);
      else
        s.builder.store(s.layout).columns[i].strings.push_back(StringId::Empty);
    f.seq = seq;
    f.anchor = anchor;
    s.builder.flow(f);
  };
  EXPECT_EQ(damaged([&](Sample &s) { flow(s, 5, {1, 0}); }), "");
  EXPECT_EQ(damaged([&](Sample &s) { flow(s, 5, {1, 1}); }),
            "verify-anchor: flow row 5 is bound to an event that does not exist");
  EXPECT_EQ(damaged([&](Sample &s) { flow(s, 5, {1, 0}), flow(s, 4, {1, 0}); }),
            "verify-row-order: the flow rows are not in the order of their ordinals");
  EXPECT_EQ(damaged([&](Sample &s) {
              flow(s, 5, {1, 0});
              s.builder.flows()[0].at = {kMaxAbsTimeNs + 1};
            }),
            "verify-time: flow row 5 is beyond 146 years");
  EXPECT_EQ(damaged([](Sample &s) { s.builder.edges()[0].to.index = 1; }),
            "verify-edge: edge 0 points at an event that does not exist");
  EXPECT_EQ(damaged([](Sample &s) { s.builder.edges().push_back(s.builder.edges()[0]); }),
            "verify-edge-order: edge 1 is out of order or stands twice");
  EXPECT_EQ(damaged([](Sample &s) { s.builder.edges()[0].to = {0, 0}; }),
            "verify-edge-kind: launch edge 0 does not lead from a thread to a stream");
  // Events out of order can only be made without finish().
  Sample s;
  uint32_t t = s.track(7, Family::ThreadWork);
  s.add(t, 5, 6, "a");
  s.add(t, 1, 2, "b");
  EXPECT_EQ(verdict(s.rank), "verify-event-order: track 0, event 1 is out of order");
}

TEST(Clock, MapsByOffsetAndDrift) {
  EXPECT_EQ(ClockDomain().map(1234), 1234);
  ClockDomain c{1'000'000'000, -500, 40, std::nullopt};
  EXPECT_EQ(c.map(1'000'000'000), 999'999'500);
  EXPECT_EQ(c.map(3'500'000'000), 3'499'999'600);
  EXPECT_EQ(c.map(999'999'999), 999'999'498); // rounds down: times keep their order
  EXPECT_EQ(c.map(INT64_MAX), INT64_MAX);
  EXPECT_EQ((ClockDomain{0, 0, -40, std::nullopt}).map(INT64_MIN), INT64_MIN + 368'934'881'474);
  EXPECT_EQ((ClockDomain{kMaxAbsTimeNs, -kMaxAbsTimeNs, -999'999'999, 0}).map(-kMaxAbsTimeNs),
            -9'223'372'037); // -2^63 + 2 and 0.999999999 times 2^63 - 2
}

TEST(Clock, TimesOfAPlacedRank) {
  Trace trace;
  trace.clocks = {{}, {0, 100, 0, std::nullopt}};
  trace.ranks.push_back(std::make_unique<Rank>());
  Rank &rank = *trace.ranks[0];
  EXPECT_FALSE(isMerged(trace));
  EXPECT_EQ(timeInTrace(trace, rank, {5}), std::nullopt);
  rank.placement = Placement{1, 0, 1000, false, std::nullopt};
  EXPECT_TRUE(isMerged(trace));
  EXPECT_EQ(timeInTrace(trace, rank, {5}), 1105);
  EXPECT_EQ(message(verify(trace)), "");
  rank.placement->clock = 2;
  EXPECT_EQ(timeInTrace(trace, rank, {5}), std::nullopt);
  EXPECT_EQ(verdict(trace), "verify-clock: a rank is placed by clock 2 of 2");
  rank.placement = Placement{0, 0, kMaxAbsTimeNs + 1, false, std::nullopt};
  EXPECT_EQ(message(verify(trace)), "the rank is placed at no time within 146 years");
  rank.placement.reset();
  for (ClockDomain c :
       {ClockDomain{0, 0, 1'000'000'000, std::nullopt}, ClockDomain{0, 0, 0, -1},
        ClockDomain{0, kMaxAbsTimeNs + 1, 0, 0}, ClockDomain{-kMaxAbsTimeNs - 1, 0, 0, 0}}) {
    trace.clocks[1] = c;
    EXPECT_EQ(message(verify(trace)), "clock 1 has an offset, drift or error that none can have");
  }
}

TEST(Clock, MakesTracesDiffer) {
  auto make = [] {
    Trace trace;
    trace.clocks = {{}};
    trace.ranks.push_back(std::make_unique<Rank>());
    trace.ranks[0]->placement.emplace();
    return trace;
  };
  Trace a = make(), b = make();
  std::string why;
  EXPECT_TRUE(equal(a, b, &why)) << why;
  b.ranks[0]->placement->ids = 1;
  EXPECT_FALSE(equal(a, b, &why));
  EXPECT_EQ(why, "placements differ");
  b = make();
  b.clocks[0].offset = 1;
  EXPECT_FALSE(equal(a, b, &why));
  EXPECT_EQ(why, "clocks differ");
}
