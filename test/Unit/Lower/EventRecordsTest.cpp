//===- EventRecordsTest.cpp - TensorBoard's event files -------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "lib/Lower/EventRecords.h"
#include <gtest/gtest.h>

using namespace heddle;
using namespace llvm;

namespace {

// Published vectors: of RFC 3720 (iSCSI), and of TensorFlow's and TensorBoard's own tests.
TEST(EventRecords, Crc32c) {
  EXPECT_EQ(crc32c(""), 0u);
  EXPECT_EQ(crc32c("123456789"), 0xe3069283u);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aau);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43u);
  EXPECT_EQ(maskedCrc32c(StringRef("\x18\0\0\0\0\0\0\0", 8)), 0x224b7fa3u);
  EXPECT_EQ(maskedCrc32c("\x1a\x11"
                         "CRC test, one two"),
            0x5794d08au);
}

} // namespace
