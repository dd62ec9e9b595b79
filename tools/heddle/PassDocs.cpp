//===- PassDocs.cpp - Descriptions of passes ------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "PassDocs.h"
#include "heddle/Pass/PassManager.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace heddle {

std::string describeKind(const PassInfo &info) {
  return std::string(info.level == Level::Rank ? "rank" : "trace") +
         (info.kind == PassKind::Check ? " check" : " rewrite");
}

static std::string typeName(const ParamInfo &p) {
  auto choices = [&](StringRef separator) {
    return join(map_range(p.choices, [](StringRef c) { return c.str(); }), separator);
  };
  switch (p.type) {
  case ParamType::Int:
    return "integer";
  case ParamType::Time:
    return "time";
  case ParamType::Enum:
    return choices(" or ");
  case ParamType::String:
    return "text";
  case ParamType::List:
    return p.choices.empty() ? "list, a+b" : "list, a+b, of " + choices(", ");
  }
  llvm_unreachable("every type has a name");
}

static std::string columnType(const ColumnInfo &c) {
  if (c.isText)
    return "text";
  return c.unit == Unit::None ? "number" : unitName(c.unit).str();
}

static std::string needs(const PassInfo &info) {
  return join(map_range(info.needs, [](Capability c) { return capabilityName(c).str(); }), ", ");
}

//===----------------------------------------------------------------------===//
// For a terminal
//===----------------------------------------------------------------------===//

/// The text in lines of at most 92 columns, each after `indent` spaces.
static void printWrapped(raw_ostream &os, StringRef text, unsigned indent) {
  constexpr size_t width = 92;
  SmallVector<StringRef, 16> paragraphs;
  text.trim().split(paragraphs, "\n\n");
  for (auto [i, paragraph] : enumerate(paragraphs)) {
    if (i)
      os << '\n';
    SmallVector<StringRef, 64> words;
    SplitString(paragraph, words);
    size_t column = 0;
    for (StringRef word : words) {
      if (column && indent + column + 1 + word.size() > width) {
        os << '\n';
        column = 0;
      }
      if (column == 0)
        os.indent(indent);
      else
        os << ' ';
      os << word;
      column += word.size() + (column ? 1 : 0);
    }
    os << '\n';
  }
}

/// A heading and lines of two columns.
static void printList(raw_ostream &os, StringRef heading,
                      ArrayRef<std::pair<std::string, std::string>> lines) {
  if (lines.empty())
    return;
  size_t width = 0;
  for (const auto &[name, help] : lines)
    width = std::max(width, name.size());
  os << '\n' << heading << '\n';
  for (const auto &[name, help] : lines)
    os << "  " << left_justify(name, width) << "  " << help << '\n';
}

void printPass(raw_ostream &os, const PassInfo &info) {
  os << info.name << " (" << describeKind(info) << "): " << info.summary << '\n';
  if (!info.description.empty()) {
    os << '\n';
    printWrapped(os, info.description, 2);
  }
  if (!info.needs.empty())
    os << "\nneeds " << needs(info) << '\n';
  using Lines = std::vector<std::pair<std::string, std::string>>;
  Lines lines;
  for (const WantInfo &w : info.wants)
    lines.emplace_back(capabilityName(w.capability).str(), w.without.str());
  printList(os, "what the answer is without", lines);
  lines.clear();
  for (const ParamInfo &p : info.params)
    lines.emplace_back(p.key.str() + "=" + p.defaultText.str(),
                       p.help.str() + " (" + typeName(p) + ")");
  printList(os, "parameters and their defaults", lines);
  for (const TableInfo &t : info.tables) {
    lines.clear();
    for (const ColumnInfo &c : t.columns)
      lines.emplace_back(c.key.str(), c.help.str() + " (" + columnType(c) + ")");
    printList(os, "table " + t.id.str() + ": " + t.title.str(), lines);
  }
  lines.clear();
  for (const RemarkInfo &r : info.remarks)
    lines.emplace_back(r.id.str(), r.help.str());
  printList(os, "remarks", lines);
  lines.clear();
  for (const StatInfo &s : info.stats)
    lines.emplace_back(s.name.str(),
                       s.help.str() + (s.severity == Statistic::Severity::Loss ? " (a loss)" : ""));
  printList(os, "statistics", lines);
}

//===----------------------------------------------------------------------===//
// Markdown
//===----------------------------------------------------------------------===//

/// Text inside a cell of a table.
static std::string cell(StringRef text) {
  std::string out;
  for (char c : text)
    if (c == '|')
      out += "\\|";
    else
      out += c == '\n' ? ' ' : c;
  return out;
}

static void printTable(raw_ostream &os, ArrayRef<StringRef> head,
                       ArrayRef<std::vector<std::string>> rows) {
  if (rows.empty())
    return;
  os << "| " << join(head, " | ") << " |\n|";
  for (size_t i = 0; i != head.size(); ++i)
    os << " --- |";
  os << '\n';
  for (const std::vector<std::string> &row : rows)
    os << "| " << join(map_range(row, [](StringRef c) { return cell(c); }), " | ") << " |\n";
  os << '\n';
}

/// As the begin of a sentence.
static std::string sentence(StringRef text) {
  std::string out = text.str();
  if (!out.empty())
    out[0] = toUpper(out[0]);
  return out;
}

static std::string code(StringRef text) { return text.empty() ? "" : "`" + text.str() + "`"; }

static void printPassMarkdown(raw_ostream &os, const PassInfo &info) {
  os << "## " << info.name << "\n\n"
     << sentence(info.summary) << ". A " << describeKind(info) << '.';
  if (!info.needs.empty())
    os << " Needs " << needs(info) << '.';
  os << "\n\n";
  if (!info.description.empty())
    os << info.description.trim() << "\n\n";
  using Rows = std::vector<std::vector<std::string>>;
  Rows rows;
  for (const WantInfo &w : info.wants)
    rows.push_back({capabilityName(w.capability).str(), w.without.str()});
  printTable(os, {"without", "the answer is"}, rows);
  rows.clear();
  for (const ParamInfo &p : info.params)
    rows.push_back({code(p.key), typeName(p), code(p.defaultText), p.help.str()});
  printTable(os, {"parameter", "type", "default", "meaning"}, rows);
  for (const TableInfo &t : info.tables) {
    os << "Table `" << t.id << "`: " << t.title << ".\n\n";
    rows.clear();
    for (const ColumnInfo &c : t.columns)
      rows.push_back({code(c.key), columnType(c), c.help.str()});
    printTable(os, {"column", "type", "meaning"}, rows);
  }
  rows.clear();
  for (const RemarkInfo &r : info.remarks)
    rows.push_back({"[" + code(r.id) + "](Remarks.md#" + r.id.str() + ")", r.help.str()});
  printTable(os, {"remark", "when"}, rows);
  rows.clear();
  for (const StatInfo &s : info.stats)
    rows.push_back(
        {code(s.name), s.severity == Statistic::Severity::Loss ? "loss" : "info", s.help.str()});
  printTable(os, {"statistic", "severity", "meaning"}, rows);
}

static void printGenerated(raw_ostream &os, StringRef option) {
  os << "<!-- Written by `heddle passes " << option << "`; do not edit. -->\n\n";
}

void printPassesMarkdown(raw_ostream &os, const PassRegistry &registry) {
  os << "# Passes\n\n";
  printGenerated(os, "--docs");
  os << "Names of passes, parameters, tables, columns, remarks and statistics are a promise: "
        "scripts "
        "build\non them, and a change is a break. Columns that end in `_ns` are nanoseconds.\n\n";
  std::vector<std::vector<std::string>> rows;
  for (const PassInfo *info : registry.all())
    rows.push_back({"[" + info->name.str() + "](#" + info->name.str() + ")", describeKind(*info),
                    info->summary.str()});
  printTable(os, {"pass", "kind", "summary"}, rows);
  rows.clear();
  for (const auto &entry : registry.pipelines())
    rows.push_back({code(entry.first()), code(entry.second.text), entry.second.summary});
  sort(rows);
  printTable(os, {"pipeline", "stands for", "summary"}, rows);
  os << "A pass whose recording lacks what it needs abstains, and says what to record. Every "
        "rewrite "
        "has the\nstatistic `"
     << kRemarksLost.name << "` (loss): " << kRemarksLost.help << "; and `" << kResultsDropped.name
     << "` (loss): " << kResultsDropped.help << ".\n\n";
  for (const PassInfo *info : registry.all())
    printPassMarkdown(os, *info);
}

void printRemarksMarkdown(raw_ostream &os, const PassRegistry &registry) {
  os << "# Remarks\n\n";
  printGenerated(os, "--docs=remarks");
  os << "What passes say about a trace, by name. A remark has a cost in a window, bounds where the "
        "cost is\none, evidence, and advice; never a forecast.\n\n";
  std::map<std::string, std::pair<StringRef, StringRef>> remarks;
  for (const PassInfo *info : registry.all())
    for (const RemarkInfo &r : info->remarks)
      remarks[r.id.str()] = {info->name, r.help};
  for (const auto &[id, remark] : remarks)
    os << "## " << id << "\n\nPass [" << remark.first << "](Passes.md#" << remark.first << "). "
       << sentence(remark.second) << ".\n\n";
}

} // namespace heddle
