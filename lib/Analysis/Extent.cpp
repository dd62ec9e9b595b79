//===- Extent.cpp - When and where a rank ran -----------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/Analysis/Extent.h"
#include "llvm/ADT/STLExtras.h"

using namespace heddle;

Extent::Extent(const Rank &rank) {
  for (const Track &t : rank.tracks()) {
    bool host = isThread(t.key.family);
    if (t.empty() || !(host || t.key.family == Family::StreamWork) ||
        t.key.family == Family::ThreadMarker)
      continue;
    if (host && t.key.pid.form == SourceId::Int)
      processes.insert(t.key.pid.value);
    if (!host && t.device >= 0)
      devices.insert(t.device);
    Time last = *llvm::max_element(t.end);
    range = range ? Interval{std::min(range->begin, t.begin[0]), std::max(range->end, last)}
                  : Interval{t.begin[0], last};
  }
}

llvm::Expected<Extent> Extent::compute(const Rank &rank, AnalysisContext &) { return Extent(rank); }

bool heddle::intersect(const std::set<int64_t> &a, const std::set<int64_t> &b) {
  const auto &few = a.size() < b.size() ? a : b, &many = a.size() < b.size() ? b : a;
  return llvm::any_of(few, [&](int64_t n) { return many.count(n) != 0; });
}
