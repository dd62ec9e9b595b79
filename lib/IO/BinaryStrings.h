//===- BinaryStrings.h - Numbers of strings in a file -----------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_IO_BINARYSTRINGS_H
#define HEDDLE_LIB_IO_BINARYSTRINGS_H

#include "heddle/IR/StringTable.h"
#include "llvm/ADT/StringMap.h"

namespace heddle::binary {

/// Numbers strings by their first use, so that numbers depend neither on the rank's table nor on
/// strings that nothing uses. 0 is the empty string.
class StringNumbers {
public:
  explicit StringNumbers(const StringTable &table) : table(table), known(table.size(), kUnknown) {
    known[0] = 0;
  }
  /// The number of a string of the table.
  uint32_t of(StringId id) {
    uint32_t &number = known[static_cast<uint32_t>(id)];
    if (number == kUnknown)
      number = add(table[id]);
    return number;
  }
  /// The number of any text.
  uint32_t of(llvm::StringRef text) {
    if (std::optional<StringId> id = table.find(text))
      return of(*id);
    auto [it, added] = others.try_emplace(text, 0);
    if (added)
      it->second = add(it->first());
    return it->second;
  }
  /// One more than the number; 0 for None.
  uint32_t orNone(StringId id) { return id == StringId::None ? 0 : of(id) + 1; }

  /// Those numbered since the last call of `clear`, the first of which has the number `first`.
  llvm::ArrayRef<llvm::StringRef> fresh() const { return pending; }
  uint32_t first() const { return next - static_cast<uint32_t>(pending.size()); }
  void clear() { pending.clear(); }

private:
  static constexpr uint32_t kUnknown = 0xffffffff;
  uint32_t add(llvm::StringRef text) {
    pending.push_back(text);
    return next++;
  }
  const StringTable &table;
  std::vector<uint32_t> known; ///< By id.
  llvm::StringMap<uint32_t> others;
  std::vector<llvm::StringRef> pending;
  uint32_t next = 1;
};

} // namespace heddle::binary

#endif
