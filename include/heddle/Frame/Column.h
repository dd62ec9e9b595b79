//===- heddle/Frame/Column.h - How a column of integers is stored -*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Columns are integers of 64 bits; how each is stored is chosen by size. What is left of the
/// values is cut into planes, one for each byte, and each plane is compressed by itself: the upper
/// planes of durations nearly vanish, the lowest is noise. docs/TraceFormat.md says every byte.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_FRAME_COLUMN_H
#define HEDDLE_FRAME_COLUMN_H

#include "heddle/Frame/Frame.h"

namespace heddle::frame {

/// What the stored numbers are. Arithmetic is modulo 2^64.
enum class Encoding : uint8_t {
  Constant,     ///< All values are `first`; nothing is stored.
  Plain,        ///< (value - first) / unit, first being the least.
  Delta,        ///< Zigzag of the steps from value to value, divided by unit; value 0 is `first`.
  DeltaOfDelta, ///< The same of the steps' steps; step 0 is `second`.
  Dictionary,   ///< Indices of a rising list of values, which is stored before them.
};
inline constexpr unsigned kNumEncodings = 5; ///< How many there are.

/// A column as stored, its planes outside.
struct ColumnHead {
  Encoding encoding = Encoding::Constant; ///< How.
  uint8_t width = 0;                      ///< Planes of the numbers.
  uint8_t entryWidth = 0;                 ///< Planes of the dictionary's steps.
  uint32_t count = 0;                     ///< Values.
  uint32_t entries = 0;                   ///< Of the dictionary.
  int64_t first = 0, second = 0;          ///< See Encoding.
  uint64_t unit = 1;                      ///< Divides what is stored.
};

/// A column that was encoded.
struct StoredColumn : ColumnHead {
  std::vector<uint32_t> sizes; ///< Stored bytes of each plane, the dictionary's first.
  std::vector<uint8_t> data;   ///< The planes.
};

/// Encodes columns. Not thread-safe.
class ColumnEncoder {
public:
  /// The shortest form that it finds. The same values give the same bytes. At most 2^32 - 1 values.
  StoredColumn encode(std::span<const int64_t> values);

private:
  void planes(std::span<const uint64_t> numbers, uint8_t width, StoredColumn &to);
  void tryNumbers(StoredColumn candidate, StoredColumn &best);
  bool dictionary(std::span<const int64_t> values, StoredColumn &candidate);
  Codec codec;
  std::vector<uint64_t> numbers;
  std::vector<uint8_t> plane;
};

/// Decodes a column into `out`, which has `head.count` elements. False if the parts do not fit
/// together. Work and memory are linear in `head.count` + `head.entries`, which the caller bounds.
bool decodeColumn(const ColumnHead &head, std::span<const uint32_t> sizes,
                  std::span<const uint8_t> data, std::span<int64_t> out, Codec &codec);

} // namespace heddle::frame

#endif
