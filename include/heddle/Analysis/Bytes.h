//===- heddle/Analysis/Bytes.h - Sizes of elements, and rates ---*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// How large an element of a tensor is by the names that recorders give its type, and bytes by
/// time.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_ANALYSIS_BYTES_H
#define HEDDLE_ANALYSIS_BYTES_H

#include "heddle/Support/Time.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace heddle {

/// Bytes of an element by PyTorch's name of its type, as collectives have it: "BFloat16", "Long".
/// nullopt for what is not known.
std::optional<int64_t> sizeOfDtype(llvm::StringRef dtype);
/// The same by the type in C++, as the arguments of ops have it: "c10::BFloat16", "long int". Of
/// ops "Long" is another thing, a number.
std::optional<int64_t> sizeOfCppType(llvm::StringRef type);

/// bytes / time times numerator / denominator, in units of 10^6 bytes a second, rounded down.
/// nullopt without time, or beyond int64. Bytes are not negative, the denominator is not 0.
std::optional<int64_t> megabytesPerSecond(int64_t bytes, Duration time, uint32_t numerator = 1,
                                          uint32_t denominator = 1);

} // namespace heddle

#endif
