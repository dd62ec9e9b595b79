//===- Verdict.cpp - What limits a device ---------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//
// The window is split into stakes that add up to it: computing, communication and copies that
// nothing hides, and idling for the host (launching, synchronising, fetching a batch), for the
// queue's own latency, for another stream, and for what was not recorded. The largest names the
// verdict; others of at least 15 % are told beside it.
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
  std::string text;  ///< Ends the sentence "for 73.33 ms (84.2 %) it ...".
  bool host = false; ///< Of those that compete together: the host keeps the device waiting.
};

std::string amount(const View &u, const Sum &s) {
  return u.scale.text(s.steps) + " (" + percentText(s.tenths) + ")";
}

/// Launch-bound: the host keeps launching, and each launch meets an empty queue. Host-bound: it
/// does something else for a millisecond or more at a time.
Stake launchStake(const View &u) {
  const WindowFacts *w = u.window;
  bool empty = w && w->medianDelay && *w->medianDelay < kQueueEmptyDelay;
  if (empty && w->shortHostWait >= w->longHostWait) {
    std::string text = "waits for a launch";
    if (!w->thread.empty())
      text += " by thread " + w->thread;
    return {"launch-bound", launchWait(u), text, true};
  }
  std::string text = "waits for the host";
  if (w && w->longHostWait > w->shortHostWait)
    text += ", mostly in " + plural(static_cast<int64_t>(w->longGaps), "gap") + " of 1 ms or more";
  return {"host-bound", launchWait(u), text, true};
}

std::vector<Stake> stakesOf(const View &u) {
  Sum latency = causeSum(u, IdleCause::LaunchLatency);
  latency += causeSum(u, IdleCause::KernelToKernel);
  return {
      {"gpu-bound", partSum(u, Compute), "computes"},
      {"comm-bound", partSum(u, Communication),
       "only communicates (" + communicationLabel(u) + ")"},
      {"copy-bound", partSum(u, Copies), "only copies"},
      launchStake(u),
      {"sync-bound", syncWait(u),
       "idles inside host synchronisations and until the queue fills again after them", true},
      {"input-bound", causeSum(u, IdleCause::Input),
       "waits while the data loader is asked for a batch", true},
      {"latency-bound", latency, "idles between a launch and its begin, or between two kernels"},
      {"stream-bound", causeSum(u, IdleCause::Dependency), "waits for another stream"},
      {"unrecorded", causeSum(u, IdleCause::Unrecorded), "waits for work that is not in the file"},
  };
}

/// The largest; the host's stakes compete with the others by their sum, then among themselves.
const Stake &largest(ArrayRef<Stake> stakes) {
  int64_t host = 0;
  for (const Stake &s : stakes)
    host += s.host ? s.sum.ns : 0;
  const Stake *other = nullptr, *ofHost = nullptr;
  for (const Stake &s : stakes) {
    const Stake *&best = s.host ? ofHost : other;
    if (!best || s.sum.ns > best->sum.ns)
      best = &s;
  }
  return host > other->sum.ns ? *ofHost : *other;
}

/// ", most of it convolution (36.38 ms)": what to look at where nothing but kernels is left. `ns`
/// is how long the device computes, or works if `any` kind is part of that.
std::string topKind(const View &u, int64_t ns, bool any) {
  if (!u.window)
    return {};
  for (const KindTotal &k : u.window->kinds)
    if (any || k.work == WorkClass::Compute)
      return (k.time.ns > ns / 2 ? ", most of it " : ", first of all ") + k.kind.str() + " (" +
             u.scale.text(u.scale.steps(k.time.ns)) + ")";
  return {};
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
  std::vector<Stake> stakes = stakesOf(u);
  const Stake &main = largest(stakes);
  std::string whole = u.scale.number(u.windowSteps);
  Verdict v;
  v.id = main.id.str();
  v.stake = main.sum;
  int64_t working = u.windowSteps - u.bar.steps[Idle];
  if (!u.hasHost()) {
    int64_t tenths = u.bar.tenths[Compute] + u.bar.tenths[Communication] + u.bar.tenths[Copies];
    v.id = "gpu-only";
    v.message = "no host was recorded, so why the GPU idles cannot be said; it works " + atMost(u) +
                u.scale.text(working) + " of " + whole + " (" + percentText(tenths) + ")" +
                topKind(u, u.busyNs, /*any=*/true);
    return v;
  }
  if (main.id == "gpu-bound")
    v.message = "the GPU computes for " + atMost(u) + u.scale.text(main.sum.steps) + " of " +
                whole + " (" + percentText(main.sum.tenths) + ")" +
                topKind(u, main.sum.ns, /*any=*/false);
  else
    v.message = "the GPU works " + atMost(u) + u.scale.text(working) + " of " + whole + "; for " +
                amount(u, main.sum) + " it " + main.text;
  for (const Stake &s : stakes)
    if (&s != &main && s.id != "gpu-bound" && s.sum.tenths >= kMentionTenths)
      v.message += "; for " + amount(u, s.sum) + " it " + s.text;
  return v;
}

} // namespace heddle::summary
