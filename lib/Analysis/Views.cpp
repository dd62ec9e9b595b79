//===- Views.cpp - Attributes of device work, as meant --------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/Views.h"
#include <array>

using namespace heddle;

/// Three positive numbers in a list, "[80, 1, 1]".
static std::optional<std::array<int64_t, 3>> threeNumbers(std::optional<llvm::StringRef> list) {
  if (!list || !list->consume_front("["))
    return std::nullopt;
  std::array<int64_t, 3> out{};
  for (size_t i = 0; i != 3; ++i) {
    *list = list->ltrim();
    if (list->consumeInteger(10, out[i]) || out[i] <= 0)
      return std::nullopt;
    *list = list->ltrim();
    if (!list->consume_front(i == 2 ? "]" : ","))
      return std::nullopt;
  }
  return list->empty() ? std::optional(out) : std::nullopt;
}

KernelView::KernelView(const Rank &rank)
    : grid(rank, "grid"), block(rank, "block"), estimate(rank, "est. achieved occupancy %"),
      names(rank.strings()), unitNeedsCall(rank.recording.vendor == Vendor::Rocm) {}

std::optional<int64_t> KernelView::blocks(const Track &t, uint32_t i, StringId launchName) {
  if (unitNeedsCall && launchName == StringId::None)
    return std::nullopt;
  auto extent = threeNumbers(grid.getString(t, i));
  if (!extent)
    return std::nullopt;
  if (launchName != StringId::None && names.is(NameFact::LaunchesItems, launchName)) {
    auto items = threeNumbers(block.getString(t, i));
    if (!items)
      return std::nullopt;
    for (size_t d = 0; d != 3; ++d)
      (*extent)[d] = ((*extent)[d] - 1) / (*items)[d] + 1;
  }
  int64_t blocks;
  if (__builtin_mul_overflow((*extent)[0], (*extent)[1], &blocks) ||
      __builtin_mul_overflow(blocks, (*extent)[2], &blocks))
    return std::nullopt;
  return blocks;
}

std::optional<int64_t> KernelView::occupancy(const Track &t, uint32_t i) const {
  auto percent = estimate.getInt(t, i);
  return percent && *percent > 0 && *percent <= 100 ? percent : std::nullopt;
}
