//===- heddle/Support/Diagnostics.h - What readers and passes say -*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Libraries never print: they hand Diagnostics to the caller, who renders them. Repairs are
/// counted by kind rather than listed, since a broken file may hold millions.
/// Messages are lower case without a full stop, quote the input, and say what was wanted.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_SUPPORT_DIAGNOSTICS_H
#define HEDDLE_SUPPORT_DIAGNOSTICS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace heddle {

/// How bad it is.
enum class Severity : uint8_t { Note, Warning, Error };

/// Where in an input something was found. Unknown parts are 0 / empty.
struct Place {
  std::string file;    ///< As the user named it; "<stdin>" for "-".
  uint64_t offset = 0; ///< Byte offset in the (decompressed) text.
  unsigned line = 0;   ///< 1-based; 0 = unknown. Text formats only.
  unsigned column = 0; ///< 1-based.
  std::string snippet; ///< The source line, for a caret; may be empty.
};

/// One message. `id` is a stable kebab-case name that tests and scripts match.
struct Diagnostic {
  Severity severity = Severity::Error; ///< An error ends the reading or the run.
  std::string id;                      ///< Stable; kebab-case.
  std::string message;                 ///< For people.
  Place place;                         ///< Where it was found.
};

/// Collects diagnostics and counts repairs. Not thread-safe: one per reader or unit of work,
/// merged in unit order.
class Diagnostics {
public:
  /// Takes one message.
  void report(Diagnostic d);
  /// Counts `n` repairs of a kind (a kebab-case id, listed in docs/Import.md). The first place of a
  /// kind is kept.
  void repaired(llvm::StringRef kind, Place where = {}, uint64_t n = 1);
  /// Takes all that another holds, behind what is here.
  void append(const Diagnostics &other);

  /// In the order reported.
  llvm::ArrayRef<Diagnostic> all() const { return diagnostics; }
  /// How often something was mended.
  struct Repair {
    uint64_t count = 0; ///< In the whole input.
    Place first;        ///< The first place.
  };
  /// By kind, sorted by name, so that output is deterministic.
  const std::map<std::string, Repair, std::less<>> &repairs() const { return repairCounts; }
  /// True if one of them is an error.
  bool hasErrors() const { return errors != 0; }

private:
  std::vector<Diagnostic> diagnostics;
  std::map<std::string, Repair, std::less<>> repairCounts;
  unsigned errors = 0;
};

/// Exit codes of the command; one table for every verb.
enum class ExitCode : int {
  Ok = 0,
  BadInput = 1,
  Usage = 2,
  Internal = 3,
  OverBudget = 4,
  Inconclusive = 5
};

/// An error that carries a Diagnostic (place and id) and the exit code it leads to.
class DiagnosticError : public llvm::ErrorInfo<DiagnosticError> {
public:
  static char ID; ///< Its address tells the class, as LLVM asks.
  DiagnosticError(Diagnostic d, ExitCode code) : diagnostic(std::move(d)), code(code) {}
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }
  Diagnostic diagnostic; ///< What to say.
  ExitCode code;         ///< How to exit.
};

/// Shorthands: an error about the input (exit 1), about how the tool was called (exit 2), or a
/// fault of ours or of a pass's author (exit 3).
llvm::Error inputError(llvm::StringRef id, const llvm::Twine &message, Place place = {});
/// An error about how the tool was called.
llvm::Error usageError(llvm::StringRef id, const llvm::Twine &message, Place place = {});
/// A fault of ours or of a pass's author.
llvm::Error internalError(llvm::StringRef id, const llvm::Twine &message, Place place = {});

} // namespace heddle

#endif
