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
  enum Form : uint8_t { Absent, Int, String, Raw } form = Absent;
  int64_t value = 0;               ///< Int only.
  StringId text = StringId::Empty; ///< String and Raw only.
  static SourceId integer(int64_t v) { return {Int, v, StringId::Empty}; }
  friend bool operator==(const SourceId &, const SourceId &) = default;
  friend auto operator<=>(const SourceId &, const SourceId &) = default;
};

struct TrackKey {
  SourceId pid, tid;
  Family family = Family::ThreadWork;
  friend bool operator==(const TrackKey &, const TrackKey &) = default;
  friend auto operator<=>(const TrackKey &, const TrackKey &) = default;
};

/// Points at an event of a rank. Valid until the rank's structure is edited; the editor remaps
/// what the IR itself holds.
struct EventRef {
  uint32_t track = 0xffffffff;
  uint32_t index = 0xffffffff;
  bool valid() const { return track != 0xffffffff; }
  friend bool operator==(EventRef, EventRef) = default;
  friend auto operator<=>(EventRef, EventRef) = default;
};

/// A fact that a pass found out about each event of a track, outside layouts. Exactly one vector
/// is used; an absent value is kNullInt or StringId::None.
struct DerivedColumn {
  static constexpr int64_t kNullInt = INT64_MIN;
  std::vector<int64_t> ints;
  std::vector<StringId> strings;
  friend bool operator==(const DerivedColumn &, const DerivedColumn &) = default;
};

struct Track {
  TrackKey key;
  /// Stream families: device ordinal (-1 if unknown) and stream number as the producer counts.
  int64_t device = -1;
  int64_t stream = -1;
  StringId name = StringId::None; ///< Thread or stream name, trimmed; None if not named.

  std::vector<Time> begin, end; ///< Relative to the recording's origin; end >= begin.
  std::vector<StringId> names;
  std::vector<EventKind> kinds;
  std::vector<LayoutId> layouts;
  std::vector<uint32_t> rows; ///< Row in the layout's store.
  std::vector<uint32_t> seq;  ///< Ordinal of the event in its file; unique in a rank.
  std::map<std::string, DerivedColumn, std::less<>> derived; ///< By column name; each of size().

  uint32_t size() const { return static_cast<uint32_t>(begin.size()); }
  bool empty() const { return begin.empty(); }
  Interval interval(uint32_t i) const { return {begin[i], end[i]}; }
  Duration duration(uint32_t i) const { return end[i] - begin[i]; }
};

enum class EdgeKind : uint8_t {
  Launch,       ///< API call -> device activity.
  FwdBwd,       ///< Forward op -> backward op.
  RecordToWait, ///< Event record -> wait.
  SendRecv,     ///< Send -> receive.
  Flow,         ///< Any other flow.
};
inline constexpr unsigned kNumEdgeKinds = static_cast<unsigned>(EdgeKind::Flow) + 1;
llvm::StringRef edgeKindName(EdgeKind k);

struct Edge {
  EdgeKind kind = EdgeKind::Launch;
  EventRef from, to;
  friend bool operator==(const Edge &, const Edge &) = default;
  friend auto operator<=>(const Edge &, const Edge &) = default;
};

/// A flow event (ph s, t, f) as read: a row of a layout, and the event it binds to if any.
struct FlowRow {
  Time at; ///< Relative to origin.
  SourceId pid, tid;
  StringId name = StringId::Empty;
  LayoutId layout{};
  uint32_t row = 0;
  uint32_t seq = 0;
  EventRef anchor; ///< Invalid: bound to nothing; kept and counted.
  friend bool operator==(const FlowRow &, const FlowRow &) = default;
};

/// Anything that has no typed form (M, B/E, async, samples, events without a usable ts), token for
/// token as JSON in canonical spacing.
struct LooseRow {
  uint32_t seq = 0;
  StringId text = StringId::Empty;
  friend bool operator==(const LooseRow &, const LooseRow &) = default;
};

} // namespace heddle

#endif
