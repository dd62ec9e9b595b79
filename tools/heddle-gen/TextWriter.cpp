//===- TextWriter.cpp - As Heddle text ------------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// The recording in Heddle's IR, built as its author would, and printed by Heddle's own printer.
/// What only the JSON around it says is left out: document, metadata rows, flow rows.
//===----------------------------------------------------------------------===//

#include "Writers.h"
#include "heddle/Text/Text.h"
#include <algorithm>

using namespace heddle;
using namespace heddle::gen;

namespace {

struct Target {
  EventKind kind;
  Family family;
  llvm::StringLiteral cat;
};

Target targetOf(EventClass cls) {
  switch (cls) {
  case EventClass::CpuOp:
    return {EventKind::CpuOp, Family::ThreadWork, "cpu_op"};
  case EventClass::Annotation:
    return {EventKind::Annotation, Family::ThreadWork, "user_annotation"};
  case EventClass::Runtime:
    return {EventKind::Runtime, Family::ThreadWork, "cuda_runtime"};
  case EventClass::Driver:
    return {EventKind::Driver, Family::ThreadWork, "cuda_driver"};
  case EventClass::Kernel:
    return {EventKind::Kernel, Family::StreamWork, "kernel"};
  case EventClass::Memcpy:
    return {EventKind::Memcpy, Family::StreamWork, "gpu_memcpy"};
  case EventClass::Memset:
    return {EventKind::Memset, Family::StreamWork, "gpu_memset"};
  case EventClass::SyncRow:
    return {EventKind::Sync, Family::StreamSync, "cuda_sync"};
  case EventClass::DeviceAnnotation:
    return {EventKind::Annotation, Family::StreamAnnotation, "gpu_user_annotation"};
  case EventClass::Python:
    return {EventKind::Python, Family::ThreadPython, "python_function"};
  case EventClass::Memory:
    return {EventKind::Memory, Family::ThreadMarker, "cpu_instant_event"};
  case EventClass::Overhead:
    return {EventKind::Overhead, Family::Overhead, "overhead"};
  case EventClass::Window:
    return {EventKind::Window, Family::Window, "Trace"};
  case EventClass::Marker:
    return {EventKind::Marker, Family::ThreadMarker, ""};
  }
  return {EventKind::Other, Family::ThreadWork, ""};
}

ValueType typeOf(const Value &v) {
  switch (v.kind) {
  case Value::Int:
    return ValueType::Int;
  case Value::Decimal:
    return ValueType::Decimal;
  case Value::String:
    return ValueType::String;
  case Value::List:
    return ValueType::List;
  case Value::Bool:
    return ValueType::Bool;
  case Value::Null:
    return ValueType::Null;
  }
  return ValueType::Null;
}

class RankWriter {
public:
  RankWriter(const JobTrace &job, const RankTrace &from, const Options &options, Rank &rank)
      : job(job), from(from), options(options), rank(rank), builder(rank) {}
  void run();

private:
  void head();
  EventRef event(const Event &e, uint32_t seq);
  LayoutId layoutOf(const Event &e, const Target &target);

  const JobTrace &job;
  const RankTrace &from;
  const Options &options;
  Rank &rank;
  RankBuilder builder;
};

} // namespace

void RankWriter::head() {
  bool old = options.era == Era::Torch1_13, rocm = options.vendor == gen::Vendor::Rocm;
  if (options.ranks > 1) {
    rank.number = from.number;
    rank.worldSize = options.ranks;
    rank.backend = "nccl";
  }
  if (options.era == Era::Torch2_15)
    rank.host = "node" + std::to_string(from.host);
  Recording &recording = rank.recording;
  recording.format = "heddle-text";
  // The whole microsecond before the first event; the recorder's own window does not count.
  recording.origin = INT64_MAX;
  for (const Event &e : from.events)
    if (e.cls != EventClass::Window && e.cls != EventClass::Marker)
      recording.origin = std::min(recording.origin, e.begin / 1000 * 1000);
  recording.absolute = recording.integerMicroseconds = recording.externalIdsBroken = old;
  if (!old)
    recording.base = job.base;
  recording.vendor = rocm ? heddle::Vendor::Rocm : heddle::Vendor::Cuda;
  for (int64_t id = 0; id < options.ranksPerHost() && id < 8; ++id) {
    Device device;
    device.id = id;
    device.name = rocm ? "AMD Instinct MI300X" : "NVIDIA H100 80GB HBM3";
    device.numSms = rocm ? 304 : 132;
    device.totalMemory = rocm ? 205571227648 : 85017493504;
    device.computeMajor = 9;
    device.computeMinor = rocm ? 4 : 0;
    recording.devices.push_back(std::move(device));
  }
}

LayoutId RankWriter::layoutOf(const Event &e, const Target &target) {
  Layout layout;
  bool instant = isInstant(e.cls);
  layout.phase = instant ? 'i' : 'X';
  if (!target.cat.empty())
    layout.cat = builder.intern(target.cat);
  auto derived = [&](ValueType type) {
    uint8_t scale = type != ValueType::Ts && type != ValueType::Dur ? 0
                    : options.era == Era::Torch1_13                 ? 0
                                                                    : 3;
    layout.entries.push_back(
        {Scope::Event, type, scale, false, builder.intern(valueTypeName(type))});
  };
  derived(ValueType::Phase);
  if (!target.cat.empty())
    derived(ValueType::Cat);
  for (ValueType type : {ValueType::Name, ValueType::Pid, ValueType::Tid, ValueType::Ts})
    derived(type);
  if (!instant)
    derived(ValueType::Dur);
  if (!e.args.empty())
    derived(ValueType::Args);
  for (const Arg &arg : e.args)
    layout.entries.push_back({Scope::Args, typeOf(arg.value), 0, false, builder.intern(arg.key)});
  return *builder.layout(layout); // a dozen, so it does not fail
}

EventRef RankWriter::event(const Event &e, uint32_t seq) {
  Target target = targetOf(e.cls);
  const Lane &lane = from.lanes[e.lane];
  auto id = [&](int64_t number, llvm::StringRef text) {
    return lane.named ? SourceId{SourceId::String, 0, builder.intern(text)}
                      : SourceId::integer(number);
  };
  uint32_t track =
      builder.track({id(lane.pid, lane.pidText), id(lane.tid, lane.tidText), target.family});
  if (lane.kind == Lane::Stream) {
    builder.trackAt(track).device = from.device;
    builder.trackAt(track).stream = lane.tid;
  }
  if (!lane.name.empty())
    builder.trackAt(track).name = builder.intern(llvm::StringRef(lane.name).trim());

  LayoutId layout = layoutOf(e, target);
  LayoutStore &store = builder.store(layout);
  size_t column = store.columns.size() - e.args.size();
  for (const Arg &arg : e.args) {
    Column &to = store.columns[column++];
    switch (arg.value.kind) {
    case Value::Decimal:
      to.bytes.push_back(arg.value.scale);
      [[fallthrough]];
    case Value::Int:
      to.ints.push_back(arg.value.number);
      break;
    case Value::Bool:
      to.bytes.push_back(arg.value.number != 0);
      break;
    case Value::String:
    case Value::List:
      to.strings.push_back(builder.intern(arg.value.text));
      break;
    case Value::Null:
      break;
    }
  }
  uint32_t row = builder.endRow(layout);
  int64_t origin = rank.recording.origin;
  uint32_t index = builder.event(track, {e.begin - origin}, {e.end - origin},
                                 builder.intern(e.name), target.kind, layout, row, seq);
  return {track, index};
}

void RankWriter::run() {
  head();
  std::vector<EventRef> places;
  places.reserve(from.events.size());
  for (const Event &e : from.events)
    places.push_back(event(e, static_cast<uint32_t>(places.size())));
  for (size_t i = 0; i < from.events.size(); ++i) {
    const Event &e = from.events[i];
    if (e.launch != none)
      builder.edges().push_back({EdgeKind::Launch, places[e.launch], places[i]});
    if (e.forward != none)
      builder.edges().push_back({EdgeKind::FwdBwd, places[e.forward], places[i]});
  }
  builder.finish();
  rank.recording.sourceEvents = from.events.size();
}

void heddle::gen::writeText(const JobTrace &job, const Options &options, llvm::raw_ostream &os) {
  Trace trace;
  for (const RankTrace &from : job.ranks) {
    trace.ranks.push_back(std::make_unique<Rank>());
    RankWriter(job, from, options, *trace.ranks.back()).run();
  }
  PrintOptions print;
  print.stripSource = true;
  llvm::cantFail(printText(trace, os, print)); // its ranks are in memory
}
