//===- Verdict.cpp - What limits a device ---------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//
// The window is split into seven stakes that add up to it: computing, communication that nothing
// hides, copies that nothing hides, and idling for the host, for the queue's own latency, for
// another stream, and for what was not recorded. The largest names the verdict; others of at least
// 15 % are told beside it.
//===----------------------------------------------------------------------===//
#include "Model.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace heddle::summary {

namespace {
/// A stake that is told beside the verdict; the idle share that TraceLens flags.
constexpr int64_t kMentionTenths = 150;

struct Stake {
  StringRef id;
  Sum sum;
  std::string text; ///< Ends the sentence "for 73.33 ms (84.2 %) it ...".
};

std::string amount(const View &u, const Sum &s) {
  return u.scale.text(s.steps) + " (" + percentText(s.tenths) + ")";
}

/// Which of the host's ways to keep the device waiting weighs most.
Stake hostStake(const View &u) {
  Sum launch = launchWait(u), sync = syncWait(u), input = causeSum(u, IdleCause::Input);
  if (sync.ns > launch.ns && sync.ns >= input.ns)
    return {"sync-bound", sync,
            "idles inside host synchronisations and until the queue fills again after them"};
  if (input.ns > launch.ns)
    return {"input-bound", input, "waits while the data loader is asked for a batch"};
  const WindowFacts *w = u.window;
  // Launch-bound: the host keeps launching, and each launch meets an empty queue. Host-bound: it
  // does something else for a millisecond or more at a time.
  bool empty = w && w->medianDelay && *w->medianDelay < kQueueEmptyDelay;
  if (w && empty && w->shortHostWait >= w->longHostWait) {
    std::string text = "waits for a launch";
    if (!w->thread.empty())
      text += " by thread " + w->thread;
    return {"launch-bound", launch, text};
  }
  std::string text = "waits for the host";
  if (w && w->longHostWait > w->shortHostWait)
    text += ", mostly in " + plural(static_cast<int64_t>(w->longGaps), "gap") + " of 1 ms or more";
  return {"host-bound", launch, text};
}
/// "; convolution takes 36.38 ms of its work": what to look at where nothing but kernels is left.
std::string topKind(const View &u) {
  if (!u.window || u.window->kinds.empty())
    return {};
  const KindTotal &k = u.window->kinds.front();
  return "; " + k.kind.str() + " takes " + u.scale.text(u.scale.steps(k.time.ns));
}

/// Where the recorder closed small gaps, working time is an upper bound.
std::string atMost(const View &u) {
  if (u.facts)
    for (const DeviceFacts &d : u.facts->devices)
      if (d.device == u.device && d.gapsSwallowed)
        return "<= ";
  return {};
}
} // namespace

Verdict verdictOf(const View &u) {
  Sum host = launchWait(u);
  host += syncWait(u);
  host += causeSum(u, IdleCause::Input);
  Sum latency = causeSum(u, IdleCause::LaunchLatency);
  latency += causeSum(u, IdleCause::KernelToKernel);
  Stake stakes[] = {
      {"gpu-bound", partSum(u, Compute), "computes"},
      {"comm-bound", partSum(u, Communication),
       "only communicates (" + communicationLabel(u) + ")"},
      {"copy-bound", partSum(u, Copies), "only copies"},
      {"host", host, "waits for the host"},
      {"latency-bound", latency, "idles between a launch and its begin, or between two kernels"},
      {"stream-bound", causeSum(u, IdleCause::Dependency), "waits for another stream"},
      {"unrecorded", causeSum(u, IdleCause::Unrecorded), "waits for work that is not in the file"},
  };
  auto *top = std::max_element(std::begin(stakes), std::end(stakes),
                               [](const Stake &a, const Stake &b) { return a.sum.ns < b.sum.ns; });
  Stake main = top->id == "host" ? hostStake(u) : *top;
  Verdict v;
  v.id = main.id.str();
  v.stake = main.sum;
  int64_t working = u.windowSteps - u.bar.steps[Idle];
  if (main.id == "gpu-bound")
    v.message = "the GPU computes for " + atMost(u) + u.scale.text(main.sum.steps) + " of " +
                u.scale.number(u.windowSteps) + " (" + percentText(main.sum.tenths) + ")" +
                topKind(u);
  else
    v.message = "the GPU works " + atMost(u) + u.scale.text(working) + " of " +
                u.scale.number(u.windowSteps) + "; for " + amount(u, main.sum) + " it " + main.text;
  for (const Stake &s : stakes)
    if (&s != top && s.id != "gpu-bound" && s.sum.tenths >= kMentionTenths)
      v.message += "; for " + amount(u, s.sum) + " it " + s.text;
  if (!u.hasHost()) {
    v.id = "gpu-only";
    v.message =
        "no host was recorded, so why the GPU idles cannot be said; it works " + atMost(u) +
        u.scale.text(working) + " of " + u.scale.number(u.windowSteps) + " (" +
        percentText(u.bar.tenths[Compute] + u.bar.tenths[Communication] + u.bar.tenths[Copies]) +
        ")";
  }
  return v;
}

} // namespace heddle::summary
