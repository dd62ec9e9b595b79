//===- ChromeRows.cpp - Which row of a viewer an event goes on ------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "ChromeRows.h"
#include "heddle/Support/Json.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace heddle::chrome {

//===----------------------------------------------------------------------===//
// Lanes and numbers
//===----------------------------------------------------------------------===//

uint32_t Lanes::place(int64_t begin, int64_t end) {
  for (uint32_t lane = 0; lane != open.size(); ++lane) {
    std::vector<int64_t> &around = open[lane];
    while (!around.empty() && around.back() <= begin)
      around.pop_back();
    if (around.empty() || (form == Nested && end <= around.back())) {
      around.push_back(end);
      return lane;
    }
  }
  if (open.size() < kSearched) {
    open.push_back({end});
    return used++;
  }
  uint32_t lane = used;
  if (!further.empty() && further.begin()->first <= begin) {
    lane = further.begin()->second;
    further.erase(further.begin());
  } else {
    ++used;
  }
  further.insert({end, lane});
  return lane;
}

uint32_t Numbers::take(std::optional<int64_t> wanted, uint32_t spare) {
  if (wanted && *wanted > 0 && *wanted <= INT32_MAX &&
      used.insert(static_cast<uint32_t>(*wanted)).second)
    return static_cast<uint32_t>(*wanted);
  next = std::max(next, spare);
  while (!used.insert(next).second)
    ++next;
  return next++;
}

bool Numbers::takeDevice(int64_t number) {
  return number >= 0 && number < kDevices && used.insert(static_cast<uint32_t>(number)).second;
}

/// Numbers of our own begin here: above process ids of most machines.
static constexpr uint32_t kSpare = 10'000'000;
/// No tid is the pid of its process: viewers take such a thread for the main one.
static constexpr uint32_t kSpareTid = 20'000'000;

/// The number in an id, also in one that is text: "25738", "stream 7".
static std::optional<int64_t> numberOf(const SourceId &id, const Rank &rank) {
  if (id.form == SourceId::Int)
    return id.value;
  if (id.form != SourceId::String)
    return std::nullopt;
  StringRef text = rank.str(id.text).trim();
  text.consume_front("stream ");
  int64_t n;
  return text.getAsInteger(10, n) ? std::nullopt : std::optional<int64_t>(n);
}

static std::string textOf(const SourceId &id, const Rank &rank) {
  return id.form == SourceId::Int      ? std::to_string(id.value)
         : id.form == SourceId::Absent ? std::string()
                                       : rank.str(id.text).trim().str();
}

//===----------------------------------------------------------------------===//
// Processes
//===----------------------------------------------------------------------===//

/// The names that metadata rows give to processes; the last one counts.
void RowPlan::readProcessNames() {
  for (const LooseRow &l : rank.loose()) {
    StringRef text = rank.str(l.text);
    if (!text.contains("\"process_name\""))
      continue;
    auto value = parseJsonTree(text);
    if (!value)
      continue;
    const json::Object *o = value->getAsObject();
    const json::Object *args = o ? o->getObject("args") : nullptr;
    auto what = o ? o->getString("name") : std::nullopt;
    auto name = args ? args->getString("name") : std::nullopt;
    const json::Value *pid = o ? o->get("pid") : nullptr;
    if (!name || !pid || what != "process_name")
      continue;
    if (auto n = pid->getAsInteger())
      processNames[std::to_string(*n)] = name->str();
    else if (auto s = pid->getAsString())
      processNames[s->trim().str()] = name->str();
  }
}

StringRef RowPlan::deviceName(int64_t device) const {
  if (auto it = deviceNames.find(device); it != deviceNames.end())
    return it->second;
  const std::vector<Device> &all = rank.recording.devices;
  return all.size() == 1 ? StringRef(all[0].name) : "";
}

std::string RowPlan::hostName(const SourceId &pid) const {
  std::string text = textOf(pid, rank);
  auto it = processNames.find(text);
  if (it != processNames.end() && !it->second.empty())
    return it->second;
  if (pid.form == SourceId::Int) // viewers show the number themselves
    return "process";
  return text.empty() ? "no process" : text;
}

/// Of one rank the order is the one that PyTorch writes; several ranks follow each other, closer
/// together, since viewers take 31 bits.
uint64_t RowPlan::placed(uint64_t order) const {
  if (rankTitle.empty())
    return order;
  uint64_t within = order < 5'000'000   ? std::min<uint64_t>(order, 4'999)
                    : order < 6'000'000 ? 5'000 + std::min<uint64_t>(order - 5'000'000, 999)
                                        : 6'000 + std::min<uint64_t>(order - 6'000'000, 3'999);
  return std::min<uint64_t>(index * 10'000 + within, INT32_MAX);
}

/// PyTorch 1.8 writes the number of a thread as text in spans and as a number in instants, which
/// torch-tb-profiler finds under one row alone.
SourceId RowPlan::plainId(const SourceId &id) const {
  std::optional<int64_t> number = staysOnThread ? numberOf(id, rank) : std::nullopt;
  return number ? SourceId::integer(*number) : id;
}

uint32_t RowPlan::spareDevice(Numbers &pids) const {
  for (uint32_t n = 0; (staysOnThread || !rankTitle.empty()) && n != Numbers::kDevices; ++n)
    if (pids.takeDevice(n))
      return n;
  return pids.take(std::nullopt, kSpare);
}

/// The number of a device, or where another process has it (Ascend's profilers give collectives one
/// of their own), the first that is left of those that viewers take for devices'.
uint32_t RowPlan::numberedDevice(int64_t device, Numbers &pids) const {
  if (pids.takeDevice(device))
    return static_cast<uint32_t>(device);
  for (uint32_t n = 0; n != Numbers::kDevices; ++n)
    if (pids.takeDevice(n))
      return n;
  return spareDevice(pids);
}

/// Processes stand in the order of a rank's tracks: hosts, devices, the rest.
uint32_t RowPlan::processOf(const Track &t, Numbers &pids) {
  bool device = isStream(t.key.family);
  ProcessKey key{device, device ? t.device : -1, plainId(t.key.pid)};
  auto [it, added] = processIndex.try_emplace(key, processList.size());
  if (!added)
    return it->second;
  ViewerProcess p;
  if (device && t.device >= 0) {
    std::string number = std::to_string(t.device);
    p.label = "GPU " + number;
    p.name = rankTitle + p.label;
    if (StringRef model = deviceName(t.device); !model.empty())
      p.name += " " + model.str();
    p.pid = numberedDevice(t.device, pids);
    p.order = 5'000'000 + static_cast<uint64_t>(std::min<int64_t>(t.device, 999'999));
  } else {
    std::optional<int64_t> number = numberOf(t.key.pid, rank);
    // Beside other ranks the small numbers are left to their devices.
    bool own = rankTitle.empty() || number.value_or(0) >= Numbers::kDevices;
    p.pid = device ? spareDevice(pids) : pids.take(own ? number : std::nullopt, kSpare);
    p.name = rankTitle + hostName(t.key.pid);
    if (number && p.pid != *number &&
        StringRef(p.name).find(std::to_string(*number)) == StringRef::npos)
      p.name += " (pid " + std::to_string(*number) + ")";
    if (isThread(t.key.family))
      p.label = "CPU";
    else if (t.key.family == Family::Overhead)
      p.name = rankTitle + "recorder's overhead";
    else if (t.key.family == Family::Window)
      p.name = rankTitle + "recorder's window";
    p.order = isThread(t.key.family) ? it->second + 1 : 6'000'000 + it->second;
  }
  p.order = placed(p.order);
  processList.push_back(std::move(p));
  tids.emplace_back();
  return it->second;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

void forEachInOrder(const Rank &rank, ArrayRef<uint32_t> tracks,
                    function_ref<void(uint32_t track, uint32_t event)> f) {
  std::vector<uint32_t> at(tracks.size());
  auto comesFirst = [](const Track &a, uint32_t i, const Track &b, uint32_t j) {
    return std::tuple(a.begin[i].ns, -a.end[i].ns, a.seq[i]) <
           std::tuple(b.begin[j].ns, -b.end[j].ns, b.seq[j]);
  };
  for (;;) {
    size_t best = tracks.size();
    for (size_t g = 0; g != tracks.size(); ++g)
      if (at[g] != rank.track(tracks[g]).size() &&
          (best == tracks.size() ||
           comesFirst(rank.track(tracks[g]), at[g], rank.track(tracks[best]), at[best])))
        best = g;
    if (best == tracks.size())
      return;
    f(tracks[best], at[best]++);
  }
}

static bool isFlat(Family f) {
  return f == Family::StreamWork || f == Family::StreamMarker || f == Family::StreamSync;
}

/// Behind the name of a row that is not the first of its pid and tid.
static StringRef suffixOf(Family f) {
  return f == Family::StreamAnnotation ? " annotations"
         : f == Family::StreamSync     ? " synchronisation"
                                       : "";
}

void RowPlan::setLane(uint32_t track, uint32_t event, uint32_t lane) {
  std::vector<uint32_t> &of = tracks[track].lanes;
  if (lane && of.empty())
    of.resize(rank.track(track).size());
  if (!of.empty())
    of[event] = lane;
}

/// Lane 0 is for the spans that stay on their thread; of the others those that nest with them.
/// Returns the number of lanes.
uint32_t RowPlan::placeByTest(ArrayRef<uint32_t> group) {
  struct Open {
    uint32_t track, event;
    int64_t end;
    bool stays;
  };
  std::vector<Open> around; // of lane 0, outermost first
  std::vector<EventRef> others;
  forEachInOrder(rank, group, [&](uint32_t track, uint32_t i) {
    const Track &t = rank.track(track);
    if (!isSlice(t, i) || !shows(t.interval(i)))
      return;
    Open span = {track, i, t.end[i].ns, staysOnThread(rank, t, i)};
    while (!around.empty() && around.back().end <= t.begin[i].ns)
      around.pop_back();
    while (span.stays && !around.empty() && around.back().end < span.end && !around.back().stays) {
      others.push_back({around.back().track, around.back().event});
      around.pop_back();
    }
    if (!around.empty() && around.back().end < span.end)
      others.push_back({track, i});
    else
      around.push_back(span);
  });
  auto order = [&](EventRef e) {
    const Track &t = rank.track(e.track);
    return std::tuple(t.begin[e.index].ns, -t.end[e.index].ns, t.seq[e.index]);
  };
  stable_sort(others, [&](EventRef a, EventRef b) { return order(a) < order(b); });
  Lanes further(Lanes::Nested);
  for (EventRef e : others) {
    Interval at = rank.interval(e);
    setLane(e.track, e.index, 1 + further.place(at.begin.ns, at.end.ns));
  }
  return 1 + further.count();
}

/// Gives the spans of these tracks lanes, and the lanes rows.
void RowPlan::assign(ArrayRef<uint32_t> group, uint32_t process) {
  Family family = rank.track(group.front()).key.family;
  StringRef suffix = suffixOf(family);
  Lanes lanes(isFlat(family) ? Lanes::Flat : Lanes::Nested);
  bool byTest = staysOnThread && isThread(family);
  bool used = false;
  forEachInOrder(rank, group, [&](uint32_t track, uint32_t i) {
    const Track &t = rank.track(track);
    if (!shows(t.interval(i)) || isRecorderMark(rank, t, i))
      return;
    used = true;
    if (!isSlice(t, i) || family == Family::Async) // viewers lay asynchronous spans out themselves
      return;
    if (!byTest)
      setLane(track, i, lanes.place(t.begin[i].ns, t.end[i].ns));
  });
  uint32_t laneCount = byTest ? placeByTest(group) : lanes.count();
  processList[process].used |= used;
  const Track &t = rank.track(group.front());
  std::string tid = textOf(t.key.tid, rank);
  std::optional<int64_t> number = numberOf(t.key.tid, rank);
  if (isStream(t.key.family) && t.stream >= 0)
    number = t.stream;
  StringId sourceName = StringId::None;
  for (uint32_t g : group)
    if (sourceName == StringId::None)
      sourceName = rank.track(g).name;
  std::string base = sourceName == StringId::None ? "" : rank.str(sourceName).str();
  for (uint32_t lane = 0; lane != std::max(laneCount, 1u); ++lane) {
    ViewerRow r;
    r.process = process;
    r.pid = t.key.pid;
    r.thread = t.key.tid;
    r.sourceName = sourceName;
    r.lane = lane;
    r.used = used && family != Family::Counter;
    bool own = lane == 0 && suffix.empty();
    r.tid = tids[process].take(own ? number : std::nullopt, kSpareTid);
    r.name = base;
    if (r.name.empty())
      r.name = (isStream(family)   ? "stream "
                : isThread(family) ? "thread "
                                   : "") +
               (number ? std::to_string(*number) : tid);
    else if (own && number && *number != r.tid &&
             !StringRef(r.name).contains(std::to_string(*number)))
      r.name += " (tid " + std::to_string(*number) + ")";
    if (r.name.empty() && family == Family::Async)
      r.name = "asynchronous"; // no category names it
    r.name += suffix;
    if (lane)
      r.name += " (" + std::to_string(lane + 1) + ")";
    r.differs = t.key.tid != SourceId::integer(r.tid) || r.name != base ||
                t.key.pid != SourceId::integer(processList[process].pid);
    for (uint32_t g : group)
      tracks[g].rows.push_back(static_cast<uint32_t>(rowList.size()));
    rowList.push_back(std::move(r));
  }
}

RowPlan::RowPlan(const Rank &rank, std::string title, size_t index, Numbers &pids, int64_t first,
                 int64_t last, SpanTest staysOnThread)
    : rank(rank), rankTitle(std::move(title)), index(index), first(first), last(last),
      staysOnThread(staysOnThread), tracks(rank.tracks().size()) {
  readProcessNames();
  for (const Device &d : rank.recording.devices)
    deviceNames.try_emplace(d.id, d.name);
  // Devices first: their numbers are their ordinals.
  for (bool device : {true, false})
    for (const Track &t : rank.tracks())
      if (isStream(t.key.family) == device)
        processOf(t, pids);
  // What shares a row: the families of a thread, the work and the instants of a stream.
  std::map<std::tuple<uint32_t, SourceId, Family>, std::vector<uint32_t>> groups;
  std::vector<std::pair<uint32_t, std::vector<uint32_t> *>> order;
  for (uint32_t i = 0; i != rank.tracks().size(); ++i) {
    const Track &t = rank.track(i);
    uint32_t process = processOf(t, pids);
    Family shared = isThread(t.key.family)                 ? Family::ThreadWork
                    : t.key.family == Family::StreamMarker ? Family::StreamWork
                                                           : t.key.family;
    auto [it, added] = groups.try_emplace({process, plainId(t.key.tid), shared});
    if (added)
      order.push_back({process, &it->second});
    it->second.push_back(i);
  }
  for (auto [process, group] : order) {
    assign(*group, process);
    groupList.push_back(std::move(*group));
  }
}

uint32_t RowPlan::addProcess(StringRef name, uint64_t order, Numbers &pids) {
  ViewerProcess p;
  p.pid = pids.take(std::nullopt, kSpare);
  p.name = rankTitle + name.str();
  p.order = placed(order);
  p.used = true;
  processList.push_back(std::move(p));
  tids.emplace_back();
  return static_cast<uint32_t>(processList.size() - 1);
}

uint32_t RowPlan::addRow(uint32_t process, StringRef name) {
  ViewerRow r;
  r.process = process;
  r.tid = tids[process].take(std::nullopt, 1);
  r.name = name.str();
  r.used = true;
  rowList.push_back(std::move(r));
  return static_cast<uint32_t>(rowList.size() - 1);
}

bool isRecorderMark(const Rank &rank, const Track &t, uint32_t i) {
  if (t.kinds[i] != EventKind::Marker)
    return false;
  StringRef name = rank.str(t.names[i]);
  return name.starts_with("Iteration Start: ") || name == "Record Window End";
}

bool isSlice(const Track &t, uint32_t i) {
  EventKind k = t.kinds[i];
  return k != EventKind::Marker && k != EventKind::Memory && k != EventKind::Counter;
}

} // namespace heddle::chrome
