//===- Messages.cpp - What summary says in sentences ----------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Model.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace heddle::summary {

StringRef causeLabel(IdleCause c) {
  switch (c) {
  case IdleCause::Sync:
    return "inside host syncs";
  case IdleCause::AfterSync:
    return "after host syncs, drained";
  case IdleCause::Input:
    return "data loader";
  case IdleCause::Gc:
    return "garbage collection";
  case IdleCause::Alloc:
    return "device allocation calls";
  case IdleCause::Compile:
    return "compiling, loading code";
  case IdleCause::Host:
    return "host, before the launch";
  case IdleCause::Unobserved:
    return "host, nothing recorded";
  case IdleCause::LaunchCall:
    return "inside the launch call";
  case IdleCause::Dependency:
    return "waiting for another stream";
  case IdleCause::LaunchLatency:
    return "launch latency";
  case IdleCause::KernelToKernel:
    return "between kernels (< 1 us)";
  case IdleCause::Unrecorded:
    return "not in the recording";
  }
  return "";
}

std::string communicationLabel(const View &u) {
  std::string label;
  if (u.window)
    for (const KindTotal &k : u.window->kinds) {
      if (k.work != WorkClass::Communication)
        continue;
      if (!label.empty())
        return label + " and others";
      label = k.kind.str();
    }
  return label.empty() ? "communication" : label;
}

/// What a serving engine's mark says of its batch:
/// execute_context_1(888_788544)_generation_0(0) is a prefill of 888 tokens.
static std::string batchText(StringRef mark) {
  static constexpr StringLiteral form =
      "^execute_context_([0-9]+)\\(([0-9]+)[_)].*_generation_([0-9]+)\\(([0-9]+)";
  SmallVector<StringRef, 5> m;
  if (!Regex(form).match(mark, &m))
    return {};
  uint64_t contexts = 0, generations = 0, tokens = 0;
  if (m[1].getAsInteger(10, contexts) || m[2].getAsInteger(10, tokens) ||
      m[3].getAsInteger(10, generations))
    return {};
  if (contexts && !generations)
    return ", prefill, " + plural(static_cast<int64_t>(tokens), "token");
  if (generations && !contexts)
    return ", decode, " + plural(static_cast<int64_t>(generations), "sequence");
  return ", " + plural(static_cast<int64_t>(contexts), "prefill") + " and " +
         plural(static_cast<int64_t>(generations), "decode");
}

std::string windowMessage(const View &u) {
  std::string length = u.scale.text(u.windowSteps);
  const WindowFacts *w = u.window;
  if (u.step == "window")
    return "as asked, " + length;
  if (u.step == "all" || !w)
    return "from the first activity to the last, " + length;
  if (!w->marked)
    return "whole recording, " + length +
           ": from the begin of host and device to the last activity; no step marks";
  std::string out = w->markName + ", " + length;
  int64_t late = w->host.end.ns - w->window.end.ns;
  if (int64_t steps = u.scale.steps(std::abs(late)))
    out += " (host ends " + u.scale.number(steps) + (late > 0 ? " later)" : " earlier)");
  if (u.steps == 1)
    return out + ": 1 step" + batchText(w->markName);
  if (w->first)
    out += ": the first of " + plural(static_cast<int64_t>(u.steps), "step") +
           ", which holds what a start costs";
  else if (u.windowNs == u.medianNs)
    out += ": the median of " + plural(static_cast<int64_t>(u.typical), "step");
  else // one number serves all devices
    out += ": near the median, " + u.scale.number(u.scale.steps(u.medianNs)) + ", of " +
           plural(static_cast<int64_t>(u.typical), "step");
  if (u.typical > 1)
    out += " (" + u.scale.number(u.scale.steps(u.minNs)) + " to " +
           u.scale.number(u.scale.steps(u.maxNs)) + ")";
  if (!w->first && u.steps > u.typical)
    out += u.steps - u.typical == 1 ? ", the first left out"
                                    : ", " + countText(static_cast<int64_t>(u.steps - u.typical)) +
                                          " left out (first, misplaced)";
  return out + batchText(w->markName);
}

std::string launchMessage(const View &u) {
  const WindowFacts *w = u.window;
  if (!w)
    return {};
  std::string out = plural(static_cast<int64_t>(w->kernels), "kernel");
  if (w->copies)
    out += " + " + (w->copies == 1 ? std::string("1 copy")
                                   : countText(static_cast<int64_t>(w->copies)) + " copies");
  if (w->fills)
    out += " + " + plural(static_cast<int64_t>(w->fills), "fill");
  if (w->launches) {
    out += ": one launch per " + timeText(u.windowNs / static_cast<int64_t>(w->launches));
    if (w->graphLaunches)
      out += " (" + countText(static_cast<int64_t>(w->graphLaunches)) + " of " +
             countText(static_cast<int64_t>(w->launches)) + " launch graphs)";
  } else {
    out += ": no launch recorded";
  }
  if (w->medianDelay) {
    out += ", median delay " + timeText(w->medianDelay->ns);
    // Below 20 us the queue is empty when a kernel arrives: the host does not run ahead.
    if (*w->medianDelay < kQueueEmptyDelay && u.bar.tenths[Idle] > 150)
      out += " (queue empty)";
  }
  if (w->kernels)
    if (auto share =
            tenthsOf(static_cast<int64_t>(w->shortKernels), static_cast<int64_t>(w->kernels)))
      out += "; " + countText((*share + 5) / 10) + " % of kernels under 10 us";
  return out;
}

} // namespace heddle::summary
