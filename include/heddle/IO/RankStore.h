//===- heddle/IO/RankStore.h - Ranks on disk meanwhile ----------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Where ranks lie that are not in memory (IR/Residency.h): in the .hb file that they were read
/// from, or in a file of our own.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_IO_RANKSTORE_H
#define HEDDLE_IO_RANKSTORE_H

#include "heddle/IR/Residency.h"
#include "heddle/Support/Limits.h"

namespace heddle {

/// A store in a file without a name, which ends with the process or the last rank in it. It lies in
/// TMPDIR, else where the system keeps temporary files that need not fit into memory, and is made
/// when the first rank comes.
std::unique_ptr<RankStore> makeRankStore(const Limits &limits);

/// What tells a file from one that took its place, and from itself after somebody wrote to it.
struct FileState {
  bool known = false;      ///< It is a file that can be read more than once.
  uint64_t device = 0;     ///< Which file it is:
  uint64_t inode = 0;      ///< of its device.
  uint64_t size = 0;       ///< Bytes.
  int64_t seconds = 0;     ///< Since 1970, when it was written to;
  int64_t nanoseconds = 0; ///< and these.
  friend bool operator==(const FileState &, const FileState &) = default;
  /// That of the file which has this name now.
  static FileState of(llvm::StringRef path);
};

/// The ranks of a .hb file, in its order; none if it cannot be opened as one. Reading one fails if
/// the file was replaced or written to since it had this state.
std::vector<std::shared_ptr<const RankSource>>
sourcesIn(llvm::StringRef path, const FileState &state, const Limits &limits);

} // namespace heddle

#endif
