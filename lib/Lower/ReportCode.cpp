//===- ReportCode.cpp - GPU time by user code, for people -----------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace llvm;

namespace heddle::report {

static const Table *tableOf(const PassResult &unit, StringRef id) {
  auto it = find_if(unit.tables, [&](const Table &t) { return t.id == id; });
  return it == unit.tables.end() ? nullptr : &*it;
}

/// "train.py:12", and whether that is the line of the function or of the statement.
static std::string placeOf(const Table &t, size_t row) {
  std::string out = t.getText(row, "file").str();
  std::optional<int64_t> line = t.getInt(row, "line");
  if (out.empty() || !line)
    return out;
  StringRef of = t.getText(row, "line_of");
  out += ":" + itostr(*line);
  return of == "statement" ? out : of == "inferred" ? out + " inferred" : out + " def";
}

/// Results may come from a file: a sum that is no number of ns stays at the bound.
static void add(int64_t &sum, std::optional<int64_t> ns) {
  if (AddOverflow(sum, ns.value_or(0), sum))
    sum = ns.value_or(0) < 0 ? INT64_MIN : INT64_MAX;
}

/// In per cent, to a tenth.
static double share(int64_t part, int64_t whole) {
  return whole > 0
             ? std::round(1000 * (static_cast<double>(part) / static_cast<double>(whole))) / 10
             : 0;
}

namespace {

/// The rows of one unit: what is attributed, and the rest.
class CodeTable {
public:
  explicit CodeTable(const PassResult &unit)
      : code(tableOf(unit, "symbolize-code")), coverage(tableOf(unit, "symbolize-coverage")),
        host(code ? nullptr : tableOf(unit, "symbolize-host")) {}

  bool empty() const { return !code && !host; }

  void print(Page &page) const {
    const Table &from = code ? *code : *host;
    int64_t whole = 0, told = 0;
    for (size_t r = 0; coverage && r != coverage->rows.size(); ++r)
      add(whole, coverage->getInt(r, "device_ns"));
    if (host)
      for (size_t r = 0; r != host->rows.size(); ++r)
        add(whole, host->getInt(r, "self_ns"));
    Table out;
    out.id = "code";
    out.title = code ? "GPU time by user code, in ns"
                     : "own time of ops on the host by user code, since no GPU work is recorded";
    out.columns = {{"rank", Unit::None, false},      {"module", Unit::None, true},
                   {"function", Unit::None, true},   {"place", Unit::None, true},
                   {"ns", Unit::Nanoseconds, false}, {"share", Unit::Percent, false}};
    std::optional<int64_t> number;
    if (!from.rows.empty())
      number = from.getInt(0, "rank");
    Cell rank = number ? Cell(*number) : Cell();
    for (size_t r = 0; r != from.rows.size(); ++r) {
      int64_t ns = 0;
      add(ns, from.getInt(r, code ? "device_ns" : "self_ns"));
      if (code)
        add(ns, from.getInt(r, "replay_ns"));
      std::string module = from.getText(r, "module").str(),
                  function = from.getText(r, "function").str();
      if (module.empty() && function.empty())
        continue; // ops without a place: the rest
      add(told, ns);
      auto text = [](std::string s) { return s.empty() ? Cell() : Cell(std::move(s)); };
      out.rows.push_back({rank, text(std::move(module)), text(std::move(function)),
                          text(placeOf(from, r)), ns, share(ns, whole)});
    }
    if (int64_t rest; whole > told && !SubOverflow(whole, told, rest))
      out.rows.push_back(
          {rank, Cell(), std::string("unattributed"), Cell(), rest, share(rest, whole)});
    printTable(page, out);
    printRest(page);
  }

private:
  /// Why the rest has no place.
  void printRest(Page &page) const {
    if (!coverage || !code)
      return;
    int64_t replays = 0;
    for (size_t r = 0; r != code->rows.size(); ++r)
      add(replays, code->getInt(r, "replay_ns"));
    std::string reasons;
    for (size_t r = 0; r != coverage->rows.size(); ++r) {
      StringRef known = coverage->getText(r, "known");
      int64_t ns = coverage->getInt(r, "device_ns").value_or(0);
      if (is_contained({"module and function", "module", "function"}, known))
        continue;
      if (known == "graph replay" && SubOverflow(ns, replays, ns))
        continue;
      if (ns > 0)
        reasons += (reasons.empty() ? "" : ", ") + page.safe(known) + " " + timeText(ns);
    }
    if (!reasons.empty())
      page.wrapped("  unattributed: ", reasons, Style::Dim);
  }
  const Table *code, *coverage, *host;
};

} // namespace

bool printCode(Page &page, const Results &results) {
  bool any = false;
  for (const PassResult &unit : results.units) {
    CodeTable table(unit);
    if (table.empty())
      continue;
    any = true;
    table.print(page);
  }
  return any;
}

} // namespace heddle::report
