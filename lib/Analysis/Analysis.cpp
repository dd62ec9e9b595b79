//===- Analysis.cpp - The cache of analyses -------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/Analysis.h"
#include "heddle/Support/Diagnostics.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace llvm;

namespace heddle {

Expected<const void *>
AnalysisCache::getImpl(StringRef name, uint64_t hash, StringRef type, uint32_t inputs,
                       function_ref<Expected<std::shared_ptr<void>>()> compute) {
  if (auto it = slots.find(name); it != slots.end()) {
    const Slot &slot = it->second;
    if (slot.hash != hash)
      return internalError("analysis-mismatch", "two analyses have the name '" + name + "': '" +
                                                    slot.type + "' and '" + type +
                                                    "', or the same type in two versions");
    if (observer)
      observer("reuse", name);
    if (!inherited.empty())
      inherited.back() |= slot.inputs;
    return slot.value.get();
  }

  if (is_contained(computing, name.str())) {
    auto first = find(computing, name.str());
    return internalError("analysis-cycle",
                         "analyses need each other: " + join(first, computing.end(), " -> ") +
                             " -> " + name);
  }

  if (observer)
    observer("compute", name);
  computing.push_back(name.str());
  inherited.push_back(inputs);
  // Also when `compute` throws: the manager catches that, and the cache lives on.
  auto pop = make_scope_exit([&] {
    computing.pop_back();
    inherited.pop_back();
  });
  Expected<std::shared_ptr<void>> value = compute();
  if (!value)
    return value.takeError();
  uint32_t all = inherited.back();
  if (inherited.size() > 1)
    inherited[inherited.size() - 2] |= all;
  Slot &slot = slots[name];
  slot = {hash, type.str(), std::move(*value), all};
  return slot.value.get();
}

void AnalysisCache::invalidate(Effects effects) {
  std::vector<std::string> gone;
  for (const auto &entry : slots)
    if (effects.structural || (entry.second.inputs & effects.columns))
      gone.push_back(entry.first().str());
  sort(gone); // the order of a hash table is nobody's business
  for (const std::string &name : gone) {
    slots.erase(name);
    if (observer)
      observer("drop", name);
  }
}

} // namespace heddle
