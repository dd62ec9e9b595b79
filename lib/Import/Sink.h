//===- Sink.h - From events as text to columns ------------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// The sink gives every event that was read its place: a row of a layout and an element of a
/// track, a flow row, or a loose row. While it fills, begins and ends are the file's own
/// nanoseconds; `settleTime` (Eras.h) makes them relative to the origin. The first events of spans
/// that two events make wait in `begins`, the second ones among the flow rows, for `pairSpans`.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_IMPORT_SINK_H
#define HEDDLE_LIB_IMPORT_SINK_H

#include "Lexer.h"
#include "Plan.h"
#include "Predictor.h"
#include "TextCache.h"
#include <array>
#include <deque>

namespace heddle::chrome {

class Sink {
public:
  Sink(Rank &rank, Lexer &lexer, const Limits &limits)
      : rank(rank), builder(rank), lexer(lexer), limits(limits), predictor(lexer, cache),
        nameFacts(rank.strings()) {}

  /// Takes "kernel", "trace" and other common words for Kineto's categories.
  void assumeKineto() { kineto = true; }

  /// Reads the event at p by prediction and adds it; false if the lexer must read it.
  bool addPredicted(const char *&p, const char *end) {
    const char *start = p;
    Plan *plan = predictor.match(p, end, predicted);
    if (plan && addMatched(*plan))
      return true;
    p = start;
    return false;
  }
  /// Adds an event that the lexer read; its mends are counted.
  void add(const EventText &event, uint64_t offset);
  /// Adds an element of the event array that is no event, as a loose row.
  void addLoose(llvm::StringRef text);
  /// Lets an ordinal pass for an event that could not be read.
  void skip() { ++ordinal; }

  /// Counts a repair; the first place of a kind is kept.
  void repaired(Repair r, uint64_t offset, uint64_t n = 1) {
    if (!repairs[static_cast<unsigned>(r)].count)
      repairs[static_cast<unsigned>(r)].first = offset;
    repairs[static_cast<unsigned>(r)].count += n;
  }
  void note(llvm::StringRef kind, uint64_t n = 1) {
    if (n)
      rank.recording.notes[kind.str()] += n;
  }

  struct Repaired {
    uint64_t count = 0, first = 0;
  };
  const std::array<Repaired, kNumRepairs> &repairCounts() const { return repairs; }
  uint32_t eventsSeen() const { return ordinal; }
  RankBuilder &ranks() { return builder; }
  Rank &ranked() { return rank; }
  std::vector<Begin> &begins() { return waiting; }
  bool hasEnds() const { return ends; }
  /// Plans by layout; null for layouts that have none.
  const Plan *plan(LayoutId id) const {
    auto i = static_cast<uint16_t>(id);
    return i < byLayout.size() ? byLayout[i] : nullptr;
  }
  /// Names of threads and streams from metadata rows, by pid and tid as they were spelled there.
  using ThreadKey = std::pair<SourceId, SourceId>;
  const std::map<ThreadKey, StringId> &threadNames() const { return names; }
  llvm::StringRef processLabel(const SourceId &pid) const;
  llvm::StringRef processName(const SourceId &pid) const;

private:
  struct Roles; // of an event's tokens
  struct Times;
  bool addMatched(Plan &plan);
  void addRaw(const EventText &event, const Layout &layout, Form form,
              llvm::ArrayRef<Plan::Target> targets, llvm::ArrayRef<Value> values,
              const Times &times);
  void readMetadata(const EventText &event, const Roles &roles);
  bool readTimes(const EventText &event, const Roles &roles, Form form, Times &out,
                 uint64_t offset);
  llvm::StringRef canonicalText(llvm::StringRef raw);
  /// The plan of a layout, made if new; null beyond Limits::maxLayouts.
  Plan *planFor(const Layout &layout, Form form, llvm::ArrayRef<Plan::Target> targets);
  void fillPlan(Plan &plan, const Layout &layout);
  Plan *rawPlan(const Layout &source, Form form);
  void commit(Plan &plan, llvm::ArrayRef<Value> values, int64_t begin, int64_t end);
  void place(Plan &plan, Class what, const SourceId &pid, const SourceId &tid,
             llvm::ArrayRef<Value> values);
  void findLane(Plan &plan, llvm::ArrayRef<Value> values, SourceId &pid, SourceId &tid);
  void checkStream(const Plan &plan, llvm::ArrayRef<Value> values);
  StringId idOf(const Value &v);
  StringId internText(llvm::StringRef text);
  StringId internPlain(llvm::StringRef text);
  Value valueOf(const Token &t);
  SourceId sourceId(const Value &v);

  Rank &rank;
  RankBuilder builder;
  Lexer &lexer;
  Limits limits;
  TextCache cache;
  Predictor predictor;
  NameFacts nameFacts;
  llvm::SmallVector<Value, 32> predicted;
  std::deque<Plan> plans;
  std::vector<Plan *> byLayout;
  llvm::DenseMap<uint64_t, llvm::SmallVector<Plan *, 1>> planIndex; ///< By hash of the layout.
  std::map<std::tuple<char, EventKind, Family, Refine>, Plan *> rawPlans;
  std::map<ThreadKey, StringId> names;
  std::map<SourceId, StringId> labels, processNames;
  struct StreamFacts {
    bool device = false, stream = false; ///< Stated by args, not guessed from pid and tid.
  };
  std::vector<StreamFacts> streams; ///< By track.
  std::array<Repaired, kNumRepairs> repairs{};
  std::vector<Begin> waiting;
  uint32_t ordinal = 0;
  bool kineto = false, ends = false;
};

} // namespace heddle::chrome

#endif
