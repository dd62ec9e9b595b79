//===- ReportText.cpp - Figures and names for people ----------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/Lower/ReportText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Unicode.h"
#include <algorithm>
#include <numeric>

using namespace heddle;
using namespace llvm;

namespace {
/// GCC's and Clang's: products of two nanosecond counts exceed 64 bits.
__extension__ typedef __int128 Wide;

int64_t divideHalfUp(Wide a, Wide b) { return static_cast<int64_t>((2 * a + b) / (2 * b)); }

std::string grouped(uint64_t n) {
  std::string digits = utostr(n), out;
  for (size_t i = 0; i != digits.size(); ++i) {
    if (i && (digits.size() - i) % 3 == 0)
      out += ',';
    out += digits[i];
  }
  return out;
}

std::string fixedPoint(int64_t steps, unsigned decimals) {
  uint64_t magnitude = steps < 0 ? 0 - static_cast<uint64_t>(steps) : static_cast<uint64_t>(steps),
           unit = 1;
  for (unsigned i = 0; i != decimals; ++i)
    unit *= 10;
  std::string out = steps < 0 ? "-" : "";
  out += grouped(magnitude / unit);
  if (!decimals)
    return out;
  std::string fraction = utostr(magnitude % unit);
  return out + "." + std::string(decimals - fraction.size(), '0') + fraction;
}
} // namespace

std::vector<int64_t> heddle::apportion(ArrayRef<int64_t> parts, int64_t target) {
  std::vector<int64_t> out(parts.size(), 0);
  Wide sum = 0;
  for (int64_t p : parts)
    sum += p;
  if (sum <= 0 || target <= 0)
    return out;
  int64_t left = target;
  std::vector<Wide> remainder(parts.size());
  for (size_t i = 0; i != parts.size(); ++i) {
    Wide product = static_cast<Wide>(parts[i]) * target;
    out[i] = static_cast<int64_t>(product / sum);
    remainder[i] = product % sum;
    left -= out[i];
  }
  std::vector<size_t> order(parts.size());
  std::iota(order.begin(), order.end(), 0);
  stable_sort(order, [&](size_t a, size_t b) { return remainder[a] > remainder[b]; });
  for (int64_t i = 0; i < left; ++i)
    ++out[order[static_cast<size_t>(i)]];
  return out;
}

int64_t TimeScale::steps(int64_t ns) const {
  return ns < 0 ? -divideHalfUp(-static_cast<Wide>(ns), quantum) : divideHalfUp(ns, quantum);
}

std::string TimeScale::number(int64_t steps) const { return fixedPoint(steps, decimals); }

TimeScale heddle::timeScale(int64_t windowNs, bool microseconds) {
  if (windowNs < 2'000'000)
    return microseconds ? TimeScale{"us", 1000, 0} : TimeScale{"us", 10, 2};
  if (windowNs < 100'000'000'000)
    return {"ms", 10'000, 2};
  return {"s", 10'000'000, 2};
}

Shown heddle::closeColumns(ArrayRef<int64_t> parts, int64_t wholeSteps, int64_t wholeTenths) {
  return {apportion(parts, wholeSteps), apportion(parts, wholeTenths)};
}

Shown heddle::closeGroups(ArrayRef<int64_t> parts, ArrayRef<unsigned> groups, int64_t wholeSteps,
                          int64_t wholeTenths) {
  std::vector<std::vector<size_t>> members;
  std::vector<int64_t> sums;
  for (size_t i = 0; i != parts.size(); ++i) {
    if (groups[i] >= sums.size()) {
      sums.resize(groups[i] + 1);
      members.resize(groups[i] + 1);
    }
    sums[groups[i]] += parts[i];
    members[groups[i]].push_back(i);
  }
  Shown whole = closeColumns(sums, wholeSteps, wholeTenths);
  Shown out{std::vector<int64_t>(parts.size()), std::vector<int64_t>(parts.size())};
  for (size_t g = 0; g != sums.size(); ++g) {
    std::vector<int64_t> own;
    for (size_t i : members[g])
      own.push_back(parts[i]);
    Shown shown = closeColumns(own, whole.steps[g], whole.tenths[g]);
    for (size_t n = 0; n != own.size(); ++n) {
      out.steps[members[g][n]] = shown.steps[n];
      out.tenths[members[g][n]] = shown.tenths[n];
    }
  }
  return out;
}

Shown heddle::closeWindow(ArrayRef<int64_t> parts, const TimeScale &scale) {
  if (parts.empty())
    return {};
  int64_t busy = 0;
  for (int64_t p : parts.drop_back())
    busy += p;
  int64_t window = busy + parts.back();
  int64_t busySteps = scale.steps(busy), busyTenths = tenthsOf(busy, window).value_or(0);
  Shown out = closeColumns(parts.drop_back(), busySteps, busyTenths);
  out.steps.push_back(scale.steps(window) - busySteps);
  out.tenths.push_back((window > 0 ? 1000 : 0) - busyTenths);
  return out;
}

std::string heddle::percentText(int64_t tenths) { return fixedPoint(tenths, 1) + " %"; }

std::optional<int64_t> heddle::tenthsOf(int64_t part, int64_t whole) {
  if (whole <= 0)
    return std::nullopt;
  return part < 0 ? -divideHalfUp(-static_cast<Wide>(part) * 1000, whole)
                  : divideHalfUp(static_cast<Wide>(part) * 1000, whole);
}

std::string heddle::countText(int64_t n) { return fixedPoint(n, 0); }

std::string heddle::timeText(int64_t ns) {
  if (ns < 0)
    return ns == INT64_MIN ? "-" + timeText(INT64_MAX) : "-" + timeText(-ns);
  if (ns < 1000)
    return utostr(ns) + " ns";
  struct Step {
    int64_t below, quantum;
    unsigned decimals;
    StringRef name;
  };
  static constexpr Step table[] = {{10'000, 100, 1, "us"},
                                   {1'000'000, 1000, 0, "us"},
                                   {100'000'000, 10'000, 2, "ms"},
                                   {10'000'000'000, 100'000, 1, "ms"},
                                   {INT64_MAX, 100'000'000, 1, "s"}};
  for (const Step &s : table)
    if (ns < s.below || s.below == INT64_MAX) {
      int64_t steps = divideHalfUp(ns, s.quantum);
      if (steps >= s.below / s.quantum && s.below != INT64_MAX)
        continue; // rounds up into the next line
      return fixedPoint(steps, s.decimals) + " " + s.name.str();
    }
  return {};
}

std::string heddle::bytesText(int64_t bytes) {
  static constexpr StringLiteral units[] = {"B", "kB", "MB", "GB", "TB"};
  unsigned unit = 0;
  int64_t quantum = 1;
  while (unit + 1 < std::size(units) && bytes / quantum >= 1000) {
    quantum *= 1000;
    ++unit;
  }
  if (!unit)
    return countText(bytes) + " B";
  return fixedPoint(divideHalfUp(bytes, quantum / 10), 1) + " " + units[unit].str();
}

std::string heddle::plural(int64_t n, StringRef noun) {
  std::string out = countText(n) + " " + noun.str();
  if (n == 1)
    return out;
  if (noun.size() > 1 && noun.ends_with("y") && !StringRef("aeou").contains(noun[noun.size() - 2]))
    return countText(n) + " " + noun.drop_back().str() + "ies";
  bool es = noun.ends_with("ch") || noun.ends_with("s") || noun.ends_with("x");
  return out + (es ? "es" : "s");
}

std::string heddle::safeName(StringRef name, bool unicode) {
  std::string out;
  const auto *at = reinterpret_cast<const UTF8 *>(name.bytes_begin());
  const auto *end = reinterpret_cast<const UTF8 *>(name.bytes_end());
  while (at != end) {
    if (*at < 0x80) {
      unsigned char c = *at++;
      if (c < 0x20 || c == 0x7f)
        out += "\\x" + utohexstr(c, /*LowerCase=*/false, /*Width=*/2);
      else if (c == '\\' && at != end && (*at == 'x' || *at == 'u' || *at == '\\'))
        out += "\\\\";
      else
        out += static_cast<char>(c);
      continue;
    }
    const UTF8 *start = at;
    UTF32 point = 0;
    if (convertUTF8Sequence(&at, end, &point, strictConversion) != conversionOK) {
      at = start + 1;
      out += "\\x" + utohexstr(*start, false, 2);
    } else if (!unicode || !sys::unicode::isPrintable(static_cast<int>(point))) {
      out += "\\u{" + utohexstr(point) + "}";
    } else {
      out.append(reinterpret_cast<const char *>(start), reinterpret_cast<const char *>(at));
    }
  }
  return out;
}

unsigned heddle::textWidth(StringRef safe) {
  int width = sys::unicode::columnWidthUTF8(safe);
  return width < 0 ? static_cast<unsigned>(safe.size()) : static_cast<unsigned>(width);
}

/// Bytes of the code point at the front.
static size_t pointSize(StringRef s) {
  return std::min<size_t>(s.size(), getNumBytesForUTF8(static_cast<UTF8>(s.front())));
}

/// The longest prefix of at most `width` columns.
static StringRef prefix(StringRef safe, unsigned width) {
  size_t at = 0;
  unsigned used = 0;
  while (at != safe.size()) {
    size_t n = pointSize(safe.drop_front(at));
    used += textWidth(safe.substr(at, n));
    if (used > width)
      break;
    at += n;
  }
  return safe.take_front(at);
}

std::string heddle::fitText(StringRef safe, unsigned width, bool cutFront) {
  if (textWidth(safe) <= width)
    return safe.str();
  if (width <= 3)
    return std::string(width, '.');
  if (!cutFront)
    return prefix(safe, width - 3).str() + "...";
  StringRef rest = safe;
  while (!rest.empty() && textWidth(rest) > width - 3)
    rest = rest.drop_front(pointSize(rest));
  return "..." + rest.str();
}

std::string heddle::padRight(StringRef safe, unsigned width) {
  unsigned w = textWidth(safe);
  return safe.str() + std::string(w < width ? width - w : 0, ' ');
}

std::string heddle::padLeft(StringRef safe, unsigned width) {
  unsigned w = textWidth(safe);
  return std::string(w < width ? width - w : 0, ' ') + safe.str();
}

std::vector<std::string> heddle::wrapText(StringRef safe, unsigned width) {
  width = std::max(width, 8u);
  std::vector<std::string> lines;
  std::string line;
  while (!safe.empty()) {
    auto [word, rest] = safe.split(' ');
    safe = rest;
    unsigned have = textWidth(line);
    if (!line.empty() && have + 1 + textWidth(word) > width) {
      lines.push_back(std::move(line));
      line.clear();
    }
    while (textWidth(word) > width) {
      StringRef part = prefix(word, width);
      lines.push_back(part.str());
      word = word.drop_front(part.size());
    }
    if (!line.empty())
      line += ' ';
    line += word;
  }
  if (!line.empty() || lines.empty())
    lines.push_back(std::move(line));
  return lines;
}
