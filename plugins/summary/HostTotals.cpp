//===- HostTotals.cpp - The host's work by name ---------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "WindowFacts.h"
#include "heddle/Analysis/Nesting.h"
#include "heddle/Analysis/Steps.h"
#include "heddle/IR/Names.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace heddle::summary {

/// Whether some span is known to be the host's.
static bool knowsHost(const Rank &rank) {
  return any_of(rank.tracks(), [](const Track &t) {
    return t.key.family == Family::ThreadWork && any_of(t.kinds, isHostWork);
  });
}

Expected<HostTotals> HostTotals::compute(const Rank &rank, AnalysisContext &) {
  HostTotals result;
  result.known = knowsHost(rank);
  MapVector<StringRef, Row> rows;
  auto rowOf = [&](StringRef name) -> Row & {
    if (profilerStepNumber(name))
      name = "ProfilerStep#*";
    auto [it, isNew] = rows.try_emplace(name);
    if (isNew)
      it->second.name = name.str();
    return it->second;
  };
  std::vector<Interval> spans;
  std::vector<StringRef> names;
  NameFacts facts(rank.strings());
  std::vector<Time> segmentBegin;
  std::vector<uint32_t> segmentEvent;
  for (const Track &t : rank.tracks()) {
    if (t.key.family != Family::ThreadWork)
      continue;
    spans.clear();
    names.clear();
    for (uint32_t i = 0; i != t.size(); ++i) {
      if (t.kinds[i] == EventKind::Other && result.known) {
        ++result.unknownSpans; // beside known ones they may be rows of a device
        continue;
      }
      if (!isHostWork(t.kinds[i]) && t.kinds[i] != EventKind::Comm &&
          t.kinds[i] != EventKind::Other)
        continue;
      StringRef name = rank.str(t.names[i]);
      Row &row = rowOf(name);
      ++row.spans;
      row.total = addClamped(row.total, t.duration(i));
      if (facts.is(NameFact::AsyncSpan, t.names[i])) // ends on another thread: nests in nothing
        continue;
      spans.push_back(t.interval(i));
      names.push_back(name);
    }
    result.threads += !spans.empty();
    segmentBegin.clear();
    segmentEvent.clear();
    innermostSegments(spans, segmentBegin, segmentEvent);
    for (size_t i = 0; i + 1 < segmentBegin.size(); ++i) {
      if (segmentEvent[i] >= spans.size())
        continue;
      Duration length = segmentBegin[i + 1] - segmentBegin[i];
      Row &row = rowOf(names[segmentEvent[i]]);
      row.self = addClamped(row.self, length);
      result.covered = addClamped(result.covered, length);
    }
  }
  for (auto &entry : rows)
    result.rows.push_back(std::move(entry.second));
  stable_sort(result.rows, [](const Row &a, const Row &b) { return a.self > b.self; });
  return result;
}

} // namespace heddle::summary
