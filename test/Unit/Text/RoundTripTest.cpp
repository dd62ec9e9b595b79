//===- RoundTripTest.cpp - parse(print(x)) is x ---------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "RandomIR.h"
#include "heddle/IR/Verifier.h"
#include "heddle/Import/Importer.h"
#include "heddle/Text/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <cstdlib>

using namespace heddle;

static std::string print(const Trace &trace, bool strip = false) {
  std::string out;
  llvm::raw_string_ostream os(out);
  llvm::cantFail(printText(trace, os, {strip}));
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

/// The text, if it is one to read.
static std::string shown(const std::string &text) {
  return text.size() < 20000 ? text : text.substr(0, 20000) + "...";
}

static void expectRoundTrip(const Trace &trace) {
  std::string text = print(trace), why;
  Trace again;
  ASSERT_EQ(parse(text, again), "") << shown(text);
  ASSERT_EQ(llvm::toString(verify(again)), "") << shown(text);
  ASSERT_TRUE(equal(trace, again, &why)) << why << "\n" << shown(text);
  ASSERT_TRUE(print(again) == text) << shown(text);

  std::string stripped = print(trace, true);
  Trace again2;
  ASSERT_EQ(parse(stripped, again2), "") << shown(stripped);
  ASSERT_EQ(llvm::toString(verify(again2)), "") << shown(stripped);
  ASSERT_TRUE(print(again2, true) == stripped) << shown(stripped);
  // Nothing is left that stripping would leave out.
  ASSERT_TRUE(print(again2, false) == stripped) << shown(stripped);
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

TEST(TextRoundTrip, Corpus) {
  const char *corpus = std::getenv("HEDDLE_CORPUS");
  if (!corpus)
    GTEST_SKIP() << "HEDDLE_CORPUS names no folder of traces";
  ImporterRegistry importers;
  llvm::cantFail(importers.add(chromeJsonImporter));
  std::vector<std::string> paths;
  std::error_code fault;
  for (llvm::sys::fs::recursive_directory_iterator i(corpus, fault), end; i != end && !fault;
       i.increment(fault))
    if (i->type() == llvm::sys::fs::file_type::regular_file)
      paths.push_back(i->path());
  ASSERT_FALSE(fault) << fault.message();
  llvm::sort(paths);
  unsigned imported = 0;
  for (const std::string &path : paths) {
    SCOPED_TRACE(path);
    Trace trace;
    ImportOptions options;
    Diagnostics diagnostics;
    if (llvm::Error e = importFile(importers, path, trace, options, diagnostics)) {
      llvm::consumeError(std::move(e)); // No trace, which the importer's own tests check.
      continue;
    }
    ++imported;
    expectRoundTrip(trace);
    if (HasFatalFailure())
      return;
  }
  EXPECT_GT(imported, 0u);
  RecordProperty("imported", static_cast<int>(imported));
  std::fprintf(stderr, "%u files made the round trip\n", imported);
}
