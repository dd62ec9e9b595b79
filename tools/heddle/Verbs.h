//===- Verbs.h - What the command can do ------------------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// One function a verb; argv[0] is the verb. Each returns the process's exit code.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_TOOLS_HEDDLE_VERBS_H
#define HEDDLE_TOOLS_HEDDLE_VERBS_H

namespace heddle {

int runOpt(int argc, char **argv);
int runReport(int argc, char **argv);
int runInfo(int argc, char **argv);
int runPasses(int argc, char **argv);
int runOpen(int argc, char **argv);
int runReduce(int argc, char **argv);
int runRecover(int argc, char **argv);

} // namespace heddle

#endif
