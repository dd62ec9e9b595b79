//===- PythonStatements.h - Pieces of Python's lines ------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_ANALYSIS_PYTHONSTATEMENTS_H
#define HEDDLE_LIB_ANALYSIS_PYTHONSTATEMENTS_H

#include "heddle/Analysis/PythonSource.h"

namespace heddle {

/// True for words that name nothing.
bool isPythonKeyword(llvm::StringRef word);
/// 1 for a bracket that opens, -1 for one that closes, else 0.
int bracketStep(const PythonToken &token);
/// With an operator `lambda` in place of each lambda, whose body runs at another time.
std::vector<PythonToken> withoutLambdas(llvm::ArrayRef<PythonToken> tokens);
/// How many tokens stand before what a compound statement holds on its own line, 0 for others:
/// `if x:`.
size_t headerEnd(llvm::ArrayRef<PythonToken> tokens);

} // namespace heddle

#endif
