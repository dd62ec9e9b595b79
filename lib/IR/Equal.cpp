//===- Equal.cpp - Whether two ranks hold the same IR ---------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/IR/Trace.h"
#include "llvm/ADT/Twine.h"
#include <tuple>

using namespace heddle;
using llvm::Twine;

namespace {
/// Compares two ranks whose string, layout and row numbers may differ.
class Comparison {
public:
  Comparison(const Rank &a, const Rank &b, std::string *why) : a(a), b(b), why(why) {}

  bool run() {
    return facts() && recordings() && tracks() && flows() && loose() &&
           (std::equal(a.edges().begin(), a.edges().end(), b.edges().begin(), b.edges().end()) ||
            differ("edges differ"));
  }

private:
  bool differ(const Twine &what) {
    if (why)
      *why = what.str();
    return false;
  }
  bool same(StringId x, StringId y) const {
    if (x == StringId::None || y == StringId::None)
      return x == y;
    return a.str(x) == b.str(y);
  }
  bool same(const SourceId &x, const SourceId &y) const {
    return x.form == y.form &&
           (x.form == SourceId::Int ? x.value == y.value : same(x.text, y.text));
  }

  bool facts() {
    if (a.number != b.number || a.worldSize != b.worldSize || a.cycle != b.cycle)
      return differ("rank numbers differ");
    if (a.host != b.host || a.backend != b.backend)
      return differ("host or backend differs");
    return a.placement == b.placement || differ("placements differ");
  }

  bool recordings() {
    auto key = [](const Recording &r) {
      return std::tie(r.format, r.part, r.producer, r.origin, r.base, r.absolute,
                      r.unpaddedFraction, r.integerMicroseconds, r.externalIdsBroken, r.partial,
                      r.truncatedAt, r.sourceEvents, r.vendor, r.devices, r.repairs, r.notes);
    };
    if (key(a.recording) != key(b.recording))
      return differ("facts of the recording differ");
    return a.recording.document == b.recording.document || differ("documents differ");
  }

  bool layout(const Layout &x, const Layout &y) const {
    if (x.phase != y.phase || !same(x.cat, y.cat) || x.entries.size() != y.entries.size())
      return false;
    for (size_t i = 0; i != x.entries.size(); ++i) {
      const Entry &p = x.entries[i], &q = y.entries[i];
      if (p.scope != q.scope || p.type != q.type || p.scale != q.scale || p.quoted != q.quoted ||
          !same(p.key, q.key))
        return false;
    }
    return true;
  }

  /// The rows of two events: the same layout and the same values. Layout pairs are compared once.
  bool row(LayoutId la, uint32_t ra, LayoutId lb, uint32_t rb) {
    uint32_t pair = static_cast<uint32_t>(la) << 16 | static_cast<uint32_t>(lb);
    auto [it, isNew] = layoutPairs.try_emplace(pair, false);
    const LayoutStore &x = a.layout(la), &y = b.layout(lb);
    if (isNew)
      it->second = layout(x.layout, y.layout);
    if (!it->second)
      return false;
    for (size_t i = 0; i != x.columns.size(); ++i) {
      const Column &p = x.columns[i], &q = y.columns[i];
      switch (p.type) {
      case ValueType::Decimal:
        if (p.bytes[ra] != q.bytes[rb])
          return false;
        [[fallthrough]];
      case ValueType::Int:
        if (p.ints[ra] != q.ints[rb])
          return false;
        break;
      case ValueType::Bool:
        if (p.bytes[ra] != q.bytes[rb])
          return false;
        break;
      case ValueType::String:
      case ValueType::List:
      case ValueType::Raw:
        if (!same(p.strings[ra], q.strings[rb]))
          return false;
        break;
      default:
        break;
      }
    }
    return true;
  }

  bool derived(const Track &x, const Track &y) {
    if (x.derived.size() != y.derived.size())
      return false;
    for (auto i = x.derived.begin(), j = y.derived.begin(); i != x.derived.end(); ++i, ++j) {
      if (i->first != j->first || i->second.ints != j->second.ints ||
          i->second.strings.size() != j->second.strings.size())
        return false;
      for (size_t k = 0; k != i->second.strings.size(); ++k)
        if (!same(i->second.strings[k], j->second.strings[k]))
          return false;
    }
    return true;
  }

  bool tracks() {
    if (a.tracks().size() != b.tracks().size())
      return differ("there are " + Twine(a.tracks().size()) + " and " + Twine(b.tracks().size()) +
                    " tracks");
    for (uint32_t t = 0; t != a.tracks().size(); ++t) {
      const Track &x = a.track(t), &y = b.track(t);
      if (x.key.family != y.key.family || !same(x.key.pid, y.key.pid) ||
          !same(x.key.tid, y.key.tid) || x.device != y.device || x.stream != y.stream ||
          !same(x.name, y.name))
        return differ("track " + Twine(t) + " has another key, device or name");
      if (x.size() != y.size())
        return differ("track " + Twine(t) + " has " + Twine(x.size()) + " and " + Twine(y.size()) +
                      " events");
      if (!derived(x, y))
        return differ("track " + Twine(t) + " has other derived columns");
      for (uint32_t i = 0; i != x.size(); ++i)
        if (x.begin[i] != y.begin[i] || x.end[i] != y.end[i] || !same(x.names[i], y.names[i]) ||
            x.kinds[i] != y.kinds[i] || x.seq[i] != y.seq[i] ||
            !row(x.layouts[i], x.rows[i], y.layouts[i], y.rows[i]))
          return differ("track " + Twine(t) + ", event " + Twine(i) + " ('" + a.str(x.names[i]) +
                        "' and '" + b.str(y.names[i]) + "') differs");
    }
    return true;
  }

  bool flows() {
    if (a.flows().size() != b.flows().size())
      return differ("the numbers of flow rows differ");
    for (size_t i = 0; i != a.flows().size(); ++i) {
      const FlowRow &x = a.flows()[i], &y = b.flows()[i];
      if (x.at != y.at || !same(x.pid, y.pid) || !same(x.tid, y.tid) || !same(x.name, y.name) ||
          x.seq != y.seq || x.anchor != y.anchor || !row(x.layout, x.row, y.layout, y.row))
        return differ("flow row " + Twine(i) + " differs");
    }
    return true;
  }

  bool loose() {
    if (a.loose().size() != b.loose().size())
      return differ("the numbers of loose rows differ");
    for (size_t i = 0; i != a.loose().size(); ++i)
      if (a.loose()[i].seq != b.loose()[i].seq || !same(a.loose()[i].text, b.loose()[i].text))
        return differ("loose row " + Twine(i) + " differs");
    return true;
  }

  const Rank &a, &b;
  std::string *why;
  llvm::DenseMap<uint32_t, bool> layoutPairs;
};
} // namespace

bool heddle::equal(const Rank &a, const Rank &b, std::string *why) {
  return Comparison(a, b, why).run();
}

bool heddle::equal(const Trace &a, const Trace &b, std::string *why) {
  if (a.ranks.size() != b.ranks.size()) {
    if (why)
      *why = "the numbers of ranks differ";
    return false;
  }
  if (a.clocks != b.clocks) {
    if (why)
      *why = "clocks differ";
    return false;
  }
  for (size_t i = 0; i != a.ranks.size(); ++i)
    if (!equal(*a.ranks[i], *b.ranks[i], why))
      return false;
  return true;
}
