//===- Windows.cpp - The windows a pass reports on ------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "heddle/Pass/Windows.h"
#include "heddle/Support/Diagnostics.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <set>

using namespace heddle;

static bool mayName(EventKind k) { return k == EventKind::Annotation || k == EventKind::CpuOp; }

llvm::StringRef heddle::nearestWindow(const Rank &rank, llvm::StringRef name) {
  llvm::StringRef nearest;
  unsigned distance = std::max<size_t>(3, name.size() / 3) + 1;
  std::vector<bool> seen(rank.strings().size());
  for (const Track &track : rank.tracks()) {
    if (track.key.family != Family::ThreadWork)
      continue;
    for (uint32_t i = 0; i < track.size(); ++i) {
      auto n = static_cast<uint32_t>(track.names[i]);
      if (track.kinds[i] != EventKind::Annotation || seen[n])
        continue;
      seen[n] = true;
      llvm::StringRef other = rank.str(track.names[i]);
      if (unsigned d = name.edit_distance(other, true, distance); d < distance) {
        distance = d;
        nearest = other;
      }
    }
  }
  return nearest;
}

llvm::Expected<Interval> heddle::namedWindow(const Rank &rank, llvm::StringRef name) {
  std::optional<StringId> id = rank.strings().find(name);
  std::optional<Interval> found;
  for (const Track &track : rank.tracks()) {
    if (!id || track.key.family != Family::ThreadWork)
      continue;
    for (uint32_t i = 0; i < track.size(); ++i) {
      if (track.names[i] != *id || !mayName(track.kinds[i]))
        continue;
      if (!found || track.begin[i] < found->begin)
        found = track.interval(i);
      break; // A track is sorted by begin.
    }
  }
  if (found)
    return *found;
  llvm::StringRef nearest = id ? llvm::StringRef() : nearestWindow(rank, name);
  return usageError("unknown-window",
                    "no annotation or op '" + name + "' for --window" +
                        (nearest.empty() ? llvm::Twine() : "; did you mean '" + nearest + "'?"));
}

llvm::Expected<std::optional<Interval>> heddle::selectedWindow(const Rank &rank,
                                                               const Selection &selection) {
  if (selection.windowName.empty())
    return selection.window;
  return namedWindow(rank, selection.windowName);
}

/// The windows of a device that works, cut to `window`.
static std::vector<ReportWindow> windowsOf(const DeviceTimeline &timeline, const DeviceSteps &steps,
                                           const Selection &selection,
                                           std::optional<Interval> window) {
  std::vector<ReportWindow> windows;
  auto clip = [&](Interval i) { return window ? i.meet(*window) : i; };

  if (!window || !selection.steps.empty())
    for (size_t s = 0; s < steps.steps.size(); ++s) {
      const DeviceStep &step = steps.steps[s];
      Interval i = clip(step.window);
      if (selection.wantsStep(step.number) && (!window || !i.empty()))
        windows.push_back({std::to_string(step.number), i, true, static_cast<uint32_t>(s),
                           step.first, step.misplaced, steps.typical[s]});
    }
  if (!selection.steps.empty())
    return windows;
  Interval all = timeline.range;
  if (!window) {
    windows.push_back({"all", all});
    return windows;
  }
  // What lies before the first activity is idle time of the first step, after the last of nothing.
  if (!steps.steps.empty())
    all.begin = std::min(all.begin, steps.steps.front().window.begin);
  if (Interval i = clip(all); !i.empty())
    windows.push_back({"window", i});
  return windows;
}

llvm::Expected<std::vector<SelectedDevice>> heddle::selectedDevices(const Rank &rank,
                                                                    const DeviceUnion &devices,
                                                                    const Steps &steps,
                                                                    const Selection &selection) {
  std::vector<SelectedDevice> out;
  std::optional<Interval> window;
  bool found = false;
  for (size_t d = 0; d != devices.devices.size(); ++d) {
    const DeviceTimeline &timeline = devices.devices[d];
    if (!selection.wantsDevice(timeline.device))
      continue;
    out.push_back({d, &timeline, &steps.devices[d], &selection});
    if (timeline.activities.empty())
      continue;
    if (!found) {
      auto selected = selectedWindow(rank, selection);
      if (!selected)
        return selected.takeError();
      window = *selected;
      found = true;
    }
    out.back().windows = windowsOf(timeline, steps.devices[d], selection, window);
  }
  return out;
}

llvm::Expected<std::vector<SelectedDevice>> heddle::selectedDevices(const Rank &rank,
                                                                    RankContext &context) {
  auto devices = context.get<DeviceUnion>();
  if (!devices)
    return devices.takeError();
  auto steps = context.get<Steps>();
  if (!steps)
    return steps.takeError();
  return selectedDevices(rank, **devices, **steps, context.selection());
}

/// "0, 3, 1009-1014".
static std::string listNumbers(const std::set<int64_t> &numbers) {
  std::vector<std::string> parts;
  for (auto it = numbers.begin(); it != numbers.end();) {
    int64_t first = *it, last = first;
    for (++it; it != numbers.end() && *it == last + 1; ++it)
      last = *it;
    parts.push_back(std::to_string(first) + (last > first ? "-" + std::to_string(last) : ""));
  }
  return llvm::join(parts, ", ");
}

std::vector<const DeviceActivity *> SelectedDevice::activities() const {
  bool bySteps = !selection->steps.empty();
  bool byWindow = selection->window || !selection->windowName.empty();
  std::vector<bool> wanted(steps->steps.size());
  std::vector<Interval> intervals;
  for (const ReportWindow &w : windows) {
    intervals.push_back(w.interval);
    if (w.isStep)
      wanted[w.index] = true;
  }
  IntervalSet inside = IntervalSet::unionOf(std::move(intervals));
  std::vector<const DeviceActivity *> out;
  for (size_t i = 0; i < timeline->activities.size(); ++i) {
    const DeviceActivity &a = timeline->activities[i];
    uint32_t step = steps->stepOf[i];
    if (bySteps && (step == DeviceSteps::kNone || !wanted[step]))
      continue;
    if (byWindow && !inside.contains(a.begin))
      continue;
    out.push_back(&a);
  }
  if (!bySteps && !byWindow)
    for (const DeviceActivity &a : timeline->excluded)
      out.push_back(&a);
  return out;
}

namespace {
/// What the ranks of a trace offer to a selection.
struct Offer {
  std::set<int64_t> devices, steps;
  std::optional<Interval> time; ///< Of hosts and devices.
  bool hasWindow = false;       ///< The one that is named.
  void widen(Interval i) {
    time = time ? Interval{std::min(time->begin, i.begin), std::max(time->end, i.end)} : i;
  }
};
} // namespace

static void findDevices(const Rank &rank, Offer &offer) {
  for (const Track &t : rank.tracks())
    if (t.key.family == Family::StreamWork && llvm::any_of(t.kinds, isDeviceWork))
      offer.devices.insert(t.device);
}

/// Steps of the host and of the devices that are wanted, and the time that is recorded.
static llvm::Error findSteps(const Rank &rank, const Selection &selection, const Limits &limits,
                             Offer &offer) {
  AnalysisCache cache(rank);
  auto devices = cache.get<DeviceUnion>(limits);
  if (!devices)
    return devices.takeError();
  auto steps = cache.get<Steps>(limits);
  if (!steps)
    return steps.takeError();
  if ((*devices)->hasHost)
    offer.widen((*devices)->hostRange);
  for (const StepMark &m : (*steps)->marks)
    offer.steps.insert(m.number);
  for (size_t d = 0; d != (*devices)->devices.size(); ++d) {
    const DeviceTimeline &device = (*devices)->devices[d];
    if (!device.activities.empty())
      offer.widen(device.range);
    if (selection.wantsDevice(device.device))
      for (const DeviceStep &s : (*steps)->devices[d].steps)
        offer.steps.insert(s.number);
  }
  return llvm::Error::success();
}

static std::string milliseconds(Time t) {
  char text[48];
  snprintf(text, sizeof text, "%.3fms", double(t.ns) / 1e6);
  return text;
}

std::string heddle::missingRange(llvm::ArrayRef<std::pair<int64_t, int64_t>> ranges,
                                 const std::set<int64_t> &there, llvm::StringRef option,
                                 llvm::StringRef what) {
  for (auto [lo, hi] : ranges) {
    auto first = there.lower_bound(lo);
    if (first != there.end() && *first <= hi)
      continue;
    std::string range = std::to_string(lo) + (lo == hi ? "" : "-" + std::to_string(hi));
    return (option + "=" + range + " selects no " + what + "; there is " +
            (there.empty() ? "none" : listNumbers(there)))
        .str();
  }
  return {};
}

/// What the rank offers; and of its window the error if it has none of the name.
static llvm::Error look(const Rank &rank, const Selection &selection, const Limits &limits,
                        Offer &offer, llvm::Error &noWindow) {
  findDevices(rank, offer);
  if (!selection.windowName.empty() && !offer.hasWindow) {
    auto window = namedWindow(rank, selection.windowName);
    offer.hasWindow = bool(window);
    llvm::Error why = window.takeError();
    if (noWindow)
      llvm::consumeError(std::move(why));
    else
      noWindow = std::move(why);
  }
  if (selection.steps.empty() && !selection.window)
    return llvm::Error::success();
  return findSteps(rank, selection, limits, offer);
}

llvm::Error heddle::checkSelection(const Trace &trace, const Selection &selection,
                                   const Limits &limits) {
  if (selection.devices.empty() && selection.windowName.empty() && selection.steps.empty() &&
      !selection.window)
    return llvm::Error::success();
  Offer offer;
  llvm::Error noWindow = llvm::Error::success();
  auto forget = llvm::make_scope_exit([&] { llvm::consumeError(std::move(noWindow)); });
  for (size_t i = 0; i != trace.ranks.size(); ++i) {
    llvm::Expected<RankHold> rank = trace.hold(i);
    if (!rank)
      return rank.takeError();
    if (llvm::Error e = look(**rank, selection, limits, offer, noWindow))
      return e;
  }
  if (offer.devices.empty())
    return llvm::Error::success();
  if (std::string why = missingRange(selection.devices, offer.devices, "--device", "device");
      !why.empty())
    return usageError("no-device", why);
  if (!selection.windowName.empty() && !offer.hasWindow)
    return noWindow;
  if (std::string why = missingRange(selection.steps, offer.steps, "--steps", "step"); !why.empty())
    return usageError("no-step", why);
  if (selection.window && offer.time && selection.window->meet(*offer.time).empty())
    return usageError("no-time", "--window lies outside the recording, which lasts " +
                                     milliseconds(offer.time->begin) + ".." +
                                     milliseconds(offer.time->end));
  return llvm::Error::success();
}
