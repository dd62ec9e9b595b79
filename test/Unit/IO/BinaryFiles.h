//===- BinaryFiles.h - Traces as .hb in memory, for tests -------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_TEST_UNIT_IO_BINARYFILES_H
#define HEDDLE_TEST_UNIT_IO_BINARYFILES_H

#include "heddle/Frame/Frame.h"
#include "heddle/IO/Binary.h"
#include "heddle/Text/Text.h"
#include "gtest/gtest.h"

namespace heddle::test {

inline std::string write(const Trace &trace, const Results &results = {}) {
  std::string out;
  llvm::raw_string_ostream os(out);
  EXPECT_EQ(llvm::toString(writeBinary(trace, results, os)), "");
  return out;
}

inline std::string print(const Trace &trace, const Results &results = {}) {
  std::string out;
  llvm::raw_string_ostream os(out);
  llvm::cantFail(printText(trace, os));
  printText(results, os);
  return out;
}

/// The error, or "".
inline std::string read(const std::string &bytes, Trace &out, Results *results = nullptr) {
  BinaryReadOptions options;
  options.results = results;
  auto input = Input::fromMemory(bytes, "t.hb", options.limits);
  return llvm::toString(readBinary(*input, out, options));
}

inline Trace parse(llvm::StringRef text, Results *results = nullptr) {
  Trace trace;
  Diagnostics diagnostics;
  EXPECT_EQ(llvm::toString(parseText(text, "t.ht", trace, results, Limits(), diagnostics)), "");
  return trace;
}

inline const char *const kWithResults = R"(trace {
  rank 3 of 8 cycle 2 host "n" backend "nccl" {
    thread 1 "main" {
      runtime "cudaLaunchKernel" at 0 for 10 { correlation = 1 } -> %k0
    }
    stream 7 device 0 {
      %k0 = kernel "k" at 20 for 10 { correlation = 1, x = 1.50, l = [1, 2], r = #"1e5", b = true } !{ user = "me" }
    }
  }
}
pass "idle-gaps<min=5us>" rank 0 generation 2 stale
table "idle-gaps" "gaps" (device, what: text, gap_ns: ns)
table "idle-gaps" { device = 0, what = "x\xff", gap_ns = 5 }
table "idle-gaps" { device = 0, what = null, gap_ns = 1.5 }
remark "idle-gaps-long" finding "a long gap" { rank = 0, cost_ns = 5, confidence = low } with { k = "v" } on 0:0, 1:0 advice "less"
statistic "gaps" = 3
abstain "no device" record "record one"
)";

/// Where the frames of a type begin, and how long they are.
inline std::vector<std::pair<size_t, size_t>> framesOf(const std::string &file, frame::Type type) {
  std::vector<std::pair<size_t, size_t>> found;
  for (size_t at = 0; at != file.size();) {
    frame::Header header;
    auto bytes = std::span(reinterpret_cast<const uint8_t *>(file.data()), file.size());
    EXPECT_EQ(frame::parseHeader(bytes.subspan(at).first<frame::kHeaderBytes>(), header),
              frame::Fault::None);
    if (header.type == static_cast<uint16_t>(type))
      found.emplace_back(at, frame::frameBytes(header));
    at += frame::frameBytes(header);
  }
  return found;
}

} // namespace heddle::test

#endif
