//===- Trace.cpp - All ranks under analysis -------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/IR/Trace.h"

#include "llvm/ADT/STLExtras.h"

using namespace heddle;

/// Whether the rank at `i` is no further cycle of the one before.
static bool beginsRank(const Trace &trace, size_t i) {
  return i == 0 || trace.ranks[i]->cycle.value_or(1) <= 1;
}

int64_t heddle::rankLabel(const Trace &trace, size_t i) {
  if (trace.ranks[i]->number)
    return *trace.ranks[i]->number;
  int64_t place = -1;
  for (size_t j = 0; j <= i; ++j)
    place += beginsRank(trace, j);
  return place;
}

std::string heddle::rankTitle(const Trace &trace, size_t i) {
  std::string title = "rank " + std::to_string(rankLabel(trace, i));
  if (trace.ranks[i]->cycle)
    title += " cycle " + std::to_string(*trace.ranks[i]->cycle);
  return title;
}

size_t heddle::countRanks(const Trace &trace) {
  size_t ranks = 0;
  for (size_t i = 0; i != trace.ranks.size(); ++i)
    ranks += beginsRank(trace, i);
  return ranks;
}
