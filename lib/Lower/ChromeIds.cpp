//===- ChromeIds.cpp - Ids that mean one thing in a file ------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "ChromeIds.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace heddle::chrome {

/// Viewers keep correlations in 32 bits, and all else in doubles.
static constexpr int64_t kMost[] = {0, int64_t{0xffffffff}, int64_t{1} << 53};
static constexpr IdKind kKinds[] = {IdKind::Correlation, IdKind::External};

IdKind idKind(StringRef key) {
  if (key == "correlation" || key == "wait_on_cuda_event_record_corr_id")
    return IdKind::Correlation;
  return key.equals_insensitive("external id") ? IdKind::External : IdKind::None;
}

/// Calls f(kind, ids) for each column of ids.
static void forEachColumn(const Rank &rank,
                          function_ref<void(IdKind, const std::vector<int64_t> &)> f) {
  for (const LayoutStore &store : rank.layouts())
    for (auto [entry, column] : zip(store.layout.entries, store.columns))
      if (entry.type == ValueType::Int)
        if (IdKind kind = idKind(rank.str(entry.key)); kind != IdKind::None)
          f(kind, column.ints);
}

RankIds::RankIds(const Rank &rank) : rank(rank) {
  forEachColumn(rank, [&](IdKind kind, const std::vector<int64_t> &ids) {
    int64_t &most = last[static_cast<unsigned>(kind)];
    for (int64_t id : ids) {
      most = std::max(most, std::min(id, INT64_MAX / 2));
      least = id > 0 ? std::min(least, id) : least;
    }
  });
}

void RankIds::count(IdKind kind) {
  auto k = static_cast<unsigned>(kind);
  std::vector<int64_t> &all = counted[k];
  forEachColumn(rank, [&](IdKind of, const std::vector<int64_t> &ids) {
    if (of == kind)
      copy_if(ids, std::back_inserter(all), [](int64_t id) { return id > 0; });
  });
  if (kind == IdKind::Correlation)
    for (int64_t n = 0; n != fresh; ++n)
      all.push_back(last[k] - n);
  sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
}

/// Both kinds begin behind the same number, if they can: a reader tells a recorder that wrote the
/// one for the other by their being equal.
void RankIds::place(TakenIds &taken) {
  int64_t most = *max_element(taken.last), longest = *max_element(last);
  if (least > most)
    most = 0;
  bool together = longest <= kMost[1] && most <= kMost[1] - longest;
  for (IdKind kind : kKinds) {
    auto k = static_cast<unsigned>(kind);
    base[k] = together ? most : taken.last[k];
    int64_t numbers = last[k];
    if (numbers > kMost[k] - base[k]) {
      count(kind);
      numbers = static_cast<int64_t>(counted[k].size());
    }
    taken.last[k] = std::max(taken.last[k], base[k] + numbers);
  }
}

int64_t RankIds::operator()(IdKind kind, int64_t id) const {
  if (kind == IdKind::None || id <= 0)
    return id;
  auto k = static_cast<unsigned>(kind);
  if (counted[k].empty())
    return base[k] + id;
  return base[k] + (lower_bound(counted[k], id) - counted[k].begin()) + 1;
}

} // namespace heddle::chrome
