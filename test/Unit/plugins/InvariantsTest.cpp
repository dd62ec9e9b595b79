//===- InvariantsTest.cpp - What holds for the passes on any trace --------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "Analysis/RandomTrace.h"
#include "heddle/Pass/PassManager.h"
#include "heddle/Plugin/Builtin.h"
#include "heddle/Text/Text.h"

using namespace heddle;
using namespace heddle::test;

namespace {

struct Invariants : testing::Test {
  Invariants() {
    for (PluginEntryFn entry : builtinPlugins())
      llvm::cantFail(entry()->registerAll(registry));
  }
  Results run(Trace &trace, llvm::StringRef text) {
    Pipeline pipeline;
    llvm::cantFail(PipelineParser(registry.passes).parse(text, pipeline));
    Results results;
    llvm::cantFail(PassManager(options).run(pipeline, trace, results));
    return results;
  }
  static Trace make(uint64_t seed, int ranks = 1, int64_t shift = 0) {
    Trace trace;
    for (int r = 0; r < ranks; ++r) {
      RandomTrace random(seed * 100 + r, shift, /*marked=*/(seed + r) % 3 != 0);
      trace.ranks.push_back(std::make_unique<Rank>(std::move(random.m.rank)));
    }
    return trace;
  }
  Registry registry;
  PassOptions options;
};

/// Sums an integer column by the text of others.
std::map<std::string, int64_t> sum(const Table &t, std::initializer_list<const char *> by,
                                   const char *column) {
  std::map<std::string, int64_t> sums;
  for (size_t row = 0; row < t.rows.size(); ++row) {
    std::string key;
    for (const char *b : by)
      key += t.getText(row, b).str() + std::to_string(t.getInt(row, b).value_or(-1)) + " ";
    sums[key] += t.getInt(row, column).value();
  }
  return sums;
}
/// Without zeros, which some tables leave out.
std::map<std::string, int64_t> positive(std::map<std::string, int64_t> sums) {
  std::erase_if(sums, [](auto &s) { return s.second == 0; });
  return sums;
}

} // namespace

TEST_F(Invariants, EverySumCloses) {
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    Trace trace = make(seed);
    Results results = run(trace, "gpu-breakdown,idle-gaps<min=0>,kernels");
    Table breakdown = *results.table("gpu-breakdown"), causes = *results.table("idle-gaps-causes"),
          gaps = *results.table("idle-gaps"), kernels = *results.table("kernels");
    for (size_t row = 0; row < breakdown.rows.size(); ++row) {
      auto at = [&](const char *key) { return *breakdown.getInt(row, key); };
      EXPECT_EQ(at("end_ns") - at("begin_ns"), at("window_ns"));
      EXPECT_EQ(at("busy_ns") + at("idle_ns"), at("window_ns"));
      EXPECT_EQ(at("compute_ns") + at("exposed_comm_ns") + at("exposed_copy_ns") + at("idle_ns"),
                at("window_ns"));
    }
    EXPECT_EQ(positive(sum(breakdown, {"device", "step"}, "idle_ns")),
              sum(causes, {"device", "step"}, "ns"))
        << "seed " << seed;

    // Listed gaps: each once, its parts as summed by step.
    auto bySteps = sum(gaps, {"device", "step", "cause"}, "part_ns");
    for (auto &[key, ns] : sum(causes, {"device", "step", "cause"}, "ns"))
      if (key.find("all") == std::string::npos) {
        EXPECT_EQ(bySteps[key], ns) << "seed " << seed << " " << key;
      }
    std::map<std::pair<int64_t, int64_t>, int64_t> lengths;
    for (size_t row = 0; row < gaps.rows.size(); ++row)
      lengths[{*gaps.getInt(row, "device"), *gaps.getInt(row, "begin_ns")}] =
          *gaps.getInt(row, "duration_ns");
    std::map<std::string, int64_t> byDevice;
    for (auto &[place, ns] : lengths)
      byDevice[std::to_string(place.first) + " "] += ns;
    EXPECT_EQ(sum(gaps, {"device"}, "part_ns"), byDevice) << "seed " << seed;

    // Kernels: every one once.
    int64_t calls = 0, ns = 0, wanted = 0, wantedNs = 0;
    for (auto &[key, n] : sum(kernels, {"device"}, "calls"))
      calls += n;
    for (auto &[key, n] : sum(kernels, {"device"}, "total_ns"))
      ns += n;
    for (const Track &t : trace.ranks[0]->tracks())
      for (uint32_t i = 0; i < t.size(); ++i)
        if (t.kinds[i] == EventKind::Kernel)
          ++wanted, wantedNs += t.duration(i).ns;
    EXPECT_EQ(calls, wanted);
    EXPECT_EQ(ns, wantedNs);
  }
}

TEST_F(Invariants, ThreadsAndScheduleChangeNothing) {
  std::string expected;
  for (unsigned threads : {1u, 2u, 8u})
    for (unsigned seed : {0u, 5u}) {
      options.threads = threads;
      options.scheduleSeed = seed;
      Trace trace = make(1, 16);
      Results results =
          run(trace, "gpu-breakdown,idle-gaps<min=0>,kernels,drop<kind=runtime>,idle-gaps");
      std::string text;
      llvm::raw_string_ostream os(text);
      llvm::cantFail(printText(trace, os));
      printText(results, os);
      if (expected.empty())
        expected = text;
      EXPECT_EQ(text, expected);
    }
  EXPECT_GT(expected.size(), 10000u);
}

TEST_F(Invariants, AShiftMovesBeginsAndNothingElse) {
  constexpr int64_t shift = 98765432100;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Trace trace = make(seed), moved = make(seed, 1, shift);
    const char *text = "gpu-breakdown,idle-gaps<min=0>,kernels";
    Results a = run(trace, text), b = run(moved, text);
    for (const char *id : {"gpu-breakdown", "idle-gaps", "idle-gaps-causes", "kernels"}) {
      Table x = *a.table(id), y = *b.table(id);
      ASSERT_EQ(x.rows.size(), y.rows.size());
      for (size_t row = 0; row < x.rows.size(); ++row)
        for (size_t c = 0; c < x.columns.size(); ++c) {
          bool isTime = x.columns[c].key == "begin_ns" || x.columns[c].key == "end_ns";
          if (isTime)
            EXPECT_EQ(std::get<int64_t>(y.rows[row][c]) - std::get<int64_t>(x.rows[row][c]), shift);
          else
            EXPECT_EQ(x.rows[row][c], y.rows[row][c]);
        }
    }
  }
}

TEST_F(Invariants, TopListsTheLongestGaps) {
  for (int64_t top : {1, 3, 1000}) {
    Trace trace = make(4);
    auto lengths = [&](const Table &t) {
      std::map<std::pair<int64_t, int64_t>, int64_t> gaps;
      for (size_t row = 0; row < t.rows.size(); ++row)
        gaps[{*t.getInt(row, "device"), *t.getInt(row, "begin_ns")}] =
            *t.getInt(row, "duration_ns");
      std::map<int64_t, std::vector<int64_t>> byDevice;
      for (auto &[key, ns] : gaps)
        byDevice[key.first].push_back(ns);
      for (auto &[device, list] : byDevice) {
        std::sort(list.begin(), list.end(), std::greater<>());
        if (list.size() > static_cast<size_t>(top))
          list.resize(top);
      }
      return byDevice;
    };
    Table all = *run(trace, "idle-gaps<min=0>").table("idle-gaps");
    Table some = *run(trace, "idle-gaps<min=0,top=" + std::to_string(top) + ">").table("idle-gaps");
    EXPECT_EQ(lengths(some), lengths(all));
  }
}
