//===- Part.h - What a layout says besides its arguments --------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// A line of .ht text shows the keys and types of an event's arguments itself. The rest of its
/// layout, the part, is either the usual one of its kind or stands in a `layout @n` line.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_TEXT_PART_H
#define HEDDLE_LIB_TEXT_PART_H

#include "heddle/IR/Rank.h"

namespace heddle::text {

struct PartEntry {
  enum What : uint8_t {
    Derived, ///< ph, cat, name, pid, tid, ts, dur: no value in the line.
    Slot,    ///< Another key of the event; its value stands in brackets in the line.
    Args,    ///< The args object, and `count` of its members after it.
    Members, ///< `count` members of args that do not follow it directly.
  };
  static constexpr uint32_t kAll = ~0u;
  What what = Derived;
  ValueType type = ValueType::Phase; ///< Derived only.
  uint8_t scale = 3;                 ///< Ts and Dur.
  bool quoted = false;               ///< Ts and Dur.
  std::optional<std::string> key;    ///< Derived and Args: none if the usual one.
  uint32_t count = 0;                ///< Args and Members; kAll: those not counted elsewhere.
};

struct Part {
  char phase = 'X';
  std::optional<std::string> cat;
  std::vector<PartEntry> entries;
  /// The event has braces in its line.
  bool hasBraces() const;
};

/// What the usual part of an event depends on.
struct PartContext {
  EventKind kind = EventKind::Other;
  bool onStream = false;
  bool hasPid = true, hasTid = true; ///< The track has one.
  bool isSpan = true;                ///< The line has `for`.
  bool hasArgs = false;              ///< The line has braces.
  /// A small number that differs where two contexts do.
  uint32_t code() const {
    return static_cast<uint32_t>(kind) << 5 | onStream << 4 | hasPid << 3 | hasTid << 2 |
           isSpan << 1 | hasArgs;
  }
};

/// Kinds whose events may be instants: their line has no `for`.
bool mayBeInstant(EventKind kind);
/// An instant or a sample, by its phase and kind: of two events that make a span, one that stands
/// alone is a marker.
constexpr bool isInstant(char phase, EventKind kind) {
  return phase == 'i' || phase == 'I' || phase == 'R' || phase == 'C' || phase == 'n' ||
         phase == 'T' || phase == 'p' ||
         (kind == EventKind::Marker && (isBeginPhase(phase) || isEndPhase(phase)));
}

/// The part that is assumed where a line names none. `cat` is what an event of kind Other has.
Part usualPart(const PartContext &context, std::optional<llvm::StringRef> cat);
Part partOf(const Rank &rank, const Layout &layout);

/// The part as a `layout` line spells it after the number: "X" cat "Kernel" (ph, cat, name, ...).
/// Equal parts have equal spellings and others differ.
std::string spell(const Part &part);

} // namespace heddle::text

#endif
