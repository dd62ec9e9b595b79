//===- FusionCandidates.cpp - Sequences of fusible ops that repeat ----------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//
// fusion-candidates: sequences of elementwise ops, reductions and copies that a step repeats, what
// they cost, and between which bounds one kernel in their place would save GPU time.
//===----------------------------------------------------------------------===//
#include "Runs.h"
#include "heddle/Analysis/IdleCauses.h"
#include "heddle/Lower/ReportText.h"
#include "heddle/Plugin/Plugin.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace heddle;

static constexpr ParamInfo kParams[] = {
    {"max-gap", ParamType::Time, "10us", "ops of a sequence follow each other in less than that"},
    {"max-length", ParamType::Int, "15", "longest sequence, in ops"},
    {"min-repeats", ParamType::Int, "5", "how often a step has it at least"},
    {"min-share", ParamType::Int, "10", "its least share of the time, in tenths of a percent"},
};
static constexpr ColumnInfo kColumns[] = {
    kRankColumn,
    kDeviceColumn,
    kStreamColumn,
    {"ops", Unit::None, true, "its ops in order, `x3` behind what stands there three times"},
    {"share", Unit::Percent, false, "(time_ns + gaps_ns) / window_ns, rounded down to 0.01"},
    {"bound_high_ns", Unit::Nanoseconds, false,
     "GPU time that goes at most: time_ns + gaps_ns - fused_ns"},
    {"repeats", Unit::Count, false, "how often it occurs"},
    {"launches_saved", Unit::Count, false, "launches - repeats"},
    {"time_ns", Unit::Nanoseconds, false, "time in which they run"},
    {"gaps_ns", Unit::Nanoseconds, false, "time between them, on their stream"},
    {"bound_low_ns", Unit::Nanoseconds, false,
     "GPU time that goes even if the kernel moves as much as they do"},
    {"bound_window_ns", Unit::Nanoseconds, false,
     "what that takes from the windows at most: bound_high_ns, 0 while they wait for launches"},
    {"fused_ns", Unit::Nanoseconds, false, "the least time in which one kernel each could do it"},
    {"model", Unit::None, true, "what fused_ns comes from: bytes or times"},
    {"length", Unit::Count, false, "its ops"},
    {"kernels", Unit::Count, false, "kernels, copies and fills of all occurrences"},
    {"launches", Unit::Count, false, "API calls that launched them"},
    {"steps", Unit::Count, false, "the steps that were looked at; 1 if there are no marks"},
    {"window_ns", Unit::Nanoseconds, false, "the steps' windows together"},
    {"shapes", Unit::None, true,
     "their `Input Dims`, told once for neighbours of the same, cut at 80 letters each; null if "
     "none were recorded"},
};
static constexpr TableInfo kTables[] = {
    {"fusion-candidates", "Sequences of fusible ops that repeat, in ns", kColumns},
};
static constexpr RemarkInfo kRemarks[] = {
    {"fusion-candidates", "a sequence repeats `min-repeats` times a step and takes `min-share`"},
};
static constexpr StatInfo kStats[] = {
    {"fusible", Statistic::Severity::Info, "kernels, copies and fills that could be fused"},
    {"in-graphs", Statistic::Severity::Info,
     "activities of graph launches, which no sequence holds: they pay no launch of their own"},
    {"without-op", Statistic::Severity::Info,
     "activities that look as if they could be fused, but no op launched them"},
};
static constexpr Capability kNeeds[] = {Capability::DeviceWork, Capability::Launches,
                                        Capability::CpuOps};
static constexpr WantInfo kWants[] = {
    {Capability::Shapes, "ops of different sizes are taken for alike, and a fused kernel's time "
                         "comes from the times of the first and the last"},
    {Capability::Steps, "what repeats in the recording, not in a step"},
};
/// From this share of the windows on (percent; XProf's band for kernel launches) they wait for
/// launches: GPU time that is saved shortens nothing.
static constexpr int64_t kLaunchPercent = 15;
/// How many sequences of a device show their first occurrence as evidence.
static constexpr size_t kShown = 5;

namespace {

class FusionCandidates : public RankCheck {
public:
  FusionCandidates(fusion::Limits limits, int64_t minShare) : limits(limits), minShare(minShare) {}
  llvm::Error run(const Rank &rank, RankContext &context) const override;

private:
  fusion::Limits limits;
  int64_t minShare; ///< In tenths of a percent.
};

/// A group and its figures.
struct Candidate {
  const fusion::Group *group = nullptr;
  std::string ops, shapes;
  std::string shortOps; ///< Without `aten::`.
  size_t length = 0;
  int64_t kernels = 0, launches = 0;
  Duration time, gaps, fused, low;
  bool byBytes = true;
  int64_t repeats() const { return static_cast<int64_t>(group->occurrences.size()); }
  Duration cost() const { return time + gaps; }
  Duration high() const { return cost() - fused; }
};

/// What the candidates of a device are compared with.
struct Frame {
  int64_t device = -1, steps = 0;
  Duration window;
  bool launchBound = false, marked = false;
};

} // namespace

/// What one kernel in place of the members must read and write at least: what a member reads beyond
/// all that those before it wrote, and what one writes beyond all that those after it read. In any
/// unit; where `read` and `written` are one half of a member's time each, of time.
template <typename Read, typename Written>
static int64_t neededTraffic(fusion::Occurrence o, Read read, Written written) {
  int64_t in = 0, out = 0, before = 0, after = 0;
  for (const fusion::Member &m : o) {
    in = std::max(in, read(m) - before);
    before += written(m);
  }
  for (const fusion::Member &m : llvm::reverse(o)) {
    out = std::max(out, written(m) - after);
    after += read(m);
  }
  return in + out;
}

/// The least time of one kernel in place of an occurrence that takes `time`.
static Duration fusedTime(fusion::Occurrence o, Duration time, const fusion::DeviceRuns &runs,
                          bool &byBytes) {
  Duration shortest = o.front().work;
  bool known = runs.bestBytes != 0;
  for (const fusion::Member &m : o) {
    shortest = std::min(shortest, m.work);
    known &= m.traffic.all().has_value();
  }
  byBytes &= known;
  int64_t needed;
  if (known) {
    int64_t bytes = neededTraffic(
        o, [](const fusion::Member &m) { return *m.traffic.read; },
        [](const fusion::Member &m) { return *m.traffic.written; });
    // At the highest rate, rounded up.
    auto ns =
        (static_cast<fusion::Wide>(bytes) * runs.bestNs + runs.bestBytes - 1) / runs.bestBytes;
    needed = static_cast<int64_t>(std::min<fusion::Wide>(ns, time.ns));
  } else {
    auto half = [](const fusion::Member &m) { return m.work.ns / 2; };
    needed = neededTraffic(o, half, half);
  }
  return std::min(std::max(Duration{needed}, shortest), time);
}

/// Adds one occurrence's figures.
static void addOccurrence(Candidate &c, fusion::Occurrence o, const fusion::DeviceRuns &runs) {
  Time begin = o.front().activities.front().begin, end = begin;
  Duration gaps, low;
  for (const fusion::Member &m : o) {
    Duration between = std::max(m.activities.front().begin - end, Duration{});
    low += between < kTurnaround ? between : Duration{};
    for (Interval a : m.activities) {
      gaps += std::max(a.begin - end, Duration{});
      end = std::max(end, a.end);
    }
    c.kernels += static_cast<int64_t>(m.activities.size());
    c.launches += m.launches;
  }
  Duration time = end - begin - gaps;
  c.time += time;
  c.gaps += gaps;
  c.fused += fusedTime(o, time, runs, c.byBytes);
  c.low += low;
}

/// "(aten::neg, aten::mul) x2, aten::add" for names in order: what repeats at once is told once.
static std::string sequenceText(llvm::ArrayRef<llvm::StringRef> names) {
  std::string out;
  for (size_t i = 0; i != names.size();) {
    // The period that covers most, the shorter of two.
    size_t period = 1, times = 1;
    for (size_t p = 1; p <= (names.size() - i) / 2; ++p) {
      size_t n = 1;
      while (i + (n + 1) * p <= names.size() && names.slice(i, p) == names.slice(i + n * p, p))
        ++n;
      if (n > 1 && n * p > (times > 1 ? times * period : 1)) {
        period = p;
        times = n;
      }
    }
    std::string part;
    for (llvm::StringRef name : names.slice(i, period))
      part += (part.empty() ? "" : ", ") + name.str();
    if (period > 1)
      part = "(" + part + ")";
    out += (out.empty() ? "" : ", ") + part + (times > 1 ? " x" + std::to_string(times) : "");
    i += period * times;
  }
  return out;
}

/// Fills in ops and shapes, those of one occurrence.
static void describe(Candidate &c, fusion::Occurrence o, const Rank &rank) {
  fusion::TrafficReader reader(rank);
  constexpr size_t most = 80;
  std::vector<llvm::StringRef> names, shapes;
  for (const fusion::Member &m : o) {
    names.push_back(rank.name(m.op));
    shapes.push_back(rank.str(reader.dims(m.op)));
  }
  c.ops = sequenceText(names);
  for (llvm::StringRef &name : names)
    name.consume_front("aten::");
  c.shortOps = sequenceText(names);
  if (llvm::all_of(shapes, [](llvm::StringRef s) { return s.empty(); }))
    return;
  for (size_t i = 0; i != shapes.size(); ++i)
    if (i == 0 || shapes[i] != shapes[i - 1])
      c.shapes += (i ? "; " : "") + (shapes[i].empty() ? "--" : shapes[i].take_front(most).str()) +
                  (shapes[i].size() > most ? "..." : "");
}

/// The steps that count: those that were asked for, else those that may stand in a median.
static std::vector<ReportWindow> countedWindows(std::vector<ReportWindow> windows,
                                                const Selection &selection) {
  bool typicalOnly = selection.steps.empty();
  llvm::erase_if(windows, [&](const ReportWindow &w) {
    return w.step == "all" || (w.isStep && typicalOnly && !w.typical);
  });
  return windows;
}

/// Whether the device waits for launches for much of the windows.
static bool waitsForLaunches(const DeviceIdle &idle, llvm::ArrayRef<ReportWindow> windows,
                             Duration whole) {
  IdleSums sums;
  for (const ReportWindow &w : windows)
    for (const IdleGap &g : idle.in(w.interval))
      sums.add(idle.partsOf(g), w.interval);
  Duration wait = sums[IdleCause::Host] + sums[IdleCause::Unobserved] + sums[IdleCause::LaunchCall];
  return wait.ns / kLaunchPercent >= whole.ns / 100;
}

static Remark remarkOn(llvm::ArrayRef<Candidate> found, const Frame &frame, RankContext &context) {
  Duration cost, low, high;
  int64_t kernels = 0, saved = 0;
  for (const Candidate &c : found) {
    cost += c.cost();
    low += c.low;
    high += c.high();
    kernels += c.kernels;
    saved += c.launches - c.repeats();
  }
  auto each = [&](int64_t n) { return n / frame.steps; };
  std::string where = frame.marked ? " a step" : "";
  const Candidate &most = found.front();
  Remark r;
  r.id = "fusion-candidates";
  r.level = Remark::Level::Finding;
  r.rank = context.ordinal();
  r.device = frame.device;
  r.windowNs = each(frame.window.ns);
  r.costNs = each(cost.ns);
  r.lowerNs = frame.launchBound ? 0 : each(low.ns);
  r.upperNs = each(high.ns);
  r.message = plural(static_cast<int64_t>(found.size()), "sequence") +
              " of fusible ops that repeat, " + plural(each(kernels), "kernel") + where +
              "; the largest, " + countText(each(most.repeats())) + " times" + where + ": " +
              most.shortOps;
  r.advice = "torch.compile, or a fused kernel for the sequence; 'heddle report -s fusion' lists "
             "them";
  std::string fewer = countText(each(saved)) + " launches fewer" + where;
  r.args.push_back({"bound", frame.launchBound
                                 ? "0 while the GPU waits for launches, but " + fewer +
                                       "; of GPU time at most " + timeText(*r.upperNs)
                                 : "between " + timeText(*r.lowerNs) + " and " +
                                       timeText(*r.upperNs) + " of GPU time, " + fewer});
  r.confidence = frame.steps >= 5   ? Confidence::High
                 : frame.steps >= 2 ? Confidence::Medium
                                    : Confidence::Low;
  for (const Candidate &c : found.take_front(kShown))
    for (const fusion::Member &m : c.group->occurrences.front())
      r.evidence.push_back(m.first);
  return r;
}

llvm::Error FusionCandidates::run(const Rank &rank, RankContext &context) const {
  auto devices = selectedDevices(rank, context);
  if (!devices)
    return devices.takeError();
  auto steps = context.get<Steps>();
  if (!steps)
    return steps.takeError();
  auto launches = context.get<Launches>();
  if (!launches)
    return launches.takeError();
  auto idle = context.get<IdleCauses>();
  if (!idle)
    return idle.takeError();

  Table table = kTables[0].make();
  for (SelectedDevice &device : *devices) {
    std::vector<ReportWindow> windows =
        countedWindows(std::move(device.windows), context.selection());
    if (windows.empty())
      continue;
    Frame frame;
    frame.device = device.number();
    frame.steps = static_cast<int64_t>(windows.size());
    frame.marked = (*steps)->source != StepSource::None && windows.front().isStep;
    for (const ReportWindow &w : windows)
      frame.window += w.interval.length();
    frame.launchBound = waitsForLaunches((*idle)->devices[device.index], windows, frame.window);

    fusion::DeviceRuns runs =
        findRuns(rank, *device.timeline, *device.steps, **launches, windows, limits);
    context.stat("fusible", static_cast<int64_t>(runs.fusible));
    context.stat("in-graphs", static_cast<int64_t>(runs.inGraphs));
    context.stat("without-op", static_cast<int64_t>(runs.withoutOp));

    std::vector<Candidate> found;
    for (const fusion::Group &g : runs.groups) {
      if (g.occurrences.size() < limits.minRepeats * windows.size())
        continue;
      Candidate c;
      c.group = &g;
      c.length = g.occurrences.front().size();
      for (fusion::Occurrence o : g.occurrences)
        addOccurrence(c, o, runs);
      if (static_cast<fusion::Wide>(c.cost().ns) * 1000 <
          static_cast<fusion::Wide>(frame.window.ns) * minShare)
        continue;
      describe(c, g.occurrences.front(), rank);
      found.push_back(std::move(c));
    }
    // Groups come in order of time, which is the order of those that are worth the same.
    llvm::stable_sort(found, [](auto &a, auto &b) { return a.high() > b.high(); });
    for (const Candidate &c : found) {
      Cell shapes;
      if (!c.shapes.empty())
        shapes = c.shapes;
      Duration low = frame.launchBound ? Duration{} : std::min(c.low, c.high());
      // In hundredths of a percent, rounded down.
      auto share = static_cast<int64_t>(static_cast<fusion::Wide>(c.cost().ns) * 10000 /
                                        std::max<int64_t>(frame.window.ns, 1));
      table.rows.push_back({context.rankLabel(),
                            device.number(),
                            c.group->stream,
                            c.ops,
                            static_cast<double>(share) / 100,
                            c.high().ns,
                            c.repeats(),
                            c.launches - c.repeats(),
                            c.time.ns,
                            c.gaps.ns,
                            low.ns,
                            frame.launchBound ? 0 : c.high().ns,
                            c.fused.ns,
                            std::string(c.byBytes ? "bytes" : "times"),
                            static_cast<int64_t>(c.length),
                            c.kernels,
                            c.launches,
                            frame.steps,
                            frame.window.ns,
                            shapes});
    }
    if (!found.empty())
      context.remark(remarkOn(found, frame, context));
  }
  context.table(std::move(table));
  return llvm::Error::success();
}

static constexpr llvm::StringLiteral kDescription =
    R"(A sequence is a maximal run, on one stream and in one step, of 2 to `max-length` ops whose kernels
compute element by element, reduce or copy within the device, each beginning less than `max-gap` after
those before it. Runs are alike if their ops have the same names and `Input Dims`, whatever their
kernels are called. A longer run is cut into the longest parts that repeat often enough in such runs.
Kernels of graph launches are in no run: they pay no launch of their own.

An op is the innermost one that launched the kernel; its neighbours on the stream that it launched too
count as one with it. Lists of ATen's ops say what could be fused, and names of kernels for ops that no
list holds.

Counted are the steps that may stand in a median, or those selected. A sequence is a candidate if it
occurs `min-repeats` times a step on average and takes `min-share` of the steps' windows with its gaps.

Bounds, never gains. One kernel in place of an occurrence is no shorter than the shortest op of it,
and takes at least as long as the bytes that it cannot avoid, at the highest rate (bytes read and
written over kernel time) that any op of the device reached here. It cannot avoid to read the most that
an op reads beyond all that the ops before it wrote, nor to write the most that one writes beyond all
that the ops after it read. An op reads its inputs, each once (a dimension with stride 0 counts once),
and writes as many elements as the largest has, of the smallest one's element size; nothing is known to
be written where an op reduces. Where shapes or types of an op are not recorded, or are lists of
tensors, half of each op's time is taken for reading, half for writing (`model` is `times`). What
remains of time and gaps is the upper bound. The lower is the gaps below 1 us between its ops. While the
windows wait for launches for 15 % of their time, GPU time that is saved shortens nothing, and
bound_low_ns is 0: what counts then is `launches_saved`.)";

HEDDLE_PLUGIN(fusion_candidates) {
  static constexpr PassInfo info = {
      .name = "fusion-candidates",
      .summary =
          "sequences of small ops that a step repeats, and what fusing them is worth at most",
      .description = kDescription,
      .level = Level::Rank,
      .kind = PassKind::Check,
      .params = kParams,
      .tables = kTables,
      .remarks = kRemarks,
      .stats = kStats,
      .needs = kNeeds,
      .create = [](const ParamValues &params) -> llvm::Expected<std::unique_ptr<PassBase>> {
        int64_t length = params.getInt("max-length"), repeats = params.getInt("min-repeats"),
                share = params.getInt("min-share");
        if (length < 2 || length > 64)
          return usageError("fusion-candidates-max-length",
                            "max-length=" + llvm::Twine(length) + "; wanted 2 to 64");
        if (repeats < 1)
          return usageError("fusion-candidates-min-repeats",
                            "min-repeats=" + llvm::Twine(repeats) + "; wanted at least 1");
        if (share < 0 || share > 1000)
          return usageError("fusion-candidates-min-share",
                            "min-share=" + llvm::Twine(share) +
                                "; wanted 0 to 1000 tenths of a percent");
        return std::make_unique<FusionCandidates>(fusion::Limits{params.getTime("max-gap"),
                                                                 static_cast<size_t>(length),
                                                                 static_cast<uint64_t>(repeats)},
                                                  share);
      },
      .wants = kWants,
  };
  return registry.passes.add(info);
}
