//===- Tables.cpp - GPU time by module and function -----------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Places.h"
#include "heddle/Analysis/OpTree.h"
#include "heddle/Pass/HostSelection.h"
#include "heddle/Pass/Windows.h"
#include <algorithm>
#include <array>

using namespace heddle;
using namespace heddle::symbolize;

namespace {

/// How well an activity is known, in the order of the table's rows.
enum class Part : uint8_t {
  ModuleAndFunction,
  Module,
  Function,
  Library,
  OutsideFrames,
  NoFrames,
  NoForward,
  Replay,
  NoLaunch
};
constexpr llvm::StringLiteral kPartNames[] = {
    "module and function",   "module",     "function",     "library code only", "no frame open",
    "thread without frames", "no forward", "graph replay", "no launch"};
constexpr size_t kNumParts = std::size(kPartNames);

struct Sums {
  int64_t activities = 0;
  Duration own, backward, replay;
  void add(Duration length, bool isBackward, bool isReplay) {
    ++activities;
    if (isReplay) {
      replay = addClamped(replay, length);
      return;
    }
    own = addClamped(own, length);
    if (isBackward)
      backward = addClamped(backward, length);
  }
  void add(const Sums &s) {
    activities += s.activities;
    own = addClamped(own, s.own);
    backward = addClamped(backward, s.backward);
    replay = addClamped(replay, s.replay);
  }
};

/// A user frame without its stack.
struct Function {
  uint32_t frame = UserFrames::kNone;
  bool statement = false; ///< The recorded line is that of a statement.
  uint32_t line = 0;      ///< That was inferred, or 0.
  auto operator<=>(const Function &) const = default;
};

/// Sums the activities of a rank.
class Totals {
public:
  Totals(const Rank &rank, const Code &code) : rank(rank), code(code) {}

  void add(const DeviceActivity &a) {
    Duration length = a.end - a.begin;
    const LaunchCall *launch = code.launches.launchOf(a.event);
    const CodePlace *place = code.stacks.of(a.event);
    if (!launch || !place) {
      count(Part::NoLaunch, length);
      return;
    }
    uint32_t instance = code.modules.instanceOf(*place);
    uint32_t module = instance == Modules::kNone ? instance : code.modules.classOf(instance);
    uint32_t frame = code.frames.userOf(*place);
    count(launch->graph ? Part::Replay : part(*place, module, frame), length);
    if (module == Modules::kNone && frame == UserFrames::kNone)
      return;
    if (module != Modules::kNone) {
      if (module >= byModule.size())
        byModule.resize(code.modules.classes.size());
      byModule[module].add(length, place->backward, launch->graph);
      if (instance >= seen.size())
        seen.resize(code.modules.instances.size());
      seen[instance] = true;
    }
    byCode[{module, functionOf(*place)}].add(length, place->backward, launch->graph);
  }
  /// An op of the host by its own time; without a place it counts too.
  void add(EventRef op, Duration self) {
    const CodePlace *place = code.stacks.of(op);
    uint32_t instance = place ? code.modules.instanceOf(*place) : Modules::kNone;
    byCode[{instance == Modules::kNone ? instance : code.modules.classOf(instance),
            place ? functionOf(*place) : Function()}]
        .add(self, place && place->backward, false);
  }

  Table coverage(Table table, int64_t label) const;
  Table modules(Table table, int64_t label) const;
  /// With times of replays, which ops do not have.
  Table functions(Table table, int64_t label, bool withReplays) const;

private:
  /// Functions of equal text are one, whatever stack they are on.
  Function functionOf(const CodePlace &place) const {
    uint32_t frame = code.frames.userOf(place);
    if (frame == UserFrames::kNone)
      return {};
    const StackNode &node = code.stacks.nodes[frame];
    return {node.frame, node.statement, code.statements.lineOf(place)};
  }
  static Part part(const CodePlace &place, uint32_t module, uint32_t frame) {
    if (module != Modules::kNone)
      return frame == UserFrames::kNone ? Part::Module : Part::ModuleAndFunction;
    if (frame != UserFrames::kNone)
      return Part::Function;
    switch (place.source) {
    case StackSource::NoFrames:
      return Part::NoFrames;
    case StackSource::OutsideFrames:
      return Part::OutsideFrames;
    case StackSource::NoForward:
      return Part::NoForward;
    case StackSource::Frames:
    case StackSource::Argument:
    case StackSource::Forward:
      break;
    }
    return Part::Library;
  }
  void count(Part p, Duration length) { parts[static_cast<size_t>(p)].add(length, false, false); }

  const Rank &rank;
  const Code &code;
  std::array<Sums, kNumParts> parts;
  std::vector<Sums> byModule; ///< By class path.
  std::vector<bool> seen;     ///< By instance path: it has activities of its own.
  std::map<std::pair<uint32_t, Function>, Sums> byCode; ///< By class path and function.
};

} // namespace

Table Totals::coverage(Table table, int64_t label) const {
  for (size_t p = 0; p != kNumParts; ++p)
    table.rows.push_back({label, kPartNames[p].str(),
                          static_cast<int64_t>(p < static_cast<size_t>(Part::Replay)),
                          parts[p].activities, parts[p].own.ns});
  return table;
}

/// A module's sums hold those of the modules in it.
Table Totals::modules(Table table, int64_t label) const {
  const PathTree &classes = code.modules.classes, &instances = code.modules.instances;
  std::vector<Sums> own = byModule, total;
  own.resize(classes.size());
  total = own;
  for (uint32_t m = classes.size(); m-- > 0;)
    if (uint32_t p = classes.parent(m); p != Modules::kNone)
      total[p].add(total[m]);
  std::vector<int64_t> count(classes.size());
  std::vector<bool> used = seen;
  used.resize(instances.size());
  for (uint32_t i = instances.size(); i-- > 0;) {
    if (!used[i])
      continue;
    ++count[code.modules.classOf(i)];
    if (uint32_t p = instances.parent(i); p != Modules::kNone)
      used[p] = true;
  }
  std::vector<std::pair<uint32_t, std::string>> order;
  for (uint32_t m = 0; m != classes.size(); ++m)
    if (total[m].activities)
      order.emplace_back(m, classes.text(m));
  std::stable_sort(order.begin(), order.end(), [&](const auto &a, const auto &b) {
    auto key = [&](uint32_t m) { return addClamped(total[m].own, total[m].replay); };
    Duration x = key(a.first), y = key(b.first);
    return x != y ? x > y : a.second < b.second;
  });
  for (const auto &[m, text] : order)
    table.rows.push_back({label, text, count[m], total[m].activities, total[m].own.ns,
                          total[m].backward.ns, own[m].own.ns, total[m].replay.ns});
  return table;
}

Table Totals::functions(Table table, int64_t label, bool withReplays) const {
  struct Row {
    std::string module, frame;
    Function function;
    const Sums *sums;
  };
  std::vector<Row> rows;
  for (const auto &[key, sums] : byCode) {
    uint32_t frame = key.second.frame;
    rows.push_back({key.first == Modules::kNone ? "" : code.modules.classes.text(key.first),
                    frame == UserFrames::kNone ? "" : code.stacks.frames[frame].str(), key.second,
                    &sums});
  }
  std::sort(rows.begin(), rows.end(), [](const Row &a, const Row &b) {
    Duration x = addClamped(a.sums->own, a.sums->replay);
    Duration y = addClamped(b.sums->own, b.sums->replay);
    return x != y ? x > y
                  : std::tie(a.module, a.frame, a.function.statement, a.function.line) <
                        std::tie(b.module, b.frame, b.function.statement, b.function.line);
  });
  auto text = [](llvm::StringRef s) { return s.empty() ? Cell() : Cell(s.str()); };
  for (const Row &r : rows) {
    std::optional<FrameText> f;
    if (r.function.frame != UserFrames::kNone)
      f = parseFrame(code.stacks.frames[r.function.frame]);
    int64_t line = 0;
    Cell lineCell, kind;
    if (f && r.function.line) {
      lineCell = int64_t{r.function.line};
      kind = std::string("inferred");
    } else if (f && !f->line.getAsInteger(10, line)) {
      lineCell = line;
      kind = std::string(r.function.statement ? "statement" : "function");
    }
    table.rows.push_back({label, text(r.module), f ? Cell(f->function.str()) : Cell(),
                          f ? Cell(f->file.str()) : Cell(), lineCell, kind, r.sums->activities,
                          r.sums->own.ns, r.sums->backward.ns});
    if (withReplays)
      table.rows.back().emplace_back(r.sums->replay.ns);
  }
  return table;
}

/// The stacks that events name, and their callers.
static Table stacksTable(Table table, int64_t label, const PythonStacks &stacks) {
  std::vector<bool> used(stacks.nodes.size());
  for (const CodePlace &p : stacks.places)
    for (uint32_t node : {p.stack, p.forward})
      if (node != PythonStacks::kNone)
        used[node] = true;
  for (uint32_t n = stacks.nodes.size(); n-- > 0;)
    if (used[n] && stacks.nodes[n].parent != PythonStacks::kNone)
      used[stacks.nodes[n].parent] = true;
  for (uint32_t n = 0; n != stacks.nodes.size(); ++n) {
    const StackNode &node = stacks.nodes[n];
    if (used[n])
      table.rows.push_back(
          {label, int64_t{n},
           node.parent == PythonStacks::kNone ? Cell() : Cell(int64_t{node.parent}),
           describeFrame(stacks.frames[node.frame], node.statement)});
  }
  return table;
}

/// Without device work: the ops' own time on the host.
static llvm::Error publishHost(const Rank &rank, RankContext &context, const Code &code,
                               const TableInfo &info) {
  if (llvm::none_of(code.stacks.places, [](const CodePlace &p) { return hasStack(p.source); }))
    return llvm::Error::success();
  auto tree = context.get<OpTree>();
  if (!tree)
    return tree.takeError();
  auto selected = selectedHostTimes(rank, context);
  if (!selected)
    return selected.takeError();
  Totals totals(rank, code);
  for (uint32_t t = 0; t != rank.tracks().size(); ++t) {
    const OpTrackTree &ops = (*tree)->tracks[t];
    for (uint32_t i = 0; i != ops.state.size(); ++i)
      if (ops.state[i] == OpTrackTree::State::Member &&
          rank.track(t).kinds[i] == EventKind::CpuOp &&
          (!*selected || (*selected)->contains(rank.track(t).begin[i])))
        totals.add({t, i}, ops.self[i]);
  }
  context.table(totals.functions(info.make(), context.rankLabel(), false));
  return llvm::Error::success();
}

llvm::Error symbolize::publishTables(const Rank &rank, RankContext &context, const Code &code,
                                     llvm::ArrayRef<TableInfo> info, bool withStacks) {
  if (withStacks)
    context.table(stacksTable(info[3].make(), context.rankLabel(), code.stacks));
  auto all = context.get<DeviceUnion>();
  if (!all)
    return all.takeError();
  if ((*all)->devices.empty())
    return publishHost(rank, context, code, info[4]);
  auto devices = selectedDevices(rank, context);
  if (!devices)
    return devices.takeError();
  Totals totals(rank, code);
  for (const SelectedDevice &device : *devices)
    for (const DeviceActivity *a : device.activities())
      totals.add(*a);
  context.table(totals.coverage(info[0].make(), context.rankLabel()));
  context.table(totals.modules(info[1].make(), context.rankLabel()));
  context.table(totals.functions(info[2].make(), context.rankLabel(), true));
  return llvm::Error::success();
}
