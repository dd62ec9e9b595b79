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
#include "heddle/Lower/ViewerNames.h"
#include "heddle/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

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
  void members(const Rank &rank, ChromeText &out);
  void describe(size_t rank, ChromeText &out);
  void describeRanks();
  void ownMembers(const Rank &rank, ChromeText &out);

  const ShownRanks trace;
  const Trace &whole;
  const Results &results;
  raw_ostream &os;
  const PluginView *plugin;
  std::vector<Range> ranges;
  std::vector<RankTime> times; ///< By rank.
  std::optional<int64_t> base; ///< Unix time of the file's 0.
  Numbers pids;
  std::vector<std::unique_ptr<RowPlan>> plans;
  std::vector<std::vector<ShownFinding>> findings; ///< By rank.
  LeftOut left;
  uint64_t flowId = 0;
  TakenIds taken;
  bool any = false;
};

ViewerWriter::ViewerWriter(ShownRanks shown, const Trace &whole, const Results &results,
                           raw_ostream &os, const PluginView *plugin)
    : trace(std::move(shown)), whole(whole), results(results), os(os), plugin(plugin),
      findings(trace.ranks.size()) {
  for (const auto &rank : trace.ranks)
    ranges.push_back(rangeOf(*rank));
  placeInTime();
  for (auto [i, title] : enumerate(viewerTitles(whole, trace.places))) {
    plans.push_back(std::make_unique<RowPlan>(*trace.ranks[i], title, i, pids, ranges[i].first,
                                              ranges[i].last,
                                              plugin ? PluginView::isNode : nullptr));
    addFindings(i);
  }
}

/// Ranks lie beside each other where they were merged, or all of them know their Unix time, and
/// they fit into one view; else each begins at 0.
void ViewerWriter::placeInTime() {
  bool merged = isMerged(whole), known = !merged;
  std::vector<int64_t> origins;
  int64_t first = INT64_MAX, last = INT64_MIN;
  for (auto [rank, range] : zip(trace.ranks, ranges)) {
    std::optional<int64_t> origin =
        merged ? timeInTrace(whole, *rank, {0}) : rank->recording.unixOrigin();
    if (!origin || *origin > INT64_MAX - kMaxSpanNs || *origin < INT64_MIN + kMaxSpanNs)
      break;
    known |= merged && !rank->placement->assumed;
    origins.push_back(*origin);
    first = std::min(first, *origin + range.first);
    last = std::max(last, *origin + range.last);
  }
  bool placed = origins.size() == trace.ranks.size();
  bool beside = placed && first <= last && last - first < kMaxSpanNs / 2;
  if (placed && !beside && trace.ranks.size() > 1)
    left["place-in-time"] += trace.ranks.size();
  int64_t zero = beside ? wholeMicros(first) : 0;
  if (beside && known && first < last)
    base = zero;
  for (auto [i, rank] : enumerate(trace.ranks)) {
    int64_t shift = beside ? origins[i] - zero : -wholeMicros(ranges[i].first);
    if (beside && merged)
      times.emplace_back(shift, whole.clocks[rank->placement->clock], rank->placement->origin,
                         zero);
    else
      times.emplace_back(shift);
  }
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

/// Members that the export has of its own, or that viewers cannot bear.
constexpr StringLiteral kOurs[] = {"traceEvents",   "displayTimeUnit",  "baseTimeNanoseconds",
                                   "schemaVersion", "stackFrames",      "samples",
                                   "heddle",        "systemTraceEvents"};

/// The last of each key that says nothing about times and events, in order.
std::vector<const Document::Member *> shownMembers(const Rank &rank) {
  StringMap<const Document::Member *> last;
  for (const Document::Member &m : rank.recording.document.members)
    last[m.key] = &m;
  std::vector<const Document::Member *> shown;
  for (const Document::Member &m : rank.recording.document.members)
    if (last[m.key] == &m && !is_contained(kOurs, m.key))
      shown.push_back(&m);
  return shown;
}

void writeMember(const Document::Member &m, ChromeText &out) {
  out.string(m.key);
  out << ": ";
  if (isStrictJson(m.value))
    out << forViewers(m.value);
  else
    out.string(m.value);
}

/// Which rank of a job it is says nothing about a file of several.
bool isOfOneRank(StringRef key) { return key == "distributedInfo"; }

/// The source's members; of several ranks those of the first.
void ViewerWriter::members(const Rank &rank, ChromeText &out) {
  for (const Document::Member *m : shownMembers(rank))
    // The plugin has its own spelling of some, or none that it survives.
    if (plugin ? m->key != "deviceProperties" && !isOfOneRank(m->key)
               : trace.ranks.size() == 1 || !isOfOneRank(m->key)) {
      writeMember(*m, out);
      out << ",\n";
    }
}

/// What a rank's document has other than the file's, which is that of the first rank.
void ViewerWriter::ownMembers(const Rank &rank, ChromeText &out) {
  StringMap<const Document::Member *> file;
  for (const Document::Member *m : shownMembers(*trace.ranks.front()))
    if (!isOfOneRank(m->key))
      file[m->key] = m;
  bool first = true;
  auto comma = [&] {
    out << (first ? ",\n  \"document\": {" : ", ");
    first = false;
  };
  for (const Document::Member *m : shownMembers(rank)) {
    auto it = file.find(m->key);
    bool same = it != file.end() && it->second->value == m->value;
    if (it != file.end())
      file.erase(it);
    if (same)
      continue;
    comma();
    writeMember(*m, out);
  }
  for (const Document::Member *m : shownMembers(*trace.ranks.front()))
    if (file.count(m->key)) {
      comma();
      out.string(m->key);
      out << ": null";
    }
  if (!first)
    out << "}";
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

/// Whether it is read as what PyTorch records. Text of Heddle's own does not say what it is of.
bool isKineto(const Rank &rank) {
  if (rank.recording.format != "heddle-text")
    return rank.recording.format == "kineto";
  return any_of(rank.tracks(), [](const Track &t) {
    return any_of(t.kinds, [](EventKind k) { return k == EventKind::CpuOp || isDeviceWork(k); });
  });
}

/// What reading a rank back needs.
void ViewerWriter::describe(size_t i, ChromeText &out) {
  const Rank &rank = *trace.ranks[i];
  const RowPlan &plan = *plans[i];
  const Recording &rec = rank.recording;
  auto number = [&](StringRef key, std::optional<int64_t> n) {
    if (n)
      out << ", \"" << key << "\": " << *n;
  };
  auto text = [&](StringRef key, StringRef value) {
    if (value.empty())
      return;
    out << ", \"" << key << "\": ";
    out.string(value);
  };
  number("rank", rank.number);
  number("world_size", rank.worldSize);
  number("cycle", rank.cycle);
  text("host", rank.host);
  text("producer", rec.producer);
  if (rec.integerMicroseconds)
    number("resolution_ns", 1000);
  if (trace.ranks.size() > 1) {
    text("backend", rank.backend);
    number("origin_ns", times[i].ofOrigin());
    out << ", \"pids\": [";
    bool first = true;
    for (const ViewerProcess &process : plan.processes())
      if (process.used) {
        out << (first ? "" : ", ") << int64_t{process.pid};
        first = false;
      }
    out << "]";
    ownMembers(rank, out);
  }
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

/// A description for each rank, which could stand alone.
void ViewerWriter::describeRanks() {
  for (auto [i, rank] : enumerate(trace.ranks)) {
    ChromeText out(*rank, os, BadBytes::Replace);
    out << (i ? ",\n {" : ",\n \"members\": [\n {") << "\"profile\": \"viewer\", \"format\": \""
        << (isKineto(*rank) ? "kineto" : "chrome") << "\", \"title\": ";
    out.string(StringRef(plans[i]->title()).drop_back(2));
    describe(i, out);
    out << "}";
  }
  os << "]";
}

void ViewerWriter::head() {
  const Rank &rank = *trace.ranks.front();
  ChromeText out(rank, os, BadBytes::Replace);
  out << "{\n";
  bool kineto = all_of(trace.ranks, [](const auto &r) { return isKineto(*r); });
  out << "\"schemaVersion\": 1,\n";
  out << "\"displayTimeUnit\": \"ns\",\n";
  if (base)
    out << "\"baseTimeNanoseconds\": " << *base << ",\n";
  out << "\"heddle\": {\"profile\": \"viewer\", \"format\": \"" << (kineto ? "kineto" : "chrome")
      << "\", \"ranks\": " << static_cast<int64_t>(trace.ranks.size());
  if (trace.ranks.size() == 1) {
    describe(0, out);
  } else {
    out.flush();
    describeRanks();
  }
  out << "},\n";
  for (const auto &r : trace.ranks)
    for (StringRef dropped : {"stackFrames", "samples", "systemTraceEvents"})
      if (!r->recording.document.find(dropped).empty())
        ++left[dropped.str()];
  if (plugin)
    plugin->members(*plans.front(), out);
  members(rank, out);
  out << "\"traceEvents\": [";
}

LeftOut ViewerWriter::write() {
  head();
  for (auto [i, rank] : enumerate(trace.ranks)) {
    ChromeText out(*rank, os, BadBytes::Replace);
    RankView view(*rank, *plans[i], times[i], {out, any, flowId, taken}, left, plugin);
    view.metadata();
    view.spans();
    view.findings(findings[i]);
    view.flows();
    view.instants();
    view.counters();
    if (i + 1 != trace.ranks.size() ||
        none_of(trace.ranks, [](const auto &r) { return isKineto(*r); }))
      continue;
    int64_t first = INT64_MAX, last = INT64_MIN;
    for (auto [range, time] : zip(ranges, times)) {
      first = std::min(first, time(range.first));
      last = std::max(last, time(range.lastSpan));
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
  Expected<std::vector<RankHold>> held = holdAll(trace); // rows of all are planned before any
  if (!held)
    return held.takeError();
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

/// Faithful where there is one document to write back, as it came, else for viewers.
Error emitChrome(const Trace &trace, const Results &results, raw_ostream &os,
                 const EmitOptions &options) {
  const EmitterInfo &profile = trace.ranks.size() == 1 && !trace.ranks[0]->placement &&
                                       (trace.ranks[0]->recording.document.isArray ||
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
  Expected<RankHold> held = trace.hold(rank);
  if (!held)
    return held.takeError();
  Expected<PluginView> plugin = PluginView::create(*trace.ranks[rank]);
  if (!plugin)
    return plugin.takeError();
  ShownRanks one{{trace.ranks[rank].get()}, {rank}};
  return ViewerWriter(std::move(one), trace, results, os, &*plugin).write();
}

UnixTimes::UnixTimes(const Trace &trace) : trace(trace), merged(isMerged(trace)) {
  placed = merged && any_of(trace.ranks, [](const auto &r) { return !r->placement->assumed; });
}

bool UnixTimes::known(const Rank &rank) const {
  return merged ? placed : rank.recording.unixOrigin().has_value();
}

int64_t UnixTimes::at(const Rank &rank, int64_t ns) const {
  if (auto time = merged ? timeInTrace(trace, rank, {ns}) : std::nullopt)
    return *time;
  return rank.recording.unixOrigin().value_or(0) + ns;
}

std::optional<int64_t> UnixTimes::first(const Rank &rank) const {
  return known(rank) ? std::optional<int64_t>(at(rank, rangeOf(rank).first)) : std::nullopt;
}

} // namespace chrome

const EmitterInfo chromeViewerEmitter = {
    "chrome:viewer", "Chrome trace JSON for Perfetto's UI and other viewers", {}, emitViewer};
const EmitterInfo chromeEmitter = {
    "chrome", "Chrome trace JSON: faithful for one recording that has a document, else for viewers",
    suffixes, emitChrome};

} // namespace heddle
