//===- RandomIR.h - Arbitrary IR by seed ------------------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Ranks that satisfy the verifier and are otherwise as odd as possible: every family, kind, value
/// type and form of id, duplicate keys, strings of any bytes. For tests of what must hold for all
/// IR.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_TEST_UNIT_TEXT_RANDOMIR_H
#define HEDDLE_TEST_UNIT_TEXT_RANDOMIR_H

#include "heddle/IR/Trace.h"
#include <random>
#include <set>

namespace heddle::test {

class RandomIR {
public:
  explicit RandomIR(uint64_t seed) : random(seed) {}

  Trace trace() {
    Trace t;
    for (uint64_t n = below(3) + 1; n; --n)
      t.ranks.push_back(rank());
    clocks(t);
    return t;
  }

  std::unique_ptr<Rank> rank() {
    auto rank = std::make_unique<Rank>();
    RankBuilder b(*rank);
    builder = &b;
    recording(*rank);
    layouts.clear();
    events.clear();
    seqs.clear();
    for (uint64_t n = below(12) + 1; n; --n)
      layout();
    bool inOrder = chance(3);
    for (uint64_t n = below(60); n; --n)
      seqs.push_back(inOrder ? seqs.size() : seqs.size() * 7 + below(7));
    if (!inOrder)
      std::shuffle(seqs.begin(), seqs.end(), random);
    for (uint64_t n = below(8); n && !seqs.empty(); --n)
      track();
    for (uint64_t n = below(5); n && !seqs.empty(); --n)
      flow();
    for (uint64_t n = below(4); n && !seqs.empty(); --n)
      b.loose({takeSeq(), b.intern(chance(2) ? json(3) : string())});
    for (uint64_t n = below(10); n && !events.empty(); --n)
      edge();
    b.finish();
    if (chance(3) && !rank->tracks().empty())
      b.trackAt(below(rank->tracks().size())).name = b.intern(string());
    return rank;
  }

private:
  void clocks(Trace &t) {
    for (uint64_t n = chance(2) ? below(3) : 0; n; --n) {
      ClockDomain c;
      c.reference = integer() / 4;
      c.offset = integer() / 4;
      c.drift = static_cast<int64_t>(below(2001)) - 1000;
      if (chance(2))
        c.error = static_cast<int64_t>(below(1000));
      t.clocks.push_back(c);
    }
    for (auto &rank : t.ranks)
      if (!t.clocks.empty() && !chance(3)) {
        Placement &place = rank->placement.emplace();
        place.clock = static_cast<uint32_t>(below(t.clocks.size()));
        place.ids = static_cast<uint32_t>(chance(4) ? UINT32_MAX : below(5));
        place.origin = integer() / 4;
        place.assumed = chance(2);
        if (chance(2))
          place.stated = integer();
      }
  }

  uint64_t below(uint64_t n) { return std::uniform_int_distribution<uint64_t>(0, n - 1)(random); }
  bool chance(unsigned oneIn) { return below(oneIn) == 0; }
  int64_t integer() {
    static constexpr int64_t odd[] = {0, 1, -1, INT64_MAX, INT64_MIN, 999999999999999999};
    return chance(4) ? odd[below(std::size(odd))] : static_cast<int64_t>(below(1000)) - 100;
  }
  uint32_t takeSeq() {
    uint32_t s = static_cast<uint32_t>(seqs.back());
    seqs.pop_back();
    return s;
  }

  std::string string() {
    static const char *const odd[] = {
        "",     "null",         "kernel",       "\"",   "\\",         "\n\t\r",
        "[[",   "// comment",   "} {",          "%k",   "\xc3\xa4",   "\xed\xa0\x80",
        "\xff", "\xe2\x82\xac", "a b",          "x-",   "-x",         "\xf0\x9f\x98\x80",
        "ts",   "\xc2\x85",     "for 5 -> %k0", "é\\n", "thread 1 {", "#\"1\""};
    if (chance(3))
      return odd[below(std::size(odd))];
    std::string s;
    for (uint64_t n = below(12); n; --n)
      s += static_cast<char>(chance(10) ? below(256) : 'a' + below(26));
    return s;
  }

  std::string json(unsigned depth) {
    static const char *const scalars[] = {
        "1",    "-0.50",       "1e-05", "true", "null", "\"a\"", "\"\\u00e4 \\\" [[\"",
        "\"\"", "\"\xc3\xa4\""};
    std::string s;
    bool object = chance(2);
    uint64_t n = below(4);
    s += object ? '{' : '[';
    for (uint64_t i = 0; i != n; ++i) {
      s += i ? ", " : "";
      s += object ? "\"k\": " : "";
      s += depth && chance(2) ? json(depth - 1) : scalars[below(std::size(scalars))];
    }
    return s + (object ? '}' : ']');
  }

  SourceId id() {
    switch (below(5)) {
    case 0:
      return {};
    case 1:
      return {SourceId::String, 0, builder->intern(string())};
    case 2:
      return {SourceId::Raw, 0, builder->intern(string())};
    default:
      return SourceId::integer(chance(3) ? integer() : static_cast<int64_t>(below(3)));
    }
  }

  void recording(Rank &rank) {
    Recording &r = rank.recording;
    auto maybe = [&](auto &field, auto value) {
      if (chance(3))
        field = value;
    };
    maybe(rank.number, integer());
    maybe(rank.worldSize, integer());
    maybe(rank.host, string());
    maybe(rank.backend, string());
    r.format = chance(2) ? "heddle-text" : string();
    maybe(r.producer, string());
    maybe(r.origin, integer() / 4); // begin + origin fits
    maybe(r.base, integer());
    maybe(r.absolute, true);
    maybe(r.unpaddedFraction, true);
    maybe(r.integerMicroseconds, true);
    maybe(r.externalIdsBroken, true);
    maybe(r.partial, true);
    maybe(r.truncatedAt, UINT64_MAX);
    maybe(r.sourceEvents, below(100));
    r.vendor = static_cast<Vendor>(below(6));
    for (uint64_t n = below(4); n; --n)
      r.repairs[string()] = chance(3) ? UINT64_MAX : below(9);
    for (uint64_t n = below(4); n; --n)
      r.notes[string()] = below(9);
    r.document.isArray = chance(4);
    for (uint64_t n = chance(2) ? below(5) : 0; n; --n)
      r.document.members.push_back({string(), chance(4)   ? ""
                                              : chance(4) ? string()
                                              : chance(3) ? "1.50"
                                                          : json(2)});
    for (uint64_t n = below(4); n; --n) {
      Device d;
      maybe(d.id, integer());
      maybe(d.name, string());
      bool more = chance(2);
      if (more)
        d = {d.id, d.name, integer(), integer(), 9, 0};
      r.devices.push_back(d);
    }
  }

  void layout() {
    static constexpr ValueType usual[] = {ValueType::Phase, ValueType::Cat, ValueType::Name,
                                          ValueType::Pid,   ValueType::Tid, ValueType::Ts,
                                          ValueType::Dur};
    Layout l;
    static const char phases[] = {'X', 'i', 'I', 'C', 'R', 's', '\0', '"', '(', 'B',
                                  'B', 'E', 'E', 'b', 'e', 'S', 'F',  'n', 'T', 'p'};
    l.phase = chance(2) ? 'X' : phases[below(std::size(phases))];
    static const char *const cats[] = {"kernel", "cuda_runtime", "cpu_op", "user_annotation"};
    if (!chance(4))
      l.cat = builder->intern(chance(2) ? cats[below(std::size(cats))] : string());
    auto key = [&](ValueType t) { return builder->intern(valueTypeName(t)); };
    bool odd = chance(2);
    for (ValueType t : usual) {
      if (odd && chance(4))
        continue;
      if (t == ValueType::Cat && l.cat == StringId::None && !odd)
        continue;
      if (t == ValueType::Dur && l.phase != 'X' && !odd)
        continue;
      bool time = t == ValueType::Ts || t == ValueType::Dur;
      l.entries.push_back({Scope::Event, t, static_cast<uint8_t>(time ? odd ? below(4) : 3 : 0),
                           time && odd && chance(4),
                           odd && chance(5) ? builder->intern(string()) : key(t)});
      if (odd && chance(4))
        l.entries.push_back(
            {Scope::Event, static_cast<ValueType>(below(7)), 0, false, builder->intern(string())});
    }
    if (!chance(3))
      l.entries.push_back({Scope::Event, ValueType::Args, 0, false, key(ValueType::Args)});
    else if (!odd)
      return addLayout(l);
    for (uint64_t n = below(8); n; --n)
      l.entries.push_back({odd && chance(6) ? Scope::Event : Scope::Args,
                           static_cast<ValueType>(below(7)), 0, false, builder->intern(string())});
    if (odd) {
      if (chance(6))
        l.entries.push_back({Scope::Event, ValueType::Args, 0, false, key(ValueType::Args)});
      if (chance(3))
        std::shuffle(l.entries.begin(), l.entries.end(), random);
    }
    addLayout(l);
  }
  void addLayout(const Layout &l) { layouts.push_back(*builder->layout(l)); }

  uint32_t row(LayoutId id) {
    LayoutStore &store = builder->store(id);
    for (Column &c : store.columns)
      switch (c.type) {
      case ValueType::Decimal:
        c.ints.push_back(integer());
        c.bytes.push_back(static_cast<uint8_t>(c.ints.back() ? below(19) : below(3)));
        break;
      case ValueType::Int:
        c.ints.push_back(integer());
        break;
      case ValueType::Bool:
        c.bytes.push_back(chance(2));
        break;
      case ValueType::String:
      case ValueType::Raw:
        c.strings.push_back(builder->intern(string()));
        break;
      case ValueType::List:
        c.strings.push_back(builder->intern(chance(5) ? string() : json(3)));
        break;
      default:
        break;
      }
    return builder->endRow(id);
  }

  void track() {
    TrackKey key{id(), id(), static_cast<Family>(below(kNumFamilies))};
    if (isThread(key.family) && chance(2))
      key.pid = SourceId::integer(1000);
    uint32_t t = builder->track(key);
    Track &track = builder->trackAt(t);
    if (track.empty()) {
      if (isStream(key.family) || chance(5)) {
        track.device = chance(4) ? -1 : static_cast<int64_t>(below(3));
        track.stream = chance(4) ? -1 : static_cast<int64_t>(below(9));
      }
      if (chance(2))
        track.name = builder->intern(string());
    }
    for (uint64_t n = below(10) + 1; n && !seqs.empty(); --n) {
      LayoutId l = layouts[below(layouts.size())];
      int64_t begin = static_cast<int64_t>(below(20)) - 3, length = static_cast<int64_t>(below(6));
      if (chance(20))
        begin = chance(2) ? kMaxAbsTimeNs - 10 : -kMaxAbsTimeNs;
      uint32_t i =
          builder->event(t, {begin}, {begin + length}, builder->intern(string()),
                         static_cast<EventKind>(below(kNumEventKinds)), l, row(l), takeSeq());
      events.push_back({t, i});
    }
    uint32_t size = builder->trackAt(t).size();
    for (auto &[name, column] : builder->trackAt(t).derived)
      pad(column, size);
    for (uint64_t n = chance(2) ? below(4) : 0; n; --n) {
      DerivedColumn &c = builder->trackAt(t).derived[string()];
      if (c.ints.empty() && c.strings.empty()) {
        bool text = chance(2), empty = chance(3);
        for (uint32_t i = 0; i != size; ++i) {
          bool null = empty || chance(3);
          if (text)
            c.strings.push_back(null ? StringId::None : builder->intern(string()));
          else
            c.ints.push_back(null ? DerivedColumn::kNullInt : integer());
        }
      }
    }
  }
  static void pad(DerivedColumn &c, uint32_t size) {
    if (c.ints.empty())
      c.strings.resize(size, StringId::None);
    else
      c.ints.resize(size, DerivedColumn::kNullInt);
  }

  void flow() {
    FlowRow f;
    LayoutId l = layouts[below(layouts.size())];
    f.at = {static_cast<int64_t>(below(100))};
    char phase = builder->store(l).layout.phase;
    if (isEndPhase(phase)) { // the end of a span that has none yet
      for (EventRef e : events)
        if (LayoutId of = builder->trackAt(e.track).layouts[e.index];
            endPhaseOf(builder->store(of).layout.phase) == phase && ended.insert(e).second) {
          f.anchor = e;
          break;
        }
      if (!f.anchor.valid())
        return;
    } else if (!events.empty() && chance(2)) {
      f.anchor = events[below(events.size())];
    }
    if (f.anchor.valid() && chance(2)) {
      f.pid = builder->trackAt(f.anchor.track).key.pid;
      f.tid = builder->trackAt(f.anchor.track).key.tid;
    } else {
      f.pid = id();
      f.tid = id();
    }
    f.name = builder->intern(string());
    f.layout = l;
    f.row = row(l);
    f.seq = takeSeq();
    builder->flow(f);
  }

  void edge() {
    EventRef from = events[below(events.size())], to = events[below(events.size())];
    EdgeKind kind = static_cast<EdgeKind>(below(kNumEdgeKinds));
    if (kind == EdgeKind::Launch && (!isThread(builder->trackAt(from.track).key.family) ||
                                     !isStream(builder->trackAt(to.track).key.family)))
      return;
    builder->edges().push_back({kind, from, to});
  }

  std::mt19937_64 random;
  RankBuilder *builder = nullptr;
  std::vector<LayoutId> layouts;
  std::vector<EventRef> events;
  std::set<EventRef> ended;
  std::vector<uint64_t> seqs;
};

} // namespace heddle::test

#endif
