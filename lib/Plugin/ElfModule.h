//===- ElfModule.h - A shared object, read and not run ----------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// What the dynamic linker would look at in a shared object: what it needs, and its symbols. Read
/// through the program headers, as the dynamic linker does, since these are what counts.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_PLUGIN_ELFMODULE_H
#define HEDDLE_LIB_PLUGIN_ELFMODULE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace heddle {

struct ElfModule {
  struct VersionNeed {
    llvm::StringRef library, version;
  };
  struct Symbol {
    llvm::StringRef name;
    bool defined = false;
    bool isGlobal = false; ///< Strong; weak ones are what several modules may define.
    bool isFunction = false;
  };
  std::vector<llvm::StringRef> needed; ///< DT_NEEDED, in order.
  std::vector<VersionNeed> versions;
  std::vector<Symbol> symbols; ///< The dynamic ones.

  const Symbol *find(llvm::StringRef name) const;
};

/// Reads a shared object for this machine; the result points into `bytes`. The error is the end of
/// a sentence that begins with the file's name: "is truncated: ...". Every offset is checked.
llvm::Expected<ElfModule> readElfModule(llvm::StringRef bytes);

} // namespace heddle

#endif
