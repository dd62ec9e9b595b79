//===- ReportTable.cpp - Any table, for people ----------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Report.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include <algorithm>
#include <numeric>

using namespace llvm;

namespace heddle::report {

namespace {
/// Nanoseconds as microseconds, exact.
std::string microseconds(int64_t ns) { return TimeScale{"us", 1, 3}.number(ns); }

struct Shape {
  std::string header;
  bool time = false; ///< Shown in us.
};

Shape shapeOf(const TableColumn &c) {
  StringRef key = c.key;
  if (c.unit == Unit::Nanoseconds && !c.isText) {
    key.consume_back("_ns");
    return {key == "ns" ? "us" : (key + " us").str(), true};
  }
  if (c.unit == Unit::Percent)
    return {(key + " %").str(), false};
  return {key.str(), false};
}

std::string cellText(const Cell &cell, const Shape &shape, Unit unit, const Page &page) {
  if (const auto *n = std::get_if<int64_t>(&cell))
    return shape.time ? microseconds(*n) : unit == Unit::None ? itostr(*n) : countText(*n);
  if (const auto *d = std::get_if<double>(&cell)) {
    std::string out;
    raw_string_ostream(out) << format("%.6g", *d);
    return out;
  }
  if (const auto *s = std::get_if<std::string>(&cell))
    return page.safe(*s);
  return "--";
}

/// Narrows text columns, widest first, until the line fits or each has its least width.
void narrow(std::vector<unsigned> &widths, const Table &table, unsigned room) {
  constexpr unsigned least = 16;
  auto total = [&] {
    return std::accumulate(widths.begin(), widths.end(), 2 * static_cast<unsigned>(widths.size()));
  };
  while (total() > room) {
    size_t widest = widths.size();
    for (size_t i = 0; i != widths.size(); ++i)
      if (table.columns[i].isText && widths[i] > least &&
          (widest == widths.size() || widths[i] > widths[widest]))
        widest = i;
    if (widest == widths.size())
      return;
    unsigned over = total() - room;
    widths[widest] = std::max(least, widths[widest] - std::min(over, widths[widest] - least));
  }
}
} // namespace

void printTable(Page &page, const Table &table, size_t maxRows) {
  page.heading(page.safe(table.id) + (table.title.empty() ? "" : ": " + page.safe(table.title)));
  size_t shown = std::min(maxRows, table.rows.size());
  if (!shown) {
    page.line("  no rows");
    return;
  }
  std::vector<Shape> shapes;
  std::vector<unsigned> widths;
  for (const TableColumn &c : table.columns) {
    shapes.push_back(shapeOf(c));
    widths.push_back(textWidth(page.safe(shapes.back().header)));
  }
  std::vector<std::vector<std::string>> cells(shown);
  for (size_t r = 0; r != shown; ++r)
    for (size_t c = 0; c != table.columns.size(); ++c) {
      cells[r].push_back(cellText(table.rows[r][c], shapes[c], table.columns[c].unit, page));
      widths[c] = std::max(widths[c], textWidth(cells[r].back()));
    }
  narrow(widths, table, page.width());
  auto print = [&](auto textOf, Style style) {
    std::string line;
    for (size_t c = 0; c != table.columns.size(); ++c) {
      std::string text = textOf(c);
      line += "  ";
      if (!table.columns[c].isText)
        line += padLeft(text, widths[c]);
      else if (c + 1 == table.columns.size())
        line += fitText(text, widths[c]);
      else
        line += padRight(fitText(text, widths[c]), widths[c]);
    }
    page.line(page.styled(StringRef(line).rtrim(' '), style));
  };
  print([&](size_t c) { return page.safe(shapes[c].header); }, Style::Dim);
  for (const auto &row : cells)
    print([&](size_t c) { return row[c]; }, Style::Plain);
  if (shown != table.rows.size())
    page.line("  " + plural(static_cast<int64_t>(table.rows.size() - shown), "more row") + ": -s " +
              page.safe(table.id));
}

void printRemarks(Page &page, const Results &results, bool screen) {
  bool any = false;
  auto say = [&](StringRef lead, const std::string &text, Style style) {
    if (!any)
      page.heading("What passes say");
    any = true;
    page.wrapped(lead, text, style);
  };
  for (const PassResult &unit : results.units) {
    std::string where = unit.passName;
    if (unit.rank >= 0)
      where += " on input " + itostr(unit.rank);
    for (const Remark &r : unit.remarks) {
      if (screen && (unit.passName == "summary" || (r.level == Remark::Level::Finding && r.costNs)))
        continue;
      static constexpr StringLiteral levels[] = {"note", "finding", "warning"};
      std::string text = where + ": " + r.message;
      if (!r.advice.empty())
        text += ". try " + r.advice;
      say("  " + levels[static_cast<size_t>(r.level)].str() + "  ", page.safe(text),
          r.level == Remark::Level::Warning ? Style::Yellow : Style::Plain);
    }
    for (const Abstention &a : unit.abstained)
      say("  --  ", page.safe(where + ": " + a.reason + (a.record.empty() ? "" : "; " + a.record)),
          Style::Dim);
    for (const Statistic &s : unit.stats)
      if (s.severity == Statistic::Severity::Loss && s.value)
        say("  !  ", page.safe(where + ": " + s.name + " " + countText(s.value)), Style::Yellow);
  }
}

} // namespace heddle::report
