//===- Contents.cpp - What fills a recording ------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Contents.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <array>

using namespace llvm;

namespace heddle::health {

namespace {
uint64_t digits(int64_t n) {
  uint64_t count = n < 0 ? 2 : 1;
  while (n /= 10)
    ++count;
  return count;
}

/// A decimal of this mantissa, spelled with `scale` digits behind the point.
uint64_t decimalLength(int64_t mantissa, unsigned scale) {
  if (!scale)
    return digits(mantissa);
  uint64_t sign = mantissa < 0, count = digits(mantissa) - sign;
  return sign + std::max<uint64_t>(count, scale + 1) + 1;
}

/// JSON text without the white space between its tokens.
uint64_t compactLength(StringRef json) {
  uint64_t length = 0;
  bool inString = false;
  for (size_t i = 0; i < json.size(); ++i) {
    char c = json[i];
    length += inString || (c != ' ' && c != '\n');
    if (inString && c == '\\' && i + 1 < json.size()) {
      ++i;
      ++length;
    } else if (c == '"') {
      inString = !inString;
    }
  }
  return length;
}

struct Amount {
  uint64_t events = 0, bytes = 0;
};

/// Measures events as JSON text without white space.
class Meter {
public:
  explicit Meter(const Rank &rank)
      : rank(rank), lengths(rank.strings().size(), kUnknown),
        compact(rank.strings().size(), kUnknown), fixed(rank.layouts().size()) {
    for (size_t l = 0; l != fixed.size(); ++l)
      fixed[l] = fixedLength(rank.layouts()[l].layout);
  }

  uint64_t event(LayoutId layout, uint32_t row, StringId name, const SourceId &pid,
                 const SourceId &tid, Time begin, Duration length) {
    const LayoutStore &store = rank.layout(layout);
    uint64_t bytes = fixed[static_cast<uint16_t>(layout)];
    for (auto [entry, column] : zip_equal(store.layout.entries, store.columns))
      bytes += value(entry, column, row, name, pid, tid, begin, length);
    return bytes;
  }

private:
  static constexpr uint32_t kUnknown = ~uint32_t{0};

  /// A string with its quotes.
  uint64_t quoted(StringId id) {
    uint32_t &known = lengths[static_cast<uint32_t>(id)];
    if (known == kUnknown) {
      StringRef text = rank.str(id);
      known = static_cast<uint32_t>(text.size() + 2 +
                                    count_if(text, [](char c) { return c == '"' || c == '\\'; }));
    }
    return known;
  }
  uint64_t nested(StringId id) {
    uint32_t &known = compact[static_cast<uint32_t>(id)];
    if (known == kUnknown)
      known = static_cast<uint32_t>(compactLength(rank.str(id)));
    return known;
  }
  uint64_t source(const SourceId &id) {
    return id.form == SourceId::Int      ? digits(id.value)
           : id.form == SourceId::String ? quoted(id.text)
           : id.form == SourceId::Raw    ? rank.str(id.text).size()
                                         : 0;
  }
  /// Keys, punctuation, and what all rows share.
  uint64_t fixedLength(const Layout &layout) {
    uint64_t outer = 0, inner = 0, bytes = 2; // braces
    for (const Entry &e : layout.entries) {
      ++(e.scope == Scope::Event ? outer : inner);
      bytes += quoted(e.key) + 1 + (e.quoted ? 2 : 0);
      if (e.type == ValueType::Phase)
        bytes += 3;
      else if (e.type == ValueType::Cat)
        bytes += quoted(layout.cat);
      else if (e.type == ValueType::Args)
        bytes += 2;
      else if (e.type == ValueType::Null)
        bytes += 4;
    }
    return bytes + (outer ? outer - 1 : 0) + (inner ? inner - 1 : 0); // commas
  }
  uint64_t value(const Entry &entry, const Column &column, uint32_t row, StringId name,
                 const SourceId &pid, const SourceId &tid, Time begin, Duration length) {
    switch (entry.type) {
    case ValueType::Int:
      return digits(column.ints[row]);
    case ValueType::Decimal:
      return decimalLength(column.ints[row], column.bytes[row]);
    case ValueType::String:
      return quoted(column.strings[row]);
    case ValueType::Bool:
      return column.bytes[row] ? 4 : 5;
    case ValueType::List:
    case ValueType::Raw:
      return nested(column.strings[row]);
    case ValueType::Name:
      return quoted(name);
    case ValueType::Pid:
      return source(pid);
    case ValueType::Tid:
      return source(tid);
    case ValueType::Ts:
      return time(begin.ns + rank.recording.origin, entry.scale);
    case ValueType::Dur:
      return time(length.ns, entry.scale);
    case ValueType::Null:
    case ValueType::Phase:
    case ValueType::Cat:
    case ValueType::Args:
      return 0;
    }
    return 0;
  }
  static uint64_t time(int64_t ns, unsigned scale) {
    return digits(ns / 1000) + (scale ? 1 + scale : 0);
  }

  const Rank &rank;
  std::vector<uint32_t> lengths; ///< Of strings with quotes, by id.
  std::vector<uint32_t> compact; ///< Of JSON texts, by id.
  std::vector<uint64_t> fixed;   ///< By layout.
};

bool moreBytes(const ContentRow &a, const ContentRow &b) {
  return std::tie(b.bytes, b.events, a.kind, a.name) < std::tie(a.bytes, a.events, b.kind, b.name);
}
} // namespace

std::vector<ContentRow> contentsOf(const Rank &rank) {
  Meter meter(rank);
  std::array<Amount, kNumEventKinds> kinds{};
  DenseMap<std::pair<uint32_t, uint32_t>, Amount> names; // by kind and name
  for (const Track &t : rank.tracks())
    for (uint32_t i = 0; i != t.size(); ++i) {
      uint64_t bytes = meter.event(t.layouts[i], t.rows[i], t.names[i], t.key.pid, t.key.tid,
                                   t.begin[i], t.duration(i));
      auto kind = static_cast<uint32_t>(t.kinds[i]);
      for (Amount *a : {&kinds[kind], &names[{kind, static_cast<uint32_t>(t.names[i])}]}) {
        ++a->events;
        a->bytes += bytes;
      }
    }
  Amount flows, loose;
  for (const FlowRow &f : rank.flows()) {
    ++flows.events;
    flows.bytes += meter.event(f.layout, f.row, f.name, f.pid, f.tid, f.at, {});
  }
  for (const LooseRow &l : rank.loose()) {
    ++loose.events;
    loose.bytes += compactLength(rank.str(l.text));
  }

  std::vector<ContentRow> out, byName;
  auto add = [&](StringRef kind, const Amount &a) {
    if (a.events)
      out.push_back({kind.str(), "", a.events, a.bytes});
  };
  for (uint32_t k = 0; k != kNumEventKinds; ++k)
    add(kindName(static_cast<EventKind>(k)), kinds[k]);
  add("flow", flows);
  add("loose", loose);
  llvm::sort(out, moreBytes);
  for (const auto &[key, amount] : names)
    if (StringId name{key.second}; !rank.str(name).empty())
      byName.push_back({kindName(static_cast<EventKind>(key.first)).str(), rank.str(name).str(),
                        amount.events, amount.bytes});
  size_t top = std::min(kTopNames, byName.size());
  std::partial_sort(byName.begin(), byName.begin() + static_cast<ptrdiff_t>(top), byName.end(),
                    moreBytes);
  std::move(byName.begin(), byName.begin() + static_cast<ptrdiff_t>(top), std::back_inserter(out));
  return out;
}

} // namespace heddle::health
