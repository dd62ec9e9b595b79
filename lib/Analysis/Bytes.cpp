//===- Bytes.cpp - Sizes of elements, and rates ---------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/Bytes.h"
#include "llvm/ADT/STLExtras.h"

using namespace heddle;
using llvm::StringRef;

namespace {
/// A type of elements and its names.
struct ElementType {
  int64_t size;
  StringRef dtype; ///< PyTorch's.
  StringRef cpp[3] = {};
};
} // namespace

static constexpr ElementType kTypes[] = {
    {1, "Bool", {"bool"}},
    {1, "Byte", {"unsigned char", "uint8_t"}},
    {1, "UInt8"},
    {1, "Char", {"signed char", "char", "int8_t"}},
    {2, "Short", {"short", "short int"}},
    {2, "UInt16", {"unsigned short"}},
    {2, "Half", {"c10::Half", "at::Half"}},
    {2, "BFloat16", {"c10::BFloat16", "at::BFloat16"}},
    {4, "Int", {"int"}},
    {4, "UInt32", {"unsigned int"}},
    {4, "Float", {"float"}},
    {4, "ComplexHalf", {"c10::complex<c10::Half>"}},
    {8, "Long", {"long", "long int"}},
    {8, "UInt64", {"unsigned long"}},
    {8, "Double", {"double"}},
    {8, "ComplexFloat", {"c10::complex<float>"}},
    {16, "ComplexDouble", {"c10::complex<double>"}},
};

/// Float8_e4m3fn, Float8_e5m2 and whatever follows.
static constexpr llvm::StringLiteral kFloat8 = "Float8";

std::optional<int64_t> heddle::sizeOfDtype(StringRef dtype) {
  for (const ElementType &t : kTypes)
    if (t.dtype == dtype)
      return t.size;
  return dtype.starts_with(kFloat8) ? std::optional(int64_t{1}) : std::nullopt;
}

std::optional<int64_t> heddle::sizeOfCppType(StringRef type) {
  if (type.empty())
    return std::nullopt;
  for (const ElementType &t : kTypes)
    if (llvm::is_contained(t.cpp, type))
      return t.size;
  return type.consume_front("c10::") && type.starts_with(kFloat8) ? std::optional(int64_t{1})
                                                                  : std::nullopt;
}

std::optional<int64_t> heddle::megabytesPerSecond(int64_t bytes, Duration time, uint32_t numerator,
                                                  uint32_t denominator) {
  __extension__ typedef unsigned __int128 Wide; // 2^63 * 1000 * 2^32 fits
  if (time.ns <= 0)
    return std::nullopt;
  Wide rate =
      static_cast<Wide>(bytes) * 1000 * numerator / (static_cast<Wide>(time.ns) * denominator);
  return rate > INT64_MAX ? std::nullopt : std::optional(static_cast<int64_t>(rate));
}
