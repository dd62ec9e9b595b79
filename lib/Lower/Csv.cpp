//===- Csv.cpp - One table as comma-separated values ----------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//
// RFC 4180 with bare line feeds: a header of column keys, then a line for each row. Integers as
// they are (times in ns), nothing for null.
//
//===----------------------------------------------------------------------===//

#include "Cycles.h"
#include "heddle/Lower/Emitter.h"
#include "heddle/Support/Diagnostics.h"
#include "heddle/Support/Nearest.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <charconv>

using namespace llvm;

namespace heddle {

static void printText(raw_ostream &os, StringRef text) {
  // Spaces at the ends would be lost by some readers.
  if (text.find_first_of(",\"\r\n") == StringRef::npos && text == text.trim(' ')) {
    os << text;
    return;
  }
  os << '"';
  for (char c : text) {
    if (c == '"')
      os << '"';
    os << c;
  }
  os << '"';
}

static void printCell(raw_ostream &os, const Cell &cell) {
  if (const auto *number = std::get_if<int64_t>(&cell)) {
    os << *number;
  } else if (const auto *real = std::get_if<double>(&cell)) {
    char buffer[32]; // the shortest text that reads back as the same number
    auto end = std::to_chars(buffer, buffer + sizeof buffer, *real).ptr;
    os << StringRef(buffer, end - buffer);
  } else if (const auto *text = std::get_if<std::string>(&cell)) {
    printText(os, *text);
  }
}

/// Why there is no such table: the pass abstained, or the name is wrong.
static Error explainAbsence(const Results &results, StringRef wanted, ArrayRef<StringRef> ids) {
  for (const PassResult &unit : results.units)
    if (!unit.abstained.empty() && (wanted.empty() || wanted.starts_with(unit.passName))) {
      Diagnostic d;
      d.id = "abstained";
      d.message = "'" + unit.passName + "' has no answer: " + unit.abstained[0].reason;
      if (!unit.abstained[0].record.empty())
        d.message += "; " + unit.abstained[0].record;
      return make_error<DiagnosticError>(std::move(d), ExitCode::Inconclusive);
    }
  std::string there =
      ids.empty() ? "no pass published any" : "there is '" + join(ids, "', '") + "'";
  if (wanted.empty())
    return usageError("no-table",
                      (ids.empty() ? "csv needs a table, and " : "csv needs --table; ") + there);
  std::string hint = didYouMean(wanted, ids);
  return usageError("no-table", "no table '" + wanted + "'" + (hint.empty() ? "; " + there : hint));
}

static Error emitCsv(const Trace &trace, const Results &results, raw_ostream &os,
                     const EmitOptions &options) {
  std::vector<StringRef> ids;
  for (const PassResult &unit : results.units)
    for (const Table &t : unit.tables)
      if (!is_contained(ids, t.id))
        ids.push_back(t.id);
  StringRef wanted = options.table;
  if (wanted.empty() && ids.size() == 1)
    wanted = ids[0];
  std::optional<Table> table = tableOfRanks(trace, results, wanted);
  if (!table)
    return explainAbsence(results, wanted, ids);

  interleave(table->columns, os, [&](const TableColumn &c) { printText(os, c.key); }, ",");
  os << '\n';
  for (const std::vector<Cell> &row : table->rows) {
    interleave(row, os, [&](const Cell &c) { printCell(os, c); }, ",");
    os << '\n';
  }
  return Error::success();
}

static constexpr StringLiteral suffixes[] = {".csv"};
const EmitterInfo csvEmitter = {
    "csv", "one table (--table=NAME): a header and integers, times in ns", suffixes, emitCsv};

} // namespace heddle
