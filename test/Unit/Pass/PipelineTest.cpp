//===- PipelineTest.cpp - Pipeline text -----------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "TestPasses.h"
#include "gtest/gtest.h"

using namespace heddle;
using namespace heddle::test;

namespace {

struct PipelineTest : testing::Test {
  PipelineTest() {
    addTestPasses(registry);
    cantFail(registry.addPipeline("basic", "t-count,t-sum", "two"));
    cantFail(registry.addPipeline("ranked", "t-count<top=1>,t-note", "two of a rank"));
    cantFail(registry.addPipeline("snake", "t-count,tail", "eats"));
    cantFail(registry.addPipeline("tail", "snake", "is eaten"));
  }
  /// The explicit form, or "column: message".
  std::string parse(llvm::StringRef text) {
    return finish(PipelineParser(registry).parse(text, p));
  }
  std::string parseOne(llvm::StringRef text) {
    return finish(PipelineParser(registry).parseOne(text, p));
  }
  std::string finish(llvm::Error e) {
    std::string result = e ? message(std::move(e)) : p.print();
    last = std::move(p);
    p = {};
    return result;
  }
  PassRegistry registry;
  Pipeline p, last;
};

TEST_F(PipelineTest, NamesOfPipelinesAreTheirOwn) {
  for (const char *name : {"basic", "t-count", "rank", "trace", "Two words"})
    EXPECT_EQ(message(registry.addPipeline(name, "t-count", "one")),
              std::string("pipeline '") + name +
                  "' cannot be registered: its name is taken or not lower-case words with '-' "
                  "between them");
}

TEST_F(PipelineTest, ExplicitFormParsesBack) {
  for (auto [text, printed] : {
           std::pair{"", ""},
           {"t-sum", "t-sum"},
           {"t-count", "rank(t-count)"},
           {"t-count,t-note", "rank(t-count,t-note)"},
           {"rank(t-count),rank(t-note)", "rank(t-count,t-note)"},
           {"t-sum,t-count<top=3>,t-sum", "t-sum,rank(t-count<top=3>),t-sum"},
           {" rank ( t-count < top = 3 , min = 5us > ,\n t-note ) ",
            "rank(t-count<top=3,min=5us>,t-note)"},
           {"t-count<min=0,top=3>", "rank(t-count<top=3,min=0>)"},
           {"t-count<match=\"a,b>\\\"\">", "rank(t-count<match=\"a,b>\\\"\">)"},
           {"t-count<match=aten::mm>", "rank(t-count<match=aten::mm>)"},
           {"t-count<kinds=kernel+memcpy,order=count>",
            "rank(t-count<order=count,kinds=kernel+memcpy>)"},
           {"basic,t-note", "rank(t-count),t-sum,rank(t-note)"},
           {"rank(ranked,t-count)", "rank(t-count<top=1>,t-note,t-count)"},
       }) {
    EXPECT_EQ(parse(text), printed);
    EXPECT_EQ(parse(printed), printed);
  }
}

TEST_F(PipelineTest, CommandLineForm) {
  EXPECT_EQ(parseOne("t-sum"), "t-sum");
  EXPECT_EQ(parseOne("t-count:top=3,min=5us"), "rank(t-count<top=3,min=5us>)");
  EXPECT_EQ(parseOne("t-count:match=<lambda>"), "rank(t-count<match=\"<lambda>\">)");
  EXPECT_EQ(parseOne("basic"), "rank(t-count),t-sum");
  EXPECT_EQ(parseOne("basic:top=1"), "6: the pipeline 'basic' has no parameters");
  EXPECT_EQ(parseOne("t-count<top=3>"), "8: expected ':' or the end, found '<'");
  EXPECT_EQ(parseOne("t-count:top=3>"), "13: 'top' wants an integer, not '3>'");
  EXPECT_EQ(parseOne("t-cuont:top=3"), "1: unknown pass 't-cuont'; did you mean 't-count'?");
}

TEST_F(PipelineTest, ValuesAndDefaults) {
  parse("t-count<top=-7,kinds=memcpy+kernel>");
  const ParamValues &v = last.passes.at(0).params;
  EXPECT_EQ(v.getInt("top"), -7);
  EXPECT_EQ(v.getTime("min").ns, 1000);
  EXPECT_EQ(v.getString("order"), "name");
  EXPECT_EQ(v.getString("match"), "");
  EXPECT_EQ(v.getList("kinds").vec(), (std::vector<std::string>{"memcpy", "kernel"}));
}

TEST_F(PipelineTest, ErrorsPointIntoTheText) {
  for (auto [text, error] : {
           std::pair{"t-cont", "1: unknown pass 't-cont'; did you mean 't-count'?"},
           {"t-sum,elephants", "7: unknown pass 'elephants'; 'heddle passes' lists them, "
                               "--load-plugin=FILE.so adds those of a module"},
           {"t-sum,", "7: expected the name of a pass, found the end"},
           {"rank()", "6: expected the name of a pass, found ')'"},
           {"rank(t-count", "13: expected ',' or ')', found the end"},
           {"t-count)", "8: no 'rank(' is open here"},
           {"rank(t-count))", "14: no 'rank(' is open here"},
           {"rank(rank(t-count))", "6: 'rank(' cannot stand inside 'rank('"},
           {"rank", "5: expected '(' after 'rank', found the end"},
           {"rank(t-sum)",
            "6: pass 't-sum' looks at the whole trace: it cannot stand inside 'rank('"},
           {"rank(basic)", "6: the pipeline 'basic' has the pass 't-sum', which looks at the whole "
                           "trace: it cannot stand inside 'rank('"},
           {"t-sum t-sum", "7: expected ',' or the end of the pipeline, found 't'"},
           {"t-count<tpo=3>", "9: pass 't-count' has no parameter 'tpo'; did you mean 'top'?"},
           {"t-count<elephants=3>", "9: pass 't-count' has no parameter 'elephants'; it has 'top', "
                                    "'min', 'order', 'match', 'kinds'"},
           {"t-sum<a=3>", "7: pass 't-sum' has no parameter 'a'; it has none"},
           {"t-count<top>", "12: expected '=' after 'top', found '>'; it wants an integer"},
           {"t-count<top=3", "14: expected ',' or '>', found the end"},
           {"t-count<top=x>", "13: 'top' wants an integer, not 'x'"},
           {"t-count<top=99999999999999999999>",
            "13: 'top' wants an integer, not '99999999999999999999'"},
           {"t-count<top=3,top=4>", "15: parameter 'top' is given twice"},
           {"t-count<min=5>", "13: 'min' wants a time such as 5us or 1.5ms, not '5'"},
           {"t-count<min=-5us>", "13: 'min' wants a time such as 5us or 1.5ms, not '-5us'"},
           {"t-count<min=0.5ns>", "13: 'min' wants a time such as 5us or 1.5ms, not '0.5ns'"},
           {"t-count<order=cuont>",
            "15: 'order' wants one of 'name', 'count', not 'cuont'; did you "
            "mean 'count'?"},
           {"t-count<kinds=kernel+memcpi>", "15: 'kinds' wants a list such as a+b of 'kernel', "
                                            "'memcpy', not 'memcpi'; did you mean 'memcpy'?"},
           {"t-count<kinds=kernel+>", "15: 'kinds' wants a list such as a+b of 'kernel', 'memcpy', "
                                      "not ''"},
           {"t-count<match=\"a>", "15: this '\"' is not closed"},
           {"snake", "1: the pipeline 'snake' contains itself"},
           {"t-count,\n  t-suum", "3: unknown pass 't-suum'; did you mean 't-sum'?"},
       })
    EXPECT_EQ(parse(text), error) << text;
}

TEST_F(PipelineTest, ErrorsAreAboutUsage) {
  EXPECT_EQ(exitCode(PipelineParser(registry).parse("nothing-like-it", p)), ExitCode::Usage);
}

TEST(Durations, UnitsAreExact) {
  EXPECT_EQ(parseDuration("0")->ns, 0);
  EXPECT_EQ(parseDuration("20ns")->ns, 20);
  EXPECT_EQ(parseDuration("1.5ms")->ns, 1500000);
  EXPECT_EQ(parseDuration("1.500000000s")->ns, 1500000000);
  EXPECT_EQ(parseDuration("7 us")->ns, 7000);
  EXPECT_EQ(parseDuration("-2us")->ns, -2000);
  EXPECT_EQ(parseDuration("1.0ns")->ns, 1);
  for (const char *bad : {"", "5", "us", "1.5ns", "1e3us", "5 m", "9999999999s", "0x5us", "5usus"})
    EXPECT_FALSE(parseDuration(bad)) << bad;
}

TEST(Ranges, InclusiveLists) {
  using Ranges = std::vector<std::pair<int64_t, int64_t>>;
  EXPECT_EQ(cantFail(parseRanges("2-4", "--steps")), (Ranges{{2, 4}}));
  EXPECT_EQ(cantFail(parseRanges("2, 5-7", "--steps")), (Ranges{{2, 2}, {5, 7}}));
  for (const char *bad : {"", "x", "4-2", "1,,2", "-1", "1-", "1-2-3"})
    EXPECT_EQ(exitCode(parseRanges(bad, "--steps").takeError()), ExitCode::Usage) << bad;
}

} // namespace
