//===- Places.cpp - Which events lie where one looks ----------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "Places.h"
#include "heddle/Analysis/Steps.h"
#include "heddle/Pass/Windows.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace heddle;
using namespace heddle::select;

namespace {

using Intervals = std::vector<Interval>;

/// An instant, or an empty span, lies where its begin does.
Interval extent(const Track &track, uint32_t i) {
  Interval span = track.interval(i);
  return {span.begin, std::max(span.end, span.begin + Duration{1})};
}

bool wantsStream(const Wanted &wanted, const Track &track) {
  return wanted.wantsDevice(track.device) &&
         (wanted.streams.empty() || llvm::any_of(wanted.streams, [&](auto range) {
            return range.first <= track.stream && track.stream <= range.second;
          }));
}

/// "device 0 stream 7, device 0 stream 20", or "none".
std::string streamsOf(const Rank &rank) {
  std::set<std::pair<int64_t, int64_t>> streams;
  for (const Track &t : rank.tracks())
    if (isStream(t.key.family))
      streams.insert({t.device, t.stream});
  std::string out;
  for (auto [device, stream] : streams) {
    if (out.size() > 100)
      return out + ", ...";
    out += (out.empty() ? "device " : ", device ") + std::to_string(device) + " stream " +
           std::to_string(stream);
  }
  return out.empty() ? "none" : out;
}

/// When events count.
struct Times {
  IntervalSet host;
  std::map<int64_t, IntervalSet> devices; ///< Of those that have steps; others go by the host's.
  std::vector<EventRef> inSteps;          ///< Device work that was launched in a step.
  std::vector<EventRef> otherMarks;       ///< Of steps that are not asked for.

  const IntervalSet &of(const Track &track) const {
    auto it = isStream(track.key.family) ? devices.find(track.device) : devices.end();
    return it == devices.end() ? host : it->second;
  }
};

} // namespace

/// Adds the steps that are wanted, cut to `window`. What there is if none is.
static llvm::Expected<std::string> findSteps(RankContext &context, const Wanted &wanted,
                                             std::optional<Interval> window, Times &times) {
  auto devices = context.get<DeviceUnion>();
  if (!devices)
    return devices.takeError();
  auto steps = context.get<Steps>();
  if (!steps)
    return steps.takeError();
  auto cut = [&](Interval i) { return window ? i.meet(*window) : i; };
  std::set<int64_t> numbers;
  for (const StepMark &m : (*steps)->marks)
    numbers.insert(m.number);
  for (const DeviceSteps &d : (*steps)->devices)
    for (const DeviceStep &s : d.steps)
      numbers.insert(s.number);
  Intervals host;
  bool any = false;
  for (const StepMark &m : (*steps)->marks)
    if (wanted.wantsStep(m.number)) {
      any = true;
      host.push_back(cut(m.interval));
    } else if ((*steps)->source != StepSource::Optimizer) { // its spans do more than mark
      times.otherMarks.push_back(m.event);
    }
  for (size_t d = 0; d != (*devices)->devices.size(); ++d) {
    const DeviceTimeline &timeline = (*devices)->devices[d];
    const DeviceSteps &own = (*steps)->devices[d];
    Intervals windows;
    for (const DeviceStep &s : own.steps)
      if (wanted.wantsStep(s.number)) {
        any = true;
        windows.push_back(cut(s.window));
        if (wanted.wantsDevice(timeline.device))
          host.push_back(windows.back());
      }
    for (size_t a = 0; a != timeline.activities.size(); ++a) {
      uint32_t s = own.stepOf[a];
      const DeviceActivity &activity = timeline.activities[a];
      if (s != DeviceSteps::kNone && wanted.wantsStep(own.steps[s].number) &&
          (!window || !activity.interval().meet(*window).empty()))
        times.inSteps.push_back(activity.event);
    }
    times.devices[timeline.device] = IntervalSet::unionOf(std::move(windows));
  }
  times.host = IntervalSet::unionOf(std::move(host));
  if (any)
    return missingRange(wanted.steps, numbers, "steps", "step");
  std::string there;
  for (const StepMark &m : (*steps)->marks)
    if (there.size() < 60)
      there += (there.empty() ? "" : ", ") + std::to_string(m.number);
    else if (!llvm::StringRef(there).ends_with("..."))
      there += ", ...";
  return "this rank has none of these steps; it has " + (there.empty() ? "none" : there);
}

/// Keeps the calls that launched what stays, and the spans of their threads around them.
static void keepLaunches(const Rank &rank, Places &places) {
  std::map<std::pair<SourceId, SourceId>, Intervals> around;
  for (const Edge &e : rank.edges()) {
    if (e.kind != EdgeKind::Launch || !places.kept[e.to.track][e.to.index] ||
        places.kept[e.from.track][e.from.index])
      continue;
    places.kept[e.from.track][e.from.index] = true;
    ++places.launches;
    const Track &track = rank.track(e.from.track);
    around[{track.key.pid, track.key.tid}].push_back(extent(track, e.from.index));
  }
  if (around.empty())
    return;
  std::map<std::pair<SourceId, SourceId>, IntervalSet> sets;
  for (auto &[thread, list] : around)
    sets[thread] = IntervalSet::unionOf(std::move(list));
  for (uint32_t t = 0; t != rank.tracks().size(); ++t) {
    const Track &track = rank.track(t);
    auto it = isHostTrack(track) ? sets.find({track.key.pid, track.key.tid}) : sets.end();
    if (it == sets.end())
      continue;
    for (uint32_t i = 0; i != track.size(); ++i)
      if (!places.kept[t][i] && it->second.overlaps(extent(track, i)))
        places.kept[t][i] = true;
  }
}

llvm::Expected<Places> select::findPlaces(const Rank &rank, RankContext &context,
                                          const Wanted &wanted) {
  Places places;
  places.limited = wanted.times();
  Times times;
  std::optional<Interval> window;
  if (auto selected = selectedWindow(rank, wanted)) {
    window = *selected;
  } else {
    // The name may be one that anonymize has taken out of the trace: a remark does not bring it
    // back.
    llvm::consumeError(selected.takeError());
    std::string nearest = nearestWindow(rank, wanted.windowName).str();
    places.missing = "no annotation or op has the name that window= gives" +
                     (nearest.empty() ? "" : "; did you mean '" + nearest + "'?");
  }
  if (places.missing.empty() && !wanted.steps.empty()) {
    auto missing = findSteps(context, wanted, window, times);
    if (!missing)
      return missing.takeError();
    places.missing = std::move(*missing);
  } else if (window) {
    times.host = IntervalSet::unionOf({*window});
  }

  bool anyStream = false;
  for (const Track &track : rank.tracks()) {
    bool wantsTrack = !isStream(track.key.family) || wantsStream(wanted, track);
    anyStream |= wantsTrack && isStream(track.key.family);
    std::vector<bool> kept(track.size(), wantsTrack && !places.limited);
    if (wantsTrack && places.limited)
      for (uint32_t i = 0; i != track.size(); ++i)
        kept[i] = times.of(track).overlaps(extent(track, i));
    places.kept.push_back(std::move(kept));
  }
  for (EventRef e : times.inSteps)
    if (wantsStream(wanted, rank.track(e.track)))
      places.kept[e.track][e.index] = true;
  if (!anyStream && (!wanted.devices.empty() || !wanted.streams.empty()) && places.missing.empty())
    places.missing = "this rank has none of these devices or streams; it has " + streamsOf(rank);
  places.host = std::move(times.host);
  if (places.limited)
    keepLaunches(rank, places);
  for (EventRef e : times.otherMarks)
    places.kept[e.track][e.index] = false;
  return places;
}
