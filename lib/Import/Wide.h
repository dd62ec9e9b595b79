//===- Wide.h - 128-bit integers --------------------------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
#ifndef HEDDLE_LIB_IMPORT_WIDE_H
#define HEDDLE_LIB_IMPORT_WIDE_H

namespace heddle::chrome {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;

} // namespace heddle::chrome

#endif
