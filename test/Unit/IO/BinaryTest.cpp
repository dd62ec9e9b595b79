//===- BinaryTest.cpp - read(write(x)) is x -------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/IO/Binary.h"
#include "Text/RandomIR.h"
#include "heddle/Frame/Frame.h"
#include "heddle/IR/Verifier.h"
#include "heddle/Import/Importer.h"
#include "heddle/Text/Text.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

using namespace heddle;

namespace {

std::string write(const Trace &trace, const Results &results = {}) {
  std::string out;
  llvm::raw_string_ostream os(out);
  EXPECT_EQ(llvm::toString(writeBinary(trace, results, os)), "");
  return out;
}

std::string print(const Trace &trace, const Results &results = {}) {
  std::string out;
  llvm::raw_string_ostream os(out);
  llvm::cantFail(printText(trace, os));
  printText(results, os);
  return out;
}

/// The error, or "".
std::string read(const std::string &bytes, Trace &out, Results *results = nullptr) {
  BinaryReadOptions options;
  options.results = results;
  auto input = Input::fromMemory(bytes, "t.hb", options.limits);
  return llvm::toString(readBinary(*input, out, options));
}

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

Trace parse(llvm::StringRef text, Results *results = nullptr) {
  Trace trace;
  Diagnostics diagnostics;
  EXPECT_EQ(llvm::toString(parseText(text, "t.ht", trace, results, Limits(), diagnostics)), "");
  return trace;
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

const char *const kWithResults = R"(trace {
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

TEST(Binary, WhatDoesNotFitIntoAFrameIsRefused) {
  Trace trace;
  Results results;
  results.units.emplace_back();
  results.units[0].passName = "p";
  results.units[0].pass.assign(frame::kMaxBytes + 1, 'x');
  std::string out;
  llvm::raw_string_ostream os(out);
  EXPECT_NE(llvm::toString(writeBinary(trace, results, os)).find("what 'p' published takes"),
            std::string::npos);
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

/// A file in a folder of its own.
class TemporaryFile {
public:
  explicit TemporaryFile(const std::string &bytes) {
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("heddle-binary", "hb", path));
    std::error_code e;
    llvm::raw_fd_ostream os(path, e);
    os << bytes;
  }
  ~TemporaryFile() { (void)llvm::sys::fs::remove(path); }
  llvm::SmallString<128> path;
};

/// A rank with a host thread and a stream of `rows` events each, 1 us apart; each call launches a
/// kernel 10 us later. Every 100th has a name of its own.
std::unique_ptr<Rank> longRank(int64_t number, uint32_t rows) {
  auto rank = std::make_unique<Rank>();
  rank->number = number;
  RankBuilder builder(*rank);
  Layout span;
  span.entries.push_back({Scope::Args, ValueType::Int, 0, false, builder.intern("correlation")});
  LayoutId layout = *builder.layout(span);
  uint32_t host = builder.track({SourceId::integer(1), SourceId::integer(2), Family::ThreadWork});
  uint32_t stream = builder.track({SourceId::integer(0), SourceId::integer(7), Family::StreamWork});
  builder.trackAt(stream).device = 0;
  builder.trackAt(stream).stream = 7;
  for (uint32_t i = 0; i != rows; ++i)
    for (uint32_t track : {host, stream}) {
      int64_t begin = int64_t{i} * 1000 + (track == stream ? 10000 : 0);
      builder.store(layout).columns[0].ints.push_back(i + 1);
      std::string name = i % 100 ? "f" : "f" + std::to_string(number * 1000000 + i);
      builder.event(track, {begin}, {begin + 500}, builder.intern(name),
                    track == host ? EventKind::Runtime : EventKind::Kernel, layout,
                    builder.endRow(layout), 2 * i + (track == stream));
    }
  for (uint32_t i = 0; i != rows; ++i)
    builder.edges().push_back({EdgeKind::Launch, {host, i}, {stream, i}});
  builder.finish();
  return rank;
}

std::unique_ptr<BinaryFile> open(const TemporaryFile &file) {
  auto opened = BinaryFile::open(file.path, Limits());
  if (!opened) {
    ADD_FAILURE() << llvm::toString(opened.takeError());
    return nullptr;
  }
  return std::move(*opened);
}

TEST(BinaryFile, OneRankOfManyIsReadByItself) {
  Trace trace;
  for (int64_t i = 0; i != 64; ++i)
    trace.ranks.push_back(longRank(i, 1500));
  TemporaryFile file(write(trace));
  auto parts = open(file);
  ASSERT_TRUE(parts);
  ASSERT_EQ(parts->ranks().size(), 64u);
  EXPECT_EQ(parts->ranks()[17].number, 17);
  uint64_t footer = parts->bytesRead();
  EXPECT_LT(footer, parts->bytes() / 20);
  Trace one;
  ASSERT_EQ(llvm::toString(parts->read({{17, std::nullopt}}, one)), "");
  ASSERT_EQ(one.ranks.size(), 1u);
  std::string why;
  EXPECT_TRUE(equal(*one.ranks[0], *trace.ranks[17], &why)) << why;
  // Every rank takes the same space, nearly.
  EXPECT_LT(parts->bytesRead() - footer, parts->bytes() / 64 * 11 / 10);
}

TEST(BinaryFile, OneMillisecondIsReadByItself) {
  constexpr uint32_t rows = 400000;
  Trace trace;
  trace.ranks.push_back(longRank(0, rows));
  TemporaryFile file(write(trace));
  auto parts = open(file);
  ASSERT_TRUE(parts);
  uint64_t opening = parts->bytesRead();
  Trace part;
  Interval time = {{200000000}, {201000000}};
  ASSERT_EQ(llvm::toString(parts->read({{0, BinaryTime{time, time}}}, part)), "");
  const Rank &rank = *part.ranks[0];
  ASSERT_EQ(llvm::toString(verify(rank)), "");
  EXPECT_TRUE(rank.recording.partial);
  ASSERT_EQ(rank.tracks().size(), 2u);
  EXPECT_EQ(rank.track(0).size(), 1000u);
  EXPECT_EQ(rank.track(0).begin[0].ns, 200000000);
  EXPECT_EQ(rank.name({0, 0}), "f200000");
  // Ten of the kernels were launched before the part.
  EXPECT_EQ(rank.track(1).size(), 1000u);
  EXPECT_EQ(rank.edges().size(), 990u);
  EXPECT_EQ(rank.recording.notes.at("outside-edge"), 10u);
  EXPECT_EQ(parts->launchedOutside()[0].size(), 10u);
  // Of the 13 chunks at most two for each track, and blocks of strings.
  EXPECT_LT(parts->bytesRead() - opening, parts->bytes() * 4 / 13);

  Trace all;
  ASSERT_EQ(llvm::toString(parts->read({{0, std::nullopt}}, all)), "");
  EXPECT_TRUE(equal(all, trace));
}

TEST(BinaryFile, OthersAreNone) {
  for (const std::string &bytes : {std::string("trace {}"), std::string(), std::string(100, 'x')}) {
    TemporaryFile file(bytes);
    EXPECT_FALSE(open(file));
  }
  auto none = BinaryFile::open("/no such file", Limits());
  ASSERT_TRUE(static_cast<bool>(none));
  EXPECT_FALSE(*none);
}

TEST(BinaryFile, DamageIsFound) {
  Results results;
  Trace trace = parse(kWithResults, &results);
  std::string whole = write(trace, results);
  for (size_t bit = 0; bit < 8 * whole.size(); bit += 31) {
    std::string bytes = whole;
    bytes[bit / 8] ^= static_cast<char>(1 << bit % 8);
    TemporaryFile file(bytes);
    auto opened = BinaryFile::open(file.path, Limits());
    if (!opened) {
      llvm::consumeError(opened.takeError());
      continue;
    }
    Trace part;
    if (*opened && (*opened)->ranks().size() == 1 &&
        llvm::toString((*opened)->read({{0, BinaryTime{{{0}, {25}}, {{0}, {25}}}}}, part))
            .empty()) {
      EXPECT_EQ(part.ranks[0]->numEvents(), 2u);
    }
  }
}

/// What is whole before a cut comes back, with its names.
TEST(BinaryRecovery, CutAtEveryByte) {
  Trace trace = parse(kWithResults);
  std::string whole = write(trace);
  size_t head = 0, events = 0, footer = 0; // where these end
  std::vector<size_t> ends;
  for (size_t at = 0; at != whole.size();) {
    frame::Header header;
    auto bytes = std::span(reinterpret_cast<const uint8_t *>(whole.data()), whole.size());
    ASSERT_EQ(frame::parseHeader(bytes.subspan(at).first<frame::kHeaderBytes>(), header),
              frame::Fault::None);
    at += frame::frameBytes(header);
    ends.push_back(at);
    if (header.type == static_cast<uint16_t>(frame::Type::Rank) && !head)
      head = at;
    if (header.type == static_cast<uint16_t>(frame::Type::Events))
      events = at;
    if (header.type == static_cast<uint16_t>(frame::Type::Footer))
      footer = at;
  }
  for (size_t size = 0; size <= whole.size(); ++size) {
    SCOPED_TRACE(size);
    Trace out;
    auto found = recoverBinary(whole.substr(0, size), "cut.hb", out, Limits());
    if (size < head) {
      ASSERT_FALSE(static_cast<bool>(found));
      llvm::consumeError(found.takeError());
      continue;
    }
    ASSERT_TRUE(static_cast<bool>(found)) << llvm::toString(found.takeError());
    EXPECT_EQ(found->frames,
              static_cast<size_t>(llvm::count_if(ends, [&](size_t e) { return e <= size; })));
    EXPECT_EQ(out.ranks[0]->numEvents(), size < events ? 0u : 2u);
    EXPECT_EQ(out.ranks[0]->recording.partial, size < footer || found->lostBytes != 0);
    EXPECT_EQ(found->lostTexts, 0u);
    if (size >= events) {
      EXPECT_EQ(out.ranks[0]->name({1, 0}), "k");
      EXPECT_EQ(out.ranks[0]->edges().size(), 1u);
    }
    EXPECT_EQ(print(out).find("lost"), std::string::npos);
  }
}

/// Of a file with a hole all else comes back; nothing crashes.
TEST(BinaryRecovery, HolesAnywhere) {
  Trace trace;
  trace.ranks.push_back(longRank(0, 70000));
  trace.ranks.push_back(longRank(1, 10));
  std::string whole = write(trace);
  unsigned texts = 0, edges = 0;
  for (size_t at = 0; at < whole.size(); at += whole.size() / 60) {
    std::string bytes = whole;
    bytes[at] ^= 0x55;
    Trace out;
    auto found = recoverBinary(bytes, "hole.hb", out, Limits());
    ASSERT_TRUE(static_cast<bool>(found)) << llvm::toString(found.takeError());
    EXPECT_GT(found->lostBytes, 0u);
    EXPECT_EQ(llvm::toString(verify(out)), "");
    uint64_t events = 0;
    for (const auto &rank : out.ranks)
      events += rank->numEvents();
    EXPECT_GE(events, 10u);
    texts += found->lostTexts != 0;
    edges += found->lostEdges != 0;
    EXPECT_TRUE(out.ranks[0]->recording.partial);
  }
  EXPECT_GT(texts, 0u);
  EXPECT_GT(edges, 0u);
}

TEST(BinaryRecovery, WorkIsBounded) {
  // Headers without end, each of a long frame.
  std::string header;
  std::vector<uint8_t> frame;
  frame::Codec().append(frame, frame::Type::Events, std::vector<uint8_t>(100));
  header.assign(frame.begin(), frame.begin() + frame::kHeaderBytes);
  header[8] = 0, header[9] = 0, header[10] = 0x40;
  header.resize(32);
  std::string bytes;
  for (int i = 0; i != 300000; ++i)
    bytes += header;
  Trace out;
  auto found = recoverBinary(bytes, "x.hb", out, Limits());
  ASSERT_FALSE(static_cast<bool>(found));
  EXPECT_NE(llvm::toString(found.takeError()).find("too many damaged frames"), std::string::npos);
}

} // namespace
