//===- ChromeIds.h - Ids that mean one thing in a file ----------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Every recording counts its launches and ops anew. Viewers link by these ids whatever the rank,
/// so that in a file of several ranks each has numbers of its own.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_LOWER_CHROMEIDS_H
#define HEDDLE_LIB_LOWER_CHROMEIDS_H

#include "heddle/IR/Rank.h"

namespace heddle::chrome {

/// What an attribute refers to; each has numbers of its own.
enum class IdKind : uint8_t { None, Correlation, External };
/// The kind of ids that stand under this key.
IdKind idKind(llvm::StringRef key);

/// The last numbers that are taken in the file, by kind.
struct TakenIds {
  int64_t last[3] = {};
};

/// The ids of one rank.
class RankIds {
public:
  /// O(rows).
  explicit RankIds(const Rank &rank);
  /// A correlation that no event of the rank has. Before `place` only.
  int64_t freshCorrelation() {
    ++fresh;
    return ++last[static_cast<unsigned>(IdKind::Correlation)];
  }
  /// Gives the rank numbers behind those that are taken. One whose own are all behind them keeps
  /// them, as the first rank of a file does, if viewers can bear them.
  void place(TakenIds &taken);
  /// The number in the file; what is no id (not above 0) stays.
  int64_t operator()(IdKind kind, int64_t id) const;

private:
  void count(IdKind kind);

  const Rank &rank;
  int64_t last[3] = {};      ///< By kind.
  int64_t least = INT64_MAX; ///< Of all kinds, above 0.
  int64_t fresh = 0;         ///< How many correlations are fresh: the last ones.
  int64_t base[3] = {};      ///< By kind: what comes before the first.
  /// By kind: the ids in order, where they count up since a viewer cannot bear the numbers.
  std::vector<int64_t> counted[3];
};

} // namespace heddle::chrome

#endif
