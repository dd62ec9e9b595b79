//===- heddle/Plugin/Builtin.h - The passes linked in -----------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// The list of plugins that are linked into an executable; CMake writes its definition.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_PLUGIN_BUILTIN_H
#define HEDDLE_PLUGIN_BUILTIN_H

#include "heddle/Plugin/Plugin.h"

namespace heddle {

/// The C function that a plugin defines.
using PluginEntryFn = const PluginInfo *(*)();

/// Entries of all built-in plugins, sorted by name.
llvm::ArrayRef<PluginEntryFn> builtinPlugins();

} // namespace heddle

#endif
