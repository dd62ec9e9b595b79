//===- Collectives.h - What ranks do together -------------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_GEN_COLLECTIVES_H
#define HEDDLE_GEN_COLLECTIVES_H

#include "Worker.h"

namespace heddle::gen {

/// A collective that all members of a group run.
struct Collective {
  llvm::StringRef op = "c10d::allreduce_";
  llvm::StringRef annotation = "nccl:all_reduce";
  llvm::StringRef name = "allreduce"; ///< As its arguments call it.
  llvm::StringRef kernel;
  int64_t in = 0, out = 0; ///< Elements.
  int64_t transfer = 0;    ///< How long it takes once the last rank has come.
  unsigned thread = Worker::main;
  bool onCompute = false; ///< On the stream that computes, whatever others there are.
};

/// The groups of a job of this many ranks: all of them, those that share a layer, and those that
/// have the same part of it.
std::vector<ProcessGroup> processGroups(const Options &options);

/// Runs it: every member's kernel begins when its stream can, and all end when the last has come
/// and the transfer is done.
void runCollective(llvm::ArrayRef<std::unique_ptr<Worker>> workers, ProcessGroup &group,
                   const Collective &what);

} // namespace heddle::gen

#endif
