//===- Trace.cpp - All ranks under analysis -------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/IR/Trace.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

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

void heddle::append(Trace &to, Trace &&from) {
  auto clocks = static_cast<uint32_t>(to.clocks.size());
  uint32_t ids = 0;
  for (const auto &rank : to.ranks)
    if (rank->placement)
      ids = std::max(ids, llvm::SaturatingAdd(rank->placement->ids, 1u));
  to.clocks.insert(to.clocks.end(), from.clocks.begin(), from.clocks.end());
  for (auto &rank : from.ranks) {
    if (rank->placement) {
      rank->placement->clock += clocks;
      rank->placement->ids = llvm::SaturatingAdd(rank->placement->ids, ids);
    }
    to.ranks.push_back(std::move(rank));
  }
  if (!to.residency) // what was put aside can still be read
    to.residency = std::move(from.residency);
  from = {};
}

bool heddle::isMerged(const Trace &trace) {
  return !trace.ranks.empty() &&
         llvm::all_of(trace.ranks, [](const auto &rank) { return rank->placement.has_value(); });
}

std::optional<int64_t> heddle::timeInTrace(const Trace &trace, const Rank &rank, Time t) {
  if (!rank.placement || rank.placement->clock >= trace.clocks.size())
    return std::nullopt;
  // Both are within 146 years of 0, so that the sum is no overflow.
  return trace.clocks[rank.placement->clock].map(rank.placement->origin + t.ns);
}
