//===- Ops.cpp - Ops by name, as key_averages() counts them ---------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//
// Calls, self and total times of ops, annotations and API calls by name, on the host and on the
// device, as torch.profiler's key_averages() gives them.
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/OpTree.h"
#include "heddle/Analysis/Steps.h"
#include "heddle/Pass/HostSelection.h"
#include "heddle/Plugin/Plugin.h"
#include <algorithm>

using namespace heddle;
using State = OpTrackTree::State;

static constexpr ColumnInfo kColumns[] = {
    kRankColumn,
    {"name", Unit::None, true, "the op's name; all of ProfilerStep#... are ProfilerStep*"},
    {"kind", Unit::None, true, "cpu_op, annotation, runtime or driver"},
    {"shapes", Unit::None, true, "the inputs' sizes as recorded; null unless by=shape"},
    {"calls", Unit::Count, false, "how often it was called; folded calls count once"},
    {"self_ns", Unit::Nanoseconds, false, "host time without what it called"},
    {"total_ns", Unit::Nanoseconds, false, "host time, calls of calls counted again"},
    {"device_self_ns", Unit::Nanoseconds, false, "device work that it launched itself"},
    {"device_total_ns", Unit::Nanoseconds, false, "that and what it called launched"},
};
static constexpr TableInfo kTables[] = {{"ops", "Ops by name, in ns", kColumns}};
static constexpr llvm::StringLiteral kBy[] = {"name", "shape"};
static constexpr ParamInfo kParams[] = {
    {"by", ParamType::Enum, "name", "what makes a row: the name, or the name and the inputs' sizes",
     kBy}};
static constexpr StatInfo kStats[] = {
    {"device-ns-without-op", Statistic::Severity::Info,
     "device work that no recorded op launched, in ns: in no row of the table ops"}};
static constexpr Capability kNeeds[] = {Capability::CpuOps};
static constexpr WantInfo kWants[] = {
    {Capability::DeviceWork, "host times alone, every device time is 0"},
    {Capability::Launches, "host times alone, every device time is 0"},
    {Capability::Shapes, "by=shape shows one row a name"},
};

namespace {

class Ops : public RankCheck {
public:
  explicit Ops(bool byShape) : byShape(byShape) {}
  llvm::Error run(const Rank &rank, RankContext &context) const override;

private:
  bool byShape;
};

struct Row {
  std::string name, shapes;
  EventKind kind = EventKind::CpuOp;
  int64_t calls = 0;
  Duration self, total, deviceSelf, deviceTotal;
};

} // namespace

llvm::Error Ops::run(const Rank &rank, RankContext &context) const {
  auto tree = context.get<OpTree>();
  if (!tree)
    return tree.takeError();
  auto selected = selectedHostTimes(rank, context);
  if (!selected)
    return selected.takeError();

  AttrReader dims(rank, {"Input Dims", "Input dims"});
  std::map<std::tuple<std::string, EventKind, std::string>, size_t> index;
  std::vector<Row> rows;
  for (uint32_t t = 0; t != rank.tracks().size(); ++t) {
    const Track &track = rank.track(t);
    const OpTrackTree &ops = (*tree)->tracks[t];
    for (uint32_t i = 0; i != ops.state.size(); ++i) {
      if (ops.state[i] == State::Absent || ops.state[i] == State::Folded ||
          (*selected && !(*selected)->contains(track.begin[i])))
        continue;
      llvm::StringRef name = rank.str(track.names[i]);
      bool isStep = name.starts_with("ProfilerStep#") || profilerStepNumber(name);
      std::string shown = isStep ? "ProfilerStep*" : name.str();
      std::string shapes = byShape ? dims.getString(track, i).value_or("").str() : "";
      auto [it, isNew] = index.try_emplace({shown, track.kinds[i], shapes}, rows.size());
      if (isNew) {
        rows.emplace_back();
        rows.back().name = shown;
        rows.back().shapes = shapes;
        rows.back().kind = track.kinds[i];
      }
      Row &row = rows[it->second];
      ++row.calls;
      row.self = addClamped(row.self, ops.self[i]);
      row.total = addClamped(row.total, track.duration(i));
      row.deviceSelf = addClamped(row.deviceSelf, ops.deviceSelf[i]);
      row.deviceTotal = addClamped(row.deviceTotal, ops.deviceTotal[i]);
    }
  }
  std::sort(rows.begin(), rows.end(), [](const Row &a, const Row &b) {
    return std::tie(b.self, a.name, a.kind, a.shapes) < std::tie(a.self, b.name, b.kind, b.shapes);
  });

  Table table = kTables[0].make();
  for (Row &row : rows)
    table.rows.push_back({context.rankLabel(), std::move(row.name), kindName(row.kind).str(),
                          byShape ? Cell(std::move(row.shapes)) : Cell(), row.calls, row.self.ns,
                          row.total.ns, row.deviceSelf.ns, row.deviceTotal.ns});
  context.table(std::move(table));
  context.stat("device-ns-without-op", (*tree)->deviceWithoutOp.ns);
  return llvm::Error::success();
}

static llvm::Expected<std::unique_ptr<PassBase>> create(const ParamValues &params) {
  return std::make_unique<Ops>(params.getString("by") == "shape");
}

static constexpr PassInfo kInfo = {
    .name = "ops",
    .summary = "calls, self and total times of ops by name, as key_averages() counts them",
    .description =
        "The table that torch.profiler's `key_averages()` prints, from the recording: what an op "
        "took by itself, with what it called, and on the device. An op that is the only child of "
        "one of the same name is folded into it; Python frames are not subtracted; self time is "
        "never negative. Rows are sorted by falling self time.",
    .level = Level::Rank,
    .kind = PassKind::Check,
    .params = kParams,
    .tables = kTables,
    .stats = kStats,
    .needs = kNeeds,
    .create = create,
    .wants = kWants};

HEDDLE_PLUGIN(ops) { return registry.passes.add(kInfo); }
