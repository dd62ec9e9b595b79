//===- heddle/Plugin/Loader.h - Plugins, built in and loaded ----*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Fills a Registry: what libheddle holds, the plugins linked into the program, and loadable
/// modules, which are the same plugins as shared objects.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_PLUGIN_LOADER_H
#define HEDDLE_PLUGIN_LOADER_H

#include "heddle/Plugin/Builtin.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace heddle {

/// Loads the module at `path` and registers what it holds, all of it or, on an error, nothing.
///
/// The file is read before anything of it runs: one that is missing, no shared object, cut off,
/// for another machine, without an entry, built for another Heddle or other LLVM headers, or that
/// brings LLVM along is refused with a sentence that says what to do (exit code 1; ids begin with
/// `module-`). A name that is taken is refused with who has it. Exceptions while it registers
/// become errors. A module that was loaded stays loaded until the process ends. Not thread-safe.
llvm::Error loadPlugin(llvm::StringRef path, Registry &registry);

/// Which plugins a run has.
struct PluginChoice {
  llvm::ArrayRef<PluginEntryFn> builtins; ///< As builtinPlugins() lists them.
  llvm::ArrayRef<std::string> without;    ///< Built-in passes to leave out: --no-builtin.
  llvm::ArrayRef<std::string> modules;    ///< Paths, loaded in this order: --load-plugin.
};

/// Registers the built-in plugins but those that are left out, then the modules, then the core
/// (registerCore). To leave out what is not there is a usage error.
llvm::Error registerPlugins(const PluginChoice &choice, Registry &registry);

} // namespace heddle

#endif
