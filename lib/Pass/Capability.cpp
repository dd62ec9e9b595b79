//===- Capability.cpp - What a recording can answer -----------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/Steps.h"
#include "heddle/IR/Names.h"
#include "heddle/Pass/Pass.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace heddle {

StringRef capabilityName(Capability c) {
  switch (c) {
  case Capability::DeviceWork:
    return "device work";
  case Capability::Launches:
    return "links from launches to device work";
  case Capability::CpuOps:
    return "CPU operators";
  case Capability::PythonStacks:
    return "Python stacks";
  case Capability::Shapes:
    return "shapes of operator inputs";
  case Capability::Memory:
    return "memory events";
  case Capability::Syncs:
    return "synchronisation rows of the device";
  case Capability::Steps:
    return "step marks";
  case Capability::Communication:
    return "communication";
  }
  llvm_unreachable("every capability has a name");
}

StringRef capabilityAdvice(Capability c) {
  switch (c) {
  case Capability::DeviceWork:
    return "record on a machine with a GPU, with activities=[ProfilerActivity.CPU, "
           "ProfilerActivity.CUDA]";
  case Capability::Launches:
    return "record host and device together: activities=[ProfilerActivity.CPU, "
           "ProfilerActivity.CUDA]";
  case Capability::CpuOps:
    return "record with ProfilerActivity.CPU among the activities";
  case Capability::PythonStacks:
    return "record with with_stack=True";
  case Capability::Shapes:
    return "record with record_shapes=True";
  case Capability::Memory:
    return "record with profile_memory=True";
  case Capability::Syncs:
    return "record with experimental_config=_ExperimentalConfig(enable_cuda_sync_events=True)";
  case Capability::Steps:
    return "record several steps with a schedule, and call prof.step() after each";
  case Capability::Communication:
    return "record a job of several ranks";
  }
  llvm_unreachable("every capability has advice");
}

/// Whether a track of this family has an event of one of these kinds.
static bool hasEvent(const Rank &rank, Family family, function_ref<bool(EventKind)> wanted) {
  return any_of(rank.tracks(),
                [&](const Track &t) { return t.key.family == family && any_of(t.kinds, wanted); });
}

/// Whether some event has one of these args, with a value that is not empty text.
static bool hasArg(const Rank &rank, ArrayRef<StringRef> keys) {
  for (StringRef key : keys) {
    std::optional<StringId> id = rank.strings().find(key);
    if (!id)
      continue;
    for (const LayoutStore &store : rank.layouts()) {
      int entry = store.layout.find(Scope::Args, *id);
      if (entry < 0 || store.rows == 0)
        continue;
      const Column &column = store.columns[entry];
      if (column.type != ValueType::String ||
          any_of(column.strings, [](StringId s) { return s != StringId::Empty; }))
        return true;
    }
  }
  return false;
}

/// Whether an event of these kinds has a name of which `wanted` is true; asks once per name.
static bool hasName(const Rank &rank, function_ref<bool(EventKind)> kinds,
                    function_ref<bool(StringRef)> wanted) {
  std::vector<bool> asked(rank.strings().size());
  for (const Track &t : rank.tracks())
    for (uint32_t i = 0, e = t.size(); i != e; ++i) {
      auto id = static_cast<uint32_t>(t.names[i]);
      if (id >= asked.size() || asked[id] || !kinds(t.kinds[i]))
        continue;
      asked[id] = true;
      if (wanted(rank.str(t.names[i])))
        return true;
    }
  return false;
}

bool hasCapability(const Rank &rank, Capability c) {
  switch (c) {
  case Capability::DeviceWork:
    return hasEvent(rank, Family::StreamWork, isDeviceWork);
  case Capability::Launches: // edges are sorted by kind, and launches come first
    return !rank.edges().empty() && rank.edges().front().kind == EdgeKind::Launch;
  case Capability::CpuOps:
    return hasEvent(rank, Family::ThreadWork, [](EventKind k) { return k == EventKind::CpuOp; });
  case Capability::PythonStacks: // recorders before 1.12 kept texts alone
    return hasEvent(rank, Family::ThreadPython, [](EventKind) { return true; }) ||
           hasArg(rank, {"Call stack"});
  case Capability::Shapes:
    return hasArg(rank, {"Input Dims", "Input dims"});
  case Capability::Memory:
    return any_of(rank.tracks(),
                  [](const Track &t) { return is_contained(t.kinds, EventKind::Memory); });
  case Capability::Syncs:
    return hasEvent(rank, Family::StreamSync, [](EventKind k) { return k == EventKind::Sync; });
  case Capability::Steps: // some recorders call their marks ops
    return hasName(
        rank, [](EventKind k) { return k == EventKind::Annotation || k == EventKind::CpuOp; },
        [](StringRef name) { return isStepMarkName(name) || name.starts_with("Optimizer.step#"); });
  case Capability::Communication:
    return hasArg(rank, {"Collective name"}) ||
           hasName(
               rank,
               [](EventKind k) {
                 return k == EventKind::Kernel || k == EventKind::Annotation ||
                        k == EventKind::Comm;
               },
               [](StringRef name) {
                 return nameIs(NameFact::Communicates, name) || nameIs(NameFact::AsyncSpan, name);
               });
  }
  llvm_unreachable("every capability is looked for");
}

} // namespace heddle
