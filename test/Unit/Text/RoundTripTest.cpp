//===- RoundTripTest.cpp - parse(print(x)) is x ---------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "RandomIR.h"
#include "heddle/IR/Verifier.h"
#include "heddle/Text/Text.h"
#include "gtest/gtest.h"

using namespace heddle;

static std::string print(const Trace &trace, bool strip = false) {
  std::string out;
  llvm::raw_string_ostream os(out);
  printText(trace, os, {strip});
  return out;
}

/// Parses `text`; the first error, or "".
static std::string parse(const std::string &text, Trace &out) {
  Limits limits;
  Diagnostics diagnostics;
  llvm::Error e = parseText(text, "t.ht", out, nullptr, limits, diagnostics);
  if (!diagnostics.all().empty()) {
    llvm::consumeError(std::move(e));
    const Diagnostic &d = diagnostics.all()[0];
    return std::to_string(d.place.line) + ": " + d.message + "\n" + d.place.snippet;
  }
  return llvm::toString(std::move(e));
}

static void expectRoundTrip(const Trace &trace) {
  std::string text = print(trace), why;
  Trace again;
  ASSERT_EQ(parse(text, again), "") << text;
  ASSERT_EQ(llvm::toString(verify(again)), "") << text;
  ASSERT_TRUE(equal(trace, again, &why)) << why << "\n" << text;
  ASSERT_EQ(print(again), text);

  std::string stripped = print(trace, true);
  Trace short1;
  ASSERT_EQ(parse(stripped, short1), "") << stripped;
  ASSERT_EQ(llvm::toString(verify(short1)), "") << stripped;
  ASSERT_EQ(print(short1, true), stripped);
  // What is left has only what the text shows.
  ASSERT_EQ(print(short1, false), stripped);
}

TEST(TextRoundTrip, ArbitraryIR) {
  for (uint64_t seed = 0; seed != 400; ++seed) {
    SCOPED_TRACE(seed);
    Trace trace = test::RandomIR(seed).trace();
    ASSERT_EQ(llvm::toString(verify(trace)), "");
    expectRoundTrip(trace);
    if (HasFatalFailure())
      return;
  }
}
