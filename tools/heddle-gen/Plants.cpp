//===- Plants.cpp - Gaps of a known cause and length ----------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Every plant begins with an anchor: a kernel that lasts until everything launched so far is done
/// and the host had time to prepare. The gap begins at its end, and its planted part has exactly
/// the length that was asked for. What else such a gap takes, the call and the latency of the
/// launch that ends it, stands in the manifest as other parts of the same gap.
//===----------------------------------------------------------------------===//

#include "Loop.h"
#include <algorithm>

using namespace heddle::gen;
using llvm::StringRef;

static constexpr llvm::StringLiteral
    gemmName("sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_"
             "execute_segment_k_off_kernel__5x_cublas"),
    copyName("void at::native::vectorized_elementwise_kernel<4, "
             "at::native::CUDAFunctor_add<c10::BFloat16>, std::array<char*, 3ul> >(int, "
             "at::native::CUDAFunctor_add<c10::BFloat16>, std::array<char*, 3ul>)");

namespace {
struct Planter {
  Worker &w;
  unsigned thread;
  Plant plant;
  int64_t ns;
  int64_t a = 0; ///< Where the gap begins.

  void open(EventClass cls, StringRef name, std::optional<Cause> cause = std::nullopt) {
    w.open(thread, cls, name, {}, cause);
  }

  void anchor() {
    open(EventClass::CpuOp, "aten::mm");
    w.work(thread, 2500);
    Launch what;
    what.name = gemmName;
    what.gemm = true;
    what.duration = w.random.around(30000, 40);
    what.stream = w.computeStream();
    what.call = w.random.around(4600, 30);
    what.lastUntil = std::max(w.drained() + 1000, w.now(thread) + 60000);
    w.launch(thread, what);
    w.work(thread, 900);
    w.close(thread);
    a = w.drained();
  }

  Launch pointwise() {
    Launch what;
    what.name = copyName;
    what.duration = w.random.around(6000, 40);
    what.stream = w.computeStream();
    what.planted = GapRequest{plant, 1, ns};
    return what;
  }

  /// The op whose kernel ends the gap, launched at `at` or, if that is 0, soon.
  void end(StringRef op, int64_t at, std::optional<int64_t> callTime = std::nullopt) {
    open(EventClass::CpuOp, op);
    if (at)
      w.spendUntil(thread, at);
    else
      w.work(thread, 1600);
    Launch what = pointwise();
    what.call = callTime;
    w.launch(thread, what);
    w.work(thread, 700);
    w.close(thread);
  }

  /// A kernel that is queued long before it can begin, at `a` + `ns`.
  void queued(unsigned stream, bool wait) {
    open(EventClass::CpuOp, "aten::add_");
    w.work(thread, 1600);
    Launch what = pointwise();
    what.stream = stream;
    what.startAt = a + ns;
    if (wait) {
      w.call(thread, "cudaEventRecord", w.random.around(1100, 30));
      w.call(thread, "cudaStreamWaitEvent", w.random.around(1300, 30));
      what.waitShown = true;
      what.waitBegin = a - 300;
      w.streamWait(stream, w.computeStream(), what.waitBegin, a + ns, w.lastCorrelation());
    }
    w.launch(thread, what);
    w.work(thread, 700);
    w.close(thread);
    if (ns > 20000 || stream != w.computeStream())
      waitForEnd();
  }

  /// Until the gap is over, the host neither waits for it, which would be another cause, nor
  /// launches to a stream that is free.
  void waitForEnd() {
    open(EventClass::CpuOp, "aten::arange");
    w.spendUntil(thread, a + ns + 1000);
    w.close(thread);
  }

  /// The host waits for the queue to run dry, and comes back `delay` after that.
  void drain(int64_t delay) {
    static constexpr llvm::StringLiteral calls[] = {
        "cudaStreamSynchronize", "cudaDeviceSynchronize", "cudaEventSynchronize"};
    w.work(thread, 1500);
    w.openCall(thread, calls[w.random.below(3)], Cause::Sync);
    w.spendUntil(thread, a + delay);
    w.close(thread);
  }

  /// The same as `x.item()` does it: a copy to the host, and a call that returns when it is there.
  void item(int64_t delay) {
    static constexpr int64_t second = 1500;
    open(EventClass::CpuOp, "aten::item");
    w.work(thread, 700);
    open(EventClass::CpuOp, "aten::_local_scalar_dense");
    w.work(thread, 1900);
    Launch copy;
    copy.cls = EventClass::Memcpy;
    copy.name = w.options.vendor == Vendor::Rocm ? "Memcpy DtoH (Device -> Host)"
                                                 : "Memcpy DtoH (Device -> Pageable)";
    copy.duration = w.random.around(1700, 20);
    copy.bytes = 4;
    copy.stream = w.computeStream();
    copy.blocking = true;
    copy.returnDelay = delay - second;
    w.launch(thread, copy);
    a = w.drained();
    w.spend(thread, 350);
    w.call(thread, "cudaStreamSynchronize", second, Cause::Sync);
    w.spend(thread, 500);
    w.close(thread);
    w.spend(thread, 300);
    w.close(thread);
  }

  void run();
};
} // namespace

void Planter::run() {
  anchor();
  switch (plant) {
  case Plant::Sync:
    if (w.random.oneIn(2))
      drain(ns);
    else
      item(ns);
    end("aten::add", 0);
    return;
  case Plant::AfterSync:
    drain(w.random.around(1900, 40));
    end("aten::index_put_", w.now(thread) + ns);
    return;
  case Plant::Input:
    open(EventClass::Annotation, "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
         Cause::Input);
    w.spend(thread, 3000);
    open(EventClass::CpuOp, "aten::stack");
    w.spendUntil(thread, a + ns / 2);
    w.close(thread);
    w.spendUntil(thread, a + ns);
    w.close(thread);
    end("aten::to", 0);
    return;
  case Plant::Gc:
    open(EventClass::Annotation, "gc.collect", Cause::Gc);
    w.spendUntil(thread, a + ns);
    w.close(thread);
    end("aten::mul", 0);
    return;
  case Plant::Alloc:
    open(EventClass::CpuOp, "aten::empty");
    w.work(thread, 1200);
    w.openCall(thread, "cudaMalloc", Cause::Alloc);
    w.spendUntil(thread, a + ns);
    w.close(thread);
    w.memory(thread, 2 << 20);
    w.close(thread);
    end("aten::fill_", 0);
    w.memory(thread, -(2 << 20));
    return;
  case Plant::Compile:
    open(EventClass::CpuOp, "aten::linalg_vector_norm");
    w.work(thread, 1800);
    w.openCall(thread, "cuModuleLoadData", Cause::Compile);
    w.spendUntil(thread, a + ns);
    w.close(thread);
    w.close(thread);
    end("aten::linalg_vector_norm", 0);
    return;
  case Plant::Host:
    end("aten::index", a + ns);
    return;
  case Plant::Unobserved:
    w.spendUntil(thread, a + ns);
    end("aten::clamp_", w.now(thread));
    return;
  case Plant::LaunchCall:
    end("aten::relu", a + 2000, ns);
    return;
  case Plant::Dependency:
    queued(w.numStreams() > 1 ? w.numStreams() - 1 : w.computeStream(), true);
    return;
  case Plant::LaunchLatency:
  case Plant::KernelToKernel:
  case Plant::IdleQueue:
    queued(w.computeStream(), false);
    return;
  case Plant::Unrecorded:
    w.unrecorded(w.computeStream(), copyName, a + ns, w.random.around(6000, 40),
                 GapRequest{plant, 1, ns});
    waitForEnd();
    return;
  case Plant::IdleSync:
    open(EventClass::CpuOp, "aten::empty_like");
    w.spendUntil(thread, a + 3000);
    w.close(thread);
    w.call(thread, "cudaStreamSynchronize", ns, Cause::Unrecorded);
    end("aten::copy_", 0);
    return;
  case Plant::LeadIn: // is not in the queue of plants
    return;
  }
}

void heddle::gen::plant(Worker &worker, unsigned thread, Plant plant, int64_t ns) {
  Planter{worker, thread, plant, ns}.run();
}

/// No launch takes longer to begin on an idle device.
static constexpr int64_t longestLatency = 100000;

int64_t heddle::gen::longest(Plant plant) {
  if (plant == Plant::KernelToKernel)
    return 999;
  if (plant == Plant::LaunchLatency)
    return longestLatency;
  return INT64_MAX;
}

int64_t heddle::gen::shortest(Plant plant, const Options &options) {
  switch (plant) {
  case Plant::Sync:
    return 2000;
  case Plant::LeadIn:
    return 500000 + (options.stack ? 200000 : 0);
  case Plant::IdleSync:
  case Plant::IdleQueue:
    return longestLatency + 1; // a shorter one is a synchronisation, or the latency of a launch
  case Plant::KernelToKernel:
    return 1;
  default:
    return 1000;
  }
}
