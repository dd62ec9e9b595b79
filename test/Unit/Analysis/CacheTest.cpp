//===- CacheTest.cpp - The cache of analyses ------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/Analysis.h"
#include "heddle/Support/Diagnostics.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace heddle;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

struct OfTimes {
  static constexpr llvm::StringLiteral name = "of-times";
  static constexpr uint32_t inputs = columns(ColumnId::Begin, ColumnId::End);
  static constexpr unsigned version = 1;
  static constexpr bool summary = false;
  static llvm::Expected<OfTimes> compute(const Rank &, AnalysisContext &) { return OfTimes{}; }
};

/// Reads names itself, and times through another analysis.
struct OfBoth {
  static constexpr llvm::StringLiteral name = "of-both";
  static constexpr uint32_t inputs = columns(ColumnId::Name);
  static constexpr unsigned version = 1;
  static constexpr bool summary = false;
  static llvm::Expected<OfBoth> compute(const Rank &, AnalysisContext &context) {
    auto times = context.get<OfTimes>();
    if (!times)
      return times.takeError();
    return OfBoth{};
  }
};

/// Reads nothing itself; two levels above the times.
struct OfAll {
  static constexpr llvm::StringLiteral name = "of-all";
  static constexpr uint32_t inputs = 0;
  static constexpr unsigned version = 1;
  static constexpr bool summary = false;
  static llvm::Expected<OfAll> compute(const Rank &, AnalysisContext &context) {
    auto both = context.get<OfBoth>();
    if (!both)
      return both.takeError();
    return OfAll{};
  }
};

struct OfEverything {
  static constexpr llvm::StringLiteral name = "of-everything";
  static constexpr uint32_t inputs = kAllColumns;
  static constexpr unsigned version = 1;
  static constexpr bool summary = false;
  static llvm::Expected<OfEverything> compute(const Rank &, AnalysisContext &) {
    return OfEverything{};
  }
};

struct Tail;
struct Head {
  static constexpr llvm::StringLiteral name = "head";
  static constexpr uint32_t inputs = 0;
  static constexpr unsigned version = 1;
  static constexpr bool summary = false;
  static llvm::Expected<Head> compute(const Rank &, AnalysisContext &context);
};
struct Tail {
  static constexpr llvm::StringLiteral name = "tail";
  static constexpr uint32_t inputs = 0;
  static constexpr unsigned version = 1;
  static constexpr bool summary = false;
  static llvm::Expected<Tail> compute(const Rank &, AnalysisContext &context) {
    auto head = context.get<Head>();
    return head ? llvm::Expected<Tail>(Tail{}) : head.takeError();
  }
};
llvm::Expected<Head> Head::compute(const Rank &, AnalysisContext &context) {
  auto tail = context.get<Tail>();
  return tail ? llvm::Expected<Head>(Head{}) : tail.takeError();
}

struct Impostor : OfTimes {
  static llvm::Expected<Impostor> compute(const Rank &, AnalysisContext &) { return Impostor{}; }
};

struct Throws {
  static constexpr llvm::StringLiteral name = "throws";
  static constexpr uint32_t inputs = 0;
  static constexpr unsigned version = 1;
  static constexpr bool summary = false;
  static llvm::Expected<Throws> compute(const Rank &, AnalysisContext &) { throw 1; }
};

struct CacheTest : testing::Test {
  CacheTest() : cache(rank) {
    cache.observer = [this](llvm::StringRef analysis, llvm::StringRef what) {
      events.push_back((analysis + ": " + what).str());
    };
  }
  template <typename A> const A *get() { return cantFail(cache.get<A>(limits)); }
  Rank rank;
  AnalysisCache cache;
  Limits limits;
  std::vector<std::string> events;
};

TEST_F(CacheTest, ComputesOnceAndReuses) {
  const OfAll *first = get<OfAll>();
  EXPECT_EQ(get<OfAll>(), first);
  EXPECT_THAT(events, ElementsAre("of-all: computed first", "of-both: computed first",
                                  "of-times: computed first", "of-all: reused"));
}

TEST_F(CacheTest, DependantsInheritInputs) {
  get<OfAll>();
  events.clear();
  cache.invalidate(Effects().with(ColumnId::Kind));
  EXPECT_TRUE(events.empty());
  cache.invalidate(Effects().with(ColumnId::Name));
  EXPECT_THAT(events, ElementsAre("of-all: dropped (a rewrite changed names)",
                                  "of-both: dropped (a rewrite changed names)"));
  get<OfAll>(); // from of-times, which is reused: its inputs count all the same
  events.clear();
  cache.invalidate(Effects().with(ColumnId::End).with(ColumnId::Begin), "shift");
  EXPECT_THAT(events, ElementsAre("of-all: dropped (shift changed begins and ends)",
                                  "of-both: dropped (shift changed begins and ends)",
                                  "of-times: dropped (shift changed begins and ends)"));
}

TEST_F(CacheTest, StructuralDropsAll) {
  get<OfTimes>();
  events.clear();
  cache.invalidate({0, true}, "drop");
  EXPECT_THAT(events, ElementsAre("of-times: dropped (drop changed which events there are)"));
}

TEST_F(CacheTest, EveryColumnHasAName) {
  get<OfEverything>();
  events.clear();
  cache.invalidate(Effects().with(ColumnId::Results), "hush");
  EXPECT_THAT(events, ElementsAre("of-everything: dropped (hush changed results)"));
}

TEST_F(CacheTest, SaysWhyItComputesAgain) {
  get<OfTimes>();
  cache.invalidate(Effects().with(ColumnId::Begin), "shift");
  cache.invalidate(Effects().with(ColumnId::End), "stretch"); // finds nothing to drop
  events.clear();
  get<OfTimes>();
  get<OfTimes>();
  EXPECT_THAT(events,
              ElementsAre("of-times: recomputed (shift changed begins)", "of-times: reused"));
  cache.invalidate({0, true}, "drop");
  events.clear();
  get<OfTimes>(); // the latest reason
  EXPECT_THAT(events, ElementsAre("of-times: recomputed (drop changed which events there are)"));
}

TEST_F(CacheTest, SaysThatItFailedBefore) {
  consumeError(cache.get<Head>(limits).takeError());
  events.clear();
  consumeError(cache.get<Head>(limits).takeError());
  EXPECT_THAT(events, ElementsAre("head: recomputed (the attempt before failed)",
                                  "tail: recomputed (the attempt before failed)"));
}

TEST_F(CacheTest, SaysSinceWhenThereIsNothing) {
  AnalysisCache anew(rank, "keep-rank<1>");
  anew.observer = cache.observer;
  cantFail(anew.get<OfTimes>(limits));
  EXPECT_THAT(events, ElementsAre("of-times: computed first since keep-rank<1>"));
}

TEST_F(CacheTest, CycleIsAnError) {
  EXPECT_THAT(toString(cache.get<Head>(limits).takeError()),
              HasSubstr("analyses need each other: head -> tail -> head"));
}

TEST_F(CacheTest, MismatchNamesBothSides) {
  get<OfTimes>();
  EXPECT_THAT(toString(cache.get<Impostor>(limits).takeError()),
              testing::AllOf(HasSubstr("'of-times'"), HasSubstr("OfTimes"), HasSubstr("Impostor")));
}

TEST_F(CacheTest, ExceptionLeavesTheCacheWhole) {
  EXPECT_ANY_THROW((void)cache.get<Throws>(limits));
  EXPECT_ANY_THROW((void)cache.get<Throws>(limits)); // no cycle is seen
  get<OfAll>();
}

} // namespace
