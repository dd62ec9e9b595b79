//===- WindowsTest.cpp ------------------------------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "heddle/Pass/Windows.h"
#include "Analysis/Maker.h"

using namespace heddle;
using namespace heddle::test;

namespace {

/// A device by seed whose steps overlap, are empty or out of order, as no recording's are.
struct RandomDevice {
  DeviceTimeline timeline;
  DeviceSteps steps;
  Selection selection;
  SelectedDevice device{0, &timeline, &steps, &selection};

  explicit RandomDevice(uint64_t seed) {
    Random random(seed);
    auto numSteps = static_cast<uint32_t>(random(6));
    steps.steps.resize(numSteps);
    Time at;
    for (int i = 0, n = random(60); i != n; ++i) {
      at = at + Duration{random(3)};
      DeviceActivity a;
      a.begin = at;
      a.end = at + Duration{random(9)};
      timeline.activities.push_back(a);
      auto step = static_cast<uint32_t>(random(numSteps + 1));
      steps.stepOf.push_back(step == numSteps ? DeviceSteps::kNone : step);
    }
    timeline.excluded.resize(random(3));
    if (random(2))
      selection.steps = {{0, 9}};
    if (random(2))
      selection.window = Interval{{0}, {100}};
    else if (random(2))
      selection.windowName = "name";
    for (uint32_t s = 0; s != numSteps; ++s)
      if (random(2)) {
        Time begin{random(70)};
        device.windows.push_back({"step", {begin, {random(90)}}, true, s});
      }
    if (random(2))
      device.windows.push_back({"window", {{random(40)}, {random(70)}}});
  }

  bool wants(size_t activity) const {
    bool inStep = selection.steps.empty(),
         inWindow = !selection.window && selection.windowName == "";
    for (const ReportWindow &w : device.windows) {
      inStep |= w.isStep && w.index == steps.stepOf[activity];
      inWindow |= w.interval.contains(timeline.activities[activity].begin);
    }
    return inStep && inWindow;
  }
};

} // namespace

TEST(Windows, ActivitiesAreThoseThatAskingEachWindowFinds) {
  size_t some = 0;
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    RandomDevice d(seed);
    std::vector<const DeviceActivity *> expected;
    for (size_t i = 0; i != d.timeline.activities.size(); ++i)
      if (d.wants(i))
        expected.push_back(&d.timeline.activities[i]);
    some += !expected.empty() && expected.size() != d.timeline.activities.size();
    if (!d.selection.any())
      for (const DeviceActivity &a : d.timeline.excluded)
        expected.push_back(&a);
    EXPECT_EQ(d.device.activities(), expected) << "seed " << seed;
  }
  EXPECT_GT(some, 50u);
}
