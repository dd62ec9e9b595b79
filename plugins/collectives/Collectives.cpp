//===- Collectives.cpp - What collectives move, and how fast --------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//
// The kernels that communicate, by what they do, in which group, with how much: times, and the
// bandwidths that follow from them.
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/Collectives.h"
#include "heddle/Analysis/Bytes.h"
#include "heddle/Pass/Windows.h"
#include "heddle/Plugin/Plugin.h"
#include <algorithm>
#include <map>
#include <set>

using namespace heddle;

static constexpr ColumnInfo kColumns[] = {
    kRankColumn,
    kDeviceColumn,
    {"op", Unit::None, true,
     "all-reduce, all-gather, ...; null if neither arguments nor name tell"},
    {"group", Unit::None, true, "the process group's name; null if not recorded"},
    {"group_size", Unit::Count, false, "ranks of the group; null if not recorded"},
    {"members", Unit::None, true,
     "ranks of the group: `0-7`, `0-24/8` for every 8th, a list; a list that the recorder cut, and "
     "that nothing else completes, ends with `...`; null if not recorded"},
    {"dtype", Unit::None, true, "type of the elements; null if not recorded"},
    {"size_class", Unit::Bytes, false,
     "the largest power of two that is not above the bytes of a call; null if they are not known"},
    {"calls", Unit::Count, false, "how many kernels"},
    {"bytes", Unit::Bytes, false,
     "sum of their bytes: of what goes in and what comes out the larger, for all-to-all what goes "
     "in; null if not known"},
    {"total_ns", Unit::Nanoseconds, false,
     "sum of their durations, in which waiting for other ranks is contained"},
    {"median_ns", Unit::Nanoseconds, false, "of their durations, of two middle ones the shorter"},
    {"min_ns", Unit::Nanoseconds, false, "shortest"},
    {"exposed_ns", Unit::Nanoseconds, false,
     "the part of total_ns in which nothing computes on the device"},
    {"algbw_mb_per_s", Unit::None, false,
     "bytes / total_ns in units of 10^6 bytes a second, rounded down: a lower bound, since "
     "durations contain waiting"},
    {"busbw_mb_per_s", Unit::None, false,
     "likewise, times 2 (n - 1) / n for all-reduce of n ranks, (n - 1) / n for all-gather, "
     "reduce-scatter, all-to-all, gather and scatter: what a link carries; null for barriers, "
     "groups "
     "of one and unknown sizes"},
    {"best_busbw_mb_per_s", Unit::None, false,
     "that of the fastest call, which waited least: also a lower bound of what links can do"},
    {"peers", Unit::None, true,
     "of sends and receives the other ranks, in the job; null where none is said"},
};
static constexpr TableInfo kTables[] = {
    {"collectives", "Collectives by op, group and size, in ns", kColumns},
};
static constexpr StatInfo kStats[] = {
    {"kernels", Statistic::Severity::Info, "kernels that communicate"},
    {"without-size", Statistic::Severity::Info,
     "of these, the ones whose bytes are not known, so that they have no bandwidth"},
};
static constexpr Capability kNeeds[] = {Capability::DeviceWork, Capability::Communication};
static constexpr WantInfo kWants[] = {
    {Capability::Launches, "what the kernels' own arguments say"},
};

static const PassInfo &info();

namespace {
class Collectives : public RankCheck {
public:
  llvm::Error run(const Rank &rank, RankContext &context) const override;
};

/// What makes a row; absent numbers are -1.
struct Key {
  std::string op, group, members, dtype;
  int64_t size, sizeClass;
  auto operator<=>(const Key &) const = default;
};

struct Row {
  std::vector<Duration> durations;
  Duration total, exposed;
  std::optional<int64_t> bytes = 0;
  std::optional<BusFactor> factor;
  int64_t best = -1;
  std::set<int64_t> peers;
};
} // namespace

/// The rate times the factor; -1 if it is not known.
static int64_t rate(std::optional<int64_t> bytes, Duration time, std::optional<BusFactor> factor) {
  if (!bytes || !factor)
    return -1;
  return megabytesPerSecond(*bytes, time, static_cast<uint32_t>(factor->numerator),
                            static_cast<uint32_t>(factor->denominator))
      .value_or(-1);
}

static Cell known(int64_t n) { return n < 0 ? Cell() : Cell(n); }
static Cell known(std::string text) { return text.empty() ? Cell() : Cell(std::move(text)); }

static std::string peersText(const std::set<int64_t> &peers) {
  GroupMembers all;
  all.complete = true;
  all.ranks.assign(peers.begin(), peers.end());
  return describe(all);
}

/// The largest power of two that is not above, 0 for none.
static int64_t classOf(std::optional<int64_t> bytes) {
  if (!bytes)
    return -1;
  int64_t power = *bytes > 0;
  while (power && power <= *bytes / 2)
    power *= 2;
  return power;
}

static void add(Row &row, const Collective &c, const DeviceTimeline &device,
                const DeviceActivity &a) {
  Duration length = a.end - a.begin;
  row.durations.push_back(length);
  row.total = addClamped(row.total, length);
  row.exposed = addClamped(row.exposed, length - device.compute.measure(a.interval()));
  if (!c.bytes || (row.bytes && __builtin_add_overflow(*row.bytes, *c.bytes, &*row.bytes)))
    row.bytes.reset();
  row.factor = busFactor(c.kind, c.size);
  row.best = std::max(row.best, rate(c.bytes, length, row.factor));
  if (c.peer)
    row.peers.insert(*c.peer);
}

static std::vector<Cell> cells(const Key &key, Row &row) {
  std::sort(row.durations.begin(), row.durations.end());
  return {known(key.op),
          known(key.group),
          known(key.size),
          known(key.members),
          known(key.dtype),
          known(key.sizeClass),
          static_cast<int64_t>(row.durations.size()),
          row.bytes ? Cell(*row.bytes) : Cell(),
          row.total.ns,
          row.durations[(row.durations.size() - 1) / 2].ns,
          row.durations.front().ns,
          row.exposed.ns,
          known(rate(row.bytes, row.total, BusFactor{1, 1})),
          known(rate(row.bytes, row.total, row.factor)),
          known(row.best),
          known(peersText(row.peers))};
}

llvm::Error Collectives::run(const Rank &rank, RankContext &context) const {
  auto devices = selectedDevices(rank, context);
  if (!devices)
    return devices.takeError();
  auto launches = context.get<Launches>();
  if (!launches)
    return launches.takeError();

  CollectiveView view(rank);
  std::map<const GroupMembers *, std::string> described;
  auto membersText = [&](const GroupMembers *m) {
    auto [it, isNew] = described.try_emplace(m);
    if (isNew && m)
      it->second = describe(*m);
    return it->second;
  };
  Table table = kTables[0].make();
  for (const SelectedDevice &device : *devices) {
    std::map<Key, Row> rows;
    int64_t kernels = 0, withoutSize = 0;
    for (const DeviceActivity *a : device.activities()) {
      if (a->work != WorkClass::Communication)
        continue;
      const LaunchCall *launch = (*launches)->launchOf(a->event);
      Collective c = view.of(a->event, launch ? launch->op : EventRef());
      Key key{c.kind.str(),  c.group.str(),       membersText(c.members),
              c.dtype.str(), c.size.value_or(-1), classOf(c.bytes)};
      add(rows[key], c, *device.timeline, *a);
      ++kernels;
      withoutSize += !c.bytes;
    }
    context.stat("kernels", kernels);
    context.stat("without-size", withoutSize);
    // By falling sum, then by key.
    std::vector<std::pair<const Key *, Row *>> order;
    for (auto &[key, row] : rows)
      order.emplace_back(&key, &row);
    std::stable_sort(order.begin(), order.end(), [](const auto &a, const auto &b) {
      return a.second->total > b.second->total;
    });
    for (auto &[key, row] : order) {
      std::vector<Cell> line = {context.rankLabel(), device.number()};
      llvm::append_range(line, cells(*key, *row));
      table.rows.push_back(std::move(line));
    }
  }
  context.table(std::move(table));
  return llvm::Error::success();
}

static const PassInfo &info() {
  static constexpr PassInfo constant = {
      .name = "collectives",
      .summary = "collectives and transfers by op, group and size, with lower bounds of bandwidth",
      .description =
          "Kernels that communicate, by what they do, their process group with its members, the "
          "type "
          "of their elements and the size of the message: how often, how long, how much of that "
          "nothing hides, and how fast. What the kernels' arguments do not say is taken from the "
          "op "
          "that launched them. One rank's durations contain its waiting for the others, so rates "
          "are "
          "lower bounds. A selection of steps counts what was launched in them, one of a window "
          "what "
          "begins in it.",
      .level = Level::Rank,
      .kind = PassKind::Check,
      .tables = kTables,
      .stats = kStats,
      .needs = kNeeds,
      .create = [](const ParamValues &) -> llvm::Expected<std::unique_ptr<PassBase>> {
        return std::make_unique<Collectives>();
      },
      .wants = kWants,
  };
  return constant;
}

HEDDLE_PLUGIN(collectives) { return registry.passes.add(info()); }
