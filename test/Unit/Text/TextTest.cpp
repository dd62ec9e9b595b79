//===- TextTest.cpp - The hand-written form of .ht ------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/Text/Text.h"
#include "heddle/IR/Verifier.h"
#include "gtest/gtest.h"

using namespace heddle;

namespace {
struct Parsed {
  Trace trace;
  Results results;
  Diagnostics diagnostics;
  EventLines lines;
  std::string error; ///< All messages, "line:column: message" each on a line.

  explicit Parsed(llvm::StringRef text) {
    Limits limits;
    ParseOptions options;
    options.lines = &lines;
    llvm::Error e = parseText(text, "t.ht", trace, &results, limits, diagnostics, options);
    auto add = [&](const Diagnostic &d) {
      error += std::to_string(d.place.line) + ":" + std::to_string(d.place.column) + ": " +
               d.message + "\n";
    };
    for (const Diagnostic &d : diagnostics.all())
      add(d);
    llvm::handleAllErrors(std::move(e), [&](const DiagnosticError &d) { add(d.diagnostic); });
  }
};

std::string print(const Trace &trace, bool strip = false) {
  std::string out;
  llvm::raw_string_ostream os(out);
  llvm::cantFail(printText(trace, os, {strip}));
  return out;
}
} // namespace

static const char *const kExample = R"(trace {
  rank 0 host "n0" device 0 "NVIDIA H100 80GB HBM3" {
    thread 101 "main" {
      runtime "cudaLaunchKernel" at 900 for 5000 { correlation = 11 } -> %k0
    }
    stream 7 device 0 {
      %k0 = kernel "gemm" at 10000 for 250000 { correlation = 11, grid = [80, 1, 1], "est. achieved occupancy %" = 43.75 }
    }
  }
}
)";

TEST(Text, ExamplePrintsAsWritten) {
  Parsed p(kExample);
  ASSERT_EQ(p.error, "");
  EXPECT_EQ(llvm::toString(verify(p.trace)), "");
  EXPECT_EQ(print(p.trace), kExample);
  EXPECT_EQ(print(p.trace, true), kExample);
}

TEST(Text, LooksLikeText) {
  EXPECT_TRUE(looksLikeText("trace {"));
  EXPECT_TRUE(looksLikeText("// {\"traceEvents\": []}\n\n  trace\n{"));
  EXPECT_TRUE(looksLikeText("pass \"x\""));
  EXPECT_TRUE(looksLikeText("table \"x\" {}"));
  EXPECT_FALSE(looksLikeText(""));
  EXPECT_FALSE(looksLikeText("// nothing\n"));
  EXPECT_FALSE(looksLikeText("trace"));
  EXPECT_FALSE(looksLikeText("table of contents"));
  EXPECT_FALSE(looksLikeText("{\"traceEvents\": []}"));
  EXPECT_FALSE(looksLikeText("trac {"));
}

TEST(Text, EventsKnowTheirLines) {
  Parsed p("trace {\n"
           "  rank 0 { thread 1 {\n"
           "    cpu_op \"late\" at 5 for 1\n"
           "\n"
           "    cpu_op \"early\"\n"
           "        at 1 for 1 cpu_op \"last\" at 9 for 1\n"
           "  } }\n"
           "  rank 1 { stream 7 { kernel \"k\" at 0 for 1 } }\n"
           "}\n");
  ASSERT_EQ(p.error, "");
  EXPECT_EQ(p.lines, (EventLines{{{5, 3, 6}}, {{8}}}));
}

TEST(Text, FirstLineOfAChunk) {
  Trace trace;
  Limits limits;
  Diagnostics diagnostics;
  ParseOptions options;
  options.firstLine = 40;
  llvm::Error e = parseText("\ntrac {}", "t.ht", trace, nullptr, limits, diagnostics, options);
  EXPECT_EQ(llvm::toString(std::move(e)), "t.ht:41:1: unknown word 'trac'; did you mean 'trace'?");
}

TEST(Text, UsualLayoutIsKinetos) {
  Parsed p(kExample);
  const Rank &rank = *p.trace.ranks[0];
  const Layout &l = rank.layout(rank.track(1).layouts[0]).layout;
  std::string keys;
  for (const Entry &e : l.entries)
    keys += (e.scope == Scope::Args ? "." : "") + rank.str(e.key).str() + ":" +
            valueTypeName(e.type).str() + (e.scale ? "3 " : " ");
  EXPECT_EQ(l.phase, 'X');
  EXPECT_EQ(rank.str(l.cat), "kernel");
  EXPECT_EQ(keys, "ph:ph cat:cat name:name pid:pid tid:tid ts:ts3 dur:dur3 args:args "
                  ".correlation:int .grid:list .est. achieved occupancy %:decimal ");
}

TEST(Text, LimitsAreRespected) {
  auto parse = [](const std::string &text, void (*tighten)(Limits &)) {
    Trace trace;
    Limits limits;
    tighten(limits);
    Diagnostics diagnostics;
    return llvm::toString(parseText(text, "t.ht", trace, nullptr, limits, diagnostics));
  };
  std::string head = "trace { rank { thread 1 { ", tail = " } } }";
  EXPECT_EQ(
      parse(head + "cpu_op \"abcdef\" at 0 for 1" + tail, [](Limits &l) { l.maxStringBytes = 5; }),
      "t.ht:1:35: a string is longer than 5 bytes");
  EXPECT_EQ(parse(head + "cpu_op \"a\" at 0 for 1 { x = [ [[[1]]]] }" + tail,
                  [](Limits &l) { l.maxNesting = 3; }),
            "t.ht:1:59: a value is nested deeper than 3");
  EXPECT_EQ(parse(head + "cpu_op \"a\" at 0 for 1 cpu_op \"b\" at 0 for 1" + tail,
                  [](Limits &l) { l.maxEvents = 1; }),
            "t.ht:1:49: a rank has more than 1 events");
  EXPECT_EQ(parse(head + "cpu_op \"a\" at 0 for 1 { bbbb = 1 }" + tail,
                  [](Limits &l) { l.maxEventBytes = 20; }),
            "t.ht:1:27: an event is longer than 20 bytes");
  EXPECT_EQ(parse(head + "cpu_op \"a\" at 0 for 1 { bbbb = 1 }" + tail,
                  [](Limits &l) { l.maxStringTableBytes = 3; }),
            "t.ht:1:27: the strings of a rank are longer than 3 bytes");
  // Derived columns that are nearly empty cost no more than the text pays for.
  std::string events, columns;
  for (int i = 0; i < 1500; ++i) {
    events += "cpu_op \"a\" at 0 for 1\n";
    columns += (i ? ", c" : "c") + std::to_string(i) + " = " + std::to_string(i);
  }
  EXPECT_EQ(
      parse(head + events + "cpu_op \"b\" at 0 for 1 !{" + columns + "}" + tail, [](Limits &) {}),
      "t.ht:1501:8601: the derived columns lack a value in more than 1100411 places");
  EXPECT_NE(
      parse(head + "cpu_op \"b\" at 0 for 1 !{" + columns + "}" + events + tail, [](Limits &) {})
          .find("the derived columns lack a value in more than"),
      std::string::npos);
  EXPECT_EQ(parse(head + "cpu_op \"b\" at 0 for 1 !{" + columns + "}" +
                      events.substr(0, events.size() / 3) + tail,
                  [](Limits &) {}),
            "");
  // Deep nesting costs no stack.
  std::string deep = std::string(1000000, '[') + std::string(1000000, ']');
  EXPECT_NE(parse(head + "cpu_op \"a\" at 0 for 1 { x = " + deep + " }" + tail, [](Limits &) {}),
            "");
  EXPECT_EQ(parse(head + "cpu_op \"a\" at 0 for 1 { x = " + deep + " }" + tail,
                  [](Limits &l) { l.maxNesting = 2000000; }),
            "");
}

TEST(Text, LongLinesHaveNoSnippet) {
  std::string text = "trace { " + std::string(5000, ' ') + " x }";
  Parsed p(text);
  EXPECT_EQ(p.error, "1:5010: unknown word 'x'\n");
}
