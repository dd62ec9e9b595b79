//===- IdleCausesTest.cpp ---------------------------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/IdleCauses.h"
#include "RandomTrace.h"

using namespace heddle;
using namespace heddle::test;

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
