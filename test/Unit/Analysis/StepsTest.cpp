//===- StepsTest.cpp --------------------------------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/Steps.h"
#include "Maker.h"

using namespace heddle;
using namespace heddle::test;

static Interval span(int64_t begin, int64_t end) { return {{begin}, {end}}; }

TEST(Steps, NamesOfMarks) {
  EXPECT_EQ(profilerStepNumber("ProfilerStep#102"), 102);
  EXPECT_EQ(profilerStepNumber("ProfilerStep # 007"), 7);
  EXPECT_FALSE(profilerStepNumber("ProfilerStep#"));
  EXPECT_FALSE(profilerStepNumber("ProfilerStep#1a"));
  EXPECT_FALSE(profilerStepNumber("ProfilerStep#99999999999999999999"));
  EXPECT_FALSE(profilerStepNumber("MyProfilerStep#1"));
  EXPECT_TRUE(isStepMarkName("execute_context_1(888_788544)_generation_0(0)"));
  EXPECT_TRUE(isStepMarkName("execute_model_context_2"));
  EXPECT_TRUE(isStepMarkName("step[DECODE bs=8]"));
  EXPECT_FALSE(isStepMarkName("execute_model"));
  EXPECT_FALSE(isStepMarkName("step"));
  EXPECT_FALSE(isStepMarkName("Optimizer.step#SGD.step"));
}

TEST(Steps, ADevicesStepIsWhatWasLaunchedInTheHosts) {
  Maker m;
  m.op(0, 1000, "all the time", 3);
  m.mark(100, 200, "ProfilerStep#7");
  m.mark(200, 300, "ProfilerStep#8");
  m.mark(300, 400, "ProfilerStep#9"); // Launches nothing.
  m.launched(110, 112, 150, 350);
  m.launched(190, 192, 350, 500, "k", 2); // From another thread.
  m.launched(210, 212, 520, 900);
  m.launched(420, 422, 950, 960); // After the last step.
  m.kernel(960, 970);             // Without a launch.
  m.done();
  const Steps &s = m.get<Steps>();
  EXPECT_EQ(s.source, StepSource::ProfilerStep);
  const DeviceSteps &d = s.devices[0];
  ASSERT_EQ(d.steps.size(), 2u);
  EXPECT_EQ(d.steps[0].number, 7);
  EXPECT_TRUE(d.steps[0].first);
  EXPECT_EQ(d.steps[0].window, span(100, 500)); // From the host's begin.
  EXPECT_EQ(d.steps[0].leadIn, span(100, 150));
  EXPECT_EQ(d.steps[0].activities, 2u);
  EXPECT_EQ(d.steps[1].window, span(500, 900)); // From the end of the one before.
  EXPECT_TRUE(d.steps[1].leadIn.empty());
  EXPECT_EQ(d.unassigned, 2u);
  EXPECT_EQ(d.unassignedTime.ns, 20);
  EXPECT_EQ(d.stepOf, (std::vector<uint32_t>{0, 0, 1, DeviceSteps::kNone, DeviceSteps::kNone}));
  EXPECT_EQ(d.typical, (std::vector<bool>{false, true}));
  EXPECT_FALSE(s.missingProfilerStep);
}

TEST(Steps, TheOnlyStepIsTypicalForWantOfOthers) {
  Maker m;
  m.mark(0, 100, "ProfilerStep#1");
  m.launched(10, 11, 20, 30);
  m.done();
  EXPECT_EQ(m.get<Steps>().devices[0].typical, (std::vector<bool>{true}));
}

TEST(Steps, EarlierWorkKeepsAStepFromHavingALeadIn) {
  Maker m;
  m.kernel(50, 60);
  m.mark(100, 200, "ProfilerStep#1");
  m.launched(110, 111, 150, 160);
  m.done();
  const DeviceStep &s = m.get<Steps>().devices[0].steps[0];
  EXPECT_EQ(s.window, span(100, 160));
  EXPECT_TRUE(s.leadIn.empty());
}

TEST(Steps, AStepsWorkMayEndBeforeTheStepBefore) {
  Maker m;
  m.mark(0, 100, "ProfilerStep#1");
  m.mark(100, 200, "ProfilerStep#2");
  m.launched(10, 11, 20, 500);
  m.launched(110, 111, 120, 300, "k", 1, 8);
  m.done();
  const DeviceSteps &d = m.get<Steps>().devices[0];
  ASSERT_EQ(d.steps.size(), 2u);
  EXPECT_EQ(d.steps[1].window, span(500, 500));
}

TEST(Steps, SourcesAreTriedInOrder) {
  for (int sources = 0; sources < 8; ++sources) {
    Maker m;
    m.op(0, 1000, "host");
    if (sources & 1)
      m.mark(100, 200, "ProfilerStep#5");
    if (sources & 2)
      m.mark(100, 200, "execute_context_0");
    if (sources & 4)
      m.mark(150, 160, "Optimizer.step#SGD.step");
    m.launched(120, 121, 130, 140);
    m.done();
    const Steps &s = m.get<Steps>();
    StepSource expected = sources & 1   ? StepSource::ProfilerStep
                          : sources & 2 ? StepSource::Annotation
                          : sources & 4 ? StepSource::Optimizer
                                        : StepSource::None;
    EXPECT_EQ(s.source, expected);
    ASSERT_EQ(s.devices[0].steps.size(), 1u);
    EXPECT_EQ(s.devices[0].steps[0].number, sources & 1 ? 5 : 1);
    EXPECT_EQ(s.devices[0].steps[0].window.begin.ns, sources & 3 ? 100 : sources & 4 ? 0 : 130);
  }
}

TEST(Steps, OfTheListOfAnnotationsTheFirstPresentIsUsed) {
  Maker m;
  m.mark(0, 10, "step[A]");
  m.mark(20, 30, "execute_model_context_1");
  m.mark(40, 50, "execute_model_context_2");
  m.done();
  const Steps &s = m.get<Steps>();
  EXPECT_EQ(s.pattern, "execute_*_context_*");
  ASSERT_EQ(s.marks.size(), 2u);
  EXPECT_EQ(s.marks[1].number, 2);
}

TEST(Steps, OptimizerStepsEndSteps) {
  Maker m;
  m.op(0, 10);
  m.mark(90, 100, "Optimizer.step#Adam.step");
  m.mark(92, 95, "Optimizer.step#Adam.step"); // Inside the one before.
  m.mark(96, 98, "Optimizer.step#SGD.step");  // Another optimizer.
  m.mark(190, 200, "Optimizer.step#Adam.step");
  m.launched(50, 51, 60, 70);
  m.launched(100, 101, 110, 130);
  m.launched(200, 201, 210, 220); // After the last.
  m.done();
  const Steps &s = m.get<Steps>();
  ASSERT_EQ(s.marks.size(), 2u);
  EXPECT_EQ(s.marks[0].interval, span(0, 100));
  EXPECT_EQ(s.marks[1].interval, span(100, 200));
  EXPECT_TRUE(s.missingProfilerStep);
  EXPECT_EQ(s.devices[0].steps[0].window, span(0, 70));
  EXPECT_EQ(s.devices[0].steps[1].window, span(70, 130));
  EXPECT_EQ(s.devices[0].unassigned, 1u);
}

TEST(Steps, WithoutMarksOneWindowFromWhereBothAreRecorded) {
  for (int64_t host : {50, 150, 950}) {
    Maker m;
    m.op(host, 1000);
    m.launched(host, host + 1, 100, 200); // A launch vouches for what is far from the host.
    m.launched(host + 1, host + 2, 300, 400);
    m.done();
    const DeviceSteps &d = m.get<Steps>().devices[0];
    ASSERT_EQ(d.steps.size(), 1u);
    EXPECT_EQ(d.steps[0].window, span(host == 150 ? 150 : 100, 400));
    EXPECT_EQ(d.steps[0].activities, 2u);
    EXPECT_TRUE(d.steps[0].leadIn.empty());
  }
}

TEST(Steps, MarksThatCrossAnOptimizerStepAreMisplaced) {
  // At the optimizer step's begin or end a mark is well placed.
  for (int64_t end : {150, 151, 159, 160}) {
    Maker m;
    m.mark(0, end, "ProfilerStep#1");
    m.mark(end, 300, "ProfilerStep#2");
    m.mark(150, 160, "Optimizer.step#SGD.step");
    m.launched(10, 11, 20, 30);
    m.launched(200, 201, 210, 220);
    m.done();
    const Steps &s = m.get<Steps>();
    bool inside = end > 150 && end < 160;
    EXPECT_EQ(s.misplaced, inside ? 2u : 0u) << end;
    EXPECT_EQ(s.devices[0].steps[1].misplaced, inside);
    // Where none is left, all are typical.
    EXPECT_EQ(s.devices[0].typical, (std::vector<bool>{inside, true}));
  }
}

TEST(Steps, AMarkAroundTwoOptimizerStepsMeansThatMarksAreMissing) {
  for (int64_t end : {250, 255, 260}) {
    Maker m;
    m.mark(0, end, "ProfilerStep#1");
    m.mark(150, 160, "Optimizer.step#SGD.step");
    m.mark(250, 260, "Optimizer.step#SGD.step");
    m.done();
    EXPECT_EQ(m.get<Steps>().missingProfilerStep, end == 260);
  }
}

TEST(Steps, TheThreadWithMostMarksTells) {
  Maker m;
  m.mark(0, 100, "ProfilerStep#1", 1);
  m.mark(10, 60, "ProfilerStep#1", 2);
  m.mark(60, 110, "ProfilerStep#2", 2);
  m.done();
  const Steps &s = m.get<Steps>();
  ASSERT_EQ(s.marks.size(), 2u);
  EXPECT_EQ(s.marks[0].interval, span(10, 60));
}

TEST(Steps, MarksHoldForTheirProcessOnly) {
  Maker m;
  m.mark(0, 100, "ProfilerStep#1");
  m.pid = 200;
  m.launched(10, 11, 20, 30);
  m.done();
  EXPECT_EQ(m.get<Steps>().devices[0].unassigned, 1u);
  EXPECT_TRUE(m.get<Steps>().devices[0].steps.empty());
}
