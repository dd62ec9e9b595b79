//===- BinaryPartTest.cpp - Parts of .hb, and what damage leaves ----------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "IO/BinaryFiles.h"
#include "heddle/IR/Verifier.h"
#include "llvm/Support/FileSystem.h"

using namespace heddle;
using namespace heddle::test;

namespace {

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
    Results published;
    auto found = recoverBinary(whole.substr(0, size), "cut.hb", out, published, Limits());
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
    Results published;
    auto found = recoverBinary(bytes, "hole.hb", out, published, Limits());
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
  Results published;
  auto found = recoverBinary(bytes, "x.hb", out, published, Limits());
  ASSERT_FALSE(static_cast<bool>(found));
  EXPECT_NE(llvm::toString(found.takeError()).find("too many damaged frames"), std::string::npos);
}

} // namespace
