//===- Inference.cpp - Steps of a serving engine --------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Prefill runs op by op, decode is one graph launch. A step copies its inputs, runs the network,
/// samples, and waits for the tokens.
//===----------------------------------------------------------------------===//

#include "Layers.h"
#include "Loop.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>

using namespace heddle::gen;

static constexpr unsigned t = Worker::main;

bool heddle::gen::isPrefill(const Options &options, int64_t step) {
  return step % (options.prefills + options.decodes) < options.prefills;
}

std::string heddle::gen::engineMark(const Options &options, int64_t step) {
  if (isPrefill(options, step))
    return "execute_context_1(" + std::to_string(promptTokens) + ")_generation_0(0)";
  return "execute_context_0(0)_generation_" + std::to_string(batchRequests) + "(" +
         std::to_string(batchRequests) + ")";
}

/// A copy of few bytes, inside of the ops that make it.
static uint32_t copyFew(Worker &w, llvm::StringRef kind, int64_t bytes, unsigned stream) {
  w.open(t, EventClass::CpuOp, "aten::copy_");
  w.work(t, 2100);
  Launch copy;
  copy.cls = EventClass::Memcpy;
  copy.name = kind;
  copy.bytes = bytes;
  copy.duration = w.random.around(1500, 20);
  copy.stream = stream;
  uint32_t event = w.launch(t, copy);
  w.work(t, 600);
  w.close(t);
  w.work(t, 700);
  return event;
}

void heddle::gen::prepareInputs(Worker &w) {
  bool rocm = w.options.vendor == Vendor::Rocm;
  w.work(t, 21000); // the scheduler
  for (int64_t bytes : {promptTokens * 8, batchRequests * 4, batchRequests * 64})
    copyFew(w, rocm ? "Memcpy HtoD (Host -> Device)" : "Memcpy HtoD (Pinned -> Device)", bytes,
            w.computeStream());
}

void heddle::gen::decodeLayers(Worker &w) {
  std::vector<Launch> kernels;
  for (int64_t layer = 0; layer < w.options.layers; ++layer)
    for (const OpSpec &op : layerOps()) {
      Launch what;
      what.name = op.forward.name;
      what.gemm = op.forward.gemm;
      // Of one token a request: what reads the weights takes most.
      what.duration =
          w.random.around(std::max<int64_t>(1300, op.forward.ns * w.options.kernelScale / 600), 8);
      kernels.push_back(what);
    }
  w.frame("torch/cuda/graphs.py(139): replay");
  w.work(t, 2600);
  w.launchGraph(t, w.computeStream(), 1, kernels);
  w.work(t, 1900);
  w.endFrame();
}

void heddle::gen::sampleTokens(Worker &w) {
  bool rocm = w.options.vendor == Vendor::Rocm;
  w.open(t, EventClass::CpuOp, "aten::argmax");
  w.work(t, 2400);
  Launch what;
  what.name = lossOps()[0].forward.name; // a reduction over the vocabulary
  what.duration = w.random.around(std::max<int64_t>(1300, 9000 * w.options.kernelScale / 100), 8);
  what.stream = w.computeStream();
  w.launch(t, what);
  w.work(t, 700);
  w.close(t);
  w.work(t, 900);
  copyFew(w, rocm ? "Memcpy DtoH (Device -> Host)" : "Memcpy DtoH (Device -> Pinned)",
          batchRequests * 8, w.computeStream());
  synchronise(w, t, SyncKind::Event);
  w.planted[{w.step, isPrefill(w.options, w.step) ? "prefill-steps" : "decode-steps"}] += 1;
  w.planted[{w.step, "tokens"}] += isPrefill(w.options, w.step) ? promptTokens : batchRequests;
  w.work(t, 15000); // detokenise
}
