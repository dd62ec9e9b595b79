//===- ReportTable.cpp - Any table, for people ----------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include <algorithm>

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

/// Whether all shown cells of a column are alike.
bool isConstant(ArrayRef<std::vector<std::string>> cells, size_t column) {
  return cells.size() > 1 &&
         all_of(cells, [&](const auto &row) { return row[column] == cells.front()[column]; });
}

unsigned lineWidth(ArrayRef<unsigned> widths) {
  unsigned sum = 0;
  for (unsigned w : widths)
    sum += 2 + w;
  return sum;
}

/// Narrows text columns, widest first, until the line fits or each has its least width.
void narrow(std::vector<unsigned> &widths, ArrayRef<size_t> columns, const Table &table,
            unsigned room) {
  constexpr unsigned least = 16;
  while (lineWidth(widths) > room) {
    size_t widest = widths.size();
    for (size_t i = 0; i != widths.size(); ++i)
      if (table.columns[columns[i]].isText && widths[i] > least &&
          (widest == widths.size() || widths[i] > widths[widest]))
        widest = i;
    if (widest == widths.size())
      return;
    unsigned over = lineWidth(widths) - room;
    widths[widest] = std::max(least, widths[widest] - std::min(over, widths[widest] - least));
  }
}

/// The passes that the first screen is made of: it tells in its own form what they say.
bool isOnScreen(const PassResult &unit) {
  static constexpr StringLiteral passes[] = {"summary", "health", "gpu-breakdown", "idle-gaps",
                                             "kernels"};
  return is_contained(passes, unit.passName);
}
} // namespace

void printTable(Page &page, const Table &table, size_t maxRows) {
  StringRef title = table.title;
  title.consume_back(", in ns"); // times are shown in us
  page.heading(page.safe(table.id) + (title.empty() ? "" : ": " + page.safe(title)));
  size_t shown = std::min(maxRows, table.rows.size());
  if (!shown) {
    page.line("  no rows");
    return;
  }
  std::vector<Shape> shapes;
  for (const TableColumn &c : table.columns)
    shapes.push_back(shapeOf(c));
  std::vector<std::vector<std::string>> cells(shown);
  for (size_t r = 0; r != shown; ++r)
    for (size_t c = 0; c != table.columns.size(); ++c)
      cells[r].push_back(cellText(table.rows[r][c], shapes[c], table.columns[c].unit, page));

  std::vector<size_t> columns;
  std::vector<unsigned> widths;
  auto measure = [&](bool withConstants) {
    columns.clear();
    widths.clear();
    for (size_t c = 0; c != table.columns.size(); ++c) {
      if (!withConstants && isConstant(cells, c))
        continue;
      unsigned width = textWidth(page.safe(shapes[c].header));
      for (const auto &row : cells)
        width = std::max(width, textWidth(row[c]));
      columns.push_back(c);
      widths.push_back(width);
    }
  };
  measure(true);
  // What is the same in every row is told once where room is short.
  if (lineWidth(widths) > page.width()) {
    std::string same;
    for (size_t c = 0; c != table.columns.size(); ++c)
      if (isConstant(cells, c))
        same += (same.empty() ? "" : ", ") + page.safe(shapes[c].header) + " " + cells[0][c];
    if (!same.empty())
      page.wrapped("  every row: ", same, Style::Dim);
    measure(false);
  }
  narrow(widths, columns, table, page.width());
  auto print = [&](auto textOf, Style style) {
    std::string line;
    for (size_t n = 0; n != columns.size(); ++n) {
      std::string text = textOf(columns[n]);
      line += "  ";
      line += table.columns[columns[n]].isText ? padRight(fitText(text, widths[n]), widths[n])
                                               : padLeft(text, widths[n]);
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
  // One lack silences many passes and inputs: it is told once.
  std::vector<std::pair<std::string, std::vector<std::string>>> abstained;
  for (const PassResult &unit : results.units) {
    std::string where = unit.passName;
    if (unit.rank >= 0)
      where += " on input " + itostr(unit.rank);
    for (const Remark &r : unit.remarks) {
      if (screen && (isOnScreen(unit) || (r.level == Remark::Level::Finding && r.costNs)))
        continue;
      static constexpr StringLiteral levels[] = {"note", "finding", "warning"};
      std::string text = where + ": " + r.message;
      if (!r.advice.empty())
        text += ". try " + r.advice;
      say("  " + levels[static_cast<size_t>(r.level)].str() + "  ", page.safe(text),
          r.level == Remark::Level::Warning ? Style::Yellow : Style::Plain);
    }
    for (const Abstention &a : unit.abstained) {
      std::string text = a.reason + (a.record.empty() ? "" : "; " + a.record);
      auto it = find_if(abstained, [&](const auto &entry) { return entry.first == text; });
      if (it == abstained.end())
        it = abstained.insert(it, {text, {}});
      if (!is_contained(it->second, unit.passName))
        it->second.push_back(unit.passName);
    }
    for (const Statistic &s : unit.stats)
      if (s.severity == Statistic::Severity::Loss && s.value && !(screen && isOnScreen(unit)))
        say("  !  ", page.safe(where + ": " + s.name + " " + countText(s.value)), Style::Yellow);
  }
  for (const auto &[text, passes] : abstained)
    say("  --  ", page.safe(join(passes, ", ") + ": " + text), Style::Dim);
}

} // namespace heddle::report
