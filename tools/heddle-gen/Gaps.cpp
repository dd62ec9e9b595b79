//===- Gaps.cpp - The true causes of idle times ---------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "Loop.h"
#include <algorithm>

using namespace heddle::gen;

/// Shorter gaps are what a device needs between two kernels.
static constexpr int64_t kernelToKernelBelow = 1000;

/// The host part of a gap: what the launching thread spent, up to the launch.
static void addHostPart(Gap &gap, const std::vector<Segment> &segments, int64_t begin, int64_t end,
                        bool leadIn) {
  // A queue that runs dry inside a synchronisation leaves the idle time after it.
  int64_t drainedUntil = 0;
  auto first = std::partition_point(segments.begin(), segments.end(),
                                    [&](const Segment &s) { return s.end <= begin; });
  if (!leadIn && first != segments.end() && first->begin <= begin && first->cause == Cause::Sync)
    drainedUntil = first->end;
  int64_t at = begin;
  auto add = [&](Cause cause, int64_t until) {
    if (drainedUntil && at >= drainedUntil && (cause == Cause::Host || cause == Cause::Unobserved))
      cause = Cause::AfterSync;
    gap.parts[static_cast<unsigned>(cause)] += until - at;
    at = until;
  };
  for (auto s = first; s != segments.end() && s->begin < end; ++s) {
    if (s->begin > at)
      add(Cause::Unobserved, s->begin); // a thread that had not begun
    add(s->cause, std::min(s->end, end));
  }
  if (at < end)
    add(Cause::Unobserved, end);
}

static void addParts(Gap &gap, const Worker &worker, const Activity &next) {
  int64_t a = gap.begin, b = gap.begin + gap.length;
  auto add = [&](Cause cause, int64_t ns) { gap.parts[static_cast<unsigned>(cause)] += ns; };
  if (gap.length < kernelToKernelBelow)
    return add(Cause::KernelToKernel, gap.length);
  if (!next.launched)
    return add(Cause::Unrecorded, gap.length);
  int64_t called = std::clamp(next.callBegin, a, b);
  int64_t returned = std::clamp(next.callEnd, called, b);
  addHostPart(gap, worker.segments(next.thread), a, called, gap.leadIn);
  add(Cause::LaunchCall, returned - called);
  int64_t waited =
      std::max<int64_t>(0, std::min(b, next.waitEnd) - std::max(returned, next.waitBegin));
  add(Cause::Dependency, waited);
  bool unrecorded = next.planted && next.planted->plant == Plant::IdleQueue;
  add(unrecorded ? Cause::Unrecorded : Cause::LaunchLatency, b - returned - waited);
}

void heddle::gen::findGaps(Worker &worker) {
  RankTrace &trace = worker.trace;
  std::vector<const Activity *> order;
  order.reserve(worker.activities.size());
  for (const Activity &activity : worker.activities)
    order.push_back(&activity);
  std::sort(order.begin(), order.end(), [](const Activity *x, const Activity *y) {
    return x->begin != y->begin ? x->begin < y->begin
           : x->end != y->end   ? x->end > y->end
                                : x->event < y->event;
  });

  // A step's window ends with the last activity that was launched in it.
  // The last mark may begin in the last optimizer step.
  std::vector<int64_t> stepEnds(static_cast<size_t>(worker.options.steps) + 1, 0);
  for (const Activity &activity : worker.activities)
    if (activity.launched && activity.step >= 0)
      stepEnds[static_cast<size_t>(activity.step)] =
          std::max(stepEnds[static_cast<size_t>(activity.step)], activity.end);
  auto stepOf = [&](int64_t end) -> std::optional<int64_t> {
    for (size_t i = 0; i < stepEnds.size(); ++i)
      if (stepEnds[i] >= end)
        return worker.options.stepNumber(static_cast<int64_t>(i));
    return std::nullopt;
  };

  // What runs before the first window begins takes the place of a lead-in.
  bool leadIn = order.empty() || order.front()->begin >= worker.firstMark;
  int64_t busyUntil = leadIn ? worker.firstMark : order.front()->begin;
  auto list = [&](const Gap &gap) {
    if (gap.begin >= worker.firstMark || gap.begin + gap.length <= worker.firstMark) {
      trace.gaps.push_back(gap);
      return;
    }
    // All of it has one cause, since the host had not begun.
    Gap before = gap, after = gap;
    before.step.reset();
    before.length = worker.firstMark - gap.begin;
    after.begin = worker.firstMark;
    after.length -= before.length;
    for (unsigned i = 0; i < numCauses; ++i)
      if (gap.parts[i]) {
        before.parts[i] = before.length;
        after.parts[i] = after.length;
      }
    trace.gaps.push_back(before);
    trace.gaps.push_back(after);
  };
  for (const Activity *next : order) {
    if (next->begin > busyUntil) {
      Gap gap;
      gap.begin = busyUntil;
      gap.length = next->begin - busyUntil;
      gap.leadIn = leadIn;
      gap.planted = leadIn ? worker.leadIn : next->planted;
      if (next->begin > worker.firstMark)
        gap.step = stepOf(next->begin);
      addParts(gap, worker, *next);
      list(gap);
    }
    leadIn = false;
    busyUntil = std::max(busyUntil, next->end);
  }
}
