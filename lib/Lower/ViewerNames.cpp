//===- ViewerNames.cpp - Names in a viewer --------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/Lower/ViewerNames.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace heddle {

std::vector<std::string> viewerTitles(const Trace &trace, ArrayRef<size_t> places) {
  if (places.size() == 1)
    return {""};
  size_t digits = 1; // Some viewers sort processes by their names: numbers have one width.
  for (size_t place : places)
    digits = std::max(digits, std::to_string(rankLabel(trace, place)).size());
  std::vector<std::string> all;
  StringSet<> seen;
  for (size_t place : places) {
    std::string number = std::to_string(rankLabel(trace, place)), title = rankTitle(trace, place);
    title.insert(title.find(number), digits - number.size(), '0');
    std::string unique = title; // Ranks that nobody merged may have one number.
    for (size_t n = 2; !seen.insert(unique).second; ++n)
      unique = title + " (" + std::to_string(n) + ")";
    all.push_back(unique + ": ");
  }
  return all;
}

} // namespace heddle
