//===- Time.cpp - Time base, fractions and origin of a file ---------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Eras.h"
#include "JsonView.h"

using namespace llvm;

namespace heddle::chrome {
namespace {

/// 1973 in Unix time: file times beyond it are Unix times, those below count from a base.
constexpr int64_t kAbsoluteNs = int64_t{100000000} * 1000000000;
constexpr int64_t kSecond = 1000000000, kHour = 3600 * kSecond;
constexpr int64_t kPow10[] = {1, 10, 100, 1000};

class TimeSettler {
public:
  explicit TimeSettler(Sink &sink)
      : sink(sink), builder(sink.ranks()), rank(sink.ranked()), rec(rank.recording) {}

  void run() {
    indexEntries();
    if (fractionsAreUnpadded())
      readUnpadded();
    pairSpans(sink);
    findBase();
    quarantine();
    chooseOrigin();
  }

private:
  struct Spelling { ///< Of ts and dur in one layout.
    int ts = -1, dur = -1;
    uint8_t tsScale = 0, durScale = 0;
    bool quoted = false, durQuoted = false; ///< One of them; dur.
  };
  void indexEntries();
  bool fractionsAreUnpadded() const;
  void readUnpadded();
  void findBase();
  void quarantine();
  bool spellDuration(Track &t, uint32_t i);
  void chooseOrigin();
  Track &track(uint32_t i) { return builder.trackAt(i); }
  const Spelling &spelling(LayoutId l) const { return spellings[static_cast<uint16_t>(l)]; }
  template <typename F> void forEachStamp(F f) const; ///< f(nanoseconds, digits of the fraction)

  Sink &sink;
  RankBuilder &builder;
  Rank &rank;
  Recording &rec;
  std::vector<Spelling> spellings;
};

void TimeSettler::indexEntries() {
  uint64_t stamps = 0;
  bool fractions = false;
  spellings.assign(rank.layouts().size(), {});
  for (size_t l = 0; l < spellings.size(); ++l) {
    const LayoutStore &store = rank.layouts()[l];
    for (size_t i = 0; i < store.layout.entries.size(); ++i) {
      const Entry &e = store.layout.entries[i];
      Spelling &s = spellings[l];
      if (e.type == ValueType::Ts)
        s.ts = static_cast<int>(i), s.tsScale = e.scale, s.quoted |= e.quoted;
      else if (e.type == ValueType::Dur)
        s.dur = static_cast<int>(i), s.durScale = e.scale, s.durQuoted = e.quoted,
        s.quoted |= e.quoted;
      else
        fractions |= e.scope == Scope::Event && e.type == ValueType::Decimal &&
                     rank.str(e.key) == "ts" && store.rows;
    }
    if (store.layout.phase == 'X' && store.rows) {
      stamps += store.rows;
      fractions |= spellings[l].tsScale > 0 || spellings[l].durScale > 0;
    }
  }
  rec.integerMicroseconds = stamps && !fractions;
}

template <typename F> void TimeSettler::forEachStamp(F f) const {
  for (const Track &t : rank.tracks())
    for (uint32_t i = 0; i < t.size(); ++i) {
      const Spelling &s = spelling(t.layouts[i]);
      if (s.ts >= 0)
        f(t.begin[i].ns, s.tsScale);
      if (s.dur >= 0)
        f(t.duration(i).ns, s.durScale);
    }
}

/// Fractions of mixed length of which none longer than a digit begins with 0: they count
/// nanoseconds, without zeros in front. A few could look so by chance, and so could quarters of a
/// microsecond, so most must have three digits and there must be sixteen of them.
bool TimeSettler::fractionsAreUnpadded() const {
  unsigned scales = 0;
  for (const Spelling &s : spellings) {
    if (s.quoted)
      return false;
    if (s.ts >= 0)
      scales |= 1u << s.tsScale;
    if (s.dur >= 0)
      scales |= 1u << s.durScale;
  }
  if (!(scales & 0b1000) || !(scales & 0b0110) || rec.integerMicroseconds)
    return false;
  uint64_t longer = 0, three = 0, any = 0;
  bool padded = false, absolute = true;
  forEachStamp([&](int64_t ns, uint8_t scale) {
    int64_t digits = ns % 1000 / kPow10[3 - scale];
    any += scale > 0;
    longer += scale > 1;
    three += scale == 3;
    padded |= scale > 1 && digits < kPow10[scale - 1];
  });
  for (const Track &t : rank.tracks())
    if (isThread(t.key.family) || t.key.family == Family::StreamWork)
      for (uint32_t i = 0; i < t.size() && absolute; ++i)
        absolute = t.begin[i].ns >= kAbsoluteNs;
  return absolute && !padded && longer >= 16 && three * 10 >= any * 6;
}

/// Takes every fraction for a count of nanoseconds. Begins no longer give the spelling back, so
/// ts and dur become columns.
void TimeSettler::readUnpadded() {
  rec.unpaddedFraction = true;
  for (size_t l = 0; l < spellings.size(); ++l) {
    LayoutStore &store = builder.store(static_cast<LayoutId>(l));
    for (auto [index, scale] : {std::pair(spellings[l].ts, spellings[l].tsScale),
                                {spellings[l].dur, spellings[l].durScale}}) {
      if (index < 0)
        continue;
      ValueType type = scale ? ValueType::Decimal : ValueType::Int;
      Entry &e = store.layout.entries[static_cast<size_t>(index)];
      e.type = type;
      e.scale = 0;
      Column &c = store.columns[static_cast<size_t>(index)];
      c.type = type;
      c.ints.assign(store.rows, 0);
      if (scale)
        c.bytes.assign(store.rows, scale);
    }
  }
  auto reread = [&](LayoutId l, uint32_t row, int index, uint8_t scale, int64_t ns) {
    if (index < 0)
      return ns;
    builder.store(l).columns[static_cast<size_t>(index)].ints[row] = ns / kPow10[3 - scale];
    return ns - ns % 1000 + ns % 1000 / kPow10[3 - scale];
  };
  for (uint32_t n = 0; n < rank.tracks().size(); ++n) {
    Track &t = track(n);
    for (uint32_t i = 0; i < t.size(); ++i) {
      const Spelling &s = spelling(t.layouts[i]);
      int64_t length = reread(t.layouts[i], t.rows[i], s.dur, s.durScale, t.duration(i).ns);
      t.begin[i].ns = reread(t.layouts[i], t.rows[i], s.ts, s.tsScale, t.begin[i].ns);
      t.end[i].ns = t.begin[i].ns + length;
    }
  }
  for (Begin &b : sink.begins()) {
    const Spelling &s = spelling(b.layout);
    b.at = reread(b.layout, b.row, s.ts, s.tsScale, b.at);
  }
  for (FlowRow &f : builder.flows()) {
    const Spelling &s = spelling(f.layout);
    f.at.ns = reread(f.layout, f.row, s.ts, s.tsScale, f.at.ns);
  }
  indexEntries();
}

/// The base stands before or behind the events, or where VizTracer puts it.
void TimeSettler::findBase() {
  StringRef value = rec.document.find("baseTimeNanoseconds");
  if (value.empty())
    value = member(rec.document.find("viztracer_metadata"), "baseTimeNanoseconds");
  rec.base = integer(value);
}

/// Unfinished events and overflowed counters last for years: more than ten times as long as
/// everything else together and over an hour. They are taken for empty. A shorter limit would take
/// the last kernel of a hung job for one.
void TimeSettler::quarantine() {
  int64_t first = INT64_MAX, last = INT64_MIN;
  bool suspects = false;
  for (const Track &t : rank.tracks()) {
    if (t.key.family == Family::Window)
      continue;
    for (uint32_t i = 0; i < t.size(); ++i) {
      bool suspect = t.duration(i).ns > kHour;
      suspects |= suspect;
      first = std::min(first, t.begin[i].ns);
      last = std::max(last, suspect ? t.begin[i].ns : t.end[i].ns);
    }
  }
  if (!suspects)
    return;
  for (uint32_t n = 0; n < rank.tracks().size(); ++n) {
    Track &t = track(n);
    for (uint32_t i = 0; i < t.size(); ++i) {
      if (t.key.family == Family::Window || t.duration(i).ns <= kHour ||
          t.duration(i).ns / 10 <= last - first)
        continue;
      if (!spellDuration(t, i))
        continue;
      t.end[i] = t.begin[i];
      sink.repaired(Repair::AbsurdDuration, 0);
    }
  }
}

/// Moves an event to the layout that holds its duration as a column; false if it cannot be.
bool TimeSettler::spellDuration(Track &t, uint32_t i) {
  LayoutId from = t.layouts[i];
  Layout layout = builder.store(from).layout;
  Spelling s = spelling(from);
  if (s.dur < 0)
    return true; // it has the column already
  Entry &e = layout.entries[static_cast<size_t>(s.dur)];
  e.type = s.durQuoted ? ValueType::String : s.durScale ? ValueType::Decimal : ValueType::Int;
  e.scale = 0;
  e.quoted = false;
  auto to = builder.layout(layout);
  if (!to)
    return false;
  if (spellings.size() < rank.layouts().size()) {
    spellings.resize(rank.layouts().size());
    Spelling moved = s;
    moved.dur = -1;
    spellings.back() = moved;
  }
  LayoutStore &target = builder.store(*to);
  const LayoutStore &source = builder.store(from);
  uint32_t row = t.rows[i];
  for (size_t c = 0; c < target.columns.size(); ++c) {
    Column &out = target.columns[c];
    const Column &in = source.columns[c];
    if (c == static_cast<size_t>(s.dur)) {
      Decimal d{t.duration(i).ns / kPow10[3 - s.durScale], s.durScale};
      if (s.durQuoted) {
        SmallString<32> text;
        d.print(text);
        out.strings.push_back(builder.intern(text));
        continue;
      }
      out.ints.push_back(d.mantissa);
      if (s.durScale)
        out.bytes.push_back(s.durScale);
      continue;
    }
    if (row < in.ints.size())
      out.ints.push_back(in.ints[row]);
    if (row < in.bytes.size())
      out.bytes.push_back(in.bytes[row]);
    if (row < in.strings.size())
      out.strings.push_back(in.strings[row]);
  }
  t.layouts[i] = *to;
  t.rows[i] = builder.endRow(*to);
  return true;
}

/// The whole microsecond of the first span that is no marker, window or zero.
void TimeSettler::chooseOrigin() {
  int64_t first = INT64_MAX, positive = INT64_MAX, marker = INT64_MAX;
  for (const Track &t : rank.tracks()) {
    bool real = t.key.family != Family::Window && t.key.family != Family::Counter &&
                t.key.family != Family::ThreadMarker && t.key.family != Family::StreamMarker;
    for (uint32_t i = 0; i < t.size(); ++i) {
      int64_t ns = t.begin[i].ns;
      if (!real) {
        marker = std::min(marker, ns);
        continue;
      }
      first = std::min(first, ns);
      if (ns > 0)
        positive = std::min(positive, ns);
    }
  }
  if (first == INT64_MAX) {
    for (const FlowRow &f : rank.flows())
      marker = std::min(marker, f.at.ns);
    first = positive = marker == INT64_MAX ? 0 : marker;
  }
  // Beside times hours and years later, 0 is no time.
  bool zeros = first == 0 && positive != INT64_MAX && positive > kHour &&
               (rec.base || positive > kAbsoluteNs);
  if (zeros)
    first = positive;
  if (positive != INT64_MAX && positive >= kAbsoluteNs) {
    if (rec.base && *rec.base != 0)
      sink.note("base-beside-absolute-time");
    rec.base.reset();
    rec.absolute = true;
  } else if (!rec.base && rec.sourceEvents) {
    sink.note("unknown-base");
  }
  rec.origin = first - (first % 1000 + 1000) % 1000;
  uint64_t zeroCount = 0;
  for (uint32_t n = 0; n < rank.tracks().size(); ++n) {
    Track &t = track(n);
    for (uint32_t i = 0; i < t.size(); ++i) {
      zeroCount += zeros && t.begin[i].ns == 0;
      t.begin[i].ns -= rec.origin;
      t.end[i].ns -= rec.origin;
    }
  }
  for (FlowRow &f : builder.flows())
    f.at.ns -= rec.origin;
  sink.note("zero-time", zeroCount);
}

} // namespace

void settleTime(Sink &sink) { TimeSettler(sink).run(); }

} // namespace heddle::chrome
