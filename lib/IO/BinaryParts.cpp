//===- BinaryParts.cpp - What writing and reading of .hb share ------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "BinaryParts.h"

using namespace heddle;
using namespace heddle::binary;

void Slots::add(const Layout &layout) {
  std::vector<Place> &places = byLayout.emplace_back();
  std::map<std::tuple<Scope, StringId, ValueType>, uint32_t> seen;
  for (uint32_t i = 0; i != layout.entries.size(); ++i) {
    const Entry &e = layout.entries[i];
    if (!hasColumn(e.type))
      continue;
    uint32_t nth = seen[{e.scope, e.key, e.type}]++;
    auto [it, added] = index.try_emplace({e.scope, e.key, e.type, nth}, size());
    if (added)
      types.push_back(e.type);
    places.push_back({i, it->second});
  }
}

Launchers::Launchers(const Rank &rank)
    : rank(rank), key(rank.strings().find("correlation")), columns(rank.layouts().size(), nullptr) {
  if (!key)
    return;
  for (size_t l = 0; l != columns.size(); ++l) {
    const LayoutStore &store = rank.layouts()[l];
    for (size_t e = 0; e != store.columns.size() && !columns[l]; ++e) {
      const Entry &entry = store.layout.entries[e];
      if (entry.scope == Scope::Args && entry.type == ValueType::Int && entry.key == *key)
        columns[l] = &store.columns[e];
    }
  }
}

std::optional<int64_t> Launchers::correlation(const Track &t, uint32_t i) const {
  const Column *c = columns[static_cast<uint16_t>(t.layouts[i])];
  // Two values are the map's own.
  if (!c || c->ints[t.rows[i]] <= 0 || c->ints[t.rows[i]] >= INT64_MAX - 1)
    return std::nullopt;
  return c->ints[t.rows[i]];
}

void Launchers::add(uint32_t track) {
  const Track &t = rank.track(track);
  for (uint32_t i = 0; i != t.size(); ++i)
    if (isApiCall(t.kinds[i]))
      if (std::optional<int64_t> c = correlation(t, i))
        if (auto [it, added] = calls.try_emplace(*c, EventRef{track, i}); !added)
          it->second = {};
}

EventRef Launchers::of(const Track &t, uint32_t i) const {
  std::optional<int64_t> c = correlation(t, i);
  return c ? calls.lookup(*c) : EventRef{};
}
