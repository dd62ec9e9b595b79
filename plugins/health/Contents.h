//===- Contents.h - What fills a recording ----------------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_PLUGINS_HEALTH_CONTENTS_H
#define HEDDLE_PLUGINS_HEALTH_CONTENTS_H

#include "heddle/IR/Rank.h"

namespace heddle::health {

/// Events of one kind, or of one kind and name.
struct ContentRow {
  std::string kind; ///< As in kindName; "flow" and "loose" for rows that are on no track.
  std::string name; ///< Empty for all names.
  uint64_t events = 0;
  uint64_t bytes = 0; ///< Of their text as JSON without white space.
};

/// How many names are told: the largest by bytes.
inline constexpr size_t kTopNames = 10;

/// Kinds, most bytes first, then the names that take most. O(values).
std::vector<ContentRow> contentsOf(const Rank &rank);

} // namespace heddle::health

#endif
