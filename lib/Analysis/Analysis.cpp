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
AnalysisCache::getImpl(StringRef name, uint64_t hash, StringRef type, uint32_t inputs, bool summary,
                       function_ref<Expected<std::shared_ptr<void>>()> compute) {
  if (auto it = slots.find(name); it != slots.end()) {
    const Slot &slot = it->second;
    if (slot.hash != hash)
      return internalError("analysis-mismatch", "two analyses have the name '" + name + "': '" +
                                                    slot.type + "' and '" + type +
                                                    "', or the same type in two versions");
    if (observer)
      observer(name, "reused");
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

  auto reason = gone.find(name);
  if (observer)
    observer(name, reason != gone.end() ? "recomputed (" + reason->second + ")"
                   : since.empty()      ? std::string("computed first")
                                        : "computed first since " + since);
  gone[name] = "the attempt before failed"; // until it does not
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
  gone.erase(name);
  Slot &slot = slots[name];
  slot = {hash, type.str(), std::move(*value), all, summary};
  return slot.value.get();
}

void AnalysisCache::forgetDetails() {
  std::vector<std::string> dropped;
  for (const auto &entry : slots)
    if (!entry.second.summary)
      dropped.push_back(entry.first().str());
  for (const std::string &name : dropped) {
    slots.erase(name);
    gone[name] = "the rank was put aside";
  }
}

/// Which of the columns that an analysis reads were written: "begins and names".
static std::string columnNames(uint32_t columns) {
  static constexpr StringLiteral names[] = {"begins",  "ends",   "names",    "kinds",  "attributes",
                                            "derived", "tracks", "the rank", "results"};
  static_assert(std::size(names) == static_cast<size_t>(ColumnId::Results) + 1);
  std::vector<StringRef> changed;
  for (unsigned i = 0; i != std::size(names); ++i)
    if (columns >> i & 1)
      changed.push_back(names[i]);
  std::string text = join(ArrayRef(changed).drop_back(), ", ");
  return text + (text.empty() ? "" : " and ") + changed.back().str();
}

void AnalysisCache::invalidate(Effects effects, StringRef who) {
  std::vector<std::string> dropped;
  for (const auto &entry : slots) {
    uint32_t columns = entry.second.inputs & effects.columns;
    if (!effects.structural && !columns)
      continue;
    dropped.push_back(entry.first().str());
    gone[entry.first()] =
        (who + " changed " + (effects.structural ? "which events there are" : columnNames(columns)))
            .str();
  }
  sort(dropped); // the order of a hash table is nobody's business
  for (const std::string &name : dropped) {
    slots.erase(name);
    if (observer)
      observer(name, "dropped (" + gone[name] + ")");
  }
}

} // namespace heddle
