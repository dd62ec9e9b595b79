//===- Classify.cpp - From categories to kinds ----------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Plan.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace heddle::chrome {
namespace {

struct Rule {
  StringLiteral category; ///< Lower case.
  EventKind kind;
  Family family;
  bool common = false; ///< Other tools use the word as well.
  Refine refine = Refine::None;
};

// All categories that PyTorch has written since 1.8, and those of its device plug-ins.
constexpr Rule rules[] = {
    {"cpu_op", EventKind::CpuOp, Family::ThreadWork},
    {"operator", EventKind::CpuOp, Family::ThreadWork, true},
    {"user_annotation", EventKind::Annotation, Family::ThreadWork},
    {"user", EventKind::Annotation, Family::ThreadWork, true},
    {"cuda_runtime", EventKind::Runtime, Family::ThreadWork},
    {"xpu_runtime", EventKind::Runtime, Family::ThreadWork},
    {"mtia_runtime", EventKind::Runtime, Family::ThreadWork},
    {"glow_runtime", EventKind::Runtime, Family::ThreadWork},
    {"privateuse1_runtime", EventKind::Runtime, Family::ThreadWork},
    {"runtime", EventKind::Runtime, Family::ThreadWork, true},
    {"cuda_driver", EventKind::Driver, Family::ThreadWork},
    {"xpu_driver", EventKind::Driver, Family::ThreadWork},
    {"privateuse1_driver", EventKind::Driver, Family::ThreadWork},
    {"kernel", EventKind::Kernel, Family::StreamWork, true, Refine::DeviceKernel},
    {"hpu_op", EventKind::Kernel, Family::StreamWork},
    {"gpu_memcpy", EventKind::Memcpy, Family::StreamWork},
    {"memcpy", EventKind::Memcpy, Family::StreamWork, true},
    {"gpu_memset", EventKind::Memset, Family::StreamWork},
    {"memset", EventKind::Memset, Family::StreamWork, true},
    {"mtia_ccp_events", EventKind::Kernel, Family::StreamWork, false, Refine::MtiaEvent},
    {"mtia_insight", EventKind::Other, Family::StreamMarker},
    {"mtia_workloadd", EventKind::Other, Family::StreamMarker},
    {"gpu_user_annotation", EventKind::Annotation, Family::StreamAnnotation},
    {"cuda_sync", EventKind::Sync, Family::StreamSync},
    {"xpu_sync", EventKind::Sync, Family::StreamSync},
    {"cuda_event", EventKind::DeviceEvent, Family::StreamSync},
    {"python_function", EventKind::Python, Family::ThreadPython},
    {"cpu_instant_event", EventKind::Marker, Family::ThreadMarker, false, Refine::Instant},
    {"collective_comm", EventKind::Comm, Family::ThreadWork},
    {"overhead", EventKind::Overhead, Family::Overhead, true},
    {"trace", EventKind::Window, Family::Window, true},
    {"cuda_profiler_range", EventKind::Other, Family::Window},
    {"heddle", EventKind::Window, Family::Window, true}, // findings in an export for viewers
};

const Rule *find(StringRef category) {
  const Rule *r =
      find_if(rules, [&](const Rule &r) { return category.equals_insensitive(r.category); });
  return r == std::end(rules) ? nullptr : r;
}

} // namespace

bool isKinetoCategory(StringRef category) {
  const Rule *r = find(category);
  return r && !r->common;
}

Class classify(char phase, StringRef category, bool kineto) {
  if (phase == 'C')
    return {EventKind::Counter, Family::Counter, Refine::None};
  if (isAsyncPhase(phase))
    return {phase == 'b' || phase == 'S' ? EventKind::Other : EventKind::Marker, Family::Async,
            Refine::None};
  const Rule *r = find(category);
  if (r && r->common && !kineto)
    r = nullptr;
  if (phase != 'X' && phase != 'B') {
    bool device = r && isStream(r->family);
    return {EventKind::Marker, device ? Family::StreamMarker : Family::ThreadMarker,
            Refine::Instant};
  }
  if (!r)
    return {EventKind::Other, Family::ThreadWork,
            category.empty() ? Refine::NoCategory : Refine::None};
  return {r->kind, r->family, r->refine};
}

Class refine(Class what, NameFacts &names, StringId name, StringRef text, StringRef pid) {
  switch (what.refine) {
  case Refine::None:
    break;
  case Refine::DeviceKernel:
    if (names.is(NameFact::CopyKernel, name))
      what.kind = EventKind::Memcpy;
    else if (names.is(NameFact::FillKernel, name))
      what.kind = EventKind::Memset;
    break;
  case Refine::MtiaEvent:
    if (names.is(NameFact::MtiaOrder, name))
      what = {EventKind::Sync, Family::StreamSync, Refine::None};
    else if (names.is(NameFact::MtiaCopy, name))
      what.kind = EventKind::Memcpy;
    break;
  case Refine::Instant:
    if (text == "[memory]" || text == "[OutOfMemory]")
      what.kind = EventKind::Memory;
    break;
  case Refine::NoCategory:
    if (pid == "CPU functions")
      what.kind = EventKind::CpuOp;
    else if (pid == "CUDA functions")
      what = {EventKind::Kernel, Family::StreamWork, Refine::None};
    break;
  }
  return what;
}

} // namespace heddle::chrome
