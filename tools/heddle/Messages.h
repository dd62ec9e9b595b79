//===- Messages.h - Diagnostics for people ----------------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Renders diagnostics to stderr as compilers do: `file:line:column: error: message`, the source
/// line and a caret; `file: offset N: error: message` where a file has no lines worth naming.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_TOOLS_HEDDLE_MESSAGES_H
#define HEDDLE_TOOLS_HEDDLE_MESSAGES_H

#include "heddle/IR/Result.h"
#include "heddle/Support/Diagnostics.h"

namespace heddle {

void printDiagnostic(llvm::raw_ostream &os, const Diagnostic &d, bool colour);

/// Prints to stderr.
void printMessage(Severity severity, llvm::StringRef file, const llvm::Twine &message);
void printDiagnostic(const Diagnostic &d);
/// Prints every error of the list and returns the exit code of the first.
int printErrors(llvm::Error error);

/// "3 x trailing-comma, 1 x nan" or "".
std::string describeRepairs(const Diagnostics &diagnostics);
/// One warning about statistics that count a loss, if any is not zero.
void warnOfLosses(const Results &results);

} // namespace heddle

#endif
