//===- ReportHealth.cpp - Can you believe it ------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <map>

using namespace llvm;

namespace heddle::report {

namespace {
/// What two inputs have in common where their rows say the same.
std::string sameness(const Rows &rows, size_t i) {
  return (rows.text(i, "check") + "\n" + rows.text(i, "status") + "\n" + rows.text(i, "message"))
      .str();
}

/// Nothing where there is no news.
void printRows(Page &page, const Rows &rows, ArrayRef<size_t> indices, StringRef heading) {
  if (all_of(indices,
             [&](size_t i) { return rows.text(i, "status") == "ok" && rows.number(i, "quiet"); }))
    return;
  page.heading(heading);
  unsigned idWidth = 0;
  for (size_t i : indices)
    if (rows.text(i, "status") == "warn" || rows.text(i, "status") == "fail")
      idWidth = std::max(idWidth, textWidth(page.safe(rows.text(i, "check"))));
  std::string fine, unknown;
  auto append = [](std::string &line, const std::string &more) {
    line += (line.empty() ? "" : "; ") + more;
  };
  for (size_t i : indices) {
    StringRef status = rows.text(i, "status");
    std::string message = page.safe(rows.text(i, "message")),
                advice = page.safe(rows.text(i, "advice"));
    if (status == "ok") {
      if (!rows.number(i, "quiet"))
        append(fine, message);
    } else if (status == "unknown") {
      append(unknown, message + (advice.empty() ? "" : " (" + advice + ")"));
    } else {
      if (!advice.empty()) {
        advice.front() = toUpper(advice.front());
        message += ". " + advice;
      }
      bool fail = status == "fail";
      std::string check = padRight(page.safe(rows.text(i, "check")), idWidth);
      page.wrapped((fail ? " X  " : " !  ") + check + "  ", message,
                   fail ? Style::Red : Style::Yellow);
    }
  }
  if (!fine.empty())
    page.wrapped(" ok  ", fine, Style::Green);
  if (!unknown.empty())
    page.wrapped(" --  ", unknown, Style::Dim);
}
} // namespace

Health::Health(const Results &results, size_t inputs)
    : rows(results, "health"), several(inputs > 1) {
  std::map<std::string, size_t> counts;
  for (size_t i = 0; i != rows.size(); ++i)
    if (rows.integer(i, "input"))
      ++counts[sameness(rows, i)];
  std::map<std::string, bool> taken;
  for (size_t i = 0; i != rows.size(); ++i) {
    std::optional<int64_t> input = rows.integer(i, "input");
    if (!input) {
      ofAll.push_back(i);
    } else if (several && counts[sameness(rows, i)] == inputs) {
      if (!std::exchange(taken[sameness(rows, i)], true))
        ofAll.push_back(i);
    } else {
      ofInput[*input].push_back(i);
    }
  }
}

void Health::printShared(Page &page) const {
  if (!several || ofAll.empty())
    return;
  printRows(page, rows, ofAll, "Can you believe it? (every input)");
}

void Health::print(Page &page, int64_t input) const {
  std::vector<size_t> indices;
  if (auto it = ofInput.find(input); it != ofInput.end())
    indices = it->second;
  if (!several)
    indices.insert(indices.end(), ofAll.begin(), ofAll.end());
  printRows(page, rows, indices,
            several ? "Can you believe it? (this input)" : "Can you believe it?");
}

} // namespace heddle::report
