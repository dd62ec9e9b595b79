//===- ReportTextTest.cpp - Figures that close, names that are safe -------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/Lower/ReportText.h"
#include "llvm/Support/JSON.h"
#include "gmock/gmock.h"
#include <numeric>
#include <random>

using namespace heddle;
using testing::ElementsAre;

namespace {

int64_t sum(const std::vector<int64_t> &v) {
  return std::accumulate(v.begin(), v.end(), int64_t{0});
}

TEST(ReportText, largestRemainderClosesColumns) {
  // Rounded one by one these are 33.3 % each and 99.9 % together.
  EXPECT_THAT(apportion({1, 1, 1}, 1000), ElementsAre(334, 333, 333));
  EXPECT_THAT(apportion({0, 0}, 1000), ElementsAre(0, 0));
  EXPECT_THAT(apportion({}, 1000), ElementsAre());
  EXPECT_THAT(apportion({5}, 0), ElementsAre(0));
  // A part of nothing never gets a unit, whatever is left over.
  EXPECT_THAT(apportion({0, 1, 1, 1}, 1000), ElementsAre(0, 334, 333, 333));
  // Products of two nanosecond counts exceed 64 bits.
  int64_t large = int64_t{1} << 61;
  EXPECT_THAT(apportion({large, large}, large), ElementsAre(large / 2, large / 2));
}

TEST(ReportText, everyColumnOfRandomPartsClosesAndIsNear) {
  std::mt19937_64 random(7);
  for (int round = 0; round != 2000; ++round) {
    std::vector<int64_t> parts(1 + random() % 14);
    for (int64_t &p : parts)
      p = random() % 3 ? static_cast<int64_t>(random() % (1ull << (random() % 50))) : 0;
    int64_t total = sum(parts), target = static_cast<int64_t>(random() % 100000);
    std::vector<int64_t> shown = apportion(parts, target);
    ASSERT_EQ(sum(shown), total ? target : 0);
    for (size_t i = 0; total && i != parts.size(); ++i) {
      double exact =
          static_cast<double>(parts[i]) / static_cast<double>(total) * static_cast<double>(target);
      ASSERT_LT(std::abs(static_cast<double>(shown[i]) - exact), 1.001) << round;
    }
  }
}

TEST(ReportText, groupsAreRoundedBeforeTheirParts) {
  // One by one, 66.195 and 7.135 ms would lose a step to 2.207.
  Shown s = closeGroups({66'195, 7'135, 2'207}, {0, 0, 1}, 7554, 867);
  EXPECT_THAT(s.steps, ElementsAre(6620, 713, 221));
  EXPECT_EQ(s.steps[0] + s.steps[1], 7333);
  EXPECT_EQ(sum(s.tenths), 867);
  EXPECT_THAT(closeGroups({}, {}, 5, 5).steps, ElementsAre());
}

TEST(ReportText, busyAndIdleAreTheNearestFigures) {
  TimeScale ms = timeScale(87'130'000, false);
  Shown s = closeWindow({8'652'001, 2'141'500, 803'000, 75'533'500}, ms);
  EXPECT_THAT(s.steps, ElementsAre(866, 214, 80, 7553));
  EXPECT_EQ(sum(s.steps), ms.steps(87'130'001));
  EXPECT_EQ(sum(s.tenths), 1000);
  EXPECT_THAT(closeWindow({0, 0, 0, 0}, ms).tenths, ElementsAre(0, 0, 0, 0));
  // Busy is the nearest figure, as it is where it stands by itself; idle takes what is left.
  EXPECT_THAT(closeWindow({46'400, 0, 0, 4'368'000}, ms).steps, ElementsAre(5, 0, 0, 436));
}

TEST(ReportText, timesOfAWindowShareAScale) {
  TimeScale ms = timeScale(87'130'000, false);
  EXPECT_EQ(ms.text(ms.steps(87'125'000)), "87.13 ms");
  EXPECT_EQ(ms.text(ms.steps(4'999)), "0.00 ms");
  EXPECT_EQ(ms.text(ms.steps(-1'230'000)), "-1.23 ms");
  EXPECT_EQ(ms.number(123'456'789), "1,234,567.89");
  EXPECT_EQ(timeScale(1'999'999, false).text(12'345), "123.45 us");
  // Where stamps are whole microseconds nothing finer is shown.
  EXPECT_EQ(timeScale(1'999'999, true).text(123), "123 us");
  EXPECT_EQ(timeScale(2'000'000, true).name, "ms");
  EXPECT_EQ(timeScale(99'999'999'999, false).name, "ms");
  EXPECT_EQ(timeScale(100'000'000'000, false).text(12'345), "123.45 s");
}

TEST(ReportText, timesByThemselvesHaveThreeOrFourDigits) {
  EXPECT_EQ(timeText(0), "0 ns");
  EXPECT_EQ(timeText(999), "999 ns");
  EXPECT_EQ(timeText(1000), "1.0 us");
  EXPECT_EQ(timeText(9'949), "9.9 us");
  EXPECT_EQ(timeText(9'950), "10 us");
  EXPECT_EQ(timeText(94'000), "94 us");
  EXPECT_EQ(timeText(999'499), "999 us");
  EXPECT_EQ(timeText(999'500), "1.00 ms");
  EXPECT_EQ(timeText(9'070'000), "9.07 ms");
  EXPECT_EQ(timeText(463'000'000), "463.0 ms");
  EXPECT_EQ(timeText(13'000'000'000), "13.0 s");
  EXPECT_EQ(timeText(-1'500), "-1.5 us");
  EXPECT_FALSE(timeText(INT64_MIN).empty());
}

TEST(ReportText, sharesAndCounts) {
  EXPECT_EQ(percentText(99), "9.9 %");
  EXPECT_EQ(percentText(1000), "100.0 %");
  EXPECT_EQ(tenthsOf(1, 0), std::nullopt); // no whole: "--", never 0.0 %
  EXPECT_EQ(tenthsOf(1, 2), 500);
  EXPECT_EQ(tenthsOf(1, 2000), 1); // half up
  EXPECT_EQ(countText(24'656), "24,656");
  EXPECT_EQ(countText(-1'000), "-1,000");
  EXPECT_EQ(bytesText(8), "8 B");
  EXPECT_EQ(bytesText(5'114'880), "5.1 MB");
  EXPECT_EQ(plural(1, "step"), "1 step");
  EXPECT_EQ(plural(2, "launch"), "2 launches");
  EXPECT_EQ(plural(2, "copy"), "2 copies");
  EXPECT_EQ(plural(2, "delay"), "2 delays");
  EXPECT_EQ(plural(0, "gap"), "0 gaps");
}

TEST(ReportText, namesAreSafeForTerminals) {
  EXPECT_EQ(safeName("plain name", false), "plain name");
  EXPECT_EQ(safeName("\x1b[31mred\x07", true), "\\x1B[31mred\\x07");
  EXPECT_EQ(safeName("a\nb\tc\x7f", true), "a\\x0Ab\\x09c\\x7F");
  EXPECT_EQ(safeName("\xff\xfe", true), "\\xFF\\xFE");
  EXPECT_EQ(safeName("caf\xc3", true), "caf\\xC3"); // cut in the middle
  EXPECT_EQ(safeName("caf\xc3\xa9", true), "caf\xc3\xa9");
  EXPECT_EQ(safeName("caf\xc3\xa9", false), "caf\\u{E9}");
  // C1 controls and what turns the direction of text are no better than C0.
  EXPECT_EQ(safeName("\xc2\x9b", true), "\\u{9B}");
  EXPECT_EQ(safeName("\xe2\x80\xae", true), "\\u{202E}");
  // What looks like one of our spellings is told from one.
  EXPECT_EQ(safeName("C:\\x41", true), "C:\\\\x41");
  EXPECT_EQ(safeName("C:\\temp", true), "C:\\temp");
}

TEST(ReportText, everyByteStringBecomesPrintable) {
  std::mt19937_64 random(3);
  for (int round = 0; round != 2000; ++round) {
    std::string bytes(random() % 40, ' ');
    for (char &c : bytes)
      c = static_cast<char>(random());
    for (bool unicode : {false, true}) {
      std::string safe = safeName(bytes, unicode);
      ASSERT_TRUE(llvm::json::isUTF8(safe));
      for (unsigned char c : safe)
        ASSERT_TRUE(c >= 0x20 && c != 0x7f && (unicode || c < 0x80));
      for (unsigned width : {0u, 3u, 10u, 25u})
        ASSERT_LE(textWidth(fitText(safe, width)), width);
    }
  }
}

TEST(ReportText, widthsCountColumns) {
  EXPECT_EQ(textWidth("abc"), 3u);
  EXPECT_EQ(textWidth("\xe4\xb8\xad"), 2u); // a wide character
  EXPECT_EQ(fitText("abcdefgh", 6), "abc...");
  EXPECT_EQ(fitText("abcdefgh", 6, true), "...fgh");
  EXPECT_EQ(fitText("\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad", 5), "\xe4\xb8\xad...");
  EXPECT_EQ(padRight("ab", 4), "ab  ");
  EXPECT_EQ(padLeft("ab", 4), "  ab");
  EXPECT_EQ(padLeft("abcdef", 4), "abcdef");
}

TEST(ReportText, linesBreakAtBlanks) {
  EXPECT_THAT(wrapText("one two three four", 9), ElementsAre("one two", "three", "four"));
  EXPECT_THAT(wrapText("", 9), ElementsAre(""));
  EXPECT_THAT(wrapText("abcdefghijklmnopqrst", 8), ElementsAre("abcdefgh", "ijklmnop", "qrst"));
}

} // namespace
