//===- NestingTest.cpp ------------------------------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/Nesting.h"
#include "Maker.h"

using namespace heddle;
using namespace heddle::test;

static std::string parentName(Maker &m, uint32_t handle) {
  EventRef p = m.get<Nesting>().parent(m.place(handle));
  return p.valid() ? m.rank.name(p).str() : "";
}

TEST(Nesting, ChildrenLieInsideAndEqualSpansNestInFileOrder) {
  Maker m;
  uint32_t outer = m.op(0, 100, "outer"), twin = m.op(0, 100, "twin"), a = m.op(0, 40, "a"),
           b = m.op(40, 90, "b"), point = m.op(40, 40, "point"), after = m.op(100, 110, "after");
  m.done();
  EXPECT_EQ(parentName(m, outer), "");
  EXPECT_EQ(parentName(m, twin), "outer");
  EXPECT_EQ(parentName(m, a), "twin");
  EXPECT_EQ(parentName(m, b), "twin"); // Touching spans are neighbours.
  EXPECT_EQ(parentName(m, point), "b");
  EXPECT_EQ(parentName(m, after), "");
  const TrackNesting &n = m.get<Nesting>().tracks[0];
  EXPECT_EQ(n.depth[m.place(b).index], 2u);
  EXPECT_EQ(n.self[m.place(outer).index].ns, 0);
  EXPECT_EQ(n.self[m.place(twin).index].ns, 10);
  EXPECT_EQ(n.self[m.place(a).index].ns, 40);
  EXPECT_EQ(n.partialOverlaps, 0u);
}

TEST(Nesting, PartialOverlapIsCountedAndNoChild) {
  Maker m;
  uint32_t outer = m.op(0, 100, "outer"), a = m.op(10, 50, "a"), b = m.op(40, 80, "b"),
           inside = m.op(45, 48, "inside"), later = m.op(60, 70, "later");
  m.done();
  EXPECT_EQ(parentName(m, a), "outer");
  EXPECT_EQ(parentName(m, b), "outer");
  EXPECT_EQ(parentName(m, inside), "b"); // It began last.
  EXPECT_EQ(parentName(m, later), "b");
  const TrackNesting &n = m.get<Nesting>().tracks[0];
  EXPECT_EQ(n.partialOverlaps, 1u);
  EXPECT_EQ(n.self[m.place(a).index].ns, 30);
  EXPECT_EQ(n.self[m.place(outer).index].ns, 10 + 20);
}

TEST(Nesting, AnApiCallBelongsWhereItBegins) {
  Maker m;
  m.op(0, 50, "op");
  uint32_t call = m.call(40, 60, "cudaLaunchKernel"), next = m.op(55, 70, "next");
  m.done();
  EXPECT_EQ(parentName(m, call), "op");
  EXPECT_EQ(parentName(m, next), "");
}

TEST(Nesting, WholeMicrosecondsAllowOneOfOverrun) {
  for (bool integer : {true, false})
    for (int64_t overrun : {1000, 1001}) {
      Maker m;
      m.op(0, 5000, "parent");
      uint32_t child = m.op(1000, 5000 + overrun, "child");
      m.rank.recording.integerMicroseconds = integer;
      m.done();
      bool nested = integer && overrun <= 1000;
      EXPECT_EQ(parentName(m, child), nested ? "parent" : "");
      const TrackNesting &n = m.get<Nesting>().tracks[0];
      EXPECT_EQ(n.partialOverlaps, nested ? 0u : 1u);
      EXPECT_EQ(n.self[0].ns, 1000);
    }
}

TEST(Nesting, RecordedParentsOfFramesOutrankTime) {
  Maker m;
  auto frame = [&](int64_t begin, int64_t end, const char *name, int64_t id, int64_t parent) {
    return m.python(begin, end, name, 1, {{"Python id", id}, {"Python parent id", parent}});
  };
  frame(0, 1000, "main", 1, 0);
  frame(10, 1000, "never closed", 2, 1); // Ends at the recorder's stop.
  uint32_t next = frame(50, 60, "next", 3, 1);
  uint32_t lost = frame(55, 58, "lost", 4, 99); // The parent's frame is not in the file.
  uint32_t op = m.op(20, 30, "op");
  m.done();
  EXPECT_EQ(parentName(m, next), "main");
  EXPECT_EQ(parentName(m, lost), "next");
  EXPECT_EQ(parentName(m, op), ""); // Families have trees of their own.
}

TEST(Nesting, CyclesOfRecordedParentsAreNoTrees) {
  Maker m;
  uint32_t a =
      m.python(0, 10, "a", 1, {{"Python id", int64_t{1}}, {"Python parent id", int64_t{2}}});
  m.python(0, 10, "b", 1, {{"Python id", int64_t{2}}, {"Python parent id", int64_t{1}}});
  m.python(0, 10, "c", 1, {{"Python id", INT64_MAX}, {"Python parent id", INT64_MIN}});
  m.done();
  EXPECT_EQ(parentName(m, a), "");
}

TEST(Nesting, AgreesWithANaiveTwin) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    Maker m;
    for (int i = 0, n = 1 + random(24); i < n; ++i) {
      int64_t begin = random(60), end = begin + random(1 + random(60));
      m.op(begin, end, "e");
    }
    m.done();
    const Track &t = m.rank.track(0);
    const TrackNesting &n = m.get<Nesting>().tracks[0];
    std::vector<int64_t> self(t.size());
    for (int64_t at = 0; at < 130; ++at) {
      uint32_t innermost = TrackNesting::kNone;
      for (uint32_t i = 0; i < t.size(); ++i)
        if (t.begin[i].ns <= at && at < t.end[i].ns)
          innermost = i; // Of the events open, the last in order.
      ASSERT_EQ(n.innermost({at}), innermost) << "seed " << seed << " at " << at;
      if (innermost != TrackNesting::kNone)
        ++self[innermost];
    }
    for (uint32_t i = 0; i < t.size(); ++i) {
      EXPECT_EQ(n.self[i].ns, self[i]) << "seed " << seed;
      uint32_t parent = TrackNesting::kNone;
      for (uint32_t p = 0; p < i; ++p)
        if (t.begin[i] < t.end[p] && t.end[i] <= t.end[p])
          parent = p;
      EXPECT_EQ(n.parent[i], parent) << "seed " << seed << " event " << i;
    }
  }
}
