//===- UserFrameData.h - What is no user code -------------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_ANALYSIS_USERFRAMEDATA_H
#define HEDDLE_LIB_ANALYSIS_USERFRAMEDATA_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace heddle {

/// Packages that are libraries, separated by blanks: the first folder of a path that recorders cut
/// at sys.path, or what follows `site-packages/`.
llvm::StringRef libraryPackages();
/// Modules of Python's standard library, likewise.
llvm::StringRef standardModules();
/// Parts of paths of libraries that lie in a checkout.
llvm::ArrayRef<llvm::StringLiteral> libraryPaths();
/// Parts of paths of code that no person wrote.
llvm::ArrayRef<llvm::StringLiteral> generatedPaths();
/// Ends of files whose functions only pass calls on to kernels.
llvm::ArrayRef<llvm::StringLiteral> wrapperPaths();
/// Functions that only pass calls on, in any file.
llvm::ArrayRef<llvm::StringLiteral> wrapperFunctions();
/// Functions of libraries that only call the one that they were put around.
llvm::ArrayRef<llvm::StringLiteral> decoratorFunctions();
/// Classes of modules that only stand around a person's module.
llvm::ArrayRef<llvm::StringLiteral> wrapperModules();

/// What runs an op without a call that names it.
struct OpSign {
  llvm::StringLiteral op;   ///< Without "aten::"; or a method that Python calls by itself.
  llvm::StringLiteral sign; ///< An operator of Python or a keyword; "" if nothing but its name.
};
/// By op, of which several may follow each other. Ops that Python also runs without any sign
/// (`aten::item` where a tensor is a condition) must not stand here.
llvm::ArrayRef<OpSign> opSigns();

} // namespace heddle

#endif
