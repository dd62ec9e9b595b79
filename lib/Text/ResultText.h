//===- ResultText.h - Words of results --------------------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_TEXT_RESULTTEXT_H
#define HEDDLE_LIB_TEXT_RESULTTEXT_H

#include "heddle/IR/Result.h"

namespace heddle::text {

inline constexpr unsigned kNumLevels = 3;
constexpr llvm::StringRef levelName(Remark::Level l) {
  return l == Remark::Level::Note ? "note" : l == Remark::Level::Finding ? "finding" : "warning";
}
inline constexpr unsigned kNumConfidences = 3;
constexpr llvm::StringRef confidenceName(Confidence c) {
  return c == Confidence::Low ? "low" : c == Confidence::Medium ? "medium" : "high";
}
/// The name of a pass as its printed form with parameters tells it.
inline llvm::StringRef usualPassName(llvm::StringRef pass) {
  return pass.take_until([](char c) { return c == '<'; });
}

} // namespace heddle::text

#endif
