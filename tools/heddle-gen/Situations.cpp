//===- Situations.cpp - What a recording may hold besides -----------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "Loop.h"
#include "Network.h"
#include <algorithm>

using namespace heddle::gen;
using llvm::StringRef;

/// The kernel on another stream that a stream's wait holds back.
static void heldBack(Worker &w, unsigned thread, unsigned stream, int64_t until) {
  w.open(thread, EventClass::CpuOp, "aten::add_");
  w.work(thread, 1600);
  Launch what;
  what.name = layerOps()[4].forward.name; // a pointwise one
  what.duration = w.random.around(6000, 40);
  what.stream = stream;
  what.notBefore = until + 1500;
  w.launch(thread, what);
  w.work(thread, 700);
  w.close(thread);
}

void heddle::gen::synchronise(Worker &w, unsigned thread, SyncKind kind) {
  unsigned on = w.computeStream();
  w.work(thread, 900);
  Args waited;
  if (kind == SyncKind::Event || kind == SyncKind::Wait) {
    w.call(thread, "cudaEventRecord", w.random.around(1100, 30));
    waited = {{"wait_on_stream", Value::integer(w.streamId(on))},
              {"wait_on_cuda_event_record_corr_id", Value::integer(w.lastCorrelation())},
              {"wait_on_cuda_event_id", Value::integer(9)}};
    w.work(thread, 400);
  }
  if (kind == SyncKind::Wait) {
    unsigned waiter = w.numStreams() - 1;
    int64_t until = w.freeAt(on);
    uint32_t call = w.openCall(thread, "cudaStreamWaitEvent");
    w.work(thread, 1400);
    w.close(thread);
    w.syncRow("Stream Wait Event", waiter, call, waited);
    w.work(thread, 500);
    return heldBack(w, thread, waiter, until);
  }
  bool device = kind == SyncKind::Device;
  StringRef name = kind == SyncKind::Stream ? "cudaStreamSynchronize"
                   : device                 ? "cudaDeviceSynchronize"
                                            : "cudaEventSynchronize";
  int64_t done = device ? w.drained() : w.freeAt(on);
  uint32_t call = w.openCall(thread, name, Cause::Sync);
  w.spendUntil(thread, std::max(w.now(thread) + w.random.around(1500, 30),
                                done + w.random.around(1900, 40)));
  w.close(thread);
  if (kind == SyncKind::Stream)
    w.syncRow("Stream Sync", on, call);
  else
    w.syncRow(device ? "Context Sync" : "Event Sync", std::nullopt, call, waited);
  w.work(thread, 700);
}

void heddle::gen::runMidQueue(Worker &w) {
  int64_t at = w.trace.windowBegin + 60000;
  for (int64_t i = 0; i < w.options.midQueue; ++i) {
    int64_t duration = w.random.around(31000, 60);
    if (i + 1 == w.options.midQueue) // the host gets ahead of it no sooner
      duration = std::max(duration, w.firstMark + w.random.around(40000, 30) - at);
    w.unrecorded(w.computeStream(), layerOps()[0].forward.name, at, duration);
    at += duration + (w.options.vendor == Vendor::Rocm ? 1 : w.random.between(420, 1350));
  }
}

void heddle::gen::readLoss(Worker &w) {
  unsigned t = Worker::main;
  bool rocm = w.options.vendor == Vendor::Rocm;
  w.open(t, EventClass::CpuOp, "aten::item");
  w.work(t, 700);
  w.open(t, EventClass::CpuOp, "aten::_local_scalar_dense");
  w.work(t, 1900);
  Launch copy;
  copy.cls = EventClass::Memcpy;
  copy.name = rocm ? "Memcpy DtoH (Device -> Host)" : "Memcpy DtoH (Device -> Pageable)";
  copy.duration = w.random.around(1700, 20);
  copy.bytes = 4;
  copy.stream = w.computeStream();
  copy.blocking = true;
  w.launch(t, copy);
  w.work(t, 400);
  if (!rocm) {
    uint32_t call = w.openCall(t, "cudaStreamSynchronize", Cause::Sync);
    w.work(t, 1500);
    w.close(t);
    w.syncRow("Stream Sync", w.computeStream(), call);
    w.work(t, 500);
  }
  w.close(t);
  w.work(t, 300);
  w.close(t);
}
