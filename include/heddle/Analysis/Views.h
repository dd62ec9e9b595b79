//===- heddle/Analysis/Views.h - Attributes of device work, as meant -*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// The arguments of kernels and copies as recorders mean them: units of grids by the call that
/// launched them, figures that stand for "unknown" left out. The rows stay as they were read.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_ANALYSIS_VIEWS_H
#define HEDDLE_ANALYSIS_VIEWS_H

#include "heddle/IR/Names.h"
#include "heddle/IR/Rank.h"

namespace heddle {

/// Reads kernels of one rank. Holds a reference to it. Not thread-safe.
class KernelView {
public:
  explicit KernelView(const Rank &rank);

  /// Thread blocks of the kernel's launch. `launchName` is the name of the call that launched it,
  /// None if there is none: some of ROCm's calls, and so the kernel's `grid`, count work items.
  /// nullopt where grid or block are absent or no three positive numbers, or the unit is not known
  /// for lack of a call.
  std::optional<int64_t> blocks(const Track &t, uint32_t i, StringId launchName);
  /// The recorder's estimate of how much of the device the launch can occupy, in percent. Its 0
  /// says that it does not know.
  std::optional<int64_t> occupancy(const Track &t, uint32_t i) const;

private:
  AttrReader grid, block, estimate;
  NameFacts names;
  bool unitNeedsCall; ///< The recorder is one whose grids have several units.
};

/// Reads copies and fills of one rank. Holds a reference to it.
class CopyView {
public:
  explicit CopyView(const Rank &rank) : size(rank, {"bytes", "size"}) {}
  /// How much is moved, if that is said.
  std::optional<int64_t> bytes(const Track &t, uint32_t i) const {
    auto n = size.getInt(t, i);
    return n && *n >= 0 ? n : std::nullopt;
  }

private:
  AttrReader size;
};

} // namespace heddle

#endif
