#include "heddle/Support/Decimal.h"
#include "gtest/gtest.h"

using namespace heddle;

static std::string roundTrip(llvm::StringRef text) {
  std::optional<Decimal> d = parseDecimal(text);
  if (!d)
    return "raw";
  llvm::SmallString<32> out;
  d->print(out);
  return out.str().str();
}

TEST(Decimal, PrintsBackByteForByte) {
  for (const char *text :
       {"0", "7", "-1", "0.5", "-0.5", "1.50", "0.000", "10.010", "9223372036854775807",
        "-9223372036854775808", "1712170298000.123", "0.000000000000000001"})
    EXPECT_EQ(roundTrip(text), text);
}

TEST(Decimal, LeavesTheRestRaw) {
  for (const char *text :
       {"", "-", "-0", "-0.0", "01", "1.", ".5", "1e5", "1E5", "+1", "0.-05", "1.0.0", "NaN", "1 ",
        "9223372036854775808", "-9223372036854775809", "0.0000000000000000001", "0x10"})
    EXPECT_EQ(roundTrip(text), "raw") << text;
}

TEST(Decimal, RoundsHalfToEven) {
  EXPECT_EQ(parseDecimal("1.0005")->toScaled(3), 1000);
  EXPECT_EQ(parseDecimal("1.0015")->toScaled(3), 1002);
  EXPECT_EQ(parseDecimal("1.00151")->toScaled(3), 1002);
  EXPECT_EQ(parseDecimal("-1.0005")->toScaled(3), -1000);
  EXPECT_EQ(parseDecimal("-1.0006")->toScaled(3), -1001);
  EXPECT_EQ(parseDecimal("1.5")->toScaled(3), 1500);
  EXPECT_EQ(parseDecimal("9223372036854775807")->toScaled(3), std::nullopt);
  EXPECT_EQ(parseDecimal("0.5")->toScaled(0), 0);
  EXPECT_EQ(parseDecimal("1.5")->toScaled(0), 2);
}
