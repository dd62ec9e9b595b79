//===- heddle/IR/Result.h - What passes publish -----------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Tables, remarks, statistics and abstentions stand beside the IR. Names of tables, columns,
/// remarks and statistics are a promise that gates build on.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_IR_RESULT_H
#define HEDDLE_IR_RESULT_H

#include "heddle/IR/Track.h"
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace heddle {

/// The unit of a column's numbers.
enum class Unit : uint8_t { None, Nanoseconds, Bytes, Count, Percent /* of what the title says */ };
/// The spelling in tables: "ns", "bytes", "count", "percent", or "".
llvm::StringRef unitName(Unit u);

/// A column of a table.
struct TableColumn {
  std::string key;        ///< snake_case; ns columns end in _ns.
  Unit unit = Unit::None; ///< Of numbers.
  bool isText = false;    ///< Text, else integer (or real where cells hold doubles).
};

/// null, integer, real, or text. A cell owns its string.
using Cell = std::variant<std::monostate, int64_t, double, std::string>;

/// Figures in rows, for machines and renderers.
struct Table {
  std::string id;                      ///< kebab-case, starts with the pass's name.
  std::string title;                   ///< One line for people.
  std::vector<TableColumn> columns;    ///< In the order of cells.
  std::vector<std::vector<Cell>> rows; ///< Each with columns.size() cells.
  /// Index of a column or -1.
  int column(llvm::StringRef key) const;
  /// The integer in (row, key), or nullopt when null or no integer.
  std::optional<int64_t> getInt(size_t row, llvm::StringRef key) const;
  /// The text in (row, key), or "".
  llvm::StringRef getText(size_t row, llvm::StringRef key) const;
};

/// How sure a finding is.
enum class Confidence : uint8_t { Low, Medium, High };

/// A finding or a note about a trace.
struct Remark {
  std::string id; ///< kebab-case, listed in PassInfo::remarks.
  /// What kind of remark it is.
  enum class Level : uint8_t { Note, Finding, Warning } level = Level::Note;
  std::string message;                     ///< One sentence for people.
  std::optional<int64_t> rank;             ///< Ordinal of the rank in the trace.
  std::optional<int64_t> device;           ///< Number of the device, where it is about one.
  std::optional<int64_t> windowNs;         ///< Denominator of `cost` in ns.
  std::optional<int64_t> costNs;           ///< Time at stake inside the window.
  std::optional<int64_t> lowerNs, upperNs; ///< Bounds, where cost is one; never a forecast.
  std::vector<EventRef> evidence;          ///< In the rank `rank`.
  std::string advice;                      ///< What to try; may be empty.
  std::vector<std::pair<std::string, std::string>> args; ///< Further facts, in order.
  Confidence confidence = Confidence::High;              ///< How sure it is.
};

/// A count that a pass keeps.
struct Statistic {
  std::string name;  ///< kebab-case, listed in PassInfo::stats.
  int64_t value = 0; ///< Sum over what the pass added.
  enum class Severity : uint8_t {
    Info,
    Loss
  } severity = Severity::Info; ///< A non-zero Loss warns.
};

/// A pass that could not answer, and what to record so that it can.
struct Abstention {
  std::string reason; ///< What the recording lacks.
  std::string record; ///< "record with ...".
};

/// What one pass published about one unit (a rank, or the trace: rank < 0).
struct PassResult {
  std::string pass;                  ///< Name with parameters as printed.
  std::string passName;              ///< Name alone.
  int64_t rank = -1;                 ///< Ordinal of the rank, -1 for trace level.
  uint64_t generation = 0;           ///< Of the rank when the pass ran.
  bool stale = false;                ///< A later rewrite changed the rank.
  std::vector<Table> tables;         ///< In the order published.
  std::vector<Remark> remarks;       ///< In the order published.
  std::vector<Statistic> stats;      ///< In the order of first use.
  std::vector<Abstention> abstained; ///< Why it did not answer; empty if it did.
};

/// All results, in order (pipeline position, rank).
struct Results {
  std::vector<PassResult> units; ///< One for each pass and unit.
  /// Concatenates the rows of all tables of this id over ranks, in order. nullopt if none.
  std::optional<Table> table(llvm::StringRef id) const;
  /// The table of one unit or null.
  const Table *find(llvm::StringRef id, int64_t rank) const;
};

} // namespace heddle

#endif
