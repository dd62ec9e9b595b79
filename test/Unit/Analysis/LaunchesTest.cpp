//===- LaunchesTest.cpp -----------------------------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/Launches.h"
#include "Maker.h"
#include "heddle/Analysis/Communication.h"

using namespace heddle;
using namespace heddle::test;

static std::string launchName(Maker &m, uint32_t kernel) {
  const LaunchCall *c = m.get<Launches>().launchOf(m.place(kernel));
  return c ? m.rank.name(c->call).str() : "";
}
static std::string opName(Maker &m, uint32_t kernel) {
  const LaunchCall *c = m.get<Launches>().launchOf(m.place(kernel));
  return c && c->op.valid() ? m.rank.name(c->op).str() : "";
}

TEST(Launches, PrefersLaunchNamesThenTheLatestAndNeverProbes) {
  Maker m;
  uint32_t probe = m.call(30, 31, "cudaOccupancyMaxActiveBlocksPerMultiprocessor"),
           other = m.call(20, 21, "cudaStreamBeginCapture_v2"),
           early = m.call(5, 6, "cudaLaunchKernel"), late = m.call(8, 9, "cuLaunchKernelEx");
  uint32_t all = m.kernel(50, 60), odd = m.kernel(60, 70), none = m.kernel(70, 80);
  for (uint32_t c : {probe, other, early, late})
    m.launch(c, all);
  m.launch(other, odd);
  m.launch(probe, none);
  m.done();
  EXPECT_EQ(launchName(m, all), "cuLaunchKernelEx");
  EXPECT_EQ(launchName(m, odd), "cudaStreamBeginCapture_v2");
  EXPECT_EQ(launchName(m, none), "");
  EXPECT_EQ(m.get<Launches>().activities, 3u);
  EXPECT_EQ(m.get<Launches>().launched, 2u);
}

TEST(Launches, CountsGraphsAndActivitiesBeforeTheirLaunch) {
  Maker m;
  uint32_t graph = m.call(10, 20, "cudaGraphLaunch");
  uint32_t early = m.kernel(9, 15), same = m.kernel(30, 40);
  m.launch(graph, early);
  m.launch(graph, same);
  m.done();
  const Launches &l = m.get<Launches>();
  ASSERT_EQ(l.calls.size(), 1u);
  EXPECT_EQ(l.calls[0].activities, 2u);
  EXPECT_TRUE(l.calls[0].graph);
  EXPECT_EQ(l.graphLaunches, 1u);
  EXPECT_EQ(l.graphActivities, 2u);
  EXPECT_EQ(l.beforeLaunch, 1u);
  EXPECT_EQ(l.callsWithoutOp, 1u);
}

TEST(Launches, ExternalIdOutranksContainmentUnlessBroken) {
  for (bool broken : {false, true}) {
    Maker m;
    m.op(0, 10, "elsewhere", 2, {{"External id", int64_t{5}}});
    m.op(0, 100, "outer");
    m.mark(5, 90, "annotation");
    uint32_t c = m.call(10, 20, "cudaLaunchKernel", 1, {{"External id", int64_t{5}}}),
             k = m.kernel(50, 60);
    m.launch(c, k);
    m.rank.recording.externalIdsBroken = broken;
    m.done();
    EXPECT_EQ(opName(m, k), broken ? "outer" : "elsewhere");
    EXPECT_EQ(m.get<Launches>().calls[0].opByContainment, broken);
  }
}

TEST(Launches, AnIdThatIsTheCorrelationNamesOnlyAnEnclosingOp) {
  for (bool encloses : {false, true}) {
    Maker m;
    m.op(encloses ? 0 : 40, 50, "named", 1, {{"External id", int64_t{5}}});
    uint32_t c = m.call(10, 20, "cudaLaunchKernel", 1,
                        {{"External id", int64_t{5}}, {"correlation", int64_t{5}}});
    uint32_t k = m.kernel(50, 60);
    m.launch(c, k);
    m.done();
    EXPECT_EQ(opName(m, k), encloses ? "named" : "");
  }
}

TEST(Launches, ADriverCallInsideARuntimeCallBelongsToTheOp) {
  Maker m;
  m.op(0, 100, "op");
  m.call(10, 50, "cudaLaunchKernelExC");
  uint32_t c = m.call(20, 40, "cuLaunchKernelEx"), k = m.kernel(50, 60);
  m.launch(c, k);
  m.done();
  EXPECT_EQ(opName(m, k), "op");
}

TEST(Communication, NamesAndArguments) {
  Maker m;
  uint32_t plain = m.kernel(0, 1),
           args = m.kernel(1, 2, "k", 7, 0, {{"Collective name", "allreduce"}}),
           empty = m.kernel(2, 3, "k", 7, 0, {{"Collective name", ""}}),
           group = m.kernel(3, 4, "k", 7, 0, {{"Process Group Name", int64_t{0}}}),
           rocm = m.kernel(4, 5, "__amd_rocclr_copyBuffer.kd"),
           fill = m.work(EventKind::Memset, 5, 6, "nccl", 7, 0),
           copy = m.work(EventKind::Memcpy, 6, 7, "Memcpy HtoD", 7, 0);
  for (const char *call : {"cudaLaunchKernel", "hipMemcpyWithStream", "hipMemsetAsync"})
    m.call(0, 1, call);
  m.done();
  WorkClassifier classifier(m.rank);
  auto classOf = [&](uint32_t handle, llvm::StringRef launch = "") {
    EventRef e = m.place(handle);
    return classifier.classify(m.rank.track(e.track), e.index,
                               launch.empty() ? StringId::None : *m.rank.strings().find(launch));
  };
  EXPECT_EQ(classOf(plain), WorkClass::Compute);
  EXPECT_EQ(classOf(plain, "cudaLaunchKernel"), WorkClass::Compute);
  EXPECT_EQ(classOf(plain, "hipMemcpyWithStream"), WorkClass::Copy);
  EXPECT_EQ(classOf(plain, "hipMemsetAsync"), WorkClass::Compute);
  EXPECT_EQ(classOf(args), WorkClass::Communication);
  EXPECT_EQ(classOf(empty), WorkClass::Compute);
  EXPECT_EQ(classOf(group), WorkClass::Communication);
  EXPECT_EQ(classOf(rocm), WorkClass::Copy);
  EXPECT_EQ(classOf(fill), WorkClass::Compute);
  EXPECT_EQ(classOf(copy), WorkClass::Copy);
}
