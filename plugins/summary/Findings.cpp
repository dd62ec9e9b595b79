//===- Findings.cpp - What costs time, and what was looked for ------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//
// A finding is a cost of at least its threshold's share of the window; below that it is named
// among what was checked, with what was seen. Costs of findings that say `inside` are part of
// another's and add nothing.
//===----------------------------------------------------------------------===//
#include "Model.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace heddle::summary {

namespace {
/// Shares of the window, in tenths of a percent, from which on a cost is a finding.
constexpr int64_t kLaunchTenths = 30; // XProf: kernel launch above 3 % is moderate
constexpr int64_t kSyncTenths = 20;   // nsys-ai: synchronising above 2 %
constexpr int64_t kInputTenths = 50;  // XProf: infeed above 5 %
constexpr int64_t kOtherTenths = 10;  // a gap counts from 1 % of the window on (analyses, A2)

int64_t count(uint64_t n) { return static_cast<int64_t>(n); }

class Collector {
public:
  Collector(const View &u, const Verdict &verdict) : u(u), verdict(verdict), w(u.window) {}

  Findings run() {
    // Without a launch nothing is known of the host: no zero is told for what was not seen.
    if (u.seesHost()) {
      launches();
      synchronisation();
      host(IdleCause::Input, "input-wait", kInputTenths, "",
           "more workers, pinned memory and prefetching in the DataLoader");
      host(IdleCause::Alloc, "allocation", kOtherTenths, launchFound,
           "allocate before the loop; raise the allocator's limits so that it does not give memory "
           "back");
      host(IdleCause::Compile, "compilation", kOtherTenths, launchFound,
           "warm up before recording; find what compiles again in a steady step");
      coldStart();
      plain(causeSum(u, IdleCause::LaunchLatency), "launch-latency", "launch latency",
            "launched, queue empty, and not yet begun", "fewer, larger kernels; graphs shorten it");
      plain(causeSum(u, IdleCause::Dependency), "stream-wait", "waits for other streams",
            "the stream waits for an event of another", "look at the stream that it waits for");
    } else {
      for (auto [id, what] : {std::pair("launch-bound", "waiting for launches"),
                              {"host-sync", "host syncs"},
                              {"input-wait", "data loader"},
                              {"allocation", "device allocation calls"},
                              {"compilation", "compiling, loading code"},
                              {"cold-start", "cold starts"},
                              {"launch-latency", "launch latency"},
                              {"stream-wait", "waits for other streams"}})
        out.checked.push_back({id, what, false});
    }
    // A collection shows only where Python frames were recorded.
    if (u.seesHost() && (u.facts->hasStacks || u.cause(IdleCause::Gc)))
      host(IdleCause::Gc, "garbage-collection", kOtherTenths, launchFound,
           "call gc.freeze() after the first step");
    else
      out.checked.push_back({"garbage-collection", "garbage collection", false});
    communication();
    copies();
    plain(causeSum(u, IdleCause::KernelToKernel), "kernel-turnaround", "turns between kernels",
          "gaps below 1 us between queued kernels", "fewer, larger kernels");
    plain(causeSum(u, IdleCause::Unrecorded), "unrecorded", "work that is not recorded",
          "what the device or the host waits for is not in the file",
          "record from before the first launch");
    stable_sort(out.found,
                [](const Finding &a, const Finding &b) { return a.cost.ns > b.cost.ns; });
    return std::move(out);
  }

private:
  bool reaches(int64_t ns, int64_t tenths) const {
    return u.windowNs > 0 && ns > 0 &&
           static_cast<double>(ns) * 1000 >=
               static_cast<double>(u.windowNs) * static_cast<double>(tenths);
  }
  /// "exposed copies (0.80 ms)"; what is exactly nothing takes less room.
  std::string seen(StringRef what, const Sum &sum) const {
    return what.str() + " (" + (sum.ns ? u.scale.text(sum.steps) : std::string("0")) + ")";
  }
  std::string shown(int64_t ns) const { return u.scale.text(u.scale.steps(ns)); }
  /// The window without what waiting for launches costs: the wait itself and the turns and delays
  /// between launches. What the device waits for otherwise, the loader say, stays.
  std::string boundOfLaunches(const Sum &wait) const {
    int64_t steps = u.windowSteps - wait.steps - causeSum(u, IdleCause::LaunchLatency).steps -
                    causeSum(u, IdleCause::KernelToKernel).steps;
    return "a window of " + u.scale.text(steps) + " if launching cost nothing; not a forecast";
  }
  std::string boundOf(const Sum &cost) const {
    return "a window of " + u.scale.text(u.windowSteps - cost.steps) +
           " if that cost nothing; not a forecast";
  }
  void checked(StringRef id, std::string seen) {
    out.checked.push_back({id.str(), std::move(seen)});
  }

  void launches() {
    Sum wait = launchWait(u);
    // Graphs do not help where the host does something else for long.
    bool elsewhere = verdict.id == "host-bound" || (w && w->longHostWait > w->shortHostWait);
    std::string id = elsewhere ? "host-bound" : "launch-bound";
    if (!reaches(wait.ns, kLaunchTenths)) {
      checked("launch-bound", seen("waiting for launches", wait));
      return;
    }
    Finding f;
    f.id = launchFound = id;
    f.cost = wait;
    if (w) {
      uint64_t single = w->launches - w->graphLaunches;
      f.message = plural(count(single), "single launch") + ", " +
                  (w->graphLaunches ? plural(count(w->graphLaunches), "graph launch")
                                    : std::string("no graph launch"));
      if (w->threads > 1)
        f.message += ", from " + plural(count(w->threads), "thread");
      if (w->longHostWait.ns >= wait.ns / 10)
        f.message += "; " + plural(count(w->longGaps), "gap") +
                     " of 1 ms or more: " + shown(w->longHostWait.ns) + " of it";
    }
    f.advice = id == "launch-bound"
                   ? "CUDA graphs, fused kernels or larger batches"
                   : "move out of the loop what the launching thread does in those gaps";
    f.bound = boundOfLaunches(wait);
    out.found.push_back(std::move(f));
  }

  void synchronisation() {
    Sum inside = causeSum(u, IdleCause::Sync), all = syncWait(u);
    auto gaps = std::max(u.causeGaps[static_cast<size_t>(IdleCause::Sync)],
                         u.causeGaps[static_cast<size_t>(IdleCause::AfterSync)]);
    if (!reaches(all.ns, kSyncTenths)) {
      checked("host-sync", seen("host syncs", all));
      return;
    }
    Finding f;
    f.id = "host-sync";
    f.cost = all;
    f.lowerNs = inside.ns;
    f.upperNs = all.ns;
    f.message = plural(gaps, "gap") +
                " in which the host waited for the device: " + u.scale.text(inside.steps) +
                " inside the calls, the rest until the queue filled again";
    f.why = "a synchronisation returns when the queue is empty; the idling follows it";
    f.advice = "keep values on the device: no .item(), .cpu(), nonzero() in the loop";
    f.bound = "between " + u.scale.text(inside.steps) + " (inside the calls) and " +
              u.scale.text(all.steps) + " (until the queue filled)";
    out.found.push_back(std::move(f));
  }

  void host(IdleCause cause, StringRef id, int64_t tenths, StringRef inside, StringRef advice) {
    Sum sum = causeSum(u, cause);
    if (!reaches(sum.ns, tenths)) {
      checked(id, seen(causeLabel(cause), sum));
      return;
    }
    Finding f;
    f.id = id.str();
    f.cost = sum;
    f.upperNs = sum.ns;
    f.inside = inside.str();
    f.message = plural(u.causeGaps[static_cast<size_t>(cause)], "gap") +
                " while the launching thread is there";
    f.advice = advice.str();
    f.bound = boundOf(sum);
    out.found.push_back(std::move(f));
  }

  void coldStart() {
    if (!w)
      return;
    if (!reaches(w->coldGapTime.ns, kOtherTenths)) {
      checked("cold-start", "gaps of 1 ms before the first use of a kernel (" +
                                countText(count(w->coldGaps)) + ")");
      return;
    }
    Finding f;
    f.id = "cold-start";
    f.cost = single(u, w->coldGapTime.ns);
    f.upperNs = w->coldGapTime.ns;
    f.inside = launchFound;
    f.message = plural(count(w->coldGaps), "gap") +
                " of 1 ms or more, each before the first use of a kernel";
    f.advice = "warm up with these shapes before recording; expect no gain in production";
    out.found.push_back(std::move(f));
  }

  void communication() {
    Sum sum = partSum(u, Communication);
    if (!w || !w->communications)
      return;
    std::string label = communicationLabel(u);
    if (!reaches(sum.ns, kOtherTenths)) {
      checked("exposed-comm", seen("exposed " + label, sum));
      return;
    }
    Finding f;
    f.id = "exposed-comm";
    f.cost = sum;
    f.upperNs = sum.ns;
    f.message = plural(count(w->communications), "communication kernel") + " (" + label +
                "), median " + timeText(w->communicationMedian.ns) + ", longest " +
                timeText(w->communicationMax.ns);
    if (w->onComputeStream == w->communications)
      f.why = "on the compute stream, so nothing hides them";
    else if (w->onComputeStream)
      f.why = countText(count(w->onComputeStream)) + " of them on a stream that also computes";
    if (u.facts && u.worldSize > 1)
      f.why +=
          (f.why.empty() ? "" : "; ") + std::string("their time contains waiting for other ranks");
    f.advice = "overlap with computation, or fewer and larger messages";
    f.bound = u.scale.text(sum.steps) +
              (launchFound.empty() ? std::string() : ", less while " + launchFound + " stands");
    out.found.push_back(std::move(f));
  }

  void copies() {
    Sum sum = partSum(u, Copies);
    if (w && !reaches(w->pageableExposed.ns, kOtherTenths))
      checked("pageable-copies", w->pageableCopies
                                     ? "pageable copies (" + countText(count(w->pageableCopies)) +
                                           ", " + bytesText(count(w->pageableBytes)) + ")"
                                     : std::string("pageable copies (0)"));
    if (!reaches(sum.ns, kOtherTenths)) {
      checked("exposed-copies", seen("exposed copies", sum));
    } else {
      Finding f;
      f.id = "exposed-copies";
      f.cost = sum;
      f.upperNs = sum.ns;
      if (w)
        f.message =
            (w->copies == 1 ? std::string("1 copy") : countText(count(w->copies)) + " copies") +
            ", of these " + countText(count(w->toDevice)) + " from the host";
      f.advice = "non_blocking copies from pinned memory on a stream of their own";
      f.bound = u.scale.text(sum.steps);
      out.found.push_back(std::move(f));
    }
    if (!w || !reaches(w->pageableExposed.ns, kOtherTenths))
      return;
    Finding f;
    f.id = "pageable-copies";
    f.cost = single(u, w->pageableExposed.ns);
    f.upperNs = w->pageableExposed.ns;
    f.inside = "exposed-copies";
    f.message = (w->pageableCopies == 1 ? std::string("1 copy")
                                        : countText(count(w->pageableCopies)) + " copies") +
                " from or to pageable memory, " + bytesText(count(w->pageableBytes)) +
                ", while nothing else runs";
    f.advice = "pin_memory=True and non_blocking=True";
    out.found.push_back(std::move(f));
  }

  void plain(Sum sum, StringRef id, StringRef what, StringRef message, StringRef advice) {
    if (!reaches(sum.ns, kOtherTenths)) {
      checked(id, seen(what, sum));
      return;
    }
    Finding f;
    f.id = id.str();
    f.cost = sum;
    f.upperNs = sum.ns;
    f.message = message.str();
    f.advice = advice.str();
    out.found.push_back(std::move(f));
  }

  const View &u;
  const Verdict &verdict;
  const WindowFacts *w;
  std::string launchFound; ///< The id of the finding about launches, once there is one.
  Findings out;
};
} // namespace

Findings findingsOf(const View &u, const Verdict &verdict) { return Collector(u, verdict).run(); }

} // namespace heddle::summary
