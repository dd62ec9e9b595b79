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
  printText(trace, os, {strip});
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
