//===- MutationTest.cpp - Damaged text leads to messages, never worse -----===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "RandomIR.h"
#include "heddle/IR/Verifier.h"
#include "heddle/Text/Text.h"
#include "gtest/gtest.h"

using namespace heddle;

/// What parses must satisfy the verifier and print; what does not must have a place in the text.
static void expectSane(const std::string &text) {
  Trace trace;
  Results results;
  Limits limits;
  limits.maxNesting = 50;
  Diagnostics diagnostics;
  llvm::Error e = parseText(text, "t.ht", trace, &results, limits, diagnostics);
  if (!e) {
    EXPECT_EQ(llvm::toString(verify(trace)), "") << text;
    std::string out;
    llvm::raw_string_ostream os(out);
    llvm::cantFail(printText(trace, os));
    printText(results, os);
    return;
  }
  EXPECT_TRUE(trace.ranks.empty());
  EXPECT_TRUE(results.units.empty());
  EXPECT_LT(diagnostics.all().size(), 20u);
  llvm::handleAllErrors(std::move(e), [&](const DiagnosticError &d) {
    EXPECT_GE(d.diagnostic.place.line, 1u);
    EXPECT_GE(d.diagnostic.place.column, 1u);
    EXPECT_LE(d.diagnostic.place.offset, text.size());
    EXPECT_FALSE(d.diagnostic.message.empty());
    EXPECT_EQ(d.code, ExitCode::BadInput);
  });
}

TEST(TextMutation, DamagedTextLeadsToMessages) {
  static const char *const snippets[] = {"{",   "}", "[", "]",  "\"", "\\", "#",    "@0",  "%k0",
                                         "->",  "!", "+", "-",  "//", "\n", "null", "for", "at",
                                         "9e9", ",", "=", "[#", "(",  ")",  "args", "ts",  "\xff"};
  std::mt19937_64 random(7);
  auto below = [&](uint64_t n) {
    return std::uniform_int_distribution<uint64_t>(0, n - 1)(random);
  };
  for (uint64_t seed = 0; seed != 60; ++seed) {
    std::string text;
    llvm::raw_string_ostream os(text);
    llvm::cantFail(printText(test::RandomIR(seed).trace(), os));
    os << "pass \"p\" rank 0\ntable \"t\" \"T\" (a, b: text ns)\ntable \"t\" { a = 1, b = \"x\" }\n"
          "remark \"r\" note \"m\" { rank = 0 } with { k = \"v\" } on 0:1 advice \"x\"\n";
    os.flush();
    for (unsigned i = 0; i != 60; ++i) {
      std::string damaged = text;
      for (uint64_t n = below(3) + 1; n; --n) {
        size_t at = below(damaged.size());
        switch (below(4)) {
        case 0:
          damaged.erase(at, below(8) + 1);
          break;
        case 1:
          damaged.insert(at, snippets[below(std::size(snippets))]);
          break;
        case 2:
          damaged[at] = static_cast<char>(below(256));
          break;
        default:
          damaged.resize(at + 1);
        }
      }
      SCOPED_TRACE(seed * 100 + i);
      expectSane(damaged);
    }
  }
}
