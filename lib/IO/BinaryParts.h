//===- BinaryParts.h - What writing and reading of .hb share ----*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_IO_BINARYPARTS_H
#define HEDDLE_LIB_IO_BINARYPARTS_H

#include "heddle/Frame/Column.h"
#include "heddle/IR/Trace.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

namespace heddle::binary {

inline constexpr uint16_t kVersion = 0;            ///< Of the format.
inline constexpr uint32_t kChunkRows = 1 << 16;    ///< Most rows of a frame.
inline constexpr uint32_t kBlockStrings = 1 << 12; ///< Most strings of a frame.
inline constexpr uint64_t kBlockBytes = 16 << 20;  ///< Their bytes; longer strings come in pieces.
inline constexpr uint64_t kPieceBytes = 16 << 20;  ///< Of results, after which a piece ends.
inline constexpr uint32_t kHeadTracks = 1 << 16;   ///< Most tracks of a frame.
inline constexpr uint64_t kHeadEntries = 1 << 18;  ///< Entries of layouts after which one ends.
inline constexpr uint32_t kEndBytes = 32;          ///< Of the last frame.

/// What a chunk holds, and what the footer says of it. Without rows the times are none.
struct Extent {
  int64_t begin = INT64_MAX, end = INT64_MIN;
  uint32_t rows = 0, firstTrack = 0, lastTrack = 0;
  /// Takes in a row's time.
  void add(int64_t from, int64_t to) {
    begin = std::min(begin, from);
    end = std::max(end, to);
  }
};

/// The columns of attributes: a slot is a key of one scope and type, and which one of several alike
/// in a layout. Layouts share slots, so that an id that counts up does so in one column.
class Slots {
public:
  /// Where a layout's entry has its values.
  struct Place {
    uint32_t entry, slot;
  };
  /// Adds the next layout.
  void add(const Layout &layout);
  /// Of a layout: its entries that have a column, in order.
  llvm::ArrayRef<Place> places(size_t layout) const { return byLayout[layout]; }
  ValueType type(uint32_t slot) const { return types[slot]; }
  uint32_t size() const { return static_cast<uint32_t>(types.size()); }

private:
  std::map<std::tuple<Scope, StringId, ValueType, uint32_t>, uint32_t> index;
  std::vector<ValueType> types;
  std::vector<std::vector<Place>> byLayout;
};

/// Which edges from calls to activities need not be stored: the one to an event of a stream from
/// the only call that has its correlation. Of a part of the rank that tells the same, or nothing.
class Launchers {
public:
  explicit Launchers(const Rank &rank);
  /// Takes in the events of a thread's track whose columns are complete.
  void add(uint32_t track);
  /// The event that launches this one, if correlations alone say so; invalid if none does.
  EventRef of(const Track &t, uint32_t i) const;

private:
  std::optional<int64_t> correlation(const Track &t, uint32_t i) const;
  const Rank &rank;
  std::optional<StringId> key;
  std::vector<const Column *> columns; ///< By layout.
  llvm::DenseMap<int64_t, EventRef> calls;
};

} // namespace heddle::binary

#endif
