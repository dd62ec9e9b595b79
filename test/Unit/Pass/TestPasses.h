//===- TestPasses.h - Passes for tests of the pass manager ------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_TEST_UNIT_PASS_TESTPASSES_H
#define HEDDLE_TEST_UNIT_PASS_TESTPASSES_H

#include "heddle/Pass/PassManager.h"
#include "heddle/Pass/Pipeline.h"

namespace heddle::test {

/// Registers the passes of TestPasses.cpp:
///   t-count  rank check     counts events by name into a table; parameters of every type
///   t-note   rank check     a remark with evidence for each event that is longer than `min`
///   t-drop   rank rewrite   drops events of a name
///   t-liar   rank rewrite   renames an event, but declares structural changes only
///   t-throw  rank check     throws on the rank of number `on`
///   t-rogue  rank check     publishes what `what` says and it does not declare
///   t-needs  rank check     needs device work
///   t-sum    trace check    sums the rows of t-count
///   t-first  trace rewrite  leaves the first rank only
void addTestPasses(PassRegistry &registry);

/// A trace of `ranks` ranks whose events follow from the seed.
Trace makeTrace(unsigned ranks, unsigned seed, unsigned events = 200);

/// Every result as text, in order.
std::string dump(const Results &results);

/// The message of an error that must be there, with its column as "column: message".
std::string message(llvm::Error error);
ExitCode exitCode(llvm::Error error);

} // namespace heddle::test

#endif
