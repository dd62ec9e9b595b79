//===- Facts.cpp - What document and categories say about a file ----------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Eras.h"
#include "JsonView.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <set>
#include <tuple>

using namespace llvm;

namespace heddle::chrome {

//===----------------------------------------------------------------------===//
// Rank, host, devices
//===----------------------------------------------------------------------===//

/// The number in "rank-3", "rank_3", "rank3" or "-TP-3" of a file name.
static std::optional<int64_t> rankInName(StringRef path) {
  StringRef name = sys::path::filename(path);
  for (StringRef mark : {"rank", "-TP-"})
    for (size_t i = name.find_insensitive(mark); i != StringRef::npos;
         i = name.find_insensitive(mark, i + 1)) {
      StringRef rest = name.drop_front(i + mark.size());
      if (mark == "rank" && !rest.consume_front("-"))
        rest.consume_front("_");
      int64_t n;
      if (!rest.empty() && isDigit(rest.front()) && !rest.consumeInteger(10, n))
        return n;
    }
  return std::nullopt;
}

/// The host in <host>_<pid>.<time>.pt.trace.json, if the pid is one of the recording.
static std::string hostInName(const Rank &rank) {
  StringRef name = sys::path::filename(rank.recording.path);
  name.consume_back(".gz");
  if (!name.consume_back(".pt.trace.json"))
    return "";
  auto [worker, time] = name.rsplit('.');
  if (time.size() < 13 || !all_of(time, isDigit))
    return "";
  auto [host, pid] = worker.rsplit('_');
  int64_t number;
  if (pid.getAsInteger(10, number) ||
      none_of(rank.tracks(),
              [n = SourceId::integer(number)](const Track &t) { return t.key.pid == n; }))
    return "";
  return host.str();
}

static void readDevices(Sink &sink) {
  Recording &rec = sink.ranked().recording;
  uint64_t repeated = 0;
  std::set<std::tuple<int64_t, int64_t, int64_t, int64_t, int64_t, std::string>> listed;
  forEachElement(rec.document.find("deviceProperties"), [&](StringRef props) {
    Device d;
    int64_t threads = -1;
    forEachMember(props, [&](StringRef key, StringRef value) {
      int64_t n = integer(value).value_or(-1);
      if (key == "id")
        d.id = n;
      else if (key == "name")
        d.name = text(value);
      else if (key == "numSms")
        d.numSms = n;
      else if (key == "maxThreadsPerMultiprocessor")
        threads = n;
      else if (key == "totalGlobalMem")
        d.totalMemory = n;
      else if (key == "computeMajor")
        d.computeMajor = n;
      else if (key == "computeMinor")
        d.computeMinor = n;
    });
    // One generation of recorders writes the multiprocessors in place of their threads, which are
    // at least 512 on any device.
    if (d.numSms < 0 && threads > 0 && threads < 512)
      d.numSms = threads;
    // Merged files list a device once a rank.
    if (listed.emplace(d.id, d.numSms, d.totalMemory, d.computeMajor, d.computeMinor, d.name)
            .second)
      rec.devices.push_back(std::move(d));
    else
      ++repeated;
  });
  sink.note("repeated-device", repeated);
}

//===----------------------------------------------------------------------===//
// Format and vendor
//===----------------------------------------------------------------------===//

namespace {
/// Categories and phases that occur, in lower case.
struct Seen {
  std::set<std::string> categories;
  bool mixedCase = false, operatorCat = false, counted = false;
  uint64_t bare = 0; ///< X without category.

  explicit Seen(const Rank &rank) {
    for (const LayoutStore &store : rank.layouts()) {
      if (!store.rows)
        continue;
      if (store.layout.cat == StringId::None) {
        bare += store.layout.phase == 'X' ? store.rows : 0;
        continue;
      }
      StringRef cat = rank.str(store.layout.cat);
      char phase = store.layout.phase;
      if (phase == 'X' || phase == 'i' || phase == 'B')
        categories.insert(cat.lower());
      operatorCat |= cat == "Operator";
      mixedCase |= cat == "Runtime" || cat == "Kernel" || cat == "Memcpy";
    }
  }
  bool has(StringRef c) const { return categories.count(c.str()) != 0; }
};
} // namespace

static Vendor vendorOf(const Rank &rank, const Seen &seen) {
  const Document &doc = rank.recording.document;
  auto key = [&](StringRef k) { return !doc.find(k).empty(); };
  for (StringRef c : seen.categories)
    if (c.starts_with("mtia_"))
      return Vendor::Mtia;
  for (StringRef c : seen.categories)
    if (c.starts_with("xpu_"))
      return Vendor::Xpu;
  if (key("roctracer_version") || key("rocprofiler-sdk_version") || key("hip_runtime_version"))
    return Vendor::Rocm;
  bool calls = false, device = false, cuda = false;
  for (const Track &t : rank.tracks())
    for (uint32_t i = 0; i < t.size(); ++i) {
      device |= isDeviceWork(t.kinds[i]);
      if (!isApiCall(t.kinds[i]))
        continue;
      StringRef name = rank.str(t.names[i]);
      if (name.starts_with("hip"))
        return Vendor::Rocm;
      cuda |= name.starts_with("cu");
      calls = true;
    }
  if (cuda)
    return Vendor::Cuda;
  for (const Device &d : rank.recording.devices)
    if (device && StringRef(d.name).contains_insensitive("AMD"))
      return Vendor::Rocm;
  if (device && (key("cupti_version") || key("cuda_runtime_version") ||
                 rank.strings().find("registers per thread")))
    return Vendor::Cuda;
  return calls || device ? Vendor::Other : Vendor::None;
}

static bool isKineto(const Rank &rank, const Seen &seen) {
  StringRef ours = rank.recording.document.find("heddle"); // an export says what its source was
  if (std::string format = text(member(ours, "format")); !format.empty())
    return format == "kineto";
  if (any_of(seen.categories, [](const std::string &c) { return isKinetoCategory(c); }))
    return true;
  if (!rank.recording.document.find("schemaVersion").empty() || seen.operatorCat)
    return true;
  for (const Track &t : rank.tracks())
    if (any_of(t.kinds, [](EventKind k) { return k == EventKind::CpuOp || isDeviceWork(k); }))
      return true;
  return false;
}

void settleFacts(Sink &sink) {
  Rank &rank = sink.ranked();
  Recording &rec = rank.recording;
  Seen seen(rank);
  rec.format = isKineto(rank, seen) ? "kineto" : "chrome";
  rec.integerMicroseconds &= rec.format == "kineto";
  rec.vendor = vendorOf(rank, seen);
  readDevices(sink);
  StringRef info = rec.document.find("distributedInfo");
  rank.number = integer(member(info, "rank"));
  rank.worldSize = integer(member(info, "world_size"));
  rank.backend = text(member(info, "backend"));
  if (!rank.number)
    rank.number = rankInName(rec.path);
  rank.host = text(rec.document.find("host_name"));
  if (rank.host.empty())
    rank.host = hostInName(rank);
  sink.note("no-category", seen.bare);
  // VizTracer keeps a ring of events, and says whether it wrapped around.
  bool wrapped = member(rec.document.find("viztracer_metadata"), "overflow") == "true";
  sink.note("buffer-overflow", wrapped);
}

//===----------------------------------------------------------------------===//
// Names of tracks
//===----------------------------------------------------------------------===//

SourceId plainId(const SourceId &id, const Rank &rank) {
  if (id.form != SourceId::String)
    return id;
  StringRef text = rank.str(id.text).trim();
  text.consume_front("stream ");
  int64_t n;
  return text.getAsInteger(10, n) ? id : SourceId::integer(n);
}

void nameTracks(Sink &sink) {
  Rank &rank = sink.ranked();
  std::map<Sink::ThreadKey, StringId> exact = sink.threadNames(), plain;
  for (auto &[key, name] : exact)
    plain[{plainId(key.first, rank), plainId(key.second, rank)}] = name;
  for (uint32_t n = 0; n < rank.tracks().size(); ++n) {
    Track &t = sink.ranks().trackAt(n);
    if (t.key.family == Family::Async)
      continue; // its tid is no thread
    StringId name = StringId::None;
    if (auto it = exact.find({t.key.pid, t.key.tid}); it != exact.end())
      name = it->second;
    else if (auto near = plain.find({plainId(t.key.pid, rank), plainId(t.key.tid, rank)});
             near != plain.end())
      name = near->second;
    if (name == StringId::None)
      continue;
    // A thread may share pid and tid with a stream, and then the name is one of both.
    StringRef text = rank.str(name);
    bool wrong = isStream(t.key.family) ? text.starts_with("thread ")
                                        : isThread(t.key.family) && text.starts_with("stream ");
    if (!wrong)
      t.name = name;
  }
}

//===----------------------------------------------------------------------===//
// Producer
//===----------------------------------------------------------------------===//

std::string producerPhrase(const Sink &, const Rank &rank) {
  const Recording &rec = rank.recording;
  const Document &doc = rec.document;
  if (StringRef ours = doc.find("heddle"); !ours.empty()) // an export: who recorded it
    if (std::string producer = text(member(ours, "producer")); !producer.empty())
      return producer;
  if (!doc.find("viztracer_metadata").empty())
    return "VizTracer";
  if (rec.format != "kineto")
    return "";
  Seen seen(rank);
  if (rank.strings().find("async_npu"))
    return "torch_npu (Ascend)";
  if (doc.isArray && (rank.strings().find("Ascend Hardware") || rank.strings().find("HCCL")))
    return "msprof (Ascend)";
  if (seen.operatorCat)
    return "PyTorch 1.8 (Kineto)";
  if (doc.isArray)
    return seen.bare ? "PyTorch (autograd profiler without Kineto)" : "PyTorch";
  if (seen.mixedCase)
    return "PyTorch 1.9-1.11 (Kineto)";
  if (doc.find("schemaVersion").empty() && seen.categories.empty())
    return "";
  if (rec.unpaddedFraction)
    return "PyTorch nightly of March 2024 (Kineto)";
  if (rec.absolute) {
    if (!rec.integerMicroseconds)
      return "PyTorch nightly of spring 2024 (Kineto)";
    return rec.externalIdsBroken ? "PyTorch 1.12-2.2 (Kineto)" : "PyTorch 1.12-2.3 (Kineto)";
  }
  if (!rec.base)
    return rec.sourceEvents ? "PyTorch (Kineto)" : "";
  bool before = false;
  for (const Document::Member &m : doc.members) {
    if (m.key == "traceEvents")
      break;
    before |= m.key == "baseTimeNanoseconds";
  }
  auto key = [&](StringRef k) { return rank.strings().find(k).has_value(); };
  if (!before)
    return key("Input Strides") ? "PyTorch 2.5-2.7 (Kineto)" : "PyTorch 2.4-2.7 (Kineto)";
  if (key("graph node id") || key("CallFrom") || key("occupancy"))
    return "PyTorch of 2026 (Kineto)";
  return "PyTorch 2.8 or later (Kineto)";
}

} // namespace heddle::chrome
