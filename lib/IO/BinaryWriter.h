//===- BinaryWriter.h - The order of a file's frames ------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_IO_BINARYWRITER_H
#define HEDDLE_LIB_IO_BINARYWRITER_H

#include "BinaryRankWriter.h"
#include "heddle/IO/Binary.h"

namespace heddle::binary {

/// Writes a file rank by rank: begin, rank ..., ranksEnd, what follows the footer, end.
class FileWriter {
public:
  explicit FileWriter(Out &out) : out(out) {}
  llvm::Error begin();
  /// The frames of a rank. Without `isPlaced` its place among others is left out.
  llvm::Error rank(const Rank &rank, llvm::ArrayRef<BinaryStep> steps, bool isPlaced = true);
  /// The footer.
  llvm::Error ranksEnd(llvm::ArrayRef<ClockDomain> clocks);
  /// The last frame: a reader that may seek finds the footer through it.
  llvm::Error end();

private:
  Out &out;
  flatbuffers::FlatBufferBuilder footer;
  std::vector<flatbuffers::Offset<hb::RankEntry>> entries;
  uint64_t footerAt = 0;
};

} // namespace heddle::binary

#endif
