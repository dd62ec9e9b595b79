//===- heddle/Support/SymbolName.h - Names of kernels and functions -*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Names as compilers and recorders write them, made readable. Both functions take any bytes: time,
/// memory and depth are bounded whatever the name says.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_SUPPORT_SYMBOLNAME_H
#define HEDDLE_SUPPORT_SYMBOLNAME_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace heddle {

/// True for what looks like a mangled C++ name: `_Z...` (of any length) or MSVC's `?...@@...`.
bool looksMangled(llvm::StringRef name);

/// The C++ name that a mangled one stands for, with template arguments and parameters. nullopt if
/// it is none, is longer than 1 MiB, nests deeper than 1,000 levels, or stands for a text that is
/// far longer than itself (back references can double it with every letter).
std::optional<std::string> demangle(llvm::StringRef mangled);

/// A form of a demangled name or of a kernel's plain name for people, mostly below 100 letters.
/// Namespaces, return types, parameters, flags and what only steers the launch are left out;
/// functors, data types, tiles and sizes stay. Names that differ may have the same short form.
///   * `void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>,
///     std::array<char*, 1ul> >(int, ...)` is `vectorized_elementwise_kernel<FillFunctor<float>>`;
///   * a lambda is the function that it stands in, with the lambda's parameters, since these tell
///     the data type: `direct_copy_kernel_cuda(BFloat16)`;
///   * `cutlass::Kernel2<X>` and other shells are X;
///   * of a Tensile GEMM (`Cijk_...`) the part up to the tile stays.
/// O(length).
std::string shortName(llvm::StringRef name);

} // namespace heddle

#endif
