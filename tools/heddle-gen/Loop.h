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

/// Asks the data loader for a batch and copies it.
void loadBatch(Worker &worker);

/// Step marks, where the options want them. `step` counts from 0.
void beginStep(Worker &worker, int64_t step);
void beforeOptimizer(Worker &worker);
void insideOptimizer(Worker &worker, int64_t step);
void afterOptimizer(Worker &worker, int64_t step);
void endStep(Worker &worker);
void endLoop(Worker &worker);
/// How many marks begin or end inside an optimizer step.
int64_t misplacedMarks(const Options &options);

/// The layers' forward as one graph; returns its op. Backward, likewise, with that op's event.
uint32_t graphForward(Worker &worker, int64_t sequence);
void graphBackward(Worker &worker, uint32_t forward, int64_t sequence);

/// Steps of a serving engine: what is copied, one graph launch for all layers, and what becomes of
/// the result.
inline constexpr int64_t promptTokens = 512, batchRequests = 32;
bool isPrefill(const Options &options, int64_t step);
std::string engineMark(const Options &options, int64_t step);
void prepareInputs(Worker &worker);
void decodeLayers(Worker &worker);
void sampleTokens(Worker &worker);

/// Waits, and leaves behind what recorders see of it.
void synchronise(Worker &worker, unsigned thread, SyncKind kind);
/// What runs when the recording begins, until after the first mark.
void runMidQueue(Worker &worker);
/// loss.item(): a copy to pageable memory, which waits.
void readLoss(Worker &worker);

/// Every gap of the worker's device, with its causes, to its trace.
void findGaps(Worker &worker);
/// What was launched, copied and waited for, to its trace.
void countFacts(Worker &worker);
/// All that comes after the run.
void finish(Worker &worker);

} // namespace heddle::gen

#endif
