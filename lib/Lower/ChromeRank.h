//===- ChromeRank.h - The events of a rank, for viewers ---------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_LOWER_CHROMERANK_H
#define HEDDLE_LIB_LOWER_CHROMERANK_H

#include "ChromeArgs.h"
#include "ChromeRows.h"
#include "PluginView.h"
#include "heddle/IR/Result.h"

namespace heddle::chrome {

/// What is not shown, by kind: "far-event", "sample", "flow", ...
using LeftOut = std::map<std::string, uint64_t, std::less<>>;

/// Writes events into the array that is open; remembers whether a comma is due.
struct EventList {
  ChromeText &out;
  bool &any;
  uint64_t &flowId;
  TakenIds &taken;
  /// Opens an event: `{"ph": "X"`.
  void open(llvm::StringRef phase) {
    out << (any ? ",\n  {\"ph\": \"" : "\n  {\"ph\": \"") << phase << "\"";
    any = true;
  }
  void close() {
    out << "}";
    out.breathe();
  }
};

/// Where the times of a rank lie in the file.
class RankTime {
public:
  /// In the file's time: `shift` behind the rank's. With a clock that drifts, what it maps the
  /// sum of the rank's time and `origin` to, less `base`.
  explicit RankTime(int64_t shift) : shift(shift) {}
  RankTime(int64_t shift, const ClockDomain &clock, int64_t origin, int64_t base)
      : shift(shift), clock(clock.drift ? &clock : nullptr), origin(origin), base(base) {}
  /// The file's time at one of the rank.
  int64_t operator()(int64_t ns) const {
    return clock ? clock->map(origin + ns) - base : ns + shift;
  }
  /// Of the rank's time 0.
  int64_t ofOrigin() const { return (*this)(0); }

private:
  int64_t shift;
  const ClockDomain *clock = nullptr;
  int64_t origin = 0, base = 0;
};

/// A finding where it is shown.
struct ShownFinding {
  const Remark *remark;
  Interval at;
  uint32_t row; ///< Index into RowPlan::rows.
};

class RankView {
public:
  /// `plugin` says what torch-tb-profiler wants said in another way; null for other viewers.
  RankView(const Rank &rank, const RowPlan &plan, const RankTime &time, EventList list,
           LeftOut &left, const PluginView *plugin = nullptr)
      : rank(rank), plan(plan), time(time), list(list), out(list.out), ids(rank),
        args(rank, ids, list.out), left(left), plugin(plugin) {
    separateLaunches();
    ids.place(list.taken);
    for (const FlowRow &f : rank.flows())
      if (rank.isEnd(f))
        ends[uint64_t{f.anchor.track} << 32 | f.anchor.index] = &f;
  }

  void metadata();
  void spans();
  /// Before instants: an instant at the time of a flow would take its place.
  void flows();
  void instants();
  void counters();
  /// Findings about this rank, each over an event that is evidence of it.
  void findings(llvm::ArrayRef<ShownFinding> found);
  /// The marks that TensorBoard looks for, at times of the file.
  void marks(int64_t first, int64_t last);

private:
  void separateLaunches();
  void events(bool slices);
  void where(const ViewerRow &row, int64_t at);
  void category(EventRef e);
  /// `, "dur": ` and the length of what goes from `begin` to `end`.
  void length(Interval i);
  void slice(EventRef e, const ViewerRow &row);
  void instant(EventRef e, const ViewerRow &row);

  const Rank &rank;
  const RowPlan &plan;
  const RankTime &time;
  EventList list;
  ChromeText &out;
  RankIds ids;
  ViewerArgs args;
  LeftOut &left;
  const PluginView *plugin;
  /// Correlations that differ from the recorded ones; 0: none.
  std::map<EventRef, int64_t> correlations;
  /// Ends of spans of two events, by track and index of the span.
  llvm::DenseMap<uint64_t, const FlowRow *> ends;
};

} // namespace heddle::chrome

#endif
