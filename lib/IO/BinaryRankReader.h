//===- BinaryRankReader.h - Frames become a rank ----------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_IO_BINARYRANKREADER_H
#define HEDDLE_LIB_IO_BINARYRANKREADER_H

#include "BinaryBudget.h"
#include "BinaryParts.h"
#include "footer_generated.h"
#include "heddle/IO/Binary.h"
#include "rows_generated.h"
#include <functional>

namespace heddle::binary {

/// Takes the frames of one rank in the order of the file, each after its hash and its FlatBuffers
/// structure were checked, and checks what they say. Errors are causes without a place.
class RankReader {
public:
  RankReader(const Limits &limits, Budget &budget, frame::Codec &codec)
      : limits(limits), budget(budget), codec(codec), builder(rank) {}

  /// Whether a chunk of these tracks and this time, of a part, is needed; an error if there are no
  /// such tracks. O(1).
  llvm::Expected<bool> needs(uint32_t firstTrack, uint32_t lastTrack, int64_t begin,
                             int64_t end) const;
  llvm::Error head(const hb::Rank &from);
  llvm::Error strings(const hb::Strings &from);
  llvm::Error events(const hb::Events &from);
  llvm::Error flows(const hb::Flows &from);
  llvm::Error loose(const hb::Loose &from);
  llvm::Error edges(const hb::Edges &from);
  /// Of strings that no frame brought yet, what gets the frame of one.
  using Fetch = std::function<llvm::Error(uint32_t number)>;
  /// From now on takes a part of the rank: of events those that overlap `time`, if it is given, and
  /// what hangs on them; frames may be left out, and strings come by `fetch`, up to `count`.
  void selectPart(std::optional<BinaryTime> time, uint32_t count, Fetch fetch);
  /// From now on takes what is left of a rank: strings and rows may be missing. Strings that are
  /// named and missing have a text that says so.
  void selectRest() { partial = rest = true; }
  /// Strings that were missing, and edges that lead from or to an event that is.
  uint64_t missingTexts() const { return lostTexts; }
  uint64_t missingEdges() const { return edgesOutside + outside.size(); }
  bool hasFacts() const { return hasHead; }
  /// Events that are in the part while the call that launched them is not.
  llvm::ArrayRef<EventRef> launchedOutside() const { return outside; }

  /// What the footer says of the rank; and of blocks of strings and chunks that are taken, of each
  /// in the order taken. `finish` compares. The footer must live until then.
  void state(const hb::RankEntry &entry, bool isCanonical);
  void state(const hb::StringsEntry &entry) { blocksStated.push_back(&entry); }
  void state(const hb::ChunkEntry &entry) { chunksStated.push_back(&entry); }
  /// The same of all frames of the rank.
  void stateAll();

  /// Links what the frames said, compares it with the footer if that was stated, and gives out the
  /// rank. What only the verifier tells is not checked.
  llvm::Expected<std::unique_ptr<Rank>> finish();
  /// In place of `finish`: the rank before any event.
  llvm::Expected<std::unique_ptr<Rank>> takeHead();

private:
  using Columns = flatbuffers::Vector<flatbuffers::Offset<hb::Column>>;
  /// A flow row whose event is not looked up yet.
  struct Unbound {
    int64_t distance; ///< How far before the row its event stands; 0: there is none.
    bool onTrack;     ///< Its pid and tid are those of its event's track.
    uint32_t chunk;   ///< Which one it is of.
  };
  /// The values of one slot of a chunk.
  struct SlotValues {
    std::vector<int64_t> values, scales;
    uint32_t count = 0, next = 0;
  };
  /// A chunk that was taken.
  struct Chunk {
    Extent extent = {};
    bool complete = true;                          ///< The times of all rows are known.
    std::optional<int64_t> statedBegin, statedEnd; ///< By the frame itself.
  };
  /// An edge by ordinals.
  struct Link {
    EdgeKind kind;
    uint32_t chunk; ///< Which one it is of.
    int64_t from, to;
  };

  llvm::Expected<StringId> string(int64_t number);
  llvm::Expected<StringId> stringOrNone(int64_t number);
  llvm::Expected<std::string> text(uint32_t number);
  llvm::Expected<SourceId> sourceId(const hb::SourceId &from);
  llvm::Error recording(const hb::Recording &from);
  llvm::Error layout(const hb::Layout &from);
  llvm::Error track(const hb::Track &from);
  llvm::Error column(const hb::Column *from, uint64_t count, llvm::StringRef what,
                     std::vector<int64_t> &to);
  llvm::Error strings(std::vector<int64_t> &numbers, bool orNone);
  llvm::Error block(const hb::Strings &from, uint32_t first);
  bool keeps(size_t row) const { return kept.empty() || kept[row]; }
  /// Whether an event is in the part: it overlaps the time, or is an instant in it.
  static bool overlaps(Interval part, int64_t begin, int64_t end) {
    return begin < part.end.ns && (end > part.begin.ns || begin >= part.begin.ns);
  }
  void keepInTime(const hb::Events &from, llvm::ArrayRef<int64_t> begin,
                  llvm::ArrayRef<int64_t> duration);
  /// Whether rows may be missing that others name.
  bool mayLack() const { return rest || time; }
  void dropUnbound();
  bool isStreamTrack(size_t number) const {
    return number < trackPlaces.size() && isStream(rank.track(trackPlaces[number]).key.family);
  }
  /// Begins a chunk of so many rows or edges.
  llvm::Error beginChunk(uint64_t count, llvm::StringRef what);
  llvm::Error rows(uint64_t count);
  llvm::Error shapes(const flatbuffers::Vector<const hb::Shape *> *list, const hb::Column *from,
                     uint32_t rows, bool withKinds);
  llvm::Error attributes(const Columns *from);
  llvm::Error attribute(uint32_t slot, const Columns *from, unsigned &next);
  llvm::Error derived(const hb::Events &from, llvm::ArrayRef<uint32_t> before);
  void indexSeq();
  EventRef find(int64_t seq) const;
  llvm::Error bind();
  llvm::Error link();
  llvm::Error finishTracks();
  llvm::Error compareNumbers() const;
  llvm::Error compare() const;

  const Limits &limits;
  Budget &budget;
  frame::Codec &codec;
  std::unique_ptr<Rank> owned = std::make_unique<Rank>();
  Rank &rank = *owned;
  RankBuilder builder;
  bool hasHead = false;
  std::vector<StringId> stringIds = {StringId::Empty}; ///< By number.
  std::string piece;                                   ///< Of a long string.
  uint64_t pieceTotal = 0;                             ///< Its size.
  Slots slots;
  std::vector<LayoutId> layouts;       ///< By number.
  std::vector<uint32_t> trackPlaces;   ///< By number: where the builder has it.
  std::vector<uint32_t> streamsBefore; ///< By number: tracks of streams with lower ones.
  uint64_t totalRows = 0;
  const hb::RankEntry *stated = nullptr;
  bool canonical = false;
  std::vector<const hb::StringsEntry *> blocksStated;
  std::vector<const hb::ChunkEntry *> chunksStated;
  std::vector<std::pair<uint32_t, uint32_t>> blocks; ///< Of strings: the first, and how many.
  std::vector<Chunk> chunks;
  std::optional<uint32_t> unsorted; ///< A track whose rows are not in canonical order.
  std::vector<Unbound> unbound;     ///< By flow row.
  std::vector<Link> links;
  std::vector<std::pair<uint32_t, EventRef>> bySeq;
  bool partial = false, rest = false;
  uint64_t lostTexts = 0;
  std::optional<BinaryTime> time;
  Fetch fetch;
  std::vector<EventRef> outside;
  uint64_t edgesOutside = 0;
  // Of the chunk at work.
  std::vector<bool> kept;             ///< By row; empty: all.
  std::vector<hb::Shape> rowShapes;   ///< By row.
  std::vector<uint32_t> rowIds;       ///< By row: in its layout's store.
  std::vector<SlotValues> slotValues; ///< By slot.
  std::vector<uint32_t> touched;      ///< Slots with values.
};

} // namespace heddle::binary

#endif
