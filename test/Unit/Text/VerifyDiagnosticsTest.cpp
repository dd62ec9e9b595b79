//===- VerifyDiagnosticsTest.cpp - Expected messages ----------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/Text/VerifyDiagnostics.h"
#include "gtest/gtest.h"

using namespace heddle;

static std::string all(const DiagnosticVerifier &v) {
  std::string out;
  for (const Diagnostic &d : v.finish())
    out += std::to_string(d.place.line) + ": " + d.message + "\n";
  return out;
}

static std::string syntaxError(llvm::StringRef text) {
  llvm::Expected<DiagnosticVerifier> v = DiagnosticVerifier::create(text, "t.ht");
  return v ? "" : llvm::toString(v.takeError());
}

TEST(VerifyDiagnostics, MatchesLevelLineAndText) {
  DiagnosticVerifier v = llvm::cantFail(DiagnosticVerifier::create(
      "// expected-error@+1 {{unknown kind}}\n"
      "kernle // expected-warning {{odd}} expected-note@-1 {{before}} expected-remark@above "
      "{{up}}\n"
      "// expected-error@below 2 {{twice}} expected-error@unknown {{nowhere}}\n"
      "x expected-error {{outside a comment}}\n",
      "t.ht"));
  v.see(MessageLevel::Error, 2, "unknown kind of event");
  v.see(MessageLevel::Warning, 2, "this is odd");
  v.see(MessageLevel::Note, 1, "what was before");
  v.see(MessageLevel::Remark, 1, "up");
  v.see(MessageLevel::Error, 4, "twice");
  v.see(MessageLevel::Error, 4, "twice");
  v.see(MessageLevel::Error, 0, "nowhere");
  EXPECT_EQ(all(v), "");
}

TEST(VerifyDiagnostics, ReportsWhatIsMissingAndWhatIsTooMuch) {
  DiagnosticVerifier v = llvm::cantFail(DiagnosticVerifier::create(
      "// expected-error {{a}}\n// expected-warning {{b}}\n", "t.ht", 10));
  v.see(MessageLevel::Warning, 10, "a");
  v.see(inputError("x", "b", {"t.ht", 0, 11, 1, ""}));
  v.see(llvm::createStringError("plain"));
  EXPECT_EQ(all(v), "0: unexpected error: plain\n"
                    "10: unexpected warning: a\n"
                    "10: expected error 'a' was not seen\n"
                    "11: unexpected error: b\n"
                    "11: expected warning 'b' was not seen\n");
}

TEST(VerifyDiagnostics, NamesFaultsOfComments) {
  EXPECT_EQ(syntaxError("\n // expected-eror {{x}}"),
            "t.ht:2:14: unknown level 'eror'; did you mean 'error'?");
  EXPECT_EQ(syntaxError("// expected-error@1 {{x}}"),
            "t.ht:1:13: expected @+N, @-N, @above, @below or @unknown");
  EXPECT_EQ(syntaxError("// expected-error@-1 {{x}}"),
            "t.ht:1:13: expected @+N, @-N, @above, @below or @unknown");
  EXPECT_EQ(syntaxError("// expected-error {x}"),
            "t.ht:1:13: expected {{text}} behind 'expected-error'");
  EXPECT_EQ(syntaxError("// expected-error {{x}"),
            "t.ht:1:13: expected {{text}} behind 'expected-error'");
  EXPECT_EQ(syntaxError("// expected-error 99999999999 {{x}}"),
            "t.ht:1:13: the number of messages is too large");
}

TEST(SplitInput, KeepsLineNumbers) {
  std::vector<InputChunk> c = splitInput("a\nb\n// ----- next\n// -----\nc // -----\n");
  ASSERT_EQ(c.size(), 3u);
  EXPECT_EQ(c[0].text, "a\nb\n");
  EXPECT_EQ(c[0].firstLine, 1u);
  EXPECT_EQ(c[1].text, "");
  EXPECT_EQ(c[1].firstLine, 4u);
  EXPECT_EQ(c[2].text, "c // -----\n");
  EXPECT_EQ(c[2].firstLine, 5u);
  EXPECT_EQ(splitInput("").size(), 1u);
}
