//===- Statements.h - Which statement of a user frame it was ----*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_PLUGINS_SYMBOLIZE_STATEMENTS_H
#define HEDDLE_PLUGINS_SYMBOLIZE_STATEMENTS_H

#include "Sources.h"
#include "heddle/Analysis/PythonSource.h"
#include "heddle/Analysis/UserFrames.h"
#include "llvm/ADT/DenseMap.h"

namespace heddle::symbolize {

/// What became of functions and files.
struct StatementCounts {
  int64_t inferred = 0;     ///< Calls, by function and what it calls.
  int64_t ambiguous = 0;    ///< Likewise, with several statements.
  int64_t unnamed = 0;      ///< Likewise, with none.
  int64_t otherVersion = 0; ///< Files in which a function is not where it was recorded.
  int64_t notFound = 0;     ///< Files.
  int64_t refused = 0;      ///< Files.
};

/// Lines of statements that were inferred: of a user frame and what it calls, the only statement
/// that can have made the call.
class Statements {
public:
  /// Knows none.
  Statements() = default;
  /// O(nodes + places + length of the files).
  Statements(const Rank &rank, const PythonStacks &stacks, const UserFrames &frames,
             const FrameRule &rule, const SourceFolders &folders);
  /// The line of the statement of a place's user frame; 0 if there is none.
  uint32_t lineOf(const CodePlace &place) const;
  StatementCounts counts;

private:
  /// A frame, and the frame or op that it calls.
  struct Call {
    uint32_t frame = PythonStacks::kNone;
    uint64_t callee = 0; ///< A frame's index, or `kOp` and an op's name.
  };
  static constexpr uint64_t kOp = 1ull << 32;
  friend class StatementFinder;
  Call callOf(const CodePlace &place) const;

  const PythonStacks *stacks = nullptr;
  const UserFrames *frames = nullptr;
  /// By node: the node that its user frame calls on the way to it.
  std::vector<uint32_t> inward;
  llvm::DenseMap<std::pair<uint32_t, uint64_t>, uint32_t> lines;
};

} // namespace heddle::symbolize

#endif
