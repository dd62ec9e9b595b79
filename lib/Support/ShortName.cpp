//===- ShortName.cpp - Kernel names that people can read ------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/Support/SymbolName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <vector>

using llvm::StringRef;

/// What wraps the code that a kernel is about, and which of its template arguments that is.
static constexpr struct {
  llvm::StringLiteral name;
  unsigned argument;
} kShells[] = {{"Kernel", 0},   {"Kernel2", 0},         {"device_kernel", 0},
               {"kentry", 1},   {"gpu_kernel_impl", 0}, {"gpu_kernel_impl_nocast", 0},
               {"ReduceOp", 1}, {"func_wrapper_t", 1},  {"gpu_index_kernel", 0}};

/// Arguments that say how data is reached, not what is done with it.
static constexpr llvm::StringLiteral kPlumbing[] = {"array",
                                                    "Array",
                                                    "OffsetCalculator",
                                                    "TrivialOffsetCalculator",
                                                    "LoadWithCast",
                                                    "LoadWithoutCast",
                                                    "StoreWithCast",
                                                    "StoreWithoutCast",
                                                    "NullType",
                                                    "ScanTileState",
                                                    "TensorListMetadata",
                                                    "default_config",
                                                    "CUDAGeneratorImpl"};
static constexpr llvm::StringLiteral kPlumbingHeads[] = {"cublasGem", "cublasDot", "cublasGemv",
                                                         "cublasTranspose"};
/// Names that say nothing without the namespace or class before them.
static constexpr llvm::StringLiteral kGeneric[] = {"kernel", "run",   "type", "entry",
                                                   "main",   "apply", "impl", "globalKernel"};

namespace {

constexpr size_t kLongest = 100; ///< Letters of a list; further arguments are "...".
constexpr unsigned kDeepest = 5; ///< Template arguments, and parameters of lambdas, in such.

/// Brackets of a text and how they match.
class Brackets {
public:
  explicit Brackets(StringRef text) : text(text), match(text.size(), 0) {
    std::vector<uint32_t> open;
    unsigned openOf[4] = {};
    for (uint32_t i = 0; i < text.size(); ++i) {
      if (isOperator(i))
        continue;
      size_t kind = StringRef("<([{").find(text[i]);
      if (kind != StringRef::npos) {
        open.push_back(i);
        ++openOf[kind];
        continue;
      }
      kind = StringRef(">)]}").find(text[i]);
      // A '>' inside of parentheses compares.
      if (kind == StringRef::npos || !openOf[kind] || (kind == 0 && text[open.back()] != '<'))
        continue;
      while (true) {
        uint32_t o = open.back();
        open.pop_back();
        size_t k = StringRef("<([{").find(text[o]);
        --openOf[k];
        if (k != kind)
          continue;
        match[o] = i;
        break;
      }
    }
  }
  /// Where the bracket that opens at `i` closes, or `i` where none does.
  size_t close(size_t i) const { return match[i] ? match[i] : i; }
  /// The first place of one of `wanted` in [i, end) outside of brackets, or npos.
  template <typename Wanted> size_t find(size_t i, size_t end, Wanted wanted) const {
    for (; i < end; i = close(i) + 1)
      if (wanted(i))
        return i;
    return StringRef::npos;
  }

private:
  /// `<` or `>` of an operator's name or of an arrow.
  bool isOperator(size_t i) const {
    if (text[i] != '<' && text[i] != '>')
      return false;
    if (text[i] == '>' && i > 0 && text[i - 1] == '-')
      return true;
    StringRef before = text.take_front(i);
    for (StringRef head : {"operator", "operator<", "operator>", "operator<=", "operator-"})
      if (before.ends_with(head))
        return head != "operator<" || text[i] == '<';
    return false;
  }
  StringRef text;
  std::vector<uint32_t> match;
};

/// A part of a path between `::`.
struct Component {
  StringRef base;                   ///< Without arguments and parameters.
  size_t args = 0, argsEnd = 0;     ///< Inside of `<...>`; equal if there is none.
  size_t params = 0, paramsEnd = 0; ///< Inside of `(...)`.
  bool lambda = false;
};

class Shortener {
public:
  explicit Shortener(StringRef text) : text(text), brackets(text) {}

  std::string whole() {
    size_t begin = 0, end = text.size();
    trim(begin, end);
    return path(begin, end, 0);
  }

private:
  using Range = std::pair<size_t, size_t>;
  StringRef sub(size_t begin, size_t end) const { return text.slice(begin, end); }

  void trim(size_t &begin, size_t &end) const {
    while (begin < end && text[begin] == ' ')
      ++begin;
    while (begin < end && text[end - 1] == ' ')
      --end;
  }
  /// Takes away what says how a value is passed.
  void stripPassing(size_t &begin, size_t &end) const {
    for (bool again = true; again;) {
      trim(begin, end);
      again = false;
      StringRef t = sub(begin, end);
      for (StringRef tail : {"&", "*", " const", " volatile", "..."})
        if (t.size() > tail.size() && t.ends_with(tail)) {
          end -= tail.size();
          again = true;
          break;
        }
      if (!again && t.starts_with("const ")) {
        begin += 6;
        again = true;
      }
    }
  }
  /// Where the name begins: after the return type.
  size_t nameBegin(size_t begin, size_t end) const {
    size_t name = begin;
    brackets.find(begin, end, [&](size_t i) {
      if (text[i] != ' ')
        return false;
      StringRef before = sub(begin, i), after = sub(i + 1, end);
      bool qualifier = after.starts_with("const") || after.starts_with("volatile") ||
                       after.starts_with("&") || after.starts_with("[");
      if (!qualifier && !before.ends_with("operator") && !after.empty())
        name = i + 1;
      return false;
    });
    return name;
  }
  llvm::SmallVector<Range> split(size_t begin, size_t end, StringRef separator) const {
    llvm::SmallVector<Range> parts;
    while (true) {
      size_t i =
          brackets.find(begin, end, [&](size_t k) { return sub(k, end).starts_with(separator); });
      parts.push_back({begin, std::min(i, end)});
      if (i >= end)
        return parts;
      begin = i + separator.size();
    }
  }
  Component component(size_t begin, size_t end) const {
    Component c;
    trim(begin, end);
    if (sub(begin, end).starts_with("(anonymous") || sub(begin, end).starts_with("`anonymous")) {
      c.base = sub(begin, end);
      return c;
    }
    if (begin == end)
      return c;
    c.lambda = text[begin] == '{' || text[begin] == '\'';
    size_t from = begin;
    if (sub(begin, end).starts_with("operator()"))
      from += 10;
    else if (text[begin] == '{') // {lambda(float)#1}
      ++from;
    size_t baseEnd = end;
    for (size_t i = from; i < end; ++i) {
      size_t close = brackets.close(i);
      if (close == i || close >= end)
        continue;
      baseEnd = std::min(baseEnd, i);
      if (text[i] == '<' && c.args == c.argsEnd && c.params == c.paramsEnd)
        c.args = i + 1, c.argsEnd = close;
      else if (text[i] == '(' && c.params == c.paramsEnd)
        c.params = i + 1, c.paramsEnd = close;
      i = close;
    }
    c.base = sub(begin, baseEnd).trim();
    return c;
  }

  static bool isNumber(StringRef t) {
    if (t.starts_with("("))
      t = t.rsplit(')').second; // a cast: (Type)0
    t.consume_front("-");
    return !t.empty() && llvm::isDigit(t.front());
  }
  static std::string number(StringRef t) {
    if (t.starts_with("("))
      t = t.rsplit(')').second;
    return t.rtrim("ul").str();
  }
  static bool isPlumbing(StringRef base) {
    return llvm::is_contained(kPlumbing, base) ||
           llvm::any_of(kPlumbingHeads, [&](StringRef h) { return base.starts_with(h); });
  }
  /// Launch geometry, not what is computed.
  static bool dropsNumbers(StringRef base) {
    return base.contains("elementwise_kernel") || base == "reduce_kernel" ||
           base.contains("elementwise_grid_stride_kernel");
  }

  /// Adds the arguments that say something.
  void addArguments(const Component &c, unsigned depth, std::vector<std::string> &out) {
    if (c.args == c.argsEnd || depth >= kDeepest)
      return;
    bool numbers = !dropsNumbers(c.base);
    for (auto [begin, end] : split(c.args, c.argsEnd, ",")) {
      trim(begin, end);
      StringRef t = sub(begin, end);
      if (t.empty() || t == "true" || t == "false")
        continue;
      if (isNumber(t)) {
        if (numbers)
          out.push_back(number(t));
        continue;
      }
      std::string shown = path(begin, end, depth + 1);
      if (!isPlumbing(StringRef(shown).split('<').first))
        out.push_back(std::move(shown));
    }
  }

  /// The short form of a type, or of a function with or without its return type and parameters.
  std::string path(size_t begin, size_t end, unsigned depth) {
    stripPassing(begin, end);
    StringRef t = sub(begin, end);
    if (llvm::all_of(t, [](char c) { return llvm::isAlpha(c) || c == ' '; }))
      return t.str(); // unsigned long
    begin = nameBegin(begin, end);
    std::vector<Component> parts;
    for (auto [b, e] : split(begin, end, "::"))
      parts.push_back(component(b, e));
    // A lambda is its function; the innermost one's parameters tell its types.
    const Component *lambda = nullptr;
    std::vector<std::string> arguments;
    size_t last = parts.size();
    for (; last > 1; --last) {
      const Component &c = parts[last - 1];
      if (c.lambda && !lambda)
        lambda = &c;
      if (!c.lambda && c.base != "operator()" && !c.base.empty())
        break;
      if (c.base == "operator()")
        addArguments(c, depth, arguments);
    }
    const Component &c = parts[last - 1];
    for (const auto &shell : kShells)
      if (c.base == shell.name && c.args != c.argsEnd && depth < kDeepest) {
        auto args = split(c.args, c.argsEnd, ",");
        if (shell.argument < args.size())
          return path(args[shell.argument].first, args[shell.argument].second, depth + 1);
      }
    std::string out = c.base.str();
    if (llvm::is_contained(kGeneric, c.base) && last > 1 && !parts[last - 2].base.starts_with("("))
      out = (parts[last - 2].base + "::" + c.base).str();
    std::vector<std::string> own;
    addArguments(c, depth, own);
    own.insert(own.end(), arguments.begin(), arguments.end());
    if (!own.empty())
      return out + "<" + join(own, depth) + ">";
    if (lambda && lambda->params != lambda->paramsEnd) {
      if (depth >= kDeepest)
        return out + "(...)";
      std::vector<std::string> types;
      for (auto [b, e] : split(lambda->params, lambda->paramsEnd, ","))
        types.push_back(path(b, e, depth + 1));
      types.erase(std::unique(types.begin(), types.end()), types.end());
      return out + "(" + join(types, depth) + ")";
    }
    return out;
  }
  /// The first always, then as many as fit: fewer the deeper they stand.
  static std::string join(llvm::ArrayRef<std::string> parts, unsigned depth) {
    std::string out;
    for (const std::string &p : parts) {
      if (!out.empty() && out.size() + p.size() > kLongest * 2 / (depth + 2))
        return out + ", ...";
      out += (out.empty() ? "" : ", ") + p;
    }
    return out;
  }

  StringRef text;
  Brackets brackets;
};

} // namespace

/// Triton of old appends what it assumes of each argument: `_0d1d2de`.
static StringRef withoutSignature(StringRef name) {
  size_t i = name.rfind("_0d1d");
  if (i == StringRef::npos || i == 0 || name.take_front(i).trim('_') == "triton" ||
      !llvm::all_of(name.drop_front(i + 1),
                    [](char c) { return llvm::isDigit(c) || c == 'd' || c == 'e' || c == 'c'; }))
    return name;
  return name.take_front(i);
}

/// The part of a Tensile name up to the matrix instruction: operands, types, tile.
static StringRef tensileTile(StringRef name) {
  size_t i = name.find("_MI");
  while (i != StringRef::npos && (i + 3 >= name.size() || !llvm::isDigit(name[i + 3])))
    i = name.find("_MI", i + 1);
  return i == StringRef::npos ? name : name.take_front(name.find('_', i + 1));
}

std::string heddle::shortName(StringRef name) {
  name.consume_back(".kd");
  if (name.starts_with("Cijk_"))
    return tensileTile(name).str();
  if (!name.contains('(') && !name.contains('<') && !name.contains("::"))
    return withoutSignature(name).str();
  return Shortener(name).whole();
}
