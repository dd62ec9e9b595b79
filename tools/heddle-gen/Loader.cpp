//===- Loader.cpp - A batch, and its way to the device --------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "Loop.h"
#include <algorithm>

using namespace heddle::gen;

void heddle::gen::loadBatch(Worker &w) {
  const Options &options = w.options;
  unsigned t = Worker::main;
  w.frame("torch/utils/data/dataloader.py(701): __next__", Cause::Input);
  w.work(t, 3000);
  w.open(t, EventClass::Annotation,
         options.workers ? "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"
                         : "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
         {}, Cause::Input);
  w.work(t, 18000);
  std::optional<int64_t> batch;
  if (!options.workers) { // workers run these where nobody records
    w.open(t, EventClass::CpuOp, "aten::stack");
    w.work(t, 6000);
    w.open(t, EventClass::CpuOp, "aten::cat");
    batch = w.allocate(t, 8 * 512 * 8, /*onHost=*/true);
    w.work(t, 14000);
    w.close(t);
    w.work(t, 900);
    w.close(t);
  }
  w.work(t, 5000);
  w.close(t);
  w.work(t, 2500);
  w.endFrame();
  w.work(t, 4000);

  // The batch goes to the device: from pinned memory that does not wait, else a sync follows, or
  // on ROCm the copy itself waits.
  w.open(t, EventClass::CpuOp, "aten::to");
  w.work(t, 1500);
  w.open(t, EventClass::CpuOp, "aten::_to_copy");
  w.work(t, 2200);
  w.open(t, EventClass::CpuOp, "aten::copy_");
  w.work(t, 1900);
  Launch copy;
  copy.cls = EventClass::Memcpy;
  bool rocm = options.vendor == Vendor::Rocm;
  copy.name = rocm               ? "Memcpy HtoD (Host -> Device)"
              : options.pageable ? "Memcpy HtoD (Pageable -> Device)"
                                 : "Memcpy HtoD (Pinned -> Device)";
  copy.blocking = rocm && options.pageable;
  copy.bytes = 8 * 512 * 8;
  copy.duration = w.random.around(3400, 15);
  copy.stream = w.copyStream();
  w.launch(t, copy);
  w.work(t, 700);
  if (options.pageable && !rocm) {
    uint32_t call = w.openCall(t, "cudaStreamSynchronize", Cause::Sync);
    w.spendUntil(t, std::max(w.now(t) + 1500, w.freeAt(w.copyStream()) + 2000));
    w.close(t);
    w.syncRow("Stream Sync", w.copyStream(), call);
    w.work(t, 500);
  }
  for (int i = 0; i < 3; ++i) {
    w.close(t);
    w.work(t, 500);
  }
  if (batch)
    w.release(t, *batch, /*onHost=*/true);
}
