//===- Marks.cpp - Where a step begins and ends ---------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "Loop.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>

using namespace heddle::gen;

static unsigned markThread(const Worker &w) {
  return w.options.marks == Marks::OtherThread ? Worker::marker : Worker::main;
}

static void openStep(Worker &w, int64_t step) {
  w.step = step;
  std::string name = w.options.inference() ? engineMark(w.options, step)
                     : w.options.marks == Marks::Engine
                         ? "execute_context_0(0)_generation_32(32)"
                         : ("ProfilerStep#" + llvm::Twine(w.options.stepNumber(step))).str();
  w.wake(markThread(w), w.now(Worker::main));
  w.mark = w.openMark(markThread(w), name);
}

static void closeStep(Worker &w) {
  w.wake(markThread(w), w.now(Worker::main));
  w.closeAround(markThread(w), w.mark);
  w.step = -1;
}

void heddle::gen::beginStep(Worker &w, int64_t step) {
  if (step == 0)
    w.firstMark = w.now(Worker::main);
  if (w.options.marks == Marks::None) {
    w.step = step;
  } else if (w.options.marks != Marks::Crossing || step == 0) {
    openStep(w, step);
  }
}

void heddle::gen::beforeOptimizer(Worker &w) {
  if (w.options.marks == Marks::Between)
    closeStep(w);
}

void heddle::gen::insideOptimizer(Worker &w, int64_t step) {
  if (w.options.marks != Marks::Crossing)
    return;
  closeStep(w);
  openStep(w, step + 1);
}

void heddle::gen::afterOptimizer(Worker &w, int64_t step) {
  if (w.options.marks == Marks::None) // what follows belongs to the next one, if there is one
    w.step = step + 1 < w.options.steps ? step + 1 : -1;
}

void heddle::gen::endStep(Worker &w) {
  Marks marks = w.options.marks;
  if (marks == Marks::Loop || marks == Marks::OtherThread || marks == Marks::Engine)
    closeStep(w);
}

void heddle::gen::endLoop(Worker &w) {
  if (w.options.marks == Marks::Crossing)
    closeStep(w);
  if (w.options.marks != Marks::None)
    return;
  w.firstMark = INT64_MAX; // the first step begins with what the host does first
  for (const Event &event : w.trace.events)
    if (w.trace.lanes[event.lane].kind == Lane::Thread)
      w.firstMark = std::min(w.firstMark, event.begin);
}

int64_t heddle::gen::misplacedMarks(const Options &options) {
  return options.marks == Marks::Crossing ? options.steps + 1 : 0;
}
