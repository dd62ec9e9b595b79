//===- PythonNames.cpp - What names of a Python file stand for ------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "PythonStatements.h"
#include "UserFrameData.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace heddle;
using llvm::ArrayRef;
using llvm::StringRef;
using Meaning = PythonNames::Meaning;

//===- Statements ---------------------------------------------------------===//

bool heddle::isPythonKeyword(StringRef word) {
  static constexpr llvm::StringLiteral words[] = {
      "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
      "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
      "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
      "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};
  return llvm::is_contained(words, word);
}

int heddle::bracketStep(const PythonToken &t) {
  if (t.kind != PythonToken::Op || t.text.size() != 1)
    return 0;
  return StringRef("([{").contains(t.text) ? 1 : StringRef(")]}").contains(t.text) ? -1 : 0;
}

std::vector<PythonToken> heddle::withoutLambdas(ArrayRef<PythonToken> tokens) {
  std::vector<PythonToken> out;
  int depth = 0, lambdaDepth = 0;
  unsigned colons = 0; // to come before the body
  enum { Outside, Parameters, Body } state = Outside;
  for (const PythonToken &t : tokens) {
    int step = bracketStep(t);
    if (state != Outside && depth == lambdaDepth && t.isWord("lambda")) {
      ++colons;
      state = Parameters;
    } else if (state == Parameters && depth == lambdaDepth && t.is(":")) {
      if (--colons == 0)
        state = Body;
      continue;
    } else if (state == Body && depth == lambdaDepth &&
               (t.is(",") || t.is(":") || t.is(";") || step < 0 || t.isWord("for"))) {
      state = Outside;
    } else if (state == Outside && t.isWord("lambda")) {
      out.push_back({PythonToken::Op, t.text});
      state = Parameters;
      lambdaDepth = depth;
      colons = 1;
    }
    depth += step;
    if (state == Outside)
      out.push_back(t);
  }
  return out;
}

/// The first of `wanted` outside of brackets, or the end.
static size_t findOutside(ArrayRef<PythonToken> tokens, StringRef wanted, size_t from = 0) {
  int depth = 0;
  for (size_t i = from; i != tokens.size(); ++i) {
    if (!depth && tokens[i].is(wanted))
      return i;
    depth += bracketStep(tokens[i]);
  }
  return tokens.size();
}

size_t heddle::headerEnd(ArrayRef<PythonToken> tokens) {
  static constexpr llvm::StringLiteral heads[] = {"if",      "elif",  "else", "for",
                                                  "while",   "with",  "try",  "except",
                                                  "finally", "async", "def",  "class"};
  if (tokens.empty() || tokens[0].kind != PythonToken::Name ||
      !llvm::is_contained(heads, tokens[0].text))
    return 0;
  return std::min(findOutside(tokens, ":") + 1, tokens.size());
}

/// Calls `f` for the header of a line, if it has one, and for each statement behind it.
template <typename F> static void eachStatement(ArrayRef<PythonToken> tokens, F f) {
  size_t at = headerEnd(tokens);
  if (at)
    f(tokens.take_front(at));
  while (at < tokens.size()) {
    size_t end = findOutside(tokens, ";", at);
    f(tokens.slice(at, end - at));
    at = end + 1;
  }
}

//===- Meanings -----------------------------------------------------------===//

static bool hasWord(StringRef words, StringRef word) {
  for (size_t i = words.find(word); i != StringRef::npos; i = words.find(word, i + 1))
    if ((i == 0 || words[i - 1] == ' ') &&
        (i + word.size() == words.size() || words[i + word.size()] == ' '))
      return !word.empty();
  return false;
}

static void put(PythonNames::Scope &scope, StringRef name, Meaning meaning) {
  auto [it, isNew] = scope.try_emplace(name, meaning);
  if (!isNew && it->second != meaning)
    it->second = Meaning();
}

static const Meaning *lookUp(const PythonNames::Scope &scope, StringRef name) {
  auto it = scope.find(name);
  return it == scope.end() ? nullptr : &it->second;
}

namespace {

/// Reads what statements bind.
class Binder {
public:
  /// `self` gets what is assigned to attributes of `self`; may be null. `local` may be `top`.
  Binder(const PythonNames::Scope &top, PythonNames::Scope &local, PythonNames::Scope *self)
      : top(top), local(local), self(self) {}

  void statement(ArrayRef<PythonToken> t) {
    if (t.empty())
      return;
    if (t[0].isWord("import") || t[0].isWord("from"))
      return import(t);
    if (t[0].isWord("global") || t[0].isWord("nonlocal") || t[0].isWord("case")) {
      for (const PythonToken &name : t.drop_front())
        if (name.kind == PythonToken::Name)
          put(local, name.text, {});
      return;
    }
    size_t definition = t[0].isWord("async") ? 1 : 0;
    if (definition + 1 < t.size() && t[definition + 1].kind == PythonToken::Name &&
        (t[definition].isWord("def") || t[definition].isWord("class")))
      return put(local, t[definition + 1].text, {Meaning::Own, t[definition + 1].text});
    loose(t);
    assignment(t);
  }

private:
  void import(ArrayRef<PythonToken> t) {
    bool from = t[0].isWord("from");
    size_t i = 1;
    StringRef root;
    if (from) {
      root = i < t.size() && t[i].kind == PythonToken::Name ? t[i].text : StringRef();
      while (i < t.size() && !t[i].isWord("import"))
        ++i;
      ++i;
    }
    while (i < t.size()) {
      if (t[i].kind != PythonToken::Name) {
        ++i;
        continue;
      }
      StringRef first = t[i].text, last = first;
      for (++i; i + 1 < t.size() && t[i].is("."); i += 2)
        last = t[i + 1].text;
      StringRef bound = first;
      if (i + 1 < t.size() && t[i].isWord("as")) {
        bound = t[i + 1].text;
        i += 2;
      } else if (!from) {
        last = first;
      }
      StringRef package = from ? root : first;
      bool library = hasWord(libraryPackages(), package) || hasWord(standardModules(), package);
      put(local, bound, {library ? Meaning::Library : Meaning::Import, last});
    }
  }
  /// Names that loops, `as` and `:=` bind.
  void loose(ArrayRef<PythonToken> t) {
    for (size_t i = 0; i + 1 < t.size(); ++i) {
      bool loop = t[i].isWord("for"), as = t[i].isWord("as");
      if (t[i].kind == PythonToken::Name && t[i + 1].is(":="))
        put(local, t[i].text, {});
      if (!loop && !as)
        continue;
      bool list = as && t[i + 1].is("(");
      for (size_t k = i + 1; k < t.size(); ++k) {
        if (loop ? t[k].isWord("in") : t[k].is(list ? ")" : ",") || t[k].is(":"))
          break;
        targets(t.slice(k, 1), k + 1 < t.size() ? &t[k + 1] : nullptr, t[k - 1]);
        i = k;
      }
    }
  }
  void targets(ArrayRef<PythonToken> name, const PythonToken *next, const PythonToken &before) {
    if (name[0].kind != PythonToken::Name || isPythonKeyword(name[0].text) || before.is("."))
      return;
    if (!next || !(next->is(".") || next->is("(") || next->is("[")))
      put(local, name[0].text, {});
  }
  void assignment(ArrayRef<PythonToken> t) {
    if (t.size() > 2 && t[0].kind == PythonToken::Name && t[1].kind == PythonToken::Op &&
        t[1].text.size() > 1 && t[1].text.ends_with("=") && !t[1].is("==") && !t[1].is("!=") &&
        !t[1].is("<=") && !t[1].is(">="))
      return put(local, t[0].text, {}); // x += ...
    size_t equal = findOutside(t, "=");
    if (equal == t.size())
      return;
    bool once = findOutside(t, "=", equal + 1) == t.size();
    size_t end = std::min(findOutside(t, ":"), equal); // before an annotation
    ArrayRef<PythonToken> value = t.drop_front(equal + 1);
    if (once && end == 1 && t[0].kind == PythonToken::Name)
      return put(local, t[0].text, valueOf(value));
    if (once && end == 3 && t[0].isWord("self") && t[1].is(".")) {
      if (self)
        put(*self, t[2].text, valueOf(value));
      return;
    }
    size_t last = equal;
    for (size_t next = equal; next != t.size(); next = findOutside(t, "=", next + 1))
      last = next;
    for (size_t i = 0; i != last; ++i) {
      targets(t.slice(i, 1), &t[i + 1], i ? t[i - 1] : t[last]);
      bool member = i >= 2 && t[i - 1].is(".") && t[i - 2].isWord("self");
      if (self && member && !t[i + 1].is(".") && !t[i + 1].is("(") && !t[i + 1].is("["))
        put(*self, t[i].text, {});
    }
  }
  const Meaning *meaning(StringRef name) {
    if (const Meaning *m = lookUp(local, name))
      return m;
    return lookUp(top, name);
  }
  /// Of `a.b.c`, and of `a.b.C(...)`.
  Meaning valueOf(ArrayRef<PythonToken> t) {
    if (t.empty() || t[0].kind != PythonToken::Name || isPythonKeyword(t[0].text))
      return {};
    size_t last = 0;
    while (last + 2 < t.size() && t[last + 1].is(".") && t[last + 2].kind == PythonToken::Name)
      last += 2;
    const Meaning *root = meaning(t[0].text);
    bool imported = root && (root->kind == Meaning::Library || root->kind == Meaning::Import);
    if (last + 1 == t.size()) {
      if (last)
        return imported ? Meaning{Meaning::Named, t[last].text} : Meaning();
      return root && root->kind != Meaning::Instance ? *root : Meaning();
    }
    int depth = 0;
    for (size_t i = last + 1; i != t.size(); ++i) {
      depth += bracketStep(t[i]);
      if (depth == 0 && i + 1 != t.size())
        return {};
    }
    bool isClass = llvm::isUpper(t[last].text.front());
    if (!t[last + 1].is("(") || !isClass || (last && !imported))
      return {};
    if (!last && root && root->kind != Meaning::Own && !imported)
      return {};
    return {Meaning::Instance, !last && imported ? root->name : t[last].text};
  }

  const PythonNames::Scope &top;
  PythonNames::Scope &local, *self;
};

} // namespace

PythonNames::PythonNames(const PythonSource &source) : source(source) {
  auto bind = [&](uint32_t line, Scope &local, Scope *self) {
    Binder binder(topNames, local, self);
    std::vector<PythonToken> tokens = withoutLambdas(source.tokens(source.lines()[line]));
    eachStatement(tokens, [&](ArrayRef<PythonToken> t) { binder.statement(t); });
  };
  for (uint32_t line : source.linesOf(PythonSource::kNone))
    bind(line, topNames, nullptr);
  for (uint32_t def = 0; def != source.lines().size(); ++def) {
    if (source.definedName(def).empty() || source.linesOf(def).empty())
      continue;
    if (source.isClass(def)) {
      for (auto &[name, meaning] : bound(def))
        put(ofClass[def], name, meaning);
      continue;
    }
    uint32_t classLine = source.classAround(def);
    if (classLine == PythonSource::kNone)
      continue;
    Scope local = bound(def);
    for (uint32_t line : source.linesOf(def))
      bind(line, local, &ofClass[classLine]);
  }
}

const PythonNames::Scope *PythonNames::attributes(uint32_t classLine) const {
  auto it = ofClass.find(classLine);
  return it == ofClass.end() ? nullptr : &it->second;
}

PythonNames::Scope PythonNames::bound(uint32_t scope) const {
  Scope local;
  if (!source.isClass(scope)) {
    // Parameters.
    ArrayRef<PythonToken> header = source.tokens(source.lines()[scope]);
    int depth = 0;
    for (size_t i = 0; i != headerEnd(header); ++i) {
      const PythonToken &t = header[i];
      if (depth == 1 && t.kind == PythonToken::Name &&
          (header[i - 1].is("(") || header[i - 1].is(",") || header[i - 1].is("*") ||
           header[i - 1].is("**")))
        put(local, t.text, {});
      depth += bracketStep(t);
    }
  }
  Binder binder(topNames, local, nullptr);
  for (uint32_t line : source.linesOf(scope)) {
    std::vector<PythonToken> tokens = withoutLambdas(source.tokens(source.lines()[line]));
    eachStatement(tokens, [&](ArrayRef<PythonToken> t) { binder.statement(t); });
  }
  return local;
}
