//===- Collectives.h - What ranks do together -------------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_GEN_COLLECTIVES_H
#define HEDDLE_GEN_COLLECTIVES_H

#include "Worker.h"

namespace heddle::gen {

/// Ranks that communicate with each other, as PyTorch names them.
struct ProcessGroup {
  std::string name = "0", description = "default_pg";
  std::vector<int64_t> ranks;
};

/// A collective that all members of a group run.
struct Collective {
  llvm::StringRef op = "c10d::allreduce_";
  llvm::StringRef annotation = "nccl:all_reduce";
  llvm::StringRef name = "allreduce"; ///< As its arguments call it.
  llvm::StringRef kernel;
  int64_t in = 0, out = 0; ///< Elements.
  int64_t transfer = 0;    ///< How long it takes once the last rank has come.
  unsigned thread = Worker::main;
};

/// Runs it: every member's kernel begins when its stream can, and all end when the last has come
/// and the transfer is done.
void runCollective(llvm::ArrayRef<Worker *> members, const ProcessGroup &group,
                   const Collective &what);

} // namespace heddle::gen

#endif
