//===- Collectives.cpp - What ranks do together ---------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "Collectives.h"
#include <algorithm>

using namespace heddle::gen;

std::vector<ProcessGroup> heddle::gen::processGroups(const Options &options) {
  std::vector<ProcessGroup> groups(1);
  for (int64_t i = 0; i < options.ranks; ++i)
    groups[0].ranks.push_back(i);
  int64_t width = options.tensorParallel, copies = options.ranks / width;
  if (width == 1)
    return groups;
  // Every rank makes all groups, in this order, so the names are the same everywhere.
  for (int64_t copy = 0; copy < copies; ++copy) {
    groups.push_back({std::to_string(groups.size()), "mesh_tp", {}});
    for (int64_t i = 0; i < width; ++i)
      groups.back().ranks.push_back(copy * width + i);
  }
  for (int64_t i = 0; i < width && copies > 1; ++i) {
    groups.push_back({std::to_string(groups.size()), "mesh_dp", {}});
    for (int64_t copy = 0; copy < copies; ++copy)
      groups.back().ranks.push_back(copy * width + i);
  }
  return groups;
}

/// What recorders tell of it; `kernel`: on the kernel.
static Args arguments(const Worker &w, const ProcessGroup &group, const Collective &what,
                      bool kernel) {
  if (w.options.era == Era::Torch1_13)
    return {};
  constexpr size_t most = 30; // as PyTorch cuts the list
  std::string ranks = "[";
  for (size_t i = 0; i < group.ranks.size() && i < most; ++i)
    ranks += (i ? ", " : "") + std::to_string(group.ranks[i]);
  if (group.ranks.size() > most)
    ranks += ", ...";
  Args args = {{"Collective name", Value::string(what.name)},
               {"dtype", Value::string("BFloat16")},
               {"In msg nelems", Value::integer(what.in)},
               {"Out msg nelems", Value::integer(what.out)},
               {"Group size", Value::integer(static_cast<int64_t>(group.ranks.size()))},
               {"Process Group Name", Value::string(group.name)},
               {"Process Group Description", Value::string(group.description)},
               {"Process Group Ranks", Value::string(ranks + "]")}};
  if (w.options.tensorParallel == 1)
    return args;
  args.push_back({"In split size", Value::string("[]")});
  args.push_back({"Out split size", Value::string("[]")});
  if (w.options.era == Era::Torch2_15)
    args.push_back({"Seq", Value::integer(group.sequence)});
  if (kernel)
    return args;
  args.push_back(
      {"Rank", Value::integer(std::find(group.ranks.begin(), group.ranks.end(), w.trace.number) -
                              group.ranks.begin())});
  args.push_back({"Global rank start", Value::integer(group.ranks[0])});
  args.push_back({"Global rank stride",
                  Value::integer(group.ranks.size() > 1 ? group.ranks[1] - group.ranks[0] : 1)});
  return args;
}

/// One rank's part, up to the launch; the kernel's event.
static uint32_t enter(Worker &w, const ProcessGroup &group, const Collective &what) {
  unsigned t = what.thread;
  w.open(t, EventClass::CpuOp, what.op);
  w.work(t, 2500);
  w.open(t, EventClass::CpuOp, "record_param_comms", arguments(w, group, what, false));
  w.work(t, 1800);
  w.open(t, EventClass::Annotation, what.annotation);
  w.work(t, 2100);
  w.close(t);
  int64_t ready = w.freeAt(w.computeStream());
  unsigned stream = what.onCompute ? w.computeStream() : w.commStream();
  if (stream != w.computeStream()) {
    w.call(t, "cudaEventRecord", w.random.around(1100, 30));
    w.work(t, 400);
    int64_t begin = w.now(t);
    w.call(t, "cudaStreamWaitEvent", w.random.around(1400, 30));
    w.streamWait(stream, w.computeStream(), begin, w.now(t), w.lastCorrelation());
    w.work(t, 500);
  }
  Launch kernel;
  kernel.name = what.kernel;
  kernel.stream = stream;
  kernel.duration = what.transfer;
  kernel.notBefore = stream == w.computeStream() ? 0 : ready + 1500;
  kernel.extra = arguments(w, group, what, true);
  kernel.collective = true;
  uint32_t event = w.launch(t, kernel);
  w.work(t, 900);
  w.close(t);
  w.work(t, 900);
  w.close(t);
  w.work(t, 600);
  return event;
}

void heddle::gen::runCollective(llvm::ArrayRef<std::unique_ptr<Worker>> workers,
                                ProcessGroup &group, const Collective &what) {
  std::vector<uint32_t> events;
  int64_t arrived = 0;
  for (int64_t rank : group.ranks) {
    Worker &w = *workers[static_cast<size_t>(rank)];
    events.push_back(enter(w, group, what));
    arrived = std::max(arrived, w.trace.events[events.back()].begin);
  }
  ++group.sequence;
  for (size_t i = 0; i < events.size(); ++i) {
    Worker &w = *workers[static_cast<size_t>(group.ranks[i])];
    w.finishCollective(events[i], arrived + what.transfer + w.random.below(900));
    if (!w.options.together())
      continue;
    int64_t waited = arrived - w.trace.events[events[i]].begin;
    w.planted[{w.step, "collectives " + group.description}] += 1;
    w.planted[{w.step, "waiting-ns " + group.description}] += waited;
  }
}
