//===- ResultParser.cpp - Parses tables, remarks, statistics --------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Escape.h"
#include "Parser.h"
#include "ResultText.h"
#include <charconv>

using namespace heddle;
using namespace heddle::text;
using llvm::StringRef;

PassResult &Parser::unit() {
  if (results.units.empty())
    results.units.emplace_back(); // Hand-written results need no `pass` line.
  return results.units.back();
}

bool Parser::result(const char *at, StringRef word) {
  if (word == "pass")
    return passLine();
  if (word == "table")
    return tableLine();
  if (word == "remark")
    return remarkLine();
  if (word == "statistic")
    return statisticLine();
  if (word == "abstain")
    return abstainLine();
  return failUnknown(at, "word", word,
                     {"trace", "pass", "table", "remark", "statistic", "abstain"});
}

bool Parser::passLine() {
  PassResult unit;
  if (!string(unit.pass))
    return false;
  unit.passName = usualPassName(unit.pass).str();
  if ((acceptWord("name") && !string(unit.passName)) ||
      (acceptWord("rank") && !integer(unit.rank)) ||
      (acceptWord("generation") && !natural(unit.generation)))
    return false;
  unit.stale = acceptWord("stale");
  results.units.push_back(std::move(unit));
  return true;
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

bool Parser::tableLine() {
  Table table;
  if (!string(table.id))
    return false;
  if (peek() != '{') {
    if (peek() != '"')
      return failExpected("a quoted title or a row in braces");
    if (!string(table.title) || !tableHead(table))
      return false;
    unit().tables.push_back(std::move(table));
    return true;
  }
  std::vector<Table> &tables = unit().tables;
  for (Table &t : llvm::reverse(tables))
    if (t.id == table.id)
      return tableRow(t, /*implied=*/false);
  // A row by itself tells the columns.
  if (!tableRow(table, /*implied=*/true))
    return false;
  unit().tables.push_back(std::move(table));
  return true;
}

bool Parser::tableHead(Table &table) {
  if (!expect('('))
    return false;
  if (accept(')'))
    return true;
  do {
    TableColumn c;
    StringRef name;
    if (!key(name))
      return false;
    c.key = name.str();
    if (accept(':')) {
      c.isText = acceptWord("text");
      skip();
      const char *at = p;
      StringRef w = word();
      llvm::SmallVector<StringRef, 8> known;
      if (!c.isText)
        known.push_back("text");
      for (Unit u : {Unit::Nanoseconds, Unit::Bytes, Unit::Count, Unit::Percent}) {
        known.push_back(unitName(u));
        if (w == known.back())
          c.unit = u;
      }
      if (w != unitName(c.unit))
        return failUnknown(at, "unit", w, known);
      if (w.empty() && !c.isText)
        return failExpected("a unit or text");
    }
    table.columns.push_back(std::move(c));
  } while (accept(','));
  return accept(')') || failExpected("',' or ')'");
}

bool Parser::cell(Cell &out) {
  char c = peek();
  if (c == '"') {
    std::string text;
    if (!string(text))
      return false;
    out = std::move(text);
    return true;
  }
  const char *start = p;
  if (acceptWord("null")) {
    out = std::monostate();
    return true;
  }
  bool special = accept('#');
  StringRef text;
  if (special) {
    if (!string(text))
      return false;
  } else {
    while (p != end && (isWordChar(*p) || *p == '.' || *p == '-' || *p == '+'))
      ++p;
    text = StringRef(start, p - start);
    if (int64_t n; !text.getAsInteger(10, n)) {
      out = n;
      return true;
    }
  }
  double d = 0;
  auto [after, error] = std::from_chars(text.begin(), text.end(), d);
  if (text.empty() || after != text.end() || error != std::errc()) {
    p = start;
    return failExpected("a number, a quoted string or null");
  }
  out = d;
  return true;
}

bool Parser::tableRow(Table &table, bool implied) {
  std::vector<Cell> row;
  std::vector<bool> given;
  size_t next = 0;
  bool ok = facts([&](const char *at, StringRef name) {
    size_t i = next;
    if (implied) {
      table.columns.push_back({name.str(), Unit::None, peek() == '"'});
    } else if (i >= table.columns.size() || table.columns[i].key != name) {
      int found = table.column(name);
      if (found < 0) {
        llvm::SmallVector<StringRef, 16> known;
        for (const TableColumn &c : table.columns)
          known.push_back(c.key);
        return failUnknown(at, "column", name, known);
      }
      i = static_cast<size_t>(found);
    }
    row.resize(table.columns.size());
    given.resize(table.columns.size());
    if (given[i])
      return fail(at, "text-duplicate", "column '" + shown(name) + "' stands twice");
    given[i] = true;
    next = i + 1;
    return cell(row[i]);
  });
  if (!ok)
    return false;
  row.resize(table.columns.size());
  table.rows.push_back(std::move(row));
  return true;
}

//===----------------------------------------------------------------------===//
// Remarks, statistics, abstentions
//===----------------------------------------------------------------------===//

bool Parser::remarkLine() {
  Remark m;
  if (!string(m.id))
    return false;
  skip();
  const char *at = p;
  StringRef w = word();
  llvm::SmallVector<StringRef, 4> known;
  for (unsigned i = 0; i != kNumLevels; ++i) {
    known.push_back(levelName(Remark::Level(i)));
    if (w == known.back())
      m.level = Remark::Level(i);
  }
  if (w != levelName(m.level))
    return w.empty() ? failExpected("note, finding or warning")
                     : failUnknown(at, "level", w, known);
  if (!string(m.message))
    return false;
  auto fact = [&](const char *at, StringRef key) {
    auto number = [&](std::optional<int64_t> &out) {
      int64_t n;
      bool ok = integer(n);
      out = n;
      return ok;
    };
    if (key == "rank")
      return number(m.rank);
    if (key == "device")
      return number(m.device);
    if (key == "window_ns")
      return number(m.windowNs);
    if (key == "cost_ns")
      return number(m.costNs);
    if (key == "lower_ns")
      return number(m.lowerNs);
    if (key == "upper_ns")
      return number(m.upperNs);
    if (key != "confidence")
      return failUnknown(
          at, "fact of a remark", key,
          {"rank", "device", "window_ns", "cost_ns", "lower_ns", "upper_ns", "confidence"});
    skip();
    const char *nameAt = p;
    StringRef name = word();
    for (unsigned i = 0; i != kNumConfidences; ++i)
      if (name == confidenceName(Confidence(i))) {
        m.confidence = Confidence(i);
        return true;
      }
    return failUnknown(nameAt, "confidence", name, {"low", "medium", "high"});
  };
  if (peek() == '{' && !facts(fact))
    return false;
  if (acceptWord("with") && !facts([&](const char *, StringRef key) {
        m.args.push_back({key.str(), ""});
        return string(m.args.back().second);
      }))
    return false;
  if (acceptWord("on"))
    do {
      uint64_t track, index;
      if (!natural(track, UINT32_MAX) || !expect(':') || !natural(index, UINT32_MAX))
        return false;
      m.evidence.push_back({static_cast<uint32_t>(track), static_cast<uint32_t>(index)});
    } while (accept(','));
  if (acceptWord("advice") && !string(m.advice))
    return false;
  unit().remarks.push_back(std::move(m));
  return true;
}

bool Parser::statisticLine() {
  Statistic s;
  if (!string(s.name) || !expect('=') || !integer(s.value))
    return false;
  if (acceptWord("loss"))
    s.severity = Statistic::Severity::Loss;
  unit().stats.push_back(std::move(s));
  return true;
}

bool Parser::abstainLine() {
  Abstention a;
  if (!string(a.reason) || (acceptWord("record") && !string(a.record)))
    return false;
  unit().abstained.push_back(std::move(a));
  return true;
}
