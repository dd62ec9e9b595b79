//===- KinetoWriter.cpp - As PyTorch's recorder writes --------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Text by hand, with none of Heddle's own JSON or IR in it: an importer is tested with it.
//===----------------------------------------------------------------------===//

#include "Writers.h"
#include "llvm/Support/Format.h"
#include <algorithm>
#include <set>

using namespace heddle::gen;
using llvm::StringRef;

namespace {

class KinetoWriter {
public:
  KinetoWriter(const JobTrace &job, const RankTrace &rank, const Options &options,
               llvm::raw_ostream &os)
      : job(job), rank(rank), options(options), os(os), lines(options.era == Era::Torch2_15) {}
  void write();

private:
  void string(StringRef s);
  void time(int64_t ns);
  void value(const Value &v);
  void laneOf(uint32_t lane, bool oneLine);
  void args(const Args &list);
  void event(const Event &e);
  void instant(const Event &e);
  void flow(char phase, int64_t id, const Event &at, StringRef cat, StringRef name);
  void flowsOf(uint32_t index);
  /// `pid` is a JSON token.
  void metadata(StringRef name, const std::string &pid, int64_t tid, StringRef key, const Value &v);
  void allMetadata();
  void header();
  void deviceProperties();
  void distributedInfo();
  void separator() {
    os << (first ? "" : ",") << "\n  {\n";
    first = false;
  }

  const JobTrace &job;
  const RankTrace &rank;
  const Options &options;
  llvm::raw_ostream &os;
  bool lines; ///< One key a line.
  bool first = true;
};

} // namespace

void KinetoWriter::string(StringRef s) {
  os << '"';
  for (char c : s) {
    if (c == '"' || c == '\\')
      os << '\\';
    os << c;
  }
  os << '"';
}

void KinetoWriter::time(int64_t ns) {
  os << ns / 1000;
  if (options.era != Era::Torch1_13)
    os << llvm::format(".%03d", static_cast<int>(ns % 1000));
}

void KinetoWriter::value(const Value &v) {
  switch (v.kind) {
  case Value::Int:
    os << v.number;
    return;
  case Value::Decimal: {
    int64_t unit = 1;
    for (int i = 0; i < v.scale; ++i)
      unit *= 10;
    os << v.number / unit << '.';
    std::string digits = std::to_string(v.number % unit);
    os << std::string(v.scale - digits.size(), '0') << digits;
    return;
  }
  case Value::String:
    return string(v.text);
  case Value::List:
    os << v.text;
    return;
  case Value::Bool:
    os << (v.number ? "true" : "false");
    return;
  case Value::Null:
    os << "null";
    return;
  }
}

void KinetoWriter::laneOf(uint32_t index, bool oneLine) {
  const Lane &lane = rank.lanes[index];
  os << "\"pid\": ";
  if (lane.named)
    string(lane.pidText);
  else
    os << lane.pid;
  os << (oneLine ? ", " : ",\n    ") << "\"tid\": ";
  if (lane.named)
    string(lane.tidText);
  else
    os << lane.tid;
}

void KinetoWriter::args(const Args &list) {
  if (list.empty())
    return;
  os << (lines ? "\n    ,\n" : ",\n") << "    \"args\": {\n      ";
  for (size_t i = 0; i < list.size(); ++i) {
    if (i) // the recorder's own spacing
      os << (list[i - 1].key == "External id" ? "," : ", ");
    string(list[i].key);
    os << ": ";
    value(list[i].value);
  }
  os << "\n    }";
}

static StringRef category(EventClass cls) {
  switch (cls) {
  case EventClass::CpuOp:
    return "cpu_op";
  case EventClass::Annotation:
    return "user_annotation";
  case EventClass::Runtime:
    return "cuda_runtime";
  case EventClass::Driver:
    return "cuda_driver";
  case EventClass::Kernel:
    return "kernel";
  case EventClass::Memcpy:
    return "gpu_memcpy";
  case EventClass::Memset:
    return "gpu_memset";
  case EventClass::SyncRow:
    return "cuda_sync";
  case EventClass::DeviceAnnotation:
    return "gpu_user_annotation";
  case EventClass::Python:
    return "python_function";
  case EventClass::Memory:
    return "cpu_instant_event";
  case EventClass::Overhead:
    return "overhead";
  case EventClass::Window:
    return "Trace";
  case EventClass::Marker:
    return "";
  }
  return "";
}

void KinetoWriter::event(const Event &e) {
  StringRef cat = category(e.cls);
  separator();
  if (lines) {
    os << "    \"ph\": \"X\",\n    \"cat\": \"" << cat << "\",\n    \"name\": ";
    string(e.name);
    os << ",\n    ";
    laneOf(e.lane, false);
    os << ",\n    \"ts\": ";
    time(e.begin);
    os << ",\n    \"dur\": ";
    time(e.end - e.begin);
  } else if (e.cls == EventClass::Window) {
    os << "    \"ph\": \"X\", \"cat\": \"" << cat << "\", \"ts\": ";
    time(e.begin);
    os << ", \"dur\": ";
    time(e.end - e.begin);
    os << ",\n    ";
    laneOf(e.lane, true);
    os << ",\n    \"name\": ";
    string(e.name);
  } else {
    os << "    \"ph\": \"X\", \"cat\": \"" << cat << "\", \"name\": ";
    string(e.name);
    os << ", ";
    laneOf(e.lane, true);
    os << ",\n    \"ts\": ";
    time(e.begin);
    os << ", \"dur\": ";
    time(e.end - e.begin);
  }
  args(e.args);
  os << "\n  }";
}

void KinetoWriter::instant(const Event &e) {
  separator();
  bool marker = e.cls == EventClass::Marker;
  StringRef next = lines ? ",\n    " : ", ";
  if (marker && !lines) {
    os << "    \"name\": ";
    string(e.name);
    os << ", \"ph\": \"i\", \"s\": \"g\",\n    ";
    laneOf(e.lane, true);
    os << ", \"ts\": ";
  } else {
    os << "    \"ph\": \"i\"" << next;
    if (marker)
      os << "\n    \"s\": \"g\"";
    else
      os << "\"cat\": \"" << category(e.cls) << '"' << next << "\"s\": \"t\"";
    os << next << "\"name\": ";
    string(e.name);
    os << ",\n    ";
    laneOf(e.lane, !lines);
    os << ",\n    \"ts\": ";
  }
  time(e.begin);
  args(e.args);
  os << (marker && lines ? "\n    \n  }" : "\n  }");
}

void KinetoWriter::flow(char phase, int64_t id, const Event &at, StringRef cat, StringRef name) {
  separator();
  StringRef next = lines ? ",\n    " : ", ";
  os << "    \"ph\": \"" << phase << '"' << next << "\"id\": " << id << next;
  laneOf(at.lane, !lines);
  os << next << "\"ts\": ";
  time(at.begin);
  os << ",\n    \"cat\": \"" << cat << '"' << next << "\"name\": \"" << name << '"';
  if (phase == 'f' || options.era == Era::Torch1_13)
    os << next << "\"bp\": \"e\"";
  os << "\n  }";
}

/// The ends of flows that are anchored at this event. Every activity and every call has one.
void KinetoWriter::flowsOf(uint32_t index) {
  const Event &e = rank.events[index];
  bool old = options.era == Era::Torch1_13;
  StringRef cat = old ? "async_cpu_to_gpu" : "ac2g", name = old ? "async_gpu" : "ac2g";
  if (isActivity(e.cls) || e.cls == EventClass::SyncRow) {
    flow('f', e.correlation, e, cat, name);
  } else if (e.cls == EventClass::Runtime || e.cls == EventClass::Driver) {
    StringRef call = e.name;
    // ROCm's recorder draws no flow from a graph launch, but to it.
    bool starts = (call.contains("Launch") && call != "hipGraphLaunch") ||
                  call.contains("Memcpy") || call.contains("Memset") ||
                  call.contains("StreamWaitEvent") || call.contains("StreamSynchronize") ||
                  call.contains("DeviceSynchronize");
    flow(starts ? 's' : 'f', e.correlation, e, cat, name);
  }
}

void KinetoWriter::metadata(StringRef name, const std::string &pid, int64_t tid, StringRef key,
                            const Value &v) {
  separator();
  if (lines) {
    os << "    \"ph\": \"M\",\n    \"name\": \"" << name << "\",\n    \"ts\": ";
    time(rank.windowBegin);
    os << ",\n    \"pid\": " << pid << ",\n    \"tid\": " << tid << ",\n";
  } else {
    os << "    \"name\": \"" << name << "\", \"ph\": \"M\", \"ts\": ";
    time(rank.windowBegin);
    os << ", \"pid\": " << pid << ", \"tid\": " << tid << ",\n";
  }
  os << "    \"args\": {\n      \"" << key << "\": ";
  value(v);
  os << "\n    }\n  }";
}

void KinetoWriter::allMetadata() {
  auto process = [&](int64_t number, StringRef name, StringRef label, int64_t sort) {
    std::string pid = std::to_string(number);
    metadata("process_name", pid, 0, "name", Value::string(name));
    if (!label.empty())
      metadata("process_labels", pid, 0, "labels", Value::string(label));
    metadata("process_sort_index", pid, 0, "sort_index", Value::integer(sort));
  };
  process(rank.pid, "python", "CPU", rank.pid);
  // Devices have rows whether they are used or not.
  for (int64_t device = 0; device < 8; ++device)
    process(device, "python", "GPU " + std::to_string(device),
            (options.era == Era::Torch1_13 ? 16777216 : 5000000) + device);
  for (const Lane &lane : rank.lanes) {
    if (lane.name.empty())
      continue;
    std::string pid = std::to_string(lane.pid);
    metadata("thread_name", pid, lane.tid, "name", Value::string(lane.name));
    metadata("thread_sort_index", pid, lane.tid, "sort_index", Value::integer(lane.tid));
  }
  process(-1, "CUPTI Overhead", "", 16777226);
}

void KinetoWriter::deviceProperties() {
  os << "\"deviceProperties\": [\n";
  bool rocm = options.vendor == Vendor::Rocm;
  int64_t count = std::min<int64_t>(options.ranksPerHost(), 8);
  for (int64_t id = 0; id < count; ++id) {
    os << "    {\n      \"id\": " << id << ", \"name\": \""
       << (rocm ? "AMD Instinct MI300X" : "NVIDIA H100 80GB HBM3")
       << "\", \"totalGlobalMem\": " << (rocm ? "205571227648" : "85017493504")
       << ",\n      \"computeMajor\": 9, \"computeMinor\": " << (rocm ? 4 : 0)
       << ",\n      \"maxThreadsPerBlock\": 1024, \"maxThreadsPerMultiprocessor\": 2048,\n      "
          "\"regsPerBlock\": 65536, \"warpSize\": "
       << (rocm ? 64 : 32) << ",\n      \"sharedMemPerBlock\": " << (rocm ? 65536 : 49152)
       << ", \"numSms\": " << (rocm ? 304 : 132) << "\n    ";
    if (rocm)
      os << ", \"maxSharedMemoryPerMultiProcessor\": 65536";
    else
      os << ", \"regsPerMultiprocessor\": 65536, \"sharedMemPerBlockOptin\": 232448, "
            "\"sharedMemPerMultiprocessor\": 233472";
    os << "\n    }" << (id + 1 < count ? ",\n" : "\n");
  }
  os << "  ],\n";
}

void KinetoWriter::distributedInfo() {
  if (options.ranks < 2)
    return;
  os << "  \"distributedInfo\": {\"backend\": \"nccl\", \"rank\": " << rank.number
     << ", \"world_size\": " << options.ranks;
  if (options.era != Era::Torch1_13) {
    os << ", \"pg_count\": " << rank.groups.size() << ", \"pg_config\": [";
    for (size_t g = 0; g < rank.groups.size(); ++g) {
      const ProcessGroup &group = rank.groups[g];
      os << (g ? ", " : "") << "{\"pg_name\": \"" << group.name << "\", \"pg_desc\": \""
         << group.description << R"(", "backend_config": "cuda:nccl", "pg_size": )"
         << group.ranks.size() << ", \"ranks\": [";
      for (size_t i = 0; i < group.ranks.size(); ++i)
        os << (i ? ", " : "") << group.ranks[i];
      os << "]}";
    }
    os << "], \"nccl_version\": \"2.27.5\"";
  }
  os << "},\n";
}

void KinetoWriter::header() {
  os << (lines ? " {\n" : "\n{\n") << "  \"schemaVersion\": 1,\n  ";
  deviceProperties();
  if (options.vendor == Vendor::Rocm)
    os << "  \"roctracer_version\": 4.1,\n";
  else if (options.era != Era::Torch1_13)
    os << "  \"cuda_runtime_version\": 12090,\n  \"cupti_version\": 28,\n"
          "  \"cuda_driver_version\": 12090,\n";
  if (options.stack)
    os << "  \"with_stack\": 1,\n";
  if (options.memory)
    os << "  \"profile_memory\": 1,\n";
  if (options.shapes)
    os << "  \"record_shapes\": 1,\n";
  distributedInfo();
  if (lines)
    os << "  \"host_name\": \"node" << rank.host
       << "\",\n  \"displayTimeUnit\": \"ms\",\n"
          "  \"baseTimeNanoseconds\": "
       << job.base << ",\n";
  os << "  \"traceEvents\": [";
}

void KinetoWriter::write() {
  header();
  if (lines)
    allMetadata();
  std::set<uint32_t> forwards;
  for (const Event &e : rank.events)
    if (e.forward != none)
      forwards.insert(e.forward);
  bool old = options.era == Era::Torch1_13;
  StringRef cat = old ? "forward_backward" : "fwdbwd", name = old ? "fwd_bwd" : "fwdbwd";
  for (uint32_t i = 0; i < rank.events.size(); ++i) {
    const Event &e = rank.events[i];
    if (isInstant(e.cls)) {
      if (rank.lanes[e.lane].pidText == "Traces")
        metadata("process_sort_index", "\"Spans\"", 0, "sort_index", Value::integer(536870912));
      instant(e);
      continue;
    }
    if (e.cls == EventClass::Overhead && !lines)
      allMetadata();
    event(e);
    flowsOf(i);
    if (forwards.count(i))
      flow('s', i + 1, e, cat, name);
    if (e.forward != none)
      flow('f', e.forward + 1, e, cat, name);
  }
  os << "\n  ]";
  StringRef traceName = "/tmp/tmpx78selo7.json";
  if (lines)
    os << ",\"traceName\": \"" << traceName << "\" }";
  else if (options.era == Era::Torch2_4)
    os << ",\n  \"traceName\": \"" << traceName
       << "\",\n  \"displayTimeUnit\": \"ms\",\n  \"baseTimeNanoseconds\": " << job.base << "\n}";
  else
    os << ",\n  \"traceName\": \"" << traceName << "\"\n}";
}

void heddle::gen::writeKineto(const JobTrace &job, const RankTrace &rank, const Options &options,
                              llvm::raw_ostream &os) {
  KinetoWriter(job, rank, options, os).write();
}
