//===- IdleGaps.cpp - When and why each device idles ----------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//
// Lists the gaps of every device by cause and sums them by step. The analysis IdleCauses defines
// the causes and splits the gaps.
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/IdleCauses.h"
#include "heddle/Pass/Windows.h"
#include "heddle/Plugin/Plugin.h"
#include <algorithm>

using namespace heddle;

static constexpr ParamInfo kParams[] = {
    {"min", ParamType::Time, "1us", "shortest gap that the table idle-gaps lists"},
    {"top", ParamType::Int, "0", "list only that many gaps of a device, the longest; 0 = all"},
};
static constexpr ColumnInfo kGapColumns[] = {
    kRankColumn,
    kDeviceColumn,
    {"step", Unit::None, true, "the step in whose window the gap lies; null for none"},
    {"begin_ns", Unit::Nanoseconds, false, "begin of the gap, from the recording's origin"},
    {"duration_ns", Unit::Nanoseconds, false, "length of the gap"},
    {"cause", Unit::None, true, "cause of a part"},
    {"part_ns", Unit::Nanoseconds, false, "how much of the gap has that cause"},
};
static constexpr ColumnInfo kCauseColumns[] = {
    kRankColumn,
    kDeviceColumn,
    {"step", Unit::None, true, "as in gpu-breakdown"},
    {"cause", Unit::None, true, "cause"},
    {"gaps", Unit::Count, false, "gaps with a part of that cause"},
    {"ns", Unit::Nanoseconds, false, "sum of the parts; over causes, idle_ns of gpu-breakdown"},
};
static constexpr TableInfo kTables[] = {
    {"idle-gaps", "Gaps of each device by cause, in ns", kGapColumns},
    {"idle-gaps-causes", "Idle time of each device by cause, in ns", kCauseColumns},
};
static constexpr RemarkInfo kRemarks[] = {
    {"idle-gaps-sync", "blocking calls and the idle time after them take 2 % of the time or more"},
};
static constexpr StatInfo kStats[] = {
    {"gaps", Statistic::Severity::Info, "gaps of all devices and lengths, in the selection"},
    {"idle-ns", Statistic::Severity::Info, "their sum"},
    {"gaps-above-1us", Statistic::Severity::Info, "gaps longer than 1 us"},
};
static constexpr Capability kNeeds[] = {Capability::DeviceWork};
static constexpr WantInfo kWants[] = {
    {Capability::Launches, "gaps and their lengths, each with the cause unrecorded"},
    {Capability::Steps, "gaps of the whole recording, in no step"},
    {Capability::CpuOps, "what the host does before a launch is known from API calls alone"},
};
/// A synchronisation that costs less of the time than this is not worth a remark (percent).
static constexpr int64_t kSyncPercent = 2;

static const PassInfo &info();

namespace {

class IdleGaps : public RankCheck {
public:
  IdleGaps(Duration min, uint64_t top) : min(min), top(top) {}
  llvm::Error run(const Rank &rank, RankContext &context) const override;

private:
  void listGaps(const DeviceIdle &idle, llvm::ArrayRef<ReportWindow> cells, RankContext &context,
                Table &table) const;
  Duration min;
  uint64_t top;
};

} // namespace

/// The windows between which gaps are told apart: the steps, and what lies before and after them.
static std::vector<ReportWindow> cellsOf(llvm::ArrayRef<ReportWindow> windows) {
  std::vector<ReportWindow> cells;
  bool everything = false;
  for (const ReportWindow &w : windows) {
    everything |= w.step == "all";
    if (w.step != "all")
      cells.push_back(w);
  }
  if (!everything)
    return cells;
  Time begin{-kMaxAbsTimeNs}, end{kMaxAbsTimeNs};
  if (cells.empty())
    return {{"", {begin, end}}};
  cells.insert(cells.begin(), {"", {begin, cells.front().interval.begin}});
  cells.push_back({"", {cells.back().interval.end, end}});
  return cells;
}

/// Longest first, then in order of time.
static void sortByLength(std::vector<const IdleGap *> &gaps) {
  std::stable_sort(gaps.begin(), gaps.end(), [](const IdleGap *a, const IdleGap *b) {
    return a->interval.length() > b->interval.length();
  });
}

void IdleGaps::listGaps(const DeviceIdle &idle, llvm::ArrayRef<ReportWindow> cells,
                        RankContext &context, Table &table) const {
  std::vector<bool> listed(idle.gaps.size());
  if (top) {
    std::vector<const IdleGap *> longest; // A gap that two windows share comes twice, side by side.
    for (const ReportWindow &cell : cells)
      for (const IdleGap &g : idle.in(cell.interval))
        if (longest.empty() || longest.back() != &g)
          longest.push_back(&g);
    sortByLength(longest);
    for (const IdleGap *g : llvm::ArrayRef(longest).take_front(top))
      listed[g - idle.gaps.data()] = true;
  }
  for (const ReportWindow &cell : cells)
    for (const IdleGap &g : idle.in(cell.interval)) {
      if (g.interval.length() < min || (top && !listed[&g - idle.gaps.data()]))
        continue;
      Interval inside = g.interval.meet(cell.interval);
      IdleSums sums;
      sums.add(idle.partsOf(g), inside);
      Cell step;
      if (!cell.step.empty())
        step = cell.step;
      for (unsigned c = 0; c < kNumIdleCauses; ++c)
        if (sums.time[c] > Duration{})
          table.rows.push_back({context.rankLabel(), idle.device, step, inside.begin.ns,
                                inside.length().ns, idleCauseName(static_cast<IdleCause>(c)).str(),
                                sums.time[c].ns});
    }
}

/// Says what synchronising costs, between the idle time inside the calls and that until the host
/// has launched again.
static void remarkOnSync(const DeviceIdle &idle, const DeviceTimeline &device, Interval window,
                         const IdleSums &sums, RankContext &context) {
  Duration lower = sums[IdleCause::Sync], upper = lower + sums[IdleCause::AfterSync];
  // In this order nothing overflows.
  if (upper == Duration{} || upper.ns / kSyncPercent < window.length().ns / 100)
    return;
  Remark r;
  r.id = "idle-gaps-sync";
  r.level = Remark::Level::Finding;
  r.rank = context.ordinal();
  r.device = idle.device;
  r.windowNs = window.length().ns;
  r.costNs = upper.ns;
  r.lowerNs = lower.ns;
  r.upperNs = upper.ns;
  r.message = (llvm::Twine("host synchronisation leaves the device idle for ") +
               llvm::Twine(lower.ns) + " to " + llvm::Twine(upper.ns) + " ns")
                  .str();
  r.advice =
      "remove .item(), .cpu() and synchronize() from the loop, or do them once every N steps";
  std::vector<const IdleGap *> longest;
  for (const IdleGap &g : idle.in(window))
    if (llvm::any_of(idle.partsOf(g), [](const IdlePart &p) {
          return p.cause == IdleCause::Sync || p.cause == IdleCause::AfterSync;
        }))
      longest.push_back(&g);
  sortByLength(longest);
  for (const IdleGap *g : llvm::ArrayRef(longest).take_front(3))
    r.evidence.push_back(device.activities[g->endedBy].event);
  r.args.push_back({"gaps", std::to_string(longest.size())});
  context.remark(r);
}

llvm::Error IdleGaps::run(const Rank &rank, RankContext &context) const {
  auto devices = selectedDevices(rank, context);
  if (!devices)
    return devices.takeError();
  auto causes = context.get<IdleCauses>();
  if (!causes)
    return causes.takeError();

  Table gaps = kTables[0].make(), byCause = kTables[1].make();
  for (const SelectedDevice &device : *devices) {
    const DeviceIdle &idle = (*causes)->devices[device.index];
    for (const ReportWindow &w : device.windows) {
      IdleSums sums;
      int64_t count = 0, above = 0;
      Duration total;
      for (const IdleGap &g : idle.in(w.interval)) {
        sums.add(idle.partsOf(g), w.interval);
        Duration length = g.interval.meet(w.interval).length();
        ++count;
        above += length > kTurnaround;
        total += length;
      }
      for (unsigned c = 0; c < kNumIdleCauses; ++c)
        if (sums.gaps[c])
          byCause.rows.push_back({context.rankLabel(), device.number(), w.step,
                                  idleCauseName(static_cast<IdleCause>(c)).str(), sums.gaps[c],
                                  sums.time[c].ns});
      // Steps are parts of `all`.
      if (w.isStep && device.windows.back().step == "all")
        continue;
      context.stat("gaps", count);
      context.stat("gaps-above-1us", above);
      context.stat("idle-ns", total.ns);
      remarkOnSync(idle, *device.timeline, w.interval, sums, context);
    }
    listGaps(idle, cellsOf(device.windows), context, gaps);
  }
  context.table(std::move(gaps));
  context.table(std::move(byCause));
  return llvm::Error::success();
}

static const PassInfo &info() {
  static constexpr PassInfo constant = {
      .name = "idle-gaps",
      .summary = "every gap of a device, split exactly by cause",
      .description =
          "A gap is a time in which no activity of a device runs. Each is split by what the thread "
          "did that launched the activity which ends it: before the launch (`sync`, `after-sync`, "
          "`input`, `gc`, `alloc`, `compile`, `host`, `unobserved`), during it (`launch-call`), "
          "and "
          "after it (`dependency`, `launch-latency`). Gaps below 1 us are `kernel-to-kernel`; what "
          "waits for something outside the recording is `unrecorded`. A blocking call returns when "
          "the device has run dry and costs what follows it: `sync` is the lower bound of that, "
          "`sync` and `after-sync` together the upper.\n\n"
          "What precedes the first activity in the first step's window is a gap of that step only.",
      .level = Level::Rank,
      .kind = PassKind::Check,
      .params = kParams,
      .tables = kTables,
      .remarks = kRemarks,
      .stats = kStats,
      .needs = kNeeds,
      .create = [](const ParamValues &params) -> llvm::Expected<std::unique_ptr<PassBase>> {
        int64_t top = params.getInt("top");
        if (top < 0)
          return usageError("idle-gaps-top",
                            "top=" + llvm::Twine(top) +
                                " is negative; wanted a number of gaps, or 0 for all");
        return std::make_unique<IdleGaps>(params.getTime("min"), top);
      },
      .wants = kWants,
  };
  return constant;
}

HEDDLE_PLUGIN(idle_gaps) { return registry.passes.add(info()); }
