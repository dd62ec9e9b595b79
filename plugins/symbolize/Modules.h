//===- Modules.h - Paths of nn.Modules --------------------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_PLUGINS_SYMBOLIZE_MODULES_H
#define HEDDLE_PLUGINS_SYMBOLIZE_MODULES_H

#include "heddle/Analysis/UserFrames.h"
#include "llvm/ADT/DenseMap.h"

namespace heddle::symbolize {

/// Names in names, each path once.
class PathTree {
public:
  static constexpr uint32_t kNone = PythonStacks::kNone;
  /// The path of `name` below another, or at the top.
  uint32_t child(uint32_t parent, llvm::StringRef name);
  uint32_t parent(uint32_t path) const { return paths[path].parent; }
  uint32_t size() const { return static_cast<uint32_t>(paths.size()); }
  /// "Net_0/Block_3/Linear_7"; of a path of more than 32 names, or 1,000 bytes, the innermost that
  /// fit, behind "...".
  std::string text(uint32_t path, bool *cut = nullptr) const;

private:
  struct Path {
    uint32_t parent;
    llvm::StringRef name;
  };
  std::vector<Path> paths; ///< Parents first.
  llvm::DenseMap<std::pair<uint32_t, llvm::StringRef>, uint32_t> index;
};

/// "Linear_7" without the number, which torch counts by class.
llvm::StringRef moduleClass(llvm::StringRef instance);

/// The modules of places: as instances ("Linear_7") and as classes ("Linear").
class Modules {
public:
  static constexpr uint32_t kNone = PythonStacks::kNone;
  Modules(const Rank &rank, const PythonStacks &stacks, const UserFrames &frames);

  PathTree instances, classes;
  /// The path in `instances` of a place, kNone if it is in no module.
  uint32_t instanceOf(const CodePlace &place);
  /// The path in `classes` of one in `instances`.
  uint32_t classOf(uint32_t instance) const { return classOfInstance[instance]; }

private:
  uint32_t add(uint32_t parent, llvm::StringRef name, llvm::StringRef className);
  const Rank &rank;
  const UserFrames &frames;
  std::vector<uint32_t> instanceOfNode; ///< By stack node; kNone where it is no module's.
  std::vector<uint32_t> classOfInstance;
};

} // namespace heddle::symbolize

#endif
