//===- Windows.cpp - The windows a pass reports on ------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "heddle/Pass/Windows.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>

using namespace heddle;

static bool mayName(EventKind k) { return k == EventKind::Annotation || k == EventKind::CpuOp; }

/// The span of the first annotation or op of this name on a host thread.
static llvm::Expected<Interval> namedWindow(const Rank &rank, llvm::StringRef name) {
  std::optional<StringId> id = rank.strings().find(name);
  std::optional<Interval> found;
  llvm::StringRef nearest;
  unsigned distance = std::max<size_t>(3, name.size() / 3) + 1;
  std::vector<bool> seen(rank.strings().size());
  for (const Track &track : rank.tracks()) {
    if (track.key.family != Family::ThreadWork)
      continue;
    for (uint32_t i = 0; i < track.size(); ++i) {
      if (!mayName(track.kinds[i]))
        continue;
      if (id && track.names[i] == *id) {
        if (!found || track.begin[i] < found->begin)
          found = track.interval(i);
        break; // A track is sorted by begin.
      }
      if (id || track.kinds[i] != EventKind::Annotation)
        continue;
      auto n = static_cast<uint32_t>(track.names[i]);
      if (seen[n])
        continue;
      seen[n] = true;
      llvm::StringRef other = rank.str(track.names[i]);
      if (unsigned d = name.edit_distance(other, true, distance); d < distance) {
        distance = d;
        nearest = other;
      }
    }
  }
  if (found)
    return *found;
  return usageError("unknown-window",
                    "no annotation or op '" + name + "' for --window" +
                        (nearest.empty() ? llvm::Twine() : "; did you mean '" + nearest + "'?"));
}

llvm::Expected<std::vector<ReportWindow>> heddle::reportWindows(const Rank &rank,
                                                                const DeviceTimeline &timeline,
                                                                const DeviceSteps &steps,
                                                                const Selection &selection) {
  std::vector<ReportWindow> windows;
  if (!selection.wantsDevice(timeline.device) || timeline.activities.empty())
    return windows;
  std::optional<Interval> window = selection.window;
  if (!selection.windowName.empty()) {
    auto named = namedWindow(rank, selection.windowName);
    if (!named)
      return named.takeError();
    window = *named;
  }
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
