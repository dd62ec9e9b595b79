//===- Collectives.cpp - What ranks do together ---------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "Collectives.h"
#include <algorithm>

using namespace heddle::gen;

/// What recorders tell of it, on the op and on the kernel.
static Args arguments(const Worker &w, const ProcessGroup &group, const Collective &what) {
  if (w.options.era == Era::Torch1_13)
    return {};
  std::string ranks = "[";
  for (size_t i = 0; i < group.ranks.size(); ++i)
    ranks += (i ? ", " : "") + std::to_string(group.ranks[i]);
  return {{"Collective name", Value::string(what.name)},
          {"dtype", Value::string("BFloat16")},
          {"In msg nelems", Value::integer(what.in)},
          {"Out msg nelems", Value::integer(what.out)},
          {"Group size", Value::integer(static_cast<int64_t>(group.ranks.size()))},
          {"Process Group Name", Value::string(group.name)},
          {"Process Group Description", Value::string(group.description)},
          {"Process Group Ranks", Value::string(ranks + "]")}};
}

/// One rank's part, up to the launch; the kernel's event.
static uint32_t enter(Worker &w, const ProcessGroup &group, const Collective &what) {
  unsigned t = what.thread;
  w.open(t, EventClass::CpuOp, what.op);
  w.work(t, 2500);
  Args collective = arguments(w, group, what);
  w.open(t, EventClass::CpuOp, "record_param_comms", collective);
  w.work(t, 1800);
  w.open(t, EventClass::Annotation, what.annotation);
  w.work(t, 2100);
  w.close(t);
  int64_t ready = w.freeAt(w.computeStream());
  unsigned stream = w.commStream();
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
  kernel.extra = collective;
  kernel.collective = true;
  uint32_t event = w.launch(t, kernel);
  w.work(t, 900);
  w.close(t);
  w.work(t, 900);
  w.close(t);
  w.work(t, 600);
  return event;
}

void heddle::gen::runCollective(llvm::ArrayRef<Worker *> members, const ProcessGroup &group,
                                const Collective &what) {
  std::vector<uint32_t> events;
  int64_t arrived = 0;
  for (Worker *w : members) {
    events.push_back(enter(*w, group, what));
    arrived = std::max(arrived, w->trace.events[events.back()].begin);
  }
  for (size_t i = 0; i < members.size(); ++i) {
    Worker &w = *members[i];
    w.finishCollective(events[i], arrived + what.transfer + w.random.below(900));
    const Event &kernel = w.trace.events[events[i]];
    w.together[{w.step, "collectives " + group.description}] += 1;
    w.together[{w.step, "waiting-ns " + group.description}] += arrived - kernel.begin;
  }
}
