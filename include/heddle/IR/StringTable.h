//===- heddle/IR/StringTable.h - Interned strings of a rank -----*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Every rank has its own table, so interning needs no lock and ids are deterministic: they count
/// up in order of first use. Strings are bytes: invalid UTF-8 survives, lone surrogates are kept
/// as their three-byte (WTF-8) form.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_IR_STRINGTABLE_H
#define HEDDLE_IR_STRINGTABLE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace heddle {

/// Names a string of one rank. 0 is the empty string in every table.
enum class StringId : uint32_t { Empty = 0, None = 0xffffffff };

/// Strings by id, and ids by string.
class StringTable {
public:
  StringTable();
  StringTable(StringTable &&) noexcept = default;
  StringTable &operator=(StringTable &&) noexcept = default;

  /// Returns the id of `text`, adding it if new. Amortised O(length); one hash, one compare.
  StringId intern(llvm::StringRef text);
  /// The id of `text` if it is present. Does not add.
  std::optional<StringId> find(llvm::StringRef text) const;
  /// The bytes of an id of this table. O(1).
  llvm::StringRef operator[](StringId id) const { return strings[static_cast<uint32_t>(id)]; }
  /// How many strings it holds, the empty one among them.
  uint32_t size() const { return static_cast<uint32_t>(strings.size()); }
  /// Bytes of all strings together, without bookkeeping.
  uint64_t bytes() const { return totalBytes; }
  /// Memory that it takes, bookkeeping included.
  uint64_t memory() const {
    return arena.getTotalMemory() + strings.capacity() * sizeof(llvm::StringRef) +
           (hashes.capacity() + slots.capacity()) * sizeof(uint32_t);
  }

private:
  void grow();
  llvm::BumpPtrAllocator arena;
  std::vector<llvm::StringRef> strings;
  std::vector<uint32_t> hashes; ///< Parallel to `strings`: low 32 bits of each hash.
  std::vector<uint32_t> slots;  ///< Open addressing, power of two; id + 1, 0 = free.
  uint64_t totalBytes = 0;
};

} // namespace heddle

#endif
