//===- GpuBreakdown.cpp - Where the time of each device goes --------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//
// Splits each window of a device into compute, communication and copies that nothing hides, and
// idle time. The analyses Steps and DeviceUnion define windows and classes.
//===----------------------------------------------------------------------===//

#include "heddle/Pass/Windows.h"
#include "heddle/Plugin/Plugin.h"

using namespace heddle;

static constexpr ColumnInfo kColumns[] = {
    kRankColumn,
    kDeviceColumn,
    {"step", Unit::None, true,
     "the step's number; `all`: from the first activity to the last; "
     "`window`: what --window names"},
    {"begin_ns", Unit::Nanoseconds, false, "begin of the window, from the recording's origin"},
    {"end_ns", Unit::Nanoseconds, false, "end of the window"},
    {"window_ns", Unit::Nanoseconds, false, "end_ns - begin_ns"},
    {"busy_ns", Unit::Nanoseconds, false, "some activity runs"},
    {"idle_ns", Unit::Nanoseconds, false, "none runs; window_ns - busy_ns"},
    {"compute_ns", Unit::Nanoseconds, false, "a kernel that computes, or a fill, runs"},
    {"exposed_comm_ns", Unit::Nanoseconds, false, "communication runs and nothing computes"},
    {"exposed_copy_ns", Unit::Nanoseconds, false, "only copies run"},
    {"first", Unit::None, false,
     "1 for the first step, which holds what a start costs; not for medians"},
    {"misplaced", Unit::None, false,
     "1 if the step's mark crosses an optimizer step; not for medians"},
    {"activities", Unit::Count, false,
     "activities launched in the step; of `all`, those of the device"},
};
static constexpr TableInfo kTables[] = {
    {"gpu-breakdown", "Time of each device by what runs, in ns", kColumns},
};
static constexpr RemarkInfo kRemarks[] = {
    {"gpu-breakdown-misplaced-steps",
     "at least one step mark begins or ends inside an optimizer step"},
    {"gpu-breakdown-missing-step-marks",
     "two or more optimizer steps without ProfilerStep marks, or inside one of them"},
    {"gpu-breakdown-unassigned", "at least one activity was launched in no step"},
};
static constexpr StatInfo kStats[] = {
    {"steps", Statistic::Severity::Info, "steps of all devices"},
    {"unassigned", Statistic::Severity::Info, "activities that were launched in no step"},
    {"far", Statistic::Severity::Loss, "activities too far from the recording to lie in a window"},
    {"without-time", Statistic::Severity::Loss, "activities at time 0, which lie in no window"},
    {"cut", Statistic::Severity::Loss,
     "runaway activities that were cut where the next one begins"},
};
static constexpr Capability kNeeds[] = {Capability::DeviceWork};
static constexpr WantInfo kWants[] = {
    {Capability::Steps, "one row a device, the whole recording"},
    {Capability::Launches, "no activity belongs to a step, so no step has a row"},
};

static const PassInfo &info();

namespace {
class GpuBreakdown : public RankCheck {
public:
  llvm::Error run(const Rank &rank, RankContext &context) const override;
};
} // namespace

/// Says what is wrong with the step marks, once a rank.
static void remarkOnMarks(const Rank &rank, const Steps &steps, RankContext &context) {
  Remark r;
  r.rank = context.ordinal();
  if (steps.misplaced) {
    r.id = "gpu-breakdown-misplaced-steps";
    r.level = Remark::Level::Warning;
    r.message = (llvm::Twine(steps.misplaced) + " of " + llvm::Twine(steps.marks.size()) +
                 " step marks begin or end inside an optimizer step; such steps stand in no median")
                    .str();
    r.advice = "call prof.step() after optimizer.step()";
    for (const StepMark &m : steps.marks)
      if (m.misplaced)
        r.evidence.push_back(m.event);
    context.remark(r);
  }
  if (steps.missingProfilerStep) {
    r.id = "gpu-breakdown-missing-step-marks";
    r.level = Remark::Level::Note;
    r.message = steps.source == StepSource::Optimizer
                    ? "steps end where optimizer steps end, since nothing else marks them"
                    : "'" + rank.name(steps.marks.front().event).str() +
                          "' or a later mark holds several optimizer steps";
    r.advice = steps.source == StepSource::Optimizer ? capabilityAdvice(Capability::Steps).str()
                                                     : "call prof.step() once in every iteration";
    r.evidence = {steps.marks.front().event};
    context.remark(r);
  }
}

llvm::Error GpuBreakdown::run(const Rank &rank, RankContext &context) const {
  auto devices = selectedDevices(rank, context);
  if (!devices)
    return devices.takeError();
  auto steps = context.get<Steps>();
  if (!steps)
    return steps.takeError();

  Table table = kTables[0].make();
  for (const SelectedDevice &selected : *devices) {
    const DeviceTimeline &device = *selected.timeline;
    const DeviceSteps &own = *selected.steps;
    for (const ReportWindow &w : selected.windows) {
      DeviceBreakdown b = breakdown(device, w.interval);
      Cell activities; // Null in a window that is neither a step nor everything.
      if (w.isStep)
        activities = static_cast<int64_t>(own.steps[w.index].activities);
      else if (w.step == "all")
        activities = static_cast<int64_t>(device.activities.size());
      table.rows.push_back({context.rankLabel(), device.device, w.step, w.interval.begin.ns,
                            w.interval.end.ns, b.window.ns, b.busy.ns, b.idle.ns, b.compute.ns,
                            b.exposedCommunication.ns, b.exposedCopy.ns, int64_t{w.first},
                            int64_t{w.misplaced}, activities});
      context.stat("steps", w.isStep);
    }
    context.stat("unassigned", own.unassigned);
    context.stat("far", device.far);
    context.stat("without-time", device.withoutTime);
    context.stat("cut", device.cut);
    if (own.unassigned) {
      Remark r;
      r.id = "gpu-breakdown-unassigned";
      r.rank = context.ordinal();
      r.device = device.device;
      r.message = (llvm::Twine(own.unassigned) + " of " + llvm::Twine(device.activities.size()) +
                   " activities were launched in no step (" + llvm::Twine(own.unassignedTime.ns) +
                   " ns of work)")
                      .str();
      context.remark(r);
    }
  }
  context.table(std::move(table));
  remarkOnMarks(rank, **steps, context);
  return llvm::Error::success();
}

static const PassInfo &info() {
  static constexpr PassInfo constant = {
      .name = "gpu-breakdown",
      .summary = "time of each device by what runs: compute, exposed communication, copies, idle",
      .description =
          "For every step of a device, and from its first activity to its last (`all`), the time "
          "in "
          "which something computes, in which only communication or copies run, and in which "
          "nothing runs. The four add up to the window exactly. A step of a device is what was "
          "launched in the host's step; its window begins where the previous step's work ends. All "
          "work of the device in a window counts, whoever launched it.",
      .level = Level::Rank,
      .kind = PassKind::Check,
      .tables = kTables,
      .remarks = kRemarks,
      .stats = kStats,
      .needs = kNeeds,
      .create = [](const ParamValues &) -> llvm::Expected<std::unique_ptr<PassBase>> {
        return std::make_unique<GpuBreakdown>();
      },
      .wants = kWants,
  };
  return constant;
}

HEDDLE_PLUGIN(gpu_breakdown) { return registry.passes.add(info()); }
