//===- TextForms.h - .ht and .hb as importers and emitters ------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Text and binary are libraries of their own that know nothing of importers and emitters; here
/// they become both.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_PLUGIN_TEXTFORMS_H
#define HEDDLE_LIB_PLUGIN_TEXTFORMS_H

#include "heddle/Plugin/Plugin.h"

namespace heddle {

extern const ImporterInfo textImporter;
extern const EmitterInfo traceTextEmitter; ///< `ht`.
extern const ImporterInfo binaryImporter;
extern const EmitterInfo binaryEmitter; ///< `hb`.

} // namespace heddle

#endif
