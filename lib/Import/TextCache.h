//===- TextCache.h - From text as it stands to string ids -------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// A direct-mapped cache before the string table: strings and lists repeat, and a hit spares the
/// decoding, the canonical spacing and the table's memory. An entry is made only from text that
/// needed no repair, so a hit is what the lexer would have read.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_IMPORT_TEXTCACHE_H
#define HEDDLE_LIB_IMPORT_TEXTCACHE_H

#include "Wide.h"
#include "heddle/IR/StringTable.h"
#include <cstring>

namespace heddle::chrome {

class TextCache {
public:
  TextCache() : entries(kEntries) {}

  /// The id of a string's bytes between its quotes, or of a list's bytes; None if unknown.
  StringId find(llvm::StringRef raw, bool list) const {
    const Entry &e = entries[slot(raw, list)];
    return e.size == raw.size() && e.list == list && e.id != StringId::None &&
                   std::memcmp(e.data, raw.data(), raw.size()) == 0
               ? e.id
               : StringId::None;
  }
  /// `stored`: the id's bytes in the table, used instead of a copy where they equal raw.
  void insert(llvm::StringRef raw, bool list, StringId id, llvm::StringRef stored) {
    if (raw.size() > kMaxText)
      return;
    const char *data = stored.data();
    if (stored != raw) {
      if (copies.getTotalMemory() > kMaxCopies)
        return;
      char *copy = copies.Allocate<char>(raw.size());
      std::memcpy(copy, raw.data(), raw.size());
      data = copy;
    }
    entries[slot(raw, list)] = {data, static_cast<uint32_t>(raw.size()), id, list};
  }

private:
  struct Entry {
    const char *data = nullptr;
    uint32_t size = 0;
    StringId id = StringId::None;
    bool list = false;
  };
  static constexpr size_t kEntries = 1 << 14, kMaxText = 4096, kMaxCopies = 16 << 20;

  static uint64_t load(const char *p) {
    uint64_t v;
    std::memcpy(&v, p, sizeof(v));
    return v;
  }
  static uint64_t mix(uint64_t a, uint64_t b) {
    UInt128 m = static_cast<UInt128>(a) * b;
    return static_cast<uint64_t>(m) ^ static_cast<uint64_t>(m >> 64);
  }
  /// Reads only inside the text.
  static size_t slot(llvm::StringRef t, bool list) {
    const char *p = t.data();
    size_t n = t.size();
    uint64_t h = (n << 1 | list) * 0x9e3779b97f4a7c15u;
    if (n >= 8) {
      for (size_t i = 0; i + 8 < n; i += 8)
        h = mix(h ^ load(p + i), 0xa0761d6478bd642fu);
      h = mix(h ^ load(p + n - 8), 0xe7037ed1a0b428dbu);
    } else {
      uint64_t v = 0;
      for (size_t i = 0; i < n; ++i)
        v = v << 8 | static_cast<unsigned char>(p[i]);
      h = mix(h ^ v, 0xe7037ed1a0b428dbu);
    }
    return (h ^ h >> 32) & (kEntries - 1);
  }

  std::vector<Entry> entries;
  llvm::BumpPtrAllocator copies;
};

} // namespace heddle::chrome

#endif
