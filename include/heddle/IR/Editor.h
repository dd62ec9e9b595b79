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
#include "llvm/ADT/STLFunctionalExtras.h"

namespace heddle {

/// Columns that a rewrite can declare to write. Results: what earlier passes published, and the
/// texts of the pipeline, quote what the rewrite takes away; the pass manager drops them.
enum class ColumnId : uint8_t {
  Begin,
  End,
  Name,
  Kind,
  Attributes,
  Derived,
  TrackMeta,
  RankMeta,
  Results
};
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

/// Where a text of a rank stands.
enum class TextRole : uint8_t {
  EventName,     ///< `kind` says of what.
  FlowName,      ///< The name of a flow row.
  Category,      ///< A layout's category.
  Key,           ///< A key of an event or of its arguments, or the name of a derived column.
  Value,         ///< A string under `key`, decoded; of an argument or of a derived column.
  Nested,        ///< A list or object under `key`, as JSON.
  RawToken,      ///< A token under `key` that may be no JSON.
  WholeEvent,    ///< An event as JSON that may be damaged: a raw layout's, or a loose row.
  TrackName,     ///< A thread's or stream's name.
  Id,            ///< A pid or tid that the source gave as a string, decoded.
  RawId,         ///< A pid or tid that the source gave as another token.
  DocumentKey,   ///< A key of the document.
  DocumentValue, ///< The JSON under `key` of the document.
  Path,          ///< Of the input.
  Host,          ///< The rank's host.
  Backend,       ///< The rank's communication backend.
  DeviceName,    ///< A device's model.
  Format,        ///< Of the input; also its producer.
  CountName,     ///< A kind of repair, or of what reading noted.
};
/// A place of a text.
struct TextPlace {
  TextRole role = TextRole::Value;   ///< What it is part of.
  EventKind kind = EventKind::Other; ///< EventName only.
  llvm::StringRef key;               ///< As the source had it; "" where there is none.
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
  /// The id of a text that a derived column holds, added if new. O(length).
  StringId intern(llvm::StringRef text) { return rank.stringTable->intern(text); }
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

  /// Replaces every text of the rank by what `rewrite` makes of it; asked once for each text of a
  /// place. The rank gets a new string table, so that no old text is left behind, and tracks whose
  /// pids or tids are texts may move. Names that differ must stay different. Needs structure,
  /// Name, Attributes, Derived, TrackMeta, RankMeta and Results. O(events + length of the texts).
  llvm::Error
  rewriteTexts(llvm::function_ref<std::string(const TextPlace &, llvm::StringRef)> rewrite);
  /// Says that parts of the recording are missing. Needs RankMeta.
  llvm::Error setPartial();
  /// Takes the rank out of the trace once the pass has run on all ranks. Needs structure.
  llvm::Error dropRank();
  /// `dropRank` was asked for.
  bool rankDropped() const { return dropped; }

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
  bool dropped = false;
  std::vector<Remap> applied;
};

} // namespace heddle

#endif
