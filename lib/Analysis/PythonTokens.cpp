//===- PythonTokens.cpp - Lines and tokens of Python ----------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/Analysis/PythonSource.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace heddle;
using llvm::StringRef;

namespace {

/// Longest first.
constexpr llvm::StringLiteral kOperators[] = {
    "**=", "//=", ">>=", "<<=", "...", "->", ":=", "==", "!=", "<=", ">=", "+=",
    "-=",  "*=",  "/=",  "%=",  "@=",  "&=", "|=", "^=", "**", "//", "<<", ">>"};

bool isWordLetter(char c) {
  return llvm::isAlnum(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

class Lexer {
public:
  Lexer(StringRef text, std::vector<PythonToken> &tokens, std::vector<PythonLine> &lines)
      : text(text), tokens(tokens), lines(lines) {}

  /// False if something does not close.
  bool run() {
    text.consume_front("\xef\xbb\xbf");
    while (at < text.size())
      if (!step())
        return false;
    endLine();
    return open.empty();
  }

private:
  bool step() {
    char c = text[at];
    if (c == '\n') {
      ++number;
      ++at;
      if (open.empty())
        endLine();
      return true;
    }
    if (c == ' ' || c == '\t' || c == '\r' || c == '\f') {
      if (!inLine)
        indent = c == ' ' ? indent + 1 : c == '\t' ? (indent / 8 + 1) * 8 : c == '\f' ? 0 : indent;
      ++at;
      return true;
    }
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
      return true;
    }
    if (c == '\\') {
      StringRef rest = text.drop_front(at + 1);
      rest.consume_front("\r");
      if (!rest.consume_front("\n"))
        return false;
      at = text.size() - rest.size();
      ++number;
      return true;
    }
    beginLine();
    if (isWordLetter(c) || c == '"' || c == '\'')
      return word();
    if (c == '.' && at + 1 < text.size() && llvm::isDigit(text[at + 1]))
      return word();
    return sign(c);
  }

  void beginLine() {
    if (inLine)
      return;
    inLine = true;
    PythonLine line;
    line.number = number;
    line.indent = indent;
    line.begin = static_cast<uint32_t>(tokens.size());
    lines.push_back(line);
  }
  void endLine() {
    if (inLine)
      lines.back().end = static_cast<uint32_t>(tokens.size());
    inLine = false;
    indent = 0;
  }
  void push(PythonToken::Kind kind, size_t begin) {
    tokens.push_back({kind, text.slice(begin, at)});
  }

  /// A name, a number or a string.
  bool word() {
    size_t begin = at;
    if (llvm::isDigit(text[at]) || text[at] == '.') {
      // The sign of an exponent belongs to it.
      while (at < text.size() &&
             (isWordLetter(text[at]) || text[at] == '.' ||
              ((text[at] == '+' || text[at] == '-') && (text[at - 1] | 0x20) == 'e' &&
               !text.slice(begin, at).starts_with_insensitive("0x"))))
        ++at;
      push(PythonToken::Number, begin);
      return true;
    }
    while (at < text.size() && isWordLetter(text[at]))
      ++at;
    bool quoted = at < text.size() && (text[at] == '"' || text[at] == '\'');
    StringRef prefix = text.slice(begin, at);
    if (!quoted || prefix.size() > 2 ||
        !llvm::all_of(prefix, [](char c) { return StringRef("rRbBuUfFtT").contains(c); })) {
      push(PythonToken::Name, begin);
      return true;
    }
    bool format = prefix.find_first_of("fFtT") != StringRef::npos;
    if (!string(format))
      return false;
    push(format ? PythonToken::Format : PythonToken::String, begin);
    return true;
  }
  /// From its quote on.
  bool string(bool format) {
    char quote = text[at];
    size_t width = text.drop_front(at).starts_with(std::string(3, quote)) ? 3 : 1;
    std::string end(width, quote);
    unsigned depth = 0; // of an expression in it
    for (at += width; at < text.size();) {
      StringRef rest = text.drop_front(at);
      if (rest.front() == '\n') {
        if (width == 1 && !depth)
          return false;
        ++number;
      }
      if (rest.front() == '\\' && !depth) {
        number += rest.size() > 1 && rest[1] == '\n';
        at += 2;
        continue;
      }
      if (format && (rest.front() == '{' || rest.front() == '}')) {
        if (!depth && (rest.starts_with("{{") || rest.starts_with("}}"))) {
          at += 2;
          continue;
        }
        if (rest.front() == '{')
          ++depth;
        else if (depth)
          --depth;
      } else if (depth && (rest.front() == '"' || rest.front() == '\'') &&
                 (width == 1 || !rest.starts_with(end))) {
        // A string in the expression may hold braces, and since Python 3.12 have the same quotes.
        size_t close = rest.find(rest.front(), 1);
        if (close == StringRef::npos || rest.take_front(close).contains('\n'))
          return false;
        at += close + 1;
        continue;
      } else if (rest.starts_with(end)) {
        if (depth)
          return false;
        at += width;
        return true;
      }
      ++at;
    }
    return false;
  }
  bool sign(char c) {
    size_t begin = at;
    for (StringRef op : kOperators)
      if (text.drop_front(at).starts_with(op)) {
        at += op.size();
        push(PythonToken::Op, begin);
        return true;
      }
    if (c == '(' || c == '[' || c == '{')
      open.push_back(c == '(' ? ')' : c == '[' ? ']' : '}');
    if (c == ')' || c == ']' || c == '}') {
      if (open.empty() || open.back() != c)
        return false;
      open.pop_back();
    }
    ++at;
    push(PythonToken::Op, begin);
    return true;
  }

  StringRef text;
  std::vector<PythonToken> &tokens;
  std::vector<PythonLine> &lines;
  size_t at = 0;
  uint32_t number = 1, indent = 0;
  bool inLine = false;
  std::vector<char> open;
};

} // namespace

std::optional<PythonSource> PythonSource::parse(StringRef text) {
  PythonSource out;
  if (!Lexer(text, out.allTokens, out.allLines).run())
    return std::nullopt;
  out.findScopes();
  return out;
}

/// "async def f" and "def f" and "class f": where the keyword stands, or null.
static const PythonToken *definition(llvm::ArrayRef<PythonToken> tokens) {
  if (!tokens.empty() && tokens[0].isWord("async"))
    tokens = tokens.drop_front();
  if (tokens.size() < 2 || !(tokens[0].isWord("def") || tokens[0].isWord("class")) ||
      tokens[1].kind != PythonToken::Name)
    return nullptr;
  return tokens.data();
}

StringRef PythonSource::definedName(uint32_t line) const {
  const PythonToken *keyword = definition(tokens(allLines[line]));
  return keyword ? keyword[1].text : StringRef();
}

bool PythonSource::isClass(uint32_t line) const {
  return tokens(allLines[line]).front().isWord("class");
}

void PythonSource::findScopes() {
  std::vector<uint32_t> open; // lines of definitions
  for (uint32_t i = 0; i != allLines.size(); ++i) {
    PythonLine &line = allLines[i];
    while (!open.empty() && allLines[open.back()].indent >= line.indent)
      open.pop_back();
    line.scope = open.empty() ? kNone : open.back();
    classes.push_back(line.scope == kNone   ? kNone
                      : isClass(line.scope) ? line.scope
                                            : classes[line.scope]);
    if (!definedName(i).empty())
      open.push_back(i);
  }
  scopeBegin.assign(allLines.size() + 2, 0);
  for (const PythonLine &line : allLines)
    ++scopeBegin[line.scope + 2]; // kNone + 1 is 0
  for (size_t s = 1; s < scopeBegin.size(); ++s)
    scopeBegin[s] += scopeBegin[s - 1];
  inScope.resize(allLines.size());
  std::vector<uint32_t> next = scopeBegin;
  for (uint32_t i = 0; i != allLines.size(); ++i)
    inScope[next[allLines[i].scope + 1]++] = i;
}

llvm::ArrayRef<uint32_t> PythonSource::linesOf(uint32_t scope) const {
  uint32_t from = scopeBegin[scope + 1], to = scopeBegin[scope + 2];
  return llvm::ArrayRef(inScope).slice(from, to - from);
}

uint32_t PythonSource::find(StringRef function, uint32_t number) const {
  auto it = llvm::lower_bound(allLines, number,
                              [](const PythonLine &line, uint32_t n) { return line.number < n; });
  if (it == allLines.end() || it->number != number)
    return kNone;
  uint32_t indent = it->indent;
  for (unsigned n = 0;
       it != allLines.end() && it->indent == indent && allTokens[it->begin].is("@") && n != 64; ++n)
    ++it;
  if (it == allLines.end() || it->indent != indent)
    return kNone;
  auto line = static_cast<uint32_t>(it - allLines.begin());
  return definedName(line) == function ? line : kNone;
}

const PythonLine *PythonSource::lineAt(uint32_t number) const {
  auto it = llvm::upper_bound(allLines, number,
                              [](uint32_t n, const PythonLine &line) { return n < line.number; });
  return it == allLines.begin() ? nullptr : &it[-1];
}

uint32_t PythonSource::around(StringRef function, uint32_t number) const {
  const PythonLine *line = lineAt(number);
  return line && line->scope != kNone && definedName(line->scope) == function ? line->scope : kNone;
}

bool PythonSource::yields(uint32_t number) const {
  const PythonLine *line = lineAt(number);
  return line && llvm::any_of(tokens(*line), [](const PythonToken &t) {
           return t.isWord("yield") || t.isWord("await") || t.isWord("async");
         });
}
