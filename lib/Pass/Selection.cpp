//===- Selection.cpp - Texts of ranges and times --------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "heddle/Pass/Selection.h"
#include "heddle/Support/Decimal.h"
#include "heddle/Support/Diagnostics.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace heddle {

Expected<std::vector<std::pair<int64_t, int64_t>>> parseRanges(StringRef text, StringRef option) {
  auto refuse = [&](const Twine &why) {
    // In a pipeline a comma would end the parameter.
    return usageError("bad-range", option + ": " + why + "; wanted is a list like " +
                                       (option.starts_with("--") ? "0,2-4" : "0+2-4"));
  };
  std::vector<std::pair<int64_t, int64_t>> ranges;
  SmallVector<StringRef, 8> parts;
  text.split(parts, ',');
  for (StringRef part : parts) {
    part = part.trim();
    auto [lo, hi] = part.split('-');
    int64_t first = 0, last = 0;
    if (!to_integer(lo.trim(), first, 10) || first < 0)
      return refuse("'" + part + "' is no number or range");
    last = first;
    if (part.contains('-') && (!to_integer(hi.trim(), last, 10) || last < 0))
      return refuse("'" + part + "' is no number or range");
    if (last < first)
      return refuse("'" + part + "' ends before it begins");
    ranges.emplace_back(first, last);
  }
  return ranges;
}

/// "5ms..20ms", "..20ms", "5ms.."; nullopt if the text is no such thing.
static std::optional<Interval> parseTimes(StringRef text) {
  auto [first, last] = text.split("..");
  if (!text.contains("..") || (first.empty() && last.empty()))
    return std::nullopt;
  Interval result = {{-kMaxAbsTimeNs}, {kMaxAbsTimeNs}};
  std::optional<Duration> begin = parseDuration(first), end = parseDuration(last);
  if ((!first.empty() && !begin) || (!last.empty() && !end))
    return std::nullopt;
  if (begin)
    result.begin = {begin->ns};
  if (end)
    result.end = {end->ns};
  return result;
}

Error parseWindow(StringRef text, StringRef option, Selection &selection) {
  if (text.empty())
    return usageError("bad-window", option + " wants a name or a time such as 5ms..20ms");
  if (std::optional<Interval> times = parseTimes(text)) {
    if (times->empty())
      return usageError("bad-window", option + ": '" + text + "' ends before it begins");
    selection.window = times;
    return Error::success();
  }
  // A name may hold two dots; two numbers around them are times without units.
  auto [first, last] = text.split("..");
  if (isDigit((first + "0").str()[0]) && isDigit((last + "x").str()[0]))
    return usageError("bad-window",
                      option + ": '" + text + "' needs units, as in 5ms..20ms or 100us..1.5ms");
  selection.windowName = text.str();
  return Error::success();
}

std::optional<Duration> parseDuration(StringRef text) {
  text = text.trim();
  if (text == "0")
    return Duration{};
  // The longer units first: "s" ends all of them.
  static constexpr std::pair<StringLiteral, unsigned> units[] = {
      {"ns", 0}, {"us", 3}, {"\xC2\xB5s", 3}, {"ms", 6}, {"s", 9}};
  for (auto [unit, power] : units) {
    StringRef number = text;
    if (!number.consume_back(unit))
      continue;
    std::optional<Decimal> decimal = parseDecimal(number.rtrim());
    if (!decimal)
      return std::nullopt;
    // Exact or refused: a part of a nanosecond would be lost.
    while (decimal->scale > 0 && decimal->mantissa % 10 == 0) {
      decimal->mantissa /= 10;
      --decimal->scale;
    }
    if (decimal->scale > power)
      return std::nullopt;
    std::optional<int64_t> ns = decimal->toScaled(power);
    if (!ns || *ns > kMaxAbsTimeNs || *ns < -kMaxAbsTimeNs)
      return std::nullopt;
    return Duration{*ns};
  }
  return std::nullopt;
}

} // namespace heddle
