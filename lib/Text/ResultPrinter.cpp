//===- ResultPrinter.cpp - Prints traces and results ----------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Escape.h"
#include "RankPrinter.h"
#include "ResultText.h"
#include <charconv>
#include <cmath>

using namespace heddle;
using namespace heddle::text;

llvm::Error heddle::printText(const Trace &trace, llvm::raw_ostream &os,
                              const PrintOptions &options) {
  Out out(os);
  out << "trace {\n";
  printClocks(out, trace.clocks);
  for (size_t i = 0; i != trace.ranks.size(); ++i) {
    out.flushIfFull();
    llvm::Expected<RankHold> rank = trace.hold(i);
    if (!rank)
      return rank.takeError();
    RankPrinter(**rank, out, options).print();
  }
  out << "}\n";
  return llvm::Error::success();
}

static void printReal(Out &out, double d) {
  char digits[32];
  llvm::StringRef text(digits, std::to_chars(digits, digits + sizeof digits, d).ptr - digits);
  if (!std::isfinite(d))
    out << '#';
  if (!std::isfinite(d))
    return appendQuoted(out, text);
  out << text;
  if (!text.contains('.') && !text.contains('e'))
    out << ".0";
}

static void print(Out &out, const Cell &cell) {
  if (const int64_t *n = std::get_if<int64_t>(&cell))
    out << *n;
  else if (const double *d = std::get_if<double>(&cell))
    printReal(out, *d);
  else if (const std::string *s = std::get_if<std::string>(&cell))
    appendQuoted(out, *s);
  else
    out << "null";
}

static void print(Out &out, const Table &table) {
  out << "table ";
  appendQuoted(out, table.id);
  out << ' ';
  appendQuoted(out, table.title);
  llvm::StringRef before = " (";
  for (const TableColumn &c : table.columns) {
    out << before;
    before = ", ";
    appendKey(out, c.key);
    if (c.isText || c.unit != Unit::None)
      out << ':';
    if (c.isText)
      out << " text";
    if (c.unit != Unit::None)
      out << ' ' << unitName(c.unit);
  }
  out << (table.columns.empty() ? " ()\n" : ")\n");
  for (const std::vector<Cell> &row : table.rows) {
    out << "table ";
    appendQuoted(out, table.id);
    before = " { ";
    for (size_t i = 0; i != row.size(); ++i) {
      out << before;
      before = ", ";
      appendKey(out, table.columns[i].key);
      out << " = ";
      print(out, row[i]);
    }
    out << (row.empty() ? " {}\n" : " }\n");
    out.flushIfFull();
  }
}

static void print(Out &out, const Remark &r) {
  out << "remark ";
  appendQuoted(out, r.id);
  out << ' ' << levelName(r.level) << ' ';
  appendQuoted(out, r.message);
  bool any = false;
  auto separate = [&]() -> Out & {
    out << (any ? ", " : " { ");
    any = true;
    return out;
  };
  auto fact = [&](llvm::StringRef key, std::optional<int64_t> value) {
    if (value)
      separate() << key << " = " << *value;
  };
  fact("rank", r.rank);
  fact("device", r.device);
  fact("window_ns", r.windowNs);
  fact("cost_ns", r.costNs);
  fact("lower_ns", r.lowerNs);
  fact("upper_ns", r.upperNs);
  if (r.confidence != Confidence::High)
    separate() << "confidence = " << confidenceName(r.confidence);
  if (any)
    out << " }";
  llvm::StringRef before = " with { ";
  for (const auto &[key, value] : r.args) {
    out << before;
    before = ", ";
    appendKey(out, key);
    out << " = ";
    appendQuoted(out, value);
  }
  if (!r.args.empty())
    out << " }";
  before = " on ";
  for (EventRef e : r.evidence) {
    out << before;
    before = ", ";
    out.number(e.track);
    out << ':';
    out.number(e.index);
  }
  if (!r.advice.empty()) {
    out << " advice ";
    appendQuoted(out, r.advice);
  }
  out << '\n';
}

static void print(Out &out, const PassResult &unit) {
  out << "pass ";
  appendQuoted(out, unit.pass);
  if (unit.passName != usualPassName(unit.pass)) {
    out << " name ";
    appendQuoted(out, unit.passName);
  }
  if (unit.rank != -1)
    out << " rank " << unit.rank;
  if (unit.generation) {
    out << " generation ";
    out.number(unit.generation);
  }
  out << (unit.stale ? " stale\n" : "\n");
  for (const Table &t : unit.tables)
    print(out, t);
  for (const Remark &r : unit.remarks) {
    print(out, r);
    out.flushIfFull();
  }
  for (const Statistic &s : unit.stats) {
    out << "statistic ";
    appendQuoted(out, s.name);
    out << " = " << s.value << (s.severity == Statistic::Severity::Loss ? " loss\n" : "\n");
  }
  for (const Abstention &a : unit.abstained) {
    out << "abstain ";
    appendQuoted(out, a.reason);
    if (!a.record.empty()) {
      out << " record ";
      appendQuoted(out, a.record);
    }
    out << '\n';
  }
}

void heddle::printText(const Results &results, llvm::raw_ostream &os) {
  Out out(os);
  for (const PassResult &unit : results.units) {
    print(out, unit);
    out.flushIfFull();
  }
}
