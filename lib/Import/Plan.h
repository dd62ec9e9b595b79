//===- Plan.h - What becomes of the events of a layout ----------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// A plan belongs to a layout: it says of which kind its events are, on which family of tracks
/// they go, and where each of their values goes. It is made once a layout.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_IMPORT_PLAN_H
#define HEDDLE_LIB_IMPORT_PLAN_H

#include "heddle/IR/Names.h"
#include "heddle/IR/Rank.h"
#include "llvm/ADT/SmallVector.h"

namespace heddle::chrome {

/// A value of an event on its way into a column.
struct Value {
  int64_t number = 0;           ///< Int, Decimal: the mantissa. Bool: 0 / 1.
  llvm::StringRef text;         ///< String: decoded. List: canonical. Raw: as written.
  StringId id = StringId::None; ///< Of the text, where it is known already.
  ValueType type = ValueType::Null;
  uint8_t scale = 0;
};

/// Where a value goes.
enum class Use : uint8_t { Column, Name, Pid, Tid, Ts, Dur, Nothing };

/// What an event becomes. Begin and End make a span together, or an instant each.
enum class Form : uint8_t { Span, Instant, Counter, Flow, Begin, End, Loose };

/// Phases of asynchronous events: their lane is that of their category, not their thread's.
constexpr bool isAsyncPhase(char p) {
  return p == 'b' || p == 'e' || p == 'n' || p == 'S' || p == 'T' || p == 'p' || p == 'F';
}

/// Where the name decides about the kind, besides the category.
enum class Refine : uint8_t {
  None,
  DeviceKernel, ///< Copies and fills that run as kernels.
  MtiaEvent,    ///< Waits, copies and work share one category.
  Instant,      ///< [memory] and markers.
  NoCategory,   ///< The old profiler's pids "CPU functions" and "CUDA functions".
};

/// What the category says.
struct Class {
  EventKind kind = EventKind::Other;
  Family family = Family::ThreadWork;
  Refine refine = Refine::None;
};

struct Plan {
  LayoutId layout{};
  Form form = Form::Loose;
  Class what;
  struct Target {
    Use use = Use::Column;
    uint16_t column = 0; ///< Index of the layout's entry.
  };
  llvm::SmallVector<Target, 24> targets;   ///< One a value, in source order.
  int device = -1, stream = -1;            ///< Which value is args' device and stream, or -1.
  bool async = false;                      ///< Its events stand on an asynchronous lane.
  int pidValue = -1, id2 = -1, scope = -1; ///< Of those, where they are columns; or -1.
  uint32_t duplicates = 0;                 ///< Keys that stand twice.
  bool named = false, nullArgs = false, categorised = false;
  bool predictable = false; ///< Its begin and end follow from its Ts and Dur values.
  // The track of the last event: most of a layout's events share few.
  SourceId pid, tid;
  Family family = Family::ThreadWork;
  uint32_t track = UINT32_MAX;
  // The lane of the last asynchronous event.
  StringId laneScope = StringId::None;
  SourceId lane;
};

/// The first of two events that make a span, until its end is found. Times are the file's own.
struct Begin {
  int64_t at = 0;
  StringId name = StringId::Empty;
  uint32_t track = 0; ///< Of the span.
  uint32_t row = 0, seq = 0;
  LayoutId layout{};
  EventKind kind = EventKind::Other; ///< Of the span.
};

/// Kind, family and refinement of a category (compared without case). Names that other tools use
/// too ("kernel", "trace") count only where `kineto`: the document or the args look like Kineto's.
/// An unknown or absent category is Other on a thread.
Class classify(char phase, llvm::StringRef category, bool kineto);
/// Applies `what.refine` to one event of this name, whose text is `text`. `pid` is the text of a
/// string pid.
Class refine(Class what, NameFacts &names, StringId name, llvm::StringRef text,
             llvm::StringRef pid);
/// True for categories that PyTorch's profiler alone writes.
bool isKinetoCategory(llvm::StringRef category);

} // namespace heddle::chrome

#endif
