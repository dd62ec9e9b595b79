//===- LinkFlows.cpp - Flow rows: what they bind to and what they join ----===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Link.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace heddle::chrome {

//===----------------------------------------------------------------------===//
// Binding
//===----------------------------------------------------------------------===//

const Linker::Row *Linker::rowOf(const FlowRow &f) {
  RowKey key{f.pid, f.tid};
  if (lastRow && key == lastKey)
    return lastRow;
  auto it = rows.find({plainId(f.pid, rank), plainId(f.tid, rank)});
  if (it == rows.end())
    return nullptr;
  lastKey = key;
  return lastRow = &it->second;
}

/// Flows by the names that recorders have used: from launches to activities, and from forward to
/// backward ops.
Linker::FlowKind Linker::flowKind(const FlowRow &f) const {
  StringId id = rank.layout(f.layout).layout.cat;
  StringRef cat = id == StringId::None ? StringRef() : rank.str(id);
  if (cat == "fwdbwd" || cat == "forward_backward")
    return FlowKind::Backward;
  if (cat == "ac2g" || cat == "async_cpu_to_gpu" || cat == "async_gpu" ||
      cat.starts_with("cpu_to_") || cat == "HostToDevice" ||
      (cat == "async" && rank.str(f.name) == "launch"))
    return FlowKind::Launch;
  return FlowKind::Other;
}

/// Ascend's flows begin somewhere in the call that launches, all others with it.
bool Linker::beginsInside(const FlowRow &f) const {
  StringId id = rank.layout(f.layout).layout.cat;
  return phase(f) == 's' && id != StringId::None && rank.str(id) == "HostToDevice";
}

/// The autograd profiler counts its flows from 0.
bool Linker::legacyFlow(const FlowRow &f) const {
  StringId id = rank.layout(f.layout).layout.cat;
  return id != StringId::None && rank.str(id).starts_with("cpu_to_");
}

/// Recorders write a flow end at the begin of its event. Of several that begin there: for a launch
/// the activity (an end) or call (a start); for backward an op with a sequence number, the
/// innermost at a start, the outermost at an end.
EventRef Linker::eventAt(const FlowRow &f, FlowKind kind, const AttrReader &sequence) {
  const Row *row = rowOf(f);
  EventRef best;
  int bestScore = 0;
  bool start = phase(f) == 's';
  std::tuple key(row, f.at.ns, kind, start);
  if (auto known = crowded.find(key); known != crowded.end())
    return known->second;
  uint32_t looked = 0;
  for (uint32_t n : row ? *row : Row()) {
    const Track &t = rank.track(n);
    if (t.key.family != Family::ThreadWork && t.key.family != Family::StreamWork &&
        t.key.family != Family::StreamSync)
      continue;
    auto first = std::lower_bound(t.begin.begin(), t.begin.end(), f.at);
    for (uint32_t i = static_cast<uint32_t>(first - t.begin.begin());
         i < t.size() && t.begin[i] == f.at; ++i) {
      ++looked;
      int score;
      if (kind == FlowKind::Backward)
        score = t.kinds[i] != EventKind::CpuOp ? 0 : sequence.present(t, i) ? 2 : 1;
      else
        score = isApiCall(t.kinds[i])      ? (callOf(t.names[i]) == Call::Probe ? 1
                                              : start                           ? 4
                                                                                : 2)
                : isDeviceWork(t.kinds[i]) ? (start ? 2 : 4)
                                           : 1; // the autograd profiler's ops launch themselves
      bool later = kind != FlowKind::Backward || start;
      if (score > bestScore || (later && score == bestScore && score > 0)) {
        best = {n, i};
        bestScore = score;
      }
    }
  }
  if (looked > 64)
    crowded[key] = best;
  return best;
}

/// Flow rows that begin no event: a start or step binds to the slice around it, an end too if it
/// says so (bp), else to the next slice. One sweep over the slices of each row.
void Linker::bindToSlices(ArrayRef<uint32_t> waiting) {
  std::map<const Row *, std::vector<uint32_t>> byRow;
  for (uint32_t f : waiting)
    if (const Row *row = rowOf(rank.flows()[f]))
      byRow[row].push_back(f);
  for (auto &[key, row] : rows)
    if (auto it = byRow.find(&row); it != byRow.end())
      bindRow(row, it->second);
}

void Linker::bindRow(const Row &row, ArrayRef<uint32_t> waiting) {
  std::vector<EventRef> slices;
  for (uint32_t n : row)
    if (Family f = rank.track(n).key.family;
        f == Family::ThreadWork || f == Family::ThreadPython || f == Family::StreamWork)
      for (uint32_t i = 0; i < rank.track(n).size(); ++i)
        slices.push_back({n, i});
  if (row.size() > 1)
    llvm::stable_sort(slices, [&](EventRef a, EventRef b) {
      Interval x = rank.interval(a), y = rank.interval(b);
      return x.begin != y.begin ? x.begin < y.begin : x.end > y.end;
    });
  std::vector<uint32_t> order(waiting.begin(), waiting.end());
  llvm::stable_sort(
      order, [&](uint32_t a, uint32_t b) { return rank.flows()[a].at < rank.flows()[b].at; });
  AttrReader bindingPoint(rank, "bp", Scope::Event);
  std::vector<EventRef> open;
  size_t next = 0;
  for (uint32_t f : order) {
    FlowRow &flow = builder.flows()[f];
    for (; next < slices.size() && rank.interval(slices[next]).begin <= flow.at; ++next) {
      while (!open.empty() && rank.interval(open.back()).end < rank.interval(slices[next]).begin)
        open.pop_back();
      open.push_back(slices[next]);
    }
    while (!open.empty() && rank.interval(open.back()).end < flow.at)
      open.pop_back();
    if (phase(flow) != 'f' || bindingPoint.getString(flow.layout, flow.row) == StringRef("e"))
      flow.anchor = open.empty() ? EventRef() : open.back();
    else if (!open.empty() && rank.interval(open.back()).begin == flow.at)
      flow.anchor = open.back();
    else if (next < slices.size())
      flow.anchor = slices[next];
  }
}

//===----------------------------------------------------------------------===//
// Joining
//===----------------------------------------------------------------------===//

void Linker::byFlows() {
  for (uint32_t n = 0; n < rank.tracks().size(); ++n) {
    const TrackKey &key = rank.track(n).key;
    if (key.family == Family::Async)
      continue;
    rows[{plainId(key.pid, rank), plainId(key.tid, rank)}].push_back(n);
  }
  AttrReader sequence(rank, "Sequence number");
  std::vector<uint32_t> waiting;
  for (uint32_t i = 0; i < rank.flows().size(); ++i) {
    FlowRow &f = builder.flows()[i];
    if (rank.isEnd(f))
      continue;
    FlowKind kind = flowKind(f);
    if (kind == FlowKind::Other || beginsInside(f))
      waiting.push_back(i);
    else
      f.anchor = eventAt(f, kind, sequence);
  }
  bindToSlices(waiting);
  joinFlows();
  size_t backward = 0;
  for (const Edge &e : rank.edges())
    backward += e.kind == EdgeKind::FwdBwd;
  if (!backward)
    backwardBySequence();
}

/// An id as a number; other text is numbered as a string. 0 for none.
uint64_t Linker::numberOf(const AttrReader &ids, LayoutId layout, uint32_t row) const {
  if (auto id = ids.getInt(layout, row))
    return static_cast<uint64_t>(*id);
  if (auto text = ids.getString(layout, row))
    if (auto known = rank.strings().find(*text))
      return uint64_t{1} << 63 | static_cast<uint32_t>(*known);
  return 0;
}

/// The second form of flows, between events that carry bind_id. One with flow_out begins a flow,
/// and the later ones with flow_in have it lead to them, until another one begins. The end of a
/// span of two events speaks for the span. Returns how many have no partner.
uint64_t Linker::joinBindIds() {
  AttrReader ids(rank, "bind_id", Scope::Event);
  if (!ids.anywhere())
    return 0;
  AttrReader in(rank, "flow_in", Scope::Event), out(rank, "flow_out", Scope::Event);
  struct Bound {
    uint64_t id;
    int64_t at;
    bool in, out;
    uint32_t seq;
    EventRef event;
  };
  std::vector<Bound> all;
  auto add = [&](EventRef e, LayoutId layout, uint32_t row, Time at, uint32_t seq) {
    bool leads = out.getInt(layout, row).value_or(0), ends = in.getInt(layout, row).value_or(0);
    if (leads || ends)
      all.push_back({numberOf(ids, layout, row), at.ns, ends, leads, seq, e});
  };
  for (uint32_t n = 0; n < rank.tracks().size(); ++n) {
    const Track &t = rank.track(n);
    for (uint32_t i = 0; i < t.size(); ++i)
      if (ids.present(t, i))
        add({n, i}, t.layouts[i], t.rows[i], t.begin[i], t.seq[i]);
  }
  for (const FlowRow &f : rank.flows())
    if (rank.isEnd(f))
      add(f.anchor, f.layout, f.row, f.at, f.seq);
  llvm::sort(all, [](const Bound &a, const Bound &b) { // at equal times starts go first
    return std::tie(a.id, a.at, a.in, a.seq) < std::tie(b.id, b.at, b.in, b.seq);
  });
  uint64_t alone = 0;
  EventRef from;
  bool joined = true;
  for (size_t i = 0; i < all.size(); ++i) {
    const Bound &b = all[i];
    if (i == 0 || b.id != all[i - 1].id) {
      alone += !joined;
      from = {};
      joined = true;
    }
    if (b.in) {
      join(FlowKind::Other, from, b.event);
      alone += !from.valid();
      joined = true;
    }
    if (b.out) {
      alone += !joined;
      from = b.event;
      joined = false;
    }
  }
  return alone + !joined;
}

/// Joins the ends of each id in order of time. An id may be used again once its flow has ended.
void Linker::joinFlows() {
  AttrReader ids(rank, "id", Scope::Event);
  std::vector<FlowEnd> ends;
  ends.reserve(rank.flows().size());
  uint64_t unbound = 0;
  for (uint32_t i = 0; i < rank.flows().size(); ++i) {
    const FlowRow &f = rank.flows()[i];
    if (rank.isEnd(f))
      continue;
    StringId cat = rank.layout(f.layout).layout.cat;
    FlowEnd e{static_cast<uint64_t>(cat) << 32 | static_cast<uint32_t>(f.name), 0, f.at.ns, i};
    e.id = numberOf(ids, f.layout, f.row);
    // Recorders of PyTorch write the name as the category too, and ids are unique in it.
    if (flowKind(f) != FlowKind::Other)
      e.chain = static_cast<uint64_t>(cat);
    unbound += !f.anchor.valid();
    ends.push_back(e);
  }
  sink.note("unbound-flow", unbound);
  llvm::sort(ends, [&](const FlowEnd &a, const FlowEnd &b) {
    auto order = [&](const FlowEnd &e) { // at equal times starts go first, then steps
      char p = phase(rank.flows()[e.flow]);
      return p == 's' ? 0 : p == 't' ? 1 : 2;
    };
    return std::tuple(a.chain, a.id, a.at, order(a), a.flow) <
           std::tuple(b.chain, b.id, b.at, order(b), b.flow);
  });
  llvm::sort(unlinked);
  linkedByFlow.assign(unlinked.size(), false);
  uint64_t dangling = joinBindIds();
  SmallVector<uint32_t, 8> starts, finishes;
  for (size_t i = 0; i < ends.size();) {
    size_t first = i;
    for (; i < ends.size() && ends[i].chain == ends[first].chain && ends[i].id == ends[first].id;
         ++i)
      ;
    FlowKind kind = flowKind(rank.flows()[ends[first].flow]);
    if (kind == FlowKind::Launch && ends[first].id == 0 &&
        !legacyFlow(rank.flows()[ends[first].flow])) {
      dangling += i - first; // 0 is no correlation
      continue;
    }
    if (kind == FlowKind::Other) {
      EventRef from;
      bool open = false, joined = false;
      for (size_t k = first; k < i; ++k) {
        const FlowRow &f = rank.flows()[ends[k].flow];
        char p = phase(f);
        if (p == 's') {
          dangling += open && !joined;
          open = true, joined = false;
          from = f.anchor;
          continue;
        }
        if (!open) {
          ++dangling;
          continue;
        }
        join(kind, from, f.anchor);
        joined = true;
        from = f.anchor;
        open = p != 'f';
      }
      dangling += open && !joined;
      continue;
    }
    // A GPU clock may put an end before its start; several activities may share one launch.
    starts.clear();
    finishes.clear();
    for (size_t k = first; k < i; ++k)
      (phase(rank.flows()[ends[k].flow]) == 's' ? starts : finishes).push_back(ends[k].flow);
    if (starts.empty() || finishes.empty()) {
      dangling += starts.size() + finishes.size();
      continue;
    }
    for (uint32_t f : finishes) {
      const FlowRow &end = rank.flows()[f];
      auto after = std::upper_bound(starts.begin(), starts.end(), end.at,
                                    [&](Time at, uint32_t s) { return at < rank.flows()[s].at; });
      uint32_t s = after == starts.begin() ? starts.front() : *(after - 1);
      join(kind, rank.flows()[s].anchor, end.anchor);
    }
  }
  sink.note("dangling-flow", dangling);
}

void Linker::join(FlowKind kind, EventRef from, EventRef to) {
  if (!from.valid() || !to.valid() || from == to)
    return;
  if (kind == FlowKind::Other) {
    builder.edges().push_back({EdgeKind::Flow, from, to});
  } else if (kind == FlowKind::Backward) {
    if (rank.kind(from) == EventKind::CpuOp && rank.kind(to) == EventKind::CpuOp)
      builder.edges().push_back({EdgeKind::FwdBwd, from, to});
  } else if (isThread(rank.track(from.track).key.family) && isDeviceWork(rank.kind(to))) {
    // Only where correlation gave no launch.
    auto it = std::lower_bound(unlinked.begin(), unlinked.end(), to);
    if (it == unlinked.end() || *it != to)
      return;
    auto taken = linkedByFlow.begin() + (it - unlinked.begin());
    if (*taken)
      return;
    *taken = true;
    link(from, to);
    sink.note("launch-by-flow");
  }
}

/// Without flows: the last forward op of a sequence number before the backward op that carries the
/// number and a forward thread.
void Linker::backwardBySequence() {
  AttrReader sequence(rank, "Sequence number"), thread(rank, {"Fwd thread id", "Fwd thread Id"});
  if (!sequence.anywhere() || !thread.anywhere())
    return;
  struct Op {
    int64_t number, begin, end;
    EventRef event;
    bool backward;
  };
  std::vector<Op> ops;
  for (uint32_t n = 0; n < rank.tracks().size(); ++n) {
    const Track &t = rank.track(n);
    if (t.key.family != Family::ThreadWork)
      continue;
    for (uint32_t i = 0; i < t.size(); ++i) {
      if (t.kinds[i] != EventKind::CpuOp)
        continue;
      auto number = sequence.getInt(t, i), from = thread.getInt(t, i);
      if (number && *number >= 0 && from)
        ops.push_back({*number, t.begin[i].ns, t.end[i].ns, {n, i}, *from > 0});
    }
  }
  llvm::sort(ops, [](const Op &a, const Op &b) {
    return std::tuple(a.number, a.begin, -a.end, a.event) <
           std::tuple(b.number, b.begin, -b.end, b.event);
  });
  const Op *forward = nullptr, *outer = nullptr;
  for (size_t i = 0; i < ops.size(); ++i) {
    const Op &op = ops[i];
    if (i == 0 || ops[i - 1].number != op.number)
      forward = outer = nullptr;
    if (!op.backward) {
      forward = &op;
      continue;
    }
    // The op inside its root carries the number too.
    if (outer && outer->event.track == op.event.track && op.end <= outer->end)
      continue;
    outer = &op;
    if (forward)
      builder.edges().push_back({EdgeKind::FwdBwd, forward->event, op.event});
    else
      sink.note("backward-without-forward");
  }
}

} // namespace heddle::chrome
