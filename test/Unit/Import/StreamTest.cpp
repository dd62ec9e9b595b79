//===- StreamTest.cpp - The result hangs on the text alone ----------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Support.h"
#include <random>

using namespace heddle;
using namespace llvm;

/// A bit of everything, in the spellings of several recorders.
static std::string sample(int rounds) {
  std::string all;
  for (int i = 0; i < rounds; ++i) {
    std::string n = std::to_string(i), ts = std::to_string(1365627863665 + i * 50);
    all +=
        (i ? ",\n" : "") +
        list({op("aten::mm", ts + ".508", "12.459",
                 "\"External id\": " + n + ", \"Input Dims\": [[" + n +
                     ", 4], [8,1], []], \"Concrete Inputs\": [\"\", \"[1, 2]\"]"),
              op("caf\xc3\xa9 \\\"x\\\" \\u00e9", ts + ".6", "1.5",
                 "\"f\": true, \"n\": null, \"b\": 1e-05, \"s\": \"a\\\\b\""),
              "{\n    \"ph\": \"X\", \"cat\": \"python_function\", \"name\": \"m.py(" + n +
                  "): f\", \"pid\": 1, \"tid\": 2,\n    \"ts\": " + ts +
                  ".700, \"dur\": 0.100,\n    \"args\": {\n      \"Python parent id\": " +
                  (i ? n : "null") + ", \"Python id\": " + n + "\n    }\n  }",
              op("cudaLaunchKernel", ts + ".900", "3", "\"correlation\": " + n, "cuda_runtime"),
              kernel("gemm<" + n + ">", ts + ".100", "5.25",
                     "\"correlation\": " + n + ", \"grid\": [80,1,1], \"occ\": 43.75"),
              "{\"ph\": \"s\", \"id\": " + n + ", \"pid\": 1, \"tid\": 2, \"ts\": " + ts +
                  ".900, \"cat\": \"ac2g\", \"name\": \"ac2g\"}",
              "{\"ph\":\"f\",\"id\":" + n + ",\"pid\":0,\"tid\":7,\"ts\":" + ts +
                  ".100,\"cat\":\"ac2g\",\"name\":\"ac2g\",\"bp\":\"e\"}",
              "{\"ph\": \"i\", \"cat\": \"cpu_instant_event\", \"s\": \"t\", \"name\": "
              "\"[memory]\", \"pid\": 1, \"tid\": 2, \"ts\": " +
                  ts + ", \"args\": {\"Addr\": 128180985410560, \"Bytes\": -" + n + "}}",
              "{\"ph\": \"C\", \"name\": \"mem\", \"pid\": 1, \"tid\": 2, \"ts\": " + ts +
                  ", \"args\": {\"a\": " + n + "}}",
              "{\"ph\": \"B\", \"name\": \"open\", \"pid\": 1, \"tid\": 3, \"ts\": " + ts + "}"});
  }
  return kineto(all, "\"deviceProperties\": [{\"id\": 0, \"name\": \"G\"}], ",
                ",\n\"traceName\": \"/tmp/x\", \"baseTimeNanoseconds\": 1759393446000000000");
}

static void expectEqual(Imported &a, Imported &b, const std::string &how) {
  EXPECT_EQ(a.error, b.error) << how;
  if (!a.ok() || !b.ok())
    return;
  std::string why;
  EXPECT_TRUE(heddle::equal(a.rank(), b.rank(), &why)) << how << ": " << why;
  EXPECT_EQ(a.recording().repairs, b.recording().repairs) << how;
  EXPECT_EQ(a.recording().notes, b.recording().notes) << how;
}

TEST(Stream, AnyWindowGivesTheSame) {
  std::string text = sample(20);
  Imported whole(text);
  EXPECT_TRUE(whole.recording().repairs.empty());
  EXPECT_EQ(whole.recording().sourceEvents, 200u);
  EXPECT_EQ(whole.rank().edges().size(), 19u);
  for (uint64_t bytes : {16u, 100u, 333u, 500u, 1000u, 4096u}) {
    ImportOptions options;
    options.windowBytes = bytes;
    Imported in(text, "trace.json", options);
    expectEqual(whole, in, "window of " + std::to_string(bytes));
  }
  // What the text begins with decides, however little of it is in the window.
  ImportOptions small;
  small.windowBytes = 16;
  Imported in(kineto(op("w", "1", "1", "", "Trace")), "trace.json", small);
  EXPECT_EQ(in.kind("w"), EventKind::Window);
}

TEST(Stream, PredictionGivesTheSame) {
  std::string text = sample(50);
  ImportOptions slow;
  slow.predict = false;
  Imported a(text), b(text, "trace.json", slow);
  expectEqual(a, b, "whole");
  // A mend in the middle of events that are predicted.
  for (auto [from, to] : {std::pair<StringRef, StringRef>{"m.py(30)", "m \"x\" py"},
                          {"12.459", "-1"},
                          {"12.459", "1.23456"},
                          {"\"ph\": \"X\"", "\"ph\": \"Q\""},
                          {"[80,1,1]", "[80,,1]"},
                          {"5.25", "5."},
                          {"gemm", "ge\tmm"},
                          {"128180985410560", "18446744073709551615"}}) {
    std::string changed = text;
    size_t at = changed.find(from.str(), changed.size() / 2);
    ASSERT_NE(at, std::string::npos);
    changed.replace(at, from.size(), to.str());
    Imported c(changed), d(changed, "trace.json", slow);
    expectEqual(c, d, to.str());
  }
}

TEST(Stream, EveryCutIsReadAsFarAsItGoes) {
  std::string text = sample(3);
  uint64_t last = 0;
  for (size_t cut = 0; cut < text.size(); ++cut) {
    Imported in(StringRef(text).take_front(cut));
    if (!in.ok())
      continue;
    EXPECT_TRUE(in.recording().partial) << cut;
    EXPECT_EQ(in.recording().truncatedAt, cut);
    EXPECT_GE(in.recording().sourceEvents, last) << cut;
    last = in.recording().sourceEvents;
  }
  EXPECT_EQ(last, 30u);
}

TEST(Stream, FilesThatAreReadAtOnceShareTheirProgress) {
  std::string text = R"({"traceEvents":[{"ph":"X","name":"a","ts":1,"dur":2,"pid":1,"tid":1}]})";
  Progress progress;
  ImportOptions options;
  options.progress = &progress;
  options.windowBytes = 16;
  Imported first(text, "a.json", options), second(text, "b.json", options);
  EXPECT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(progress.done, 2 * text.size());
}

TEST(Stream, FlippedBytesNeverBreakIt) {
  std::string text = sample(4);
  std::mt19937 random(42);
  ImportOptions slow, small;
  slow.predict = false;
  small.windowBytes = 200;
  for (int round = 0; round < 1500; ++round) {
    std::string changed = text;
    for (unsigned n = 1 + random() % 3; n; --n) {
      size_t at = random() % changed.size();
      static const char likely[] = "\"\\{}[],:0-.eX \n";
      switch (random() % 4) {
      case 0:
        changed[at] = static_cast<char>(random());
        break;
      case 1:
        changed[at] = likely[random() % (sizeof(likely) - 1)];
        break;
      case 2:
        changed.erase(at, 1 + random() % 40);
        break;
      case 3:
        changed.insert(at, 1, likely[random() % (sizeof(likely) - 1)]);
        break;
      }
    }
    Imported a(changed), b(changed, "trace.json", slow), c(changed, "trace.json", small);
    expectEqual(a, b, "prediction, round " + std::to_string(round));
    expectEqual(a, c, "window, round " + std::to_string(round));
    if (HasFailure())
      break;
  }
}

// Texts that a reader which looks far ahead, or compares all with all, would take hours for.
TEST(Stream, NothingTakesQuadraticTime) {
  auto many = [](StringRef text, int n) {
    std::string all;
    for (int i = 0; i < n; ++i)
      all += text;
    return all;
  };
  auto keys = [](int n) {
    std::string all;
    for (int i = 0; i < n; ++i)
      all += (i ? ",\"k" : "\"k") + std::to_string(i) + "\": 1";
    return all;
  };
  Imported open(kineto(op("a", "1", "1") + "," + many("{\"ph\":]", 300000)));
  EXPECT_EQ(open.repairs("skipped-event"), 300000u);
  EXPECT_EQ(open.recording().sourceEvents, 300001u);
  Imported closed(kineto(op("a", "1", "1") + "," + many("{\"ph\":]", 60000) + many("}", 60000)));
  EXPECT_TRUE(closed.has("a"));
  Imported quotes(kineto(op("a", "1", "1") + "," + many("{\"ph\": \"x\" y, ", 100000)));
  EXPECT_GT(quotes.repairs("skipped-event"), 50000u);
  Imported arrays("{" + many("\"traceEvents\": [{ y}],", 100000) + "\"a\": 1}");
  EXPECT_EQ(arrays.repairs("skipped-event"), 100000u);
  Imported tail(kineto(op("a", "1", "1"), "", ", " + many("\"deviceProperties\":],", 200000)));
  EXPECT_EQ(tail.repairs("broken-tail"), 200000u);
  Imported members(kineto(op("a", "1", "1"), "", ", " + keys(300000)));
  EXPECT_EQ(members.recording().document.members.size(), 300002u);
  Imported args(kineto(list({op("a", "1", "1", keys(65000)), op("b", "1", "1", keys(64000))})));
  EXPECT_EQ(args.integer("a", "k64999"), 1);
}
