//===- Report.cpp - The report emitter ------------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Report.h"
#include "Cycles.h"
#include "heddle/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace heddle {
namespace report {
namespace {
/// Sections that people name, and the tables that they show in full. Any table's or pass's own
/// name is a section too.
struct Section {
  StringLiteral name;
  ArrayRef<StringLiteral> tables;
};
constexpr StringLiteral idleTables[] = {"idle-gaps-causes", "idle-gaps"};
constexpr StringLiteral stepTables[] = {"gpu-breakdown", "host-steps"};
constexpr StringLiteral kernelTables[] = {"kernels", "kernels-copies"};
constexpr StringLiteral fusionTables[] = {"fusion-candidates"};
constexpr StringLiteral codeTables[] = {"symbolize-code", "symbolize-host"};
constexpr StringLiteral healthTables[] = {"health", "health-contents"};
constexpr Section sections[] = {{"idle", idleTables},  {"kernels", kernelTables},
                                {"steps", stepTables}, {"fusion", fusionTables},
                                {"code", codeTables},  {"health", healthTables}};

/// What the first screen shows in its own form.
bool onScreen(StringRef id) {
  return id.starts_with("summary-") || any_of(sections, [&](const Section &s) {
           return s.name != "code" && is_contained(s.tables, id);
         });
}

/// Ids of all tables, each once, in order of first publication.
std::vector<std::string> tableIds(const Results &results) {
  std::vector<std::string> out;
  for (const PassResult &unit : results.units)
    for (const Table &t : unit.tables)
      if (!is_contained(out, t.id))
        out.push_back(t.id);
  return out;
}

void printTables(Page &page, const Trace &trace, const Results &results, ArrayRef<std::string> ids,
                 size_t maxRows = SIZE_MAX) {
  for (const std::string &id : ids)
    if (std::optional<Table> t = tableOfRanks(trace, results, id))
      printTable(page, *t, maxRows);
}

/// The tables of a section, or nullopt if there is no such section.
std::optional<std::vector<std::string>> tablesOf(const Results &results, StringRef name,
                                                 ArrayRef<std::string> ids) {
  for (const Section &s : sections)
    if (s.name == name) {
      std::vector<std::string> out;
      for (StringRef id : s.tables)
        if (is_contained(ids, id))
          out.push_back(id.str());
      return out;
    }
  if (is_contained(ids, name))
    return std::vector<std::string>{name.str()};
  std::vector<std::string> out;
  bool isPass = false;
  for (const PassResult &unit : results.units)
    if (unit.passName == name) {
      isPass = true;
      for (const Table &t : unit.tables)
        if (!is_contained(out, t.id))
          out.push_back(t.id);
    }
  if (isPass)
    return out;
  return std::nullopt;
}

Error unknownSection(StringRef name, ArrayRef<std::string> ids) {
  std::vector<std::string> known{"all"};
  for (const Section &s : sections)
    known.push_back(s.name.str());
  for (const std::string &id : ids)
    if (!is_contained(known, id))
      known.push_back(id);
  std::string nearest;
  unsigned best = 4;
  for (const std::string &k : known)
    if (unsigned d = name.edit_distance(k, true, best); d < best) {
      best = d;
      nearest = k;
    }
  return usageError("unknown-section", "no section '" + name + "'; " +
                                           (nearest.empty() ? "wanted one of " + join(known, ", ")
                                                            : "did you mean '" + nearest + "'?"));
}

void printNext(Page &page, const Results &results) {
  Rows next(results, "summary-next");
  unsigned width = 0;
  for (size_t i = 0; i != next.size(); ++i)
    width = std::max(width, textWidth(page.safe(next.text(i, "command"))));
  if (!next.empty())
    page.line();
  for (size_t i = 0; i != next.size(); ++i) {
    std::string command = page.safe(next.text(i, "command")),
                help = page.safe(next.text(i, "help"));
    std::string lead = i ? "       " : "next   ";
    // A command is never wrapped: it is there to be copied.
    if (7 + width + 4 + textWidth(help) <= page.width())
      page.line(lead + padRight(command, width) + "    " + page.styled(help, Style::Dim));
    else
      page.line(lead + command);
  }
}

/// Why a section has no table: its passes lack something, or did not run.
void printAbsence(Page &page, const Results &results, StringRef name) {
  std::vector<std::string> reasons;
  for (const PassResult &unit : results.units) {
    bool asked = unit.passName == name;
    for (const Section &s : sections)
      asked |= s.name == name && is_contained(s.tables, unit.passName);
    for (const Abstention &a : asked ? ArrayRef(unit.abstained) : ArrayRef<Abstention>())
      if (std::string text = a.reason + (a.record.empty() ? "" : "; " + a.record);
          !is_contained(reasons, text))
        reasons.push_back(text);
  }
  if (name == "code" && reasons.empty() &&
      none_of(results.units, [](const PassResult &unit) { return unit.passName == "symbolize"; }))
    reasons.push_back("the pipeline has no symbolize; --passes='symbolize,default' has");
  else if (name == "code" && reasons.empty())
    reasons.push_back("neither GPU work nor a Python stack is recorded; record with "
                      "with_stack=True");
  page.wrapped(page.safe(name) + ": ", reasons.empty() ? "no pass of this pipeline made it"
                                                       : page.safe("-- " + join(reasons, "; ")));
}

Error emit(const Trace &trace, const Results &results, raw_ostream &os,
           const EmitOptions &options) {
  Page page(os, options);
  std::vector<std::string> ids = tableIds(results);
  std::vector<std::vector<std::string>> wanted;
  bool all = false, asked = !options.sections.empty();
  for (StringRef name : options.sections) {
    if (name == "all") {
      all = true;
      continue;
    }
    auto tables = tablesOf(results, name, ids);
    if (!tables)
      return unknownSection(name, ids);
    wanted.push_back(std::move(*tables));
  }

  if (!asked || all) {
    bool screen = printScreen(page, results);
    std::vector<std::string> others;
    for (const std::string &id : ids)
      if (!screen || !onScreen(id))
        others.push_back(id);
    if (all)
      printTables(page, trace, results, ids);
    else
      printTables(page, trace, results, others, screen ? 10 : SIZE_MAX);
    printRemarks(page, results, screen);
    if (results.units.empty())
      page.line(trace.ranks.empty() ? "no input" : "nothing to tell: no pass has run");
    printNext(page, results);
    return Error::success();
  }
  for (size_t i = 0; i != wanted.size(); ++i) {
    if (options.sections[i] == "code" && !wanted[i].empty()) {
      printCode(page, results);
      continue;
    }
    if (wanted[i].empty())
      printAbsence(page, results, options.sections[i]);
    printTables(page, trace, results, wanted[i]);
  }
  return Error::success();
}
} // namespace
} // namespace report

const EmitterInfo reportEmitter = {
    "report", "text for people: the first screen, or the sections asked for", {}, report::emit};

} // namespace heddle
