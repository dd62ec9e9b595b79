//===- LimitsTest.cpp - Hostile texts meet limits, not the memory's end ---===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Support.h"

using namespace heddle;
using namespace llvm;

static ImportOptions limited(void (*tighten)(Limits &)) {
  ImportOptions options;
  tighten(options.limits);
  return options;
}

TEST(ImportLimits, StringsOfEverySpelling) {
  ImportOptions options = limited([](Limits &l) { l.maxStringBytes = 20; });
  std::string twenty(20, 'x'), more(21, 'x');
  EXPECT_TRUE(Imported(kineto(op(twenty, "1", "1")), "t.json", options).has(twenty));
  for (StringRef spelling : {more.c_str(), "plain \\n and more of it", "say \"hi\" and more of it",
                             "caf\xc3\xa9 and twenty more"}) {
    Imported in(kineto(op(spelling, "1", "1")), "t.json", options);
    EXPECT_EQ(in.error, "t.json: offset 37: the event at byte 37 has a string longer than 20 bytes")
        << spelling.str();
  }
  // Where events are predicted too, in lists, as keys, and in the document.
  EXPECT_NE(Imported(kineto(list({op("a", "1", "1"), op("b", "2", "1"), op(more, "3", "1")})),
                     "t.json", options)
                .error,
            "");
  EXPECT_NE(
      Imported(kineto(op("a", "1", "1", "\"l\": [\"" + more + "\"]")), "t.json", options).error,
      "");
  EXPECT_NE(Imported(kineto(op("a", "1", "1", "\"" + more + "\": 1")), "t.json", options).error,
            "");
  EXPECT_EQ(Imported(kineto("", "\"k\": \"" + more + "\", "), "t.json", options).error,
            "t.json: offset 21: the member at byte 21 has a string longer than 20 bytes");
}

TEST(ImportLimits, StringsTogether) {
  ImportOptions options = limited([](Limits &l) { l.maxStringTableBytes = 2000; });
  std::string events, words;
  for (int i = 0; i < 500; ++i) {
    events += (i ? "," : "") + op("name" + std::to_string(i), std::to_string(i), "1");
    words += (i ? ",\"word" : "\"word") + std::to_string(i) + "\"";
  }
  for (StringRef text : {StringRef(events), StringRef(words)})
    EXPECT_NE(Imported(kineto(text), "t.json", options)
                  .error.find("the strings of a rank are longer than 2000 bytes"),
              std::string::npos);
  EXPECT_TRUE(Imported(kineto(events)).ok());
}

TEST(ImportLimits, EventsOfAnyKind) {
  ImportOptions options = limited([](Limits &l) { l.maxEvents = 3; });
  EXPECT_TRUE(Imported("[{}, 1, {}]", "t.json", options).ok());
  EXPECT_NE(Imported("[{}, 1, {}, 2]", "t.json", options).error.find("more than 3 events"),
            std::string::npos);
  EXPECT_NE(Imported("[{}, 1, {}, {}]", "t.json", options).error.find("more than 3 events"),
            std::string::npos);
}

// A window that held all of what is skipped would meet the limit of one event.
TEST(ImportLimits, WhatIsSkippedIsNotKept) {
  ImportOptions options = limited([](Limits &l) { l.maxEventBytes = 4 << 20; });
  options.windowBytes = 64 << 10;
  std::string broken = "{\"ph\": \"X\", 1}", lost = "{\"ph\": \"X\" : 1}";
  auto fill = [](StringRef piece) {
    std::string all;
    while (all.size() < (12 << 20))
      all += piece;
    return all;
  };
  for (StringRef piece : {"(lost) ", "{ ] [ } ", "]}, ", "                ", "\"\\"}) {
    for (const std::string &start : {broken, lost}) {
      Imported in(kineto(op("a", "1", "1") + ", " + start + fill(piece) + ", " + op("b", "2", "1")),
                  "t.json", options);
      ASSERT_EQ(in.error, "") << start << piece.str();
      EXPECT_TRUE(in.has("a"));
      EXPECT_EQ(in.has("b"), piece != "]}, ") << start << piece.str(); // that ends the events
      EXPECT_EQ(in.repairs("skipped-event"), 1u);
    }
  }
  Imported tail(kineto(op("a", "1", "1"), "",
                       ", \"WARNING\": [\"x\" : " + fill("3}, \"y], ") +
                           "\"baseTimeNanoseconds\": 1759393446000000000"),
                "t.json", options);
  EXPECT_EQ(tail.error, "");
  EXPECT_EQ(tail.recording().base, 1759393446000000000);
}

// Within reach of a bracket that looks like the end, an event behind it says that it is not.
TEST(ImportLimits, TheEndOfTheEventsIsFoundBehindABrokenOne) {
  std::string broken = "{\"ph\": \"X\", \"a\": [{1: 2}]}";
  Imported on(kineto(list({op("a", "1", "1"), broken, op("b", "2", "1")}), "", ", \"k\": 7"));
  EXPECT_TRUE(on.has("b"));
  EXPECT_EQ(on.recording().document.find("k"), "7");
  Imported last(kineto(list({op("a", "1", "1"), "{\"ph\": \"X\", {1}"}), "", ", \"k\": 7"));
  EXPECT_EQ(last.repairs("skipped-event"), 1u);
  EXPECT_EQ(last.recording().document.find("k"), "7");
  EXPECT_FALSE(last.recording().partial);
  // Also where reading it went on to the end of the text.
  Imported open(kineto(list({op("a", "1", "1"), "{\"ph\": \"X\" : {1}"}), "", ", \"k\": 7"));
  EXPECT_EQ(open.recording().document.find("k"), "7");
  EXPECT_FALSE(open.recording().partial);
}

TEST(ImportLimits, AnObjectInsideABrokenEventIsNoEvent) {
  Imported in(
      kineto(list({op("a", "1", "1"), "{\"ts\": 1, 2, \"a\": {\"x\": 1}", op("b", "2", "1")})));
  EXPECT_TRUE(in.has("b"));
  EXPECT_EQ(in.recording().sourceEvents, 3u);
  EXPECT_EQ(in.rank().loose().size(), 0u);
}

TEST(ImportLimits, ManyDevices) {
  std::string devices;
  for (int i = 0; i < 60000; ++i)
    devices += (i ? ",{\"id\":" : "{\"id\":") + std::to_string(i / 2) + "}";
  Imported in(kineto(op("a", "1", "1"), "\"deviceProperties\": [" + devices + "], "));
  EXPECT_EQ(in.recording().devices.size(), 30000u);
}

TEST(ImportLimits, BlanksInFront) {
  ImporterRegistry registry;
  EXPECT_FALSE(!!registry.add(chromeJsonImporter));
  std::string blanks(64 << 10, ' ');
  EXPECT_EQ(registry.claim(blanks), &chromeJsonImporter);
  EXPECT_EQ(registry.claim(StringRef(blanks).drop_back()), nullptr);
  EXPECT_TRUE(Imported(blanks + blanks + kineto(op("a", "1", "1"))).has("a"));
  EXPECT_EQ(Imported(blanks + "\n", "t.json").error,
            "t.json: offset 65537: this is a file of white space, not a trace that can be read");
  EXPECT_EQ(Imported(blanks + "text", "t.json").error,
            "t.json: offset 65536: no JSON object or array at byte 65536");
}
