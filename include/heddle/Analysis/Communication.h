//===- heddle/Analysis/Communication.h - What a device works on -*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// The one place that decides whether a device activity computes, communicates or copies.
/// In this order, the first that applies:
///   1. a copy copies, a fill computes;
///   2. a kernel whose name is that of a copy, or whose launch is a call that copies, copies; with
///      the name of a fill, or launched by a call that fills, it computes (some recorders call both
///      kernels);
///   3. a kernel with the arguments of a collective (`Collective name`, `Process Group Name`)
///      communicates;
///   4. a kernel whose name holds the name of a communication library or of a kernel known to
///      communicate does too, whatever its letters' case;
///   5. every other kernel computes.
/// The names are those of the table of heddle/IR/Names.h.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_ANALYSIS_COMMUNICATION_H
#define HEDDLE_ANALYSIS_COMMUNICATION_H

#include "heddle/IR/Names.h"
#include "heddle/IR/Rank.h"

namespace heddle {

/// What an activity does with its device.
enum class WorkClass : uint8_t {
  Compute,       ///< Kernels that do not communicate, and fills.
  Communication, ///< Collectives and point-to-point transfers.
  Copy,          ///< Copies between memories.
};

/// Classifies the activities of one rank; remembers what it found out about a name, so that an
/// activity costs O(1). Holds a reference to the rank. Not thread-safe.
class WorkClassifier {
public:
  explicit WorkClassifier(const Rank &rank);
  /// The class of event `i` of `t`, which must be device work. `launchName` is the name of the API
  /// call that launched it, None if there is none.
  WorkClass classify(const Track &t, uint32_t i, StringId launchName);

private:
  AttrReader collective, group;
  NameFacts names;
};

} // namespace heddle

#endif
