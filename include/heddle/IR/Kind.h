//===- heddle/IR/Kind.h - Normalised kinds of events and tracks -*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// What an event is, whatever the producer called it. The source's own category stays in the
/// event's layout.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_IR_KIND_H
#define HEDDLE_IR_KIND_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace heddle {

/// The kind of an event. The spelling in .ht text is `kindName`.
enum class EventKind : uint8_t {
  CpuOp,       ///< cpu_op: an operator on a host thread.
  Annotation,  ///< annotation: record_function, ProfilerStep#, NVTX; host or device copy.
  Runtime,     ///< runtime: CUDA / HIP / XPU / MTIA runtime API call.
  Driver,      ///< driver: driver API call.
  Kernel,      ///< kernel: device kernel.
  Memcpy,      ///< memcpy: device copy.
  Memset,      ///< memset: device fill.
  Sync,        ///< sync: cuda_sync row on a device (no work).
  DeviceEvent, ///< event: a recorded device event (no work).
  Python,      ///< python: python_function frame.
  Overhead,    ///< overhead: the recorder's own cost.
  Memory,      ///< memory: allocator instant ([memory], [OutOfMemory]).
  Comm,        ///< comm: collective_comm span on the host.
  Window,      ///< window: cat Trace span, the recorder's own window. Never work.
  Marker,      ///< marker: an instant that is nothing else.
  Counter,     ///< counter: a sample of one or more series.
  Other,       ///< A source category outside this list; spelled as that category, quoted.
};
/// How many there are.
inline constexpr unsigned kNumEventKinds = static_cast<unsigned>(EventKind::Other) + 1;

/// The spelling in .ht text: cpu_op, annotation, runtime, ...
llvm::StringRef kindName(EventKind kind);
/// The kind of that spelling, or nullopt.
std::optional<EventKind> parseKind(llvm::StringRef name);

/// True for what occupies a device: kernels, copies, fills.
constexpr bool isDeviceWork(EventKind k) {
  return k == EventKind::Kernel || k == EventKind::Memcpy || k == EventKind::Memset;
}
/// True for runtime and driver API calls.
constexpr bool isApiCall(EventKind k) { return k == EventKind::Runtime || k == EventKind::Driver; }

/// A track's family keeps apart what recorders put on one row. Together with (pid, tid) it is the
/// track's key.
enum class Family : uint8_t {
  ThreadWork,       ///< Host thread: ops, annotations, API calls, foreign spans.
  ThreadPython,     ///< Host thread: Python frames.
  ThreadMarker,     ///< Host thread: instants, memory events.
  StreamWork,       ///< Device stream: kernels, copies, fills.
  StreamAnnotation, ///< Device stream: device copies of annotations.
  StreamSync,       ///< Device stream: sync rows and recorded events.
  StreamMarker,     ///< Device stream: instants.
  Overhead,         ///< The recorder's own rows.
  Window,           ///< The recorder's window spans.
  Counter,          ///< Counters of a process.
  Async, ///< Asynchronous spans and instants of a process, by category: no thread's work. Spans may
         ///< overlap in any way.
};
/// How many there are.
inline constexpr unsigned kNumFamilies = static_cast<unsigned>(Family::Async) + 1;

/// True for rows of device streams.
constexpr bool isStream(Family f) { return f >= Family::StreamWork && f <= Family::StreamMarker; }
/// True for rows of host threads.
constexpr bool isThread(Family f) { return f <= Family::ThreadMarker; }
/// kebab-case: thread, thread-python, thread-marker, stream, stream-annotation, ...
llvm::StringRef familyName(Family f);
/// The family of that spelling, or nullopt.
std::optional<Family> parseFamily(llvm::StringRef name);

} // namespace heddle

#endif
