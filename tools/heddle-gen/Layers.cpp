//===- Layers.cpp - What an op of the network does ------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "Layers.h"
#include "Loop.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>

using namespace heddle::gen;

static void kernel(Worker &w, unsigned thread, const KernelSpec &spec, unsigned stream) {
  bool inner = !spec.op.empty();
  if (inner) {
    w.open(thread, EventClass::CpuOp, spec.op);
    w.work(thread, 2100);
  }
  if (w.random.oneIn(3))
    w.memory(thread, 6 << 20);
  Launch what;
  what.name = spec.name;
  what.gemm = spec.gemm;
  what.duration =
      w.random.around(std::max<int64_t>(1300, spec.ns * w.options.kernelScale / 100), 8);
  what.stream = stream;
  what.notBefore = stream == w.computeStream() ? 0 : w.freeAt(w.computeStream()) + 900;
  w.launch(thread, what);
  w.work(thread, 600);
  if (inner)
    w.close(thread);
}

/// One of a chain of pointwise ops that nobody fused.
static void shortKernel(Worker &w) {
  w.open(Worker::main, EventClass::CpuOp, "aten::mul");
  w.work(Worker::main, 1500);
  Launch what;
  what.name = layerOps()[4].forward.name; // a pointwise one
  what.duration = w.random.around(1900, 40);
  what.stream = w.computeStream();
  w.launch(Worker::main, what);
  w.work(Worker::main, 600);
  w.close(Worker::main);
}

Forward heddle::gen::runForward(Worker &w, const OpSpec &op, int64_t index, unsigned stream,
                                int64_t sequence) {
  unsigned t = Worker::main;
  enterOp(w, op, index);
  w.work(t, 1700);
  Args args;
  if (w.options.shapes) {
    if (w.options.era != Era::Torch1_13)
      args.push_back({"Concrete Inputs", Value::list(op.concrete.str())});
    args.push_back({"Input type", Value::list(op.types.str())});
    args.push_back({"Input Dims", Value::list(op.dims.str())});
  }
  if (!w.options.inference()) { // autograd counts
    args.push_back({"Sequence number", Value::integer(sequence)});
    args.push_back({"Fwd thread id", Value::integer(0)});
  }
  uint32_t event = w.open(t, EventClass::CpuOp, op.name, std::move(args));
  w.work(t, 2300);
  int64_t output = w.allocate(t, outputBytes(op)), workspace = 0;
  if (op.forward.gemm)
    workspace = w.allocate(t, 8 << 20);
  kernel(w, t, op.forward, stream);
  if (op.forward.gemm)
    w.release(t, workspace);
  w.work(t, 800);
  for (int64_t i = 0; i < w.options.shortKernels; ++i)
    shortKernel(w);
  w.close(t);
  leaveOp(w, op, index);
  return {&op, event, sequence, output};
}

void heddle::gen::runBackward(Worker &w, const Forward &forward) {
  const OpSpec &op = *forward.op;
  int64_t forwardSequence = forward.sequence;
  unsigned t = Worker::autograd;
  auto args = [&] {
    return Args{{"Sequence number", Value::integer(forwardSequence)},
                {"Fwd thread id", Value::integer(1)}};
  };
  w.open(t, EventClass::CpuOp,
         (llvm::Twine("autograd::engine::evaluate_function: ") + op.backward).str(), args());
  w.work(t, 1500);
  uint32_t node = w.open(t, EventClass::CpuOp, op.backward, args());
  w.trace.events[node].forward = forward.event;
  w.work(t, 1900);
  int64_t input = w.allocate(t, outputBytes(op));
  for (const KernelSpec &gradient : op.gradients) {
    kernel(w, t, gradient, w.computeStream());
    w.work(t, 900);
  }
  w.close(t);
  w.work(t, 700);
  w.release(t, forward.output);
  w.release(t, input);
  w.close(t);
  w.work(t, 800);
  if (!op.parameters)
    return;
  if (w.options.allocator)
    w.gradients.push_back(w.allocate(t, 768 * 768 * 2));
  w.open(t, EventClass::CpuOp,
         "autograd::engine::evaluate_function: torch::autograd::AccumulateGrad");
  w.work(t, 900);
  w.open(t, EventClass::CpuOp, "torch::autograd::AccumulateGrad");
  w.work(t, 1300);
  w.close(t);
  w.work(t, 300);
  w.close(t);
  w.work(t, 700);
}

void heddle::gen::runOptimizer(Worker &w, int64_t step) {
  unsigned t = Worker::main;
  beforeOptimizer(w);
  w.frame("torch/optim/adamw.py(245): step");
  w.work(t, 5000);
  uint32_t annotation = w.open(t, EventClass::Annotation, "Optimizer.step#AdamW.step");
  w.work(t, 22000);
  int64_t reduced = 0;
  if (w.commStream() != w.computeStream()) {
    reduced = w.freeAt(w.commStream()) + 1500;
    if (w.options.ranks > 1)
      w.call(t, "cudaStreamWaitEvent", w.random.around(1400, 30));
  }
  int64_t groups = std::max<int64_t>(1, w.options.layers / 2);
  for (int64_t i = 0; i < groups; ++i) {
    if (i == groups / 2)
      insideOptimizer(w, step);
    w.open(t, EventClass::CpuOp, "aten::_fused_adamw_");
    w.work(t, 9000);
    Launch what;
    what.name = optimizerKernel();
    what.duration =
        w.random.around(std::max<int64_t>(2000, 31000 * w.options.kernelScale / 100), 6);
    what.stream = w.computeStream();
    what.notBefore = reduced;
    w.launch(t, what);
    w.work(t, 1500);
    w.close(t);
    w.work(t, 2000);
  }
  w.work(t, 6000);
  w.closeAround(t, annotation);
  afterOptimizer(w, step);
  w.work(t, 2000);
  w.endFrame();
}
