// short-kernels: how many kernels of each stream are shorter than a threshold.
//
// A kernel of a few microseconds costs about as much to launch as to run. Many of them on one
// stream are a reason to fuse, to capture a CUDA graph, or to raise the batch size.

#include "heddle/Plugin/Plugin.h"

using namespace heddle;

static constexpr ParamInfo kParams[] = {
    {"below", ParamType::Time, "10us", "a kernel shorter than this is short"},
};
static constexpr ColumnInfo kColumns[] = {
    kRankColumn,
    kDeviceColumn,
    kStreamColumn,
    {"kernels", Unit::Count, false, "all kernels of the stream"},
    {"short", Unit::Count, false, "those shorter than `below`"},
    {"short_ns", Unit::Nanoseconds, false, "sum of the durations of the short ones"},
};
static constexpr TableInfo kTables[] = {
    {"short-kernels", "Short kernels by stream", kColumns},
};
static constexpr RemarkInfo kRemarks[] = {
    {"mostly-short", "more than half of a stream's kernels are short"},
};
static constexpr Capability kNeeds[] = {Capability::DeviceWork};

namespace {

class ShortKernels : public RankCheck {
public:
  explicit ShortKernels(Duration below) : below(below) {}
  llvm::Error run(const Rank &rank, RankContext &context) const override;

private:
  Duration below;
};

} // namespace

llvm::Error ShortKernels::run(const Rank &rank, RankContext &context) const {
  Table table = kTables[0].make();
  for (const Track &track : rank.tracks()) {
    if (track.key.family != Family::StreamWork || !context.selection().wantsDevice(track.device))
      continue;
    int64_t kernels = 0, shortOnes = 0;
    Duration total;
    for (uint32_t i = 0; i < track.size(); ++i) {
      if (track.kinds[i] != EventKind::Kernel)
        continue;
      ++kernels;
      if (track.duration(i) < below) {
        ++shortOnes;
        total += track.duration(i);
      }
    }
    if (kernels == 0)
      continue;
    table.rows.push_back(
        {context.rankLabel(), track.device, track.stream, kernels, shortOnes, total.ns});
    if (2 * shortOnes > kernels) {
      Remark remark;
      remark.id = "mostly-short";
      remark.level = Remark::Level::Finding;
      remark.message = "stream " + std::to_string(track.stream) + ": " + std::to_string(shortOnes) +
                       " of " + std::to_string(kernels) + " kernels are short";
      remark.rank = context.ordinal();
      remark.device = track.device;
      remark.advice = "fuse them (torch.compile), or launch them as one CUDA graph";
      context.remark(std::move(remark));
    }
  }
  context.table(std::move(table));
  return llvm::Error::success();
}

HEDDLE_PLUGIN(short_kernels) {
  static constexpr PassInfo info = {
      .name = "short-kernels",
      .summary = "kernels below a threshold, by stream",
      .description = "Counts the kernels of each stream that are shorter than `below`, and says "
                     "where they are more than half.",
      .level = Level::Rank,
      .kind = PassKind::Check,
      .params = kParams,
      .tables = kTables,
      .remarks = kRemarks,
      .needs = kNeeds,
      .create = [](const ParamValues &params) -> llvm::Expected<std::unique_ptr<PassBase>> {
        return std::make_unique<ShortKernels>(params.getTime("below"));
      },
  };
  return registry.passes.add(info);
}
