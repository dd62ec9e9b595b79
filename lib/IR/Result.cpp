//===- Result.cpp - What passes publish -----------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/IR/Result.h"

using namespace heddle;

int Table::column(llvm::StringRef key) const {
  for (size_t i = 0; i != columns.size(); ++i)
    if (columns[i].key == key)
      return static_cast<int>(i);
  return -1;
}

std::optional<int64_t> Table::getInt(size_t row, llvm::StringRef key) const {
  int c = column(key);
  if (c < 0)
    return std::nullopt;
  if (const int64_t *v = std::get_if<int64_t>(&rows[row][c]))
    return *v;
  return std::nullopt;
}

llvm::StringRef Table::getText(size_t row, llvm::StringRef key) const {
  int c = column(key);
  if (c < 0)
    return "";
  if (const std::string *v = std::get_if<std::string>(&rows[row][c]))
    return *v;
  return "";
}

std::optional<Table> Results::table(llvm::StringRef id) const {
  std::optional<Table> all;
  for (const PassResult &unit : units)
    for (const Table &t : unit.tables) {
      if (t.id != id)
        continue;
      if (!all)
        all = t;
      else
        all->rows.insert(all->rows.end(), t.rows.begin(), t.rows.end());
    }
  return all;
}

const Table *Results::find(llvm::StringRef id, int64_t rank) const {
  for (const PassResult &unit : units)
    if (unit.rank == rank)
      for (const Table &t : unit.tables)
        if (t.id == id)
          return &t;
  return nullptr;
}
