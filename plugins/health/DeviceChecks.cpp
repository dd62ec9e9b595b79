//===- DeviceChecks.cpp - The activities of the devices --------------------- ===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Checks.h"
#include "heddle/Lower/ReportText.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace heddle::health {

void checkDevices(const Recording &recording, const RankFacts &facts, const HealthFacts &health,
                  std::vector<Check> &out) {
  if (!facts.activities)
    return;
  int64_t activities = integer(facts.activities), launched = integer(facts.launched);
  int64_t missing = partsPerMillion(activities - launched, activities);
  Check links{
      "links",
      Status::Ok,
      launched,
      activities,
      "events",
      countText(launched) + " of " + countText(activities) + " GPU activities have a launch",
      {}};
  if (missing > kLinksPpm)
    links.status = missing > kLinksFailPpm ? Status::Fail : Status::Warn;
  if (facts.graphLaunches)
    links.message += " (" + countText(integer(facts.graphActivities)) + " of " +
                     plural(integer(facts.graphLaunches), "graph launch") + ")";
  out.push_back(std::move(links));

  Duration without, work, overlapTime;
  uint64_t overlapping = 0, oneNs = 0, gaps = 0;
  bool swallowed = false;
  for (const DeviceFacts &d : facts.devices) {
    without += d.withoutLaunchTime;
    work += d.workTime;
    overlapTime += d.overlapTime;
    overlapping += d.overlapping;
    swallowed |= d.gapsSwallowed;
    oneNs += d.oneNsGaps;
    gaps += d.streamGaps;
  }
  if (without.ns) {
    bool warn = partsPerMillion(without.ns, work.ns) > kLinksPpm;
    out.push_back({"unrecorded", warn ? Status::Warn : Status::Ok, without.ns, work.ns, "ns",
                   share(without.ns, work.ns) + " of GPU time (" + timeText(without.ns) +
                       ") has no launch in the file",
                   warn ? "record from before the first launch" : ""});
  }
  if (health.withoutWork && !health.captures) {
    bool warn =
        partsPerMillion(integer(health.withoutWork), integer(health.launchCalls)) > kLostPpm;
    out.push_back({"lost-work", warn ? Status::Warn : Status::Ok, integer(health.withoutWork),
                   integer(health.launchCalls), "events",
                   countText(integer(health.withoutWork)) + " of " +
                       countText(integer(health.launchCalls)) +
                       " launch calls have no GPU activity in the file",
                   warn ? "end the recording after torch.cuda.synchronize()" : ""});
  }
  if (facts.beforeLaunch) {
    bool warn = partsPerMillion(integer(facts.beforeLaunch), launched) > kLinksPpm;
    out.push_back(
        {"order",
         warn ? Status::Warn : Status::Ok,
         integer(facts.beforeLaunch),
         launched,
         "events",
         countText(integer(facts.beforeLaunch)) + " begin before their launch does (clocks)",
         {}});
  } else if (launched) {
    out.push_back(
        {"order", Status::Ok, 0, launched, "events", "none begins before its launch", {}});
  }
  if (overlapping) {
    bool warn = partsPerMillion(overlapTime.ns, work.ns) > kOverlapPpm;
    StringRef why = recording.integerMicroseconds      ? "rounding, "
                    : recording.vendor == Vendor::Cuda ? "PDL?, "
                                                       : "";
    out.push_back({"overlap",
                   warn ? Status::Warn : Status::Ok,
                   integer(overlapping),
                   activities,
                   "events",
                   countText(integer(overlapping)) +
                       " begin before their predecessor on the stream ends (" + why.str() +
                       timeText(overlapTime.ns) + ")",
                   {}});
  }
  if (swallowed)
    out.push_back({"rocm-gaps",
                   Status::Warn,
                   integer(oneNs),
                   integer(gaps),
                   "events",
                   "busy time is an upper bound: " + countText(integer(oneNs)) + " of " +
                       countText(integer(gaps)) +
                       " gaps within a stream are exactly 1 ns, so a queued kernel's duration "
                       "holds the gap before it",
                   {}});
  if (facts.graphActivities && !health.captures) {
    bool warn = partsPerMillion(integer(facts.graphActivities), activities) > kGraphsPpm;
    if (warn)
      out.push_back({"graphs", Status::Warn, integer(facts.graphActivities), activities, "events",
                     share(integer(facts.graphActivities), activities) +
                         " of GPU activities are replayed by graphs whose capture is not in the "
                         "file: no op says what they do",
                     "record the capture too, in a file of its own"});
  }
  if (health.communications) {
    bool some = health.withCollectiveArgs;
    out.push_back({"collective-args", some ? Status::Ok : Status::Unknown,
                   integer(health.withCollectiveArgs), integer(health.communications), "events",
                   some ? countText(integer(health.withCollectiveArgs)) + " of " +
                              plural(integer(health.communications), "communication activity") +
                              " say which collective"
                        : std::string("sizes of collectives: not recorded"),
                   some ? "" : "record with PyTorch 2.4 or later, record_shapes=True"});
  }
}

} // namespace heddle::health
