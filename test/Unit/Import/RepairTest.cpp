//===- RepairTest.cpp - What the wild writes, and how it is read ----------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//
// One test a row of the list of malformed input: a planted defect, what becomes of it, and under
// which kind it is counted.
//===----------------------------------------------------------------------===//
#include "Support.h"
#include "heddle/IO/OutputFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace heddle;
using namespace llvm;

TEST(Repair, Row1WordsThatAreNoNumbers) {
  Imported in(kineto(
      list({op("a", "1.000", "2.000", "\"x\": NaN, \"y\": -Infinity, \"z\": N/A, \"w\": inf"),
            op("b", "4.000", "2.000", "\"x\": 1")})));
  EXPECT_EQ(in.repairs("not-a-number"), 4u);
  EXPECT_EQ(in.text("a", "x"), "NaN");
  EXPECT_EQ(in.text("a", "z"), "N/A");
  EXPECT_EQ(in.integer("a", "x"), std::nullopt);
  EXPECT_EQ(in.integer("b", "x"), 1);
  // In a duration there is no value either.
  Imported none(kineto(op("a", "1.000", "nan")));
  EXPECT_EQ(none.repairs("not-a-number"), 1u);
  EXPECT_EQ(none.repairs("missing-duration"), 1u);
  EXPECT_EQ(none.length("a"), 0);
}

TEST(Repair, Row2NegativeTimesInTwoParts) {
  Imported in(kineto(
      list({op("a", "-5.-123", "1.000"), op("b", "0.-05", "1.000"), op("c", "1.000", "0.-01")})));
  EXPECT_EQ(in.repairs("split-negative"), 3u);
  EXPECT_EQ(in.repairs("negative-duration"), 1u);
  EXPECT_EQ(in.begin("b") - in.begin("a"), 5123 - 5);
  EXPECT_EQ(in.begin("c") - in.begin("b"), 1005);
  EXPECT_EQ(in.text("a", "ts", Scope::Event), "-5.-123");
}

TEST(Repair, Row3InvalidUtf8) {
  Imported in(kineto(
      list({op("caf\xe9", "1", "1"), op("caf\xc3\xa9", "2", "1"), op("\\ud800", "3", "1")})));
  EXPECT_EQ(in.repairs("invalid-utf8"), 1u);
  EXPECT_TRUE(in.find("caf\xe9").valid());
  EXPECT_TRUE(in.find("caf\xc3\xa9").valid());
  EXPECT_TRUE(in.find("\xed\xa0\x80").valid());
}

TEST(Repair, Row4BackslashesThatEscapeNothing) {
  Imported in(kineto(list({op("C:\\Users\\x", "1", "1"), op("C:\\dir\\", "2", "1"),
                           op("\\u12", "3", "1"), op("say \\\"hi\\\", \\\"you\\\"", "4", "1")})));
  EXPECT_EQ(in.repairs("unknown-escape"), 3u);
  EXPECT_TRUE(in.find("C:\\Users\\x").valid());
  EXPECT_TRUE(in.find("C:\\dir\\").valid());
  EXPECT_TRUE(in.find("\\u12").valid());
  EXPECT_TRUE(in.find("say \"hi\", \"you\"").valid());
}

TEST(Repair, Row5QuotesInsideStrings) {
  Imported in(kineto(list({op("## batch \"one\" ##", "1", "1"), op("f(\"a\", \"b\")", "2", "1"),
                           op("plain", "3", "1", "\"k\": \"x \"y\" z\", \"n\": 7")})));
  EXPECT_EQ(in.repairs("unescaped-quote"), 3u);
  EXPECT_TRUE(in.find("## batch \"one\" ##").valid());
  EXPECT_TRUE(in.find("f(\"a\", \"b\")").valid());
  EXPECT_EQ(in.text("plain", "k"), "x \"y\" z");
  EXPECT_EQ(in.integer("plain", "n"), 7);
}

TEST(Repair, Row6ControlCharacters) {
  Imported in(kineto(list({op("a\tb\nc", "1", "1"), op(StringRef("nul\0x", 5), "2", "1")})));
  EXPECT_EQ(in.repairs("control-character"), 2u);
  EXPECT_TRUE(in.find("a\tb\nc").valid());
  EXPECT_TRUE(in.find(StringRef("nul\0x", 5)).valid());
}

TEST(Repair, Row7MissingOpeningQuote) {
  Imported in("[{\"name\": \"a\", \"ph\": \"X\", \"ts\": 1, \"dur\": 1, tid\": 0, \"pid\": \"CPU "
              "functions\", \"args\": {}}, "
              "{\"name\": \"b\", \"ph\": \"X\", \"ts\": 2, \"dur\": 1, \"tid\": 0, \"pid\": \"CPU "
              "functions\", \"args\": {}}]");
  EXPECT_EQ(in.repairs("skipped-event"), 1u);
  EXPECT_EQ(in.recording().sourceEvents, 2u);
  EXPECT_FALSE(in.find("a").valid());
  EXPECT_EQ(in.kind("b"), EventKind::CpuOp);
}

TEST(Repair, Row7AQuoteThatNeverCloses) {
  Imported in(kineto(list({op("a", "1", "1"), "{\"ph\": \"X\", \"name\": \"b, \"pid\": 1}",
                           op("c", "3", "1"), op("d", "4", "1")})));
  EXPECT_GE(in.repairs("skipped-event") + in.repairs("unescaped-quote"), 1u);
  EXPECT_TRUE(in.find("a").valid());
  EXPECT_TRUE(in.find("d").valid());
}

TEST(Repair, Row8TruncatedText) {
  std::string text = kineto(list({op("a", "1", "1"), op("b", "2", "1")}));
  Imported in(StringRef(text).drop_back(10));
  EXPECT_EQ(in.repairs("truncated"), 1u);
  EXPECT_TRUE(in.recording().partial);
  EXPECT_EQ(in.recording().truncatedAt, text.size() - 10);
  EXPECT_EQ(in.rank().numEvents(), 1u);
  // Between two events, and behind the events.
  Imported between(StringRef(text).take_front(text.find("\"b\"") - 30));
  EXPECT_TRUE(between.recording().partial);
  Imported behind(StringRef(text).drop_back(1));
  EXPECT_EQ(behind.repairs("truncated"), 1u);
  EXPECT_EQ(behind.rank().numEvents(), 2u);
}

static std::string gzip(StringRef text) {
  SmallString<64> path;
  EXPECT_FALSE(sys::fs::createTemporaryFile("heddle", "json.gz", path));
  auto out = OutputFile::create(path);
  (*out)->os() << text;
  EXPECT_FALSE(!!(*out)->commit());
  std::string bytes = (*MemoryBuffer::getFile(path))->getBuffer().str();
  sys::fs::remove(path);
  return bytes;
}

TEST(Repair, Row8TruncatedGzip) {
  std::string events;
  for (int i = 0; i < 5000; ++i)
    events += (i ? "," : "") +
              op("op" + std::to_string(i * 7919), std::to_string(i * 10) + ".000", "5.000");
  std::string packed = gzip(kineto(events));
  Imported whole(packed);
  EXPECT_EQ(whole.rank().numEvents(), 5000u);
  EXPECT_TRUE(whole.recording().repairs.empty());
  Imported cut(StringRef(packed).take_front(packed.size() / 2));
  EXPECT_EQ(cut.repairs("truncated-gzip"), 1u);
  EXPECT_EQ(cut.repairs("truncated"), 1u);
  EXPECT_TRUE(cut.recording().partial);
  EXPECT_GT(cut.rank().numEvents(), 1000u);
  // Only the trailer is missing: nothing is lost but the check sum.
  Imported trailer(StringRef(packed).drop_back(8));
  EXPECT_EQ(trailer.repairs("truncated-gzip"), 1u);
  EXPECT_EQ(trailer.repairs("truncated"), 0u);
  EXPECT_EQ(trailer.rank().numEvents(), 5000u);
  Imported tail(packed + "junk");
  EXPECT_EQ(tail.repairs("trailing-gzip"), 1u);
}

TEST(Repair, Row9CommasAndEmptyEvents) {
  Imported in("{\"schemaVersion\": 1,, \"traceEvents\": [," + op("a", "1", "1", "\"x\": 1,") +
              ",," + op("b", "2", "1") + " {}, " +
              op("c", "3", "1", "\"l\": [1,,2,], \"m\": {\"a\": 1,}") + ",],}");
  EXPECT_EQ(in.repairs("stray-comma"), 9u);
  EXPECT_EQ(in.repairs("missing-comma"), 1u);
  EXPECT_EQ(in.repairs("empty-event"), 1u);
  EXPECT_EQ(in.rank().numEvents(), 3u);
  EXPECT_EQ(in.recording().sourceEvents, 4u);
  EXPECT_EQ(in.text("c", "l"), "[1, 2]");
  EXPECT_EQ(in.text("c", "m"), "{\"a\": 1}");
}

TEST(Repair, Row9ABareArrayMayEndOpen) {
  Imported in("[" + op("a", "1", "1") + ",\n");
  EXPECT_EQ(in.repairs("unclosed-array"), 1u);
  EXPECT_FALSE(in.recording().partial);
  EXPECT_EQ(in.rank().numEvents(), 1u);
  Imported missing("{\"traceEvents\": [" + op("a", "1", "1") + "}");
  EXPECT_EQ(missing.repairs("unclosed-array"), 1u);
  EXPECT_FALSE(missing.recording().partial);
}

TEST(Repair, Row10WhatFollows) {
  for (StringRef tail : {"garbage", "{\"traceEvents\": []}"}) {
    Imported in(kineto(op("a", "1", "1")) + "\n" + tail.str());
    EXPECT_EQ(in.repairs("trailing-garbage"), 1u);
    EXPECT_EQ(in.rank().numEvents(), 1u);
  }
  Imported zeros(kineto(op("a", "1", "1")) + std::string(100, '\0') + "\n");
  EXPECT_TRUE(zeros.recording().repairs.empty());
  // Log lines that were not escaped cost neither the events nor the base behind them.
  Imported logs(
      kineto(op("a", "1", "1"), "",
             ", \"WARNING\": [\"x\" : 3}, \"y], \"baseTimeNanoseconds\": 1759393446000000000"));
  EXPECT_EQ(logs.repairs("broken-tail"), 1u);
  EXPECT_EQ(logs.recording().base, 1759393446000000000);
}

TEST(Repair, Row11DuplicateKeys) {
  Imported in("{\"schemaVersion\": 1, \"a\": 1, \"a\": 2, \"traceEvents\": [" +
              op("x", "1", "1", "\"k\": 5, \"k\": 6") + "," +
              "{\"ph\": \"X\", \"name\": \"first\", \"name\": \"y\", \"pid\": 1, \"tid\": 2, "
              "\"ts\": 3, \"dur\": 1, \"args\": "
              "{\"old\": [ 1 ]}, \"args\": {\"new\": 2}}]}");
  EXPECT_EQ(in.repairs("duplicate-key"), 4u);
  EXPECT_EQ(in.recording().document.find("a"), "2");
  EXPECT_EQ(in.recording().document.members.size(), 4u);
  EXPECT_EQ(in.integer("x", "k"), 5); // the first in args
  EXPECT_EQ(Imported(kineto(op("x", "1", "1", "\"k\": null, \"k\": 6"))).integer("x", "k"), 6);
  EXPECT_TRUE(in.find("y").valid()); // the last of an event
  EXPECT_EQ(in.text("y", "name", Scope::Event), "first");
  EXPECT_EQ(in.text("y", "args", Scope::Event), "{\"old\": [1]}");
  EXPECT_EQ(in.integer("y", "new"), 2);
}

TEST(Repair, Row12NumbersInStrings) {
  Imported in(
      kineto(list({op("a", "\"1000.250\"", "\"2.5\"", "\"bytes\": \"9216\", \"ptr\": \"0x7f10\""),
                   op("b", "1001.250", "1")})));
  EXPECT_EQ(in.repairs("quoted-number"), 2u);
  EXPECT_EQ(in.begin("b") - in.begin("a"), 1000);
  EXPECT_EQ(in.length("a"), 2500);
  EXPECT_EQ(in.integer("a", "bytes"), 9216);
  EXPECT_EQ(in.integer("a", "ptr"), 0x7f10);
}

TEST(Repair, Row13NumbersOfAnySize) {
  Imported in(kineto(list({op("a", "1", "1",
                              "\"i\": 9223372036854775807, \"u\": 18446744073709551615, \"f\": "
                              "1.0, \"e\": 1e3, \"z\": -0"),
                           op("b", "1e3", "2.5e0")})));
  EXPECT_TRUE(in.recording().repairs.empty());
  EXPECT_EQ(in.integer("a", "i"), INT64_MAX);
  EXPECT_EQ(in.text("a", "u"), "18446744073709551615");
  EXPECT_EQ(in.notes("raw-number"), 5u); // u, e, z, and the two times of b
  EXPECT_EQ(in.notes("odd-time"), 1u);   // the begin of b
  EXPECT_EQ(in.integer("a", "f"), 1);
  EXPECT_EQ(in.text("a", "e"), "1e3");
  EXPECT_EQ(in.text("a", "z"), "-0");
  EXPECT_EQ(in.begin("b") - in.begin("a"), 999000);
  EXPECT_EQ(in.length("b"), 2500);
}

TEST(Repair, Row14TimeZero) {
  Imported in(kineto(list({kernel("z", "0", "0"), kernel("k", "1694128201421900", "5"),
                           op("a", "1694128201421000", "5")})));
  EXPECT_EQ(in.notes("zero-time"), 1u);
  EXPECT_EQ(in.begin("a"), 0);
  EXPECT_EQ(in.recording().origin, 1694128201421000000);
  EXPECT_TRUE(in.recording().absolute);
}

TEST(Repair, Row15DurationsThatCannotBe) {
  Imported in(
      kineto(list({op("a", "100.000", "-3.000"), op("b", "101.000", "1.000"),
                   kernel("k", "102.000", "18446744073709551.000"),
                   kernel("l", "103.000", "9000000000.000"), kernel("m", "104.000", "2.000")})));
  EXPECT_EQ(in.repairs("negative-duration"), 1u);
  EXPECT_EQ(in.repairs("absurd-duration"), 2u);
  for (StringRef name : {"a", "k", "l"})
    EXPECT_EQ(in.length(name), 0);
  EXPECT_EQ(in.length("m"), 2000);
  // Their spelling stays.
  EventRef l = in.find("l");
  Decimal d = {9000000000000, 3};
  const LayoutStore &store = in.rank().layout(in.rank().track(l.track).layouts[l.index]);
  int entry = store.layout.find(Scope::Event, *in.rank().strings().find("dur"));
  ASSERT_GE(entry, 0);
  EXPECT_EQ(store.columns[entry].decimal(in.rank().track(l.track).rows[l.index]), d);
}

TEST(Repair, ALongLastKernelStays) {
  Imported in(kineto(list({kernel("k", "100", "5"), kernel("hung", "104", "30000000")})));
  EXPECT_EQ(in.repairs("absurd-duration"), 0u);
  EXPECT_EQ(in.length("hung"), 30000000000);
}

TEST(Repair, ALongSpanInALongRecordingStays) {
  Imported in(kineto(list({op("job", "100", "7200000000"), op("late", "3600000000", "5")})));
  EXPECT_EQ(in.repairs("absurd-duration"), 0u);
  EXPECT_EQ(in.length("job"), 7200000000000);
}

TEST(Repair, Row15And12AbsurdDurationInAString) {
  Imported in(kineto(list({kernel("k", "100", "\"9000000000.000\""), kernel("m", "104", "2")})));
  EXPECT_EQ(in.repairs("absurd-duration"), 1u);
  EXPECT_EQ(in.length("k"), 0);
  EXPECT_EQ(in.text("k", "dur", Scope::Event), "9000000000.000");
}

TEST(Repair, Row16WhatIsMissing) {
  Imported in(kineto(
      list({"{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"a\", \"pid\": 1, \"tid\": 2, \"ts\": "
            "1, \"args\": null}",
            "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"pid\": 1, \"tid\": 2, \"ts\": 5, \"dur\": 2}",
            "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"no time\", \"pid\": 1, \"tid\": 2, "
            "\"dur\": 2}"})));
  EXPECT_EQ(in.repairs("missing-duration"), 1u);
  EXPECT_EQ(in.repairs("missing-name"), 1u);
  EXPECT_EQ(in.repairs("null-args"), 1u);
  EXPECT_EQ(in.length("a"), 0);
  EXPECT_EQ(in.length(""), 2000);
  EXPECT_EQ(in.notes("no-time"), 1u);
  ASSERT_EQ(in.rank().loose().size(), 1u);
  EXPECT_EQ(in.rank().str(in.rank().loose()[0].text),
            "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"no time\", \"pid\": 1, \"tid\": 2, "
            "\"dur\": 2}");
}

TEST(Repair, Row17NoCategory) {
  Imported in(
      "[{\"name\": \"a\", \"ph\": \"X\", \"ts\": 1.5, \"dur\": 1, \"tid\": 0, \"pid\": \"CPU "
      "functions\", \"args\": {}},"
      "{\"name\": \"k\", \"ph\": \"X\", \"ts\": 2, \"dur\": 1, \"tid\": 1, \"pid\": \"CUDA "
      "functions\", \"args\": {}},"
      "{\"name\": \"b\", \"ph\": \"X\", \"ts\": 3, \"dur\": 1, \"tid\": 0, \"pid\": 5},"
      "{\"name\": \"[memory]\", \"ph\": \"i\", \"ts\": 3, \"tid\": 0, \"pid\": 5, \"s\": \"t\"}]");
  EXPECT_EQ(in.notes("no-category"), 3u);
  EXPECT_EQ(in.kind("a"), EventKind::CpuOp);
  EXPECT_EQ(in.kind("k"), EventKind::Kernel);
  EXPECT_EQ(in.trackOf("k").device, 1);
  EXPECT_EQ(in.kind("b"), EventKind::Other);
  EXPECT_EQ(in.kind("[memory]"), EventKind::Memory);
}

TEST(Repair, Row18MetadataInAnyNumber) {
  auto named = [](StringRef name, StringRef tid) {
    return ("{\"name\": \"thread_name\", \"ph\": \"M\", \"ts\": 1, \"pid\": 1, \"tid\": " + tid +
            ", \"args\": {\"name\": \"" + name + "\"}}")
        .str();
  };
  Imported in(kineto(list({op("a", "1", "1"), named("one", "2"), named("stream 7 ", "2"),
                           named("two ", "2"), named("unused", "99"), kernel("k", "2", "1")})));
  EXPECT_EQ(in.notes("repeated-thread-name"), 2u);
  EXPECT_EQ(in.rank().str(in.trackOf("a").name), "two");
  EXPECT_EQ(in.trackOf("k").name, StringId::None);
  EXPECT_EQ(in.rank().loose().size(), 4u);
  EXPECT_TRUE(in.recording().repairs.empty());
}

TEST(Repair, Row19Overlaps) {
  Imported in(kineto(
      list({op("a", "1", "5"), op("b", "3", "5"), kernel("k", "1", "5"), kernel("l", "3", "5")})));
  EXPECT_EQ(in.rank().numEvents(), 4u);
  EXPECT_TRUE(in.recording().repairs.empty());
  EXPECT_EQ(in.notes("partial-overlap"), 2u);
}

TEST(Repair, Row21TwoFilesUnderOnePid) {
  Imported in(kineto(list({op("a", "1", "5"), op("a", "1", "5")}),
                     "\"distributedInfo\": {\"rank\":5, \"world_size\": 8}, "),
              "trace_rank-3.json");
  EXPECT_EQ(in.rank().number, 5);
  EXPECT_EQ(in.rank().worldSize, 8);
  EXPECT_EQ(in.notes("further-processes"), 0u);
  EXPECT_EQ(in.rank().numEvents(), 2u);
}

TEST(Repair, Row22BrokenGroupDescriptions) {
  Imported in(kineto(
      op("a", "1", "5", "\"Process Group Description\": \"mesh \"dp\" of 8\", \"Group size\": 8")));
  EXPECT_EQ(in.repairs("unescaped-quote"), 1u);
  EXPECT_EQ(in.text("a", "Process Group Description"), "mesh \"dp\" of 8");
  EXPECT_EQ(in.integer("a", "Group size"), 8);
}

TEST(Repair, Row23LongNames) {
  std::string name(300000, 'x');
  ImportOptions small;
  small.windowBytes = 1000;
  Imported in(kineto(list({op("a", "1", "1"), op(name, "2", "1"), op("b", "3", "1")})),
              "trace.json", small);
  EXPECT_TRUE(in.find(name).valid());
  EXPECT_TRUE(in.find("b").valid());
  EXPECT_EQ(in.notes("long-string"), 1u);
  EXPECT_TRUE(in.recording().repairs.empty());
}

TEST(Repair, OtherWords) {
  Imported in("\xef\xbb\xbf" +
              kineto(list({op("a", "1", "1", "\"x\": 12abc, \"y\": None, \"z\": , \"w\": 01"), "3",
                           "\"text\"", op("b", "2", "1")})));
  EXPECT_EQ(in.repairs("byte-order-mark"), 1u);
  EXPECT_EQ(in.repairs("bad-token"), 4u);
  EXPECT_EQ(in.text("a", "x"), "12abc");
  EXPECT_EQ(in.text("a", "w"), "01");
  EXPECT_EQ(in.notes("non-object-event"), 2u);
  EXPECT_EQ(in.rank().loose().size(), 2u);
  EXPECT_EQ(in.recording().sourceEvents, 4u);
}
