//===- BytesTest.cpp --------------------------------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/Bytes.h"
#include "gtest/gtest.h"

using namespace heddle;

TEST(Bytes, ElementsByEitherName) {
  EXPECT_EQ(sizeOfDtype("BFloat16"), 2);
  EXPECT_EQ(sizeOfCppType("c10::BFloat16"), 2);
  EXPECT_EQ(sizeOfDtype("Long"), 8);
  EXPECT_EQ(sizeOfCppType("long int"), 8);
  EXPECT_EQ(sizeOfDtype("ComplexDouble"), 16);
  EXPECT_EQ(sizeOfCppType("c10::complex<double>"), 16);
  EXPECT_EQ(sizeOfDtype("Float8_e4m3fn"), 1);
  EXPECT_EQ(sizeOfCppType("c10::Float8_e5m2"), 1);
  // Neither is the other's.
  EXPECT_EQ(sizeOfDtype("float"), std::nullopt);
  EXPECT_EQ(sizeOfCppType("Float"), std::nullopt);
  EXPECT_EQ(sizeOfCppType("Float8_e5m2"), std::nullopt);
  EXPECT_EQ(sizeOfDtype(""), std::nullopt);
  EXPECT_EQ(sizeOfCppType(""), std::nullopt);
}

TEST(Bytes, RatesAtTheExtremes) {
  EXPECT_EQ(megabytesPerSecond(0, {1}), 0);
  EXPECT_EQ(megabytesPerSecond(1999, {1000}), 1999);
  EXPECT_EQ(megabytesPerSecond(1, {1001}), 0); // rounded down
  EXPECT_EQ(megabytesPerSecond(1000, {1000}, 7, 4), 1750);
  EXPECT_EQ(megabytesPerSecond(1, {0}), std::nullopt);
  EXPECT_EQ(megabytesPerSecond(INT64_MAX, {1000}), INT64_MAX);
  EXPECT_EQ(megabytesPerSecond(INT64_MAX, {999}), std::nullopt);
  EXPECT_EQ(megabytesPerSecond(INT64_MAX, {INT64_MAX}), 1000);
  EXPECT_EQ(megabytesPerSecond(INT64_MAX, {1000}, UINT32_MAX, UINT32_MAX), INT64_MAX);
  EXPECT_EQ(megabytesPerSecond(INT64_MAX, {1000}, UINT32_MAX, UINT32_MAX - 1), std::nullopt);
  EXPECT_EQ(megabytesPerSecond(1, {INT64_MAX}, 1, UINT32_MAX), 0);
}
