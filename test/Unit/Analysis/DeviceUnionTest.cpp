//===- DeviceUnionTest.cpp --------------------------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/DeviceUnion.h"
#include "Maker.h"
#include <algorithm>

using namespace heddle;
using namespace heddle::test;

TEST(IntervalSet, AgreesWithABitmap) {
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    Random random(seed);
    std::vector<Interval> spans;
    std::vector<bool> bits(80);
    for (int i = 0, n = random(12); i < n; ++i) {
      int64_t begin = random(60), end = begin + random(12);
      spans.push_back({{begin}, {end}});
      std::fill(bits.begin() + begin, bits.begin() + end, true);
    }
    IntervalSet set = IntervalSet::unionOf(spans); // in any order
    EXPECT_EQ(set.measure().ns, llvm::count(bits, true));
    for (int64_t t = -1; t <= 80; ++t)
      EXPECT_EQ(set.contains({t}), t >= 0 && t < 80 && bits[t]);
    for (int64_t b = 0; b < 80; b += 3)
      for (int64_t e = b; e < 80; e += 2) {
        int64_t expected = std::count(bits.begin() + b, bits.begin() + e, true);
        EXPECT_EQ(set.measure({{b}, {e}}).ns, expected);
        EXPECT_EQ(set.overlaps({{b}, {e}}), expected > 0);
      }
    for (size_t i = 1; i < set.intervals().size(); ++i)
      EXPECT_LT(set.intervals()[i - 1].end, set.intervals()[i].begin);
  }
}

TEST(DeviceUnion, AgreesWithABitmap) {
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    Random random(seed);
    Maker m;
    enum { Compute = 1, Communication = 2, Copy = 4 };
    std::vector<int> bits[2] = {std::vector<int>(200), std::vector<int>(200)};
    int64_t first[2] = {200, 200}, last[2] = {0, 0};
    for (int i = 0, n = 1 + random(30); i < n; ++i) {
      int64_t begin = random(180), end = begin + 1 + random(15), device = random(2);
      int c = 1 << random(3);
      m.work(c == Copy ? EventKind::Memcpy : EventKind::Kernel, begin, end,
             c == Communication ? "nccl" : "x", i, device);
      for (int64_t t = begin; t < end; ++t)
        bits[device][t] |= c;
      first[device] = std::min(first[device], begin);
      last[device] = std::max(last[device], end);
    }
    m.done();
    for (const DeviceTimeline &d : m.get<DeviceUnion>().devices) {
      const auto &b = bits[d.device];
      EXPECT_EQ(d.range, (Interval{{first[d.device]}, {last[d.device]}}));
      int64_t begin = random(100), end = begin + random(100);
      DeviceBreakdown x = breakdown(d, {{begin}, {end}});
      auto count = [&](auto pred) {
        return std::count_if(b.begin() + begin, b.begin() + end, pred);
      };
      EXPECT_EQ(x.window.ns, end - begin);
      EXPECT_EQ(x.busy.ns, count([](int v) { return v != 0; }));
      EXPECT_EQ(x.compute.ns, count([](int v) { return v & Compute; }));
      EXPECT_EQ(x.exposedCommunication.ns,
                count([](int v) { return !(v & Compute) && (v & Communication); }));
      EXPECT_EQ(x.exposedCopy.ns, count([](int v) { return v == Copy; }));
      EXPECT_EQ(x.idle + x.compute + x.exposedCommunication + x.exposedCopy, x.window);
      // Gaps are the runs of empty cells between the first and the last activity.
      std::vector<Interval> gaps;
      for (int64_t t = first[d.device]; t < last[d.device]; ++t) {
        if (b[t])
          continue;
        if (!gaps.empty() && gaps.back().end.ns == t)
          ++gaps.back().end.ns;
        else
          gaps.push_back({{t}, {t + 1}});
      }
      ASSERT_EQ(d.gaps.size(), gaps.size());
      for (size_t g = 0; g < gaps.size(); ++g) {
        EXPECT_EQ(d.gaps[g].interval, gaps[g]);
        EXPECT_EQ(d.activities[d.gaps[g].endedBy].begin, gaps[g].end);
      }
    }
  }
}

TEST(DeviceUnion, TheLongestOfSeveralEndsAGap) {
  Maker m;
  m.kernel(0, 10, "first");
  m.kernel(20, 25, "short", 1);
  uint32_t longest = m.kernel(20, 30, "long", 2);
  m.kernel(40, 40, "point"); // Ends a gap and begins the next.
  m.kernel(50, 60, "last");
  m.done();
  const DeviceTimeline &d = m.get<DeviceUnion>().devices[0];
  ASSERT_EQ(d.gaps.size(), 3u);
  EXPECT_EQ(d.activities[d.gaps[0].endedBy].event, m.place(longest));
  EXPECT_EQ(d.gaps[2].interval, (Interval{{40}, {50}}));
}

TEST(DeviceUnion, WhatIsNoWorkDoesNotCount) {
  Maker m;
  m.kernel(0, 10);
  m.work(EventKind::Sync, 0, 500, "Stream Sync", 7, 0);
  m.done();
  const DeviceUnion &u = m.get<DeviceUnion>();
  EXPECT_EQ(u.devices[0].busy.measure().ns, 10);
  EXPECT_FALSE(u.hasHost);
}

TEST(DeviceUnion, FarActivitiesAreKeptOutOfWindows) {
  for (int64_t distance : {100, 101}) {
    Maker m;
    m.op(0, 100);
    m.kernel(10, 20);
    m.kernel(100 + distance, 300 + distance, "unlaunched");
    m.launched(50, 51, 5000, 5001, "launched"); // A launch vouches for it.
    m.done();
    const DeviceTimeline &d = m.get<DeviceUnion>().devices[0];
    EXPECT_EQ(d.far, distance > 100 ? 1u : 0u);
    EXPECT_EQ(d.excluded.size(), d.far);
    EXPECT_EQ(d.activities.size(), 3 - d.far);
  }
}

TEST(DeviceUnion, FileTimeZeroBesideAnAbsoluteBaseIsNoTime) {
  for (bool base : {true, false}) {
    Maker m;
    m.rank.recording.origin = 1000;
    if (base)
      m.rank.recording.base = int64_t{1700000000} * 1000000000;
    m.kernel(-1000, -990);
    m.kernel(0, 10);
    m.done();
    const DeviceTimeline &d = m.get<DeviceUnion>().devices[0];
    EXPECT_EQ(d.withoutTime, base ? 1u : 0u);
    EXPECT_EQ(d.range.begin.ns, base ? 0 : -1000);
  }
}

TEST(DeviceUnion, RunawaysAreCutWhereTheirSuccessorBegins) {
  // Others of the name last at most 10: an overrun of 10 is a programmatic launch, 11 is not.
  for (int64_t overrun : {10, 11}) {
    Maker m;
    m.kernel(0, 10);
    m.kernel(20, 30 + overrun);
    m.kernel(30, 35, "next");
    m.kernel(25, 500, "alone", 8); // Another stream, and nothing to compare with.
    m.done();
    const DeviceTimeline &d = m.get<DeviceUnion>().devices[0];
    EXPECT_EQ(d.cut, overrun > 10 ? 1u : 0u);
    EXPECT_EQ(d.activities[1].end.ns, overrun > 10 ? 30 : 40);
    EXPECT_EQ(d.activities[1].cut, overrun > 10);
  }
}
