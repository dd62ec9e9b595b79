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

TEST(Verifier, FindsEachViolation) {
  // Events out of order and rows used twice can only be made without finish().
  Sample s;
  uint32_t t = s.track(7, Family::ThreadWork);
  s.add(t, 5, 6, "a");
  s.add(t, 1, 2, "b");
  EXPECT_EQ(message(verify(s.rank)), "track 0, event 1 is out of order");
  Sample twice;
  t = twice.track(7, Family::ThreadWork);
  twice.add(t, 1, 2, "a");
  twice.builder.event(t, {3}, {4}, StringId::Empty, EventKind::CpuOp, twice.layout, 0, 1);
  EXPECT_EQ(message(verify(twice.rank)), "track 0, event 1 has a row that another event has");
  Sample negative;
  negative.add(negative.track(7, Family::ThreadWork), 3, 2, "a");
  EXPECT_EQ(message(verify(negative.rank)), "track 0, event 0 ends before it begins");
  Sample edge;
  EventRef e = edge.add(edge.track(7, Family::ThreadWork), 1, 2, "a");
  edge.builder.edges() = {{EdgeKind::Launch, e, e}};
  edge.builder.finish();
  EXPECT_EQ(message(verify(edge.rank)), "launch edge 0 does not lead from a thread to a stream");
}
