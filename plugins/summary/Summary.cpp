//===- Summary.cpp - What the first screen of the report says -------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//
// summary: reads the tables of gpu-breakdown, idle-gaps and health and publishes what a report
// shows first: which window, what limits the device, where the time goes, findings by cost.
//===----------------------------------------------------------------------===//
#include "TableShapes.h"
#include "Tables.h"
#include "heddle/Plugin/Plugin.h"

using namespace llvm;

namespace heddle::summary {

namespace {

constexpr ParamInfo params[] = {
    {"top", ParamType::Int, "12", "rows of summary-host before the rest is one row"},
};

constexpr RemarkInfo remarks[] = {
    {"summary-verdict",
     "what limits a device in the window that the report shows: the largest part of it"},
};

constexpr StringLiteral description =
    R"(The window is the step whose length is the median of the device's typical steps (neither first nor
misplaced); where several devices have steps, one step number serves all. Without step marks it is the
whole recording.

The verdict is the largest of the parts into which the window falls: computing (`gpu-bound`),
communication and copies that nothing hides (`comm-bound`, `copy-bound`), idling for the host, for the
latency of launches and between kernels (`latency-bound`), for another stream (`stream-bound`), and for
what was not recorded (`unrecorded`). Idling for the host is `sync-bound`, `input-bound`, or, where
launching weighs most, `launch-bound` if the median launch delay is below 20 us and most of the wait
lies in gaps below 1 ms, else `host-bound`. Other parts of at least 15 % (TraceLens' idle limit) are
told beside it.

A finding costs at least: waiting for launches 3 % of the window (XProf's bands), host
synchronisation 2 % (nsys-ai), the data loader 5 % (XProf), everything else 1 %. What stays below is in
`summary-checked`. A cost `inside` another adds nothing to it. Bounds are limits, not forecasts.)";

constexpr WantInfo wants[] = {
    {Capability::DeviceWork, "host time by name instead of what limits a GPU"},
    {Capability::Launches, "how long a GPU works, not why it idles"},
    {Capability::Steps, "the whole recording instead of the median step"},
};

class Summary : public TraceCheck {
public:
  explicit Summary(int64_t top) : top(top) {}

  Error run(const Trace &trace, TraceContext &context) const override {
    Expected<Views> views = collectViews(trace, context);
    if (!views)
      return views.takeError();
    Tables tables;
    for (uint32_t input = 0; input != trace.ranks.size(); ++input) {
      auto facts = context.get<RankFacts>(input);
      if (!facts)
        return facts.takeError();
      tables.input(trace, input, context.rankLabel(input), **facts);
      bool any = false;
      for (const View &u : views->list)
        if (u.input == input) {
          Verdict verdict = verdictOf(u);
          tables.view(u, verdict, context.results());
          publishRemark(context, u, verdict);
          any = true;
        }
      if (any)
        continue;
      InputKind kind = inputKind(**facts);
      bool hasWork = kind == InputKind::Gpu || kind == InputKind::GpuOnly;
      bool tabled = context.results().find("gpu-breakdown", input) != nullptr;
      if (hasWork && !tabled)
        context.abstain("no table gpu-breakdown for input " + std::to_string(input),
                        "run --passes=default, or gpu-breakdown and idle-gaps before summary");
      tables.withoutView(input, context.rankLabel(input), kind, **facts, tabled,
                         context.selection().any());
      if (hasWork || !(*facts)->events)
        continue;
      auto host = context.get<HostTotals>(input);
      if (!host)
        return host.takeError();
      tables.host(input, context.rankLabel(input), **host, static_cast<size_t>(top));
    }
    tables.notes(trace, context.results());
    tables.next(trace, !views->list.empty());
    tables.publish(context);
    return Error::success();
  }

private:
  static void publishRemark(TraceContext &context, const View &u, const Verdict &v) {
    Remark r;
    r.id = "summary-verdict";
    r.message = v.id + ": " + v.message;
    r.rank = u.input;
    r.device = u.device;
    r.windowNs = u.windowNs;
    r.costNs = v.stake.ns;
    r.args.push_back({"verdict", v.id});
    r.args.push_back({"step", u.step});
    context.remark(std::move(r));
  }

  int64_t top;
};

Expected<std::unique_ptr<PassBase>> create(const ParamValues &values) {
  int64_t top = values.getInt("top");
  if (top < 1)
    return usageError("bad-parameter", "'top' of summary is " + Twine(top) + "; wanted at least 1");
  return std::make_unique<Summary>(top);
}

constexpr PassInfo info = {
    .name = "summary",
    .summary = "what a report shows first: window, verdict, parts, causes, findings",
    .description = description,
    .level = Level::Trace,
    .kind = PassKind::Check,
    .params = params,
    .tables = summaryTables,
    .remarks = remarks,
    .create = create,
    .wants = wants,
    .prepare = computeSummaries<RankFacts, AllWindows>,
};

} // namespace
} // namespace heddle::summary

HEDDLE_PLUGIN(summary) { return registry.passes.add(heddle::summary::info); }
