//===- Symbolize.cpp - Names and places that people know -------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//
// Gives kernels and mangled functions readable names, and says of ops, calls and device work which
// module and which function they come from. What was read stays as it was: all of it stands in
// derived columns.
//===----------------------------------------------------------------------===//

#include "Names.h"
#include "Places.h"
#include "heddle/Plugin/Plugin.h"

using namespace heddle;

static constexpr llvm::StringLiteral kYesNo[] = {"no", "yes"};
static constexpr ParamInfo kParams[] = {
    {"user-code", ParamType::String, "",
     "a regular expression: frames of files that match are user code, whatever the lists say, and "
     "go before others"},
    {"stacks", ParamType::Enum, "no",
     "yes: the column `symbolize.stack` too, and the table of stacks that it refers to", kYesNo},
    {"source", ParamType::List, "",
     "folders with the Python sources that ran: statements are inferred from them; nothing outside "
     "of them is read"},
};
static constexpr ColumnInfo kCoverageColumns[] = {
    kRankColumn,
    {"known", Unit::None, true, "what is known of the activities, or why nothing is"},
    {"counts", Unit::None, false,
     "1 where it has a launch and is no graph's replay: attribution is measured by the sum of "
     "these"},
    {"activities", Unit::Count, false, "how many"},
    {"device_ns", Unit::Nanoseconds, false, "sum of their durations"},
};
static constexpr ColumnInfo kModuleColumns[] = {
    kRankColumn,
    {"module", Unit::None, true, "classes of nn.Modules, the outermost first"},
    {"instances", Unit::Count, false, "different modules of this path that caused device work"},
    {"activities", Unit::Count, false, "of it and of the modules in it, replays too"},
    {"device_ns", Unit::Nanoseconds, false, "sum of their durations, without replays of graphs"},
    {"backward_ns", Unit::Nanoseconds, false, "of this, what their backward ops launched"},
    {"self_ns", Unit::Nanoseconds, false, "device_ns without that of the modules in it"},
    {"replay_ns", Unit::Nanoseconds, false, "replays of graphs that were launched in it"},
};
static constexpr ColumnInfo kCodeColumns[] = {
    kRankColumn,
    {"module", Unit::None, true, "classes of nn.Modules, the outermost first; null outside of any"},
    {"function", Unit::None, true, "the user frame's function; null if there is none"},
    {"file", Unit::None, true, "its file as recorded"},
    {"line", Unit::None, false, "a line in it"},
    {"line_of", Unit::None, true,
     "`function`: the line where the function begins; `statement`: that of the call; `inferred`: "
     "that of the only statement that can have made it"},
    {"activities", Unit::Count, false, "how many it caused"},
    {"device_ns", Unit::Nanoseconds, false, "sum of their durations, without replays of graphs"},
    {"backward_ns", Unit::Nanoseconds, false, "of this, what backward ops of its ops launched"},
    {"replay_ns", Unit::Nanoseconds, false, "replays of graphs that it launched"},
};
static constexpr ColumnInfo kHostColumns[] = {
    kRankColumn,
    {"module", Unit::None, true, "classes of nn.Modules, the outermost first; null outside of any"},
    {"function", Unit::None, true, "the user frame's function; null if there is none"},
    {"file", Unit::None, true, "its file as recorded"},
    {"line", Unit::None, false, "a line in it"},
    {"line_of", Unit::None, true, "as in `symbolize-code`"},
    {"ops", Unit::Count, false, "how many ran in it"},
    {"self_ns", Unit::Nanoseconds, false,
     "time of these ops without that of ops and calls inside of them, as in `ops`; Python's own "
     "time is no part of it"},
    {"backward_ns", Unit::Nanoseconds, false, "of this, in backward ops of its ops"},
};
static constexpr ColumnInfo kStackColumns[] = {
    kRankColumn,
    {"stack", Unit::None, false, "number of the stack, as in `symbolize.stack`"},
    {"parent", Unit::None, false, "the stack without its innermost frame; null at the bottom"},
    {"frame", Unit::None, true, "its innermost frame"},
};
static constexpr TableInfo kTables[] = {
    {"symbolize-coverage", "GPU time by what is known of its code, in ns", kCoverageColumns},
    {"symbolize-modules", "GPU time by nn.Module, in ns", kModuleColumns},
    {"symbolize-code", "GPU time by module and function, in ns", kCodeColumns},
    {"symbolize-stacks", "Python stacks", kStackColumns},
    {"symbolize-host", "Host self time of ops by module and function, in ns", kHostColumns},
};
static constexpr RemarkInfo kRemarks[] = {
    {"symbolize-names-alone", "no op and no call has a Python stack or a module"}};
static constexpr StatInfo kStats[] = {
    {"demangled", Statistic::Severity::Info, "mangled names that stand for a C++ name"},
    {"still-mangled", Statistic::Severity::Loss,
     "names that look mangled and stay so: not valid, too long or too deep"},
    {"shortened", Statistic::Severity::Info, "names with a short form of their own"},
    {"stacks", Statistic::Severity::Info, "different Python stacks"},
    {"module-paths-cut", Statistic::Severity::Loss,
     "paths of more than 32 modules or 1,000 bytes, of which the innermost stay"},
    {"inferred", Statistic::Severity::Info,
     "calls, by function and what it calls, whose statement was inferred; this and what follows "
     "only with `source`"},
    {"ambiguous", Statistic::Severity::Info, "calls that several statements can have made"},
    {"no-candidate", Statistic::Severity::Info, "calls that no statement can be seen to make"},
    {"other-version", Statistic::Severity::Info,
     "source files in which a function does not begin where it was recorded, which are not used"},
    {"source-not-found", Statistic::Severity::Info, "files that are in none of the folders"},
    {"source-refused", Statistic::Severity::Info,
     "files that are not read: reached by `..` or through a link that leads out of the folder, no "
     "regular files, above 2 MiB, no Python, or more than 4,096"},
};
static constexpr WantInfo kWants[] = {
    {Capability::PythonStacks, "names alone"},
    {Capability::Launches, "places of ops and calls, none of device work"},
    {Capability::DeviceWork, "places of ops and calls, and their own time on the host by function"},
};

namespace {

class Symbolize : public RankRewrite {
public:
  Symbolize(FrameRule rule, bool withStacks, symbolize::SourceFolders folders)
      : rule(std::move(rule)), withStacks(withStacks), folders(std::move(folders)) {}
  llvm::Error run(RankEditor &editor, RankContext &context) const override;

private:
  FrameRule rule;
  bool withStacks;
  symbolize::SourceFolders folders;
};

} // namespace

llvm::Error Symbolize::run(RankEditor &editor, RankContext &context) const {
  llvm::Expected<symbolize::NameCounts> names = symbolize::writeNames(editor);
  if (!names)
    return names.takeError();
  context.stat("demangled", names->demangled);
  context.stat("still-mangled", names->mangled);
  context.stat("shortened", names->shortened);

  auto stacks = context.get<PythonStacks>();
  if (!stacks)
    return stacks.takeError();
  auto launches = context.get<Launches>();
  if (!launches)
    return launches.takeError();
  context.stat("stacks", static_cast<int64_t>((*stacks)->nodes.size()));
  if (llvm::none_of((*stacks)->places, [](const CodePlace &p) {
        return hasStack(p.source) || p.hierarchy != StringId::None;
      })) {
    Remark remark;
    remark.id = "symbolize-names-alone";
    remark.message = "no op or call has a Python stack, so there are names and no places";
    remark.rank = context.ordinal();
    remark.advice = capabilityAdvice(Capability::PythonStacks).str();
    context.remark(std::move(remark));
  }
  UserFrames frames = UserFrames::find(**stacks, rule);
  symbolize::Modules modules(editor.get(), **stacks, frames);
  symbolize::Statements statements(editor.get(), **stacks, frames, rule, folders);
  if (!folders.empty()) {
    const symbolize::StatementCounts &counts = statements.counts;
    context.stat("inferred", counts.inferred);
    context.stat("ambiguous", counts.ambiguous);
    context.stat("no-candidate", counts.unnamed);
    context.stat("other-version", counts.otherVersion);
    context.stat("source-not-found", counts.notFound);
    context.stat("source-refused", counts.refused);
  }
  symbolize::Code code{**stacks, **launches, frames, modules, statements};
  llvm::Expected<int64_t> pathsCut = symbolize::writePlaces(editor, code, withStacks);
  if (!pathsCut)
    return pathsCut.takeError();
  context.stat("module-paths-cut", *pathsCut);
  return symbolize::publishTables(editor.get(), context, code, kTables, withStacks);
}

static llvm::Expected<std::unique_ptr<PassBase>> create(const ParamValues &params) {
  llvm::Expected<FrameRule> rule = FrameRule::create(params.getString("user-code"));
  if (!rule)
    return rule.takeError();
  auto folders = symbolize::SourceFolders::open(params.getList("source"));
  if (!folders)
    return folders.takeError();
  return std::make_unique<Symbolize>(std::move(*rule), params.getString("stacks") == "yes",
                                     std::move(*folders));
}

static constexpr PassInfo kInfo = {
    .name = "symbolize",
    .summary = "readable names, and the module and function that ops and GPU work come from",
    .description =
        R"(Writes derived columns; what was read stays as it was.

`symbolize.name` is the C++ name of an event whose name is mangled (`_Z...`, also one of more than 8,192 letters,
which PyTorch leaves so; MSVC's `?...`). `symbolize.short` is a form of a kernel's name for people: without
namespaces, return type, parameters, flags and what only steers the launch; functors, data types, tiles and sizes
stay, a lambda is the function that it stands in. Names that differ may share a short form. Where a column is
absent, the name as read is the answer.

`symbolize.module` is the path of nn.Modules that an op, a call or device work comes from, `symbolize.frame` its
user frame: the innermost one that is neither of a library nor of Python, nor generated, nor only passes calls on.
Model libraries (transformers, vllm, diffusers) count as user code. Recorders keep the line where a function begins,
so that is what is said: `forward, net.py (function at line 12)`; statements have lines only where the recorder
(PyTorch before 1.12) kept them: `forward, net.py (line 15)`. With `source`, the statement is inferred where exactly
one in the function can have made the call: `forward, net.py:15 (inferred)`. `symbolize.via` says how the place was found, unless
it is the thread's own frames: `forward`, what ran in a backward op has the place of its forward op; `call stack`,
the recorder's text; `graph launch`, a kernel of a graph's replay has the place that launched the graph.

`--emit=chrome:viewer` shows the columns beside the arguments, `chrome:faithful` writes what was read.

The tables sum device work, as recorded and selected, by what is known of it, by module and by function. Durations
are summed: what overlaps counts twice. Where no device work is recorded, `symbolize-host` sums the ops' own time on
the host instead, threads side by side; a row without module and function is what has no place.

`heddle report --passes=symbolize,default -s code` shows time by code with its share, and what is left.)",
    .level = Level::Rank,
    .kind = PassKind::Rewrite,
    .effects = [](const ParamValues &) { return Effects().with(ColumnId::Derived); },
    .params = kParams,
    .tables = kTables,
    .remarks = kRemarks,
    .stats = kStats,
    .create = create,
    .wants = kWants,
};

HEDDLE_PLUGIN(symbolize) { return registry.passes.add(kInfo); }
