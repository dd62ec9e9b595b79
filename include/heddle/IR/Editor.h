//===- heddle/IR/Editor.h - How rewrites change a rank ----------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// A rewrite changes a rank only through a RankEditor: columns that its PassInfo declares, and
/// structure through `keep` and `insert`, which remap everything that points at events in one
/// place: edges, flow anchors, derived columns and result places.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_IR_EDITOR_H
#define HEDDLE_IR_EDITOR_H

#include "heddle/IR/Rank.h"

namespace heddle {

/// Columns that a rewrite can declare to write.
enum class ColumnId : uint8_t { Begin, End, Name, Kind, Attributes, Derived, TrackMeta, RankMeta };
/// A set of ColumnId, and whether the structure (which events exist) changes.
struct Effects {
  uint32_t columns = 0;    ///< A bit for each ColumnId.
  bool structural = false; ///< True if events, tracks or edges come or go.
  /// This set and a column more.
  constexpr Effects with(ColumnId c) const {
    return {columns | 1u << static_cast<unsigned>(c), structural};
  }
  /// True if the column is in the set.
  constexpr bool writes(ColumnId c) const { return columns >> static_cast<unsigned>(c) & 1; }
  /// True if nothing changes.
  constexpr bool none() const { return columns == 0 && !structural; }
};

/// Where each old event went: remap[track][index] is the new place, invalid if it is gone.
struct Remap {
  std::vector<std::vector<EventRef>> places; ///< By track and index before the edit.
  EventRef operator()(EventRef e) const {
    return e.valid() && e.track < places.size() && e.index < places[e.track].size()
               ? places[e.track][e.index]
               : EventRef{};
  }
};

/// What an edit lost besides the events it was asked to remove.
struct EditLoss {
  uint64_t edges = 0;   ///< An end is gone.
  uint64_t anchors = 0; ///< Flow rows that no longer bind; ends of spans are not counted.
};

/// Changes one rank, within the effects that were allowed.
class RankEditor {
public:
  RankEditor(Rank &rank, Effects allowed) : rank(rank), allowed(allowed) {}

  /// The rank as it is now.
  const Rank &get() const { return rank; }
  /// Keeps the events whose mask is true; mask[track] has one element per event, or is empty for
  /// "keep all". Empty tracks go, and the end rows of spans that go. Needs `structural`. O(events).
  llvm::Expected<Remap> keep(const std::vector<std::vector<bool>> &mask);
  /// Adds events built by `build` (through a RankBuilder on this rank), re-sorts and remaps.
  /// Needs `structural`. Events get seq numbers after all existing ones if the builder's are in
  /// use.
  llvm::Expected<Remap> insert(llvm::function_ref<llvm::Error(RankBuilder &)> build);
  /// Replaces a derived column of one track; `column` must have the track's length.
  llvm::Error setDerived(uint32_t track, llvm::StringRef name, DerivedColumn column);
  /// Renames an event.
  llvm::Error setName(EventRef e, llvm::StringRef name);
  /// Removes loose rows and flow rows whose predicate is false. Ends of spans stay: they are not
  /// asked about, since they go with their span.
  llvm::Error keepLoose(llvm::function_ref<bool(const LooseRow &)> pred);
  /// Removes flow rows whose predicate is false; edges stay.
  llvm::Error keepFlows(llvm::function_ref<bool(const FlowRow &)> pred);

  /// Removes edges whose predicate is false.
  llvm::Error keepEdges(llvm::function_ref<bool(const Edge &)> pred);
  /// Removes the arguments of events and flow rows whose key the predicate refuses: they are gone
  /// from every layout. Needs Attributes. O(layouts).
  llvm::Error keepArguments(llvm::function_ref<bool(llvm::StringRef key)> pred);

  /// What the edits so far lost.
  const EditLoss &loss() const { return lost; }
  /// All structural remaps so far, oldest first; the pass manager applies them to results.
  llvm::ArrayRef<Remap> remaps() const { return applied; }
  /// Columns really written so far.
  Effects written() const { return done; }

private:
  llvm::Error require(ColumnId c, llvm::StringRef what);
  llvm::Error requireStructural(llvm::StringRef what);
  Rank &rank;
  Effects allowed, done;
  EditLoss lost;
  std::vector<Remap> applied;
};

} // namespace heddle

#endif
