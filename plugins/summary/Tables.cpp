//===- Tables.cpp - Fills the tables that summary publishes ---------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Tables.h"
#include "TableShapes.h"
#include "heddle/IR/Devices.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace llvm;

namespace heddle::summary {

namespace {
int64_t integer(uint64_t n) { return static_cast<int64_t>(n); }
Cell optional(std::optional<int64_t> n) { return n ? Cell(*n) : Cell(); }
Cell text(StringRef s) { return Cell(s.str()); }

Cell shareCell(int64_t part, int64_t whole) {
  if (whole <= 0)
    return {};
  __extension__ typedef __int128 Wide;
  return static_cast<int64_t>(static_cast<Wide>(part) * 1'000'000 / whole);
}

/// "CUDA 12.9" from cuda_runtime_version 12090, "ROCm 7.1" from hip_runtime_version 70125424.
std::string platformText(const Document &document) {
  int64_t version = 0;
  if (!document.find("cuda_runtime_version").getAsInteger(10, version) && version >= 1000)
    return "CUDA " + itostr(version / 1000) + "." + itostr(version % 1000 / 10);
  if (!document.find("hip_runtime_version").getAsInteger(10, version) && version >= 10'000'000)
    return "ROCm " + itostr(version / 10'000'000) + "." + itostr(version / 100'000 % 100);
  return {};
}

/// "2 NVIDIA A100": the devices with work, by name.
std::string devicesText(const Recording &recording, const RankFacts &facts) {
  std::map<std::string, int64_t> names;
  for (const DeviceFacts &d : facts.devices) {
    const Device *known = describedDevice(recording, d.device);
    ++names[known && !known->name.empty() ? known->name : "GPU"];
  }
  std::string out;
  for (const auto &[name, n] : names)
    out += (out.empty() ? "" : ", ") + itostr(n) + " " + name;
  return out;
}

/// For a POSIX shell.
std::string quoted(StringRef word) {
  if (!word.empty() &&
      all_of(word, [](char c) { return isAlnum(c) || StringRef("_-./+=:,@%").contains(c); }))
    return word.str();
  std::string out = "'";
  for (char c : word)
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}
} // namespace

/// A fact that a remark tells beside its message, or "".
static std::string argument(const Remark &r, StringRef key) {
  for (const auto &[name, value] : r.args)
    if (name == key)
      return value;
  return {};
}

Tables::Tables() {
  for (const TableInfo &info : summaryTables)
    tables.push_back(info.make());
}

void Tables::add(StringRef id, Row row) {
  auto it = find_if(tables, [&](const Table &t) { return t.id == id; });
  assert(it != tables.end() && it->columns.size() == row.size());
  it->rows.push_back(std::move(row));
}

void Tables::input(const Trace &trace, uint32_t input, int64_t label, const RankFacts &facts) {
  const Rank &rank = *trace.ranks[input];
  const Recording &r = rank.recording;
  uint64_t repaired = 0;
  for (const auto &[kind, n] : r.repairs)
    repaired += n;
  std::string devices = devicesText(r, facts), platform = platformText(r.document);
  std::string message = r.producer.empty() ? r.format : r.producer;
  auto more = [&](const std::string &what) {
    if (!what.empty())
      message += (message.empty() ? "" : ", ") + what;
  };
  more(devices);
  if (rank.number || rank.worldSize || rank.cycle) {
    std::string job = " (" + (rank.number ? "rank " + itostr(*rank.number) : std::string("a rank"));
    if (rank.worldSize)
      job += " of " + itostr(*rank.worldSize);
    if (rank.cycle)
      job += ", cycle " + itostr(*rank.cycle);
    message += job + (rank.backend.empty() ? "" : ", " + rank.backend) + ")";
  }
  more(platform);
  more(countText(integer(r.sourceEvents ? r.sourceEvents : facts.events)) + " events");
  more(countText(integer(repaired)) + " repaired");
  if (r.partial)
    more("a part of the recording");

  std::optional<Interval> range;
  auto widen = [&](Interval i) {
    if (i.empty())
      return;
    range = range ? Interval{std::min(range->begin, i.begin), std::max(range->end, i.end)} : i;
  };
  if (facts.hasHost)
    widen(facts.hostRange);
  for (const DeviceFacts &d : facts.devices)
    widen(d.range);
  add("summary-input", {integer(input), label, optional(rank.cycle), text(r.path),
                        text(inputKindName(inputKind(facts))), text(r.producer), devices, platform,
                        optional(rank.worldSize), rank.backend, integer(r.sourceEvents),
                        integer(repaired), range ? Cell(range->length().ns) : Cell(), message});
}

void Tables::parts(const View &v) {
  int64_t input = integer(v.input);
  static constexpr StringLiteral partNames[] = {"compute", "communication", "copies", "idle"};
  for (unsigned p = 0; p != kNumParts; ++p) {
    std::string label = p == Communication ? communicationLabel(v) : partNames[p].str();
    Cell hidden;
    if (p == Communication && v.window)
      hidden = v.window->communication.ns - v.parts[Communication];
    add("summary-bar", {input, v.rank, v.device, text(partNames[p]), label, v.parts[p], hidden});
  }
  for (unsigned c = 0; c != kNumIdleCauses; ++c) {
    auto cause = static_cast<IdleCause>(c);
    // Synchronisation is what everybody looks for first: its 0 is an answer.
    if (v.causeNs[c] || (cause == IdleCause::Sync && v.seesHost()))
      add("summary-idle",
          {input, v.rank, v.device, text(idleCauseName(cause)), text(causeLabel(cause)),
           int64_t{causeGroup(cause)}, v.causeGaps[c], v.causeNs[c]});
  }
  if (!v.window)
    return;
  for (const KindTotal &k : v.window->kinds)
    add("summary-activities", {input, v.rank, v.device, text(k.kind), integer(k.calls), k.time.ns});
  const WindowFacts &w = *v.window;
  add("summary-launches", {input, v.rank, v.device, integer(w.kernels), integer(w.copies),
                           integer(w.fills), integer(w.launches), integer(w.graphLaunches),
                           w.medianDelay ? Cell(w.medianDelay->ns) : Cell(),
                           integer(w.shortKernels), launchMessage(v)});
}

void Tables::view(const View &v, const Verdict &verdict, const Results &results) {
  int64_t input = integer(v.input);
  const WindowFacts *w = v.window;
  bool marked = w && w->marked;
  add("summary-window", {input, v.rank, v.device, v.step, marked ? w->markName : std::string(),
                         text(v.facts ? stepSourceName(v.facts->stepSource) : StringRef()),
                         integer(v.steps), integer(v.typical), v.beginNs, v.endNs, v.windowNs,
                         marked ? Cell(w->host.length().ns) : Cell(),
                         marked ? Cell((w->host.end - w->window.end).ns) : Cell(),
                         v.typical ? Cell(v.medianNs) : Cell(), v.typical ? Cell(v.minNs) : Cell(),
                         v.typical ? Cell(v.maxNs) : Cell(), v.scale.quantum, windowMessage(v)});
  add("summary-verdict", {input, v.rank, v.device, verdict.id, verdict.stake.ns, v.windowNs,
                          shareCell(verdict.stake.ns, v.windowNs), verdict.message});
  parts(v);
  findings(v, verdict, results);
}

/// What fusion-candidates looked for, where it ran and says nothing.
static void smallOps(const Results &results, int64_t input, Findings &ours) {
  static constexpr StringLiteral pass = "fusion-candidates";
  if (any_of(ours.found, [](const Finding &f) { return f.id == pass; }))
    return;
  for (const PassResult &unit : results.units)
    if (unit.passName == pass && unit.rank == input) {
      bool seen = unit.abstained.empty();
      ours.checked.push_back(
          {pass.str(), seen ? "fusible ops that repeat (0)" : "fusible ops that repeat", seen});
      return;
    }
}

void Tables::findings(const View &v, const Verdict &verdict, const Results &results) {
  int64_t input = integer(v.input);
  Findings ours = findingsOf(v, verdict);
  // The passes whose tables we read say nothing that we do not.
  static constexpr StringLiteral known[] = {"gpu-breakdown", "idle-gaps", "kernels", "health"};
  for (const PassResult &unit : results.units)
    for (const Remark &r :
         is_contained(known, unit.passName) ? ArrayRef<Remark>() : ArrayRef(unit.remarks))
      if (r.level == Remark::Level::Finding && r.costNs && r.rank == input &&
          r.device.value_or(v.device) == v.device)
        ours.found.push_back({r.id, single(v, *r.costNs), r.lowerNs, r.upperNs, "", r.message,
                              argument(r, "why"), r.advice, argument(r, "bound")});
  smallOps(results, input, ours);
  stable_sort(ours.found, [](const Finding &a, const Finding &b) { return a.cost.ns > b.cost.ns; });
  for (const Finding &f : ours.found)
    add("summary-findings",
        {input, v.rank, v.device, f.id, f.cost.ns, v.windowNs, shareCell(f.cost.ns, v.windowNs),
         optional(f.lowerNs), optional(f.upperNs), v.scale.text(f.cost.steps),
         percentText(f.cost.tenths), f.inside, f.message, f.why, f.advice, f.bound});
  for (const Findings::Check &c : ours.checked)
    add("summary-checked", {input, v.rank, v.device, c.id, int64_t{c.seen}, c.message});
}

void Tables::withoutView(uint32_t input, int64_t label, InputKind kind, const RankFacts &facts,
                         bool tabled, bool selected) {
  std::string message;
  switch (kind) {
  case InputKind::Gpu:
  case InputKind::GpuOnly:
    message = !tabled    ? "gpu-breakdown has not looked at the devices"
              : selected ? "the selection leaves no device to show"
                         : "no GPU activity lies in a window: each has no time, or lies far "
                           "outside the recording";
    break;
  case InputKind::CpuOnly:
    message =
        "no GPU activity is recorded; host time by name stands below. To see the GPU, record with "
        "activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]";
    break;
  case InputKind::Empty:
    if (facts.events)
      message = "no op, API call or kernel is recorded, only " +
                plural(integer(facts.events), "event") + " of other kinds";
    else
      message =
          "the recording is empty: no event but metadata. Was the profiler stopped before the "
          "first step?";
    break;
  }
  StringRef id = kind == InputKind::CpuOnly || kind == InputKind::Empty ? inputKindName(kind)
                                                                        : StringRef("not-shown");
  add("summary-verdict",
      {integer(input), label, Cell(), text(id), Cell(), Cell(), Cell(), message});
}

void Tables::host(uint32_t input, int64_t label, const HostTotals &totals, size_t top) {
  if (totals.unknownSpans)
    add("summary-notes",
        {countText(integer(totals.unknownSpans)) +
         " spans of unknown kind, which may be rows of a device, are in no figure"});
  uint64_t spans = 0;
  int64_t self = 0;
  for (size_t i = 0; i != totals.rows.size(); ++i) {
    const HostTotals::Row &r = totals.rows[i];
    if (i < top) {
      add("summary-host", {integer(input), label, r.name, integer(r.spans), r.self.ns, r.total.ns});
      continue;
    }
    spans += r.spans;
    self += r.self.ns;
  }
  if (totals.rows.size() > top)
    add("summary-host",
        {integer(input), label, plural(integer(totals.rows.size() - top), "more name"),
         integer(spans), self, Cell()});
}

void Tables::notes(const Trace &trace, const Results &results) {
  if (trace.ranks.size() > 1) {
    std::string message = plural(integer(trace.ranks.size()), "input");
    if (isMerged(trace))
      message +=
          " merged into one trace of " + plural(integer(countRanks(trace)), "rank") + " by " +
          plural(integer(trace.clocks.size()), "clock") +
          ": figures are those of each rank; waiting between ranks is not told from transfer";
    else
      message += " side by side, each on its own clock: nothing was combined, so waiting between "
                 "ranks is not told from transfer";
    add("summary-notes", {message});
  }
  bool stale = any_of(results.units, [](const PassResult &r) { return r.stale; });
  if (stale)
    add("summary-notes",
        {text("a later rewrite changed the trace after some of these figures were made")});
}

void Tables::next(const Trace &trace, bool anyDevice) {
  if (trace.ranks.empty())
    return;
  std::string files;
  for (size_t i = 0; i != trace.ranks.size() && i != 2; ++i)
    files += " " + quoted(trace.ranks[i]->recording.path);
  if (trace.ranks.size() > 2)
    files += " ...";
  if (anyDevice) {
    add("summary-next", {"heddle report -s idle,kernels,steps" + files,
                         text("sections in full; all of them: -s all")});
    add("summary-next", {"heddle opt --passes=default --emit=csv --table=idle-gaps" + files,
                         text("every gap, for a program")});
  }
  add("summary-next", {"heddle open" + files, text("the timeline, with findings, in Perfetto")});
  add("summary-next", {"heddle info" + files, text("what the file holds, what it can answer")});
}

void Tables::publish(TraceContext &context) {
  for (Table &t : tables)
    context.table(std::move(t));
  tables.clear();
}

} // namespace heddle::summary
