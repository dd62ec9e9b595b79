//===- Params.h - Values of pass parameters ---------------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Reads one parameter's text by its type, for the pipeline parser and the registry.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_PASS_PARAMS_H
#define HEDDLE_LIB_PASS_PARAMS_H

#include "heddle/Pass/Pass.h"

namespace heddle {

/// What a parameter's text means.
struct ParamReading {
  int64_t number = 0; ///< Int, Time (ns).
  std::vector<std::string> list;
  std::string problem; ///< Why the text is refused; "" if it is not.
};

/// Reads `text` as a value of this type. An empty text is refused unless it is the default.
ParamReading readParam(const ParamInfo &info, llvm::StringRef text);

/// "an integer", "a time such as 5us", "one of 'a', 'b'".
std::string describeType(const ParamInfo &info);

/// The text of a value inside a pipeline: quoted where a character would end it.
std::string quoteValue(llvm::StringRef text);

} // namespace heddle

#endif
