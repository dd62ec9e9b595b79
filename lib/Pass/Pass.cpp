//===- Pass.cpp - What passes publish -------------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "heddle/Pass/Pass.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace heddle {

PassBase::~PassBase() = default;

Table TableInfo::make() const {
  Table t;
  t.id = id.str();
  t.title = title.str();
  for (const ColumnInfo &c : columns)
    t.columns.push_back({c.key.str(), c.unit, c.isText});
  return t;
}

/// Whether a cell may stand in a column of text or of numbers.
static bool fits(const Cell &cell, bool isText) {
  return std::holds_alternative<std::monostate>(cell) ||
         std::holds_alternative<std::string>(cell) == isText;
}

void PassContext::fail(const Twine &what) {
  if (fault.empty())
    fault = what.str();
}

void PassContext::table(Table t) {
  const TableInfo *declared =
      find_if(info.tables, [&](const TableInfo &i) { return i.id == t.id; });
  if (declared == info.tables.end())
    return fail("table '" + t.id + "', which it does not declare");
  bool same = t.columns.size() == declared->columns.size();
  for (size_t i = 0; same && i != t.columns.size(); ++i)
    same = declared->columns[i].key == t.columns[i].key &&
           declared->columns[i].unit == t.columns[i].unit &&
           declared->columns[i].isText == t.columns[i].isText;
  if (!same)
    return fail("table '" + t.id + "' with other columns than it declares");
  for (const std::vector<Cell> &row : t.rows) {
    if (row.size() != t.columns.size())
      return fail("table '" + t.id + "' with a row of " + Twine(row.size()) + " cells for " +
                  Twine(t.columns.size()) + " columns");
    for (size_t i = 0; i != row.size(); ++i)
      if (!fits(row[i], t.columns[i].isText))
        return fail(
            "table '" + t.id + "' with " +
            (t.columns[i].isText ? "a number in the text column '" : "text in the column '") +
            t.columns[i].key + "'");
  }
  if (any_of(out.tables, [&](const Table &other) { return other.id == t.id; }))
    return fail("table '" + t.id + "' twice");
  out.tables.push_back(std::move(t));
}

void PassContext::remark(Remark r) {
  if (none_of(info.remarks, [&](const RemarkInfo &i) { return i.id == r.id; }))
    return fail("remark '" + r.id + "', which it does not declare");
  out.remarks.push_back(std::move(r));
}

void PassContext::stat(StringRef name, int64_t value) {
  const StatInfo *declared = find_if(info.stats, [&](const StatInfo &i) { return i.name == name; });
  if (declared == info.stats.end())
    return fail("statistic '" + name + "', which it does not declare");
  auto it = find_if(out.stats, [&](const Statistic &s) { return s.name == name; });
  if (it != out.stats.end())
    it->value = addClamped({it->value}, {value}).ns;
  else
    out.stats.push_back({name.str(), value, declared->severity});
}

void PassContext::abstain(StringRef reason, StringRef record) {
  out.abstained.push_back({reason.str(), record.str()});
}

} // namespace heddle
