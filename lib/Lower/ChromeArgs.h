//===- ChromeArgs.h - Arguments that every viewer can read ------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// The arguments of an event as members of a JSON object: valid JSON, each key once, no id that is
/// 0. Members of the event itself that viewers do not know become arguments too.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_LOWER_CHROMEARGS_H
#define HEDDLE_LIB_LOWER_CHROMEARGS_H

#include "ChromeIds.h"
#include "ChromeText.h"

namespace heddle::chrome {

class ViewerArgs {
public:
  ViewerArgs(const Rank &rank, const RankIds &ids, ChromeText &out)
      : rank(rank), ids(ids), out(out), shapes(rank.layouts().size()), json(rank.strings().size()) {
  }

  /// What an event's arguments say that its row does not.
  struct Extra {
    bool moved = false; ///< On a further lane: its thread is said.
    /// In place of the row's, if any, as the rank counts; 0: none.
    std::optional<int64_t> correlation;
    const FlowRow *end = nullptr; ///< The end of a span of two events, whose arguments follow.
    /// For torch-tb-profiler: these stand in place of the row's, also 0 and where it has none.
    std::optional<int64_t> externalId, device, memoryDevice, memoryType;
    std::optional<uint32_t> event; ///< Whose derived values follow, unless a key is taken.
    bool numbersOnly = false;      ///< Rates of a kernel are numbers or absent.
    bool withoutShapes = false;    ///< Shapes and types of inputs are absent.
  };
  /// Writes `"args": {...}` of a row. Streams get their device and number where the source has
  /// none.
  void write(LayoutId layout, uint32_t row, const Track &track, const Extra &extra);
  /// A number that a counter can show: the spelling of row `row`, or nothing.
  struct Series {
    StringId key;
    const Column *column;
  };
  llvm::ArrayRef<Series> series(LayoutId layout) { return shape(layout).numbers; }

private:
  struct Member {
    std::string key; ///< Quoted, with its colon.
    ValueType type = ValueType::Int;
    const Column *column = nullptr;
    IdKind id = IdKind::None;
    bool isOwn = false; ///< An id of the event itself: 0 is none.
    /// What an Extra may replace.
    enum Role : uint8_t { Other, ExternalId, Device, MemoryDevice, MemoryType, Rate, Inputs };
    Role role = Other;
  };
  struct Shape {
    std::vector<Member> members;
    std::vector<Series> numbers;
    bool device = false, stream = false, thread = false, made = false;
  };
  Shape &shape(LayoutId id);
  static Member::Role roleOf(llvm::StringRef key);
  llvm::ArrayRef<std::string> endKeys(LayoutId begin, LayoutId end);
  void value(const Member &m, uint32_t row);
  void nested(StringId id);

  const Rank &rank;
  const RankIds &ids;
  ChromeText &out;
  std::vector<Shape> shapes;
  /// By the layouts of a begin and its end: the keys of the end's members beside the begin's.
  std::map<std::pair<LayoutId, LayoutId>, std::vector<std::string>> ends;
  enum Nested : uint8_t { Unknown, AsIs, Changed, Broken };
  std::vector<uint8_t> json; ///< By string: what becomes of it as a nested value.
};

/// True for text that a strict JSON parser takes.
bool isStrictJson(llvm::StringRef text);
/// Strict JSON with characters in place of escapes of surrogates, at which some viewers stop
/// reading, and text in place of numbers that they cannot hold. O(length).
std::string forViewers(llvm::StringRef json);

} // namespace heddle::chrome

#endif
