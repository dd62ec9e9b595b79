//===- IdleCausesTest.cpp ---------------------------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/IdleCauses.h"
#include "Maker.h"
#include <map>

using namespace heddle;
using namespace heddle::test;

using Sums = std::map<std::string, int64_t>;

/// Idle time of a device by cause.
static Sums causes(Maker &m, size_t device = 0) {
  Sums sums;
  const DeviceIdle &idle = m.get<IdleCauses>().devices[device];
  for (const IdleGap &g : idle.gaps) {
    Duration total;
    for (const IdlePart &p : idle.partsOf(g)) {
      sums[idleCauseName(p.cause).str()] += p.interval.length().ns;
      total += p.interval.length();
    }
    EXPECT_EQ(total, g.interval.length());
  }
  return sums;
}

TEST(IdleCauses, TheTurnOfAQueueIsKernelToKernel) {
  for (int64_t gap : {999, 1000}) {
    Maker m;
    m.launched(0, 10, 100, 5000);
    m.launched(20, 30, 5000 + gap, 9000);
    m.done();
    EXPECT_EQ(causes(m), (Sums{{gap < 1000 ? "kernel-to-kernel" : "launch-latency", gap}}));
  }
}

TEST(IdleCauses, TheLaunchCallPartsAGap) {
  Maker m;
  m.op(0, 20000, "op");
  m.launched(0, 10, 100, 5000);
  m.launched(8000, 10000, 13000, 14000);
  m.done();
  EXPECT_EQ(causes(m), (Sums{{"host", 3000}, {"launch-call", 2000}, {"launch-latency", 3000}}));
}

TEST(IdleCauses, ALaunchAfterItsWorkIsAllHost) {
  Maker m; // Clocks of host and device may differ by a little.
  m.op(0, 20000, "op");
  m.launched(0, 10, 100, 5000);
  m.launched(8100, 9000, 8000, 14000);
  m.done();
  EXPECT_EQ(causes(m), (Sums{{"host", 3000}}));
}

TEST(IdleCauses, WithoutALaunchItIsUnrecorded) {
  Maker m;
  m.kernel(0, 1000);
  m.kernel(3000, 4000);
  m.done();
  EXPECT_EQ(causes(m), (Sums{{"unrecorded", 2000}}));
}

TEST(IdleCauses, TheDeepestSpanWithACauseTells) {
  struct Case {
    EventKind kind;
    const char *name, *cause;
  } cases[] = {
      {EventKind::Runtime, "cudaMalloc", "alloc"},
      {EventKind::Runtime, "hipFree", "alloc"},
      {EventKind::Driver, "cuMemMap", "alloc"},
      {EventKind::Driver, "cuModuleLoadData", "compile"},
      {EventKind::CpuOp, "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", "input"},
      {EventKind::Annotation, "_compile.compile_inner (dynamo_timed)", "compile"},
      {EventKind::Python, "torch/utils/data/dataloader.py(701): __next__", "input"},
      {EventKind::Python, "/x/torch/_inductor/compile_fx.py(1): compile", "compile"},
      {EventKind::Python, "<built-in function collect>", "gc"},
      {EventKind::Annotation, "GC.collect", "gc"},
      // Near misses.
      {EventKind::CpuOp, "cudaMalloc", "host"},
      {EventKind::Python, "mytorch/utils/data/dataloader.py(701): __next__", "host"},
      {EventKind::Python, "torch/utils/data/dataloader.py(701): __next__x", "host"},
      {EventKind::Python, "<built-in function collector>", "host"},
      {EventKind::CpuOp, "aten::item", "host"},
      {EventKind::Runtime, "cudaMemcpyAsync", "host"},
      {EventKind::Runtime, "cudaEventRecord", "host"},
  };
  for (const Case &c : cases) {
    Maker m;
    m.launched(0, 10, 100, 5000);
    m.op(5000, 9000, "outer");
    m.host(c.kind, 6000, 8000, c.name, 1, {});
    m.op(6500, 7000, "inner"); // Has no cause of its own.
    m.launched(9000, 9100, 9100, 9200);
    m.done();
    Sums expected{{"host", 2000}, {"launch-call", 100}};
    expected[c.cause] += 2000;
    EXPECT_EQ(causes(m), expected) << c.name;
  }
}

TEST(IdleCauses, StepMarksAndOtherThreadsSayNothing) {
  Maker m;
  m.launched(0, 10, 100, 5000);
  m.mark(0, 20000, "ProfilerStep#1");
  m.op(0, 20000, "elsewhere", 2);
  m.op(6000, 7000, "op");
  m.launched(9000, 9100, 9100, 9200);
  m.done();
  // The recording's first activity is 100 after the step's begin: a turn.
  EXPECT_EQ(
      causes(m),
      (Sums{
          {"host", 1000}, {"kernel-to-kernel", 100}, {"launch-call", 100}, {"unobserved", 3000}}));
}

TEST(IdleCauses, ASynchronisationCostsWhatFollowsIt) {
  for (const char *name : {"cudaStreamSynchronize", "cudaDeviceSynchronize_v3020",
                           "hipMemcpyWithStream", "cuCtxSynchronize", "cudaMemcpy"}) {
    Maker m;
    m.op(0, 20000, "op");
    m.launched(0, 10, 100, 5000);
    m.call(50, 5200, name);
    m.call(6000, 6500, "cudaMalloc"); // Keeps its own cause.
    m.launched(9000, 9100, 9100, 9200);
    m.done();
    EXPECT_EQ(causes(m),
              (Sums{{"sync", 200}, {"after-sync", 3300}, {"alloc", 500}, {"launch-call", 100}}))
        << name;
  }
}

TEST(IdleCauses, ACallThatBeginsOnAnIdleDeviceDrainsNothing) {
  Maker m;
  m.op(0, 20000, "op");
  m.launched(0, 10, 100, 5000);
  m.call(5100, 5300, "cudaStreamSynchronize");
  m.launched(9000, 9100, 9100, 9200);
  m.done();
  EXPECT_EQ(causes(m), (Sums{{"host", 3800}, {"sync", 200}, {"launch-call", 100}}));
}

TEST(IdleCauses, ACopyToPageableMemoryBlocks) {
  for (const char *name : {"Memcpy DtoH (Device -> Pageable)", "Memcpy DtoH (Device -> Pinned)"}) {
    Maker m;
    m.op(0, 20000, "op");
    uint32_t c = m.call(50, 5200, "cudaMemcpyAsync"),
             copy = m.work(EventKind::Memcpy, 100, 5000, name, 7, 0);
    m.launch(c, copy);
    m.launched(9000, 9100, 9100, 9200);
    m.done();
    bool blocks = llvm::StringRef(name).contains("Pageable");
    EXPECT_EQ(causes(m), blocks ? (Sums{{"sync", 200}, {"after-sync", 3800}, {"launch-call", 100}})
                                : (Sums{{"host", 4000}, {"launch-call", 100}}));
  }
}

TEST(IdleCauses, ALongWaitOnAnIdleDeviceIsForWhatWasNotRecorded) {
  for (int64_t length : {100000, 100001})
    for (bool other : {false, true}) {
      Maker m;
      m.op(0, 1000000, "op");
      m.launched(0, 10, 100, 5000);
      m.call(6000, 6000 + length, "cudaStreamSynchronize");
      m.launched(500000, 500100, 500100, 500200);
      if (other)
        m.kernel(50000, 50001, "k", 7, 1); // Another device works meanwhile.
      m.done();
      Sums s = causes(m);
      bool unrecorded = length > 100000 && !other;
      EXPECT_EQ(s[unrecorded ? "unrecorded" : "sync"], length);
      EXPECT_EQ(s["host"], 500000 - 5000 - length);
    }
}

TEST(IdleCauses, AfterTheLaunchARecordedWaitIsADependency) {
  for (int64_t stream : {7, 8}) {
    Maker m;
    m.launched(0, 10, 100, 5000);
    m.work(EventKind::Sync, 6000, 7000, "Stream Wait Event", stream, 0);
    m.work(EventKind::Sync, 7000, 7500, "Stream Sync", 7, 0);
    m.launched(20, 30, 8000, 9000);
    m.done();
    EXPECT_EQ(causes(m), stream == 7 ? (Sums{{"launch-latency", 2000}, {"dependency", 1000}})
                                     : (Sums{{"launch-latency", 3000}}));
  }
}

TEST(IdleCauses, ALongWaitOfALaunchIsForWhatWasNotRecorded) {
  for (int64_t wait : {100000, 100001}) {
    Maker m;
    m.launched(0, 10, 100, 5000);
    m.launched(20, 30, 5000 + wait, 300000);
    m.done();
    EXPECT_EQ(causes(m), (Sums{{wait > 100000 ? "unrecorded" : "launch-latency", wait}}));
  }
}

TEST(IdleCauses, ALeadInIsAGapOfItsOwn) {
  Maker m;
  m.mark(0, 100000, "ProfilerStep#1");
  m.op(1000, 3000, "op");
  m.call(0, 500, "cudaStreamSynchronize"); // In a lead-in nothing drains.
  m.launched(3000, 4000, 5000, 6000);
  m.launched(5000, 5100, 9000, 9500);
  m.done();
  const DeviceIdle &d = m.get<IdleCauses>().devices[0];
  ASSERT_EQ(d.gaps.size(), 2u);
  EXPECT_TRUE(d.gaps[0].leadIn);
  EXPECT_EQ(d.gaps[0].interval, (Interval{{0}, {5000}}));
  EXPECT_FALSE(d.gaps[1].leadIn);
  EXPECT_EQ(causes(m), (Sums{{"sync", 500},
                             {"unobserved", 500},
                             {"host", 2000},
                             {"launch-call", 1000},
                             {"launch-latency", 1000 + 3000}}));
}

//===----------------------------------------------------------------------===//
// A naive twin: what is the cause of each 100 ns, by asking every event.
//===----------------------------------------------------------------------===//

namespace {

constexpr int64_t kCell = 100;

struct RandomTrace {
  struct Host {
    int64_t begin, end, tid;
    EventKind kind;
    const char *name;
    const char *cause; ///< "" for none.
    uint32_t handle;
  };
  struct Work {
    int64_t begin, end, device, stream;
    int launch; ///< In hosts, -1 for none.
    uint32_t handle;
  };
  struct Wait {
    int64_t begin, end, device, stream;
  };
  std::vector<Host> hosts;
  std::vector<Work> works;
  std::vector<Wait> waits;
  Maker m;

  RandomTrace(uint64_t seed, int64_t shift) {
    Random random(seed);
    auto at = [&](int64_t n) { return random(n) * kCell; };
    auto host = [&](int64_t begin, int64_t end, int64_t tid, EventKind kind, const char *name,
                    const char *cause) {
      uint32_t h = m.host(kind, begin + shift, end + shift, name, tid, {});
      hosts.push_back({begin, end, tid, kind, name, cause, h});
      return static_cast<int>(hosts.size()) - 1;
    };
    int64_t now = 0;
    for (int i = 0, n = 4 + random(12); i < n; ++i) {
      now += at(random(4) ? 20 : 1500);
      int64_t tid = 1 + random(2), device = random(2), stream = 7 + random(2);
      int64_t callEnd = now + at(30), begin = now + at(random(4) ? 60 : 1600),
              end = begin + kCell + at(40);
      int launch = -1;
      if (random(6))
        launch = host(now, callEnd, tid, EventKind::Runtime, "cudaLaunchKernel", "");
      uint32_t k = m.kernel(begin + shift, end + shift, "k" + std::to_string(i), stream, device);
      if (launch >= 0)
        m.launch(hosts[launch].handle, k);
      works.push_back({begin, end, device, stream, launch, k});
      if (!random(4))
        now = end;
    }
    static constexpr struct {
      EventKind kind;
      const char *name, *cause;
    } kinds[] = {{EventKind::CpuOp, "op", ""},
                 {EventKind::Python, "f.py(1): f", ""},
                 {EventKind::Runtime, "cudaStreamSynchronize", "sync"},
                 {EventKind::Runtime, "cudaDeviceSynchronize", "sync"},
                 {EventKind::Runtime, "cudaMalloc", "alloc"},
                 {EventKind::Annotation, "gc", "gc"},
                 {EventKind::CpuOp, "enumerate(DataLoader)#x", "input"}};
    for (int i = 0, n = random(16); i < n; ++i) {
      auto &k = kinds[random(std::size(kinds))];
      int64_t begin = at(now / kCell + 10);
      host(begin, begin + at(random(3) ? 40 : 2000), 1 + random(2), k.kind, k.name, k.cause);
    }
    for (int i = 0, n = random(4); i < n; ++i) {
      int64_t begin = at(now / kCell + 10), end = begin + at(30), device = random(2),
              stream = 7 + random(2);
      m.work(EventKind::Sync, begin + shift, end + shift, "Stream Wait Event", stream, device);
      waits.push_back({begin, end, device, stream});
    }
    // So that nothing is far from what the host recorded.
    host(0, now + 1000 * kCell, 3, EventKind::CpuOp, "all the time", "");
    m.done();
  }

  bool othersWork(int64_t device, int64_t begin, int64_t end) const {
    for (const Work &w : works)
      if (w.device != device && w.begin < end && begin < w.end)
        return true;
    return false;
  }

  /// The cause of [t, t + kCell), which lies in the gap [a, b) ended by `n`.
  std::string causeAt(int64_t t, int64_t a, int64_t b, const Work &n) const {
    if (b - a < 1000)
      return "kernel-to-kernel";
    if (n.launch < 0)
      return "unrecorded";
    const Host &l = hosts[n.launch];
    int64_t h = std::clamp(l.begin, a, b), c = std::clamp(l.end, h, b);
    if (t >= c) {
      for (const Wait &w : waits)
        if (w.device == n.device && w.stream == n.stream && w.begin <= t && t < w.end)
          return "dependency";
      return b - c > 100000 && !othersWork(n.device, c, b) ? "unrecorded" : "launch-latency";
    }
    if (t >= h)
      return "launch-call";
    int64_t drained = INT64_MIN;
    const Host *deepest = nullptr;
    bool any = false;
    for (const Host &e : hosts) {
      if (e.tid != l.tid)
        continue;
      bool sync = std::string(e.cause) == "sync";
      if (sync && e.begin <= a && a < e.end)
        drained = std::max(drained, e.end);
      if (e.begin > t || t >= e.end)
        continue;
      any = true;
      if (*e.cause &&
          (!deepest || std::tuple(-e.begin, e.end, -int64_t(e.handle)) <
                           std::tuple(-deepest->begin, deepest->end, -int64_t(deepest->handle))))
        deepest = &e;
    }
    if (deepest) {
      int64_t begin = std::max(deepest->begin, a), end = std::min(deepest->end, h);
      if (std::string(deepest->cause) == "sync" && deepest->begin > a && end - begin > 100000 &&
          !othersWork(n.device, begin, end))
        return "unrecorded";
      return deepest->cause;
    }
    if (drained != INT64_MIN && t >= drained)
      return "after-sync";
    return any ? "host" : "unobserved";
  }

  Sums naive(int64_t device) const {
    Sums sums;
    std::vector<const Work *> order;
    for (const Work &w : works)
      if (w.device == device)
        order.push_back(&w);
    std::sort(order.begin(), order.end(), [](const Work *a, const Work *b) {
      return std::tuple(a->begin, -a->end, a->handle) < std::tuple(b->begin, -b->end, b->handle);
    });
    int64_t end = order.empty() ? 0 : order[0]->end;
    for (const Work *w : order) {
      for (int64_t t = end; t < w->begin; t += kCell)
        sums[causeAt(t, end, w->begin, *w)] += kCell;
      end = std::max(end, w->end);
    }
    return sums;
  }
};

} // namespace

TEST(IdleCauses, AgreesWithANaiveTwinAndAShiftChangesNothing) {
  Sums seen;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    RandomTrace trace(seed, 0), shifted(seed, 123456789);
    const auto &devices = trace.m.get<IdleCauses>().devices;
    for (size_t d = 0; d < devices.size(); ++d) {
      Sums expected = trace.naive(devices[d].device);
      EXPECT_EQ(causes(trace.m, d), expected) << "seed " << seed << " device " << devices[d].device;
      EXPECT_EQ(causes(shifted.m, d), expected) << "seed " << seed;
      for (auto &[cause, ns] : expected)
        seen[cause] += ns;
    }
  }
  // The traces try nearly everything.
  EXPECT_GE(seen.size(), 11u);
}
