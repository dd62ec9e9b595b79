//===- heddle/IR/Track.h - One ordered lane of events -----------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// A track is a set of parallel columns, one element per event, sorted by (begin, longer first,
/// seq). Spans, instants (end == begin) and counter samples share the form; the family and kind
/// tell them apart.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_IR_TRACK_H
#define HEDDLE_IR_TRACK_H

#include "heddle/IR/Kind.h"
#include "heddle/IR/Layout.h"
#include "heddle/Support/Time.h"
#include <map>

namespace heddle {

/// A pid or tid as the source spelled it.
struct SourceId {
  /// How it was spelled.
  enum Form : uint8_t { Absent, Int, String, Raw } form = Absent;
  int64_t value = 0;               ///< Int only.
  StringId text = StringId::Empty; ///< String and Raw only.
  /// The id with this number.
  static SourceId integer(int64_t v) { return {Int, v, StringId::Empty}; }
  friend bool operator==(const SourceId &, const SourceId &) = default;
  friend auto operator<=>(const SourceId &, const SourceId &) = default;
};

/// What makes a track that track.
struct TrackKey {
  SourceId pid, tid;                  ///< Of the source's row.
  Family family = Family::ThreadWork; ///< Which part of the row it holds.
  friend bool operator==(const TrackKey &, const TrackKey &) = default;
  friend auto operator<=>(const TrackKey &, const TrackKey &) = default;
};

/// Points at an event of a rank. Valid until the rank's structure is edited; the editor remaps
/// what the IR itself holds.
struct EventRef {
  uint32_t track = 0xffffffff; ///< Index in Rank::tracks().
  uint32_t index = 0xffffffff; ///< Index in that track.
  /// True if it points at an event.
  bool valid() const { return track != 0xffffffff; }
  friend bool operator==(EventRef, EventRef) = default;
  friend auto operator<=>(EventRef, EventRef) = default;
};

/// A fact that a pass found out about each event of a track, outside layouts. Exactly one vector
/// is used; an absent value is kNullInt or StringId::None.
struct DerivedColumn {
  static constexpr int64_t kNullInt = INT64_MIN; ///< An absent integer.
  std::vector<int64_t> ints;                     ///< By event, if the fact is a number.
  std::vector<StringId> strings;                 ///< By event, if it is a text.
  friend bool operator==(const DerivedColumn &, const DerivedColumn &) = default;
};

/// Events of one row and family in parallel vectors, sorted.
struct Track {
  TrackKey key; ///< Unique in the rank.
  /// Stream families: device ordinal (-1 if unknown) and stream number as the producer counts.
  int64_t device = -1;
  int64_t stream = -1;            ///< Of stream families only.
  StringId name = StringId::None; ///< Thread or stream name, trimmed; None if not named.

  std::vector<Time> begin, end;  ///< Relative to the recording's origin; end >= begin.
  std::vector<StringId> names;   ///< As spelled.
  std::vector<EventKind> kinds;  ///< Normalised.
  std::vector<LayoutId> layouts; ///< The shape of the event's attributes.
  std::vector<uint32_t> rows;    ///< Row in the layout's store.
  std::vector<uint32_t> seq;     ///< Ordinal of the event in its file; unique in a rank.
  std::map<std::string, DerivedColumn, std::less<>> derived; ///< By column name; each of size().

  /// How many events it holds.
  uint32_t size() const { return static_cast<uint32_t>(begin.size()); }
  /// True if it holds none.
  bool empty() const { return begin.empty(); }
  /// From begin to end of an event.
  Interval interval(uint32_t i) const { return {begin[i], end[i]}; }
  /// Of an event; 0 for instants.
  Duration duration(uint32_t i) const { return end[i] - begin[i]; }
};

/// What an edge says about its ends.
enum class EdgeKind : uint8_t {
  Launch,       ///< API call -> device activity.
  FwdBwd,       ///< Forward op -> backward op.
  RecordToWait, ///< Event record -> wait.
  SendRecv,     ///< Send -> receive.
  Flow,         ///< Any other flow.
};
/// How many there are.
inline constexpr unsigned kNumEdgeKinds = static_cast<unsigned>(EdgeKind::Flow) + 1;
/// kebab-case: launch, fwd-bwd, ...
llvm::StringRef edgeKindName(EdgeKind k);

/// From one event to another.
struct Edge {
  EdgeKind kind = EdgeKind::Launch; ///< What it says.
  EventRef from, to;                ///< The cause, and what follows from it.
  friend bool operator==(const Edge &, const Edge &) = default;
  friend auto operator<=>(const Edge &, const Edge &) = default;
};

/// The phases of the first of two events that make one span: B, and E its end, on a thread, b and e
/// or S and F on an asynchronous lane. The span has the row of the first; the second is a FlowRow
/// that is bound to it. One that stands alone is an instant of its phase and of kind Marker.
constexpr bool isBeginPhase(char phase) { return phase == 'B' || phase == 'b' || phase == 'S'; }
/// The phases of the second.
constexpr bool isEndPhase(char phase) { return phase == 'E' || phase == 'e' || phase == 'F'; }
/// The phase that ends what a begin phase began; 0 for the rest.
constexpr char endPhaseOf(char begin) {
  return begin == 'B' ? 'E' : begin == 'b' ? 'e' : begin == 'S' ? 'F' : '\0';
}

/// An event that is no element of a track and yet belongs to one, as read: a row of a layout, and
/// the event it binds to. Either a flow event (ph s, t, f), or the end (ph E, e, F) of the span of
/// two events that it is bound to: `Rank::isEnd` tells.
struct FlowRow {
  Time at;                         ///< Relative to origin.
  SourceId pid, tid;               ///< Of the row on which it is drawn.
  StringId name = StringId::Empty; ///< As spelled.
  LayoutId layout{};               ///< Its phase, cat and keys.
  uint32_t row = 0;                ///< In the layout's store.
  uint32_t seq = 0;                ///< Its place in the file.
  EventRef anchor; ///< Invalid: bound to nothing; kept and counted. Not so for an end.
  friend bool operator==(const FlowRow &, const FlowRow &) = default;
};

/// Anything that has no typed form (metadata, samples, objects, events without a usable ts), token
/// for token as JSON in canonical spacing.
struct LooseRow {
  uint32_t seq = 0;                ///< Its place in the file.
  StringId text = StringId::Empty; ///< The whole event.
  friend bool operator==(const LooseRow &, const LooseRow &) = default;
};

} // namespace heddle

#endif
