//===- IntervalSet.cpp - Unions of intervals ------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/IntervalSet.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace heddle;

IntervalSet IntervalSet::unionOf(std::vector<Interval> intervals) {
  auto byBegin = [](Interval a, Interval b) { return a.begin < b.begin; };
  if (!llvm::is_sorted(intervals, byBegin))
    llvm::sort(intervals, byBegin);
  IntervalSet set;
  for (Interval i : intervals) {
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

bool IntervalSet::contains(Time t) const {
  auto behind = std::upper_bound(list.begin(), list.end(), t,
                                 [](Time t, const Interval &i) { return t < i.begin; });
  return behind != list.begin() && std::prev(behind)->contains(t);
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
