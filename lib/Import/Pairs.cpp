//===- Pairs.cpp - Spans that two events make -----------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Eras.h"
#include "JsonView.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include <algorithm>

using namespace llvm;

namespace heddle::chrome {
namespace {

constexpr uint32_t kNone = UINT32_MAX;

/// What a begin and its end share: a thread or, where they are asynchronous, their process,
/// category, scope and id.
class Keys {
public:
  explicit Keys(const Rank &rank)
      : rank(rank), ids(rank, "id", Scope::Event), ids2(rank, "id2", Scope::Event),
        scopes(rank, "scope", Scope::Event) {}

  /// The number of an event's key, counted from 0; kNone for an asynchronous event without id.
  /// `pid` and `tid` are those of its track.
  uint32_t of(const SourceId &pid, const SourceId &tid, LayoutId layout, uint32_t row) {
    Key key;
    uint32_t pidForm, tidForm = 0;
    std::tie(key.first.first, pidForm) = plain(pid);
    char phase = rank.layout(layout).layout.phase;
    if (!isAsyncPhase(phase)) {
      std::tie(key.second.first, tidForm) = plain(tid);
    } else {
      bool legacy = phase == 'S' || phase == 'F';
      auto [id, what] = idOf(layout, row);
      if (what == Absent)
        return kNone;
      key.second = {spaceOf(layout, row), id};
      tidForm = what | (legacy ? Legacy : 0u);
    }
    key.first.second = pidForm << 8 | tidForm;
    return numbers.try_emplace(key, size()).first->second;
  }
  uint32_t size() const { return static_cast<uint32_t>(numbers.size()); }

private:
  /// (pid, forms), (tid, 0) or (pid, forms), (category and scope, id).
  using Key = std::pair<std::pair<uint64_t, uint64_t>, std::pair<uint64_t, uint64_t>>;
  enum What : uint32_t { Absent = 16, Plain, Local, Global, Text = 32, Legacy = 64 };

  /// 7 and "7" are one process, as they are for viewers.
  std::pair<uint64_t, uint32_t> plain(const SourceId &id) const {
    int64_t n = id.value;
    if (id.form == SourceId::Int ||
        (id.form == SourceId::String && !rank.str(id.text).getAsInteger(10, n)))
      return {static_cast<uint64_t>(n), SourceId::Int};
    return {static_cast<uint64_t>(id.text), id.form};
  }

  /// An id as a number, and what it is. Other text than numbers is numbered.
  std::pair<uint64_t, uint32_t> idOf(LayoutId layout, uint32_t row) {
    if (auto spelled = ids.getString(layout, row))
      return number(*spelled, Plain);
    if (auto n = ids.getInt(layout, row))
      return {static_cast<uint64_t>(*n), Plain};
    auto object = ids2.getString(layout, row);
    for (What what : {Local, Global})
      if (object)
        if (StringRef value = member(*object, what == Local ? "local" : "global"); !value.empty())
          return number(value.starts_with("\"") ? text(value) : value.str(), what);
    return {0, Absent};
  }
  std::pair<uint64_t, uint32_t> number(StringRef id, uint32_t what) {
    uint64_t n;
    StringRef digits = id;
    if (!digits.getAsInteger(digits.consume_front("0x") ? 16 : 10, n))
      return {n, what};
    return {texts.try_emplace(id, texts.size()).first->second, what | Text};
  }
  uint64_t spaceOf(LayoutId layout, uint32_t row) const {
    StringId scope = StringId::Empty;
    if (auto text = scopes.getString(layout, row))
      scope = rank.strings().find(*text).value_or(scope);
    return static_cast<uint64_t>(rank.layout(layout).layout.cat) << 32 |
           static_cast<uint32_t>(scope);
  }

  const Rank &rank;
  AttrReader ids, ids2, scopes;
  DenseMap<Key, uint32_t> numbers;
  StringMap<uint64_t> texts;
};

/// A begin or an end among those of its key.
struct Half {
  int64_t at;
  uint32_t seq;
  uint32_t index; ///< Of the begin among those that wait, or of the flow row.
  StringId name;
  bool isEnd;
  bool isLegacy;
};

class Pairer {
public:
  explicit Pairer(Sink &sink)
      : sink(sink), builder(sink.ranks()), rank(sink.ranked()), begins(sink.begins()),
        endOf(begins.size(), kNone), innermost(rank.strings().size(), kNone) {}
  void run();

private:
  std::vector<Half> collect(std::vector<uint32_t> &starts);
  void pair(MutableArrayRef<Half> group);
  void close(const Half &end, uint32_t level);
  void pairLeftovers();
  void placeBegins();
  void placeEnds();

  Sink &sink;
  RankBuilder &builder;
  Rank &rank;
  std::vector<Begin> &begins;
  std::vector<uint32_t> endOf; ///< By begin: the flow row that ends it.
  // Of the group at hand.
  struct Open {
    const Half *begin; ///< Null once it was ended.
    uint32_t outer;    ///< The next open begin of the same name, or kNone.
  };
  std::vector<Open> open;
  std::vector<uint32_t> innermost; ///< By name: its innermost open begin.
  std::vector<const Half *> unmatched;
};

/// All begins and ends by key and, in each, in the order of the file; `starts` are the places where
/// keys begin, and the end.
std::vector<Half> Pairer::collect(std::vector<uint32_t> &starts) {
  Keys keys(rank);
  ArrayRef<FlowRow> flows = rank.flows();
  std::vector<std::pair<uint32_t, Half>> halves;
  size_t b = 0, f = 0;
  auto add = [&](uint32_t key, const Half &half) {
    if (key != kNone)
      halves.push_back({key, half});
  };
  while (b != begins.size() || f != flows.size()) {
    if (f == flows.size() || (b != begins.size() && begins[b].seq < flows[f].seq)) {
      const Begin &x = begins[b];
      const TrackKey &track = rank.track(x.track).key;
      add(keys.of(track.pid, track.tid, x.layout, x.row),
          {x.at, x.seq, static_cast<uint32_t>(b), x.name, false, false});
      ++b;
    } else {
      const FlowRow &x = flows[f];
      if (rank.isEnd(x))
        add(keys.of(x.pid, x.tid, x.layout, x.row),
            {x.at.ns, x.seq, static_cast<uint32_t>(f), x.name, true,
             rank.layout(x.layout).layout.phase == 'F'});
      ++f;
    }
  }
  starts.assign(keys.size() + 1, 0);
  for (auto &[key, half] : halves)
    ++starts[key + 1];
  for (size_t i = 1; i < starts.size(); ++i)
    starts[i] += starts[i - 1];
  std::vector<uint32_t> next(starts.begin(), starts.end());
  std::vector<Half> sorted(halves.size());
  for (auto &[key, half] : halves)
    sorted[next[key]++] = half;
  return sorted;
}

void Pairer::close(const Half &end, uint32_t level) {
  Open &o = open[level];
  endOf[o.begin->index] = end.index;
  innermost[static_cast<uint32_t>(o.begin->name)] = o.outer;
  o.begin = nullptr;
  while (!open.empty() && !open.back().begin)
    open.pop_back();
}

/// In order of time and, at equal times, of the file: an end with a name closes the innermost open
/// begin of that name and leaves the others open; one without, the innermost of all.
void Pairer::pair(MutableArrayRef<Half> group) {
  auto before = [](const Half &a, const Half &b) { return a.at < b.at; };
  if (!llvm::is_sorted(group, before))
    std::stable_sort(group.begin(), group.end(), before);
  for (const Half &h : group) {
    uint32_t &named = innermost[static_cast<uint32_t>(h.name)];
    auto top = static_cast<uint32_t>(open.size());
    if (!h.isEnd) {
      open.push_back({&h, named});
      named = top;
    } else if (h.name == StringId::Empty && !h.isLegacy && top) {
      close(h, top - 1);
    } else if (named != kNone) {
      close(h, named);
    } else {
      unmatched.push_back(&h);
    }
  }
  pairLeftovers();
  for (const Open &o : open)
    if (o.begin)
      innermost[static_cast<uint32_t>(o.begin->name)] = kNone;
  open.clear();
  unmatched.clear();
}

/// Some write the end of an empty span before its begin: what is left of one name at one time
/// belongs together.
void Pairer::pairLeftovers() {
  if (unmatched.empty() || open.empty())
    return;
  std::vector<const Half *> left;
  for (const Open &o : open)
    if (o.begin)
      left.push_back(o.begin);
  auto order = [](const Half *a, const Half *b) {
    return std::tie(a->at, a->name) < std::tie(b->at, b->name);
  };
  llvm::stable_sort(left, order);
  llvm::stable_sort(unmatched, order);
  size_t i = 0;
  for (const Half *end : unmatched) {
    while (i < left.size() && order(left[i], end))
      ++i;
    if (i < left.size() && !order(end, left[i]))
      endOf[left[i++]->index] = end->index;
  }
}

/// Each begin is a span with its end, or an instant.
void Pairer::placeBegins() {
  uint64_t alone = 0;
  for (uint32_t i = 0; i < begins.size(); ++i) {
    const Begin &b = begins[i];
    if (endOf[i] != kNone) {
      FlowRow &end = builder.flows()[endOf[i]];
      end.anchor = {b.track,
                    builder.event(b.track, {b.at}, end.at, b.name, b.kind, b.layout, b.row, b.seq)};
      continue;
    }
    ++alone;
    TrackKey key = rank.track(b.track).key;
    int64_t device = rank.track(b.track).device, stream = rank.track(b.track).stream;
    if (key.family != Family::Async)
      key.family = isStream(key.family) ? Family::StreamMarker : Family::ThreadMarker;
    uint32_t track = builder.track(key);
    if (isStream(key.family))
      builder.trackAt(track).device = device, builder.trackAt(track).stream = stream;
    builder.event(track, {b.at}, {b.at}, b.name, EventKind::Marker, b.layout, b.row, b.seq);
  }
  sink.note("unmatched-begin", alone);
  begins.clear();
}

/// Ends that close nothing are instants too.
void Pairer::placeEnds() {
  uint64_t alone = 0;
  auto stays = [&](const FlowRow &f) {
    if (f.anchor.valid() || !rank.isEnd(f))
      return true;
    ++alone;
    Family family =
        isAsyncPhase(rank.layout(f.layout).layout.phase) ? Family::Async : Family::ThreadMarker;
    builder.event(builder.track({f.pid, f.tid, family}), f.at, f.at, f.name, EventKind::Marker,
                  f.layout, f.row, f.seq);
    return false;
  };
  llvm::erase_if(builder.flows(), [&](const FlowRow &f) { return !stays(f); });
  sink.note("unmatched-end", alone);
}

void Pairer::run() {
  std::vector<uint32_t> starts;
  std::vector<Half> halves = collect(starts);
  for (size_t i = 0; i + 1 < starts.size(); ++i)
    pair(MutableArrayRef(halves).slice(starts[i], starts[i + 1] - starts[i]));
  placeBegins();
  placeEnds();
}

} // namespace

void pairSpans(Sink &sink) {
  if (!sink.begins().empty() || sink.hasEnds())
    Pairer(sink).run();
}

} // namespace heddle::chrome
