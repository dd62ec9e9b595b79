//===- BinaryFooter.h - What head and footer say ----------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_IO_BINARYFOOTER_H
#define HEDDLE_LIB_IO_BINARYFOOTER_H

#include "footer_generated.h"
#include "head_generated.h"
#include "heddle/IR/Trace.h"
#include "heddle/Support/Diagnostics.h"

namespace heddle::binary {

/// Whether this reader knows all that a file may hold.
llvm::Error checkHead(const hb::Head &head);
/// Checks what the footer lists of each rank, without the frames: each has a head, no frame stands
/// twice or within another, their order is the format's, and a file of `fileBytes` has room for
/// all. O(the footer's bytes + frames of the file).
llvm::Error checkLists(const hb::Footer &footer, uint64_t fileBytes);
/// Appends the footer's clocks.
llvm::Error readClocks(const hb::Footer &footer, Trace &to);
/// Where a rank is placed.
std::optional<Placement> readPlacement(const hb::RankEntry &entry);

} // namespace heddle::binary

#endif
