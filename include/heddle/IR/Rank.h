//===- heddle/IR/Rank.h - What one worker did, in columns -------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Rank is the unit of parallelism: one worker of the job, one recording, its tracks, edges and
/// strings. Readers build it with RankBuilder, checks read it, rewrites go through RankEditor
/// (Editor.h). Const access is safe from any number of threads.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_IR_RANK_H
#define HEDDLE_IR_RANK_H

#include "heddle/IR/Clock.h"
#include "heddle/IR/Track.h"
#include "heddle/Support/Diagnostics.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include <atomic>
#include <memory>
#include <optional>
#include <string>

namespace heddle {

/// The JSON around the events.
struct Document {
  bool isArray = false; ///< A bare array; then there are no members.
  /// A member of the outer object.
  struct Member {
    std::string key;   ///< Decoded.
    std::string value; ///< JSON in canonical spacing; for traceEvents empty.
    friend bool operator==(const Member &, const Member &) = default;
  };
  std::vector<Member> members; ///< In source order, traceEvents among them.
  /// The value of the last member of this name (JSON text), or "".
  llvm::StringRef find(llvm::StringRef key) const;
  friend bool operator==(const Document &, const Document &) = default;
};

/// A device of the node, from deviceProperties. Unknown numbers are -1.
struct Device {
  int64_t id = -1;                              ///< Ordinal, as activities name it.
  std::string name;                             ///< "NVIDIA H100 80GB HBM3"; may be empty.
  int64_t numSms = -1;                          ///< Multiprocessors or compute units.
  int64_t totalMemory = -1;                     ///< Bytes.
  int64_t computeMajor = -1, computeMinor = -1; ///< Compute capability.
  friend bool operator==(const Device &, const Device &) = default;
};

/// Which of a GPU vendor's tool stacks recorded the device side.
enum class Vendor : uint8_t { None, Cuda, Rocm, Xpu, Mtia, Other };
/// Lower-case: none, cuda, rocm, ...
llvm::StringRef vendorName(Vendor v);

/// What one input file holds besides its events, and how it was read.
struct Recording {
  std::string path; ///< As the user named it.
  /// Whose part of a file that was merged from several ranks, as it names it ("TP01"). Empty: all
  /// of the file. `document` and `seq` are those of the file.
  std::string part;
  uint64_t bytes = 0;   ///< Size of the (decompressed) text; 0 if hand-written.
  std::string format;   ///< "kineto", "chrome", "heddle-text".
  std::string producer; ///< One phrase for people: "PyTorch 1.12-2.2 (Kineto)"; may be empty.
  int64_t origin = 0;   ///< ns; begin + origin = the file's own time.
  std::optional<int64_t> base; ///< ns; file time + base = Unix time. None: see `absolute`.
  bool absolute = false;       ///< File times are Unix times already.
  bool unpaddedFraction =
      false; ///< Fractions count nanoseconds without zero padding ("5.7" = 5.007).
  bool integerMicroseconds =
      false; ///< Stamps have 1 us resolution: begin and end are truncated apart.
  bool externalIdsBroken = false; ///< External id == correlation everywhere; they link nothing.
  bool partial = false;           ///< Truncated, or loaded through a selection.
  uint64_t truncatedAt = 0;       ///< Byte offset where a truncated text ends; 0 = whole.
  uint64_t sourceEvents = 0;      ///< Elements of traceEvents.
  Vendor vendor = Vendor::None;   ///< As the calls and properties show it.
  Document document;              ///< What stood around the events.
  std::vector<Device> devices;    ///< As the document lists them.
  std::map<std::string, uint64_t, std::less<>> repairs; ///< Counted repairs by kind.
  std::map<std::string, uint64_t, std::less<>>
      notes; ///< Counted facts of reading: dangling-flow, sub-ns-time, ...

  /// Unix time of `origin`, where the file tells one within kMaxAbsTimeNs.
  std::optional<int64_t> unixOrigin() const;
};

class RankSource;

/// Bytes that one of several adds to their sum, as long as it lives.
class MemoryShare {
public:
  MemoryShare() = default;
  MemoryShare(std::shared_ptr<std::atomic<uint64_t>> sum, uint64_t bytes)
      : sum(std::move(sum)), bytes(bytes) {
    *this->sum += bytes;
  }
  MemoryShare(MemoryShare &&other) noexcept { swap(other); }
  MemoryShare &operator=(MemoryShare &&other) noexcept {
    MemoryShare old(std::move(other));
    swap(old);
    return *this;
  }
  ~MemoryShare() {
    if (sum)
      *sum -= bytes;
  }

private:
  void swap(MemoryShare &other) noexcept {
    std::swap(sum, other.sum);
    std::swap(bytes, other.bytes);
  }
  std::shared_ptr<std::atomic<uint64_t>> sum; ///< Null: of no sum.
  uint64_t bytes = 0;                         ///< That it adds.
};

/// One worker of the job. Its events may be put aside (Residency.h): what reads them holds the rank
/// (Trace::hold), and std::logic_error is thrown where it does not.
class Rank {
public:
  Rank();
  Rank(Rank &&) = default;
  Rank &operator=(Rank &&) = default;
  Rank(const Rank &) = delete;

  std::optional<int64_t> number;    ///< Rank in the job; many recordings state none.
  std::optional<int64_t> worldSize; ///< Ranks of the job, where the recording says it.
  /// Which recording of its rank it is, from 1, where a job has several (a schedule that repeats).
  /// They stand side by side in this order: from the second on it continues the rank before.
  std::optional<int64_t> cycle;
  std::string host;    ///< Host name; may be empty.
  std::string backend; ///< Communication backend ("nccl"); may be empty.
  Recording recording; ///< What it was read from.
  /// Where it stands among the others; none before they were merged.
  std::optional<Placement> placement;

  /// False while its events are put aside; everything above is there all the same.
  bool resident() const { return !away; }
  /// Memory that its events take. O(tracks + layouts).
  uint64_t bytes() const;

  /// All strings of the rank.
  const StringTable &strings() const { return here(), *stringTable; }
  /// The bytes of one of them.
  llvm::StringRef str(StringId id) const { return here(), (*stringTable)[id]; }
  /// In canonical order.
  llvm::ArrayRef<Track> tracks() const { return here(), trackList; }
  /// The track with this index.
  const Track &track(uint32_t i) const { return here(), trackList[i]; }
  /// By LayoutId.
  llvm::ArrayRef<LayoutStore> layouts() const { return here(), layoutList; }
  /// The layout with this id, and its rows.
  const LayoutStore &layout(LayoutId id) const {
    return here(), layoutList[static_cast<uint16_t>(id)];
  }
  llvm::ArrayRef<Edge> edges() const { return here(), edgeList; } ///< Sorted by (kind, from, to).
  llvm::ArrayRef<FlowRow> flows() const { return here(), flowList; }   ///< In seq order; ends too.
  llvm::ArrayRef<LooseRow> loose() const { return here(), looseList; } ///< In seq order.
  /// Whether a flow row is the end of a span of two events, and no flow event.
  bool isEnd(const FlowRow &f) const { return isEndPhase(layout(f.layout).layout.phase); }
  /// Events on tracks (not flows, ends or loose rows).
  uint64_t numEvents() const;
  /// Counts structural edits; results and caches remember which one they saw.
  uint64_t generation() const { return gen; }

  /// The name of an event.
  llvm::StringRef name(EventRef e) const { return str(trackList[e.track].names[e.index]); }
  /// From its begin to its end.
  Interval interval(EventRef e) const { return trackList[e.track].interval(e.index); }
  /// Its kind.
  EventKind kind(EventRef e) const { return trackList[e.track].kinds[e.index]; }

private:
  friend class RankBuilder;
  friend class RankEditor;
  friend class Residency;
  void here() const {
    if (away)
      throwAway();
  }
  [[noreturn]] static void throwAway();
  void dropEvents();
  void takeEvents(Rank &&from);

  std::unique_ptr<StringTable> stringTable;
  std::vector<Track> trackList;
  std::vector<LayoutStore> layoutList;
  std::vector<Edge> edgeList;
  std::vector<FlowRow> flowList;
  std::vector<LooseRow> looseList;
  uint64_t gen = 0;
  // Of Residency:
  std::shared_ptr<const RankSource> source; ///< Where its events, as they are, stand besides.
  MemoryShare share;
  uint32_t holds = 0;
  bool away = false;
};

/// Reads one attribute over many events: resolves the key once, then finds the column of each
/// layout in O(1). Typed getters coerce numbers in strings ("9216", "0x7f10"), as some recorders
/// write them. Holds a reference to the rank.
class AttrReader {
public:
  AttrReader(const Rank &rank, llvm::StringRef key, Scope scope = Scope::Args);
  /// Further spellings of the same attribute, tried where the ones before are absent.
  AttrReader(const Rank &rank, llvm::ArrayRef<llvm::StringRef> spellings,
             Scope scope = Scope::Args);

  /// True if event `i` of the track has the attribute, whatever its type.
  bool present(const Track &t, uint32_t i) const { return column(t.layouts[i]) != nullptr; }
  std::optional<int64_t> getInt(const Track &t, uint32_t i) const; ///< Integral decimals too.
  /// The nearest double of any number.
  std::optional<double> getDouble(const Track &t, uint32_t i) const;
  /// The bytes of a String, or the text of a List or Raw; numbers give nullopt.
  std::optional<llvm::StringRef> getString(const Track &t, uint32_t i) const;
  /// The same for a row that is not an event's: of a flow.
  std::optional<llvm::StringRef> getString(LayoutId layout, uint32_t row) const;
  /// The id of such a text in the rank's table: equal for equal texts.
  std::optional<StringId> getStringId(const Track &t, uint32_t i) const;
  /// Likewise.
  std::optional<int64_t> getInt(LayoutId layout, uint32_t row) const;
  bool anywhere() const; ///< Some layout has it.

private:
  std::optional<StringId> textId(LayoutId layout, uint32_t row) const;
  const Column *column(LayoutId id) const {
    auto i = static_cast<uint16_t>(id);
    return i < columns.size() ? columns[i] : nullptr;
  }
  const Rank &rank;
  std::vector<const Column *> columns; ///< By layout.
};

/// Builds a rank event by event, in any order. Not thread-safe.
class RankBuilder {
public:
  explicit RankBuilder(Rank &rank) : rank(rank) { rank.source.reset(); }

  /// The rank's table.
  StringTable &strings() { return *rank.stringTable; }
  /// The id of a string, added if new.
  StringId intern(llvm::StringRef s) { return rank.stringTable->intern(s); }
  /// The id of this layout, added if new. O(layouts) hash lookup. Fails (nullopt) at 65,535.
  std::optional<LayoutId> layout(const Layout &l);
  /// The store to append a row's values to; the caller appends one value per entry with a column,
  /// then calls `endRow`, which returns the row.
  LayoutStore &store(LayoutId id) { return rank.layoutList[static_cast<uint16_t>(id)]; }
  /// Ends a row whose values were appended; returns its index.
  uint32_t endRow(LayoutId id) { return store(id).rows++; }
  /// The index of the track with this key, added if new. Indices are stable while building.
  uint32_t track(const TrackKey &key);
  /// The track with this index, to name it or give it a device.
  Track &trackAt(uint32_t i) { return rank.trackList[i]; }
  /// Appends an event; returns its index before sorting.
  uint32_t event(uint32_t track, Time begin, Time end, StringId name, EventKind kind,
                 LayoutId layout, uint32_t row, uint32_t seq);
  /// Makes an existing track of the rank findable by `track`. For editors.
  void adopt(uint32_t track) { trackIndex[rank.trackList[track].key] = track; }
  /// Appends a flow row.
  void flow(FlowRow f) { rank.flowList.push_back(f); }
  /// Appends a loose row.
  void loose(LooseRow l) { rank.looseList.push_back(l); }
  /// To append to; ends are building-time places until `finish`.
  std::vector<Edge> &edges() { return rank.edgeList; }
  /// To bind anchors in, likewise.
  std::vector<FlowRow> &flows() { return rank.flowList; }

  /// Sorts every track (stably, O(n) where sorted already), orders tracks by
  /// (family group, device, key) and drops empty ones, remaps edges and anchors given with
  /// building-time indices, sorts edges. Call once; then the rank satisfies the verifier.
  /// Importers that link by time call it first, then add edges and call `sortEdges`.
  void finish();
  /// Sorts edges and removes exact duplicates.
  void sortEdges();

private:
  Rank &rank;
  std::map<TrackKey, uint32_t> trackIndex;
  llvm::DenseMap<uint64_t, std::vector<uint16_t>> layoutIndex; ///< By hash.
};

/// True when two ranks hold the same IR: strings compare by bytes, not by id; rows by value;
/// provenance (path, bytes) is left out. On a difference `why` (if given) names the first.
bool equal(const Rank &a, const Rank &b, std::string *why = nullptr);

} // namespace heddle

#endif
