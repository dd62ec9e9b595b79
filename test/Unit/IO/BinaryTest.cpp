//===- BinaryTest.cpp - read(write(x)) is x -------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/IO/Binary.h"
#include "IO/BinaryFiles.h"
#include "Text/RandomIR.h"
#include "heddle/IR/Verifier.h"
#include "heddle/Import/Importer.h"

using namespace heddle;
using namespace heddle::test;

namespace {

/// Part of a file that depends on the trace alone.
std::string canonicalPart(const std::string &file) {
  uint64_t footer = 0, length = 0;
  for (int i = 7; i >= 0; --i)
    footer = footer << 8 | static_cast<uint8_t>(file[file.size() - 8 + i]);
  for (int i = 7; i >= 0; --i)
    length = length << 8 | static_cast<uint8_t>(file[footer + 8 + i]);
  return file.substr(0, footer + frame::kHeaderBytes + length);
}

void expectRoundTrip(const Trace &trace) {
  std::string bytes = write(trace), why;
  EXPECT_TRUE(looksLikeBinary(bytes));
  Trace again;
  ASSERT_EQ(read(bytes, again), "") << print(trace);
  ASSERT_EQ(llvm::toString(verify(again)), "");
  ASSERT_TRUE(equal(trace, again, &why)) << why << "\n" << print(trace);
  ASSERT_TRUE(print(trace) == print(again));
  ASSERT_TRUE(canonicalPart(write(again)) == canonicalPart(bytes));
}

TEST(Binary, ArbitraryIR) {
  for (uint64_t seed = 0; seed != 400; ++seed) {
    SCOPED_TRACE(seed);
    expectRoundTrip(test::RandomIR(seed).trace());
    if (HasFatalFailure())
      return;
  }
}

TEST(Binary, NoRanks) { expectRoundTrip(Trace()); }

/// A track of several chunks, with flow rows and loose rows beyond one, too.
TEST(Binary, MoreThanAChunk) {
  constexpr uint32_t rows = 150000;
  Trace trace;
  trace.ranks.push_back(std::make_unique<Rank>());
  RankBuilder builder(*trace.ranks[0]);
  Layout span, flow;
  span.entries.push_back({Scope::Args, ValueType::Int, 0, false, builder.intern("n")});
  flow.phase = 's';
  LayoutId spans = *builder.layout(span), flows = *builder.layout(flow);
  uint32_t track = builder.track({SourceId::integer(1), SourceId::integer(2), Family::ThreadWork});
  for (uint32_t i = 0; i != rows; ++i) {
    builder.store(spans).columns[0].ints.push_back(i / 7);
    builder.event(track, {i * 10}, {i * 10 + 5}, builder.intern("op" + std::to_string(i % 9000)),
                  EventKind::CpuOp, spans, builder.endRow(spans), 3 * i);
    FlowRow f;
    f.at = {i * 10 + 1};
    f.layout = flows;
    f.row = builder.endRow(flows);
    f.seq = 3 * i + 1;
    if (i % 3)
      f.anchor = {track, i};
    builder.flow(f);
    builder.loose({3 * i + 2, builder.intern("{\"ph\": \"M\", \"n\": " + std::to_string(i) + "}")});
  }
  for (uint32_t i = 1; i != rows; ++i)
    builder.edges().push_back({EdgeKind::Flow, {track, i - 1}, {track, i}});
  builder.finish();
  ASSERT_EQ(llvm::toString(verify(trace)), "");
  expectRoundTrip(trace);
}

TEST(Binary, LongStringsComeInPieces) {
  Trace trace = parse("trace { rank { thread 1 { cpu_op \"a\" at 0 for 1\n } } }");
  std::string longest((size_t{33} << 20) + 5, 'x');
  for (size_t i = 0; i < longest.size(); i += 4096)
    longest[i] = static_cast<char>('a' + i / 4096 % 26);
  trace.ranks[0]->host = longest;
  trace.ranks[0]->backend = "short";
  Trace again;
  ASSERT_EQ(read(write(trace), again), "");
  EXPECT_TRUE(again.ranks[0]->host == longest);
  EXPECT_EQ(again.ranks[0]->backend, "short");
}

TEST(Binary, ResultsSurvive) {
  Results results, again;
  Trace trace = parse(kWithResults, &results), other;
  ASSERT_EQ(results.units.size(), 1u);
  trace.provenance = {"1.2", "idle-gaps"};
  trace.ranks[0]->recording.path = "a.json";
  trace.ranks[0]->recording.bytes = 77;
  ASSERT_EQ(read(write(trace, results), other, &again), "");
  EXPECT_EQ(print(trace, results), print(other, again));
  EXPECT_EQ(again.units[0].generation, 2u);
  EXPECT_EQ(other.provenance.toolVersion, "1.2");
  EXPECT_EQ(other.provenance.pipeline, "idle-gaps");
  EXPECT_EQ(other.ranks[0]->recording.path, "a.json");
  EXPECT_EQ(other.ranks[0]->recording.bytes, 77u);
  EXPECT_EQ(canonicalPart(write(trace, results)), canonicalPart(write(trace)));
}

/// Every cut and every flipped bit is an error, none a crash or another trace.
TEST(Binary, DamageIsFound) {
  Results results;
  Trace trace = parse(kWithResults, &results);
  std::string whole = write(trace, results);
  for (size_t size = 0; size != whole.size(); ++size) {
    Trace out;
    std::string error = read(whole.substr(0, size), out, &results);
    EXPECT_NE(error.find("the file ends"), std::string::npos) << size << error;
    EXPECT_TRUE(out.ranks.empty());
  }
  for (size_t bit = 0; bit != 8 * whole.size(); ++bit) {
    std::string bytes = whole;
    bytes[bit / 8] ^= static_cast<char>(1 << bit % 8);
    Trace out;
    EXPECT_NE(read(bytes, out, &results), "") << bit;
  }
  Trace out;
  EXPECT_NE(read(whole + "x", out), "");
}

/// Frames whose hash is right, and whose message is anything.
TEST(Binary, HostileMessages) {
  Results results;
  Trace trace = parse(kWithResults, &results);
  std::string whole = write(trace, results);
  frame::Codec codec;
  unsigned accepted = 0, tried = 0;
  for (size_t at = 0; at != whole.size();) {
    frame::Header header;
    auto bytes =
        std::span(reinterpret_cast<const uint8_t *>(whole.data()), whole.size()).subspan(at);
    ASSERT_EQ(frame::parseHeader(bytes.first<frame::kHeaderBytes>(), header), frame::Fault::None);
    std::vector<uint8_t> buffer;
    std::span<const uint8_t> message;
    ASSERT_EQ(
        codec.open(header, bytes.subspan(frame::kHeaderBytes, header.length), buffer, message),
        frame::Fault::None);
    for (size_t i = 0; i != message.size(); ++i)
      for (uint8_t value : {uint8_t{0}, uint8_t{1}, uint8_t{0x7f}, uint8_t{0xff}}) {
        std::vector<uint8_t> changed(message.begin(), message.end()), frame;
        changed[i] = value;
        codec.append(frame, static_cast<frame::Type>(header.type), changed);
        std::string file = whole.substr(0, at) + std::string(frame.begin(), frame.end()) +
                           whole.substr(at + frame::frameBytes(header));
        Trace out;
        Results published;
        ++tried;
        if (read(file, out, &published).empty()) {
          ++accepted;
          EXPECT_EQ(llvm::toString(verify(out)), "");
          print(out, published);
        }
      }
    at += frame::frameBytes(header);
  }
  EXPECT_GT(tried, 4000u);
  EXPECT_LT(accepted, tried / 2);
}

TEST(Binary, OtherVersionsAreRefused) {
  std::string whole = write(Trace());
  frame::Codec codec;
  auto withFirst = [&](frame::Type type, std::vector<uint8_t> message) {
    std::vector<uint8_t> frame;
    codec.append(frame, type, message);
    return std::string(frame.begin(), frame.end()) + whole.substr(48);
  };
  // A table with one u16: root, vtable of six bytes, table.
  std::vector<uint8_t> head = {12, 0, 0, 0, 0, 0, 6, 0, 6, 0, 4, 0, 6, 0, 0, 0, 9, 0, 0, 0};
  Trace out;
  EXPECT_NE(read(withFirst(frame::Type::Head, head), out).find("version 9"), std::string::npos);
  EXPECT_NE(read(withFirst(frame::Type::Events, head), out).find("first frame is no head"),
            std::string::npos);
}

TEST(Binary, LimitsHold) {
  Trace trace = parse(kWithResults), out;
  std::string bytes = write(trace);
  BinaryReadOptions options;
  options.limits.maxEvents = 1;
  auto input = Input::fromMemory(bytes, "t.hb", options.limits);
  EXPECT_NE(llvm::toString(readBinary(*input, out, options)).find("more than 1 events"),
            std::string::npos);
  options.limits = Limits();
  options.limits.maxStringTableBytes = 5;
  input = Input::fromMemory(bytes, "t.hb", options.limits);
  EXPECT_NE(llvm::toString(readBinary(*input, out, options)).find("more than 5 bytes"),
            std::string::npos);
}

/// How the text was cut while it was read leaves no trace in the file.
TEST(Binary, BytesDoNotDependOnTheWindowOfReading) {
  std::string json = "{\"schemaVersion\": 1, \"traceEvents\": [";
  for (int i = 0; i != 500; ++i)
    json += std::string(i ? "," : "") + R"({"ph": "X", "cat": "cpu_op", "name": "op)" +
            std::to_string(i % 7) + R"(", "pid": 1, "tid": )" + std::to_string(i % 3) +
            R"(, "ts": )" + std::to_string(1000 - i) + R"(.25, "dur": 3, "args": {"n": )" +
            std::to_string(i) + R"(, "x": ")" + std::to_string(i * 37 % 101) + "\"}}\n";
  json += "]}";
  std::string first;
  for (uint64_t window : {uint64_t{64}, uint64_t{1000}, uint64_t{4} << 20}) {
    ImportOptions options;
    options.windowBytes = window;
    Trace trace;
    Diagnostics diagnostics;
    auto input = Input::fromMemory(json, "t.json", options.limits);
    ASSERT_EQ(llvm::toString(chromeJsonImporter.read(*input, trace, options, diagnostics)), "");
    ASSERT_EQ(trace.ranks[0]->numEvents(), 500u);
    std::string part = canonicalPart(write(trace));
    if (first.empty())
      first = part;
    EXPECT_TRUE(part == first) << window;
  }
}

} // namespace
