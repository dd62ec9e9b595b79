//===- IntervalSet.cpp - Unions of intervals ------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/IntervalSet.h"
#include <algorithm>

using namespace heddle;

IntervalSet IntervalSet::unionOf(llvm::ArrayRef<Interval> sorted) {
  IntervalSet set;
  for (Interval i : sorted) {
    if (i.empty())
      continue;
    if (!set.list.empty() && i.begin <= set.list.back().end)
      set.list.back().end = std::max(set.list.back().end, i.end);
    else
      set.list.push_back(i);
  }
  set.prefix.reserve(set.list.size());
  Duration sum;
  for (Interval i : set.list)
    set.prefix.push_back(sum += i.length());
  return set;
}

Duration IntervalSet::before(Time t) const {
  auto it = std::lower_bound(list.begin(), list.end(), t,
                             [](const Interval &i, Time t) { return i.begin < t; });
  if (it == list.begin())
    return {};
  size_t last = it - list.begin() - 1;
  Duration whole = last ? prefix[last - 1] : Duration{};
  return whole + (std::min(list[last].end, t) - list[last].begin);
}

Duration IntervalSet::measure(Interval window) const {
  return window.empty() ? Duration{} : before(window.end) - before(window.begin);
}

llvm::ArrayRef<Interval> IntervalSet::in(Interval window) const {
  if (window.empty())
    return {};
  auto first = std::upper_bound(list.begin(), list.end(), window.begin,
                                [](Time t, const Interval &i) { return t < i.end; });
  auto last = std::lower_bound(first, list.end(), window.end,
                               [](const Interval &i, Time t) { return i.begin < t; });
  return llvm::ArrayRef(list).slice(first - list.begin(), last - first);
}

bool IntervalSet::overlaps(Interval window) const { return !in(window).empty(); }
