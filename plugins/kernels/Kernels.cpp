//===- Kernels.cpp - Kernels by name --------------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//
// Calls and times of the kernels of each stream by name, and of its copies and fills.
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/Bytes.h"
#include "heddle/Analysis/Views.h"
#include "heddle/IR/Devices.h"
#include "heddle/Pass/Windows.h"
#include "heddle/Plugin/Plugin.h"
#include <algorithm>
#include <map>

using namespace heddle;

static constexpr ColumnInfo kKernelColumns[] = {
    kRankColumn,
    kDeviceColumn,
    kStreamColumn,
    {"name", Unit::None, true, "the kernel's name"},
    {"calls", Unit::Count, false, "how often it ran"},
    {"total_ns", Unit::Nanoseconds, false, "sum of its durations; overlapping ones count twice"},
    {"mean_ns", Unit::Nanoseconds, false, "total_ns / calls, rounded down"},
    {"launches", Unit::Count, false,
     "calls that launched it and are no graph launches: a kernel of a graph's replay has none of "
     "its "
     "own, one launched before the recording has none in it"},
    {"min_ns", Unit::Nanoseconds, false, "shortest"},
    {"max_ns", Unit::Nanoseconds, false, "longest"},
    {"ops", Unit::None, true,
     "the ops that launched it, graphs too, the one with most calls first; of more than three the "
     "number of the others; null if none was recorded"},
    {"min_blocks", Unit::Count, false,
     "thread blocks of its smallest launch, whatever unit the recorder gives grids in; null if "
     "that "
     "is not known of any"},
    {"max_blocks", Unit::Count, false, "thread blocks of its largest launch; likewise"},
    {"few_blocks_ns", Unit::Nanoseconds, false,
     "the part of total_ns in which it ran with fewer blocks than the device has multiprocessors, "
     "so "
     "that some had nothing to do; null where either number is unknown, and for communication, "
     "which "
     "takes few on purpose"},
    {"occupancy", Unit::Percent, false,
     "the recorder's estimate of achieved occupancy, weighted by duration, rounded down; launches "
     "with an estimate of 0, which stands for unknown, left out; null if no other was recorded"},
};
static constexpr ColumnInfo kCopyColumns[] = {
    kRankColumn,
    kDeviceColumn,
    kStreamColumn,
    {"name", Unit::None, true, "kind of copy or fill, as the recorder names it"},
    {"calls", Unit::Count, false, "how many"},
    {"total_ns", Unit::Nanoseconds, false, "sum of their durations"},
    {"mean_ns", Unit::Nanoseconds, false, "total_ns / calls, rounded down"},
    {"bytes", Unit::Bytes, false, "sum of their sizes; null if one's was not recorded"},
    {"min_ns", Unit::Nanoseconds, false, "shortest"},
    {"max_ns", Unit::Nanoseconds, false, "longest"},
    {"mb_per_s", Unit::None, false,
     "bytes / total_ns in units of 10^6 bytes a second, rounded down, not the rate that the "
     "recorder "
     "wrote; null without bytes or time"},
};
static constexpr TableInfo kTables[] = {
    {"kernels", "Kernels by name, in ns", kKernelColumns},
    {"kernels-copies", "Copies and fills by name, in ns", kCopyColumns},
};
static constexpr StatInfo kStats[] = {
    {"kernels", Statistic::Severity::Info, "kernels that the table kernels counts"},
    {"copies", Statistic::Severity::Info, "copies and fills that the table kernels-copies counts"},
};
static constexpr Capability kNeeds[] = {Capability::DeviceWork};
static constexpr WantInfo kWants[] = {
    {Capability::Launches, "calls and times, without the op that launches"},
    {Capability::CpuOps, "calls and times, without the op that launches"},
};

static const PassInfo &info();
__extension__ typedef unsigned __int128 Wide;

namespace {

class Kernels : public RankCheck {
public:
  llvm::Error run(const Rank &rank, RankContext &context) const override;
};

/// What shares stream and name.
struct Group {
  Group(int64_t stream, StringId name) : stream(stream), name(name) {}
  int64_t stream;
  StringId name;
  int64_t calls = 0;
  Duration total, min{INT64_MAX}, max{-1};
  std::vector<const LaunchCall *> launches; ///< One for each call that has one.
  std::optional<int64_t> bytes = 0;
  std::optional<int64_t> minBlocks, maxBlocks;
  std::optional<Duration> fewBlocks; ///< In launches with fewer blocks than multiprocessors.
  Duration rated;                    ///< Time of launches whose occupancy is known,
  Wide percent = 0;                  ///< and the sum of those times by their percents.
};

/// The groups of one device and table.
class Groups {
public:
  Group &of(int64_t stream, StringId name) {
    auto [it, isNew] = index.try_emplace({stream, static_cast<uint32_t>(name)}, list.size());
    if (isNew)
      list.emplace_back(stream, name);
    return list[it->second];
  }
  /// By falling total, then name and stream.
  std::vector<Group> sorted(const Rank &rank) && {
    std::sort(list.begin(), list.end(), [&](const Group &a, const Group &b) {
      if (a.total != b.total)
        return a.total > b.total;
      if (a.name != b.name)
        return rank.str(a.name) < rank.str(b.name);
      return a.stream < b.stream;
    });
    return std::move(list);
  }

private:
  llvm::DenseMap<std::pair<int64_t, uint32_t>, size_t> index;
  std::vector<Group> list;
};

} // namespace

/// The different calls, but those that launch graphs.
static int64_t ownLaunches(Group &g) {
  std::sort(g.launches.begin(), g.launches.end());
  int64_t count = 0;
  for (size_t i = 0; i != g.launches.size(); ++i)
    count += !g.launches[i]->graph && (i == 0 || g.launches[i] != g.launches[i - 1]);
  return count;
}

static Cell cellOf(std::optional<int64_t> n) { return n ? Cell(*n) : Cell(); }

/// The cell `ops`.
static Cell opsOf(const Rank &rank, const Group &g) {
  std::map<llvm::StringRef, int64_t> calls;
  for (const LaunchCall *launch : g.launches)
    if (launch->op.valid())
      ++calls[rank.name(launch->op)];
  if (calls.empty())
    return {};
  std::vector<std::pair<llvm::StringRef, int64_t>> ops(calls.begin(), calls.end());
  std::stable_sort(ops.begin(), ops.end(), [](auto &a, auto &b) { return a.second > b.second; });
  std::string out;
  for (size_t i = 0; i != std::min<size_t>(ops.size(), 3); ++i)
    out += (i ? ", " : "") + ops[i].first.str();
  return ops.size() > 3 ? out + " +" + std::to_string(ops.size() - 3) : out;
}

/// Adds what the launch of a kernel says about its size.
static void addShape(Group &g, KernelView &view, const Track &track, const DeviceActivity &a,
                     StringId call, int64_t multiprocessors) {
  Duration length = a.end - a.begin;
  if (auto blocks = view.blocks(track, a.event.index, call)) {
    g.minBlocks = std::min(g.minBlocks.value_or(*blocks), *blocks);
    g.maxBlocks = std::max(g.maxBlocks.value_or(*blocks), *blocks);
    if (multiprocessors > 0 && a.work == WorkClass::Compute) {
      Duration few = *blocks < multiprocessors ? length : Duration();
      g.fewBlocks = addClamped(g.fewBlocks.value_or(Duration()), few);
    }
  }
  if (auto percent = view.occupancy(track, a.event.index)) {
    g.rated = addClamped(g.rated, length);
    g.percent += static_cast<Wide>(length.ns) * static_cast<uint64_t>(*percent);
  }
}

static Cell rateOf(const Group &g) {
  return cellOf(g.bytes ? megabytesPerSecond(*g.bytes, g.total) : std::nullopt);
}

llvm::Error Kernels::run(const Rank &rank, RankContext &context) const {
  auto devices = selectedDevices(rank, context);
  if (!devices)
    return devices.takeError();
  auto launches = context.get<Launches>();
  if (!launches)
    return launches.takeError();

  CopyView copyView(rank);
  KernelView kernelView(rank);
  Table kernels = kTables[0].make(), copies = kTables[1].make();
  for (const SelectedDevice &device : *devices) {
    const Device *known = describedDevice(rank.recording, device.number());
    int64_t multiprocessors = known ? known->numSms : -1;
    Groups kernelGroups, copyGroups;
    int64_t kernelCount = 0, copyCount = 0;
    for (const DeviceActivity *selected : device.activities()) {
      const DeviceActivity &a = *selected;
      const Track &track = rank.track(a.event.track);
      bool isKernel = track.kinds[a.event.index] == EventKind::Kernel;
      Group &g = (isKernel ? kernelGroups : copyGroups).of(a.stream, track.names[a.event.index]);
      Duration length = a.end - a.begin;
      ++g.calls;
      const LaunchCall *launch = isKernel ? (*launches)->launchOf(a.event) : nullptr;
      if (launch)
        g.launches.push_back(launch);
      if (isKernel)
        addShape(g, kernelView, track, a,
                 launch ? rank.track(launch->call.track).names[launch->call.index] : StringId::None,
                 multiprocessors);
      g.total = addClamped(g.total, length);
      g.min = std::min(g.min, length);
      g.max = std::max(g.max, length);
      auto size = isKernel ? std::nullopt : copyView.bytes(track, a.event.index);
      if (!size || (g.bytes && __builtin_add_overflow(*g.bytes, *size, &*g.bytes)))
        g.bytes.reset();
      ++(isKernel ? kernelCount : copyCount);
    }
    context.stat("kernels", kernelCount);
    context.stat("copies", copyCount);
    auto row = [&](Table &table, const Group &g) -> std::vector<Cell> & {
      table.rows.push_back({context.rankLabel(), device.number(), g.stream, rank.str(g.name).str(),
                            g.calls, g.total.ns, g.total.ns / g.calls});
      return table.rows.back();
    };
    for (Group &g : std::move(kernelGroups).sorted(rank))
      llvm::append_values(
          row(kernels, g), ownLaunches(g), g.min.ns, g.max.ns, opsOf(rank, g), cellOf(g.minBlocks),
          cellOf(g.maxBlocks), g.fewBlocks ? Cell(g.fewBlocks->ns) : Cell(),
          g.rated.ns > 0 ? Cell(static_cast<int64_t>(g.percent / static_cast<uint64_t>(g.rated.ns)))
                         : Cell());
    for (const Group &g : std::move(copyGroups).sorted(rank))
      llvm::append_values(row(copies, g), cellOf(g.bytes), g.min.ns, g.max.ns, rateOf(g));
  }
  context.table(std::move(kernels));
  context.table(std::move(copies));
  return llvm::Error::success();
}

static const PassInfo &info() {
  static constexpr PassInfo constant = {
      .name = "kernels",
      .summary = "kernels, copies and fills of each stream by name",
      .description =
          "Calls, launches, sum, mean, shortest and longest duration of the kernels of each stream "
          "by "
          "name, and the ops that launched them, those with the largest sum first, and the same of "
          "copies and fills; the thread blocks of kernels, and the time in which they were too few "
          "to give each multiprocessor one; the rate of copies, from their sizes. Sums are of "
          "durations: where activities overlap, more than the time in which they ran. A selection "
          "of steps counts what was launched in them, one of a window what begins in it.",
      .level = Level::Rank,
      .kind = PassKind::Check,
      .tables = kTables,
      .stats = kStats,
      .needs = kNeeds,
      .create = [](const ParamValues &) -> llvm::Expected<std::unique_ptr<PassBase>> {
        return std::make_unique<Kernels>();
      },
      .wants = kWants,
  };
  return constant;
}

HEDDLE_PLUGIN(kernels) { return registry.passes.add(info()); }
