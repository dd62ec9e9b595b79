//===- VerifyDiagnostics.cpp - Expected messages --------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/Text/VerifyDiagnostics.h"
#include "heddle/Support/Nearest.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>

using namespace heddle;
using llvm::StringRef;

static constexpr llvm::StringLiteral kLevels[] = {"error", "warning", "remark", "note"};

std::vector<InputChunk> heddle::splitInput(StringRef text) {
  std::vector<InputChunk> chunks;
  unsigned line = 1;
  InputChunk chunk{text, 1};
  for (StringRef rest = text; !rest.empty(); ++line) {
    auto [first, after] = rest.split('\n');
    if (first.starts_with("// -----")) {
      chunk.text = StringRef(chunk.text.begin(), first.begin() - chunk.text.begin());
      chunks.push_back(chunk);
      chunk = {after, line + 1};
    }
    rest = after;
  }
  chunks.push_back(chunk);
  return chunks;
}

/// Reads what stands behind "expected-" into its parts; an error message, or "".
static std::string readComment(StringRef &rest, unsigned ownLine, unsigned &level, unsigned &line,
                               unsigned &count, StringRef &text) {
  StringRef word = rest.take_while([](char c) { return llvm::isAlpha(c); });
  const auto *found = std::find(std::begin(kLevels), std::end(kLevels), word);
  if (found == std::end(kLevels)) {
    StringRef known[] = {kLevels[0], kLevels[1], kLevels[2], kLevels[3]};
    return ("unknown level '" + word + "'" + didYouMean(word, known)).str();
  }
  level = static_cast<unsigned>(found - std::begin(kLevels));
  rest = rest.drop_front(word.size());
  line = ownLine;
  if (rest.consume_front("@")) {
    unsigned offset = 0;
    if (rest.consume_front("above"))
      line = ownLine - 1;
    else if (rest.consume_front("below"))
      line = ownLine + 1;
    else if (rest.consume_front("unknown"))
      line = 0;
    else if (bool down = rest.consume_front("+"); (!down && !rest.consume_front("-")) ||
                                                  rest.consumeInteger(10, offset) ||
                                                  (!down && offset >= ownLine))
      return "expected @+N, @-N, @above, @below or @unknown";
    else
      line = down ? ownLine + offset : ownLine - offset;
  }
  rest = rest.ltrim();
  count = 1;
  if (!rest.empty() && llvm::isDigit(rest[0]) && rest.consumeInteger(10, count))
    return "the number of messages is too large";
  rest = rest.ltrim();
  size_t close;
  if (!rest.consume_front("{{") || (close = rest.find("}}")) == StringRef::npos)
    return "expected {{text}} behind 'expected-" + word.str() + "'";
  text = rest.take_front(close);
  rest = rest.drop_front(close + 2);
  return "";
}

llvm::Expected<DiagnosticVerifier> DiagnosticVerifier::create(StringRef text, StringRef name,
                                                              unsigned firstLine) {
  DiagnosticVerifier verifier;
  verifier.name = name.str();
  unsigned ownLine = firstLine;
  for (StringRef rest = text; !rest.empty(); ++ownLine) {
    auto [line, after] = rest.split('\n');
    rest = after;
    size_t comment = line.find("//");
    if (comment == StringRef::npos)
      continue;
    StringRef tail = line.substr(comment);
    for (size_t at; (at = tail.find("expected-")) != StringRef::npos;) {
      tail = tail.substr(at + StringRef("expected-").size());
      Place place{verifier.name, static_cast<uint64_t>(tail.begin() - text.begin()), ownLine,
                  static_cast<unsigned>(tail.begin() - line.begin()) + 1, line.str()};
      unsigned level;
      Expected e{};
      StringRef wanted;
      std::string fault = readComment(tail, ownLine, level, e.line, e.wanted, wanted);
      if (!fault.empty())
        return inputError("expected-syntax", fault, place);
      e.level = static_cast<MessageLevel>(level);
      e.ownLine = ownLine;
      e.text = wanted.str();
      verifier.expected.push_back(std::move(e));
    }
  }
  return verifier;
}

void DiagnosticVerifier::see(MessageLevel level, unsigned line, StringRef message) {
  for (Expected &e : expected)
    if (e.wanted && e.level == level && e.line == line && message.contains(e.text)) {
      --e.wanted;
      return;
    }
  Diagnostic d{Severity::Error,
               "unexpected-message",
               ("unexpected " + kLevels[static_cast<unsigned>(level)] + ": " + message).str(),
               {}};
  d.place.file = name;
  d.place.line = line;
  unexpected.push_back(std::move(d));
}

void DiagnosticVerifier::see(const Diagnostic &d) {
  see(d.severity == Severity::Error     ? MessageLevel::Error
      : d.severity == Severity::Warning ? MessageLevel::Warning
                                        : MessageLevel::Note,
      d.place.line, d.message);
}

void DiagnosticVerifier::see(llvm::Error error) {
  llvm::handleAllErrors(
      std::move(error), [&](const DiagnosticError &e) { see(e.diagnostic); },
      [&](const llvm::ErrorInfoBase &e) { see(MessageLevel::Error, 0, e.message()); });
}

std::vector<Diagnostic> DiagnosticVerifier::finish() const {
  std::vector<Diagnostic> out = unexpected;
  for (const Expected &e : expected) {
    if (e.wanted == 0)
      continue;
    Diagnostic d{
        Severity::Error,
        "missing-message",
        ("expected " + kLevels[static_cast<unsigned>(e.level)] + " '" + e.text + "' was not seen")
            .str(),
        {}};
    d.place.file = name;
    d.place.line = e.ownLine;
    out.push_back(std::move(d));
  }
  std::stable_sort(out.begin(), out.end(), [](const Diagnostic &a, const Diagnostic &b) {
    return a.place.line < b.place.line;
  });
  return out;
}
