//===- heddle/Pass/HostSelection.h - Which host events to count -*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_PASS_HOSTSELECTION_H
#define HEDDLE_PASS_HOSTSELECTION_H

#include "heddle/Analysis/IntervalSet.h"
#include "heddle/Pass/Pass.h"

namespace heddle {

/// The host times that the user selected, by --steps and --window; nullopt for everything.
llvm::Expected<std::optional<IntervalSet>> selectedHostTimes(const Rank &rank,
                                                             RankContext &context);

} // namespace heddle

#endif
