//===- Network.h - The ops of the made-up network ---------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// A transformer: what each op is called, what it launches, and what its backward node launches.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_GEN_NETWORK_H
#define HEDDLE_GEN_NETWORK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace heddle::gen {

/// A kernel and what it usually takes.
struct KernelSpec {
  llvm::StringRef op;   ///< The op inside which it is launched; empty: the op around.
  llvm::StringRef name; ///< Empty: no kernel.
  int64_t ns = 0;
  bool gemm = false;
};

/// An op of a layer: forward, and what the autograd thread runs for it.
struct OpSpec {
  llvm::StringRef name;
  KernelSpec forward;
  llvm::StringRef backward; ///< The node's name.
  llvm::ArrayRef<KernelSpec> gradients;
  bool parameters;        ///< Its node is followed by an AccumulateGrad.
  llvm::StringRef module; ///< nn.Module around it, with stacks.
  llvm::StringRef types, dims, concrete;
};

/// What an op's result needs.
int64_t outputBytes(const OpSpec &op);
llvm::ArrayRef<OpSpec> layerOps();
llvm::ArrayRef<OpSpec> lossOps();
inline int64_t opsPerLayer() { return static_cast<int64_t>(layerOps().size()); }
llvm::StringRef optimizerKernel();
llvm::StringRef allReduceKernel(bool rocm);
llvm::StringRef reduceScatterKernel(bool rocm);
llvm::StringRef allGatherKernel(bool rocm);

} // namespace heddle::gen

#endif
