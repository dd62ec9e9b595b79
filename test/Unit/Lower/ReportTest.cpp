//===- ReportTest.cpp - The report and its JSON from given results --------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/Lower/Emitter.h"
#include "heddle/Lower/ReportText.h"
#include "llvm/Support/JSON.h"
#include "gmock/gmock.h"

using namespace heddle;
using testing::HasSubstr;
using testing::Not;

namespace {

Table makeTable(std::string id, std::vector<TableColumn> columns,
                std::vector<std::vector<Cell>> rows) {
  return {std::move(id), "a title", std::move(columns), std::move(rows)};
}

Cell number(int64_t n) { return n; }
Cell word(std::string s) { return s; }

TableColumn text(std::string key) { return {std::move(key), Unit::None, true}; }
TableColumn ns(std::string key) { return {std::move(key), Unit::Nanoseconds, false}; }
TableColumn plain(std::string key) { return {std::move(key), Unit::None, false}; }

/// What summary and health publish about `inputs` inputs of one device each.
Results firstScreen(int64_t inputs, std::string name = "train.json") {
  PassResult summary, health;
  summary.pass = summary.passName = "summary";
  health.pass = health.passName = "health";
  std::vector<std::vector<Cell>> input, window, verdict, bar, idle, kinds, findings, checked,
      checks;
  for (int64_t i = 0; i != inputs; ++i) {
    input.push_back({number(i), number(i), word(name), word("a producer, 1 GPU")});
    window.push_back({number(i), number(i), number(0), word("3"), number(87'130'001),
                      number(10'000), word("ProfilerStep#3, 87.13 ms")});
    verdict.push_back(
        {number(i), number(i), number(0), word("launch-bound"), word("the GPU works")});
    int64_t parts[] = {8'652'001, 2'141'500, 803'000, 75'533'500};
    const char *labels[] = {"compute", "all-reduce", "copies", "idle"};
    for (int p = 0; p != 4; ++p)
      bar.push_back({number(i), number(i), number(0), word(labels[p]), word(labels[p]),
                     number(parts[p]), p == 1 ? number(0) : Cell()});
    idle.push_back({number(i), number(i), number(0), word("host"), word("host, before the launch"),
                    number(66'200'000)});
    idle.push_back({number(i), number(i), number(0), word("launch-call"),
                    word("inside the launch call"), number(9'333'500)});
    idle.push_back(
        {number(i), number(i), number(0), word("sync"), word("inside host syncs"), number(0)});
    for (int k = 0; k != 9; ++k)
      kinds.push_back({number(i), number(i), number(0), word("kind " + std::to_string(k)),
                       number(10 * k), number(1'111'111 * (9 - k) + k)});
    findings.push_back({number(i), number(i), number(0), word("launch-bound"), word("75.53 ms"),
                        word("86.7 %"), word(""), word("929 launches"), word("because"),
                        word("graphs"), word("11.60 ms")});
    findings.push_back({number(i), number(i), number(0), word("cold-start"), word("9.07 ms"),
                        word("10.4 %"), word("launch-bound"), word("5 gaps"), word(""), word(""),
                        word("")});
    checked.push_back(
        {number(i), number(i), number(0), word("host-sync"), word("host syncs (0.00 ms)")});
    checks.push_back(
        {number(i), word("cold"), word("warn"), word("1 step"), word("record 3 or more")});
    checks.push_back(
        {number(i), word("links"), word("ok"), word("929 of 929 have a launch"), word("")});
    checks.push_back({number(i), word("memory"), word("unknown"), word("memory: not recorded"),
                      word("profile_memory=True")});
  }
  auto unit = [](std::vector<TableColumn> more, bool device = true) {
    std::vector<TableColumn> out{plain("input"), plain("rank")};
    if (device)
      out.push_back(plain("device"));
    out.insert(out.end(), more.begin(), more.end());
    return out;
  };
  summary.tables = {
      makeTable("summary-input", unit({text("file"), text("message")}, false), input),
      makeTable("summary-window",
                unit({text("step"), ns("window_ns"), ns("quantum_ns"), text("message")}), window),
      makeTable("summary-verdict", unit({text("verdict"), text("message")}), verdict),
      makeTable("summary-bar", unit({text("part"), text("label"), ns("ns"), ns("hidden_ns")}), bar),
      makeTable("summary-idle", unit({text("cause"), text("label"), ns("ns")}), idle),
      makeTable("summary-activities", unit({text("kind"), plain("calls"), ns("ns")}), kinds),
      makeTable("summary-findings",
                unit({text("id"), text("cost"), text("share"), text("inside"), text("message"),
                      text("why"), text("advice"), text("bound")}),
                findings),
      makeTable("summary-checked", unit({text("id"), text("message")}), checked),
      makeTable("summary-next", {text("command"), text("help")},
                {{word("heddle info x"), word("what it holds")}})};
  health.tables = {makeTable(
      "health", {plain("input"), text("check"), text("status"), text("message"), text("advice")},
      checks)};
  Results results;
  results.units = {std::move(health), std::move(summary)};
  return results;
}

std::string render(const EmitterInfo &emitter, const Results &results,
                   const EmitOptions &options = {}) {
  std::string out;
  llvm::raw_string_ostream os(out);
  Trace trace;
  llvm::Error error = emitter.emit(trace, results, os, options);
  EXPECT_FALSE(static_cast<bool>(error)) << llvm::toString(std::move(error));
  return out;
}

std::vector<std::string> lines(const std::string &text) {
  std::vector<std::string> out;
  llvm::StringRef rest = text;
  while (!rest.empty()) {
    auto [line, more] = rest.split('\n');
    out.push_back(line.str());
    rest = more;
  }
  return out;
}

/// All "N.N %" of a line, in tenths.
std::vector<int64_t> percents(llvm::StringRef line) {
  std::vector<int64_t> out;
  for (size_t at = line.find(" %"); at != llvm::StringRef::npos; at = line.find(" %", at + 1)) {
    llvm::StringRef digits =
        line.take_front(at).take_back(at - line.take_front(at).find_last_not_of("0123456789.") - 1);
    auto [whole, tenth] = digits.split('.');
    int64_t a = 0, b = 0;
    if (!whole.getAsInteger(10, a) && !tenth.getAsInteger(10, b))
      out.push_back(a * 10 + b);
  }
  return out;
}

TEST(Report, firstScreenInOrder) {
  std::string out = render(reportEmitter, firstScreen(1));
  size_t at = 0;
  for (const char *part :
       {"train.json   a producer", "window   ProfilerStep#3", "LAUNCH-BOUND   the GPU works",
        "GPU 0   #########==-..", "# compute 9.9 %", "(none hidden)", "Can you believe it?",
        " !  cold  1 step. Record 3 or more", " ok  929 of 929",
        " --  memory: not recorded (profile_memory=True)", "Idle 75.53 ms by cause, % of window",
        "Findings, by cost in this window", " 1  launch-bound  75.53 ms   86.7 %   929 launches",
        "why    because", "inside 1: 5 gaps", "checked, nothing found: host syncs (0.00 ms)",
        "next   heddle info x"}) {
    size_t found = out.find(part, at);
    ASSERT_NE(found, std::string::npos) << part << "\n" << out;
    at = found;
  }
}

TEST(Report, columnsOfPercentagesAddUp) {
  for (unsigned width : {60u, 80u, 100u, 140u}) {
    EmitOptions options;
    options.width = width;
    std::vector<std::string> all = lines(render(reportEmitter, firstScreen(1), options));
    // The bar's legend, which a narrow page may wrap.
    int64_t legend = 0, idle = 0, kinds = 0;
    bool inBlocks = false;
    for (const std::string &line : all) {
      if (line.find("none hidden") != std::string::npos ||
          line.find("idle 86") != std::string::npos)
        for (int64_t p : percents(line))
          legend += p;
      inBlocks |= line.find("Idle 75.53 ms") != std::string::npos;
      inBlocks &= line.find("Findings") == std::string::npos;
      if (!inBlocks)
        continue;
      std::vector<int64_t> p = percents(line);
      if (p.empty())
        continue;
      bool left =
          line.find("launch") != std::string::npos || line.find("host") != std::string::npos;
      if (left)
        idle += p.front();
      if (!left || p.size() == 2)
        kinds += p.back();
    }
    EXPECT_EQ(legend, 1000) << width;
    EXPECT_EQ(idle, 867) << width; // as the bar says
    EXPECT_EQ(kinds, 1000) << width;
  }
}

TEST(Report, keepsToItsWidthAndToAscii) {
  for (unsigned width : {60u, 75u, 96u, 100u, 140u}) {
    EmitOptions options;
    options.width = width;
    for (const std::string &line :
         lines(render(reportEmitter, firstScreen(2, "caf\xc3\xa9/\x1b[2J" + std::string(200, 'x')),
                      options))) {
      EXPECT_LE(line.size(), width) << line;
      for (unsigned char c : line)
        EXPECT_TRUE(c >= 0x20 && c < 0x7f) << line;
    }
  }
}

TEST(Report, narrowAndWideTerminalsAreClamped) {
  EmitOptions narrow, wide;
  narrow.width = 1;
  wide.width = 5000;
  EXPECT_THAT(render(reportEmitter, firstScreen(1), narrow), HasSubstr("LAUNCH-BOUND"));
  for (const std::string &line : lines(render(reportEmitter, firstScreen(1), wide)))
    EXPECT_LE(line.size(), 140u);
}

TEST(Report, colourAndBlocksOnlyWhereAsked) {
  EmitOptions options;
  options.unicode = true;
  std::string blocks = render(reportEmitter, firstScreen(1), options);
  EXPECT_THAT(blocks, HasSubstr("\xe2\x96\x88"));
  EXPECT_THAT(blocks, Not(HasSubstr("\x1b[")));
  EXPECT_THAT(render(reportEmitter, firstScreen(1)), Not(HasSubstr("\x1b[")));
  options.colour = true;
  EXPECT_THAT(render(reportEmitter, firstScreen(1), options), HasSubstr("\x1b["));
}

TEST(Report, manyInputsAreCompactAfterTheEighth) {
  std::string out = render(reportEmitter, firstScreen(10));
  EXPECT_THAT(out, HasSubstr("10 inputs"));
  EXPECT_THAT(out, HasSubstr("2 more inputs in the overview only"));
  // What is alike for all inputs is told once.
  EXPECT_THAT(out, HasSubstr("Can you believe it? (every input)"));
  EXPECT_THAT(out, Not(HasSubstr("(this input)")));
  size_t sections = 0;
  for (size_t at = out.find("Findings, by cost"); at != std::string::npos;
       at = out.find("Findings, by cost", at + 1))
    ++sections;
  EXPECT_EQ(sections, 8u);
}

Results pluginResults() {
  PassResult r;
  r.pass = r.passName = "my-pass";
  r.rank = 0;
  std::vector<std::vector<Cell>> rows;
  for (int64_t i = 0; i != 25; ++i)
    rows.push_back({word("row \x01"), number(1'234'567), Cell(), Cell(0.5)});
  r.tables = {
      makeTable("my-pass-table", {text("name"), ns("total_ns"), plain("x"), plain("y")}, rows)};
  r.abstained.push_back({"no shapes", "record with record_shapes=True"});
  Results results;
  results.units = {r};
  return results;
}

TEST(Report, unknownTablesAreRendered) {
  std::string out = render(reportEmitter, pluginResults());
  EXPECT_THAT(out, HasSubstr("my-pass-table: a title"));
  EXPECT_THAT(out, HasSubstr("total us"));
  EXPECT_THAT(out, HasSubstr("row \\x01  1,234.567  --  0.5"));
  EXPECT_THAT(out, HasSubstr("--  my-pass: no shapes; record with record_shapes=True"));
  // Beside the first screen a long one is cut, and says so.
  Results both = firstScreen(1);
  both.units.push_back(pluginResults().units[0]);
  EXPECT_THAT(render(reportEmitter, both), HasSubstr("15 more rows: -s my-pass-table"));
}

TEST(Report, wideTablesTellConstantColumnsOnce) {
  Results results = pluginResults();
  Table &t = results.units[0].tables[0];
  t.title = "times, in ns";
  for (int i = 0; i != 10; ++i)
    t.columns.push_back(plain("constant_" + std::to_string(i)));
  for (size_t r = 0; r != t.rows.size(); ++r) {
    t.rows[r][1] = number(static_cast<int64_t>(r));
    for (int i = 0; i != 10; ++i)
      t.rows[r].push_back(number(7));
  }
  std::string out = render(reportEmitter, results);
  EXPECT_THAT(out, HasSubstr("my-pass-table: times\n"));
  EXPECT_THAT(out, HasSubstr("every row: name row \\x01, x --, y 0.5, constant_0 7"));
  for (const std::string &line : lines(out))
    EXPECT_LE(line.size(), 100u) << line;
}

TEST(Report, sections) {
  EmitOptions options;
  options.sections = {"my-pass"};
  std::string out = render(reportEmitter, pluginResults(), options);
  EXPECT_THAT(out, HasSubstr("my-pass-table"));
  options.sections = {"kernels"};
  EXPECT_THAT(render(reportEmitter, pluginResults(), options),
              HasSubstr("kernels: no pass of this pipeline made it"));
  options.sections = {"my-pass-tabel"};
  Trace trace;
  llvm::Error error = reportEmitter.emit(trace, pluginResults(), llvm::nulls(), options);
  EXPECT_THAT(llvm::toString(std::move(error)), HasSubstr("did you mean 'my-pass-table'?"));
}

TEST(ReportJson, isOneValidObjectWithUnits) {
  Results results = pluginResults();
  results.units[0].tables[0].rows[0][0] = word("bad \xff utf-8");
  Remark remark;
  remark.id = "my-remark";
  remark.costNs = int64_t{1} << 60;
  results.units[0].remarks.push_back(remark);
  std::string out = render(reportJsonEmitter, results);
  EXPECT_TRUE(llvm::json::isUTF8(out));
  auto value = llvm::json::parse(out);
  ASSERT_TRUE(static_cast<bool>(value)) << llvm::toString(value.takeError());
  const llvm::json::Object *o = value->getAsObject();
  EXPECT_EQ(o->getString("schema"), "heddle-report");
  EXPECT_EQ(o->getInteger("version"), 1);
  const llvm::json::Object *pass = (*o->getArray("results"))[0].getAsObject();
  const llvm::json::Object *table = (*pass->getArray("tables"))[0].getAsObject();
  EXPECT_EQ((*table->getArray("columns"))[1].getAsObject()->getString("unit"),
            unitName(Unit::Nanoseconds));
  const llvm::json::Array *row = (*table->getArray("rows"))[0].getAsArray();
  EXPECT_EQ((*row)[1].getAsInteger(), 1'234'567);
  EXPECT_TRUE((*row)[2].getAsNull());
  EXPECT_EQ((*pass->getArray("remarks"))[0].getAsObject()->getInteger("cost_ns"), int64_t{1} << 60);
  EXPECT_EQ(out, render(reportJsonEmitter, results));
}

} // namespace
