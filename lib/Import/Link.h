//===- Link.h - Edges between the events of a rank --------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// The work of linkEvents (Eras.h), after the tracks are sorted.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_IMPORT_LINK_H
#define HEDDLE_LIB_IMPORT_LINK_H

#include "Eras.h"

namespace heddle::chrome {

class Linker {
public:
  explicit Linker(Sink &sink)
      : sink(sink), builder(sink.ranks()), rank(sink.ranked()), names(rank.strings()) {}

  void judgeExternalIds();
  void collect();
  void byCorrelation();
  void byFlows();
  void countUnlinked();

private:
  /// An API call or an activity and its correlation id; 0 = none.
  struct Linked {
    int64_t id, begin;
    EventRef event;
  };
  /// Probe owns no device time, One a single activity, Many any number; Plain is another call.
  enum class Call : uint8_t { Plain, Probe, One, Many };

  Call callOf(StringId name);
  StringId nameOf(const Linked &l) const { return rank.track(l.event.track).names[l.event.index]; }
  bool isWork(const Linked &l) {
    Call c = callOf(nameOf(l));
    return c == Call::One || c == Call::Many;
  }
  const SourceId &processOf(const Linked &l) const { return rank.track(l.event.track).key.pid; }
  /// The calls of one process with the id at hand, by begin.
  struct Process {
    llvm::SmallVector<const Linked *, 2> calls;
    bool work = false; ///< They are launches, copies or fills.
  };
  void groupCalls(llvm::ArrayRef<Linked> sameId);
  const Linked *owner(const Linked &activity);
  void link(EventRef call, EventRef activity);

  // Flows (LinkFlows.cpp).
  enum class FlowKind : uint8_t { Launch, Backward, Other };
  using RowKey = std::pair<SourceId, SourceId>;
  /// The tracks that share a pid and tid.
  using Row = llvm::SmallVector<uint32_t, 4>;
  struct FlowEnd {
    uint64_t chain, id; ///< Category and name; id within them.
    int64_t at;
    uint32_t flow; ///< In rank.flows().
  };
  const Row *rowOf(const FlowRow &f);
  FlowKind flowKind(const FlowRow &f) const;
  bool legacyFlow(const FlowRow &f) const;
  bool beginsInside(const FlowRow &f) const;
  char phase(const FlowRow &f) const { return rank.layout(f.layout).layout.phase; }
  EventRef eventAt(const FlowRow &f, FlowKind kind, const AttrReader &sequence);
  void bindToSlices(llvm::ArrayRef<uint32_t> waiting);
  void bindRow(const Row &row, llvm::ArrayRef<uint32_t> waiting);
  void joinFlows();
  uint64_t joinBindIds();
  uint64_t numberOf(const AttrReader &ids, LayoutId layout, uint32_t row) const;
  void join(FlowKind kind, EventRef from, EventRef to);
  void backwardBySequence();

  Sink &sink;
  RankBuilder &builder;
  Rank &rank;
  NameFacts names;
  llvm::DenseMap<uint32_t, Call> calls;
  std::vector<Linked> launches, activities; ///< Sorted by id.
  std::vector<Process> processes;           ///< That have calls with the id at hand.
  std::vector<EventRef> unlinked;           ///< Activities to which correlation gave no launch.
  std::vector<bool> linkedByFlow;           ///< Of those: a flow gave them one.
  std::map<RowKey, Row> rows;               ///< By pid and tid, as plainId has them.
  RowKey lastKey;                           ///< The key and row of the last look-up.
  const Row *lastRow = nullptr;
  /// What eventAt found where many events begin at once.
  std::map<std::tuple<const Row *, int64_t, FlowKind, bool>, EventRef> crowded;
};

} // namespace heddle::chrome

#endif
