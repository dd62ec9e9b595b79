//===- PluginView.cpp - What torch-tb-profiler wants otherwise ------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "PluginView.h"
#include "ChromeRows.h"
#include "heddle/Support/Json.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace llvm;

namespace heddle::chrome {

/// How many devices the plugin has room for.
static constexpr int64_t kDevices = 64;

//===----------------------------------------------------------------------===//
// Names that the plugin knows
//===----------------------------------------------------------------------===//

static constexpr StringLiteral kStep = "ProfilerStep#";

/// Collectives of the Distributed view.
static bool isCollective(StringRef name) {
  if (!name.consume_front("nccl:") && !name.consume_front("gloo:"))
    return false;
  return StringSwitch<bool>(name)
      .Cases("broadcast", "reduce", "all_reduce", "all_gather", "reduce_scatter", true)
      .Default(false);
}

/// Annotations that are ops for the plugin: its release takes no other category for them.
static bool isOpByName(StringRef name) {
  return (name.starts_with("enumerate(DataLoader)#") && name.ends_with(".__next__")) ||
         name.starts_with("enumerate(DataPipe)#") || name.starts_with("Optimizer.") ||
         name == "DataParallel.forward" || name == "DistributedDataParallel.forward";
}

/// Whether the number of a step is one for Python's int().
static bool isStep(StringRef name) {
  uint64_t number;
  return name.consume_front(kStep) && !name.split('#').first.trim().getAsInteger(10, number);
}

static bool isModule(StringRef name) { return name.starts_with("nn.Module: "); }

bool PluginView::isNode(const Rank &rank, const Track &t, uint32_t i) {
  StringRef name = rank.str(t.names[i]);
  switch (t.kinds[i]) {
  case EventKind::CpuOp:
    return !name.starts_with(kStep) || isStep(name);
  case EventKind::Annotation:
    return isThread(t.key.family) && (isStep(name) || isOpByName(name) || isCollective(name));
  case EventKind::Python:
    return isModule(name);
  default:
    return false;
  }
}

StringRef PluginView::category(EventRef e, StringRef cat) const {
  const Track &t = rank.track(e.track);
  EventKind kind = t.kinds[e.index];
  StringRef name = rank.name(e);
  if (kind == EventKind::Runtime || (kind == EventKind::Driver && launching.contains(e)))
    return "Runtime";
  if (kind == EventKind::Annotation || kind == EventKind::CpuOp) {
    // A second annotation of a step would be one more step, and of a collective one more of it.
    if (name.starts_with(kStep) && (!isThread(t.key.family) || !isStep(name)))
      return "annotation";
    if (!isThread(t.key.family) && isCollective(name))
      return "annotation";
    return kind == EventKind::Annotation && isThread(t.key.family) && isOpByName(name) ? "cpu_op"
                                                                                       : cat;
  }
  if (!isDeviceWork(kind) ||
      StringSwitch<bool>(cat).CasesLower("kernel", "gpu_memcpy", "gpu_memset", true).Default(false))
    return cat;
  return kind == EventKind::Kernel   ? "kernel"
         : kind == EventKind::Memcpy ? "gpu_memcpy"
                                     : "gpu_memset";
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

int64_t PluginView::memoryDevice(const Track &t, uint32_t i) const {
  int64_t n = deviceId.getInt(t, i).value_or(-1);
  return n >= 0 && n < kDevices ? n : -1;
}

std::optional<double> PluginView::longDuration(int64_t beginNs, int64_t endNs) {
  auto micros = [](int64_t ns) { return static_cast<double>(ns) / 1000; };
  double begin = micros(beginNs), end = micros(endNs);
  if (begin + micros(endNs - beginNs) == end)
    return std::nullopt;
  double length = end - begin;
  for (double near : {length, std::nextafter(length, 0.0), std::nextafter(length, end)})
    if (begin + near == end)
      return near;
  return std::nullopt;
}

/// The plugin has no memory but of CPUs and CUDA's devices: others are shown as the latter.
static std::optional<int64_t> shownDeviceType(int64_t type) {
  constexpr int64_t accelerators[] = {6 /*HIP*/,  9 /*XLA*/,   12 /*XPU*/, 13 /*MPS*/,
                                      15 /*HPU*/, 19 /*MTIA*/, 20 /*PrivateUse1*/};
  return is_contained(accelerators, type) ? std::optional<int64_t>(1) : std::nullopt;
}

/// The Distributed view multiplies the numbers of each shape by the size of its type.
bool PluginView::shapesBreak(const Track &t, uint32_t i) const {
  auto listOf = [&](const AttrReader &reader) -> std::optional<json::Array> {
    std::optional<json::Value> value = parseJsonTree(reader.getString(t, i).value_or(""));
    json::Array *list = value ? value->getAsArray() : nullptr;
    return list ? std::optional<json::Array>(std::move(*list)) : std::nullopt;
  };
  if (!dims.present(t, i))
    return false;
  std::optional<json::Array> shapes = listOf(dims), names = listOf(types);
  if (!shapes || !names || names->size() < shapes->size())
    return true;
  return !all_of(*shapes, [](const json::Value &shape) {
    const json::Array *numbers = shape.getAsArray();
    return numbers && all_of(*numbers, [](const json::Value &n) { return !!n.getAsInteger(); });
  });
}

void PluginView::adjust(EventRef e, uint32_t pid, ViewerArgs::Extra &extra) const {
  const Track &t = rank.track(e.track);
  uint32_t i = e.index;
  if (!ids[e.track].empty() && ids[e.track][i] != kRecorded)
    extra.externalId = ids[e.track][i];
  switch (t.kinds[i]) {
  case EventKind::Kernel:
  case EventKind::Memcpy:
  case EventKind::Memset:
    extra.device = std::min<int64_t>(pid, kDevices - 1);
    extra.numbersOnly = true;
    break;
  case EventKind::Memory:
    extra.memoryDevice = memoryDevice(t, i);
    if (auto type = deviceType.getInt(t, i))
      extra.memoryType = shownDeviceType(*type);
    break;
  case EventKind::CpuOp:
  case EventKind::Annotation:
    extra.withoutShapes = isCollective(rank.name(e)) && shapesBreak(t, i);
    break;
  default:
    break;
  }
}

//===----------------------------------------------------------------------===//
// The document
//===----------------------------------------------------------------------===//

/// The plugin takes the properties of device n from place n of the list, and fails where memory
/// events name one beyond its end.
void PluginView::members(const RowPlan &plan, ChromeText &out) const {
  const std::vector<Device> &devices = rank.recording.devices;
  int64_t count = devices.empty() ? 0 : memoryDevices + 1;
  std::vector<int64_t> used;
  for (const ViewerProcess &p : plan.processes())
    if (StringRef(p.label).starts_with("GPU ") && p.pid < kDevices)
      used.push_back(p.pid);
  for (const Device &d : devices)
    if (d.id < kDevices)
      count = std::max(count, d.id + 1);
  bool only = devices.size() == 1; // numbers that do not match mean the one that there is
  for (int64_t n : used)
    count = only ? std::max(count, n + 1) : count;
  if (count > 0) {
    out << "\"deviceProperties\": [";
    for (int64_t n = 0; n != count; ++n) {
      auto d = find_if(devices, [&](const Device &x) { return x.id == n; });
      if (d == devices.end() && only && (is_contained(used, n) || devices.front().id < 0))
        d = devices.begin();
      out << (n ? ", {" : "{");
      if (d != devices.end()) {
        out << "\"id\": " << n << ", \"name\": ";
        out.string(d->name);
        auto number = [&](StringRef key, int64_t value) {
          if (value >= 0)
            out << ", \"" << key << "\": " << value;
        };
        number("totalGlobalMem", d->totalMemory);
        number("computeMajor", d->computeMajor);
        number("computeMinor", d->computeMinor);
        number("numSms", d->numSms);
      }
      out << "}";
    }
    out << "],\n";
  }
  if (!rank.number)
    return;
  out << "\"distributedInfo\": {\"rank\": " << *rank.number;
  if (rank.worldSize)
    out << ", \"world_size\": " << *rank.worldSize;
  if (!rank.backend.empty()) {
    out << ", \"backend\": ";
    out.string(rank.backend);
  }
  out << "},\n";
}

//===----------------------------------------------------------------------===//
// Links
//===----------------------------------------------------------------------===//

PluginView::PluginView(const Rank &rank)
    : rank(rank), externalId(rank, {"External id", "external id"}), deviceId(rank, "Device Id"),
      deviceType(rank, "Device Type"), dims(rank, {"Input Dims", "Input dims"}),
      types(rank, "Input type"), ids(rank.tracks().size()) {
  for (const Track &t : rank.tracks())
    for (uint32_t i = 0; i != t.size(); ++i)
      if (t.kinds[i] == EventKind::Memory)
        memoryDevices = std::max(memoryDevices, memoryDevice(t, i));
      else if (t.kinds[i] == EventKind::Python)
        modules = modules || isModule(rank.str(t.names[i]));
}

/// The plugin finds the op of a call by `External id` alone. Where the recorder's ids link nothing,
/// each op gets an id of its own if need be, and a call that of the innermost op in which it
/// begins. A call without an op carries 0, since a missing id links it to the first op that has
/// none either.
void PluginView::linkCalls(const Nesting &nesting, const Launches &launches) {
  auto forEach = [&](auto takes, auto f) {
    for (auto [track, t] : enumerate(rank.tracks()))
      for (uint32_t i = 0; i != t.size(); ++i)
        if (takes(t, i)) {
          ids[track].resize(t.size(), kRecorded);
          f(EventRef{static_cast<uint32_t>(track), i}, t);
        }
  };
  auto isCall = [](const Track &t, uint32_t i) { return isApiCall(t.kinds[i]); };
  auto isWork = [](const Track &t, uint32_t i) { return isDeviceWork(t.kinds[i]); };
  auto isOp = [&](const Track &t, uint32_t i) {
    return t.kinds[i] != EventKind::Python && isNode(rank, t, i);
  };
  bool named = false;
  forEach(isCall, [&](EventRef e, const Track &t) {
    named |= externalId.getInt(t, e.index).value_or(0) > 0;
  });
  bool byTime = rank.recording.externalIdsBroken || !named;
  if (byTime) {
    std::set<int64_t> taken;
    forEach(isOp, [&](EventRef e, const Track &t) {
      int64_t id = externalId.getInt(t, e.index).value_or(0);
      ids[e.track][e.index] = id > 0 && taken.insert(id).second ? id : 0;
    });
    int64_t next = 0;
    forEach(isOp, [&](EventRef e, const Track &) {
      int64_t &id = ids[e.track][e.index];
      while (id == 0)
        if (taken.insert(++next).second)
          id = next;
    });
  }
  std::vector<int64_t> within; // by event of a track: the id of the op that it is or lies in
  uint32_t of = static_cast<uint32_t>(-1);
  forEach(isCall, [&](EventRef e, const Track &t) {
    int64_t &id = ids[e.track][e.index];
    id = externalId.getInt(t, e.index).value_or(0);
    if (!byTime)
      return;
    const std::vector<uint32_t> &parent = nesting.tracks[e.track].parent;
    if (of != e.track) {
      of = e.track;
      within.assign(t.size(), 0);
      for (uint32_t i = 0; i != parent.size(); ++i)
        within[i] = isOp(t, i)                         ? ids[e.track][i]
                    : parent[i] != TrackNesting::kNone ? within[parent[i]]
                                                       : 0;
    }
    id = within[e.index];
  });
  forEach(isWork, [&](EventRef e, const Track &t) {
    int64_t own = byTime ? 0 : externalId.getInt(t, e.index).value_or(0);
    const LaunchCall *launch = launches.launchOf(e);
    ids[e.track][e.index] = own == 0 && launch ? ids[launch->call.track][launch->call.index] : own;
  });
  for (const LaunchCall &call : launches.calls)
    if (rank.kind(call.call) == EventKind::Driver)
      launching.insert(call.call);
}

Expected<PluginView> PluginView::create(const Rank &rank) {
  PluginView view(rank);
  AnalysisCache cache(rank);
  Limits limits;
  Expected<const Nesting *> nesting = cache.get<Nesting>(limits);
  if (!nesting)
    return nesting.takeError();
  Expected<const Launches *> launches = cache.get<Launches>(limits);
  if (!launches)
    return launches.takeError();
  view.linkCalls(**nesting, **launches);
  return view;
}

} // namespace heddle::chrome
