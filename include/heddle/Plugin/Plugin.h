//===- heddle/Plugin/Plugin.h - What a plugin exports -----------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// A plugin registers passes, importers and emitters:
/// \code
///   HEDDLE_PLUGIN(idle_gaps) { return registry.passes.add(info); }
/// \endcode
/// Built in, this defines the C function `idle_gaps_pluginInfo`; in a loadable module
/// (HEDDLE_PLUGIN_MODULE) the C entry `heddlePluginInfo`.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_PLUGIN_PLUGIN_H
#define HEDDLE_PLUGIN_PLUGIN_H

#include "heddle/Import/Importer.h"
#include "heddle/Lower/Emitter.h"
#include "heddle/Pass/Pipeline.h"
#include "heddle/Plugin/Abi.h"
#include <map>

namespace heddle {

/// Everything that can be named on the command line.
struct Registry {
  PassRegistry passes;        ///< And pipelines.
  ImporterRegistry importers; ///< By content.
  EmitterRegistry emitters;   ///< For --emit.
  /// The module a name came from: "pass short-kernels" -> its path; what is built in is absent.
  std::map<std::string, std::string, std::less<>> origins;
};

/// A static constant of the plugin; starts with its size so that later fields can be told absent.
struct PluginInfo {
  uint32_t size;                                  ///< sizeof(PluginInfo) where it was compiled.
  const char *name;                               ///< What HEDDLE_PLUGIN was given.
  llvm::Error (*registerAll)(Registry &registry); ///< The body of HEDDLE_PLUGIN.
  const char *abi;                                ///< The anchor of Abi.h.
};

/// Registers the importers, emitters and named pipelines that libheddle itself holds. Called after
/// the plugins, since the pipelines name those passes that are there.
llvm::Error registerCore(Registry &registry);

} // namespace heddle

#ifdef HEDDLE_PLUGIN_MODULE
#define HEDDLE_PLUGIN_EXPORT __attribute__((visibility("default")))
#define HEDDLE_PLUGIN_ENTRY(ident) heddlePluginInfo
#else
#define HEDDLE_PLUGIN_EXPORT
#define HEDDLE_PLUGIN_ENTRY(ident) ident##_pluginInfo
#endif

/// Defines a plugin; the body that follows registers what it holds. Once per module, and once per
/// pass that is built in, with the pass's name and '_' for '-'.
#define HEDDLE_PLUGIN(ident)                                                                       \
  static ::llvm::Error ident##_register(::heddle::Registry &registry);                             \
  static const ::heddle::PluginInfo ident##_info = {sizeof(::heddle::PluginInfo), #ident,          \
                                                    ident##_register, HEDDLE_ABI_ANCHOR};          \
  extern "C" HEDDLE_PLUGIN_EXPORT const ::heddle::PluginInfo *HEDDLE_PLUGIN_ENTRY(ident)() {       \
    return &ident##_info;                                                                          \
  }                                                                                                \
  static ::llvm::Error ident##_register(::heddle::Registry &registry)

#endif
