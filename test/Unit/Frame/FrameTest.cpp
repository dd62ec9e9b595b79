//===- FrameTest.cpp - Frames and columns ---------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/Frame/Column.h"
#include <cstring>
#include <gmock/gmock.h>
#include <random>

using namespace heddle::frame;
using testing::ElementsAre;

namespace {

std::vector<int64_t> decode(const StoredColumn &c) {
  Codec codec;
  std::vector<int64_t> out(c.count);
  EXPECT_TRUE(decodeColumn(c, c.sizes, c.data, out, codec));
  return out;
}

/// What becomes of the values: the same, in the form that is expected.
StoredColumn expectForm(Encoding encoding, const std::vector<int64_t> &values) {
  StoredColumn c = ColumnEncoder().encode(values);
  EXPECT_EQ(c.encoding, encoding);
  EXPECT_EQ(decode(c), values);
  return c;
}

TEST(Column, FormsByWhatTheValuesAre) {
  expectForm(Encoding::Constant, {});
  expectForm(Encoding::Constant, {7});
  expectForm(Encoding::Constant, std::vector<int64_t>(70000, INT64_MIN));
  std::vector<int64_t> rising, even, noise, names;
  std::mt19937_64 random(1);
  const int64_t few[] = {3, 1000, 77777, 5, 123456789};
  for (int64_t i = 0; i != 5000; ++i) {
    rising.push_back((i ? rising.back() : 0) + static_cast<int64_t>(random() % 100) * 1000);
    even.push_back(3 * i * i);
    noise.push_back(static_cast<int64_t>(random() % 40000));
    names.push_back(few[random() % 5]);
  }
  EXPECT_EQ(expectForm(Encoding::Delta, rising).unit, 1000u);
  expectForm(Encoding::DeltaOfDelta, even);
  EXPECT_EQ(expectForm(Encoding::Plain, noise).width, 2);
  EXPECT_EQ(expectForm(Encoding::Dictionary, names).entries, 5u);
}

TEST(Column, AnyValuesComeBack) {
  std::mt19937_64 random(2);
  for (int round = 0; round != 300; ++round) {
    SCOPED_TRACE(round);
    std::vector<int64_t> values(random() % 2000);
    unsigned bits = random() % 65;
    uint64_t sum = random();
    for (int64_t &v : values) {
      uint64_t r = bits == 0 ? 0 : random() >> (64 - bits);
      v = static_cast<int64_t>(round % 3 == 0 ? r : sum += round % 3 == 1 ? r : 0 - r);
    }
    if (values.size() > 4 && round % 5 == 0) {
      values[1] = INT64_MAX;
      values[3] = INT64_MIN;
    }
    EXPECT_EQ(decode(ColumnEncoder().encode(values)), values);
  }
}

/// The examples of docs/TraceFormat.md.
TEST(Column, ExamplesOfTheSpecification) {
  StoredColumn c;
  c.encoding = Encoding::Plain;
  c.count = 3, c.first = 1000, c.unit = 1000, c.width = 1;
  c.sizes = {3}, c.data = {0, 3, 1};
  EXPECT_THAT(decode(c), ElementsAre(1000, 4000, 2000));
  c.encoding = Encoding::Delta;
  c.first = 100, c.unit = 1;
  c.sizes = {2}, c.data = {0x0A, 3};
  EXPECT_THAT(decode(c), ElementsAre(100, 105, 103));
  c.encoding = Encoding::DeltaOfDelta;
  c.count = 4, c.first = 0, c.second = 10, c.unit = 10;
  c.sizes = {1}, c.data = {2};
  EXPECT_THAT(decode(c), ElementsAre(0, 10, 30, 60));
  c.encoding = Encoding::Dictionary;
  c.count = 6, c.first = 5, c.entries = 3, c.unit = 5, c.entryWidth = 1;
  c.sizes = {2, 6}, c.data = {0x0D, 0xA6, 0, 2, 0, 0, 2, 1};
  EXPECT_THAT(decode(c), ElementsAre(5, 900, 5, 5, 900, 70));
}

TEST(Column, PartsThatDoNotFitAreRefused) {
  std::vector<int64_t> values = {5, 1 << 30, 5, 5, 1 << 30, 70, 5, 5, 1 << 30, 70, 5, 5};
  StoredColumn whole = ColumnEncoder().encode(values);
  Codec codec;
  auto refused = [&](auto change) {
    StoredColumn c = whole;
    change(c);
    std::vector<int64_t> out(c.count);
    return !decodeColumn(c, c.sizes, c.data, out, codec);
  };
  EXPECT_FALSE(refused([](StoredColumn &) {}));
  EXPECT_TRUE(refused([](StoredColumn &c) { c.width = 9; }));
  EXPECT_TRUE(refused([](StoredColumn &c) { c.width = 2; }));
  EXPECT_TRUE(refused([](StoredColumn &c) { c.width = 0; }));
  EXPECT_TRUE(refused([](StoredColumn &c) { c.sizes.push_back(0); }));
  EXPECT_TRUE(refused([](StoredColumn &c) { c.data.pop_back(); }));
  EXPECT_TRUE(refused([](StoredColumn &c) { c.data.push_back(0); }));
  EXPECT_TRUE(refused([](StoredColumn &c) { c.encoding = static_cast<Encoding>(5); }));
  EXPECT_TRUE(refused([](StoredColumn &c) { c.encoding = Encoding::Constant; }));
  ASSERT_EQ(whole.encoding, Encoding::Dictionary);
  EXPECT_TRUE(refused([](StoredColumn &c) { c.entries = 0; }));
  EXPECT_TRUE(refused([](StoredColumn &c) { c.entries = 13; }));
  EXPECT_TRUE(refused([](StoredColumn &c) { c.data.back() = 3; }));
}

struct Parsed {
  Fault fault = Fault::None;
  std::vector<uint8_t> message;
};

/// Reads the frame that the bytes begin with.
Parsed parse(std::span<const uint8_t> bytes) {
  Header header;
  if (bytes.size() < kHeaderBytes)
    return {Fault::Length, {}};
  Fault fault = parseHeader(bytes.first<kHeaderBytes>(), header);
  if (fault != Fault::None)
    return {fault, {}};
  if (frameBytes(header) > bytes.size())
    return {Fault::Length, {}};
  std::span<const uint8_t> payload = bytes.subspan(kHeaderBytes, header.length), message;
  if (!hashMatches(bytes.first<kHeaderBytes>(), payload, header))
    return {Fault::Hash, {}};
  std::vector<uint8_t> buffer;
  fault = Codec().open(header, payload, buffer, message);
  return {fault, {message.begin(), message.end()}};
}

TEST(Frame, MessagesComeBack) {
  for (size_t size : {0, 1, 7, 8, 9, 100, 100000}) {
    SCOPED_TRACE(size);
    std::vector<uint8_t> message(size, 'x'), bytes;
    Codec().append(bytes, Type::Events, message);
    EXPECT_EQ(bytes.size() % kAlignment, 0u);
    Parsed p = parse(bytes);
    EXPECT_EQ(p.fault, Fault::None);
    EXPECT_EQ(p.message, message);
  }
}

TEST(Frame, TheMagicStandsInTheFile) {
  std::vector<uint8_t> bytes;
  Codec().append(bytes, Type::Head, std::vector<uint8_t>{1});
  EXPECT_EQ(std::memcmp(bytes.data(), "\x89HB\n\x01\x00\x00\x00\x01\x00\x00\x00", 12), 0);
}

TEST(Frame, EveryBitIsGuarded) {
  std::vector<uint8_t> message(300), bytes;
  for (size_t i = 0; i != message.size(); ++i)
    message[i] = static_cast<uint8_t>(i / 40);
  Codec().append(bytes, Type::Events, message);
  size_t guarded = kHeaderBytes + bytes[8]; // the padding is the reader's to check
  for (size_t bit = 0; bit != 8 * guarded; ++bit) {
    bytes[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
    EXPECT_NE(parse(bytes).fault, Fault::None) << bit;
    bytes[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
  }
  EXPECT_EQ(parse(bytes).fault, Fault::None);
}

TEST(Frame, FaultsHaveWords) {
  for (int f = 0; f <= static_cast<int>(Fault::Zstd); ++f)
    EXPECT_GT(std::strlen(faultText(static_cast<Fault>(f))), 10u);
}

} // namespace
