//===- Nearest.cpp - "did you mean" ---------------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "heddle/Support/Nearest.h"

#include <algorithm>
#include <numeric>
#include <vector>

using namespace llvm;

namespace heddle {

/// How many letters must be changed, added, taken away or swapped with their neighbour; at most
/// `most` + 1. (StringRef::edit_distance counts a swap as two.)
static unsigned distance(StringRef a, StringRef b, unsigned most) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > most)
    return most + 1;
  std::vector<unsigned> before, last, row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0u);
  for (size_t i = 1; i <= a.size(); ++i) {
    before = std::move(last);
    last = row;
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j - 1] + (a[i - 1] != b[j - 1]), last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return std::min(row[b.size()], most + 1);
}

StringRef nearest(StringRef name, ArrayRef<StringRef> candidates) {
  constexpr size_t longest = 256; // the cost is quadratic, and no name of ours is longer
  if (name.empty() || name.size() > longest)
    return "";
  StringRef best, prefixed;
  unsigned bestDistance = ~0u, prefixes = 0;
  for (StringRef candidate : candidates) {
    if (candidate.starts_with(name)) {
      ++prefixes;
      prefixed = candidate;
    }
    unsigned most = std::max<unsigned>(1, std::max(name.size(), candidate.size()) / 3);
    unsigned d = distance(name, candidate, most);
    if (d <= most && d < bestDistance) {
      best = candidate;
      bestDistance = d;
    }
  }
  return best.empty() && prefixes == 1 ? prefixed : best;
}

std::string didYouMean(StringRef name, ArrayRef<StringRef> candidates) {
  StringRef best = nearest(name, candidates);
  return best.empty() ? "" : "; did you mean '" + best.str() + "'?";
}

} // namespace heddle
