//===- ChromeRows.h - Which row of a viewer an event goes on ----*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Viewers know a row by a pid and a tid: numbers below 2^31 that are not 0. Sources use strings,
/// negative numbers, the same numbers for a process and a GPU, and put spans that overlap on one
/// row. RowPlan gives each process and each lane of each track numbers, names and an order.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_LOWER_CHROMEROWS_H
#define HEDDLE_LIB_LOWER_CHROMEROWS_H

#include "heddle/IR/Trace.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>
#include <set>

namespace heddle::chrome {

/// True for what has a length for a viewer; all else is an instant or a counter.
bool isSlice(const Track &t, uint32_t i);

/// Kineto's marks about its own window: they stand at odd times, and the export has its own.
bool isRecorderMark(const Rank &rank, const Track &t, uint32_t i);

/// The lanes of a row: spans that do not nest go on different ones.
class Lanes {
public:
  /// Whether a span may lie inside another one of its lane.
  enum Form : uint8_t { Nested, Flat };
  explicit Lanes(Form form) : form(form) {}
  /// The lane of the next span in the order of begins, longer ones first. The first that fits, so
  /// that lane 0 holds most. O(1): beyond kSearched lanes nothing nests and the one that is free
  /// first is taken.
  uint32_t place(int64_t begin, int64_t end);
  uint32_t count() const { return used; }

private:
  static constexpr uint32_t kSearched = 32;
  Form form;
  std::vector<std::vector<int64_t>> open;         ///< By lane: ends of the spans around the next.
  std::set<std::pair<int64_t, uint32_t>> further; ///< (end, lane) beyond kSearched.
  uint32_t used = 0;
};

/// Says something about an event of a rank.
using SpanTest = bool (*)(const Rank &rank, const Track &t, uint32_t i);

/// Calls f(track, event) for the events of some tracks, in the order of their begins, longer ones
/// first. O(events * tracks).
void forEachInOrder(const Rank &rank, llvm::ArrayRef<uint32_t> tracks,
                    llvm::function_ref<void(uint32_t track, uint32_t event)> f);

/// Gives out numbers that a viewer can bear, each once.
class Numbers {
public:
  /// The number that is wanted if it is free and within [1, 2^31), else one from `spare` on.
  uint32_t take(std::optional<int64_t> wanted, uint32_t spare);
  /// Readers of PyTorch's traces look for devices below.
  static constexpr uint32_t kDevices = 64;
  /// A number of [0, kDevices) as it is, for devices; false if it is taken.
  bool takeDevice(int64_t number);

private:
  llvm::DenseSet<uint32_t> used;
  uint32_t next = 0;
};

struct ViewerProcess {
  uint32_t pid = 0;
  std::string name;
  std::string label; ///< "CPU", "GPU 0"; empty for neither.
  uint64_t order = 0;
  bool used = false; ///< Something is shown in it.
};

struct ViewerRow {
  uint32_t process = 0; ///< Index into processes.
  uint32_t tid = 0;
  std::string name;     ///< Empty: the viewer's own name for the number does.
  SourceId pid, thread; ///< Of the source.
  StringId sourceName = StringId::None;
  uint32_t lane = 0;
  bool differs = false; ///< The source has another pid, tid or name.
  bool used = false;    ///< It has an event that is shown.
};

/// The rows of one rank.
class RowPlan {
public:
  /// `title` stands before the names of processes, and is empty where there is one rank. `pids` is
  /// shared by all ranks. With `staysOnThread`, those spans of a thread stay on its own row where
  /// they nest with each other, and others that they overlap in part go on further lanes; devices
  /// have numbers below 64.
  RowPlan(const Rank &rank, std::string title, size_t index, Numbers &pids, int64_t first,
          int64_t last, SpanTest staysOnThread = nullptr);

  llvm::ArrayRef<ViewerProcess> processes() const { return processList; }
  llvm::ArrayRef<ViewerRow> rows() const { return rowList; }
  /// The row of an event.
  const ViewerRow &row(uint32_t track, uint32_t event) const {
    const TrackRows &t = tracks[track];
    uint32_t lane = t.lanes.empty() ? 0 : t.lanes[event];
    return rowList[t.rows[lane]];
  }
  const std::string &title() const { return rankTitle; }
  uint32_t pid(const ViewerRow &r) const { return processList[r.process].pid; }
  /// An event within [first, last] is shown; others have no time that a viewer can show beside it.
  bool shows(Interval i) const { return i.begin.ns >= first && i.end.ns <= last; }
  /// The tracks that share rows, in canonical order.
  llvm::ArrayRef<std::vector<uint32_t>> groups() const { return groupList; }
  /// A process and rows for what Heddle itself shows; all are used.
  uint32_t addProcess(llvm::StringRef name, uint64_t order, Numbers &pids);
  uint32_t addRow(uint32_t process, llvm::StringRef name);

private:
  struct TrackRows {
    std::vector<uint32_t> rows;  ///< By lane: index into rowList.
    std::vector<uint32_t> lanes; ///< By event; empty: all on lane 0.
  };
  /// What tells processes of a rank apart: the source's pid, and the device of a stream.
  using ProcessKey = std::tuple<bool, int64_t, SourceId>;
  uint32_t processOf(const Track &t, Numbers &pids);
  SourceId plainId(const SourceId &id) const;
  uint32_t spareDevice(Numbers &pids) const;
  uint32_t numberedDevice(int64_t device, Numbers &pids) const;
  std::string hostName(const SourceId &pid) const;
  llvm::StringRef deviceName(int64_t device) const;
  void assign(llvm::ArrayRef<uint32_t> group, uint32_t process);
  void setLane(uint32_t track, uint32_t event, uint32_t lane);
  uint32_t placeByTest(llvm::ArrayRef<uint32_t> group);
  uint64_t placed(uint64_t order) const;
  void readProcessNames();

  const Rank &rank;
  std::string rankTitle;
  size_t index;
  int64_t first, last;
  SpanTest staysOnThread;
  std::map<std::string, std::string> processNames;      ///< From metadata rows, by the pid's text.
  llvm::DenseMap<int64_t, llvm::StringRef> deviceNames; ///< By ordinal; the first counts.
  std::map<ProcessKey, uint32_t> processIndex;
  std::vector<Numbers> tids; ///< By process.
  std::vector<ViewerProcess> processList;
  std::vector<ViewerRow> rowList;
  std::vector<TrackRows> tracks;
  std::vector<std::vector<uint32_t>> groupList;
};

} // namespace heddle::chrome

#endif
