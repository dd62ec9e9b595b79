//===- RankStoreTest.cpp - Ranks that leave memory and come back ----------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/IO/RankStore.h"
#include "Text/RandomIR.h"
#include "heddle/IO/Binary.h"
#include "heddle/IR/Editor.h"
#include "heddle/IR/Trace.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <cstdlib>

using namespace heddle;

namespace {

/// A bound, and a store in a file.
std::shared_ptr<Residency> bound(uint64_t bytes) {
  return std::make_shared<Residency>(bytes, makeRankStore(Limits()));
}

/// Holds the rank and lets it go.
void visit(const Trace &trace, size_t rank) {
  auto held = trace.hold(rank);
  ASSERT_TRUE(bool(held)) << llvm::toString(held.takeError());
}

/// The rank as it is in memory, for comparison with another one.
void expectEqual(const Trace &trace, size_t rank, const Rank &expected) {
  auto held = trace.hold(rank);
  ASSERT_TRUE(bool(held)) << llvm::toString(held.takeError());
  std::string why;
  EXPECT_TRUE(equal(**held, expected, &why)) << why;
}

TEST(RankStore, WhatIsPutAsideComesBackAsItWas) {
  for (uint64_t seed = 0; seed != 200; ++seed) {
    Trace trace = test::RandomIR(seed).trace(), same = test::RandomIR(seed).trace();
    trace.residency = bound(0);
    for (size_t i = 0; i != trace.ranks.size(); ++i) {
      visit(trace, i);
      EXPECT_FALSE(trace.ranks[i]->resident());
      EXPECT_EQ(trace.ranks[i]->bytes(), 0u);
      EXPECT_EQ(trace.ranks[i]->number, same.ranks[i]->number);
      EXPECT_EQ(trace.ranks[i]->generation(), same.ranks[i]->generation());
    }
    for (size_t i = 0; i != trace.ranks.size(); ++i)
      expectEqual(trace, i, *same.ranks[i]);
    EXPECT_EQ(trace.residency->drops(), 2 * trace.ranks.size());
    EXPECT_EQ(trace.residency->reads(), trace.ranks.size());
  }
}

TEST(RankStore, WithinTheBoundAllStay) {
  Trace trace = test::RandomIR(1).trace();
  trace.residency = bound(UINT64_MAX);
  for (size_t i = 0; i != trace.ranks.size(); ++i) {
    visit(trace, i);
    EXPECT_TRUE(trace.ranks[i]->resident());
  }
  EXPECT_EQ(trace.residency->drops(), 0u);
}

TEST(RankStore, TheFirstStayAndTheSumCountsThemOnly) {
  Trace trace;
  for (uint64_t seed = 0; seed != 6; ++seed)
    trace.ranks.push_back(test::RandomIR(7).rank());
  uint64_t one = trace.ranks[0]->bytes();
  trace.residency = bound(2 * one + one / 2);
  for (int round = 0; round != 2; ++round)
    for (size_t i = 0; i != trace.ranks.size(); ++i)
      visit(trace, i);
  for (size_t i = 0; i != trace.ranks.size(); ++i)
    EXPECT_EQ(trace.ranks[i]->resident(), i < 2) << i;
  EXPECT_EQ(trace.residency->reads(), 4u);
  EXPECT_FALSE(trace.residency->fits(one));
  trace.ranks.erase(trace.ranks.begin()); // takes its share with it
  EXPECT_TRUE(trace.residency->fits(one));
}

TEST(RankStore, WhatIsHeldStays) {
  Trace trace = test::RandomIR(3).trace();
  trace.residency = bound(0);
  auto outer = trace.hold(0);
  ASSERT_TRUE(bool(outer));
  visit(trace, 0);
  EXPECT_TRUE(trace.ranks[0]->resident());
}

TEST(RankStore, AnEditIsNotLost) {
  for (uint64_t seed = 0; seed != 50; ++seed) {
    Trace trace = test::RandomIR(seed).trace(), same = test::RandomIR(seed).trace();
    trace.residency = bound(0);
    visit(trace, 0); // stored as it was
    auto drop = [](Rank &rank) {
      RankEditor editor(rank, Effects{0, true});
      std::vector<std::vector<bool>> keep(rank.tracks().size());
      for (size_t t = 0; t != keep.size(); ++t)
        for (uint32_t i = 0; i != rank.track(t).size(); ++i)
          keep[t].push_back(i % 2 == 0);
      EXPECT_TRUE(bool(editor.keep(keep)));
    };
    {
      auto held = trace.hold(0);
      ASSERT_TRUE(bool(held));
      drop(*trace.ranks[0]);
    }
    EXPECT_FALSE(trace.ranks[0]->resident());
    drop(*same.ranks[0]);
    expectEqual(trace, 0, *same.ranks[0]);
    EXPECT_EQ(trace.ranks[0]->generation(), same.ranks[0]->generation());
  }
}

TEST(RankStore, EventsThatAreAwayAreNotReadByAccident) {
  Trace trace = test::RandomIR(5).trace();
  trace.residency = bound(0);
  visit(trace, 0);
  EXPECT_THROW((void)trace.ranks[0]->tracks(), std::logic_error);
  EXPECT_THROW((void)trace.ranks[0]->numEvents(), std::logic_error);
  EXPECT_THROW((void)trace.ranks[0]->strings(), std::logic_error);
  EXPECT_THROW((void)trace.ranks[0]->str(StringId::Empty), std::logic_error);
  EXPECT_THROW((void)trace.ranks[0]->track(0), std::logic_error);
  EXPECT_THROW((void)trace.ranks[0]->layout(LayoutId{}), std::logic_error);
}

TEST(RankStore, WithoutRoomOnDiskRanksStayInMemory) {
  const char *before = getenv("TMPDIR");
  std::string saved = before ? before : "";
  setenv("TMPDIR", "/nowhere/at/all", 1);
  Trace trace = test::RandomIR(5).trace();
  trace.residency = bound(0);
  visit(trace, 0);
  EXPECT_TRUE(trace.ranks[0]->resident());
  EXPECT_NE(trace.residency->trouble().find("/nowhere/at/all"), std::string::npos)
      << trace.residency->trouble();
  before ? setenv("TMPDIR", saved.c_str(), 1) : unsetenv("TMPDIR");
}

TEST(RankStore, RanksOfAFileAreReadFromIt) {
  llvm::SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("ranks", "hb", path));
  Trace trace = test::RandomIR(11).trace();
  auto write = [&] {
    std::error_code ec;
    llvm::raw_fd_ostream os(path, ec);
    EXPECT_EQ(llvm::toString(writeBinary(trace, Results(), os)), "");
  };
  write();
  FileState state = FileState::of(path);
  auto sources = sourcesIn(path, state, Limits());
  ASSERT_EQ(sources.size(), trace.ranks.size());
  for (size_t i = 0; i != sources.size(); ++i) {
    auto rank = sources[i]->read();
    ASSERT_TRUE(bool(rank)) << llvm::toString(rank.takeError());
    std::string why;
    EXPECT_TRUE(equal(**rank, *trace.ranks[i], &why)) << why;
  }
  trace.ranks.push_back(test::RandomIR(12).rank());
  trace.ranks.back()->placement.reset();
  write(); // another file now: error id input-changed
  std::string why = llvm::toString(sources[0]->read().takeError());
  EXPECT_NE(why.find("was replaced or written to"), std::string::npos) << why;
  EXPECT_FALSE(llvm::sys::fs::remove(path));
  EXPECT_TRUE(sourcesIn(path, state, Limits()).empty());
  EXPECT_TRUE(sourcesIn(path, FileState::of(path), Limits()).empty());
}

} // namespace
