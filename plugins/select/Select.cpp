//===- Select.cpp - Keeps a part of a recording ---------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//
// Keeps what fits everything given, as whole spans, with the launches that belong to it.
//===----------------------------------------------------------------------===//

#include "Places.h"
#include "heddle/Pass/EventFilter.h"
#include "heddle/Plugin/Plugin.h"
#include "heddle/Support/Json.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <set>

using namespace heddle;
using select::Places;
using select::Wanted;

static constexpr ParamInfo kParams[] = {
    {"window", ParamType::String, "", "a time such as 5ms..20ms, or the first span of that name"},
    {"steps", ParamType::List, "", "steps, say 3 or 2-4+7"},
    {"rank", ParamType::List, "", "ranks, say 0-3; the others leave the trace"},
    {"device", ParamType::List, "", "devices, say 0+2; host events stay"},
    {"stream", ParamType::List, "", "streams, as the recording numbers them; host events stay"},
    kKindParam,
    kFamilyParam,
    kNameParam,
};
static constexpr ColumnInfo kColumns[] = {
    kRankColumn,
    {"kind", Unit::None, true, "kind of event"},
    {"events", Unit::Count, false, "how many were removed"},
    {"kept", Unit::Count, false, "how many remain"},
};
static constexpr TableInfo kTables[] = {{"select", "Events removed and kept, by kind", kColumns}};
static constexpr RemarkInfo kRemarks[] = {
    {"select-nothing", "no event of the rank is left, or it lacks some of what is asked for"}};
static constexpr StatInfo kStats[] = {
    {"events", Statistic::Severity::Info, "events removed"},
    {"launches", Statistic::Severity::Info,
     "launches outside of the time asked for, kept for the device work that they launched"},
    {"edges", Statistic::Severity::Info, "edges removed, since an end is gone"},
    {"flows", Statistic::Severity::Info,
     "flow rows removed: their event is gone, or they lie elsewhere and bind to none"},
    {"loose", Statistic::Severity::Info, "events without a typed form that were removed"},
    {"empty", Statistic::Severity::Loss,
     "ranks that lack what is asked for, or of which no event is left"},
};

namespace {

class Select : public RankRewrite {
public:
  Select(Wanted wanted, EventFilter filter)
      : wanted(std::move(wanted)), filter(std::move(filter)) {}
  llvm::Error run(RankEditor &editor, RankContext &context) const override;

private:
  bool keepsLoose(const LooseRow &row, const Rank &rank, const Places &places) const;

  Wanted wanted;
  EventFilter filter;
};

} // namespace

/// Metadata stays. The rest goes by its time; what picks by kind or family leaves out what has
/// none. Text that is no JSON, or nests too deep to be looked into, stays: nothing is known about
/// it.
bool Select::keepsLoose(const LooseRow &row, const Rank &rank, const Places &places) const {
  auto event = parseJsonTree(rank.str(row.text));
  if (!event)
    return true;
  const llvm::json::Object *members = event->getAsObject();
  if (!members || members->getString("ph") == "M")
    return true;
  if (filter.any() &&
      (!filter.onlyName() || !filter.wantsName(members->getString("name").value_or("").str())))
    return false;
  std::optional<double> ts = members->getNumber("ts");
  if (!ts || !(std::fabs(*ts) < double(kMaxAbsTimeNs) / 1e3))
    return true;
  return places.wantsTime({static_cast<int64_t>(std::llround(*ts * 1e3)) - rank.recording.origin});
}

llvm::Error Select::run(RankEditor &editor, RankContext &context) const {
  if (!wanted.wantsRank(context.rankLabel()))
    return editor.dropRank();
  const Rank &rank = editor.get();
  auto places = select::findPlaces(rank, context, wanted);
  if (!places)
    return places.takeError();
  uint64_t dropped[kNumEventKinds] = {}, kept[kNumEventKinds] = {};
  EventMatcher matches(filter, rank);
  for (uint32_t t = 0; t < rank.tracks().size(); ++t) {
    const Track &track = rank.track(t);
    for (uint32_t i = 0; i < track.size(); ++i) {
      bool keep = places->kept[t][i] && matches(track, i);
      places->kept[t][i] = keep;
      ++(keep ? kept : dropped)[static_cast<unsigned>(track.kinds[i])];
    }
  }

  uint64_t total = 0, left = 0;
  Table table = kTables[0].make();
  for (unsigned k = 0; k < kNumEventKinds; ++k) {
    total += dropped[k];
    left += kept[k];
    if (dropped[k] || kept[k])
      table.rows.push_back({context.rankLabel(), kindName(static_cast<EventKind>(k)).str(),
                            static_cast<int64_t>(dropped[k]), static_cast<int64_t>(kept[k])});
  }
  context.table(std::move(table));
  context.stat("events", total);
  context.stat("launches", places->launches);
  if (!places->missing.empty() || (total && !left)) {
    context.stat("empty", 1);
    Remark remark;
    remark.id = "select-nothing";
    remark.level = Remark::Level::Warning;
    remark.rank = context.ordinal();
    remark.message = places->missing.empty() ? "no event of this rank is left" : places->missing;
    context.remark(std::move(remark));
  }

  // A flow at such an event would point nowhere.
  std::set<uint32_t> flows, loose;
  for (const FlowRow &f : rank.flows())
    if (rank.isEnd(f)) // goes and stays with its span
      continue;
    else if (f.anchor.valid() ? !places->kept[f.anchor.track][f.anchor.index]
                              : filter.any() || !places->wantsTime(f.at))
      flows.insert(f.seq);
  for (const LooseRow &l : rank.loose())
    if (!keepsLoose(l, rank, *places))
      loose.insert(l.seq);
  context.stat("flows", flows.size());
  context.stat("loose", loose.size());
  if (!flows.empty())
    if (auto error = editor.keepFlows([&](const FlowRow &f) { return !flows.count(f.seq); }))
      return error;
  if (!loose.empty())
    if (auto error = editor.keepLoose([&](const LooseRow &l) { return !loose.count(l.seq); }))
      return error;
  if (total) {
    auto remap = editor.keep(places->kept);
    if (!remap)
      return remap.takeError();
  }
  context.stat("edges", editor.loss().edges);
  if (total || !flows.empty() || !loose.empty())
    return editor.setPartial();
  return llvm::Error::success();
}

static llvm::Expected<std::unique_ptr<PassBase>> create(const ParamValues &params) {
  Wanted wanted;
  for (auto [key, to] : {std::pair{"steps", &wanted.steps},
                         {"rank", &wanted.ranks},
                         {"device", &wanted.devices},
                         {"stream", &wanted.streams}}) {
    if (params.getList(key).empty())
      continue;
    auto ranges = parseRanges(llvm::join(params.getList(key), ","), key);
    if (!ranges)
      return ranges.takeError();
    *to = std::move(*ranges);
  }
  if (!params.getString("window").empty())
    if (llvm::Error e = parseWindow(params.getString("window"), "window", wanted))
      return e;
  auto filter = EventFilter::create(params);
  if (!filter)
    return filter.takeError();
  if (!wanted.any() && wanted.streams.empty() && !filter->any())
    return usageError("nothing-to-select",
                      "select does not say what to keep; wanted window=, steps=, rank=, device=, "
                      "stream=, kind=, family= or name=");
  return std::make_unique<Select>(std::move(wanted), std::move(*filter));
}

HEDDLE_PLUGIN(select) {
  static constexpr PassInfo info = {
      .name = "select",
      .summary = "keep a window, steps, ranks, devices, streams, kinds or names",
      .description =
          R"(Keeps the events that fit everything given and removes the others. Spans stay whole: one that shares
an instant with the time asked for is kept as it is.

By time: `window` is a time or a name, as in `--window`. `steps` means, on a device, what was launched in the
step and what runs in its window, and on the host what overlaps the step or its window on a device, but not the
marks of other steps. With device work stays the call that launched it, wherever it lies, and the spans of its thread around that call, so that
gaps keep their causes. Samples of counters count when they were taken.

By place: `device` and `stream` choose among streams; events of the host have neither and stay. `rank` takes
whole ranks out of the trace.

By event: `kind`, `family` and `name` (as in `drop`) pick exactly the events that fit, step marks and launches
among the others.

Metadata (names of processes and threads) always stays. Edges and flows that end at a removed event go and are
counted; other events without a typed form go by their time. What is left is marked as partial: the first step
in it begins where its own launches do, and figures of the whole are those of the part. `--steps`, `--window`
and `--device` report on a part of a whole recording instead.)",
      .level = Level::Rank,
      .kind = PassKind::Rewrite,
      .effects = [](const ParamValues &) { return Effects{0, true}.with(ColumnId::RankMeta); },
      .params = kParams,
      .tables = kTables,
      .remarks = kRemarks,
      .stats = kStats,
      .create = create,
  };
  return registry.passes.add(info);
}
