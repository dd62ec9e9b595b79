//===- HostSelection.cpp - Which host events to count ---------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/Pass/HostSelection.h"
#include "heddle/Analysis/Steps.h"
#include "heddle/Pass/Windows.h"

using namespace heddle;

llvm::Expected<std::optional<IntervalSet>> heddle::selectedHostTimes(const Rank &rank,
                                                                     RankContext &context) {
  const Selection &selection = context.selection();
  auto window = selectedWindow(rank, selection);
  if (!window)
    return window.takeError();
  std::vector<Interval> intervals;
  if (!selection.steps.empty()) {
    auto steps = context.get<Steps>();
    if (!steps)
      return steps.takeError();
    for (const StepMark &mark : (*steps)->marks)
      if (selection.wantsStep(mark.number))
        intervals.push_back(*window ? mark.interval.meet(**window) : mark.interval);
  } else if (*window) {
    intervals.push_back(**window);
  } else {
    return std::nullopt;
  }
  return IntervalSet::unionOf(std::move(intervals));
}
