//===- Scanner.h - Tokens of .ht text, errors and recovery ------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Reads tokens straight from the text; nothing is copied but strings with escapes. Functions that
/// return bool return false after they reported an error.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_TEXT_SCANNER_H
#define HEDDLE_LIB_TEXT_SCANNER_H

#include "heddle/Support/Diagnostics.h"
#include "heddle/Support/Limits.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"
#include <deque>

namespace heddle::text {

class Scanner {
public:
  Scanner(llvm::StringRef text, llvm::StringRef name, unsigned firstLine, const Limits &limits)
      : begin(text.begin()), p(text.begin()), end(text.end()), name(name), firstLine(firstLine),
        limits(limits) {}

  // Errors.
  bool fail(const char *at, llvm::StringRef id, const llvm::Twine &message);
  /// "expected X, got Y" at the next token.
  bool failExpected(llvm::StringRef wanted);
  /// "unknown <what> 'x'; did you mean 'y'?"
  bool failUnknown(const char *at, llvm::StringRef what, llvm::StringRef got,
                   llvm::ArrayRef<llvm::StringRef> known);
  /// Skips the rest of a faulty item that began at `start`: to the end of its line, or before the
  /// '}' that closes the block around it.
  void recover(const char *start);
  /// As `recover`, for the head of a block: true if the block's '{' was found and passed.
  bool recoverIntoBlock(const char *start);
  /// So many errors were reported that reading on is no use.
  bool stopped() const { return errors.size() >= kMaxErrors; }
  std::vector<Diagnostic> errors;

  // Tokens. All skip spaces and comments first.
  void skip();
  bool atEnd() {
    skip();
    return p == end;
  }
  /// The next character; 0 at the end.
  char peek() {
    skip();
    return p == end ? '\0' : *p;
  }
  bool accept(char c) {
    if (peek() != c || p == end)
      return false;
    ++p;
    return true;
  }
  bool expect(char c);
  /// An identifier, or "".
  llvm::StringRef word();
  bool acceptWord(llvm::StringRef w);
  bool expectWord(llvm::StringRef w);
  /// A quoted string. The bytes live until the next string is read, or in the text.
  bool string(llvm::StringRef &out);
  bool string(std::string &out);
  /// An identifier or a quoted string.
  bool key(llvm::StringRef &out);
  bool integer(int64_t &out);
  bool natural(uint64_t &out, uint64_t most = ~uint64_t{0});
  bool boolean(bool &out);
  /// Nanoseconds, or a number with ns, us, ms or s right behind it.
  bool time(int64_t &out);
  /// '%' and a name.
  bool label(llvm::StringRef &out);
  /// A nested value, a scalar of JSON where `scalars`, or #json"..."; canonical in `out`.
  bool json(llvm::SmallVectorImpl<char> &out, bool scalars);

  /// The line of a place. O(distance to the place asked before, if that is earlier).
  unsigned lineOf(const char *at);

protected:
  llvm::StringRef nextToken();
  static constexpr size_t kMaxErrors = 20;
  const char *const begin;
  const char *p;
  const char *const end;
  const llvm::StringRef name;
  const unsigned firstLine;
  const Limits &limits;

private:
  bool failNumber(const char *start, llvm::StringRef wanted);
  llvm::SmallString<256> unescaped;
  const char *failedAt() const;
  const char *skippedFrom = nullptr, *skippedTo = nullptr; ///< The last spaces and comments.
  const char *lastPlace = nullptr;
  unsigned lastLine = 0;
};

/// The first bytes of a text for a message: at most 40, on one line.
std::string shown(llvm::StringRef text);

} // namespace heddle::text

#endif
