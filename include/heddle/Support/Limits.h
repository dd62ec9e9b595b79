//===- heddle/Support/Limits.h - Bounds and progress ------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Limits bound what a hostile input can make us do; Progress tells a caller how far a long task
/// is and lets it cancel. Both are passed to every reader and pass.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_SUPPORT_LIMITS_H
#define HEDDLE_SUPPORT_LIMITS_H

#include <atomic>
#include <cstdint>

namespace heddle {

/// Upper bounds; a reader that meets one reports id `limit-exceeded` (exit 1).
struct Limits {
  uint64_t maxStringBytes = uint64_t{1} << 30;      ///< One string token.
  uint64_t maxEventBytes = uint64_t{1} << 31;       ///< One event's text.
  uint64_t maxStringTableBytes = uint64_t{1} << 35; ///< All strings of a rank together.
  uint64_t maxEvents = 0xfffffff0;                  ///< Per rank: indices are 32 bits.
  unsigned maxNesting = 100000;                     ///< Of JSON values; readers do not recurse.
  unsigned maxLayouts = 4096;   ///< Per rank; later events share one raw layout each.
  uint64_t maxExpansion = 2000; ///< Decompressed / compressed bytes (after the first 64 MiB).
  unsigned threads = 1;         ///< Workers the driver's pool has.
};

/// Shared between a task and whoever watches it. All members may be read and written from any
/// thread.
struct Progress {
  std::atomic<uint64_t> done{0};      ///< Bytes or units finished.
  std::atomic<uint64_t> total{0};     ///< 0 = unknown.
  std::atomic<bool> cancelled{false}; ///< Set from outside; tasks poll it between units.
};

} // namespace heddle

#endif
