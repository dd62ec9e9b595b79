//===- Census.cpp - Facts that are counted, not mended --------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Eras.h"
#include <set>

using namespace llvm;

namespace heddle::chrome {

/// Names beyond this are mangled templates or accidents.
static constexpr size_t kLongText = 100000;

/// Events that begin inside another one of their track and end after it.
static uint64_t partialOverlaps(const Track &t) {
  uint64_t n = 0;
  std::vector<Time> open; // ends, the innermost last
  for (uint32_t i = 0; i < t.size(); ++i) {
    while (!open.empty() && open.back() <= t.begin[i])
      open.pop_back();
    if (!open.empty() && t.end[i] > open.back())
      ++n;
    open.push_back(t.end[i]);
  }
  return n;
}

void countFacts(Sink &sink) {
  const Rank &rank = sink.ranked();
  uint64_t raw = 0, overlaps = 0, longText = 0;
  for (const LayoutStore &store : rank.layouts())
    for (const Column &c : store.columns)
      if (c.type == ValueType::Raw)
        for (StringId id : c.strings)
          raw += !rank.str(id).empty() && isDigit(rank.str(id).back()); // the rest are words
  std::set<SourceId> processes;
  for (const Track &t : rank.tracks()) {
    if (t.key.family == Family::ThreadWork || t.key.family == Family::StreamWork)
      overlaps += partialOverlaps(t);
    if (t.key.family == Family::ThreadWork)
      processes.insert(t.key.pid);
  }
  for (uint32_t i = 0; i < rank.strings().size(); ++i)
    longText += rank.str(static_cast<StringId>(i)).size() > kLongText;
  sink.note("raw-number", raw);
  sink.note("partial-overlap", overlaps);
  sink.note("long-string", longText);
  sink.note("further-processes", processes.empty() ? 0 : processes.size() - 1);
}

} // namespace heddle::chrome
