//===- ChromeRank.cpp - The events of a rank, for viewers -----------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "ChromeRank.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace heddle::chrome {

/// Today's word for a category of older recorders, and one for events without any.
static StringRef categoryOf(const Rank &rank, const Track &t, uint32_t i) {
  StringId id = rank.layout(t.layouts[i]).layout.cat;
  StringRef cat = id == StringId::None ? "" : rank.str(id);
  struct Alias {
    EventKind kind;
    StringLiteral old, now;
  };
  static constexpr Alias aliases[] = {{EventKind::CpuOp, "operator", "cpu_op"},
                                      {EventKind::Annotation, "user", "user_annotation"},
                                      {EventKind::Runtime, "runtime", "cuda_runtime"},
                                      {EventKind::Kernel, "kernel", "kernel"},
                                      {EventKind::Memcpy, "memcpy", "gpu_memcpy"},
                                      {EventKind::Memset, "memset", "gpu_memset"},
                                      {EventKind::CpuOp, "", "cpu_op"},
                                      {EventKind::Kernel, "", "kernel"},
                                      {EventKind::Memory, "", "cpu_instant_event"},
                                      {EventKind::Runtime, "", "privateuse1_runtime"},
                                      {EventKind::Memcpy, "", "gpu_memcpy"},
                                      {EventKind::Sync, "", "cuda_sync"},
                                      {EventKind::Window, "", "Trace"}};
  if (t.key.family == Family::StreamAnnotation)
    return "gpu_user_annotation";
  for (const Alias &a : aliases)
    if (a.kind == t.kinds[i] && cat.equals_insensitive(a.old))
      return a.now;
  return cat.empty() ? "none" : cat;
}

void RankView::category(EventRef e) {
  StringRef cat = categoryOf(rank, rank.track(e.track), e.index);
  out << ", \"cat\": ";
  out.string(plugin ? plugin->category(e, cat) : cat);
}

void RankView::where(const ViewerRow &row, int64_t at) {
  out << ", \"pid\": " << int64_t{plan.pid(row)} << ", \"tid\": " << int64_t{row.tid}
      << ", \"ts\": ";
  out.micros(time(at), 3);
}

void RankView::length(Interval i) {
  int64_t begin = time(i.begin.ns), end = time(i.end.ns);
  out << ", \"dur\": ";
  if (auto micros = plugin ? PluginView::longDuration(begin, end) : std::nullopt)
    out.real(*micros);
  else
    out.micros(end - begin, 3);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

void RankView::metadata() {
  auto line = [&](StringRef name, int64_t pid, int64_t tid, StringRef key, StringRef text,
                  int64_t number) {
    list.open("M");
    out << ", \"name\": \"" << name << "\", \"pid\": " << pid;
    if (tid)
      out << ", \"tid\": " << tid;
    out << ", \"ts\": 0.000, \"args\": {\"" << key << "\": ";
    if (number < 0)
      out.string(text);
    else
      out << number;
    out << "}";
    list.close();
  };
  // A process is named on one of its rows, if it has any: another tid would be one more row.
  std::vector<const ViewerRow *> rowOf(plan.processes().size());
  for (const ViewerRow &r : plan.rows())
    if (r.used && !rowOf[r.process])
      rowOf[r.process] = &r;
  for (auto [p, row] : zip(plan.processes(), rowOf)) {
    if (!p.used)
      continue;
    int64_t tid = row ? row->tid : 0;
    line("process_name", p.pid, tid, "name", p.name, -1);
    if (!p.label.empty())
      line("process_labels", p.pid, tid, "labels", p.label, -1);
    line("process_sort_index", p.pid, tid, "sort_index", "", static_cast<int64_t>(p.order));
  }
  for (auto [i, r] : enumerate(plan.rows())) {
    if (!r.used)
      continue;
    if (!r.name.empty())
      line("thread_name", plan.pid(r), r.tid, "name", r.name, -1);
    line("thread_sort_index", plan.pid(r), r.tid, "sort_index", "", static_cast<int64_t>(i + 1));
  }
}

//===----------------------------------------------------------------------===//
// Spans and instants
//===----------------------------------------------------------------------===//

/// Recorders give a correlation twice: to calls that launch nothing, and where their counters wrap
/// around. Readers of an export link by it, so each call that launches has one of its own, which
/// its activities share, and of the others that have the same none.
void RankView::separateLaunches() {
  AttrReader correlation(rank, "correlation");
  std::vector<std::pair<int64_t, EventRef>> calls;
  for (auto [track, t] : enumerate(rank.tracks()))
    for (uint32_t i = 0; i != t.size(); ++i)
      if (isApiCall(t.kinds[i]) || isDeviceWork(t.kinds[i])) {
        int64_t id = correlation.getInt(t, i).value_or(0);
        if (id > 0 && isApiCall(t.kinds[i]))
          calls.push_back({id, {static_cast<uint32_t>(track), i}});
      }
  // A flow cannot lead back in time: where no id links such a launch, one is made.
  auto idOf = [&](EventRef e) {
    return correlation.getInt(rank.track(e.track), e.index).value_or(0);
  };
  for (const Edge &e : rank.edges())
    if (e.kind == EdgeKind::Launch && isApiCall(rank.kind(e.from)) && !idOf(e.from) &&
        !idOf(e.to) && rank.interval(e.to).begin < rank.interval(e.from).begin) {
      int64_t &id = correlations[e.from];
      id = id ? id : ids.freshCorrelation();
      correlations[e.to] = id;
    }
  stable_sort(calls, [](const auto &a, const auto &b) { return a.first < b.first; });
  auto sharers = [&](size_t at) { // of the id at this place
    size_t n = 1;
    while (at + n != calls.size() && calls[at + n].first == calls[at].first)
      ++n;
    return ArrayRef(calls).slice(at, n);
  };
  std::map<EventRef, std::vector<EventRef>> launched; // by calls that share an id
  for (size_t at = 0; at != calls.size(); at += sharers(at).size())
    if (auto of = sharers(at); of.size() > 1)
      for (auto &[id, call] : of)
        launched[call];
  if (launched.empty())
    return;
  for (const Edge &e : rank.edges())
    if (e.kind == EdgeKind::Launch)
      if (auto it = launched.find(e.from); it != launched.end())
        it->second.push_back(e.to);
  for (size_t at = 0; at != calls.size(); at += sharers(at).size()) {
    auto of = sharers(at);
    if (of.size() < 2)
      continue;
    // The first that launched keeps the id, or the first of all.
    const auto *keeps = find_if(of, [&](const auto &c) { return !launched[c.second].empty(); });
    EventRef keeper = keeps == of.end() ? of.front().second : keeps->second;
    for (auto &[id, call] : of) {
      if (call == keeper)
        continue;
      int64_t own = launched[call].empty() ? 0 : ids.freshCorrelation();
      correlations[call] = own;
      for (EventRef activity : launched[call])
        correlations[activity] = own;
    }
  }
}

void RankView::slice(EventRef e, const ViewerRow &row) {
  const Track &t = rank.track(e.track);
  uint32_t i = e.index;
  ViewerArgs::Extra extra;
  extra.event = i;
  extra.moved = row.lane != 0;
  if (auto it = correlations.find(e); it != correlations.end())
    extra.correlation = it->second;
  if (plugin)
    plugin->adjust(e, plan.pid(row), extra);
  auto head = [&](StringRef phase) {
    list.open(phase);
    category(e);
    out << ", \"name\": ";
    out.string(t.names[i]);
  };
  bool async = t.key.family == Family::Async;
  const FlowRow *end = ends.lookup(uint64_t{e.track} << 32 | i);
  extra.end = async ? nullptr : end;
  head(async ? "b" : "X");
  if (async)
    out << ", \"id\": " << static_cast<int64_t>(++list.flowId);
  where(row, t.begin[i].ns);
  if (!async)
    length(t.interval(i));
  out << ", ";
  args.write(t.layouts[i], t.rows[i], t, extra);
  list.close();
  if (!async)
    return;
  head("e");
  out << ", \"id\": " << static_cast<int64_t>(list.flowId);
  where(row, t.end[i].ns);
  if (end) {
    out << ", ";
    args.write(end->layout, end->row, t, {});
  }
  list.close();
}

void RankView::instant(EventRef e, const ViewerRow &row) {
  const Track &t = rank.track(e.track);
  uint32_t i = e.index;
  if (isRecorderMark(rank, t, i))
    return;
  ViewerArgs::Extra extra;
  if (plugin)
    plugin->adjust(e, plan.pid(row), extra);
  list.open("i");
  category(e);
  out << ", \"name\": ";
  out.string(t.names[i]);
  where(row, t.begin[i].ns);
  out << ", \"s\": \"t\", ";
  args.write(t.layouts[i], t.rows[i], t, extra);
  list.close();
}

void RankView::events(bool slices) {
  for (const std::vector<uint32_t> &group : plan.groups()) {
    if (rank.track(group.front()).key.family == Family::Counter)
      continue;
    forEachInOrder(rank, group, [&](uint32_t track, uint32_t i) {
      const Track &t = rank.track(track);
      if (isSlice(t, i) != slices)
        return;
      if (!plan.shows(t.interval(i)))
        ++left["far-event"];
      else if (slices)
        slice({track, i}, plan.row(track, i));
      else
        instant({track, i}, plan.row(track, i));
    });
  }
}

void RankView::spans() { events(true); }

void RankView::instants() {
  events(false);
  if (uint64_t n = rank.loose().size()) {
    uint64_t metadata = count_if(rank.loose(), [&](const LooseRow &l) {
      StringRef text = rank.str(l.text);
      if (!text.contains("\"M\""))
        return false;
      std::optional<json::Value> event = parseJsonTree(text);
      const json::Object *members = event ? event->getAsObject() : nullptr;
      return event ? members && members->getString("ph") == "M" : text.contains("\"ph\": \"M\"");
    });
    if (n != metadata)
      left["other-phase"] += n - metadata;
  }
}

//===----------------------------------------------------------------------===//
// Counters
//===----------------------------------------------------------------------===//

void RankView::counters() {
  AttrReader idOf(rank, "id", Scope::Event);
  auto name = [&](const Track &t, uint32_t i) {
    std::string text = rank.str(t.names[i]).str();
    if (auto s = idOf.getString(t, i))
      text += " [" + s->str() + "]";
    else if (auto n = idOf.getInt(t, i))
      text += " [" + std::to_string(*n) + "]";
    return text;
  };
  for (auto [track, t] : enumerate(rank.tracks())) {
    if (t.key.family != Family::Counter)
      continue;
    // A viewer takes a series that a sample lacks for 0: such counters are shown one by one.
    struct Use {
      std::vector<StringId> keys;
      bool alike = true;
    };
    std::map<std::string, Use> uses;
    auto keysOf = [&](uint32_t i) {
      std::vector<StringId> keys;
      for (const ViewerArgs::Series &s : args.series(t.layouts[i]))
        keys.push_back(s.key);
      return keys;
    };
    for (uint32_t i = 0; i != t.size(); ++i) {
      auto [it, added] = uses.try_emplace(name(t, i));
      if (added)
        it->second.keys = keysOf(i);
      else
        it->second.alike &= it->second.keys == keysOf(i);
    }
    for (uint32_t i = 0; i != t.size(); ++i) {
      if (!plan.shows(t.interval(i))) {
        ++left["far-event"];
        continue;
      }
      ArrayRef<ViewerArgs::Series> series = args.series(t.layouts[i]);
      if (series.empty()) {
        ++left["counter-without-number"];
        continue;
      }
      std::string label = name(t, i);
      bool alike = uses[label].alike;
      const ViewerRow &row = plan.row(static_cast<uint32_t>(track), i);
      for (size_t s = 0; s != series.size(); s = alike ? series.size() : s + 1) {
        list.open("C");
        out << ", \"name\": ";
        out.string(alike ? label : label + " " + rank.str(series[s].key).str());
        where(row, t.begin[i].ns);
        out << ", \"args\": {";
        for (size_t k = s; k != (alike ? series.size() : s + 1); ++k) {
          out << (k == s ? "" : ", ");
          out.string(series[k].key);
          out << ": ";
          out.value(*series[k].column, t.rows[i]);
        }
        out << "}";
        list.close();
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// Flows
//===----------------------------------------------------------------------===//

static StringRef flowName(EdgeKind k) {
  switch (k) {
  case EdgeKind::Launch:
    return "ac2g";
  case EdgeKind::FwdBwd:
    return "fwdbwd";
  case EdgeKind::RecordToWait:
    return "record_wait";
  case EdgeKind::SendRecv:
    return "send_recv";
  case EdgeKind::Flow:
    break;
  }
  return "flow";
}

/// Each edge is a flow of its own: viewers end a flow at its first end. An end binds to the slice
/// around it, and it must not come before its start, so it stands where the later one begins.
void RankView::flows() {
  for (const Edge &e : rank.edges()) {
    const Track &from = rank.track(e.from.track), &to = rank.track(e.to.track);
    uint32_t i = e.from.index, j = e.to.index;
    Interval a = from.interval(i), b = to.interval(j);
    Time at = std::max(a.begin, b.begin);
    bool async = from.key.family == Family::Async || to.key.family == Family::Async;
    if (async || !isSlice(from, i) || !isSlice(to, j) || !plan.shows(a) || !plan.shows(b) ||
        a.empty() || at >= b.end) {
      ++left["flow"];
      continue;
    }
    ++list.flowId;
    auto flow = [&](StringRef cat, StringRef name) {
      for (bool start : {true, false}) {
        list.open(start ? "s" : "f");
        out << ", \"cat\": \"" << cat << "\", \"name\": \"" << name
            << "\", \"id\": " << static_cast<int64_t>(list.flowId);
        where(start ? plan.row(e.from.track, i) : plan.row(e.to.track, j),
              start ? a.begin.ns : at.ns);
        if (!start)
          out << ", \"bp\": \"e\"";
        list.close();
      }
    };
    StringRef name = flowName(e.kind);
    bool backward = plugin && e.kind == EdgeKind::FwdBwd;
    flow(backward && plugin->hidesBackward() ? "autograd" : name, name);
    if (backward && !plugin->hidesBackward()) // release 0.4.3 knows the older name alone
      flow("forward_backward", "fwd_bwd");
  }
}

//===----------------------------------------------------------------------===//
// What Heddle adds
//===----------------------------------------------------------------------===//

void RankView::findings(ArrayRef<ShownFinding> found) {
  for (const ShownFinding &f : found) {
    const Remark *r = f.remark;
    list.open("X");
    out << ", \"cat\": \"heddle\", \"name\": ";
    out.string(r->id + ": " + r->message);
    where(plan.rows()[f.row], f.at.begin.ns);
    length(f.at);
    out << ", \"args\": {\"finding\": ";
    out.string(r->id);
    auto number = [&](StringRef key, std::optional<int64_t> n) {
      if (n) {
        out << ", \"" << key << "\": ";
        out << *n;
      }
    };
    number("cost_ns", r->costNs);
    number("window_ns", r->windowNs);
    number("device", r->device);
    if (!r->advice.empty()) {
      out << ", \"try\": ";
      out.string(r->advice);
    }
    for (const auto &[key, text] : r->args) {
      out << ", ";
      out.string("about " + key);
      out << ": ";
      out.string(text);
    }
    out << "}";
    list.close();
  }
}

void RankView::marks(int64_t first, int64_t last) {
  const auto *row = find_if(plan.rows(), [](const ViewerRow &r) { return r.used; });
  if (row == plan.rows().end())
    return;
  for (bool end : {false, true}) {
    list.open("i");
    out << ", \"name\": \"" << (end ? "Record Window End" : "Iteration Start: PyTorch Profiler")
        << "\"";
    out << ", \"pid\": " << int64_t{plan.pid(*row)} << ", \"tid\": " << int64_t{row->tid}
        << ", \"ts\": ";
    out.micros(end ? last : first, 3);
    out << ", \"s\": \"t\", \"args\": {}";
    list.close();
  }
}

} // namespace heddle::chrome
