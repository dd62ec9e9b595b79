//===- heddle/Text/VerifyDiagnostics.h - Expected messages ------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// For tests: comments say which messages a file leads to, as in MLIR, and a file may hold several
/// inputs.
///
///   // expected-error@+1 {{unknown kind of event 'kernle'}}
///   kernle "gemm" at 0 for 5
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_TEXT_VERIFYDIAGNOSTICS_H
#define HEDDLE_TEXT_VERIFYDIAGNOSTICS_H

#include "heddle/Support/Diagnostics.h"
#include <optional>

namespace heddle {

/// A part of a file, up to a line `// -----`.
struct InputChunk {
  llvm::StringRef text;   ///< Of the chunk alone.
  unsigned firstLine = 1; ///< Its number in the whole file.
};
/// Splits at lines that begin with `// -----`. Without one the whole text is the only chunk.
std::vector<InputChunk> splitInput(llvm::StringRef text);

/// What `expected-...` comments can name.
enum class MessageLevel : uint8_t { Error, Warning, Remark, Note };

/// Compares the messages of one input with those that its comments expect. A comment is
/// `expected-LEVEL [@+N | @-N | @above | @below | @unknown] {{text}}`: a message of that level at
/// that line must contain the text. Without @ it is the comment's own line; @unknown is a message
/// without a line. A line may hold several; `expected-LEVEL N {{text}}` wants N messages.
class DiagnosticVerifier {
public:
  /// Reads the comments. A malformed one is an error.
  static llvm::Expected<DiagnosticVerifier> create(llvm::StringRef text, llvm::StringRef name,
                                                   unsigned firstLine = 1);
  /// Takes a message; line 0 is unknown.
  void see(MessageLevel level, unsigned line, llvm::StringRef message);
  /// Takes a diagnostic of a reader.
  void see(const Diagnostic &d);
  /// Takes the diagnostics that an error carries and consumes it.
  void see(llvm::Error error);
  /// What was not expected and what was expected in vain, each as a diagnostic in the order of
  /// lines. Empty: all is as it should be.
  std::vector<Diagnostic> finish() const;

private:
  struct Expected {
    MessageLevel level;
    unsigned line;    ///< Where the message must be; 0: unknown.
    unsigned wanted;  ///< How many are still wanted.
    unsigned ownLine; ///< Of the comment.
    std::string text;
  };
  std::string name;
  std::vector<Expected> expected;
  std::vector<Diagnostic> unexpected;
};

} // namespace heddle

#endif
