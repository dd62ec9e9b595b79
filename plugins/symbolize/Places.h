//===- Places.h - Where in the code events come from ------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_PLUGINS_SYMBOLIZE_PLACES_H
#define HEDDLE_PLUGINS_SYMBOLIZE_PLACES_H

#include "Modules.h"
#include "Statements.h"
#include "heddle/Pass/Pass.h"

namespace heddle::symbolize {

/// What is known of the code of a rank.
struct Code {
  const PythonStacks &stacks;
  const Launches &launches;
  const UserFrames &frames;
  Modules &modules;
  const Statements &statements;
};

/// Writes the columns `symbolize.module`, `symbolize.frame`, `symbolize.via` and, if `withStacks`,
/// `symbolize.stack`. Tracks without any such value get no column. O(events).
/// Returns how many paths of modules are cut.
llvm::Expected<int64_t> writePlaces(RankEditor &editor, const Code &code, bool withStacks);

/// The tables; `info` lists them: coverage, modules, code, stacks, host.
llvm::Error publishTables(const Rank &rank, RankContext &context, const Code &code,
                          llvm::ArrayRef<TableInfo> info, bool withStacks);

} // namespace heddle::symbolize

#endif
