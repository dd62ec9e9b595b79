//===- ReportTable.cpp - Any table, for people ----------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include <algorithm>
#include <set>
#include <tuple>

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

/// Paths say more at their ends.
bool endsMatter(const TableColumn &c) {
  return is_contained({"file", "place", "module", "path"}, c.key);
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

/// The columns of a page, fitted into its width.
class Fit {
public:
  Fit(const Table &table, std::vector<size_t> columns, std::vector<unsigned> widths)
      : table(table), columns(std::move(columns)), widths(std::move(widths)) {}

  /// The widest text, mostly a name, gets what the others leave. Where that is little, columns are
  /// left out, last first, but what says which row it is, and the first two figures.
  void into(unsigned room) {
    constexpr unsigned least = 16, fair = 24, good = 48;
    size_t name = widths.size();
    for (size_t i = 0; i != widths.size(); ++i)
      if (isText(i) && (name == widths.size() || widths[i] > widths[name]))
        name = i;
    if (name == widths.size())
      return;
    narrow(room, fair, name);
    unsigned wanted = std::min(widths[name], good);
    while (widths[name] < wanted + over(room) && leaveOut(name)) {
    }
    narrow(room, fair, widths.size());
    narrow(room, least, widths.size());
  }

  const Table &table;
  std::vector<size_t> columns;
  std::vector<unsigned> widths;
  std::vector<size_t> out; ///< What was left out, last first.

private:
  bool isText(size_t i) const { return table.columns[columns[i]].isText; }
  unsigned over(unsigned room) const {
    unsigned line = lineWidth(widths);
    return line > room ? line - room : 0;
  }
  /// Narrows texts but `spared`, widest first, until the line fits or each has the least width.
  void narrow(unsigned room, unsigned least, size_t spared) {
    while (unsigned excess = over(room)) {
      size_t widest = widths.size();
      for (size_t i = 0; i != widths.size(); ++i)
        if (i != spared && isText(i) && widths[i] > least &&
            (widest == widths.size() || widths[i] > widths[widest]))
          widest = i;
      if (widest == widths.size())
        return;
      widths[widest] -= std::min(excess, widths[widest] - least);
    }
  }
  /// Leaves out the last column that has a unit, but the first two of them. `name` moves along.
  bool leaveOut(size_t &name) {
    size_t last = widths.size(), figures = 0;
    for (size_t i = 0; i != widths.size(); ++i)
      if (!isText(i) && table.columns[columns[i]].unit != Unit::None && ++figures > 2)
        last = i;
    if (last == widths.size())
      return false;
    out.push_back(columns[last]);
    columns.erase(columns.begin() + static_cast<ptrdiff_t>(last));
    widths.erase(widths.begin() + static_cast<ptrdiff_t>(last));
    name -= name > last;
    return true;
  }
};

/// The passes that the first screen is made of: it tells in its own form what they say.
bool isOnScreen(const PassResult &unit) {
  static constexpr StringLiteral passes[] = {"summary",       "health",    "host-steps",
                                             "gpu-breakdown", "idle-gaps", "kernels"};
  return is_contained(passes, unit.passName);
}

/// The findings of the first screen, by input, id and message.
std::set<std::tuple<int64_t, std::string, std::string>> screenFindings(const Results &results) {
  std::set<std::tuple<int64_t, std::string, std::string>> out;
  Rows rows(results, "summary-findings");
  for (size_t i = 0; i != rows.size(); ++i)
    out.emplace(rows.number(i, "input"), rows.text(i, "id").str(), rows.text(i, "message").str());
  return out;
}

/// What the first screen says it looked for, by input and id.
std::set<std::pair<int64_t, std::string>> screenChecks(const Results &results) {
  std::set<std::pair<int64_t, std::string>> out;
  Rows rows(results, "summary-checked");
  for (size_t i = 0; i != rows.size(); ++i)
    out.emplace(rows.number(i, "input"), rows.text(i, "id").str());
  return out;
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
  Fit fit(table, std::move(columns), std::move(widths));
  fit.into(page.width());
  if (!fit.out.empty()) {
    std::string names;
    for (size_t c : reverse(fit.out))
      names += (names.empty() ? "" : ", ") + page.safe(shapes[c].header);
    page.wrapped("  not shown, for want of width: ", names, Style::Dim);
  }
  auto print = [&](auto textOf, Style style) {
    std::string line;
    for (auto [c, width] : zip(fit.columns, fit.widths)) {
      std::string text = textOf(c);
      line += "  ";
      line += table.columns[c].isText
                  ? padRight(fitText(text, width, endsMatter(table.columns[c])), width)
                  : padLeft(text, width);
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
  // What was said after `summary` ran is not on the screen.
  auto listed = screen ? screenFindings(results) : decltype(screenFindings(results))();
  auto checked = screen ? screenChecks(results) : decltype(screenChecks(results))();
  for (const PassResult &unit : results.units) {
    std::string where = unit.passName;
    if (unit.rank >= 0)
      where += " on input " + itostr(unit.rank);
    for (const Remark &r : unit.remarks) {
      if (screen &&
          (isOnScreen(unit) || listed.count({r.rank.value_or(unit.rank), r.id, r.message})))
        continue;
      static constexpr StringLiteral levels[] = {"note", "finding", "warning"};
      std::string text = where + ": " + r.message;
      if (!r.advice.empty())
        text += ". try " + r.advice;
      say("  " + levels[static_cast<size_t>(r.level)].str() + "  ", page.safe(text),
          r.level == Remark::Level::Warning ? Style::Yellow : Style::Plain);
    }
    bool told = checked.count({unit.rank, unit.passName});
    for (const Abstention &a : told ? ArrayRef<Abstention>() : ArrayRef(unit.abstained)) {
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
