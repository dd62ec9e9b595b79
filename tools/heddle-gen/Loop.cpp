//===- Loop.cpp - An eager training loop ----------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// All ranks run the same program, one op after the other, so that a collective knows when its last
/// rank has arrived.
//===----------------------------------------------------------------------===//

#include "Loop.h"
#include "Collectives.h"
#include "Compiled.h"
#include "Layers.h"
#include "Network.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>

using namespace heddle::gen;

namespace {

class Loop {
public:
  explicit Loop(const Options &options)
      : options(options), random(options.seed, 0), groups(processGroups(options)) {
    for (int64_t i = 0; i < options.ranks; ++i) {
      workers.push_back(std::make_unique<Worker>(options, i));
      for (const ProcessGroup &group : groups)
        if (llvm::is_contained(group.ranks, i))
          workers.back()->trace.groups.push_back(group);
    }
    forwards.resize(workers.size());
  }
  llvm::Expected<JobTrace> run();

private:
  using Body = llvm::function_ref<void(Worker &)>;
  void all(Body body) {
    for (auto &worker : workers)
      body(*worker);
  }
  void keep(const Worker &w, Forward done) {
    forwards[static_cast<size_t>(w.trace.number)].push_back(done);
  }
  void spreadPlants();
  void slot(unsigned thread);
  static void enterStep(Worker &w, int64_t step);
  void runStep(int64_t step);
  void runEngineStep(int64_t step);
  void backward();
  void allReduceGradients(int64_t bucket);
  void everyGroup(llvm::StringRef kind, const Collective &what);
  void reduceActivations(unsigned thread);
  void afterStep();
  void layersForward();
  llvm::Error check(const Worker &w) const;

  const Options &options;
  Random random;
  std::vector<std::unique_ptr<Worker>> workers;
  std::vector<ProcessGroup> groups;           ///< The first is all ranks.
  std::vector<std::vector<Forward>> forwards; ///< Of the running step, by rank.
  std::vector<std::vector<GapRequest>> slots; ///< By number, in program order.
  std::vector<std::vector<SyncKind>> syncs;   ///< Likewise.
  size_t nextSlot = 0;
  int64_t sequence = 0;
};

} // namespace

/// Slots: one after the loader of each step, one before each op of a layer and before each node.
void Loop::spreadPlants() {
  int64_t perStep = 1 + (options.inference() ? 1 : 2) * opsPerLayer() * options.layers;
  slots.resize(static_cast<size_t>(options.steps * perStep));
  for (const GapRequest &request : options.gaps) {
    if (request.plant == Plant::LeadIn) {
      all([&](Worker &w) { w.leadIn = request; });
      continue;
    }
    for (int64_t i = 0; i < request.count; ++i) {
      int64_t slot = request.plant == Plant::Input
                         ? i % options.steps * perStep
                         : random.below(static_cast<int64_t>(slots.size()));
      slots[static_cast<size_t>(slot)].push_back({request.plant, 1, request.ns});
    }
  }
  syncs.resize(slots.size());
  for (const SyncRequest &request : options.syncs)
    for (int64_t i = 0; i < request.count; ++i)
      syncs[static_cast<size_t>(random.below(static_cast<int64_t>(slots.size())))].push_back(
          request.kind);
}

void Loop::slot(unsigned thread) {
  for (const GapRequest &request : slots[nextSlot])
    all([&](Worker &w) { plant(w, thread, request.plant, request.ns); });
  for (SyncKind kind : syncs[nextSlot])
    all([&](Worker &w) { synchronise(w, thread, kind); });
  ++nextSlot;
}

/// One bucket of gradients; with tensor parallelism among the ranks that have the same part.
void Loop::allReduceGradients(int64_t bucket) {
  if (options.ranks < 2)
    return;
  Collective what;
  what.transfer = std::max<int64_t>(8000, random.around(64000, 10) * options.kernelScale / 100);
  what.kernel = allReduceKernel(options.vendor == Vendor::Rocm);
  what.in = what.out = 7087872 + 768 * (bucket % 2);
  what.thread = Worker::autograd;
  if (options.tensorParallel == 1)
    return runCollective(workers, groups[0], what);
  int64_t copies = options.ranks / options.tensorParallel;
  what.op = "c10d::_reduce_scatter_base_";
  what.annotation = "nccl:_reduce_scatter_base";
  what.name = "_reduce_scatter_base";
  what.kernel = reduceScatterKernel(options.vendor == Vendor::Rocm);
  what.in = 1771968 * copies;
  what.out = 1771968;
  everyGroup("mesh_dp", what);
}

void Loop::everyGroup(llvm::StringRef kind, const Collective &what) {
  for (ProcessGroup &group : groups)
    if (group.description == kind)
      runCollective(workers, group, what);
}

/// The partial sums of a layer, among the ranks that share it.
void Loop::reduceActivations(unsigned thread) {
  if (options.tensorParallel == 1)
    return;
  Collective what;
  what.transfer = std::max<int64_t>(6000, random.around(21000, 10) * options.kernelScale / 100);
  what.kernel = allReduceKernel(options.vendor == Vendor::Rocm);
  what.in = what.out = 8 * 512 * 768;
  what.thread = thread;
  what.onCompute = true;
  everyGroup("mesh_tp", what);
}

/// New parameters go to all that have the same part; the loss to all ranks.
void Loop::afterStep() {
  if (options.tensorParallel == 1)
    return;
  int64_t copies = options.ranks / options.tensorParallel;
  Collective what;
  what.op = "c10d::_allgather_base_";
  what.annotation = "nccl:_all_gather_base";
  what.name = "_allgather_base";
  what.kernel = allGatherKernel(options.vendor == Vendor::Rocm);
  what.in = 1771968;
  what.out = 1771968 * copies;
  what.transfer = std::max<int64_t>(8000, random.around(48000, 10) * options.kernelScale / 100);
  everyGroup("mesh_dp", what);
  Collective loss;
  loss.kernel = allReduceKernel(options.vendor == Vendor::Rocm);
  loss.in = loss.out = 1;
  loss.transfer = random.around(9000, 10);
  loss.onCompute = true;
  runCollective(workers, groups[0], loss);
}

void Loop::backward() {
  all([&](Worker &w) {
    w.frame("torch/_tensor.py(570): backward");
    w.work(Worker::main, 6000);
    w.frame("<built-in method run_backward of torch._C._EngineBase object at 0x7f6a1c0b2c40>");
    w.wake(Worker::autograd, w.now(Worker::main) + w.random.around(14000, 30));
  });
  int64_t count = static_cast<int64_t>(forwards[0].size());
  // What stands for several ops comes after the others, in forms of its own.
  int64_t others = options.graphs ? 1 : options.compiled ? options.layers : 0;
  int64_t layerOpsCount = others ? 0 : opsPerLayer() * options.layers;
  for (int64_t i = count; i-- > others;) {
    if (i < layerOpsCount)
      slot(Worker::autograd);
    all([&](Worker &w) {
      const Forward &f = forwards[static_cast<size_t>(w.trace.number)][static_cast<size_t>(i)];
      runBackward(w, f);
    });
    if (i < layerOpsCount && (i % opsPerLayer() == 1 || i % opsPerLayer() == 6))
      reduceActivations(Worker::autograd);
    if (i < layerOpsCount && i % opsPerLayer() == 0)
      allReduceGradients(i / opsPerLayer());
  }
  for (int64_t layer = options.layers; options.compiled && layer-- > 0;) {
    for (int64_t i = 0; i < opsPerLayer(); ++i)
      slot(Worker::autograd);
    all([&](Worker &w) {
      const auto &own = forwards[static_cast<size_t>(w.trace.number)];
      compiledBackward(w, own[static_cast<size_t>(layer)]);
    });
    allReduceGradients(layer);
  }
  if (options.graphs) {
    for (int64_t i = 0; i < opsPerLayer() * options.layers; ++i)
      slot(Worker::autograd);
    all([&](Worker &w) {
      const Forward &f = forwards[static_cast<size_t>(w.trace.number)][0];
      graphBackward(w, f.event, f.sequence);
    });
    for (int64_t layer = options.layers; layer-- > 0;)
      allReduceGradients(layer);
  }
  all([&](Worker &w) {
    w.spendUntil(Worker::main, w.now(Worker::autograd) + w.random.around(9000, 30));
    w.endFrame();
    w.work(Worker::main, 1500);
    w.endFrame();
    w.work(Worker::main, 2500);
    forwards[static_cast<size_t>(w.trace.number)].clear();
  });
}

void Loop::layersForward() {
  if (options.graphs) {
    for (int64_t i = 0; i < opsPerLayer() * options.layers; ++i)
      slot(Worker::main);
    all([&](Worker &w) {
      w.frame("torch/cuda/graphs.py(139): replay");
      w.work(Worker::main, 1800);
      forwards[static_cast<size_t>(w.trace.number)].push_back(
          {nullptr, graphForward(w, sequence), sequence, 0});
      w.endFrame();
    });
    ++sequence;
    return;
  }
  for (int64_t layer = 0; layer < options.layers && options.compiled; ++layer) {
    for (int64_t i = 0; i < opsPerLayer(); ++i)
      slot(Worker::main);
    all([&](Worker &w) {
      enterBlock(w, layer);
      keep(w, compiledForward(w, layer, sequence));
      leaveBlock(w);
    });
    ++sequence;
  }
  for (int64_t layer = 0; layer < options.layers && !options.compiled; ++layer) {
    all([&](Worker &w) { enterBlock(w, layer); });
    for (int64_t i = 0; i < opsPerLayer(); ++i) {
      slot(Worker::main);
      all([&](Worker &w) {
        // The residual additions of a layer can run beside it.
        unsigned stream = layerOps()[static_cast<size_t>(i)].name == "aten::add"
                              ? w.sideStream(static_cast<unsigned>(layer))
                              : w.computeStream();
        keep(w, runForward(w, layerOps()[static_cast<size_t>(i)], layer * opsPerLayer() + i, stream,
                           sequence));
      });
      if (i == 3 || i == 8) // a projection, of which each rank has a part
        reduceActivations(Worker::main);
      ++sequence;
    }
    all([&](Worker &w) { leaveBlock(w); });
  }
}

void Loop::enterStep(Worker &w, int64_t step) {
  w.spend(Worker::main, w.late);
  beginStep(w, step);
  if (step > 0)
    return;
  runMidQueue(w);
  if (w.leadIn) {
    w.leadInPending = true;
    w.leadInEnd = w.firstMark + w.leadIn->ns;
  }
}

void Loop::runEngineStep(int64_t step) {
  all([&](Worker &w) {
    enterStep(w, step);
    w.frame("mymodel/engine.py(77): step");
    w.work(Worker::main, 4000);
    prepareInputs(w);
  });
  slot(Worker::main);
  if (isPrefill(options, step)) {
    all([&](Worker &w) { enterNetwork(w); });
    layersForward();
    all([&](Worker &w) { leaveNetwork(w); });
  } else {
    for (int64_t i = 0; i < opsPerLayer() * options.layers; ++i)
      slot(Worker::main);
    all([&](Worker &w) { decodeLayers(w); });
  }
  all([&](Worker &w) {
    sampleTokens(w);
    auto &done = forwards[static_cast<size_t>(w.trace.number)];
    for (const Forward &forward : done)
      w.release(Worker::main, forward.output);
    done.clear();
    w.endFrame();
    endStep(w);
    w.work(Worker::main, 16000);
  });
}

void Loop::runStep(int64_t step) {
  all([&](Worker &w) {
    enterStep(w, step);
    if (options.frames)
      w.frame("torch/utils/_contextlib.py(116): decorate_context");
    w.frame("train.py(41): train_step");
    w.work(Worker::main, 4000);
    loadBatch(w);
  });
  slot(Worker::main);
  all([&](Worker &w) {
    unsigned t = Worker::main;
    w.open(t, EventClass::Annotation, "Optimizer.zero_grad#AdamW.zero_grad");
    w.work(t, 7000);
    w.releaseGradients(t);
    w.close(t);
    w.work(t, 1500);
    enterNetwork(w);
  });
  layersForward();
  all([&](Worker &w) { leaveNetwork(w); });
  for (const OpSpec &op : lossOps()) {
    all([&](Worker &w) { keep(w, runForward(w, op, 0, w.computeStream(), sequence)); });
    ++sequence;
  }
  backward();
  all([&](Worker &w) { runOptimizer(w, step); });
  afterStep();
  all([&](Worker &w) {
    if (options.pageable)
      readLoss(w);
    w.work(Worker::main, 3000);
    w.endFrame();
    if (options.frames)
      w.endFrame();
    endStep(w);
    w.work(Worker::main, 16000);
  });
}

/// The simulator keeps what it was asked for, or says that it did not.
llvm::Error Loop::check(const Worker &w) const {
  int64_t wanted = 0, found = 0;
  for (const GapRequest &request : options.gaps)
    wanted += request.count;
  if (w.leadInMissed)
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "the lead-in is too short for this loop");
  for (const Gap &gap : w.trace.gaps) {
    if (!gap.planted)
      continue;
    ++found;
    int64_t part = gap.planted->plant == Plant::LeadIn
                       ? gap.length
                       : gap.parts[static_cast<unsigned>(causeOf(gap.planted->plant))];
    if (part != gap.planted->ns)
      return llvm::createStringError(
          llvm::inconvertibleErrorCode(), "a gap of %lld ns by '%s' came out as %lld ns",
          static_cast<long long>(gap.planted->ns), plantName(gap.planted->plant).data(),
          static_cast<long long>(part));
  }
  if (found != wanted)
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "%lld gaps were wanted, %lld planted",
                                   static_cast<long long>(wanted), static_cast<long long>(found));
  return llvm::Error::success();
}

llvm::Expected<JobTrace> Loop::run() {
  spreadPlants();
  all([&](Worker &w) {
    w.wake(Worker::main, w.trace.windowBegin + 240000);
    w.frame("train.py(73): <module>");
    w.work(Worker::main, 9000);
  });
  for (int64_t step = 0; step < options.steps; ++step)
    options.inference() ? runEngineStep(step) : runStep(step);
  JobTrace job;
  job.base = options.era == Era::Torch1_13  ? 0
             : options.era == Era::Torch2_4 ? 1711964646000000000
                                            : 1790857026000000000;
  for (auto &w : workers) {
    // The profiler stops when the device has run all.
    endLoop(*w);
    uint32_t call = w->openCall(Worker::main, "cudaDeviceSynchronize", Cause::Sync);
    w->spendUntil(Worker::main, w->drained() + w->random.around(2500, 30));
    w->close(Worker::main);
    w->syncRow("Context Sync", std::nullopt, call);
    w->work(Worker::main, 5000);
    w->endFrame();
    w->trace.windowEnd = w->now(Worker::main) + 350000;
    findGaps(*w);
    countFacts(*w);
    if (llvm::Error error = check(*w))
      return error;
    finish(*w);
    job.ranks.push_back(std::move(w->trace));
  }
  return job;
}

llvm::Expected<JobTrace> heddle::gen::simulate(const Options &options) {
  return Loop(options).run();
}
