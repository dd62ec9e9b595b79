//===- ReportPage.cpp - Lines of the report -------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Report.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace llvm;

namespace heddle::report {

Page::Page(raw_ostream &os, const EmitOptions &options)
    : os(os), options(options), columns(std::clamp(options.width, 60u, 140u)) {}

std::string Page::styled(StringRef text, Style style) const {
  if (!options.colour || style == Style::Plain || text.empty())
    return text.str();
  static constexpr StringLiteral codes[] = {"0", "1", "2", "31", "32", "33", "34", "36"};
  return "\x1b[" + codes[static_cast<size_t>(style)].str() + "m" + text.str() + "\x1b[0m";
}

void Page::line(StringRef text) {
  // A line that only fills columns ends where its text does.
  os << text.rtrim(' ') << '\n';
  begun = true;
}

void Page::wrapped(StringRef lead, StringRef text, Style leadStyle) {
  unsigned indent = textWidth(lead);
  unsigned room = columns > indent + 20 ? columns - indent : 20;
  std::string front = styled(lead, leadStyle);
  for (const std::string &part : wrapText(text, room)) {
    line(front + part);
    front.assign(indent, ' ');
  }
}

void Page::heading(StringRef text) {
  if (begun)
    line();
  line(styled(text, Style::Bold));
}

Rows::Rows(const Results &results, StringRef id, std::optional<int64_t> input,
           std::optional<int64_t> device)
    : table(results.find(id, -1)) {
  if (!table)
    return;
  int inputColumn = table->column("input"), deviceColumn = table->column("device");
  auto fits = [&](size_t row, int column, std::optional<int64_t> wanted) {
    if (!wanted || column < 0)
      return true;
    const auto *have = std::get_if<int64_t>(&table->rows[row][static_cast<size_t>(column)]);
    return !have || *have == *wanted;
  };
  for (size_t i = 0; i != table->rows.size(); ++i)
    if (fits(i, inputColumn, input) && fits(i, deviceColumn, device))
      indices.push_back(i);
}

std::vector<int64_t> Rows::column(StringRef key) const {
  std::vector<int64_t> out;
  for (size_t i = 0; i != size(); ++i)
    out.push_back(number(i, key));
  return out;
}

} // namespace heddle::report
