//===- PythonBody.cpp - What the statements of a function call ------------===//
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

namespace heddle {

/// Fills a PythonBody.
class PythonBodyReader {
public:
  PythonBodyReader(PythonBody &out, const PythonNames &names, const PythonSource &source,
                   uint32_t def, const llvm::StringSet<> &seen)
      : out(out), names(names), source(source), def(def), seen(seen) {}

  void run() {
    if (def != PythonSource::kNone) {
      local = names.bound(def);
      const PythonLine &line = source.lines()[def];
      ArrayRef<PythonToken> header = source.tokens(line);
      inFunction = line.scope != PythonSource::kNone && !source.isClass(line.scope);
      if (const PythonToken *open = llvm::find_if(header, [](const auto &t) { return t.is("("); });
          header.end() - open > 1 && open[1].isWord("self") && !source.isClass(def))
        attributes = names.attributes(source.classAround(def));
      statement(line.number, header.drop_front(headerEnd(header)));
    }
    for (uint32_t i : source.linesOf(def)) {
      const PythonLine &line = source.lines()[i];
      ArrayRef<PythonToken> tokens = source.tokens(line);
      // Of a definition, its defaults are evaluated here.
      if (!source.definedName(i).empty()) {
        tokens = tokens.take_front(headerEnd(tokens));
        tokens = tokens.drop_front(tokens[0].isWord("async") ? 3 : 2);
      }
      statement(line.number, tokens);
    }
    // A call of one unknown thing, and a module that nothing else accounts for: that is it.
    if (unknown.size() == 1 && !out.methods.line)
      for (const auto &entry : seen) {
        StringRef name = entry.getKey();
        out.anythingIsModule |= name.consume_front("nn.Module: ") && !out.instances.contains(name);
      }
  }

private:
  void statement(uint32_t number, ArrayRef<PythonToken> written) {
    line = number;
    if (!written.empty() && (written[0].isWord("import") || written[0].isWord("from")))
      return;
    std::vector<PythonToken> tokens = withoutLambdas(written);
    int depth = 0;
    for (size_t i = 0; i != tokens.size(); ++i) {
      const PythonToken &t = tokens[i];
      if (t.kind == PythonToken::Name)
        name(tokens, i, depth);
      else if (t.kind == PythonToken::Format)
        format(t.text);
      else if (t.kind == PythonToken::Op)
        sign(tokens, i);
      depth += bracketStep(t);
    }
  }
  static bool isOperand(const PythonToken &t) {
    return t.kind == PythonToken::Number || t.is(")") || t.is("]") || t.is("}") ||
           (t.kind == PythonToken::Name && (!isPythonKeyword(t.text) || t.text == "None"));
  }
  void sign(ArrayRef<PythonToken> tokens, size_t i) {
    StringRef text = tokens[i].text;
    bool binary = i && isOperand(tokens[i - 1]);
    if (text == "(" && i && tokens[i - 1].kind == PythonToken::Op && binary) {
      unknownCall("(");
      return;
    }
    if (text == "-" && !binary) {
      if (i + 1 < tokens.size() && tokens[i + 1].kind != PythonToken::Number)
        out.signs["unary -"].add(line);
    } else if (binary || text == "~") {
      out.signs[text].add(line);
    }
  }
  /// A string with expressions is not taken apart: what it may hold cannot be told from calls.
  void format(StringRef text) {
    unsigned depth = 0;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '{')
        ++depth;
      else if (text[i] == '}' && depth)
        --depth;
      else if (depth && StringRef("(+-*/%@&|^~<>").contains(text[i]))
        unknownCall("{");
      if (!depth || !(llvm::isAlpha(text[i]) || text[i] == '_'))
        continue;
      StringRef word =
          text.drop_front(i).take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
      out.mentions.insert(word);
      i += word.size() - 1;
    }
  }
  void name(ArrayRef<PythonToken> tokens, size_t i, int depth) {
    StringRef text = tokens[i].text;
    if (isPythonKeyword(text)) {
      if (text == "with")
        out.signs[text].add(line);
      return;
    }
    const PythonToken *next = i + 1 < tokens.size() ? &tokens[i + 1] : nullptr;
    if (next && (next->is(".") || (next->is("=") && depth)))
      return;
    if (!next || !next->is("(")) {
      out.mentions.insert(text);
      return;
    }
    size_t first = i;
    while (first >= 2 && tokens[first - 1].is(".") && tokens[first - 2].kind == PythonToken::Name)
      first -= 2;
    bool rooted = !first || !tokens[first - 1].is(".");
    if (first == i && rooted)
      return bare(text);
    if (rooted && i == first + 2 && attributes && tokens[first].isWord("self"))
      return ofSelf(text);
    dotted(text, rooted ? tokens[first].text : StringRef());
  }
  void bare(StringRef text) {
    const Meaning *m = nullptr;
    if (auto it = local.find(text); it != local.end())
      m = &it->second;
    else if (auto top = names.top().find(text); top != names.top().end())
      m = &top->second;
    if (!m && inFunction)
      return unknownCall(text);
    // They call what they are given, and leave no frame.
    if (!m && (text == "map" || text == "filter"))
      out.anything.several = true;
    if (!m)
      return out.calls[text].add(line);
    if (m->kind == Meaning::Import && !isSeen(m->name) && !isClassName(m->name))
      out.methods.add(line);
    call(*m, text);
  }
  void ofSelf(StringRef text) {
    if (auto it = attributes->find(text); it != attributes->end())
      call(it->second, text);
    else if (isSeen(text))
      out.calls[text].add(line);
    else
      unknownCall(text);
  }
  void dotted(StringRef text, StringRef root) {
    out.calls[text].add(line);
    if (isSeen(text) || isClassName(text))
      return;
    auto top = names.top().find(root);
    if (root.empty() || local.contains(root) || top == names.top().end() ||
        top->second.kind != Meaning::Library)
      out.methods.add(line);
  }
  void call(const Meaning &m, StringRef text) {
    switch (m.kind) {
    case Meaning::Unknown:
      return unknownCall(text);
    case Meaning::Own: // never a library's
      return;
    case Meaning::Instance:
      return out.instances[m.name].add(line);
    case Meaning::Named:
    case Meaning::Library:
    case Meaning::Import:
      return out.calls[m.name].add(line);
    }
  }
  void unknownCall(StringRef text) {
    out.anything.add(line);
    unknown.insert(text);
  }
  bool isSeen(StringRef text) const { return seen.contains(text); }
  static bool isClassName(StringRef text) { return llvm::isUpper(text.front()); }

  PythonBody &out;
  const PythonNames &names;
  const PythonSource &source;
  uint32_t def;
  const llvm::StringSet<> &seen;
  PythonNames::Scope local;
  const PythonNames::Scope *attributes = nullptr; ///< Of `self`.
  bool inFunction = false;
  uint32_t line = 0;
  llvm::StringSet<> unknown; ///< What is called and may be anything.
};

} // namespace heddle

PythonBody::PythonBody(const PythonNames &names, const PythonSource &source, uint32_t def,
                       const llvm::StringSet<> &seen) {
  PythonBodyReader(*this, names, source, def, seen).run();
}

PythonCandidates PythonBody::find(const PythonCallee &callee) const {
  PythonCandidates out;
  auto add = [&](const Tally &tally, StringRef key) {
    if (auto it = tally.find(key); it != tally.end())
      out.add(it->second);
  };
  auto addSigns = [&] {
    bool known = false;
    for (const OpSign &s : opSigns())
      if (s.op == callee.name) {
        known = true;
        add(signs, s.sign);
      }
    return known;
  };
  switch (callee.kind) {
  case PythonCallee::Module:
    add(instances, callee.name);
    out.add(anything);
    out.add(methods);
    return out;
  case PythonCallee::Function:
    // Python calls these by itself, in many more places than those that name them.
    if (callee.name.starts_with("__")) {
      addSigns();
      return out;
    }
    add(calls, callee.name);
    if (!out.line)
      return out;
    out.several |= mentions.contains(callee.name);
    if (!anythingIsModule)
      out.add(anything);
    out.add(methods);
    return out;
  case PythonCallee::Op:
  case PythonCallee::NamedOp:
    if (!addSigns())
      return out;
    if (callee.kind == PythonCallee::NamedOp || out.line)
      add(calls, callee.name);
    if (!out.line)
      return out;
    out.several |= mentions.contains(callee.name);
    if (!anythingIsModule || callee.kind == PythonCallee::Op)
      out.add(anything);
    return out;
  }
  return out;
}
