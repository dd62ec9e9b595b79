//===- Layout.cpp - Shapes of events and their columns --------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/IR/Layout.h"

using namespace heddle;

int Layout::find(Scope scope, StringId key) const {
  for (size_t i = 0; i != entries.size(); ++i)
    if (entries[i].scope == scope && entries[i].key == key)
      return static_cast<int>(i);
  return -1;
}

bool Layout::hasArgs() const {
  for (const Entry &e : entries)
    if (e.type == ValueType::Args)
      return true;
  return false;
}

uint32_t Column::size() const {
  switch (type) {
  case ValueType::Int:
  case ValueType::Decimal:
    return static_cast<uint32_t>(ints.size());
  case ValueType::Bool:
    return static_cast<uint32_t>(bytes.size());
  default:
    return static_cast<uint32_t>(strings.size());
  }
}
