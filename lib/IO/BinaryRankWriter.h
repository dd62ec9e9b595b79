//===- BinaryRankWriter.h - One rank as frames ------------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_IO_BINARYRANKWRITER_H
#define HEDDLE_LIB_IO_BINARYRANKWRITER_H

#include "BinaryOut.h"
#include "BinaryParts.h"
#include "BinaryStrings.h"
#include "footer_generated.h"
#include "rows_generated.h"

namespace heddle::binary {

/// What the footer says of a rank's frames.
struct RankIndex {
  std::vector<hb::FrameEntry> heads;
  std::vector<hb::StringsEntry> strings;
  std::vector<hb::ChunkEntry> chunks;
};

/// Writes the frames of one rank.
class RankWriter {
public:
  RankWriter(const Rank &rank, uint32_t ordinal, Out &out)
      : rank(rank), ordinal(ordinal), out(out), strings(rank.strings()), launchers(rank) {}
  llvm::Expected<RankIndex> write();

private:
  /// Rows of a track, from `first` on.
  struct Piece {
    uint32_t track, first, rows;
  };
  /// The values of one slot of a chunk.
  struct SlotValues {
    std::vector<int64_t> values, scales;
  };
  using Columns = std::vector<flatbuffers::Offset<hb::Column>>;

  void numberLayouts();
  void findLaunched();
  llvm::Error head();
  flatbuffers::Offset<hb::Recording> recording();
  llvm::Error layoutsAndTracks();
  hb::SourceId sourceId(const SourceId &id);
  llvm::Error events();
  llvm::Error chunk(llvm::ArrayRef<Piece> pieces, uint32_t rows);
  llvm::Error flows();
  llvm::Error flowChunk(llvm::ArrayRef<FlowRow> rows);
  llvm::Error looseRows();
  llvm::Error edges();
  uint32_t shapeOf(LayoutId layout, hb::Kind kind);
  void gather(LayoutId layout, uint32_t row);
  Columns attributes();
  llvm::Error flushStrings();
  llvm::Error put(frame::Type type, const Extent &extent, llvm::Expected<Placed> placed);

  const Rank &rank;
  uint32_t ordinal;
  Out &out;
  StringNumbers strings;
  Launchers launchers;
  Slots slots;
  RankIndex index;
  flatbuffers::FlatBufferBuilder message{1 << 16};

  std::vector<uint16_t> layoutNumber; ///< By LayoutId.
  std::vector<LayoutId> layoutOrder;
  std::vector<std::vector<bool>> launched; ///< By track: events whose launch edge is not stored.
  std::vector<Edge> stored;                ///< The other edges.
  // Of the chunk at work.
  llvm::DenseMap<uint32_t, uint32_t> shapeIndex;
  std::vector<hb::Shape> shapes;
  std::vector<int64_t> shapeColumn;
  std::vector<SlotValues> slotValues; ///< By slot.
  std::vector<uint32_t> touched;      ///< Slots with values.
};

} // namespace heddle::binary

#endif
