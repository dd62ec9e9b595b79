//===- Cycles.cpp - Tables of several cycles of a rank --------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Cycles.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace heddle {

/// The place of a column, or the number of columns.
static size_t columnOf(const Table &table, StringRef key) {
  return static_cast<size_t>(
      find_if(table.columns, [&](const TableColumn &c) { return c.key == key; }) -
      table.columns.begin());
}

std::optional<Table> tableOfRanks(const Trace &trace, const Results &results, StringRef id) {
  std::optional<Table> all = results.table(id);
  if (!all || none_of(trace.ranks, [](const auto &rank) { return rank->cycle.has_value(); }))
    return all;
  size_t rank = columnOf(*all, "rank"), input = columnOf(*all, "input"), n = all->columns.size();
  if (rank == n || columnOf(*all, "cycle") != n)
    return all;
  auto cycleOf = [&](int64_t ordinal) -> Cell {
    if (ordinal < 0 || static_cast<size_t>(ordinal) >= trace.ranks.size() ||
        !trace.ranks[static_cast<size_t>(ordinal)]->cycle)
      return {};
    return *trace.ranks[static_cast<size_t>(ordinal)]->cycle;
  };
  all->columns.insert(all->columns.begin() + static_cast<ptrdiff_t>(rank) + 1,
                      {"cycle", Unit::None, false});
  size_t row = 0; // the rows stand unit by unit
  for (const PassResult &unit : results.units)
    for (const Table &t : unit.tables) {
      if (t.id != id)
        continue;
      for (size_t end = row + t.rows.size(); row != end; ++row) {
        std::vector<Cell> &cells = all->rows[row];
        int64_t ordinal = unit.rank;
        if (ordinal < 0 && input < cells.size())
          if (const auto *given = std::get_if<int64_t>(&cells[input]))
            ordinal = *given;
        if (rank < cells.size())
          cells.insert(cells.begin() + static_cast<ptrdiff_t>(rank) + 1, cycleOf(ordinal));
      }
    }
  return all;
}

} // namespace heddle
