//===- Loop.h - An eager training loop --------------------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_GEN_LOOP_H
#define HEDDLE_GEN_LOOP_H

#include "Worker.h"
#include "llvm/Support/Error.h"

namespace heddle::gen {

/// Runs the loop on all ranks and finishes their traces: planted gaps, true causes of every gap,
/// device copies of annotations, stamps as the era rounds them, file order.
llvm::Expected<JobTrace> simulate(const Options &options);

/// Plants one gap, wherever the thread is; what was launched before is done when it begins.
void plant(Worker &worker, unsigned thread, Plant plant, int64_t ns);
/// The shortest time that can be planted so.
int64_t shortest(Plant plant, const Options &options);
/// The longest.
int64_t longest(Plant plant);

/// Every gap of the worker's device, with its causes, to its trace.
void findGaps(Worker &worker);
/// All that comes after the run.
void finish(Worker &worker);

} // namespace heddle::gen

#endif
