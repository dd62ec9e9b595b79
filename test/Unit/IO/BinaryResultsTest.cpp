//===- BinaryResultsTest.cpp - Results in .hb -----------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "IO/BinaryFiles.h"
#include "heddle/IR/Verifier.h"

using namespace heddle;
using namespace heddle::test;

namespace {

TEST(BinaryResults, WhatDoesNotFitIntoAFrameIsRefused) {
  Trace trace;
  Results results;
  results.units.emplace_back();
  results.units[0].passName = "p";
  auto error = [&] {
    std::string out;
    llvm::raw_string_ostream os(out);
    return llvm::toString(writeBinary(trace, results, os));
  };
  std::string longest(frame::kMaxBytes + 1, 'x');
  results.units[0].pass = longest;
  EXPECT_NE(error().find("what 'p' published takes"), std::string::npos);
  results.units[0].pass = "p";
  results.units[0].abstained.push_back({longest, ""});
  EXPECT_NE(error().find("what 'p' published, an abstention, takes"), std::string::npos);
  results.units[0].tables.emplace_back().columns.push_back({longest});
  EXPECT_NE(error().find("what 'p' published, a table's columns, takes"), std::string::npos);
  results.units[0].tables[0].columns[0].key = "k";
  for (int rows = 0; rows != 2; ++rows) {
    results.units[0].tables[0].rows.assign(rows, {std::string("x")});
    results.units[0].tables[0].rows.push_back({longest});
    EXPECT_NE(error().find("what 'p' published, a row, takes"), std::string::npos) << error();
  }
}

/// A table and remarks that no frame holds, beside small ones.
Results longResults() {
  Results results;
  PassResult &unit = results.units.emplace_back();
  unit.pass = "p<a=1>";
  unit.passName = "p";
  unit.rank = 0;
  unit.generation = 3;
  for (const char *id : {"p-first", "p-long", "p-last"}) {
    Table &t = unit.tables.emplace_back();
    t.id = id;
    t.title = "a title";
    t.columns = {{"n", heddle::Unit::Count, false}, {"text", heddle::Unit::None, true}};
  }
  for (int64_t i = 0; i != 1700000; ++i)
    unit.tables[1].rows.push_back({i, i % 1000 ? Cell() : Cell(std::to_string(i))});
  unit.tables[2].rows.push_back({int64_t{1}, std::string(size_t{20} << 20, 'x')});
  for (size_t i = 0; i != 40; ++i) {
    Remark &r = unit.remarks.emplace_back();
    r.id = "p-" + std::to_string(i);
    r.message.assign(size_t{1} << 20, static_cast<char>('a' + i % 26));
    r.evidence = {{0, 0}};
  }
  unit.stats.push_back({"rows", 7, Statistic::Severity::Info});
  unit.abstained.push_back({"why", "what"});
  results.units.push_back({});
  results.units.back().passName = "q";
  return results;
}

void expectSame(const Results &a, const Results &b) {
  ASSERT_EQ(a.units.size(), b.units.size());
  for (size_t i = 0; i != a.units.size(); ++i) {
    const PassResult &x = a.units[i], &y = b.units[i];
    EXPECT_EQ(std::tie(x.pass, x.passName, x.rank, x.generation, x.stale),
              std::tie(y.pass, y.passName, y.rank, y.generation, y.stale));
    ASSERT_EQ(x.tables.size(), y.tables.size());
    for (size_t t = 0; t != x.tables.size(); ++t) {
      EXPECT_EQ(x.tables[t].id, y.tables[t].id);
      EXPECT_TRUE(x.tables[t].rows == y.tables[t].rows) << t;
    }
    ASSERT_EQ(x.remarks.size(), y.remarks.size());
    for (size_t r = 0; r != x.remarks.size(); ++r)
      EXPECT_TRUE(x.remarks[r].message == y.remarks[r].message &&
                  x.remarks[r].evidence == y.remarks[r].evidence);
    EXPECT_EQ(x.stats.size(), y.stats.size());
    EXPECT_EQ(x.abstained.size(), y.abstained.size());
  }
}

TEST(BinaryResults, LongResultsComeInPieces) {
  Results results = longResults(), again;
  Trace trace = parse(kWithResults), other;
  std::string file = write(trace, results);
  auto frames = framesOf(file, frame::Type::Result);
  ASSERT_GE(frames.size(), 8u);
  ASSERT_EQ(read(file, other, &again), "");
  expectSame(results, again);

  // All comes back of a whole file; of one that lacks the second piece the first, and what is
  // whole.
  Trace back;
  Results recovered;
  auto found = recoverBinary(file, "x.hb", back, recovered, Limits());
  ASSERT_TRUE(static_cast<bool>(found)) << llvm::toString(found.takeError());
  EXPECT_EQ(found->results, 2u);
  EXPECT_EQ(found->cutResults + found->lostResults + found->lostEvidence, 0u);
  expectSame(results, recovered);
  file[frames[1].first + frame::kHeaderBytes] ^= 1;
  back = {};
  recovered = {};
  found = recoverBinary(file, "x.hb", back, recovered, Limits());
  ASSERT_TRUE(static_cast<bool>(found)) << llvm::toString(found.takeError());
  EXPECT_EQ(found->results, 2u);
  EXPECT_EQ(found->cutResults, 1u);
  EXPECT_EQ(found->unusable, frames.size() - 3);
  ASSERT_EQ(recovered.units.size(), 2u);
  EXPECT_TRUE(recovered.units[0].stale);
  EXPECT_FALSE(recovered.units[1].stale);
  ASSERT_EQ(recovered.units[0].tables.size(), 2u);
  const auto &rows = recovered.units[0].tables[1].rows;
  EXPECT_LT(rows.size(), results.units[0].tables[1].rows.size());
  EXPECT_GT(rows.size(), 400000u);
  EXPECT_TRUE(std::equal(rows.begin(), rows.end(), results.units[0].tables[1].rows.begin()));
}

/// Results come back; evidence only where no event of its rank can be missing.
TEST(BinaryResults, AreRecovered) {
  Results results;
  Trace trace = parse(kWithResults, &results);
  results.units.push_back(results.units[0]);
  results.units[1].stale = false;
  results.units[1].rank = 1;
  results.units[1].remarks[0].rank = std::nullopt;
  results.units.push_back(results.units[1]);
  results.units[2].rank = -1;
  results.units[2].remarks[0].rank = 1;
  trace.ranks.push_back(std::move(parse(kWithResults).ranks[0]));
  std::string whole = write(trace, results);
  auto recover = [&](std::pair<size_t, size_t> hole, Trace &out, Results &published) {
    std::string bytes = whole;
    if (hole.second)
      bytes[hole.first + frame::kHeaderBytes] ^= 1;
    auto found = recoverBinary(bytes, "x.hb", out, published, Limits());
    EXPECT_TRUE(static_cast<bool>(found));
    EXPECT_EQ(llvm::toString(verify(out, published)), "");
    return *found;
  };
  {
    Trace out;
    Results published;
    BinaryRecovery found = recover({}, out, published);
    EXPECT_EQ(print(out, published), print(trace, results));
    EXPECT_EQ(found.results, 3u);
    EXPECT_EQ(found.lostEvidence + found.lostResults + found.cutResults, 0u);
  }
  { // The events of rank 0 are lost: those of rank 1 still are evidence.
    Trace out;
    Results published;
    BinaryRecovery found = recover(framesOf(whole, frame::Type::Events)[0], out, published);
    EXPECT_EQ(found.results, 3u);
    EXPECT_EQ(found.lostEvidence, 1u);
    EXPECT_TRUE(published.units[0].remarks[0].evidence.empty());
    EXPECT_EQ(published.units[1].remarks[0].evidence.size(), 2u);
    EXPECT_FALSE(published.units[1].stale);
    EXPECT_TRUE(published.units[2].stale);
  }
  { // Rank 0 is lost: rank 1 becomes the first.
    Trace out;
    Results published;
    BinaryRecovery found = recover(framesOf(whole, frame::Type::Rank)[0], out, published);
    ASSERT_EQ(out.ranks.size(), 1u);
    EXPECT_EQ(found.lostResults, 1u);
    ASSERT_EQ(published.units.size(), 2u);
    EXPECT_EQ(published.units[0].rank, 0);
    EXPECT_EQ(published.units[0].remarks[0].evidence.size(), 2u);
    EXPECT_EQ(published.units[1].remarks[0].rank, 0);
  }
  { // Without the footer nobody knows what is lost.
    Trace out;
    Results published;
    BinaryRecovery found = recover(framesOf(whole, frame::Type::Footer)[0], out, published);
    EXPECT_EQ(found.results, 3u);
    EXPECT_EQ(found.lostEvidence, 3u);
    EXPECT_TRUE(published.units[1].stale);
  }
}

} // namespace
