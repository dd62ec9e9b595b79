//===- HostSteps.cpp - How long the host is in each step ------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//
// Lists the host's steps. The analysis Steps finds their marks.
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/Steps.h"
#include "heddle/Pass/Windows.h"
#include "heddle/Plugin/Plugin.h"

using namespace heddle;

static constexpr ColumnInfo kColumns[] = {
    kRankColumn,
    {"step", Unit::None, false, "what `--steps` takes: the mark's own number, else 1, 2, ..."},
    {"begin_ns", Unit::Nanoseconds, false, "begin of the mark, from the recording's origin"},
    {"end_ns", Unit::Nanoseconds, false, "end of the mark"},
    {"host_ns", Unit::Nanoseconds, false, "end_ns - begin_ns"},
    {"misplaced", Unit::None, false, "1 if the mark crosses an optimizer step; not for medians"},
    {"source", Unit::None, true, "what marks it: ProfilerStep, annotation or Optimizer.step"},
};
static constexpr TableInfo kTables[] = {
    {"host-steps", "Time of the host in each step, in ns", kColumns},
};
static constexpr StatInfo kStats[] = {{"steps", Statistic::Severity::Info, "steps of the host"}};
static constexpr WantInfo kWants[] = {{Capability::Steps, "no row"}};

namespace {
class HostSteps : public RankCheck {
public:
  llvm::Error run(const Rank &rank, RankContext &context) const override {
    auto steps = context.get<Steps>();
    if (!steps)
      return steps.takeError();
    const Selection &selection = context.selection();
    auto selected = selectedWindow(rank, selection);
    if (!selected)
      return selected.takeError();
    std::optional<Interval> window = *selected;
    Table table = kTables[0].make();
    for (const StepMark &m : (*steps)->marks) {
      if (!selection.wantsStep(m.number) || (window && m.interval.meet(*window).empty()))
        continue;
      table.rows.push_back({context.rankLabel(), m.number, m.interval.begin.ns, m.interval.end.ns,
                            (m.interval.end - m.interval.begin).ns, int64_t{m.misplaced},
                            stepSourceName((*steps)->source).str()});
    }
    context.stat("steps", static_cast<int64_t>(table.rows.size()));
    context.table(std::move(table));
    return llvm::Error::success();
  }
};
} // namespace

HEDDLE_PLUGIN(host_steps) {
  static constexpr PassInfo info = {
      .name = "host-steps",
      .summary = "time of the host in each step",
      .description =
          R"(For every step the span that marks it on the host, whole. How long a device takes for a step is another
question, since it works behind the host: `gpu-breakdown` has its windows. Where nothing marks steps there is
no row.)",
      .level = Level::Rank,
      .kind = PassKind::Check,
      .tables = kTables,
      .stats = kStats,
      .create = [](const ParamValues &) -> llvm::Expected<std::unique_ptr<PassBase>> {
        return std::make_unique<HostSteps>();
      },
      .wants = kWants,
  };
  return registry.passes.add(info);
}
