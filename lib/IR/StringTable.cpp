//===- StringTable.cpp - Interned strings of a rank -----------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/IR/StringTable.h"
#include "llvm/Support/xxhash.h"
#include <cstring>

using namespace heddle;

StringTable::StringTable() : slots(64, 0) { intern(""); }

StringId StringTable::intern(llvm::StringRef text) {
  uint32_t hash = static_cast<uint32_t>(llvm::xxh3_64bits(text));
  size_t mask = slots.size() - 1, i = hash & mask;
  for (; slots[i]; i = (i + 1) & mask)
    if (hashes[slots[i] - 1] == hash && strings[slots[i] - 1] == text)
      return static_cast<StringId>(slots[i] - 1);
  char *copy = arena.Allocate<char>(text.size());
  if (!text.empty())
    std::memcpy(copy, text.data(), text.size());
  strings.emplace_back(copy, text.size());
  hashes.push_back(hash);
  totalBytes += text.size();
  slots[i] = static_cast<uint32_t>(strings.size());
  StringId id = static_cast<StringId>(strings.size() - 1);
  if (strings.size() * 2 > slots.size())
    grow();
  return id;
}

std::optional<StringId> StringTable::find(llvm::StringRef text) const {
  uint32_t hash = static_cast<uint32_t>(llvm::xxh3_64bits(text));
  size_t mask = slots.size() - 1;
  for (size_t i = hash & mask; slots[i]; i = (i + 1) & mask)
    if (hashes[slots[i] - 1] == hash && strings[slots[i] - 1] == text)
      return static_cast<StringId>(slots[i] - 1);
  return std::nullopt;
}

void StringTable::grow() {
  slots.assign(slots.size() * 2, 0);
  size_t mask = slots.size() - 1;
  for (uint32_t id = 0; id != strings.size(); ++id) {
    size_t i = hashes[id] & mask;
    while (slots[i])
      i = (i + 1) & mask;
    slots[i] = id + 1;
  }
}
