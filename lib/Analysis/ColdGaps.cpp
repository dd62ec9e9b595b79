//===- ColdGaps.cpp - Gaps before first uses ------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/Analysis/ColdGaps.h"
#include "llvm/ADT/DenseSet.h"

using namespace heddle;

bool heddle::isLaunchWait(IdleCause c) {
  switch (c) {
  case IdleCause::Host:
  case IdleCause::Unobserved:
  case IdleCause::LaunchCall:
  case IdleCause::Gc:
  case IdleCause::Alloc:
  case IdleCause::Compile:
    return true;
  case IdleCause::Sync:
  case IdleCause::AfterSync:
  case IdleCause::Input:
  case IdleCause::Dependency:
  case IdleCause::LaunchLatency:
  case IdleCause::KernelToKernel:
  case IdleCause::Unrecorded:
    return false;
  }
  return false;
}

static std::vector<bool> coldGaps(const Rank &rank, const DeviceTimeline &device,
                                  const DeviceIdle &idle) {
  auto nameOf = [&](uint32_t activity) {
    EventRef e = device.activities[activity].event;
    return static_cast<uint32_t>(rank.track(e.track).names[e.index]);
  };
  std::vector<bool> cold;
  cold.reserve(idle.gaps.size());
  llvm::DenseSet<uint32_t> seen; // `endedBy` counts up: the names of all activities before it.
  uint32_t next = 0;
  for (const IdleGap &gap : idle.gaps) {
    for (; next < gap.endedBy; ++next)
      seen.insert(nameOf(next));
    Duration wait;
    for (const IdlePart &p : idle.partsOf(gap))
      if (isLaunchWait(p.cause))
        wait += p.interval.length();
    Duration length = gap.interval.length();
    cold.push_back(!gap.leadIn && length >= kLongGap && wait.ns > length.ns / 2 &&
                   !seen.contains(nameOf(gap.endedBy)));
  }
  return cold;
}

llvm::Expected<ColdGaps> ColdGaps::compute(const Rank &rank, AnalysisContext &context) {
  auto devices = context.get<DeviceUnion>();
  if (!devices)
    return devices.takeError();
  auto causes = context.get<IdleCauses>();
  if (!causes)
    return causes.takeError();
  ColdGaps result;
  for (size_t d = 0; d != (*devices)->devices.size(); ++d)
    result.devices.push_back(coldGaps(rank, (*devices)->devices[d], (*causes)->devices[d]));
  return result;
}
