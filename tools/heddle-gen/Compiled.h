//===- Compiled.h - Layers that torch.compile has compiled ------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_GEN_COMPILED_H
#define HEDDLE_GEN_COMPILED_H

#include "Layers.h"

namespace heddle::gen {

/// A layer's forward: a region with a graph in which what is pointwise or reduces is fused. Its op
/// is null.
Forward compiledForward(Worker &w, int64_t layer, int64_t sequence);
/// Its backward, on autograd's thread.
void compiledBackward(Worker &w, const Forward &forward);

} // namespace heddle::gen

#endif
