//===- Drop.cpp - Removes events ------------------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//
// Removes events by kind, name or family of track, with the edges and flows that end at them.
//===----------------------------------------------------------------------===//

#include "heddle/Pass/EventFilter.h"
#include "heddle/Plugin/Plugin.h"
#include <set>

using namespace heddle;

static constexpr ParamInfo kParams[] = {kKindParam, kFamilyParam, kNameParam};
static constexpr ColumnInfo kColumns[] = {
    kRankColumn,
    {"kind", Unit::None, true, "kind of event"},
    {"events", Unit::Count, false, "how many were removed"},
    {"kept", Unit::Count, false, "how many remain"},
};
static constexpr TableInfo kTables[] = {{"drop", "Events removed, by kind", kColumns}};
static constexpr StatInfo kStats[] = {
    {"events", Statistic::Severity::Info, "events removed"},
    {"edges", Statistic::Severity::Info, "edges removed, since an end is gone"},
    {"flows", Statistic::Severity::Info, "flow rows removed, since their event is gone"},
};

static const PassInfo &info();

namespace {

class Drop : public RankRewrite {
public:
  explicit Drop(EventFilter filter) : filter(std::move(filter)) {}
  llvm::Error run(RankEditor &editor, RankContext &context) const override;

private:
  EventFilter filter;
};

} // namespace

llvm::Error Drop::run(RankEditor &editor, RankContext &context) const {
  const Rank &rank = editor.get();
  uint64_t dropped[kNumEventKinds] = {}, kept[kNumEventKinds] = {};
  EventMatcher matches(filter, rank);
  std::vector<std::vector<bool>> mask(rank.tracks().size());
  for (uint32_t t = 0; t < rank.tracks().size(); ++t) {
    const Track &track = rank.track(t);
    for (uint32_t i = 0; i < track.size(); ++i) {
      auto kind = static_cast<unsigned>(track.kinds[i]);
      bool drop = matches(track, i);
      ++(drop ? dropped : kept)[kind];
      if (drop && mask[t].empty())
        mask[t].assign(track.size(), true);
      if (drop)
        mask[t][i] = false;
    }
  }

  uint64_t total = 0;
  Table table = kTables[0].make();
  for (unsigned k = 0; k < kNumEventKinds; ++k) {
    total += dropped[k];
    if (dropped[k])
      table.rows.push_back({context.rankLabel(), kindName(static_cast<EventKind>(k)).str(),
                            static_cast<int64_t>(dropped[k]), static_cast<int64_t>(kept[k])});
  }
  context.table(std::move(table));
  context.stat("events", total);
  if (!total)
    return llvm::Error::success();

  // A flow that ended at such an event would point nowhere.
  std::set<uint32_t> flows;
  for (const FlowRow &f : rank.flows())
    if (!rank.isEnd(f) && f.anchor.valid() && !mask[f.anchor.track].empty() &&
        !mask[f.anchor.track][f.anchor.index])
      flows.insert(f.seq);
  context.stat("flows", flows.size());
  if (!flows.empty())
    if (auto error = editor.keepFlows([&](const FlowRow &f) { return !flows.count(f.seq); }))
      return error;
  auto remap = editor.keep(mask);
  if (!remap)
    return remap.takeError();
  context.stat("edges", editor.loss().edges);
  return llvm::Error::success();
}

static llvm::Expected<std::unique_ptr<PassBase>> create(const ParamValues &params) {
  auto filter = EventFilter::create(params);
  if (!filter)
    return filter.takeError();
  if (!filter->any())
    return usageError("drop-nothing",
                      "drop does not say what to drop; wanted kind=, family= or name=");
  return std::make_unique<Drop>(std::move(*filter));
}

static const PassInfo &info() {
  static constexpr PassInfo constant = {
      .name = "drop",
      .summary = "remove events by kind, name or family",
      .description =
          "Removes the events that fit everything given: `kind`, `family` of their track, and "
          "`name`, "
          "a pattern in which * stands for any text, or a regular expression between slashes. "
          "Edges "
          "and flows that end at a removed event go too. A selection of steps, devices or windows "
          "limits what is reported, not what is dropped.",
      .level = Level::Rank,
      .kind = PassKind::Rewrite,
      .effects = [](const ParamValues &) { return Effects{0, true}; },
      .params = kParams,
      .tables = kTables,
      .stats = kStats,
      .create = create,
  };
  return constant;
}

HEDDLE_PLUGIN(drop) { return registry.passes.add(info()); }
