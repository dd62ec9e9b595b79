//===- heddle/Analysis/PythonStacks.h - Which Python code did it -*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// The Python stack of every op, annotation and API call, and through its launch of every device
/// activity.
///
///   * The stack of an event is the frame that began last on its thread, and its callers, as far as
///     they are open: a frame is over at its end, and when a caller is. What neither began last nor
///     calls that is over too: recorders leave C functions open until their own stop. The recorded
///     parent of a frame outranks time.
///   * Recorders before 1.12 kept no frames, but a text `Call stack` with some ops; an op without
///     one has that of the op around it. The lines in it are those of statements, the lines of
///     frames those where functions begin.
///   * What runs inside a backward op (FwdBwd edge; also the rest of its `autograd::engine::
///     evaluate_function`) has the stack of the forward op, unless a frame inside it is nearer.
///
/// Stacks are a tree: equal stacks are one node, and cost is linear in the frames, however deep.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_ANALYSIS_PYTHONSTACKS_H
#define HEDDLE_ANALYSIS_PYTHONSTACKS_H

#include "heddle/Analysis/Launches.h"
#include "heddle/Analysis/Nesting.h"

namespace heddle {

/// A frame and, through its parents, its callers.
struct StackNode {
  uint32_t parent = 0xffffffff; ///< Index of the caller, which is smaller; kNone at the bottom.
  uint32_t frame = 0;           ///< Index in PythonStacks::frames.
  bool statement = false;       ///< The line is that of a statement.
};

/// How the stack of an event is known, or why it is not.
enum class StackSource : uint8_t {
  Frames,        ///< Frames of its own thread.
  Argument,      ///< A recorded text.
  Forward,       ///< The forward op's.
  NoFrames,      ///< Its thread has no frames, and no op around it has a text.
  OutsideFrames, ///< Its thread has frames, but none is open when it begins.
  NoForward,     ///< A backward op whose forward op has no stack or is not in the recording.
};
/// True if there is a stack.
constexpr bool hasStack(StackSource s) { return s <= StackSource::Forward; }

/// What is known of the code that an event stems from.
struct CodePlace {
  uint32_t stack = 0xffffffff;   ///< Index in PythonStacks::nodes, or kNone.
  uint32_t forward = 0xffffffff; ///< The forward op's stack too, of a frame inside a backward op.
  /// Of `stack`: the name of the outermost op that runs straight in the innermost frame, or None.
  StringId op = StringId::None;
  /// The recorded `Module Hierarchy`, or None.
  StringId hierarchy = StringId::None;
  StackSource source = StackSource::NoFrames; ///< How `stack` is known.
  bool backward = false;                      ///< It runs in a backward op.
  friend bool operator==(const CodePlace &, const CodePlace &) = default;
};

/// O(events + length of the `Call stack` texts).
struct PythonStacks {
  static constexpr llvm::StringLiteral name = "python-stacks";
  static constexpr uint32_t inputs = Launches::inputs | Nesting::inputs;
  static constexpr unsigned version = 2;
  static constexpr bool summary = false;
  static llvm::Expected<PythonStacks> compute(const Rank &rank, AnalysisContext &context);

  static constexpr uint32_t kNone = 0xffffffff; ///< Stands for "no node" and "no place".
  std::vector<llvm::StringRef> frames;          ///< Distinct ones, as recorded.
  std::vector<StackNode> nodes;                 ///< Callers before what they call.
  std::vector<CodePlace> places;                ///< Distinct ones.
  /// By track and event: index in `places`, kNone for events of other kinds and for activities
  /// without a launch. Empty for tracks that are neither a thread's nor a stream's work.
  std::vector<std::vector<uint32_t>> placeOf;

  /// The place of an event, or null. O(1).
  const CodePlace *of(EventRef e) const {
    if (e.track >= placeOf.size() || e.index >= placeOf[e.track].size())
      return nullptr;
    uint32_t p = placeOf[e.track][e.index];
    return p == kNone ? nullptr : &places[p];
  }
};

} // namespace heddle

#endif
