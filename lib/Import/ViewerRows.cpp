//===- ViewerRows.cpp - What a viewer file was before ---------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Files written for viewers have rows with numbers of their own, and lanes for spans that overlap.
/// Their member `heddle` says what each row was; the events go back there.
//===----------------------------------------------------------------------===//
#include "Eras.h"
#include "JsonView.h"
#include "heddle/Support/Time.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace heddle::chrome {

/// An id as the export spells it: a number, a text, null, or a list of one text for other tokens.
static SourceId idIn(StringRef value, RankBuilder &builder) {
  if (auto n = value.starts_with("\"") ? std::nullopt : integer(value))
    return SourceId::integer(*n);
  if (value.starts_with("\""))
    return {SourceId::String, 0, builder.intern(text(value))};
  SourceId id;
  forEachElement(value,
                 [&](StringRef token) { id = {SourceId::Raw, 0, builder.intern(text(token))}; });
  return id;
}

static void append(Track &to, const Track &from) {
  auto move = [](auto &a, const auto &b) { a.insert(a.end(), b.begin(), b.end()); };
  move(to.begin, from.begin);
  move(to.end, from.end);
  move(to.names, from.names);
  move(to.kinds, from.kinds);
  move(to.layouts, from.layouts);
  move(to.rows, from.rows);
  move(to.seq, from.seq);
}

void restoreRows(Sink &sink) {
  Rank &rank = sink.ranked();
  Recording &rec = rank.recording;
  StringRef ours = rec.document.find("heddle");
  if (text(member(ours, "profile")) != "viewer")
    return;
  bool oneOfSeveral = !member(ours, "pids").empty(); // then the file's name is not about it
  auto number = [&](StringRef key, std::optional<int64_t> &to) {
    if (auto n = integer(member(ours, key)); n || oneOfSeveral)
      to = n;
  };
  number("rank", rank.number);
  number("world_size", rank.worldSize);
  number("cycle", rank.cycle);
  if (rank.host.empty() || oneOfSeveral)
    rank.host = text(member(ours, "host"));
  if (rank.backend.empty())
    rank.backend = text(member(ours, "backend"));
  if (integer(member(ours, "resolution_ns")) == 1000)
    rec.integerMicroseconds = true;

  struct Row {
    SourceId pid, tid;
    StringId name = StringId::None;
  };
  RankBuilder &builder = sink.ranks();
  std::map<std::pair<SourceId, SourceId>, Row> rows;
  forEachElement(member(ours, "rows"), [&](StringRef row) {
    SmallVector<StringRef, 5> cells;
    forEachElement(row, [&](StringRef cell) { cells.push_back(cell); });
    if (cells.size() != 5)
      return;
    Row r{idIn(cells[2], builder), idIn(cells[3], builder)};
    if (cells[4] != "null")
      r.name = builder.intern(text(cells[4]));
    rows[{idIn(cells[0], builder), idIn(cells[1], builder)}] = r;
  });
  // Counters and asynchronous events have no row, but a process that others have rows of.
  std::map<SourceId, Row> processes;
  for (const auto &[place, row] : rows)
    processes.try_emplace(place.first, Row{row.pid, {}, StringId::None});
  auto rowOf = [&](const SourceId &pid, const SourceId &tid, bool ofProcess) -> const Row * {
    if (ofProcess) {
      auto it = processes.find(pid);
      return it == processes.end() ? nullptr : &it->second;
    }
    auto it = rows.find({pid, tid});
    return it == rows.end() ? nullptr : &it->second;
  };
  auto isOfProcess = [](Family f) { return f == Family::Async || f == Family::Counter; };
  // All leave their rows before one arrives: a row may have the numbers of another's source.
  struct Move {
    const Row *row;
    uint32_t from;
    Track track;
  };
  std::vector<Move> moved;
  for (uint32_t i = 0; i != rank.tracks().size(); ++i) {
    Track &t = builder.trackAt(i);
    const Row *row = t.empty() ? nullptr : rowOf(t.key.pid, t.key.tid, isOfProcess(t.key.family));
    if (!row)
      continue;
    TrackKey key = t.key;
    moved.push_back({row, i, std::move(t)});
    t = Track(); // finish() drops it if it stays empty
    t.key = key;
  }
  DenseMap<uint32_t, EventRef> places; // by track that was left: where its first event is now
  for (auto &[row, from, source] : moved) {
    SourceId tid = isOfProcess(source.key.family) ? source.key.tid : row->tid;
    uint32_t to = builder.track({row->pid, tid, source.key.family});
    Track &target = builder.trackAt(to);
    if (target.empty()) {
      target.device = source.device;
      target.stream = source.stream;
      target.name = isOfProcess(source.key.family) ? source.name : row->name;
    }
    places[from] = {to, target.size()};
    append(target, source);
  }
  for (FlowRow &f : builder.flows()) {
    if (f.anchor.valid())
      if (auto it = places.find(f.anchor.track); it != places.end())
        f.anchor = {it->second.track, it->second.index + f.anchor.index};
    bool async = isAsyncPhase(rank.layout(f.layout).layout.phase);
    if (const Row *row = rowOf(f.pid, f.tid, async)) {
      f.pid = row->pid;
      if (!async)
        f.tid = row->tid;
    }
  }
}

/// Makes times count from the rank's own origin again, where that moves none out of range.
static void restoreOrigin(Rank &rank, RankBuilder &builder, int64_t origin) {
  int64_t by;
  if (SubOverflow(origin, rank.recording.origin, by))
    return;
  auto move = [&](int64_t ns, int64_t &to) {
    return !SubOverflow(ns, by, to) && to >= -kMaxAbsTimeNs && to <= kMaxAbsTimeNs;
  };
  int64_t moved = 0;
  if (origin < -kMaxAbsTimeNs || origin > kMaxAbsTimeNs)
    return;
  for (const Track &t : rank.tracks())
    for (uint32_t i = 0; i != t.size(); ++i)
      if (!move(t.begin[i].ns, moved) || !move(t.end[i].ns, moved))
        return;
  for (const FlowRow &f : rank.flows())
    if (!move(f.at.ns, moved))
      return;
  rank.recording.origin = origin;
  for (uint32_t n = 0; n != rank.tracks().size(); ++n) {
    Track &t = builder.trackAt(n);
    for (uint32_t i = 0; i != t.size(); ++i) {
      t.begin[i].ns -= by;
      t.end[i].ns -= by;
    }
  }
  for (FlowRow &f : builder.flows())
    f.at.ns -= by;
}

void restoreRank(Sink &sink) {
  Rank &rank = sink.ranked();
  RankBuilder &builder = sink.ranks();
  for (uint32_t i = 0; i != rank.tracks().size(); ++i)
    builder.adopt(i);
  settleFacts(sink);
  restoreRows(sink);
  StringRef ours = rank.recording.document.find("heddle");
  if (auto origin = integer(member(ours, "origin_ns")))
    restoreOrigin(rank, builder, *origin);
  builder.finish();
}

} // namespace heddle::chrome
