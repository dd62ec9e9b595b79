//===- OpClasses.h - Which ops and kernels could be fused -------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Lists of ops by what their kernels do with memory, and of names of kernels whose ops no list
/// knows. A list decides which work is looked at, and how its traffic is counted.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_PLUGINS_FUSIONCANDIDATES_OPCLASSES_H
#define HEDDLE_PLUGINS_FUSIONCANDIDATES_OPCLASSES_H

#include "llvm/ADT/StringRef.h"

namespace heddle::fusion {

/// What an op does with memory.
enum class OpClass : uint8_t {
  Unknown,     ///< In no list.
  Never,       ///< Something else: a matrix product, a convolution, a sort.
  Elementwise, ///< Writes as many elements as its largest input has.
  Predicate,   ///< Likewise, of one byte each.
  Normalise,   ///< Reduces rows and writes as much as its largest input.
  Reduction,   ///< Writes less than it reads, how much is not recorded.
  Copy,        ///< Writes what it reads.
  CopyInto,    ///< Its first input gets the values of the second.
  Fill,        ///< Writes its first input, reads nothing.
};

/// By the op's name: `aten::add_`, `aten::add.out` and `aten::add` are one. O(length).
OpClass classOfOp(llvm::StringRef name);

/// Whether a kernel of this name computes element by element, reduces or copies, wherever it comes
/// from: ATen's generic kernels, Inductor's, and some of serving engines. O(length x names).
bool isFusibleKernel(llvm::StringRef name);

} // namespace heddle::fusion

#endif
