//===- Clock.cpp - Where a rank stands in a trace -------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/IR/Clock.h"
#include "heddle/Support/Time.h"
#include "llvm/Support/MathExtras.h"

using namespace heddle;

int64_t ClockDomain::map(int64_t ns) const {
  constexpr int64_t second = 1'000'000'000;
  int64_t since;
  if (llvm::SubOverflow(ns, reference, since))
    since = ns > reference ? INT64_MAX : INT64_MIN;
  // In whole seconds and the rest, so that a product with a drift below `second` fits.
  int64_t seconds = since / second - (since % second < 0);
  int64_t rest = since % second + (since % second < 0 ? second : 0);
  int64_t whole;
  if (llvm::MulOverflow(seconds, drift, whole))
    whole = (seconds < 0) == (drift < 0) ? INT64_MAX : INT64_MIN;
  int64_t part = 0;
  if (!llvm::MulOverflow(rest, drift, part))
    part = part / second - (part % second < 0);
  Duration add = addClamped(addClamped({whole}, {part}), {offset});
  return addClamped({ns}, add).ns;
}
