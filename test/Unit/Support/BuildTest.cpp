//===- BuildTest.cpp - How the tests are built ----------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "llvm/Support/Error.h"
#include "gtest/gtest.h"

#include <stdexcept>
#include <string>

// An error made on one side of libheddle's border is known on the other by its type.
TEST(Build, ErrorTypesCrossTheLibraryBorder) {
  llvm::Error error = llvm::createStringError("no such thing");
  EXPECT_TRUE(error.isA<llvm::StringError>());
  EXPECT_EQ(llvm::toString(std::move(error)), "no such thing");
}

TEST(Build, ExceptionsAreOn) { EXPECT_THROW((void)std::stoi("x"), std::invalid_argument); }
