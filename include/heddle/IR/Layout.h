//===- heddle/IR/Layout.h - Shapes of events and their columns --*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// A Layout is the ordered list of (scope, key, type) that a group of events shares, as the source
/// spelled it: duplicates and order included. Attribute values are dense columns, one per entry
/// that is not derivable: a row of a layout is one event. Files have few layouts (median 12), so
/// there is no map per event and no presence bitmap.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_IR_LAYOUT_H
#define HEDDLE_IR_LAYOUT_H

#include "heddle/IR/StringTable.h"
#include "heddle/Support/Decimal.h"
#include <cassert>
#include <vector>

namespace heddle {

/// Where an entry stands: a key of the event itself, or one of its args.
enum class Scope : uint8_t { Event, Args };

/// How an entry's value is held. The first group has a column; the second is derived from the
/// event, its track or its layout and has none.
enum class ValueType : uint8_t {
  Int,     ///< int64, printed without a point.
  Decimal, ///< int64 mantissa and uint8 scale.
  String,  ///< StringId of the decoded bytes.
  Bool,    ///< 0 / 1.
  List,    ///< StringId of a nested list or object as JSON in canonical spacing ("[1, 2]", "{\"a\":
           ///< 1}").
  Raw,     ///< StringId of a token kept as text: exponents, -0, beyond int64, invalid JSON.
  Null,    ///< null: the type says it all, no column.
  // Derived, Event scope only:
  Phase, ///< Layout::phase, one character.
  Cat,   ///< Layout::cat.
  Name,  ///< The event's name.
  Pid,   ///< The track's pid.
  Tid,   ///< The track's tid.
  Ts,    ///< begin + origin in microseconds, spelled with Entry::scale digits (0..3).
  Dur,   ///< end - begin in microseconds, likewise.
  Args,  ///< The args object stands here; its members are the Args-scope entries, in order.
};
/// How many there are.
inline constexpr unsigned kNumValueTypes = static_cast<unsigned>(ValueType::Args) + 1;
/// True for types whose values are in a column.
constexpr bool hasColumn(ValueType t) { return t <= ValueType::Raw; }
/// Lower-case name: int, decimal, string, bool, list, raw, null, ph, cat, name, pid, tid, ts, dur,
/// args.
llvm::StringRef valueTypeName(ValueType t);

/// One key of a layout.
struct Entry {
  Scope scope = Scope::Args;       ///< Where it stands.
  ValueType type = ValueType::Int; ///< How its values are held.
  uint8_t scale = 0;               ///< Ts and Dur only.
  bool quoted = false;             ///< Ts and Dur only: the source wrote a string ("123.456").
  StringId key = StringId::Empty;  ///< As the source spelled it.
  friend bool operator==(const Entry &, const Entry &) = default;
};

/// The keys that a group of events shares.
struct Layout {
  char phase = 'X';              ///< The event's `ph`.
  StringId cat = StringId::None; ///< None: the source had no string cat.
  std::vector<Entry> entries;    ///< In source order.
  friend bool operator==(const Layout &, const Layout &) = default;
  /// Index of the first entry with this scope and key, or -1. O(entries).
  int find(Scope scope, StringId key) const;
  /// There is an args object, empty or not.
  bool hasArgs() const;
};

/// One typed column; only the vector that its type needs is used.
struct Column {
  ValueType type = ValueType::Int; ///< Which of the vectors hold its values.
  std::vector<int64_t> ints;       ///< Int; Decimal mantissas.
  std::vector<uint8_t> bytes;      ///< Decimal scales; Bool values.
  std::vector<StringId> strings;   ///< String, List, Raw.

  /// The number of a row, exactly.
  Decimal decimal(uint32_t row) const {
    assert(type == ValueType::Int || type == ValueType::Decimal);
    return {ints[row], type == ValueType::Decimal ? bytes[row] : uint8_t{0}};
  }
  /// How many values it holds.
  uint32_t size() const;
  friend bool operator==(const Column &, const Column &) = default;
};

/// A layout and the rows of the events that have it. columns[i] belongs to entries[i]; it is empty
/// where the entry has no column.
struct LayoutStore {
  Layout layout;               ///< What the rows have in common.
  std::vector<Column> columns; ///< One for each entry.
  uint32_t rows = 0;           ///< How many there are.
};

/// Index in Rank::layouts().
enum class LayoutId : uint16_t {};

} // namespace heddle

#endif
