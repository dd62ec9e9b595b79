//===- PairTest.cpp - Spans that two events make --------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Support.h"
#include "heddle/IR/Editor.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <random>

using namespace heddle;

namespace {

struct Event {
  char phase;
  int at, key;
  std::string name;
};

std::string json(const Event &e, bool async) {
  std::string where =
      async ? "\"pid\": 1, \"tid\": 1, \"cat\": \"c\", \"id\": " + std::to_string(e.key)
            : "\"pid\": 1, \"tid\": " + std::to_string(e.key);
  return "{\"ph\": \"" + std::string(1, e.phase) + "\", \"name\": \"" + e.name +
         "\", \"ts\": " + std::to_string(e.at) + ", " + where + "}";
}

/// "name@begin-end" of every span, sorted, by the plainest way: a list of what is open.
std::vector<std::string> plainSpans(std::vector<Event> events, bool anyName) {
  std::stable_sort(events.begin(), events.end(),
                   [](const Event &a, const Event &b) { return a.at < b.at; });
  std::vector<std::string> spans;
  std::vector<Event> open, lost;
  auto span = [&](const Event &b, int end) {
    spans.push_back(b.name + "@" + std::to_string(b.at) + "-" + std::to_string(end) + " " +
                    std::to_string(b.key));
  };
  for (const Event &e : events) {
    if (e.phase == 'B' || e.phase == 'b' || e.phase == 'S') {
      open.push_back(e);
      continue;
    }
    auto it = std::find_if(open.rbegin(), open.rend(), [&](const Event &b) {
      return b.key == e.key && (b.name == e.name || (anyName && e.name.empty()));
    });
    if (it == open.rend()) {
      lost.push_back(e);
      continue;
    }
    span(*it, e.at);
    open.erase(std::next(it).base());
  }
  for (const Event &e : lost) {
    auto it = std::find_if(open.begin(), open.end(), [&](const Event &b) {
      return b.key == e.key && b.name == e.name && b.at == e.at;
    });
    if (it == open.end())
      continue;
    span(*it, e.at);
    open.erase(it);
  }
  std::sort(spans.begin(), spans.end());
  return spans;
}

std::vector<std::string> spansOf(Imported &in, bool async) {
  std::vector<std::string> spans;
  AttrReader ids(in.rank(), "id", Scope::Event);
  for (const FlowRow &f : in.rank().flows()) {
    const Track &t = in.rank().track(f.anchor.track);
    Interval i = in.rank().interval(f.anchor);
    EXPECT_EQ(i.end, f.at);
    int64_t key = async ? *ids.getInt(t, f.anchor.index) : t.key.tid.value;
    auto us = [&](Time at) { return std::to_string((at.ns + in.recording().origin) / 1000); };
    spans.push_back(in.rank().name(f.anchor).str() + "@" + us(i.begin) + "-" + us(i.end) + " " +
                    std::to_string(key));
  }
  std::sort(spans.begin(), spans.end());
  return spans;
}

} // namespace

TEST(Pair, AsThePlainestWay) {
  std::mt19937 random(7);
  const char *names[] = {"a", "b", "c", ""};
  for (const char *phases : {"BE", "be", "SF"})
    for (unsigned round = 0; round < 400; ++round) {
      std::vector<Event> events;
      std::string text;
      unsigned span = 2 + random() % 30, named = 1 + random() % 4;
      for (unsigned n = random() % 40; n; --n) {
        events.push_back({phases[random() % 2], static_cast<int>(random() % span),
                          static_cast<int>(1 + random() % 2), names[random() % named]});
        text += (text.empty() ? "" : ",") + json(events.back(), *phases != 'B');
      }
      Imported in("{\"traceEvents\": [" + text + "]}");
      std::vector<std::string> want = plainSpans(events, *phases != 'S');
      EXPECT_EQ(spansOf(in, *phases != 'B'), want) << text;
      EXPECT_EQ(in.rank().numEvents() + want.size(), events.size());
      EXPECT_EQ(in.notes("unmatched-begin") + in.notes("unmatched-end") + 2 * want.size(),
                events.size());
    }
}

TEST(Pair, TheEndGoesWithItsSpan) {
  Imported in("[{\"ph\": \"B\", \"name\": \"a\", \"pid\": 1, \"tid\": 1, \"ts\": 1},"
              "{\"ph\": \"B\", \"name\": \"b\", \"pid\": 1, \"tid\": 1, \"ts\": 2},"
              "{\"ph\": \"s\", \"name\": \"f\", \"id\": 1, \"pid\": 1, \"tid\": 1, \"ts\": 2},"
              "{\"ph\": \"E\", \"pid\": 1, \"tid\": 1, \"ts\": 3},"
              "{\"ph\": \"E\", \"pid\": 1, \"tid\": 1, \"ts\": 4}]");
  ASSERT_EQ(in.rank().flows().size(), 3u);
  RankEditor editor(in.rank(), {0, true});
  EXPECT_EQ(llvm::toString(editor.keepFlows([](const FlowRow &) { return false; })), "");
  EXPECT_EQ(in.rank().flows().size(), 2u) << "the ends stay";
  auto remap = editor.keep({{true, false}});
  ASSERT_TRUE(static_cast<bool>(remap));
  ASSERT_EQ(in.rank().flows().size(), 1u);
  EXPECT_EQ(in.rank().name(in.rank().flows()[0].anchor), "a");
  EXPECT_EQ(editor.loss().anchors, 0u);
  EXPECT_EQ(llvm::toString(verify(in.rank())), "");
}

TEST(Pair, Verified) {
  auto broken = [](llvm::function_ref<void(std::vector<FlowRow> &)> breakIt) {
    Imported in("[{\"ph\": \"B\", \"name\": \"a\", \"pid\": 1, \"tid\": 1, \"ts\": 1},"
                "{\"ph\": \"X\", \"name\": \"x\", \"pid\": 1, \"tid\": 1, \"ts\": 1, \"dur\": 9},"
                "{\"ph\": \"B\", \"name\": \"b\", \"pid\": 1, \"tid\": 1, \"ts\": 2},"
                "{\"ph\": \"E\", \"pid\": 1, \"tid\": 1, \"ts\": 3},"
                "{\"ph\": \"E\", \"pid\": 1, \"tid\": 1, \"ts\": 4}]");
    RankBuilder builder(in.rank());
    breakIt(builder.flows());
    return llvm::toString(verify(in.rank()));
  };
  EXPECT_EQ(broken([](auto &) {}), "");
  EXPECT_EQ(broken([](auto &f) { f[0].anchor = {}; }), "the end in row 3 is bound to no span");
  EXPECT_EQ(broken([](auto &f) { f[0].anchor = {0, 0}; }),
            "the end in row 3 does not fit the phase of its event");
  EXPECT_EQ(broken([](auto &f) { f[0].anchor = f[1].anchor; }),
            "the end in row 4 is the second of its span");
}

TEST(Pair, FlowsBindToSpansOfTwoEvents) {
  Imported in("[{\"ph\": \"B\", \"name\": \"a\", \"pid\": 1, \"tid\": 1, \"ts\": 1},"
              "{\"ph\": \"s\", \"name\": \"f\", \"id\": 1, \"pid\": 1, \"tid\": 1, \"ts\": 2},"
              "{\"ph\": \"E\", \"pid\": 1, \"tid\": 1, \"ts\": 3},"
              "{\"ph\": \"f\", \"name\": \"f\", \"id\": 1, \"pid\": 1, \"tid\": 2, \"ts\": 4},"
              "{\"ph\": \"B\", \"name\": \"b\", \"pid\": 1, \"tid\": 2, \"ts\": 5},"
              "{\"ph\": \"E\", \"pid\": 1, \"tid\": 2, \"ts\": 6},"
              "{\"ph\": \"s\", \"name\": \"f\", \"id\": 1, \"pid\": 1, \"tid\": 2, \"ts\": 6},"
              "{\"ph\": \"f\", \"name\": \"f\", \"id\": 1, \"pid\": 1, \"tid\": 1, \"ts\": 8, "
              "\"bp\": \"e\"},"
              "{\"ph\": \"X\", \"name\": \"c\", \"pid\": 1, \"tid\": 1, \"ts\": 7, \"dur\": 2}]");
  EXPECT_EQ(in.edges(EdgeKind::Flow), "a->b b->c");
  EXPECT_EQ(in.notes("dangling-flow") + in.notes("unbound-flow"), 0u);
}

TEST(Pair, FlowsByBindId) {
  auto event = [](llvm::StringRef phase, llvm::StringRef name, int at, llvm::StringRef more) {
    return ("{\"ph\": \"" + phase + "\", \"name\": \"" + name +
            "\", \"pid\": 1, \"tid\": 1, \"ts\": " + llvm::Twine(at) + more + "}")
        .str();
  };
  std::string out = ", \"bind_id\": \"0xa\", \"flow_out\": true",
              in2 = ", \"bind_id\": \"0xa\", \"flow_in\": true",
              both = ", \"bind_id\": \"0xa\", \"flow_in\": true, \"flow_out\": true";
  Imported in(
      "[" + event("X", "late", 9, ", \"dur\": 1" + in2) + "," +
      event("X", "out", 1, ", \"dur\": 1" + out) + "," + event("B", "on", 3, both) + "," +
      event("E", "on", 4, out) + "," + event("X", "in", 5, ", \"dur\": 1" + in2) + "," +
      event("X", "other", 6, ", \"dur\": 1, \"bind_id\": \"0xb\", \"flow_in\": true") + "," +
      event("X", "off", 7, ", \"dur\": 1, \"bind_id\": \"0xa\", \"flow_out\": false") + "," +
      event("X", "last", 8, ", \"dur\": 1, \"bind_id\": 11, \"flow_out\": true") + "]");
  EXPECT_EQ(in.edges(EdgeKind::Flow), "out->on on->in on->late");
  // "on" begins two flows of which its end takes over the first, 0xb ends and begins alone.
  EXPECT_EQ(in.notes("dangling-flow"), 3u);
}

TEST(Pair, BeyondTheLimitOfLayouts) {
  ImportOptions options;
  options.limits.maxLayouts = 1;
  Imported in("[{\"ph\": \"X\", \"name\": \"x\", \"pid\": 1, \"tid\": 1, \"ts\": 0, \"dur\": 9},"
              "{\"ph\": \"B\", \"name\": \"a\", \"pid\": 1, \"tid\": 1, \"ts\": 1},"
              "{\"ph\": \"E\", \"name\": \"a\", \"pid\": 1, \"tid\": 1, \"ts\": 3},"
              "{\"ph\": \"b\", \"name\": \"b\", \"id\": 1, \"pid\": 1, \"tid\": 1, \"ts\": 1},"
              "{\"ph\": \"e\", \"name\": \"b\", \"id\": 1, \"pid\": 1, \"tid\": 1, \"ts\": 3}]",
              "trace.json", options);
  EXPECT_EQ(in.length("a"), 2000);
  EXPECT_EQ(in.notes("raw-layout"), 4u);
  EXPECT_EQ(in.rank().loose().size(), 2u) << "ids of asynchronous events would be lost";
}

TEST(Pair, PredictedEventsStandOnTheLaneOfTheirValues) {
  std::string text;
  for (int i = 0; i < 6; ++i)
    for (const char *phase : {"b", "e"})
      text += (text.empty() ? "{\"ph\": \"" : ", {\"ph\": \"") + std::string(phase) +
              "\", \"cat\": \"c\", \"name\": \"n\", \"scope\": \"" + (i % 2 ? "x" : "y") +
              "\", \"id2\": {\"" + (i % 3 ? "local" : "global") +
              "\": \"0x1\"}, \"pid\": " + std::to_string(i % 3) +
              ", \"tid\": 1, \"ts\": " + std::to_string(10 * i + (*phase == 'e')) + "}";
  Imported in("[" + text + "]");
  std::string lanes;
  for (const Track &t : in.rank().tracks())
    lanes += (t.key.pid.form == SourceId::Absent ? "none" : std::to_string(t.key.pid.value)) + " " +
             in.rank().str(t.key.tid.text).str() + " " + std::to_string(t.size()) + ", ";
  EXPECT_EQ(lanes, "none c:x 1, none c:y 1, 1 c:x 1, 1 c:y 1, 2 c:x 1, 2 c:y 1, ");
  EXPECT_EQ(in.rank().flows().size(), 6u);
}
