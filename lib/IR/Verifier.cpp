//===- Verifier.cpp - What every valid rank satisfies ---------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/IR/Verifier.h"
#include "TrackSort.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Twine.h"

using namespace heddle;
using llvm::Twine;

static llvm::Error fail(llvm::StringRef id, const Twine &message) {
  return inputError(("verify-" + id).str(), message);
}

namespace {
class Verifier {
public:
  explicit Verifier(const Rank &rank) : rank(rank) {}
  llvm::Error run() {
    if (!inRange({rank.recording.origin}))
      return fail("time", "the origin is no time within 146 years");
    if (rank.placement && !inRange({rank.placement->origin}))
      return fail("time", "the rank is placed at no time within 146 years");
    for (const LayoutStore &store : rank.layouts()) {
      usedRows.emplace_back(store.rows);
      if (llvm::Error e = layout(store))
        return e;
    }
    for (uint32_t i = 0; i != rank.tracks().size(); ++i) {
      if (llvm::Error e = track(i))
        return e;
      if (i && !trackBefore(rank.track(i - 1), rank.track(i), rank.strings()))
        return fail("track-order",
                    "track " + Twine(i) + " is out of order or has the key of the one before");
    }
    if (llvm::Error e = rows())
      return e;
    return edges();
  }

private:
  bool known(StringId id) const { return static_cast<uint32_t>(id) < rank.strings().size(); }
  static bool inRange(Time t) { return t.ns >= -kMaxAbsTimeNs && t.ns <= kMaxAbsTimeNs; }
  bool exists(EventRef e) const {
    return e.track < rank.tracks().size() && e.index < rank.track(e.track).size();
  }

  llvm::Error layout(const LayoutStore &store) {
    std::string where = "layout " + std::to_string(usedRows.size() - 1);
    const Layout &l = store.layout;
    if (l.cat != StringId::None && !known(l.cat))
      return fail("string", where + " has an unknown cat");
    if (store.columns.size() != l.entries.size())
      return fail("column-size", where + " has " + Twine(store.columns.size()) + " columns for " +
                                     Twine(l.entries.size()) + " entries");
    for (size_t i = 0; i != l.entries.size(); ++i) {
      const Entry &e = l.entries[i];
      const Column &c = store.columns[i];
      if (!known(e.key))
        return fail("string", where + " has an unknown key");
      if (e.scope == Scope::Args && e.type > ValueType::Null)
        return fail("layout", where + " derives an argument");
      if (c.type != e.type)
        return fail("column-type", where + " has a column of another type than its entry");
      if (c.size() != (hasColumn(e.type) ? store.rows : 0))
        return fail("column-size", where + " has a column of " + Twine(c.size()) + " values for " +
                                       Twine(store.rows) + " rows");
      if (e.type == ValueType::Decimal && c.bytes.size() != c.ints.size())
        return fail("column-size", where + " has decimals without scales");
      for (StringId s : c.strings)
        if (!known(s))
          return fail("string", where + " has a value with an unknown string");
    }
    return llvm::Error::success();
  }

  llvm::Error useRow(LayoutId layout, uint32_t row, llvm::function_ref<std::string()> who) {
    uint16_t l = static_cast<uint16_t>(layout);
    if (l >= usedRows.size() || row >= usedRows[l].size())
      return fail("row", who() + " has a row that does not exist");
    if (usedRows[l].test(row))
      return fail("row", who() + " has a row that another event has");
    usedRows[l].set(row);
    return llvm::Error::success();
  }

  llvm::Error track(uint32_t index) {
    const Track &t = rank.track(index);
    std::string where = "track " + std::to_string(index);
    uint32_t n = t.size();
    if (n == 0)
      return fail("track-empty", where + " is empty");
    if (t.end.size() != n || t.names.size() != n || t.kinds.size() != n || t.layouts.size() != n ||
        t.rows.size() != n || t.seq.size() != n)
      return fail("column-size", where + " has columns of different lengths");
    for (const SourceId *id : {&t.key.pid, &t.key.tid})
      if (!known(id->text))
        return fail("string", where + " has an unknown id string");
    if (t.name != StringId::None && !known(t.name))
      return fail("string", where + " has an unknown name");
    for (const auto &[name, column] : t.derived) {
      if (column.ints.size() + column.strings.size() != n)
        return fail("derived-size",
                    where + " has the derived column '" + name + "' of another length");
      for (StringId s : column.strings)
        if (s != StringId::None && !known(s))
          return fail("string", where + " has an unknown string in '" + name + "'");
    }
    for (uint32_t i = 0; i != n; ++i) {
      auto who = [&] { return where + ", event " + std::to_string(i); };
      if (t.end[i] < t.begin[i])
        return fail("negative-duration", who() + " ends before it begins");
      if (!inRange(t.begin[i]) || !inRange(t.end[i]))
        return fail("time", who() + " is beyond 146 years");
      if (i && !eventBefore(t, i - 1, i))
        return fail("event-order", who() + " is out of order");
      if (!known(t.names[i]))
        return fail("string", who() + " has an unknown name");
      if (llvm::Error e = useRow(t.layouts[i], t.rows[i], who))
        return e;
    }
    return llvm::Error::success();
  }

  /// The end of a span of two events is bound to one that it can end, which has no other.
  llvm::Error end(const FlowRow &f) {
    if (static_cast<uint16_t>(f.layout) >= rank.layouts().size() || !rank.isEnd(f))
      return llvm::Error::success();
    if (!f.anchor.valid())
      return fail("end", "the end in row " + Twine(f.seq) + " is bound to no span");
    const Track &t = rank.track(f.anchor.track);
    if (endPhaseOf(rank.layout(t.layouts[f.anchor.index]).layout.phase) !=
        rank.layout(f.layout).layout.phase)
      return fail("end", "the end in row " + Twine(f.seq) + " does not fit the phase of its event");
    if (!ended.insert(uint64_t{f.anchor.track} << 32 | f.anchor.index).second)
      return fail("end", "the end in row " + Twine(f.seq) + " is the second of its span");
    return llvm::Error::success();
  }

  llvm::Error rows() {
    std::vector<uint32_t> seqs;
    seqs.reserve(rank.numEvents() + rank.flows().size() + rank.loose().size());
    for (const Track &t : rank.tracks())
      seqs.insert(seqs.end(), t.seq.begin(), t.seq.end());
    auto rising = [](const auto &a, const auto &b) { return a.seq < b.seq; };
    if (!std::is_sorted(rank.flows().begin(), rank.flows().end(), rising))
      return fail("row-order", "the flow rows are not in the order of their ordinals");
    if (!std::is_sorted(rank.loose().begin(), rank.loose().end(), rising))
      return fail("row-order", "the loose rows are not in the order of their ordinals");
    for (const FlowRow &f : rank.flows()) {
      if (!inRange(f.at))
        return fail("time", "flow row " + Twine(f.seq) + " is beyond 146 years");
      if (!known(f.name) || !known(f.pid.text) || !known(f.tid.text))
        return fail("string", "flow row " + Twine(f.seq) + " has an unknown string");
      if (f.anchor.valid() && !exists(f.anchor))
        return fail("anchor",
                    "flow row " + Twine(f.seq) + " is bound to an event that does not exist");
      if (llvm::Error e = end(f))
        return e;
      if (llvm::Error e =
              useRow(f.layout, f.row, [&] { return "flow row " + std::to_string(f.seq); }))
        return e;
      seqs.push_back(f.seq);
    }
    for (const LooseRow &l : rank.loose()) {
      if (!known(l.text))
        return fail("string", "loose row " + Twine(l.seq) + " has an unknown string");
      seqs.push_back(l.seq);
    }
    std::sort(seqs.begin(), seqs.end());
    auto twice = std::adjacent_find(seqs.begin(), seqs.end());
    if (twice != seqs.end())
      return fail("seq", "two events have the ordinal " + Twine(*twice));
    if (!seqs.empty() && seqs.back() > kMaxSeq)
      return fail("seq", "an event has the ordinal " + Twine(seqs.back()) +
                             ", and the greatest is " + Twine(kMaxSeq));
    return llvm::Error::success();
  }

  llvm::Error edges() {
    for (size_t i = 0; i != rank.edges().size(); ++i) {
      const Edge &e = rank.edges()[i];
      if (!exists(e.from) || !exists(e.to))
        return fail("edge", "edge " + Twine(i) + " points at an event that does not exist");
      if (i && !(rank.edges()[i - 1] < e))
        return fail("edge-order", "edge " + Twine(i) + " is out of order or stands twice");
      if (e.kind == EdgeKind::Launch && (!isThread(rank.track(e.from.track).key.family) ||
                                         !isStream(rank.track(e.to.track).key.family)))
        return fail("edge-kind",
                    "launch edge " + Twine(i) + " does not lead from a thread to a stream");
    }
    return llvm::Error::success();
  }

  const Rank &rank;
  std::vector<llvm::BitVector> usedRows;
  llvm::DenseSet<uint64_t> ended; ///< Spans that have an end row.
};
} // namespace

llvm::Error heddle::verify(const Rank &rank) { return Verifier(rank).run(); }

/// A clock that loses or gains a second a second stands still or runs double: none does.
static constexpr int64_t kMaxDrift = 1'000'000'000;

bool heddle::isPossible(const ClockDomain &c) {
  auto within = [](int64_t ns) { return ns >= -kMaxAbsTimeNs && ns <= kMaxAbsTimeNs; };
  return within(c.reference) && within(c.offset) && c.drift > -kMaxDrift && c.drift < kMaxDrift &&
         c.error.value_or(0) >= 0;
}

llvm::Error heddle::verifyPlaces(const Trace &trace) {
  for (const ClockDomain &c : trace.clocks)
    if (!isPossible(c))
      return fail("clock", "clock " + Twine(&c - trace.clocks.data()) +
                               " has an offset, drift or error that none can have");
  for (const auto &rank : trace.ranks)
    if (rank->placement && rank->placement->clock >= trace.clocks.size())
      return fail("clock", "a rank is placed by clock " + Twine(rank->placement->clock) + " of " +
                               Twine(trace.clocks.size()));
  return llvm::Error::success();
}

llvm::Error heddle::verify(const Trace &trace) {
  if (llvm::Error e = verifyPlaces(trace))
    return e;
  for (size_t i = 0; i != trace.ranks.size(); ++i) {
    llvm::Expected<RankHold> rank = trace.hold(i);
    if (!rank)
      return rank.takeError();
    if (llvm::Error e = verify(**rank))
      return e;
  }
  return llvm::Error::success();
}

/// Whether all of them are events of the rank.
static bool areEvents(const Rank &rank, llvm::ArrayRef<EventRef> events) {
  return llvm::all_of(events, [&](EventRef e) {
    return e.track < rank.tracks().size() && e.index < rank.track(e.track).size();
  });
}

llvm::Error heddle::verify(const Trace &trace, const Results &results) {
  size_t ranks = trace.ranks.size();
  auto isRank = [&](int64_t r) { return r >= 0 && static_cast<uint64_t>(r) < ranks; };
  std::map<int64_t, std::vector<const Remark *>> pointing; // by rank, so that each is held once
  for (const PassResult &unit : results.units) {
    if (unit.rank != -1 && !isRank(unit.rank))
      return fail("result", "a result is of rank " + Twine(unit.rank) + " of " + Twine(ranks));
    for (const Remark &r : unit.remarks) {
      if (r.rank && !isRank(*r.rank))
        return fail("result", "a remark is of rank " + Twine(*r.rank) + " of " + Twine(ranks));
      if (!r.evidence.empty())
        pointing[r.rank.value_or(unit.rank)].push_back(&r);
    }
  }
  auto missing = [] { return fail("result", "a remark points at an event that is not there"); };
  for (const auto &[place, remarks] : pointing) {
    if (!isRank(place))
      return missing();
    llvm::Expected<RankHold> rank = trace.hold(static_cast<size_t>(place));
    if (!rank)
      return rank.takeError();
    if (!llvm::all_of(remarks, [&](const Remark *r) { return areEvents(**rank, r->evidence); }))
      return missing();
  }
  return llvm::Error::success();
}
