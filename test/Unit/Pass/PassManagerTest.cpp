//===- PassManagerTest.cpp - How pipelines run ----------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "TestPasses.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace heddle;
using namespace heddle::test;
using testing::HasSubstr;

namespace {

struct PassManagerTest : testing::Test {
  PassManagerTest() { addTestPasses(registry); }
  llvm::Error run(llvm::StringRef text, Trace &trace, Results &results) {
    Pipeline pipeline;
    cantFail(PipelineParser(registry).parse(text, pipeline));
    return PassManager(options).run(pipeline, trace, results);
  }
  std::string ran(llvm::StringRef text, Trace &trace) {
    Results results;
    if (llvm::Error e = run(text, trace, results))
      return message(std::move(e));
    return dump(results);
  }
  PassRegistry registry;
  PassOptions options;
};

constexpr const char *wholePipeline =
    "t-sum,t-count,t-note<min=4us>,t-sum,t-drop<name=op3>,t-count<top=5>,t-sum,t-note<min=4.9us>";

TEST_F(PassManagerTest, SameBytesForAnyScheduleAndThreads) {
  std::string expected, expectedLog;
  for (unsigned threads : {1u, 2u, 8u})
    for (unsigned seed : {0u, 1u, 2u, 3u}) {
      Trace trace = makeTrace(16, 7);
      std::string log;
      options.threads = threads;
      options.scheduleSeed = seed;
      options.debugLog = [&](llvm::StringRef line) { log += line.str() + "\n"; };
      std::string got = ran(wholePipeline, trace);
      if (expected.empty()) {
        expected = got;
        expectedLog = log;
        EXPECT_GT(expected.size(), 5000u);
      }
      EXPECT_EQ(got, expected) << threads << " threads, seed " << seed;
      EXPECT_EQ(log, expectedLog);
    }
}

TEST_F(PassManagerTest, ResultsComeByPositionThenRank) {
  Trace trace = makeTrace(2, 1, 3);
  std::string got = ran("t-count<top=0>,t-note<min=1s>,t-sum", trace);
  EXPECT_EQ(got, "t-count<top=0> rank 0 generation 0\n"
                 "t-count<top=0> rank 1 generation 0\n"
                 "t-note<min=1s> rank 0 generation 0\n"
                 "t-note<min=1s> rank 1 generation 0\n"
                 "t-sum rank -1 generation 0\n"
                 "  calls = 0\n"
                 "  names = " +
                     got.substr(got.find("names = ") + 8));
}

TEST_F(PassManagerTest, FirstFailingRankIsNamed) {
  for (unsigned threads : {1u, 2u, 8u})
    for (unsigned seed : {0u, 5u, 6u}) {
      Trace trace = makeTrace(16, 3);
      options.threads = threads;
      options.scheduleSeed = seed;
      EXPECT_EQ(ran("t-count,t-throw<on=5>", trace),
                "pass 't-throw' on rank 5 threw an exception: no luck");
    }
  Trace trace = makeTrace(1, 3);
  Results results;
  EXPECT_EQ(exitCode(run("t-throw", trace, results)), ExitCode::Internal);
}

TEST_F(PassManagerTest, UndeclaredWriteIsRefused) {
  Trace trace = makeTrace(1, 3), same = makeTrace(1, 3);
  EXPECT_THAT(ran("t-liar", trace), HasSubstr("pass 't-liar' on rank 0: "));
  EXPECT_TRUE(equal(trace, same));
  Results results;
  EXPECT_EQ(exitCode(run("t-liar", trace, results)), ExitCode::Internal);
}

TEST_F(PassManagerTest, UndeclaredResultsAreInternalErrors) {
  Trace trace = makeTrace(1, 3);
  EXPECT_EQ(ran("t-rogue<what=table>", trace),
            "pass 't-rogue' on rank 0 published the table 't-count', which it does not declare");
  EXPECT_EQ(ran("t-rogue<what=remark>", trace),
            "pass 't-rogue' on rank 0 published the remark 'surprise', which it does not declare");
  EXPECT_EQ(
      ran("t-rogue<what=stat>", trace),
      "pass 't-rogue' on rank 0 published the statistic 'surprises', which it does not declare");
  EXPECT_EQ(
      ran("t-rogue<what=row>", trace),
      "pass 't-rogue' on rank 0 published the table 't-rogue' with a row of 2 cells for 1 columns");
  Results results;
  EXPECT_EQ(exitCode(run("t-rogue", trace, results)), ExitCode::Internal);
}

TEST_F(PassManagerTest, AbstainsWhereANeedIsMissing) {
  Trace trace = makeTrace(1, 3);
  EXPECT_EQ(ran("t-needs", trace), "t-needs rank 0 generation 0\n"
                                   "  abstained: the recording has no device work; " +
                                       capabilityAdvice(Capability::DeviceWork).str() + "\n");
}

TEST_F(PassManagerTest, RewriteMovesEvidenceAndMarksStale) {
  Trace trace = makeTrace(1, 9, 300);
  Results results;
  cantFail(run("t-note,t-drop<name=op3>,t-count", trace, results));
  ASSERT_EQ(results.units.size(), 3u);
  EXPECT_TRUE(results.units[0].stale);
  EXPECT_FALSE(results.units[2].stale);
  EXPECT_EQ(results.units[2].generation, 1u);
  // Of the 300 remarks those about op3 are gone and counted; the others point where their event is.
  const Rank &rank = *trace.ranks[0];
  ASSERT_EQ(results.units[1].stats.size(), 1u);
  EXPECT_EQ(results.units[1].stats[0].name, "remarks-lost");
  EXPECT_EQ(results.units[1].stats[0].value, 300 - int64_t(rank.numEvents()));
  EXPECT_EQ(results.units[0].remarks.size(), rank.numEvents());
  for (const Remark &r : results.units[0].remarks)
    EXPECT_EQ(rank.name(r.evidence.at(0)), r.message);
  // The same over a border between fan-outs.
  cantFail(run("t-note", trace, results));
  cantFail(run("t-drop<name=op4>", trace, results));
  for (const Remark &r : results.units.at(2).remarks)
    EXPECT_EQ(rank.name(r.evidence.at(0)), r.message);
  EXPECT_EQ(results.units[2].remarks.size(), rank.numEvents());
}

TEST_F(PassManagerTest, CheckReplacesItsEarlierResults) {
  Trace trace = makeTrace(2, 9, 30);
  Results results;
  cantFail(
      run("t-count,t-sum,t-drop<name=op1>,t-drop<name=op2>,t-count<top=1>,t-sum", trace, results));
  std::vector<std::string> order;
  for (const PassResult &u : results.units)
    order.push_back(u.pass + "@" + std::to_string(u.rank));
  EXPECT_THAT(order, testing::ElementsAre("t-drop<name=op1>@0", "t-drop<name=op1>@1",
                                          "t-drop<name=op2>@0", "t-drop<name=op2>@1",
                                          "t-count<top=1>@0", "t-count<top=1>@1", "t-sum@-1"));
}

TEST_F(PassManagerTest, AnalysesAreReusedUntilTheirInputsChange) {
  Trace trace = makeTrace(1, 9, 30);
  std::string log;
  options.debugLog = [&](llvm::StringRef line) { log += line.str() + "\n"; };
  (void)ran("t-count,t-count<top=1>,t-drop<name=op1>,t-count", trace);
  EXPECT_EQ(log,
            "rank 0: run t-count\n"
            "rank 0:   t-name-counts: computed first\n"
            "rank 0: run t-count<top=1>\n"
            "rank 0:   t-name-counts: reused\n"
            "rank 0: run t-drop<name=op1>\n"
            "rank 0:   t-name-counts: dropped (t-drop<name=op1> changed which events there are)\n"
            "rank 0: run t-count\n"
            "rank 0:   t-name-counts: recomputed (t-drop<name=op1> changed which events there "
            "are)\n");
}

TEST_F(PassManagerTest, AnalysesBeginAnewWithTheRanks) {
  Trace trace = makeTrace(2, 9, 30);
  std::string log;
  options.debugLog = [&](llvm::StringRef line) { log += line.str() + "\n"; };
  (void)ran("t-count,t-first,t-count", trace);
  EXPECT_EQ(log, "rank 0: run t-count\n"
                 "rank 0:   t-name-counts: computed first\n"
                 "rank 1: run t-count\n"
                 "rank 1:   t-name-counts: computed first\n"
                 "trace: run t-first\n"
                 "rank 0: run t-count\n"
                 "rank 0:   t-name-counts: computed first since t-first\n");
}

TEST_F(PassManagerTest, TextsOfTraceRewritesAreHiddenInTheLogToo) {
  Trace trace = makeTrace(2, 9, 30);
  std::string log;
  options.debugLog = [&](llvm::StringRef line) { log += line.str() + "\n"; };
  (void)ran("t-first<hush=secret>,t-count", trace);
  EXPECT_EQ(log, "trace: run t-first<hush=***>\n"
                 "rank 0: run t-count\n"
                 "rank 0:   t-name-counts: computed first since t-first<hush=***>\n");
}

TEST_F(PassManagerTest, PrintAfterSplitsFanOuts) {
  Trace trace = makeTrace(3, 9, 30);
  options.printAfter = {"t-drop"};
  std::vector<std::string> seen;
  options.onPrintAfter = [&](const PassInstance &p, const Trace &t) {
    uint64_t events = 0;
    for (auto &r : t.ranks)
      events += r->generation();
    seen.push_back(p.print() + " " + std::to_string(events));
  };
  (void)ran("t-count,t-drop<name=op1>,t-drop<name=op2>,t-count", trace);
  EXPECT_THAT(seen, testing::ElementsAre("t-drop<name=op1> 3", "t-drop<name=op2> 6"));
}

TEST_F(PassManagerTest, CancelAndTimings) {
  Trace trace = makeTrace(3, 9, 30);
  Progress progress;
  options.progress = &progress;
  options.timePasses = true;
  Pipeline pipeline;
  cantFail(PipelineParser(registry).parse("t-count,t-sum", pipeline));
  PassManager manager(options);
  Results results;
  cantFail(manager.run(pipeline, trace, results));
  EXPECT_EQ(progress.done, 6u);
  EXPECT_EQ(progress.total, 6u);
  ASSERT_EQ(manager.timings().size(), 2u);
  EXPECT_EQ(manager.timings()[0].runs, 3u);
  EXPECT_EQ(manager.timings()[1].runs, 1u);
  progress.cancelled = true;
  EXPECT_EQ(message(manager.run(pipeline, trace, results)), "cancelled");
}

TEST_F(PassManagerTest, NoRanks) {
  Trace trace;
  EXPECT_EQ(ran("t-count,t-sum", trace), "t-sum rank -1 generation 0\n  calls = 0\n");
}

TEST_F(PassManagerTest, RegistryRefusesBadPasses) {
  PassInfo info = *registry.find("t-count");
  EXPECT_THAT(message(registry.add(info)), HasSubstr("there is one of this name already"));
  PassRegistry other;
  static constexpr ParamInfo badDefault[] = {{"min", ParamType::Time, "5", "no unit"}};
  info.params = badDefault;
  EXPECT_THAT(message(other.add(info)),
              HasSubstr("its default does not parse: 'min' wants a time"));
  PassInfo renamed = *registry.find("t-rogue");
  static constexpr TableInfo badTables[] = {{"elsewhere", "x", {}}};
  renamed.tables = badTables;
  EXPECT_THAT(message(other.add(renamed)), HasSubstr("does not begin with its own"));
}

} // namespace

TEST(PassContext, StatisticsStopAtTheEndOfTheRange) {
  struct Open : PassContext {
    Open(const PassInfo &info, PassResult &out, const Selection &sel, const Limits &limits)
        : PassContext(info, out, sel, limits, nullptr) {}
  };
  static constexpr StatInfo stats[] = {{"up", Statistic::Severity::Info, "rises"},
                                       {"down", Statistic::Severity::Info, "falls"}};
  PassInfo info{"t-open", "opens", "", Level::Rank, PassKind::Check};
  info.stats = stats;
  PassResult out;
  Selection selection;
  Limits limits;
  Open context(info, out, selection, limits);
  for (int i = 0; i != 3; ++i) {
    context.stat("up", INT64_MAX / 2);
    context.stat("down", INT64_MIN / 2);
  }
  ASSERT_EQ(out.stats.size(), 2u);
  EXPECT_EQ(out.stats[0].value, INT64_MAX);
  EXPECT_EQ(out.stats[1].value, INT64_MIN);
}
