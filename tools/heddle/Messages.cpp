//===- Messages.cpp - Diagnostics for people ------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "Messages.h"
#include "Terminal.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

using namespace llvm;

namespace heddle {

static StringRef severityName(Severity severity) {
  switch (severity) {
  case Severity::Note:
    return "note";
  case Severity::Warning:
    return "warning";
  case Severity::Error:
    return "error";
  }
  llvm_unreachable("every severity has a name");
}

/// Characters that take a column each; escaped text holds no others worth telling apart here.
static size_t displayColumns(StringRef text) {
  return count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
}

/// The source line with a caret below its `column`. A long line is cut to what lies around it.
static void printSnippet(raw_ostream &os, const Place &place, bool colour) {
  constexpr size_t around = 60;
  StringRef line = place.snippet;
  size_t at = std::min<size_t>(place.column - 1, line.size());
  size_t first = at > 2 * around ? at - around : 0;
  size_t last = std::min(line.size(), at + around);
  if (line.size() - last < around / 2)
    last = line.size();
  auto isTail = [&](size_t i) { // inside a character
    return i < line.size() && (static_cast<unsigned char>(line[i]) & 0xc0) == 0x80;
  };
  while (first > 0 && isTail(first))
    --first;
  while (isTail(last))
    ++last;
  std::string before = (first > 0 ? "..." : "") + escapeForTerminal(line.slice(first, at));
  std::string after = escapeForTerminal(line.slice(at, last)) + (last < line.size() ? "..." : "");
  os << before << after << '\n' << std::string(displayColumns(before), ' ');
  if (colour)
    os << "\x1b[1;32m^\x1b[0m\n";
  else
    os << "^\n";
}

void printDiagnostic(raw_ostream &os, const Diagnostic &d, bool colour) {
  const Place &p = d.place;
  auto paint = [&](StringRef code) {
    if (colour)
      os << "\x1b[" << code << 'm';
  };
  paint("1");
  os << (p.file.empty() ? "heddle" : escapeForTerminal(p.file));
  if (p.line)
    os << ':' << p.line;
  if (p.line && p.column)
    os << ':' << p.column;
  os << ": ";
  if (!p.line && p.offset)
    os << "offset " << p.offset << ": ";
  paint(d.severity == Severity::Error ? "1;31" : d.severity == Severity::Warning ? "1;35" : "1;36");
  os << severityName(d.severity) << ": ";
  paint("0");
  os << escapeForTerminal(d.message) << '\n';
  if (p.column && !p.snippet.empty())
    printSnippet(os, p, colour);
}

void printDiagnostic(const Diagnostic &d) {
  std::string text; // one write, so that lines of other programs do not cut it
  raw_string_ostream os(text);
  printDiagnostic(os, d, wantsColour(STDERR_FILENO));
  errs() << text;
}

void printMessage(Severity severity, StringRef file, const Twine &message) {
  Diagnostic d;
  d.severity = severity;
  d.message = message.str();
  d.place.file = file.str();
  printDiagnostic(d);
}

int printErrors(Error error) {
  int code = 0;
  handleAllErrors(
      std::move(error),
      [&](const DiagnosticError &e) {
        printDiagnostic(e.diagnostic);
        if (code == 0)
          code = static_cast<int>(e.code);
      },
      [&](const ErrorInfoBase &e) {
        printMessage(Severity::Error, "", e.message());
        if (code == 0)
          code = static_cast<int>(ExitCode::Internal);
      });
  return code;
}

std::string describeRepairs(const Diagnostics &diagnostics) {
  std::string text;
  for (const auto &[kind, repair] : diagnostics.repairs())
    text += (text.empty() ? "" : ", ") + std::to_string(repair.count) + " x " + kind;
  return text;
}

void warnOfLosses(const Results &results) {
  // By pass and name, over ranks, in order of first appearance.
  std::vector<std::pair<std::string, int64_t>> losses;
  for (const PassResult &unit : results.units)
    for (const Statistic &s : unit.stats) {
      if (s.severity != Statistic::Severity::Loss || s.value == 0)
        continue;
      std::string name = s.name + " (" + unit.passName + ")";
      auto it = find_if(losses, [&](const auto &l) { return l.first == name; });
      if (it == losses.end())
        losses.emplace_back(name, s.value);
      else
        it->second += s.value;
    }
  if (losses.empty())
    return;
  std::string text;
  for (const auto &[name, value] : losses)
    text += (text.empty() ? "" : ", ") + std::to_string(value) + " x " + name;
  printMessage(Severity::Warning, "", "lost: " + text);
}

} // namespace heddle
