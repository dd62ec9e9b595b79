//===- RandomTrace.h - Traces by seed, with a naive twin --------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_TEST_UNIT_ANALYSIS_RANDOMTRACE_H
#define HEDDLE_TEST_UNIT_ANALYSIS_RANDOMTRACE_H

#include "Maker.h"
#include <algorithm>
#include <map>

namespace heddle::test {

using Sums = std::map<std::string, int64_t>;

/// All times of a random trace are multiples of this many ns.
constexpr int64_t kCell = 100;

/// What a seed makes, and a naive twin of the causes of idle time: what is the cause of each cell,
/// by asking every event.
struct RandomTrace {
  struct Host {
    int64_t begin, end, tid;
    EventKind kind;
    const char *name;
    const char *cause; ///< "" for none.
    uint32_t handle;
  };
  struct Work {
    int64_t begin, end, device, stream;
    int launch; ///< In hosts, -1 for none.
    uint32_t handle;
  };
  struct Wait {
    int64_t begin, end, device, stream;
  };
  std::vector<Host> hosts;
  std::vector<Work> works;
  std::vector<Wait> waits;
  Maker m;

  /// With `marked`, step marks follow each other over the whole trace.
  RandomTrace(uint64_t seed, int64_t shift, bool marked = false) {
    Random random(seed);
    auto at = [&](int64_t n) { return random(n) * kCell; };
    auto host = [&](int64_t begin, int64_t end, int64_t tid, EventKind kind, const char *name,
                    const char *cause) {
      uint32_t h = m.host(kind, begin + shift, end + shift, name, tid, {});
      hosts.push_back({begin, end, tid, kind, name, cause, h});
      return static_cast<int>(hosts.size()) - 1;
    };
    int64_t now = 0;
    for (int i = 0, n = 4 + random(12); i < n; ++i) {
      now += at(random(4) ? 20 : 1500);
      int64_t tid = 1 + random(2), device = random(2), stream = 7 + random(2);
      int64_t callEnd = now + at(30), begin = now + at(random(4) ? 60 : 1600),
              end = begin + kCell + at(40);
      int launch = -1;
      if (random(6))
        launch = host(now, callEnd, tid, EventKind::Runtime, "cudaLaunchKernel", "");
      uint32_t k = m.kernel(begin + shift, end + shift, "k" + std::to_string(i), stream, device);
      if (launch >= 0)
        m.launch(hosts[launch].handle, k);
      works.push_back({begin, end, device, stream, launch, k});
      if (!random(4))
        now = end;
    }
    static constexpr struct {
      EventKind kind;
      const char *name, *cause;
    } kinds[] = {{EventKind::CpuOp, "op", ""},
                 {EventKind::Python, "f.py(1): f", ""},
                 {EventKind::Runtime, "cudaStreamSynchronize", "sync"},
                 {EventKind::Runtime, "cudaDeviceSynchronize", "sync"},
                 {EventKind::Runtime, "cudaMalloc", "alloc"},
                 {EventKind::Annotation, "gc", "gc"},
                 {EventKind::CpuOp, "enumerate(DataLoader)#x", "input"}};
    for (int i = 0, n = random(16); i < n; ++i) {
      auto &k = kinds[random(std::size(kinds))];
      int64_t begin = at(now / kCell + 10);
      host(begin, begin + at(random(3) ? 40 : 2000), 1 + random(2), k.kind, k.name, k.cause);
    }
    for (int i = 0, n = random(4); i < n; ++i) {
      int64_t begin = at(now / kCell + 10), end = begin + at(30), device = random(2),
              stream = 7 + random(2);
      m.work(EventKind::Sync, begin + shift, end + shift, "Stream Wait Event", stream, device);
      waits.push_back({begin, end, device, stream});
    }
    // So that nothing is far from what the host recorded.
    host(0, now + 1000 * kCell, 3, EventKind::CpuOp, "all the time", "");
    for (int64_t t = 0, step = 1; marked && t < now; ++step) {
      int64_t end = t + 20 * kCell + at(500);
      m.mark(t + shift, end + shift, "ProfilerStep#" + std::to_string(step));
      t = end;
    }
    m.done();
  }

  bool othersWork(int64_t device, int64_t begin, int64_t end) const {
    for (const Work &w : works)
      if (w.device != device && w.begin < end && begin < w.end)
        return true;
    return false;
  }

  /// The cause of [t, t + kCell), which lies in the gap [a, b) ended by `n`.
  std::string causeAt(int64_t t, int64_t a, int64_t b, const Work &n) const {
    if (b - a < 1000)
      return "kernel-to-kernel";
    if (n.launch < 0)
      return "unrecorded";
    const Host &l = hosts[n.launch];
    int64_t h = std::clamp(l.begin, a, b), c = std::clamp(l.end, h, b);
    if (t >= c) {
      for (const Wait &w : waits)
        if (w.device == n.device && w.stream == n.stream && w.begin <= t && t < w.end)
          return "dependency";
      return b - c > 100000 && !othersWork(n.device, c, b) ? "unrecorded" : "launch-latency";
    }
    if (t >= h)
      return "launch-call";
    int64_t drained = INT64_MIN;
    const Host *deepest = nullptr;
    bool any = false;
    for (const Host &e : hosts) {
      if (e.tid != l.tid)
        continue;
      bool sync = std::string(e.cause) == "sync";
      if (sync && e.begin <= a && a < e.end)
        drained = std::max(drained, e.end);
      if (e.begin > t || t >= e.end)
        continue;
      any = true;
      if (*e.cause &&
          (!deepest || std::tuple(-e.begin, e.end, -int64_t(e.handle)) <
                           std::tuple(-deepest->begin, deepest->end, -int64_t(deepest->handle))))
        deepest = &e;
    }
    if (deepest) {
      int64_t begin = std::max(deepest->begin, a), end = std::min(deepest->end, h);
      if (std::string(deepest->cause) == "sync" && deepest->begin > a && end - begin > 100000 &&
          !othersWork(n.device, begin, end))
        return "unrecorded";
      return deepest->cause;
    }
    if (drained != INT64_MIN && t >= drained)
      return "after-sync";
    return any ? "host" : "unobserved";
  }

  Sums naive(int64_t device) const {
    Sums sums;
    std::vector<const Work *> order;
    for (const Work &w : works)
      if (w.device == device)
        order.push_back(&w);
    std::sort(order.begin(), order.end(), [](const Work *a, const Work *b) {
      return std::tuple(a->begin, -a->end, a->handle) < std::tuple(b->begin, -b->end, b->handle);
    });
    int64_t end = order.empty() ? 0 : order[0]->end;
    for (const Work *w : order) {
      for (int64_t t = end; t < w->begin; t += kCell)
        sums[causeAt(t, end, w->begin, *w)] += kCell;
      end = std::max(end, w->end);
    }
    return sums;
  }
};

} // namespace heddle::test

#endif
