//===- Column.cpp - How a column of integers is stored --------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/Frame/Column.h"
#include <algorithm>
#include <bit>
#include <numeric>

namespace heddle::frame {

/// Planes shorter than this are left to the compression of the whole frame.
static constexpr size_t kMinPlane = 256;
/// A dictionary is tried up to this size.
static constexpr size_t kMaxEntries = 1 << 15;

static uint64_t zigzag(uint64_t v) { return v << 1 ^ (v >> 63 ? ~uint64_t{0} : 0); }
static uint64_t unzigzag(uint64_t v) { return v >> 1 ^ (v & 1 ? ~uint64_t{0} : 0); }

/// |v| of a step, whose sign is in its zigzag form.
static uint64_t magnitude(uint64_t step) { return step >> 63 ? 0 - step : step; }

static uint8_t widthOf(std::span<const uint64_t> numbers) {
  uint64_t all = 0;
  for (uint64_t n : numbers)
    all |= n;
  return static_cast<uint8_t>((std::bit_width(all) + 7) / 8);
}

static size_t storedSize(const StoredColumn &c) {
  return c.data.size() + sizeof(uint32_t) * c.sizes.size();
}

void ColumnEncoder::planes(std::span<const uint64_t> from, uint8_t width, StoredColumn &to) {
  plane.resize(from.size());
  for (unsigned p = 0; p != width; ++p) {
    for (size_t i = 0; i != from.size(); ++i)
      plane[i] = static_cast<uint8_t>(from[i] >> (8 * p));
    std::span<const uint8_t> bytes = plane;
    bool same = std::all_of(bytes.begin(), bytes.end(), [&](uint8_t b) { return b == bytes[0]; });
    if (same)
      bytes = bytes.first(1);
    else if (plane.size() >= kMinPlane)
      if (std::span<const uint8_t> shorter = codec.compress(plane); shorter.size() > 1)
        bytes = shorter;
    to.sizes.push_back(static_cast<uint32_t>(bytes.size()));
    to.data.insert(to.data.end(), bytes.begin(), bytes.end());
  }
}

/// Stores `numbers` as the candidate's planes; it wins if it is shorter.
void ColumnEncoder::tryNumbers(StoredColumn candidate, StoredColumn &best) {
  candidate.width = widthOf(numbers);
  planes(numbers, candidate.width, candidate);
  if (best.encoding == Encoding::Constant || storedSize(candidate) < storedSize(best))
    best = std::move(candidate);
}

/// Turns steps into what is stored of them; returns their unit.
static uint64_t scaleSteps(std::span<uint64_t> steps) {
  uint64_t unit = 0;
  for (uint64_t s : steps)
    if (unit != 1)
      unit = std::gcd(unit, magnitude(s));
  unit = std::max<uint64_t>(unit, 1);
  for (uint64_t &s : steps) {
    uint64_t size = magnitude(s) / unit;
    s = zigzag(s >> 63 ? 0 - size : size);
  }
  return unit;
}

bool ColumnEncoder::dictionary(std::span<const int64_t> values, StoredColumn &candidate) {
  size_t most = std::min(values.size() / 4, kMaxEntries);
  std::vector<uint32_t> slots(std::bit_ceil(2 * most + 2), 0);
  std::vector<int64_t> entries;
  auto slotOf = [&](int64_t v) {
    size_t i = (static_cast<uint64_t>(v) * 0x9E3779B97F4A7C15u) >> 32 & (slots.size() - 1);
    while (slots[i] && entries[slots[i] - 1] != v)
      i = (i + 1) & (slots.size() - 1);
    return i;
  };
  numbers.resize(values.size());
  for (size_t k = 0; k != values.size(); ++k) {
    size_t i = slotOf(values[k]);
    if (!slots[i]) {
      if (entries.size() == most)
        return false;
      entries.push_back(values[k]);
      slots[i] = static_cast<uint32_t>(entries.size());
    }
    numbers[k] = slots[i] - 1;
  }
  std::vector<uint32_t> order(entries.size()), place(entries.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](uint32_t a, uint32_t b) { return entries[a] < entries[b]; });
  for (uint32_t i = 0; i != order.size(); ++i)
    place[order[i]] = i;
  for (uint64_t &n : numbers)
    n = place[n];
  candidate.encoding = Encoding::Dictionary;
  candidate.entries = static_cast<uint32_t>(entries.size());
  candidate.first = entries[order[0]];
  std::vector<uint64_t> steps;
  for (size_t i = 1; i != order.size(); ++i)
    steps.push_back(static_cast<uint64_t>(entries[order[i]]) -
                    static_cast<uint64_t>(entries[order[i - 1]]));
  uint64_t unit = 0;
  for (uint64_t s : steps)
    unit = std::gcd(unit, s);
  candidate.unit = std::max<uint64_t>(unit, 1);
  for (uint64_t &s : steps)
    s /= candidate.unit;
  candidate.entryWidth = widthOf(steps);
  planes(steps, candidate.entryWidth, candidate);
  return true;
}

StoredColumn ColumnEncoder::encode(std::span<const int64_t> values) {
  StoredColumn best;
  best.count = static_cast<uint32_t>(values.size());
  if (values.empty())
    return best;
  best.first = values[0];
  auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  if (*least == *greatest)
    return best;
  StoredColumn empty = best;

  StoredColumn plain = empty;
  plain.encoding = Encoding::Plain;
  plain.first = *least;
  numbers.resize(values.size());
  uint64_t unit = 0;
  for (size_t i = 0; i != values.size(); ++i) {
    numbers[i] = static_cast<uint64_t>(values[i]) - static_cast<uint64_t>(*least);
    if (unit != 1)
      unit = std::gcd(unit, numbers[i]);
  }
  plain.unit = unit; // not 0, since the values differ
  for (uint64_t &n : numbers)
    n /= unit;
  tryNumbers(std::move(plain), best);

  StoredColumn delta = empty;
  delta.encoding = Encoding::Delta;
  auto step = [&](size_t i) {
    return static_cast<uint64_t>(values[i]) - static_cast<uint64_t>(values[i - 1]);
  };
  numbers.resize(values.size() - 1);
  for (size_t i = 1; i != values.size(); ++i)
    numbers[i - 1] = step(i);
  delta.unit = scaleSteps(numbers);
  tryNumbers(std::move(delta), best);

  if (values.size() > 2) {
    StoredColumn second = empty;
    second.encoding = Encoding::DeltaOfDelta;
    second.second = static_cast<int64_t>(step(1));
    numbers.resize(values.size() - 2);
    for (size_t i = 2; i != values.size(); ++i)
      numbers[i - 2] = step(i) - step(i - 1);
    second.unit = scaleSteps(numbers);
    tryNumbers(std::move(second), best);
  }
  StoredColumn listed = empty;
  if (values.size() >= 8 && dictionary(values, listed))
    tryNumbers(std::move(listed), best);
  return best;
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

namespace {
/// Takes planes one after the other.
class PlaneReader {
public:
  PlaneReader(std::span<const uint32_t> sizes, std::span<const uint8_t> data, Codec &codec)
      : sizes(sizes), data(data), codec(codec) {}

  /// Reads `out.size()` numbers of `width` planes.
  bool read(uint8_t width, std::span<uint64_t> out) {
    std::fill(out.begin(), out.end(), 0);
    for (unsigned p = 0; p != width; ++p) {
      if (next == sizes.size() || sizes[next] > data.size())
        return false;
      std::span<const uint8_t> stored = data.first(sizes[next]);
      data = data.subspan(sizes[next++]);
      if (stored.size() == 1) {
        for (uint64_t &n : out)
          n |= uint64_t{stored[0]} << (8 * p);
        continue;
      }
      if (stored.size() != out.size()) {
        plane.resize(out.size());
        if (!codec.decompress(stored, plane))
          return false;
        stored = plane;
      }
      for (size_t i = 0; i != out.size(); ++i)
        out[i] |= uint64_t{stored[i]} << (8 * p);
    }
    return true;
  }
  bool atEnd() const { return next == sizes.size() && data.empty(); }

private:
  std::span<const uint32_t> sizes;
  std::span<const uint8_t> data;
  Codec &codec;
  std::vector<uint8_t> plane;
  size_t next = 0;
};
} // namespace

bool decodeColumn(const ColumnHead &head, std::span<const uint32_t> sizes,
                  std::span<const uint8_t> data, std::span<int64_t> out, Codec &codec) {
  if (out.size() != head.count || head.width > 8 || head.entryWidth > 8)
    return false;
  size_t skip = head.encoding == Encoding::Delta          ? 1
                : head.encoding == Encoding::DeltaOfDelta ? 2
                                                          : 0;
  PlaneReader planes(sizes, data, codec);
  if (head.encoding == Encoding::Constant) {
    std::fill(out.begin(), out.end(), head.first);
    return planes.atEnd();
  }
  if (out.size() < std::max<size_t>(skip, 1))
    return false;
  std::vector<int64_t> entries;
  if (head.encoding == Encoding::Dictionary) {
    if (head.entries == 0 || head.entries > head.count)
      return false;
    std::vector<uint64_t> steps(head.entries - 1);
    if (!planes.read(head.entryWidth, steps))
      return false;
    uint64_t value = static_cast<uint64_t>(head.first);
    entries.push_back(head.first);
    for (uint64_t s : steps)
      entries.push_back(static_cast<int64_t>(value += s * head.unit));
  }
  std::vector<uint64_t> numbers(out.size() - skip);
  if (!planes.read(head.width, numbers) || !planes.atEnd())
    return false;
  uint64_t value = static_cast<uint64_t>(head.first), step = static_cast<uint64_t>(head.second);
  auto signedStep = [&](uint64_t n) { return unzigzag(n) * head.unit; };
  switch (head.encoding) {
  case Encoding::Plain:
    for (size_t i = 0; i != out.size(); ++i)
      out[i] = static_cast<int64_t>(value + numbers[i] * head.unit);
    return true;
  case Encoding::Delta:
    out[0] = head.first;
    for (size_t i = 1; i != out.size(); ++i)
      out[i] = static_cast<int64_t>(value += signedStep(numbers[i - 1]));
    return true;
  case Encoding::DeltaOfDelta:
    out[0] = head.first;
    out[1] = static_cast<int64_t>(value += step);
    for (size_t i = 2; i != out.size(); ++i)
      out[i] = static_cast<int64_t>(value += step += signedStep(numbers[i - 2]));
    return true;
  case Encoding::Dictionary:
    for (size_t i = 0; i != out.size(); ++i) {
      if (numbers[i] >= entries.size())
        return false;
      out[i] = entries[numbers[i]];
    }
    return true;
  default:
    return false;
  }
}

} // namespace heddle::frame
