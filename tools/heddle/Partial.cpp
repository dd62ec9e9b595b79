//===- Partial.cpp - Of a .hb what the selection needs --------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "Partial.h"
#include "heddle/Analysis/Steps.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace heddle {

static Interval hull(Interval a, Interval b) {
  return {std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

static bool overlap(Interval a, Interval b) { return a.begin < b.end && b.begin < a.end; }

/// Whether figures of this step are asked for.
static bool wants(const Selection &selection, const BinaryStep &step) {
  return selection.steps.empty() ? overlap(step.window, *selection.window)
                                 : selection.wantsStep(step.number);
}

/// Every number asked for is there: where one is not, the message tells what is.
static bool hasAll(const Selection &selection, const BinaryRankInfo &rank) {
  return all_of(selection.steps, [&](std::pair<int64_t, int64_t> range) {
    return any_of(rank.steps, [&](const BinaryStep &s) {
      return range.first <= s.number && s.number <= range.second;
    });
  });
}

/// The time of a rank that the selection needs: the steps on host and device; of the one before,
/// from whose end on the figures are, all; of the one behind the calls, some of which may run
/// early. None: all of the rank.
static std::optional<BinaryTime> timeOf(const Selection &selection, const BinaryRankInfo &rank) {
  if ((selection.steps.empty() && !selection.window) || !selection.windowName.empty() ||
      !hasAll(selection, rank))
    return std::nullopt;
  std::optional<BinaryTime> time;
  for (size_t i = 0; i != rank.steps.size(); ++i) {
    const BinaryStep &step = rank.steps[i];
    if (!wants(selection, step))
      continue;
    BinaryTime needed{step.host, step.window};
    if (i && rank.steps[i - 1].device == step.device) {
      needed.host = hull(needed.host, rank.steps[i - 1].host);
      needed.device = hull(needed.device, rank.steps[i - 1].window);
    }
    if (i + 1 != rank.steps.size() && rank.steps[i + 1].device == step.device)
      needed.host = hull(needed.host, rank.steps[i + 1].host);
    needed.host = hull(needed.host, step.window); // what the host does while the device works
    time = time ? BinaryTime{hull(time->host, needed.host), hull(time->device, needed.device)}
                : needed;
  }
  if (time && selection.window)
    time = BinaryTime{hull(time->host, *selection.window), hull(time->device, *selection.window)};
  return time;
}

namespace {
/// Compares what the steps of a part come to with what the footer says they are.
class Check {
public:
  Check(const Rank &rank, const BinaryRankInfo &info, const Selection &selection, BinaryTime time,
        ArrayRef<EventRef> launchedOutside)
      : rank(rank), info(info), selection(selection), time(time), outside(launchedOutside) {}

  bool holds(const Limits &limits) const {
    AnalysisCache analyses(rank);
    Expected<const Steps *> steps = analyses.get<Steps>(limits);
    Expected<const DeviceUnion *> devices = analyses.get<DeviceUnion>(limits);
    if (!steps || !devices) {
      consumeError(steps.takeError());
      consumeError(devices.takeError());
      return false;
    }
    for (size_t d = 0; d != (*steps)->devices.size(); ++d)
      for (const DeviceStep &s : (*steps)->devices[d].steps)
        if (wanted({(*steps)->devices[d].device, s.number, s.window, {}}) &&
            !listed((*steps)->devices[d].device, s))
          return false;
    return all_of(info.steps,
                  [&](const BinaryStep &s) { return !wanted(s) || found(**steps, s); }) &&
           (!selection.window || reaches(**devices)) && launchesAreIn();
  }

private:
  bool wanted(const BinaryStep &s) const {
    return selection.wantsDevice(s.device) && wants(selection, s);
  }
  bool isFirst(const BinaryStep &s) const {
    auto same = find_if(info.steps, [&](const BinaryStep &o) { return o.device == s.device; });
    return &*same == &s;
  }
  bool listed(int64_t device, const DeviceStep &step) const {
    return any_of(info.steps, [&](const BinaryStep &s) {
      return s.device == device && s.number == step.number && s.window == step.window &&
             isFirst(s) == step.first;
    });
  }
  bool found(const Steps &steps, const BinaryStep &s) const {
    const DeviceSteps *device = steps.find(s.device);
    return device && any_of(device->steps, [&](const DeviceStep &o) {
             return o.number == s.number && o.window == s.window && o.first == isFirst(s);
           });
  }
  /// Activities before and behind the window, or the rank's begin and end.
  bool reaches(const DeviceUnion &devices) const {
    return all_of(devices.devices, [&](const DeviceTimeline &d) {
      return d.activities.empty() ||
             ((d.range.begin <= selection.window->begin || time.device.begin <= info.time->begin) &&
              (d.range.end >= selection.window->end || time.device.end >= info.time->end));
    });
  }
  /// What the figures are of was launched in the part.
  bool launchesAreIn() const {
    return none_of(outside, [&](EventRef e) {
      Interval event = rank.interval(e);
      return (selection.window && overlap(event, *selection.window)) ||
             any_of(info.steps, [&](const BinaryStep &s) {
               return wanted(s) && s.device == rank.track(e.track).device &&
                      overlap(event, s.window);
             });
    });
  }

  const Rank &rank;
  const BinaryRankInfo &info;
  const Selection &selection;
  BinaryTime time;
  ArrayRef<EventRef> outside;
};
} // namespace

Expected<bool> readPartOf(StringRef path, const Selection &selection, bool partOfTime,
                          const Limits &limits, Trace &out, BytesRead &bytes) {
  partOfTime &= !selection.steps.empty() || selection.window;
  if (selection.ranks.empty() && !partOfTime)
    return false;
  Expected<std::unique_ptr<BinaryFile>> opened = BinaryFile::open(path, limits);
  if (!opened)
    return opened.takeError();
  if (!*opened)
    return false;
  BinaryFile &file = **opened;
  ArrayRef<BinaryRankInfo> infos = file.ranks();
  // A rank without a number is selected by its place among all.
  bool numbered = all_of(infos, [](const BinaryRankInfo &r) { return r.number.has_value(); });
  std::vector<BinaryPart> parts;
  bool all = true;
  for (uint32_t i = 0; i != infos.size(); ++i) {
    if (numbered && !selection.wantsRank(*infos[i].number)) {
      all = false;
      continue;
    }
    parts.push_back({i, partOfTime ? timeOf(selection, infos[i]) : std::nullopt});
    all &= !parts.back().time;
  }
  if (all || parts.empty())
    return false;
  Trace read;
  if (Error e = file.read(parts, read))
    return e;
  bool again = false;
  for (size_t i = 0; i != parts.size(); ++i)
    if (parts[i].time && !Check(*read.ranks[i], infos[parts[i].rank], selection, *parts[i].time,
                                file.launchedOutside()[i])
                              .holds(limits)) {
      parts[i].time = std::nullopt;
      again = true;
    }
  if (again) {
    read = {};
    if (Error e = file.read(parts, read))
      return e;
  }
  append(out, std::move(read));
  bytes.read += file.bytesRead();
  bytes.all += file.bytes();
  return true;
}

/// About what an event takes in memory, attributes included: 101 to 156 bytes in five recordings.
static constexpr uint64_t kBytesPerEvent = 128;

Expected<bool> readHeadsOf(StringRef path, const Selection &selection, const Residency &residency,
                           const FileState &state, const Limits &limits, Trace &out,
                           Results &results) {
  if (!state.known)
    return false;
  Expected<std::unique_ptr<BinaryFile>> file = BinaryFile::open(path, limits);
  if (!file || !*file || (*file)->ranks().size() < 2) {
    consumeError(file.takeError()); // reading it as a whole says more
    return false;
  }
  uint64_t events = 0;
  for (const BinaryRankInfo &rank : (*file)->ranks())
    if (!rank.number || selection.wantsRank(*rank.number))
      events += rank.events;
  if (residency.fits(events * kBytesPerEvent))
    return false;
  auto sources = sourcesIn(path, state, limits);
  if (sources.size() != (*file)->ranks().size())
    return false;
  bool some = !selection.ranks.empty(); // results and provenance are of the whole file
  size_t first = out.ranks.size();
  if (Error e = (*file)->readHeads(sources, out, some ? nullptr : &results))
    return e;
  for (size_t i = first; some && i != out.ranks.size(); ++i)
    out.ranks[i]->recording.path = path.str();
  return true;
}

Error settle(StringRef path, const FileState &state, const std::shared_ptr<Residency> &residency,
             const Limits &limits, Trace &trace) {
  uint64_t bytes = 0;
  for (const auto &rank : trace.ranks)
    bytes += rank->bytes();
  if (!residency->fits(bytes)) // then a file whose ranks can be read by themselves keeps them
    if (auto sources = sourcesIn(path, state, limits); sources.size() == trace.ranks.size())
      for (auto [rank, source] : zip(trace.ranks, sources))
        Residency::setSource(*rank, source);
  trace.residency = residency;
  for (size_t i = 0; i != trace.ranks.size(); ++i)
    if (Expected<RankHold> held = trace.hold(i); !held)
      return held.takeError();
  return Error::success();
}

} // namespace heddle
