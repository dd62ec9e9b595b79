//===- heddle/Analysis/PythonSource.h - Which statement calls ----*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// A Python file, read just well enough to say which statement of a function calls another one.
/// Recorders keep the line where a function begins, so a statement is inferred, and only where
/// no other could have made the call: what a name stands for is followed through imports, `self`
/// and plain assignments, and what cannot be followed may be anything.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_ANALYSIS_PYTHONSOURCE_H
#define HEDDLE_ANALYSIS_PYTHONSOURCE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include <optional>
#include <vector>

namespace heddle {

/// A word, number, string or operator of Python. Comments and line ends are none.
struct PythonToken {
  /// What a token is.
  enum Kind : uint8_t {
    Name,   ///< Keywords too.
    Number, ///< 1, 0x7f, 1e-3.
    String, ///< As written, with its quotes.
    Format, ///< A string with expressions in it.
    Op,     ///< The longest that Python knows: `**=`.
  };
  Kind kind = Op;       ///< What it is.
  llvm::StringRef text; ///< As written.
  /// True for an operator.
  bool is(llvm::StringRef op) const { return kind == Op && text == op; }
  /// True for a word.
  bool isWord(llvm::StringRef word) const { return kind == Name && text == word; }
};

/// A line as Python counts it: brackets and backslashes continue it.
struct PythonLine {
  uint32_t number = 0;         ///< Of its first letter, from 1.
  uint32_t indent = 0;         ///< Columns before it; a tab goes to the next multiple of 8.
  uint32_t begin = 0, end = 0; ///< Its tokens.
  /// The line of the `def` or `class` that it stands in, as an index; kNone at the top. That of a
  /// `def` is not the `def` itself.
  uint32_t scope = 0xffffffff;
};

/// A file's lines. Its text must outlive it.
class PythonSource {
public:
  static constexpr uint32_t kNone = 0xffffffff; ///< Stands for "no line".
  /// nullopt for what is no Python that we understand: brackets or strings that do
  /// not close. O(length).
  static std::optional<PythonSource> parse(llvm::StringRef text);

  /// The line of `def function` (or `class function`) as an index, if its first decorator, or else
  /// itself, has this number; kNone otherwise. O(log lines).
  uint32_t find(llvm::StringRef function, uint32_t number) const;

  /// The line of `def function` if the line in which `number` lies stands in it, directly.
  uint32_t around(llvm::StringRef function, uint32_t number) const;
  /// True if functions are left and come back in the line in which `number` lies.
  bool yields(uint32_t number) const;

  /// In order.
  llvm::ArrayRef<PythonLine> lines() const { return allLines; }
  /// Of a line.
  llvm::ArrayRef<PythonToken> tokens(const PythonLine &line) const {
    return llvm::ArrayRef(allTokens).slice(line.begin, line.end - line.begin);
  }
  /// What stands in a `def` or `class`, or at the top, without what stands in those inside of it.
  llvm::ArrayRef<uint32_t> linesOf(uint32_t scope) const;
  /// The innermost class around a line, or kNone.
  uint32_t classAround(uint32_t line) const { return classes[line]; }
  /// The first of `def`, `async`, `class` among the tokens tells; then the name.
  llvm::StringRef definedName(uint32_t line) const;
  /// True for a line that begins with `class`.
  bool isClass(uint32_t line) const;

private:
  void findScopes();
  const PythonLine *lineAt(uint32_t number) const;
  std::vector<PythonToken> allTokens;
  std::vector<PythonLine> allLines;
  std::vector<uint32_t> classes; ///< By line.
  std::vector<uint32_t> inScope; ///< Lines, by scope.
  /// Where those of a scope stand in `inScope`: by scope's line + 1, 0 for the top.
  std::vector<uint32_t> scopeBegin;
};

/// What is called from a function; never code of the same file.
struct PythonCallee {
  /// What is called.
  enum Kind : uint8_t {
    Function, ///< A function of Python or C.
    Module,   ///< An nn.Module, by its class.
    Op,       ///< An op of PyTorch that a sign runs, as `@` runs matmul.
    NamedOp,  ///< The same in a recording that holds no functions of C: it may be called by name.
  };
  Kind kind = Function; ///< What it is.
  llvm::StringRef name; ///< Without namespaces.
};

/// How many statements may have made a call.
struct PythonCandidates {
  uint32_t line = 0;    ///< The number of the first; 0 if there is none.
  bool several = false; ///< There is another one, or it cannot be told.
  /// Counts a statement.
  void add(uint32_t number) {
    several |= line && line != number;
    line = line ? line : number;
  }
  /// Counts those of another.
  void add(const PythonCandidates &o) {
    if (o.line)
      add(o.line);
    several |= o.several;
  }
};

/// What the names of a file stand for. O(length) to make. The source must outlive it.
class PythonNames {
public:
  explicit PythonNames(const PythonSource &source);
  /// What a name stands for, as far as that can be told.
  struct Meaning {
    /// What a name stands for.
    enum Kind : uint8_t {
      Unknown,  ///< It may be anything.
      Own,      ///< A function or class of the file.
      Named,    ///< A function of another file.
      Library,  ///< An import from a library or from Python; `name` is its name there.
      Import,   ///< Another import.
      Instance, ///< An object of the class `name`.
    };
    Kind kind = Unknown;  ///< What it is.
    llvm::StringRef name; ///< Of the function or class.
    friend bool operator==(const Meaning &, const Meaning &) = default;
  };
  using Scope = llvm::StringMap<Meaning>; ///< By name.
  /// What is bound at the file's top.
  const Scope &top() const { return topNames; }
  /// What a class and the methods in it bind to `self`; null for no class.
  const Scope *attributes(uint32_t classLine) const;
  /// What the parameters and statements of a function, or the statements of a class, bind.
  Scope bound(uint32_t scope) const;

private:
  const PythonSource &source;
  Scope topNames;
  llvm::DenseMap<uint32_t, Scope> ofClass;
};

/// What the statements of a function call. Made in O(length of the function), asked in O(1).
class PythonBody {
public:
  /// Of the function that a line defines; kNone is the file's top. `seen` holds what it did call,
  /// by the recording: functions by name, nn.Modules by class behind "nn.Module: ".
  PythonBody(const PythonNames &names, const PythonSource &source, uint32_t def,
             const llvm::StringSet<> &seen);
  /// The statements that may have made a call.
  PythonCandidates find(const PythonCallee &callee) const;

private:
  friend class PythonBodyReader;
  using Tally = llvm::StringMap<PythonCandidates>;
  Tally calls;                ///< By the last name: `F.relu(`.
  Tally instances;            ///< Calls of objects, by class.
  Tally signs;                ///< By sign or keyword; "unary -" too.
  llvm::StringSet<> mentions; ///< Names that are not called where they stand.
  PythonCandidates anything;  ///< Calls that may be of anything.
  PythonCandidates methods;   ///< Calls `a.b(` by names that no called function has.
  bool anythingIsModule = false;
};

} // namespace heddle

#endif
