//===- Parser.h - Parses .ht text -------------------------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Functions that return bool return false after they reported an error; the loop over the items
/// of a block then recovers and goes on.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_TEXT_PARSER_H
#define HEDDLE_LIB_TEXT_PARSER_H

#include "Part.h"
#include "Scanner.h"
#include "TrackHead.h"
#include "heddle/Support/Nearest.h"
#include "heddle/Text/Text.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace heddle::text {

/// A value of a line before its column is known.
struct Value {
  ValueType type = ValueType::Null;
  uint8_t byte = 0; ///< Scale or truth.
  int64_t number = 0;
  StringId text = StringId::Empty;
};
struct Member {
  StringId key;
  Value value;
};

/// What is known about a rank while its block is read.
struct RankState {
  std::unique_ptr<Rank> rank = std::make_unique<Rank>();
  RankBuilder builder{*rank};
  const char *head = nullptr; ///< Where the rank begins.
  int64_t hostPid = kUsualHostPid;
  bool hasVendor = false;
  uint64_t events = 0;
  llvm::DenseSet<uint32_t> begunTracks;

  // Ordinals: those of lines without one count up from the one before.
  uint64_t nextSeq = 0;
  bool anySeq = false;
  std::vector<LooseRow> looseRows; ///< Kept back until their seq is final.

  /// Event parts of layouts, and the layouts made of them.
  struct Shape {
    unsigned part;
    std::vector<ValueType> slots;
    std::vector<std::pair<StringId, ValueType>> members;
    LayoutId layout;
    std::vector<uint16_t> slotColumns, memberColumns;
  };
  std::deque<Part> parts;
  llvm::DenseMap<uint64_t, unsigned> usualParts;    ///< By context and cat.
  llvm::DenseMap<uint64_t, unsigned> numberedParts; ///< By the n of @n.
  std::vector<Shape> shapes;
  llvm::DenseMap<uint64_t, llvm::SmallVector<unsigned, 1>> shapeIndex; ///< By hash.

  /// Names of events, and who points at them.
  struct Label {
    llvm::StringRef text;
    EventRef event;
  };
  std::vector<Label> labels;
  llvm::DenseMap<llvm::StringRef, unsigned> labelIndex;
  struct PendingEdge {
    EdgeKind kind;
    EventRef from; ///< Invalid: the label below.
    unsigned fromLabel, toLabel;
    const char *fromAt, *toAt;
  };
  std::vector<PendingEdge> pendingEdges;
  struct PendingAnchor {
    unsigned label;
    const char *at;
    bool pidGiven, tidGiven;
  };
  std::vector<std::pair<size_t, PendingAnchor>> pendingAnchors; ///< With the index of the flow row.
  llvm::DenseSet<uint64_t> endedSpans; ///< Track and index of the spans that have an end row.

  /// Derived columns that may have no value at all, and their type.
  struct EmptyDerived {
    uint32_t track;
    std::string name;
    bool isText;
  };
  std::vector<EmptyDerived> emptyDerived;

  struct Line {
    LayoutId layout;
    uint32_t row, line;
  };
  std::vector<Line> lines;
};

/// The track whose block is read.
struct TrackState {
  uint32_t index = 0;
  bool onStream = false, hasPid = true, hasTid = true;
  int64_t lastBegin = 0;
  unsigned lastShape = ~0u; ///< Most events look like the one before.
};

class Parser : public Scanner {
public:
  Parser(llvm::StringRef text, llvm::StringRef name, const Limits &limits,
         const ParseOptions &options)
      : Scanner(text, name, options.firstLine, limits), options(options) {}
  void run();
  std::vector<std::unique_ptr<Rank>> ranks;
  std::vector<ClockDomain> clocks;
  Results results;
  EventLines eventLines;

private:
  /// Reads items until '}' with `item`, recovering behind faulty ones.
  bool block(llvm::function_ref<bool()> item);
  /// Reads `{ key = value, ... }`; `fact` reads the value of a key, which it is given with place.
  bool facts(llvm::function_ref<bool(const char *, llvm::StringRef)> fact);

  // Parser.cpp
  bool topLevel();
  bool trace();
  bool clock();
  bool rank();
  bool rankHead();
  bool rankItem();

  // RecordingParser.cpp
  bool recording();
  bool placed();
  /// Reads a time that others count from.
  bool origin(int64_t &out);
  bool counts(std::map<std::string, uint64_t, std::less<>> &out);
  bool document();
  bool device(bool inHead);
  bool sourceId(SourceId &out);

  // TrackParser.cpp
  bool track(llvm::StringRef head);
  bool trackHead(llvm::StringRef head, TrackState &state);
  bool trackItem(TrackState &state);
  bool event(TrackState &state);
  bool eventKind(PartContext &context, StringId &cat);
  bool eventTimes(TrackState &state, PartContext &context, Time &begin, Time &end);
  bool derived(uint32_t track, uint32_t index);
  bool emptyDerived(uint32_t track);
  /// Fills a column with absent values up to `size`.
  bool pad(DerivedColumn &column, bool isText, uint32_t size, const char *at);
  bool launches(EventRef from);

  // RowParser.cpp
  bool value(Value &out);
  bool number(Value &out);
  bool bracket(std::optional<uint64_t> &seq, unsigned &part);
  bool members(unsigned predicted);
  bool layoutLine();
  bool partEntry(Part &part);
  unsigned usualPart(const PartContext &context, StringId cat);
  bool shape(unsigned part, const char *at, unsigned predicted, unsigned &out);
  bool makeLayout(RankState::Shape &shape, const char *at);
  uint32_t appendRow(const RankState::Shape &shape);
  bool takeSeq(const char *at, std::optional<uint64_t> given, uint32_t &out);

  // LinkParser.cpp
  char phaseOf(LayoutId id) const { return r->rank->layout(id).layout.phase; }
  unsigned labelOf(llvm::StringRef text);
  bool edge();
  bool flow(bool isEnd);
  bool loose();
  bool resolve();
  bool resolveLabel(unsigned label, const char *at, EventRef &out);
  bool resolveEnd(const FlowRow &f, const char *at);
  bool checkSeqs();
  void finishRank();

  // ResultParser.cpp
  bool result(const char *at, llvm::StringRef word);
  bool passLine();
  bool tableLine();
  bool tableHead(Table &table);
  bool tableRow(Table &table, bool implied);
  bool cell(Cell &out);
  bool remarkLine();
  bool statisticLine();
  bool abstainLine();
  PassResult &unit();

  const ParseOptions &options;
  std::unique_ptr<RankState> r;
  // The values of the line being read; kept to save allocations.
  std::vector<Member> slotValues, memberValues;
  bool sawBraces = false;
  size_t firstClock = 0; ///< Of this trace, in `clocks`.
  bool sawEnd = false;   ///< A block is still open at the end of the text.
  uint64_t padded = 0;   ///< Absent values in derived columns of all ranks.
};

} // namespace heddle::text

#endif
