//===- ChromeViewer.cpp - A trace for people to look at -------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Chrome trace JSON that Perfetto's UI, chrome://tracing and TensorBoard show in full: times from
/// 0 with three decimals, rows with numbers they can bear, spans that overlap on lanes of their
/// own, flows only where both ends are there, findings on rows of their own. What a row was in the
/// source stands in the member `heddle`, so that Heddle reads the file back as it was.
//===----------------------------------------------------------------------===//
#include "ChromeViewer.h"
#include "ChromeRank.h"
#include "heddle/Lower/Emitter.h"
#include "heddle/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace heddle {
namespace {

using namespace chrome;

/// A double of microseconds tells nanoseconds apart up to 2^53 ns; below it with room for sums.
constexpr int64_t kMaxSpanNs = int64_t{9'000'000'000'000'000};

/// The times of a rank that are shown, relative to its origin.
struct Range {
  int64_t first = INT64_MAX, last = INT64_MIN;
  int64_t lastSpan = INT64_MIN; ///< The last end of a span.
  bool none() const { return first > last; }
};

/// All events but those that lie so far from the origin that a viewer cannot show both: such have
/// no time (0 beside Unix times).
Range rangeOf(const Rank &rank) {
  Range r;
  for (const Track &t : rank.tracks())
    for (uint32_t i = 0; i != t.size(); ++i) {
      if (isRecorderMark(rank, t, i))
        continue; // they stand at odd times
      if (t.begin[i].ns < -kMaxSpanNs / 4 || t.end[i].ns > kMaxSpanNs / 4)
        continue;
      r.first = std::min(r.first, t.begin[i].ns);
      r.last = std::max(r.last, t.end[i].ns);
      if (isSlice(t, i))
        r.lastSpan = std::max(r.lastSpan, t.end[i].ns);
    }
  if (r.none())
    return {0, 0, 0};
  r.lastSpan = std::max(r.lastSpan, r.first);
  return r;
}

/// Times of a rank count from a whole microsecond, so a file that starts at one gives them back.
int64_t wholeMicros(int64_t ns) { return ns - (ns % 1000 + 1000) % 1000; }

/// The ranks that a file shows.
struct ShownRanks {
  std::vector<const Rank *> ranks;
  std::vector<size_t> places; ///< Of the ranks in the trace.
};

class ViewerWriter {
public:
  /// With `plugin` for torch-tb-profiler: one rank.
  ViewerWriter(ShownRanks shown, const Trace &whole, const Results &results, raw_ostream &os,
               const PluginView *plugin = nullptr);
  LeftOut write();

private:
  void placeInTime();
  void addFindings(size_t rank);
  void head();
  void members(const Rank &rank, ChromeText &out, const StringSet<> &ours);
  void pluginMembers(const Rank &rank, ChromeText &out);
  void describe(const Rank &rank, const RowPlan &plan, ChromeText &out);

  const ShownRanks trace;
  const Results &results;
  raw_ostream &os;
  const PluginView *plugin;
  std::vector<Range> ranges;
  std::vector<int64_t> shift;  ///< By rank: added to its times.
  std::optional<int64_t> base; ///< Unix time of the file's 0.
  Numbers pids;
  std::vector<std::unique_ptr<RowPlan>> plans;
  std::vector<std::vector<ShownFinding>> findings; ///< By rank.
  LeftOut left;
  uint64_t flowId = 0;
  bool any = false;
};

ViewerWriter::ViewerWriter(ShownRanks shown, const Trace &whole, const Results &results,
                           raw_ostream &os, const PluginView *plugin)
    : trace(std::move(shown)), results(results), os(os), plugin(plugin),
      findings(trace.ranks.size()) {
  for (const auto &rank : trace.ranks)
    ranges.push_back(rangeOf(*rank));
  placeInTime();
  bool single = trace.ranks.size() == 1;
  for (auto [i, rank] : enumerate(trace.ranks)) {
    plans.push_back(std::make_unique<RowPlan>(*rank, single ? "" : rankTitle(whole, i) + ": ", i,
                                              pids, ranges[i].first, ranges[i].last,
                                              plugin ? PluginView::isNode : nullptr));
    addFindings(i);
  }
}

/// Ranks lie beside each other in Unix time where all of them know it and they fit into one view;
/// else each begins at 0.
void ViewerWriter::placeInTime() {
  int64_t first = INT64_MAX, last = INT64_MIN;
  for (auto [rank, range] : zip(trace.ranks, ranges)) {
    std::optional<int64_t> origin = rank->recording.unixOrigin();
    if (!origin) {
      first = INT64_MAX;
      break;
    }
    first = std::min(first, *origin + range.first);
    last = std::max(last, *origin + range.last);
  }
  if (first < last && last - first < kMaxSpanNs / 2)
    base = wholeMicros(first);
  for (auto [rank, range] : zip(trace.ranks, ranges))
    shift.push_back(base ? *rank->recording.unixOrigin() - *base : -wholeMicros(range.first));
}

/// Rows for the findings that have evidence in this rank.
void ViewerWriter::addFindings(size_t rank) {
  const Rank &of = *trace.ranks[rank];
  RowPlan &plan = *plans[rank];
  std::vector<ShownFinding> &found = findings[rank];
  for (const PassResult &unit : results.units) {
    if (unit.stale)
      continue;
    for (const Remark &r : unit.remarks)
      if (r.level != Remark::Level::Note &&
          r.rank.value_or(unit.rank) == static_cast<int64_t>(trace.places[rank]))
        for (EventRef e : r.evidence)
          if (e.valid() && e.track < of.tracks().size() && e.index < of.track(e.track).size() &&
              plan.shows(of.interval(e)))
            found.push_back({&r, of.interval(e), 0});
  }
  if (found.empty())
    return;
  stable_sort(found, [](const ShownFinding &a, const ShownFinding &b) {
    return std::pair(a.at.begin, b.at.end) < std::pair(b.at.begin, a.at.end);
  });
  uint32_t process = plan.addProcess("findings (Heddle)", 0, pids);
  Lanes lanes(Lanes::Nested);
  std::vector<uint32_t> rows;
  for (ShownFinding &f : found) {
    uint32_t lane = lanes.place(f.at.begin.ns, f.at.end.ns);
    if (lane == rows.size())
      rows.push_back(plan.addRow(process, "findings " + std::to_string(lane + 1)));
    f.row = rows[lane];
  }
}

//===----------------------------------------------------------------------===//
// The document
//===----------------------------------------------------------------------===//

/// The source's members that say nothing about times and events.
void ViewerWriter::members(const Rank &rank, ChromeText &out, const StringSet<> &ours) {
  StringMap<const Document::Member *> last;
  for (const Document::Member &m : rank.recording.document.members)
    last[m.key] = &m;
  for (const Document::Member &m : rank.recording.document.members) {
    if (last[m.key] != &m || ours.contains(m.key))
      continue;
    out.string(m.key);
    out << ": ";
    if (isStrictJson(m.value))
      out << forViewers(m.value);
    else
      out.string(m.value);
    out << ",\n";
  }
}

/// The plugin takes the properties of device n from place n of the list, and fails where memory
/// events name one beyond its end.
void ViewerWriter::pluginMembers(const Rank &rank, ChromeText &out) {
  const std::vector<Device> &devices = rank.recording.devices;
  int64_t count = devices.empty() ? 0 : plugin->highestMemoryDevice() + 1;
  std::vector<int64_t> used;
  for (const ViewerProcess &p : plans.front()->processes())
    if (StringRef(p.label).starts_with("GPU ") && p.pid < 64)
      used.push_back(p.pid);
  for (const Device &d : devices)
    if (d.id < 64)
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

static void sourceId(ChromeText &out, const SourceId &id, const Rank &rank) {
  if (id.form == SourceId::Raw) {
    out << "[";
    out.string(rank.str(id.text));
    out << "]";
  } else {
    out.id(id);
  }
}

/// What reading the file back needs.
void ViewerWriter::describe(const Rank &rank, const RowPlan &plan, ChromeText &out) {
  const Recording &rec = rank.recording;
  if (rank.number)
    out << ", \"rank\": " << *rank.number;
  if (rank.worldSize)
    out << ", \"world_size\": " << *rank.worldSize;
  if (!rank.host.empty()) {
    out << ", \"host\": ";
    out.string(rank.host);
  }
  if (!rec.producer.empty()) {
    out << ", \"producer\": ";
    out.string(rec.producer);
  }
  if (rec.integerMicroseconds)
    out << ", \"resolution_ns\": 1000";
  out << ",\n  \"rows\": [";
  bool first = true;
  for (const ViewerRow &r : plan.rows()) {
    if (!r.differs || !r.used)
      continue;
    out << (first ? "\n    [" : ",\n    [") << int64_t{plan.pid(r)} << ", " << int64_t{r.tid}
        << ", ";
    first = false;
    sourceId(out, r.pid, rank);
    out << ", ";
    sourceId(out, r.thread, rank);
    out << ", ";
    if (r.sourceName == StringId::None)
      out << "null";
    else
      out.string(r.sourceName);
    out << "]";
  }
  out << "]";
}

void ViewerWriter::head() {
  StringSet<> ours = {"traceEvents",   "displayTimeUnit",  "baseTimeNanoseconds",
                      "schemaVersion", "stackFrames",      "samples",
                      "heddle",        "systemTraceEvents"};
  if (plugin) // it has its own spelling of them, or none that it survives
    for (StringRef key : {"deviceProperties", "distributedInfo"})
      ours.insert(key);
  const Rank &rank = *trace.ranks.front();
  ChromeText out(rank, os, BadBytes::Replace);
  out << "{\n";
  bool kineto = all_of(trace.ranks, [](const auto &r) { return r->recording.format == "kineto"; });
  out << "\"schemaVersion\": 1,\n";
  out << "\"displayTimeUnit\": \"ns\",\n";
  if (base)
    out << "\"baseTimeNanoseconds\": " << *base << ",\n";
  out << "\"heddle\": {\"profile\": \"viewer\", \"format\": \"" << (kineto ? "kineto" : "chrome")
      << "\", \"ranks\": " << static_cast<int64_t>(trace.ranks.size());
  if (trace.ranks.size() == 1)
    describe(rank, *plans.front(), out);
  out << "},\n";
  if (trace.ranks.size() == 1) {
    for (StringRef dropped : {"stackFrames", "samples", "systemTraceEvents"})
      if (!rank.recording.document.find(dropped).empty())
        ++left[dropped.str()];
    if (plugin)
      pluginMembers(rank, out);
    members(rank, out, ours);
  }
  out << "\"traceEvents\": [";
}

LeftOut ViewerWriter::write() {
  head();
  for (auto [i, rank] : enumerate(trace.ranks)) {
    ChromeText out(*rank, os, BadBytes::Replace);
    RankView view(*rank, *plans[i], shift[i], {out, any, flowId}, left, plugin);
    view.metadata();
    view.spans();
    view.findings(findings[i]);
    view.flows();
    view.instants();
    view.counters();
    if (i + 1 != trace.ranks.size() || rank->recording.format != "kineto")
      continue;
    int64_t first = INT64_MAX, last = INT64_MIN;
    for (auto [range, by] : zip(ranges, shift)) {
      first = std::min(first, range.first + by);
      last = std::max(last, range.lastSpan + by);
    }
    view.marks(first, std::max(first, last));
  }
  if (!any) { // some viewers refuse a file without events
    for (StringRef what : {"process", "thread"})
      os << "\n  {\"ph\": \"M\", \"name\": \"" << what
         << "_name\", \"pid\": 1, \"tid\": 1, \"ts\": 0.000, \"args\": {\"name\": \"no events\"}},"
         << "\n  {\"ph\": \"M\", \"name\": \"" << what
         << "_sort_index\", \"pid\": 1, \"tid\": 1, \"ts\": 0.000, \"args\": {\"sort_index\": 1}},";
    os << "\n  {\"ph\": \"i\", \"cat\": \"heddle\", \"name\": \"no events\", \"pid\": 1, \"tid\": "
          "1, "
          "\"ts\": 0.000, \"s\": \"t\", \"args\": {}}";
  }
  os << "\n]\n}\n";
  return left;
}

Error emitViewer(const Trace &trace, const Results &results, raw_ostream &os,
                 const EmitOptions &options) {
  if (trace.ranks.empty())
    return inputError("no-rank", "--emit=chrome:viewer: the trace has no rank");
  ShownRanks all;
  for (auto [i, rank] : enumerate(trace.ranks)) {
    all.ranks.push_back(rank.get());
    all.places.push_back(i);
  }
  LeftOut left = ViewerWriter(std::move(all), trace, results, os).write();
  if (options.diagnostics && !left.empty()) {
    std::string text;
    for (const auto &[kind, count] : left)
      text += (text.empty() ? "" : ", ") + std::to_string(count) + " x " + kind;
    options.diagnostics->report(
        {Severity::Note, "left-out", "not shown by chrome:viewer: " + text, {}});
  }
  return Error::success();
}

/// Faithful where there is one document to write back, else for viewers.
Error emitChrome(const Trace &trace, const Results &results, raw_ostream &os,
                 const EmitOptions &options) {
  const EmitterInfo &profile =
      trace.ranks.size() == 1 && (trace.ranks[0]->recording.document.isArray ||
                                  !trace.ranks[0]->recording.document.members.empty())
          ? chromeFaithfulEmitter
          : chromeViewerEmitter;
  return profile.emit(trace, results, os, options);
}

constexpr StringLiteral suffixes[] = {".json"};

} // namespace

namespace chrome {

Expected<LeftOut> writeForPlugin(const Trace &trace, size_t rank, const Results &results,
                                 raw_ostream &os) {
  Expected<PluginView> plugin = PluginView::create(*trace.ranks[rank]);
  if (!plugin)
    return plugin.takeError();
  ShownRanks one{{trace.ranks[rank].get()}, {rank}};
  return ViewerWriter(std::move(one), trace, results, os, &*plugin).write();
}

std::optional<int64_t> firstInUnixTime(const Rank &rank) {
  std::optional<int64_t> origin = rank.recording.unixOrigin();
  return origin ? std::optional<int64_t>(*origin + rangeOf(rank).first) : std::nullopt;
}

} // namespace chrome

const EmitterInfo chromeViewerEmitter = {
    "chrome:viewer", "Chrome trace JSON for Perfetto's UI and other viewers", {}, emitViewer};
const EmitterInfo chromeEmitter = {
    "chrome", "Chrome trace JSON: faithful for one recording that has a document, else for viewers",
    suffixes, emitChrome};

} // namespace heddle
