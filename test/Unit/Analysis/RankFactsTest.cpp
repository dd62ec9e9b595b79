//===- RankFactsTest.cpp --------------------------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/RankFacts.h"
#include "Maker.h"

using namespace heddle;
using namespace heddle::test;

TEST(RankFacts, CountsWhatWasRecorded) {
  Maker m;
  m.op(0, 100000, "op", 1, {{"Input Dims", "[[1]]"}});
  m.op(0, 10, "unshaped", 1);
  m.op(0, 10, "elsewhere", 2, {{"Input Dims", "[[1]]"}});
  m.python(0, 100000, "f.py(1): f");
  m.mark(0, 60000, "ProfilerStep#4");
  m.launched(100, 110, 1000, 10999);  // 9999 ns: short.
  m.launched(120, 130, 20000, 30000); // 10000 ns: not.
  m.launched(140, 150, 29000, 31000); // Begins 1000 before the one before ends.
  uint32_t graph = m.call(40500, 41000, "cudaGraphLaunch"), early = m.kernel(40000, 50000);
  m.launch(graph, early);
  m.work(EventKind::Memcpy, 60000, 61000, "Memcpy DtoD", 8, 0);
  m.work(EventKind::Memset, 62000, 63000, "Memset", 8, 0);
  m.done();
  const RankFacts &f = m.get<RankFacts>();
  EXPECT_EQ(f.byKind[static_cast<unsigned>(EventKind::Kernel)], 4u);
  EXPECT_EQ(f.events, m.rank.numEvents());
  EXPECT_TRUE(f.hasShapes && f.hasStacks && f.hasHost);
  EXPECT_FALSE(f.hasMemory);
  EXPECT_EQ(f.graphLaunches, 1u);
  EXPECT_EQ(f.activities, 6u);
  EXPECT_EQ(f.launched, 4u);
  EXPECT_EQ(f.beforeLaunch, 1u);
  EXPECT_EQ(f.stepSource, StepSource::ProfilerStep);

  ASSERT_EQ(f.devices.size(), 1u);
  const DeviceFacts &d = f.devices[0];
  EXPECT_EQ(d.withoutLaunchTime.ns, 2000);
  EXPECT_EQ(d.workTime.ns, 9999 + 10000 + 2000 + 10000 + 2000);
  EXPECT_EQ(d.overlapping, 1u);
  EXPECT_EQ(d.overlapTime.ns, 1000);
  EXPECT_EQ(d.streamGaps, 3u);
  EXPECT_EQ(d.unassigned, 2u);
  EXPECT_EQ(d.steps, 1u);
}

TEST(RankFacts, GapsOfOneNsInMassMeanThatTheRecorderSwallowedThem) {
  for (int count : {100, 99})
    for (int ones : {50, 49}) {
      Maker m;
      int64_t t = 0;
      for (int i = 0; i <= count; ++i) {
        m.kernel(t, t + 10);
        t += 10 + (i < ones ? 1 : 2);
      }
      m.done();
      const DeviceFacts &d = m.get<RankFacts>().devices[0];
      EXPECT_EQ(d.streamGaps, static_cast<uint64_t>(count));
      EXPECT_EQ(d.oneNsGaps, static_cast<uint64_t>(ones));
      EXPECT_EQ(d.gapsSwallowed, count == 100 && ones == 50);
    }
}

TEST(RankFacts, TheEndsOfTimeOverflowNothing) {
  constexpr int64_t end = kMaxAbsTimeNs;
  Maker m;
  m.op(-end, end, "op");
  m.mark(-end, end, "ProfilerStep#1");
  m.mark(-end, end - 1, "Optimizer.step#SGD.step");
  m.call(-end, end, "cudaStreamSynchronize");
  for (int64_t stream : {1, 2, 3})
    for (const char *name : {"a", "a", "b"}) {
      m.launched(-end, -end + 1, -end, end, name, 1, stream);
      m.launched(end - 1, end, end - 1, end, name, 1, stream);
      m.kernel(-end, end, name, stream);
    }
  m.done();
  const RankFacts &f = m.get<RankFacts>();
  EXPECT_EQ(f.devices[0].workTime.ns, INT64_MAX);
}

TEST(RankFacts, AnyNumberMayBeAStream) {
  for (int64_t stream : {INT64_MAX, INT64_MIN, int64_t{-1}}) {
    Maker m;
    m.kernel(0, 10, "a", stream);
    m.kernel(20, 60, "a", stream); // overruns the next by more than the other "a" lasts
    m.kernel(30, 35, "b", stream);
    m.done();
    const DeviceFacts &d = m.get<RankFacts>().devices[0];
    EXPECT_EQ(d.cut, 1u);
    EXPECT_EQ(d.streamGaps, 1u);
  }
}

TEST(RankFacts, AnEmptyRankHasNone) {
  Maker m;
  m.done();
  const RankFacts &f = m.get<RankFacts>();
  EXPECT_EQ(f.events, 0u);
  EXPECT_TRUE(f.devices.empty());
}
