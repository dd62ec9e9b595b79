//===- Layers.h - What an op of the network does ----------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_GEN_LAYERS_H
#define HEDDLE_GEN_LAYERS_H

#include "Network.h"
#include "Worker.h"

namespace heddle::gen {

/// An op that ran, for its backward.
struct Forward {
  const OpSpec *op = nullptr;
  uint32_t event = none;
  int64_t sequence = 0;
  int64_t output = 0; ///< Its block.
};

/// An op on the main thread, the `index`th of the network.
Forward runForward(Worker &w, const OpSpec &op, int64_t index, unsigned stream, int64_t sequence);
/// Its node, on autograd's thread.
void runBackward(Worker &w, const Forward &forward);
void runOptimizer(Worker &w, int64_t step);

/// Python's frames around an op, around a block of layers and around the whole network, where those
/// are recorded.
void enterOp(Worker &w, const OpSpec &op, int64_t index);
void leaveOp(Worker &w, const OpSpec &op, int64_t index);
void enterBlock(Worker &w, int64_t layer);
void leaveBlock(Worker &w);
void enterNetwork(Worker &w);
void leaveNetwork(Worker &w);

} // namespace heddle::gen

#endif
