//===- Worker.cpp - One process and its device, simulated -----------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "Worker.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <algorithm>

using namespace heddle::gen;
using llvm::StringRef;

Worker::Worker(const Options &options, int64_t number)
    : options(options), random(options.seed, static_cast<uint64_t>(number) + 1) {
  bool rocm = options.vendor == Vendor::Rocm;
  trace.number = number;
  int64_t local = number % options.ranksPerHost();
  trace.host = number / options.ranksPerHost();
  trace.pid = 24043 + 17 * local;
  // ROCm counts the processors of the node, and these are the first two.
  trace.device = local % 8 + (rocm ? 2 : 0);
  trace.jobBegin = 1365627862814773 + static_cast<int64_t>(options.seed % 1000) * 1000000007;
  if (options.era == Era::Torch1_13)
    trace.jobBegin += 1660000000000000000;
  int64_t start = trace.jobBegin + random.below(50000);
  trace.windowBegin = start;
  fillMemory();
  for (const Straggler &straggler : options.stragglers)
    if (straggler.rank == number)
      (straggler.kind == Slowness::Compute ? computePercent
       : straggler.kind == Slowness::Host  ? hostPercent
                                           : late) = straggler.amount;

  auto thread = [&](int64_t tid) {
    trace.lanes.push_back({Lane::Thread,
                           trace.pid,
                           tid,
                           {},
                           {},
                           false,
                           ("thread " + llvm::Twine(tid) + " (python)").str()});
    Thread t;
    t.lane = static_cast<uint32_t>(trace.lanes.size() - 1);
    t.now = start + 180000;
    threads.push_back(std::move(t));
  };
  thread(trace.pid);
  thread(trace.pid + 9);
  if (options.marks == Marks::OtherThread)
    thread(trace.pid + 21);
  static constexpr int64_t cudaStreams[] = {7, 20, 24, 28, 32, 36, 40, 44};
  for (int64_t i = 0; i < options.streams; ++i) {
    int64_t id = rocm ? i : cudaStreams[i];
    trace.lanes.push_back(
        {Lane::Stream, trace.device, id, {}, {}, false, ("stream " + llvm::Twine(id) + " ").str()});
    streams.push_back({static_cast<uint32_t>(trace.lanes.size() - 1), id, 0});
  }
}

uint32_t Worker::add(EventClass cls, uint32_t lane, StringRef name, int64_t begin, Args args) {
  Event event;
  event.cls = cls;
  event.lane = lane;
  event.name = name.str();
  event.begin = event.end = begin;
  event.args = std::move(args);
  trace.events.push_back(std::move(event));
  return static_cast<uint32_t>(trace.events.size() - 1);
}

void Worker::spend(unsigned thread, int64_t ns) {
  Thread &t = threads[thread];
  if (ns <= 0)
    return;
  if (!t.segments.empty() && t.segments.back().end == t.now && t.segments.back().cause == t.cause)
    t.segments.back().end += ns;
  else
    t.segments.push_back({t.now, t.now + ns, t.cause});
  t.now += ns;
}

void Worker::wake(unsigned thread, int64_t time) {
  Thread &t = threads[thread];
  t.now = std::max(t.now, time);
}

uint32_t Worker::open(unsigned thread, EventClass cls, StringRef name, Args args,
                      std::optional<Cause> cause) {
  Thread &t = threads[thread];
  Open opened{0, t.cause, t.externalId, t.frame};
  Args all;
  bool old = options.era == Era::Torch1_13;
  if (cls == EventClass::Python) {
    all.push_back({"Python parent id", t.frame < 0 ? Value::null() : Value::integer(t.frame)});
    t.frame = ++frames;
    all.push_back({"Python id", Value::integer(t.frame)});
  } else if (cls == EventClass::CpuOp || cls == EventClass::Annotation) {
    if (old) {
      all.push_back({"Trace name", Value::string("PyTorch Profiler")});
      all.push_back({"Trace iteration", Value::integer(0)});
    }
    t.externalId = ++externalIds;
    all.push_back({"External id", Value::integer(t.externalId)});
    if (!old)
      all.push_back({"Record function id", Value::integer(0)});
  }
  for (Arg &arg : args)
    all.push_back(std::move(arg));
  if (cls == EventClass::Python || cls == EventClass::CpuOp || cls == EventClass::Annotation) {
    if (old)
      all.push_back({"Profiler Event Index", Value::integer(eventIndex++)});
    else
      all.push_back({"Ev Idx", Value::integer(eventIndex++)});
  }
  opened.event = add(cls, t.lane, name, t.now, std::move(all));
  t.open.push_back(opened);
  if (cause)
    t.cause = *cause;
  else if (t.cause == Cause::Unobserved)
    t.cause = Cause::Host;
  return opened.event;
}

uint32_t Worker::openMark(unsigned thread, StringRef name) {
  Cause outer = threads[thread].cause;
  uint32_t event = open(thread, EventClass::Annotation, name, {}, outer);
  threads[thread].open.back().mark = true;
  return event;
}

void Worker::closeAround(unsigned thread, uint32_t event) {
  Thread &t = threads[thread];
  auto at = std::find_if(t.open.begin(), t.open.end(),
                         [&](const Open &opened) { return opened.event == event; });
  if (at + 1 == t.open.end())
    return close(thread); // nothing is inside
  trace.events[event].end = t.now;
  // What is inside goes on, in what was around this one.
  (at + 1)->outerId = at->outerId;
  (at + 1)->outerFrame = at->outerFrame;
  if (!at->mark) {
    (at + 1)->outer = at->outer;
    if (std::all_of(at + 1, t.open.end(), [](const Open &opened) { return opened.mark; })) {
      t.cause = at->outer;
      t.frame = at->outerFrame;
    }
  }
  t.open.erase(at);
}

void Worker::close(unsigned thread) {
  Thread &t = threads[thread];
  Open opened = t.open.back();
  t.open.pop_back();
  trace.events[opened.event].end = t.now;
  t.cause = opened.outer;
  t.externalId = opened.outerId;
  t.frame = opened.outerFrame;
}

std::string Worker::api(StringRef cudaName) const {
  if (options.vendor == Vendor::Cuda)
    return cudaName.str();
  if (cudaName == "cuModuleLoadData")
    return "hipModuleLoadData";
  if (cudaName == "cuLaunchKernel")
    return "hipModuleLaunchKernel";
  return cudaName.starts_with("cuda") ? ("hip" + cudaName.drop_front(4)).str() : cudaName.str();
}

Args Worker::callArgs(const Thread &t, StringRef name) {
  Args args;
  ++correlation;
  if (options.era == Era::Torch1_13)
    args.push_back({"External id", Value::integer(correlation)});
  else if (t.externalId)
    args.push_back({"External id", Value::integer(t.externalId)});
  // The numbers that the vendor's interface gives its functions.
  int64_t id = llvm::StringSwitch<int64_t>(name)
                   .Case("cudaLaunchKernel", 211)
                   .Case("cuLaunchKernel", 307)
                   .Case("cudaMemcpyAsync", 41)
                   .Case("cudaMemsetAsync", 51)
                   .Case("cudaGraphLaunch", 311)
                   .Case("cudaStreamWaitEvent", 147)
                   .Case("cudaEventRecord", 135)
                   .Case("cudaStreamSynchronize", 131)
                   .Case("cudaDeviceSynchronize", 165)
                   .Case("cudaEventSynchronize", 137)
                   .Case("cudaMalloc", 20)
                   .Case("cuModuleLoadData", 37)
                   .Case("hipLaunchKernel", 107)
                   .Case("hipExtModuleLaunchKernel", 64)
                   .Case("hipMemcpyWithStream", 153)
                   .Case("hipGraphLaunch", 215)
                   .Case("hipDeviceSynchronize", 48)
                   .Default(100 + static_cast<int64_t>(name.size()));
  if (options.vendor == Vendor::Rocm)
    args.push_back({"cid", Value::integer(id)});
  else
    args.push_back({"cbid", Value::integer(id)});
  args.push_back({"correlation", Value::integer(correlation)});
  return args;
}

uint32_t Worker::openCall(unsigned thread, StringRef cudaName, std::optional<Cause> cause) {
  std::string name = api(cudaName);
  bool driver = StringRef(name).starts_with("cu") && !StringRef(name).starts_with("cuda");
  uint32_t event = open(thread, driver ? EventClass::Driver : EventClass::Runtime, name,
                        callArgs(threads[thread], name), cause);
  trace.events[event].correlation = correlation;
  return event;
}

void Worker::call(unsigned thread, StringRef cudaName, int64_t ns, std::optional<Cause> cause) {
  openCall(thread, cudaName, cause);
  spend(thread, ns);
  close(thread);
}

/// Shape arguments that go with a duration: longer kernels have larger grids.
static Value grid(int64_t blocks) {
  return Value::list(("[" + llvm::Twine(blocks) + ", 1, 1]").str());
}

Args Worker::activityArgs(const Launch &what, int64_t externalId, int64_t graph) {
  Args args;
  bool rocm = options.vendor == Vendor::Rocm, kernel = what.cls == EventClass::Kernel;
  if (rocm && graph)
    return {{"device", Value::integer(trace.device)},
            {"stream", Value::integer(streams[what.stream].id)},
            {"correlation", Value::integer(correlation)},
            {"kind", Value::string("Dispatch Task")}};
  if (options.era == Era::Torch1_13)
    externalId = correlation;
  if (externalId)
    args.push_back({"External id", Value::integer(externalId)});
  if (kernel && !rocm)
    args.push_back({"queued", Value::integer(0)});
  args.push_back({"device", Value::integer(trace.device)});
  if (!rocm)
    args.push_back({"context", Value::integer(1)});
  args.push_back({"stream", Value::integer(streams[what.stream].id)});
  args.push_back({"correlation", Value::integer(correlation)});
  int64_t blocks = std::max<int64_t>(1, what.duration / 100), threadsPerBlock = 256;
  if (kernel) {
    if (rocm) {
      args.push_back({"kind", Value::string("Dispatch Kernel")});
    } else {
      args.push_back({"registers per thread", Value::integer(what.gemm ? 168 : 32)});
      args.push_back({"shared memory", Value::integer(what.gemm ? 49152 : 0)});
      int64_t perSm = blocks * 1000000 / 132;
      args.push_back({"blocks per SM", Value::decimal(perSm, 6)});
      args.push_back({"warps per SM", Value::decimal(perSm * 8, 6)});
    }
    args.push_back({"grid", grid(blocks)});
    args.push_back({"block", grid(threadsPerBlock)});
    if (!rocm)
      args.push_back({"est. achieved occupancy %",
                      Value::integer(std::min<int64_t>(100, blocks * 800 / (132 * 64)))});
    // Recorders write these since graphs have their nodes' numbers; 0 is no graph.
    if (!rocm && options.graphs && options.era == Era::Torch2_15) {
      args.push_back({"graph id", Value::integer(graph)});
      args.push_back({"graph node id", Value::integer(graph ? ++graphNodes : 0)});
    }
  } else {
    if (rocm)
      args.push_back({"kind", Value::string(what.cls == EventClass::Memset ? "FillBuffer"
                                            : what.name.contains("HtoD")   ? "HtoD"
                                            : what.name.contains("DtoH")   ? "DtoH"
                                                                           : "DtoD")});
    args.push_back({"bytes", Value::integer(what.bytes)});
    args.push_back({"memory bandwidth (GB/s)",
                    Value::decimal(what.bytes * 1000 / std::max<int64_t>(1, what.duration), 3)});
  }
  args.insert(args.end(), what.extra.begin(), what.extra.end());
  return args;
}

int64_t Worker::drained() const {
  int64_t last = 0;
  for (const Stream &stream : streams)
    last = std::max(last, stream.free);
  return last;
}

static constexpr llvm::StringLiteral rocmGemmName(
    "Cijk_Alik_Bljk_BBS_BH_Bias_HAS_SAV_UserArgs_MT128x128x64_MI16x16x1_SN_LDSB1_AFC1_AFEM1_AFEM1_"
    "ASEM1_CLR1_CADS0_EPS0_GRVWA8_GRVWB8_ISA942_WS64_WG32_8_1");

uint32_t Worker::launch(unsigned thread, const Launch &asked) {
  Launch what = asked;
  Stream &stream = streams[what.stream];
  bool rocm = options.vendor == Vendor::Rocm, kernel = what.cls == EventClass::Kernel;
  // What the queue needs between two activities. ROCm's recorder stamps them back to back.
  int64_t between = rocm && !random.oneIn(7) ? 1 : random.between(420, 1350);
  int64_t callTime = what.call ? *what.call : random.around(kernel ? 4600 : 6200, 35);
  int64_t latency = random.around(2600, 40);
  // Now and then the device is faster than the return of the call.
  int64_t early = !what.call && random.oneIn(6) ? latency + callTime / 4 : 0;
  if (leadInPending) {
    leadInPending = false;
    early = 0;
    leadInMissed = now(thread) > leadInEnd - callTime - latency;
    spendUntil(thread, leadInEnd - callTime - latency);
  }

  StringRef cudaName = what.cls == EventClass::Memcpy   ? "cudaMemcpyAsync"
                       : what.cls == EventClass::Memset ? "cudaMemsetAsync"
                                                        : "cudaLaunchKernel";
  if (what.driver)
    cudaName = "cuLaunchKernel";
  if (rocm && what.blocking)
    cudaName = "cudaMemcpyWithStream";
  if (rocm && what.gemm) {
    cudaName = "cudaExtModuleLaunchKernel";
    what.name = rocmGemmName;
  }
  int64_t externalId = threads[thread].externalId;
  if (kernel && !what.collective && !what.planted)
    what.duration = what.duration * computePercent / 100;
  countPlace(thread);
  uint32_t call =
      openCall(thread, cudaName, what.blocking ? std::optional(Cause::Sync) : std::nullopt);
  int64_t callBegin = now(thread);
  int64_t begin =
      std::max({callBegin + callTime + latency - early, stream.free + between, what.notBefore});
  if (what.startAt)
    begin = std::max(*what.startAt, callBegin);
  what.duration = std::max(what.duration, what.lastUntil - begin);
  int64_t end = begin + what.duration;
  if (what.blocking)
    spendUntil(thread, end + (what.returnDelay ? *what.returnDelay : random.around(1900, 40)));
  else
    spend(thread, callTime);
  close(thread);
  if (rocm) {
    Event &event = trace.events[call];
    if (kernel)
      event.args.push_back({"kernel", Value::string(what.name)});
    else
      event.args.push_back({"bytes", Value::string(std::to_string(what.bytes))});
  }

  return activity(what, call, thread, begin, activityArgs(what, externalId));
}

/// What a call that has ended put on a stream.
uint32_t Worker::activity(const Launch &what, uint32_t call, unsigned thread, int64_t begin,
                          Args args) {
  Stream &stream = streams[what.stream];
  uint32_t event = add(what.cls, stream.lane, what.name, begin, std::move(args));
  Event &made = trace.events[event];
  made.end = begin + what.duration;
  made.correlation = correlation;
  made.launch = call;
  Activity activity;
  activity.begin = begin;
  activity.end = made.end;
  activity.event = event;
  activity.thread = thread;
  activity.launched = true;
  activity.callBegin = trace.events[call].begin;
  activity.callEnd = trace.events[call].end;
  activity.step = step;
  activity.planted = what.planted;
  if (what.waitShown) {
    activity.waitBegin = what.waitBegin;
    activity.waitEnd = begin;
  }
  activities.push_back(activity);
  stream.free = made.end;
  return event;
}

void Worker::launchGraph(unsigned thread, unsigned stream, int64_t graph,
                         llvm::ArrayRef<Launch> kernels) {
  bool rocm = options.vendor == Vendor::Rocm;
  int64_t externalId = threads[thread].externalId;
  int64_t callTime = random.around(9000 + 160 * static_cast<int64_t>(kernels.size()), 30);
  int64_t latency = random.around(5200, 40);
  countPlace(thread);
  uint32_t call = openCall(thread, "cudaGraphLaunch");
  // Long graphs begin to run while they are still being launched.
  int64_t begin = now(thread) + (random.oneIn(3) ? callTime / 2 : callTime) + latency;
  spend(thread, callTime);
  close(thread);
  for (const Launch &kernel : kernels) {
    Launch what = kernel;
    what.stream = stream;
    what.duration = what.duration * computePercent / 100;
    if (rocm && what.gemm)
      what.name = rocmGemmName;
    int64_t between = rocm && !random.oneIn(7) ? 1 : random.between(380, 1150);
    begin = std::max(begin, streams[stream].free + between);
    activity(what, call, thread, begin, activityArgs(what, externalId, graph));
  }
}

uint32_t Worker::unrecorded(unsigned stream, StringRef name, int64_t begin, int64_t duration,
                            std::optional<GapRequest> planted) {
  Launch what;
  what.name = name;
  what.duration = duration;
  what.stream = stream;
  ++correlation; // of the launch that was lost
  uint32_t event =
      add(EventClass::Kernel, streams[stream].lane, name, begin, activityArgs(what, 0));
  trace.events[event].end = begin + duration;
  trace.events[event].correlation = correlation;
  Activity activity;
  activity.begin = begin;
  activity.end = begin + duration;
  activity.event = event;
  activity.planted = planted;
  activities.push_back(activity);
  streams[stream].free = begin + duration;
  return event;
}

void Worker::finishCollective(uint32_t event, int64_t end) {
  trace.events[event].end = end;
  for (size_t i = activities.size(); i-- > 0;)
    if (activities[i].event == event) {
      activities[i].end = end;
      break;
    }
  for (Stream &stream : streams)
    if (stream.lane == trace.events[event].lane)
      stream.free = end;
}

void Worker::streamWait(unsigned stream, unsigned on, int64_t begin, int64_t end,
                        int64_t forCorrelation) {
  if (options.vendor == Vendor::Rocm)
    return; // its recorder has no such rows
  Args args = {{"cuda_sync_kind", Value::string("Stream Wait Event")},
               {"wait_on_stream", Value::integer(streams[on].id)},
               {"wait_on_cuda_event_record_corr_id", Value::integer(-1)},
               {"wait_on_cuda_event_id", Value::integer(19)},
               {"stream", Value::integer(streams[stream].id)},
               {"correlation", Value::integer(forCorrelation)},
               {"device", Value::integer(trace.device)},
               {"context", Value::integer(1)}};
  uint32_t event =
      add(EventClass::SyncRow, streams[stream].lane, "Stream Wait Event", begin, std::move(args));
  trace.events[event].end = end;
  trace.events[event].correlation = forCorrelation;
}

void Worker::syncRow(StringRef kind, std::optional<unsigned> stream, uint32_t call,
                     llvm::ArrayRef<Arg> more) {
  if (!options.syncRows)
    return;
  if (!stream && noStream == none) {
    trace.lanes.push_back({Lane::Stream, trace.device, -1, {}, {}, false, {}});
    noStream = static_cast<uint32_t>(trace.lanes.size() - 1);
  }
  const Event &of = trace.events[call];
  int64_t begin = of.begin + 900, end = std::max(begin, of.end - 200);
  Args args;
  for (const Arg &arg : of.args)
    if (arg.key == "External id")
      args.push_back(arg);
  args.push_back({"cuda_sync_kind", Value::string(kind)});
  args.insert(args.end(), more.begin(), more.end());
  args.push_back({"stream", Value::integer(stream ? streams[*stream].id : -1)});
  args.push_back({"correlation", Value::integer(of.correlation)});
  args.push_back({"device", Value::integer(trace.device)});
  args.push_back({"context", Value::integer(1)});
  int64_t id = of.correlation;
  uint32_t event = add(EventClass::SyncRow, stream ? streams[*stream].lane : noStream, kind, begin,
                       std::move(args));
  trace.events[event].end = end;
  trace.events[event].correlation = id;
}
