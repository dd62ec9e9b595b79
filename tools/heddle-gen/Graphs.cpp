//===- Graphs.cpp - Forward and backward, each launched as a graph --------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// As torch.cuda.make_graphed_callables leaves it: one op and one call for all kernels of the
/// layers, which run in the order in which they were captured. The ops that launched them when
/// they were captured are not in the file.
//===----------------------------------------------------------------------===//

#include "Loop.h"
#include "Network.h"
#include <algorithm>

using namespace heddle::gen;

static Launch node(Worker &w, const KernelSpec &spec) {
  Launch what;
  what.name = spec.name;
  what.gemm = spec.gemm;
  what.duration =
      w.random.around(std::max<int64_t>(1300, spec.ns * w.options.kernelScale / 100), 8);
  return what;
}

uint32_t heddle::gen::graphForward(Worker &w, int64_t sequence) {
  std::vector<Launch> kernels;
  for (int64_t layer = 0; layer < w.options.layers; ++layer)
    for (const OpSpec &op : layerOps())
      kernels.push_back(node(w, op.forward));
  unsigned t = Worker::main;
  uint32_t event =
      w.open(t, EventClass::CpuOp, "Graphed",
             {{"Sequence number", Value::integer(sequence)}, {"Fwd thread id", Value::integer(0)}});
  w.work(t, 4000);
  w.launchGraph(t, w.computeStream(), 1, kernels);
  w.work(t, 2500);
  w.close(t);
  return event;
}

void heddle::gen::graphBackward(Worker &w, uint32_t forward, int64_t sequence) {
  std::vector<Launch> kernels;
  for (int64_t layer = 0; layer < w.options.layers; ++layer)
    for (const OpSpec &op : llvm::reverse(layerOps()))
      for (const KernelSpec &gradient : op.gradients)
        kernels.push_back(node(w, gradient));
  unsigned t = Worker::autograd;
  Args args = {{"Sequence number", Value::integer(sequence)}, {"Fwd thread id", Value::integer(1)}};
  w.open(t, EventClass::CpuOp, "autograd::engine::evaluate_function: GraphedBackward", args);
  w.work(t, 1500);
  uint32_t node = w.open(t, EventClass::CpuOp, "GraphedBackward", args);
  w.trace.events[node].forward = forward;
  w.work(t, 3500);
  w.launchGraph(t, w.computeStream(), 2, kernels);
  w.work(t, 2000);
  w.close(t);
  w.work(t, 700);
  w.close(t);
  w.work(t, 800);
}
