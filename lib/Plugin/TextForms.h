//===- TextForms.h - .ht as importer and emitters ---------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Text is a library of its own that knows nothing of importers and emitters; here it becomes both.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_PLUGIN_TEXTFORMS_H
#define HEDDLE_LIB_PLUGIN_TEXTFORMS_H

#include "heddle/Plugin/Plugin.h"

namespace heddle {

extern const ImporterInfo textImporter;
extern const EmitterInfo traceTextEmitter; ///< `ht`.

} // namespace heddle

#endif
