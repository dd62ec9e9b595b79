//===- TensorBoard.cpp - A run directory ----------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// A folder that TensorBoard shows as a run: a trace a rank for the profiler plugin, under the
/// names by which it knows workers, and an event file with figures by step and the report as text.
//===----------------------------------------------------------------------===//
#include "ChromeViewer.h"
#include "EventRecords.h"
#include "heddle/Lower/Emitter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace heddle {
namespace {

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// One rank's file: <host>_<pid>.<ns>.pt.trace.json.gz.
struct Worker {
  std::string host;
  uint64_t pid = 0;
  int64_t ns = 0; ///< Unix time of the first event; 0 where it is not known.
};

/// A host as a file name takes it.
std::string plainHost(StringRef name) {
  std::string host;
  for (char c : name.take_front(100))
    host += isAlnum(c) || c == '-' || c == '.' || c == '_' ? c : '-';
  return StringRef(host).ltrim('.').str();
}

/// The host of a recording that does not state one: what its file's name says, as PyTorch names
/// files, else the number of the rank.
std::string hostOf(const Rank &rank) {
  if (!rank.host.empty())
    return plainHost(rank.host);
  StringRef name = sys::path::filename(rank.recording.path);
  name.consume_back(".gz");
  if (name.consume_back(".pt.trace.json")) {
    auto dropNumber = [&](char before) {
      StringRef rest = name.rtrim("0123456789");
      if (rest.size() != name.size() && rest.size() > 1 && rest.ends_with(before))
        name = rest.drop_back();
    };
    dropNumber('.');
    dropNumber('_');
    if (std::string host = plainHost(name); !host.empty())
      return host;
  }
  return rank.number ? "rank" + std::to_string(*rank.number) : "host";
}

/// The process of a rank's first thread; 0 for none.
uint64_t processOf(const Rank &rank) {
  for (const Track &t : rank.tracks()) {
    if (!isThread(t.key.family))
      continue;
    if (t.key.pid.form == SourceId::Int && t.key.pid.value > 0)
      return static_cast<uint64_t>(t.key.pid.value);
    uint64_t pid;
    if (t.key.pid.form == SourceId::String &&
        !rank.str(t.key.pid.text).rsplit(' ').second.getAsInteger(10, pid))
      return pid;
  }
  return 0;
}

/// Names that no two ranks share; cycles of one rank are spans of one worker.
Expected<std::vector<Worker>> nameWorkers(const Trace &trace, const chrome::UnixTimes &times) {
  std::vector<Worker> workers;
  std::map<std::pair<std::string, uint64_t>, size_t> owner;
  std::set<std::tuple<std::string, uint64_t, int64_t>> taken;
  for (auto [i, rank] : enumerate(trace.ranks)) {
    Worker w;
    Expected<RankHold> held = trace.hold(i);
    if (!held)
      return held.takeError();
    bool follows = i > 0 && rank->cycle.value_or(1) > 1;
    if (follows) {
      w = workers.back();
    } else {
      w.host = hostOf(*rank);
      w.pid = processOf(*rank);
      std::string host = w.host;
      for (size_t n = i; !owner.try_emplace({w.host, w.pid}, i).second; ++n)
        w.host = host + "-rank" + std::to_string(n == i ? rankLabel(trace, i) : n);
    }
    w.ns = std::max<int64_t>(times.first(*rank).value_or(0), 0);
    while (!taken.insert({w.host, w.pid, w.ns}).second)
      ++w.ns;
    workers.push_back(std::move(w));
  }
  return workers;
}

//===----------------------------------------------------------------------===//
// Figures
//===----------------------------------------------------------------------===//

/// Figures of the steps of one device or host, from the tables of passes.
class StepFigures {
public:
  StepFigures(const Trace &trace, const chrome::UnixTimes &times, std::string title)
      : trace(trace), times(times), title(std::move(title)) {}
  /// Takes a row of gpu-breakdown.
  void addStep(const Table &table, size_t row, size_t rank);
  /// Takes a row of host-steps.
  void addHostStep(const Table &table, size_t row, size_t rank);
  /// Takes a row of idle-gaps-causes.
  void addCause(const Table &table, size_t row, size_t rank);
  void write(EventRecords &records) const;

private:
  struct Step {
    size_t rank;
    std::string name;
    double time;
    std::vector<std::pair<std::string, int64_t>> ns;
    std::map<std::string, int64_t> causes;
  };
  /// Unix seconds of the end of a row's step.
  double endOf(const Table &table, size_t row, size_t rank) const;

  const Trace &trace;
  const chrome::UnixTimes &times;
  std::string title;
  std::vector<Step> steps;
  std::map<std::pair<size_t, std::string>, size_t> stepOf; ///< By rank and name: the first.
  std::set<std::string> causes;
};

constexpr StringLiteral kAll = "all";

double StepFigures::endOf(const Table &table, size_t row, size_t rank) const {
  int64_t ns = table.getInt(row, "end_ns").value_or(0);
  return static_cast<double>(times.at(*trace.ranks[rank], ns)) / 1e9;
}

void StepFigures::addStep(const Table &table, size_t row, size_t rank) {
  static constexpr std::pair<StringLiteral, StringLiteral> figures[] = {
      {"window_ns", "1 GPU period (ms)"},
      {"busy_ns", "2 busy (ms)"},
      {"idle_ns", "3 idle (ms)"},
      {"compute_ns", "4 compute (ms)"},
      {"exposed_comm_ns", "5 exposed communication (ms)"},
      {"exposed_copy_ns", "6 exposed copies (ms)"}};
  Step step{rank, table.getText(row, "step").str(), endOf(table, row, rank), {}, {}};
  for (const auto &[key, name] : figures)
    if (auto ns = table.getInt(row, key))
      step.ns.push_back({name.str(), *ns});
  stepOf.try_emplace({rank, step.name}, steps.size());
  steps.push_back(std::move(step));
}

void StepFigures::addHostStep(const Table &table, size_t row, size_t rank) {
  if (auto ns = table.getInt(row, "host_ns"))
    steps.push_back({rank,
                     std::to_string(table.getInt(row, "step").value_or(0)),
                     endOf(table, row, rank),
                     {{"step (ms)", *ns}},
                     {}});
}

void StepFigures::addCause(const Table &table, size_t row, size_t rank) {
  auto ns = table.getInt(row, "ns");
  auto it = stepOf.find({rank, table.getText(row, "step").str()});
  if (!ns || it == stepOf.end())
    return;
  std::string cause = table.getText(row, "cause").str();
  steps[it->second].causes[cause] += *ns;
  causes.insert(std::move(cause));
}

void StepFigures::write(EventRecords &records) const {
  // The numbers of steps, where they increase; else steps count from 1. A recording without steps
  // has one figure, at 0.
  bool numbered = true, single = true;
  int64_t last = INT64_MIN;
  for (const Step &step : steps) {
    if (step.name == kAll)
      continue;
    single = false;
    int64_t number;
    numbered &= !StringRef(step.name).getAsInteger(10, number) && number > last && number >= 0;
    last = number;
  }
  int64_t count = 0;
  for (const Step &step : steps) {
    if (!single && step.name == kAll)
      continue;
    int64_t at = single ? count : count + 1;
    if (numbered && !single)
      StringRef(step.name).getAsInteger(10, at);
    ++count;
    auto figure = [&](const std::string &name, int64_t ns) {
      records.scalar(title + "/" + name, at, step.time, static_cast<float>(ns) / 1e6f);
    };
    for (const auto &[name, ns] : step.ns)
      figure(name, ns);
    for (const std::string &cause : causes) { // none of a cause is 0 of it
      auto it = step.causes.find(cause);
      figure("idle: " + cause + " (ms)", it == step.causes.end() ? 0 : it->second);
    }
  }
}

void writeFigures(const Trace &trace, const chrome::UnixTimes &times, const Results &results,
                  EventRecords &records) {
  constexpr int64_t host = INT64_MIN; // before its devices
  std::map<std::pair<int64_t, int64_t>, StepFigures> figures;
  auto forRows = [&](StringRef id, auto take) {
    for (size_t rank = 0; rank != trace.ranks.size(); ++rank)
      if (const Table *table = results.find(id, static_cast<int64_t>(rank)))
        for (size_t row = 0; row != table->rows.size(); ++row) {
          int64_t label = rankLabel(trace, rank),
                  device = table->getInt(row, "device").value_or(host);
          std::string title = countRanks(trace) == 1 ? "" : "rank " + std::to_string(label) + " ";
          title += device == host ? "host" : "GPU " + std::to_string(device);
          auto it = figures.try_emplace({label, device}, trace, times, title).first;
          take(it->second, *table, row, rank);
        }
  };
  forRows("host-steps", [](StepFigures &f, const Table &t, size_t row, size_t rank) {
    f.addHostStep(t, row, rank);
  });
  forRows("gpu-breakdown",
          [](StepFigures &f, const Table &t, size_t row, size_t rank) { f.addStep(t, row, rank); });
  forRows("idle-gaps-causes", [](StepFigures &f, const Table &t, size_t row, size_t rank) {
    f.addCause(t, row, rank);
  });
  for (const auto &[key, of] : figures)
    of.write(records);
}

//===----------------------------------------------------------------------===//
// The folder
//===----------------------------------------------------------------------===//

Error writeEvents(const Trace &trace, const chrome::UnixTimes &times, const Results &results,
                  raw_ostream &os, const EmitOptions &options, double time) {
  EventRecords records(os, time);
  std::string report, block;
  raw_string_ostream text(report);
  EmitOptions page = options;
  page.unicode = true;
  page.colour = false;
  if (Error e = reportEmitter.emit(trace, results, text, page))
    return e;
  SmallVector<StringRef> lines;
  StringRef(report).rtrim('\n').split(lines, '\n');
  for (StringRef line : lines)
    block += ("    " + line + "\n").str(); // Markdown shows indented lines as they are
  records.text("report", 0, time, block);
  writeFigures(trace, times, results, records);
  return Error::success();
}

Error emitTensorBoard(const Trace &trace, const Results &results, FileMaker file,
                      const EmitOptions &options) {
  if (trace.ranks.empty())
    return inputError("no-rank", "--emit=tensorboard: the trace has no rank");
  chrome::UnixTimes times(trace);
  Expected<std::vector<Worker>> named = nameWorkers(trace, times);
  if (!named)
    return named.takeError();
  std::vector<Worker> workers = std::move(*named);
  chrome::LeftOut left;
  int64_t first = INT64_MAX;
  for (auto [i, w] : enumerate(workers)) {
    first = std::min(first, w.ns);
    std::string name;
    raw_string_ostream(name) << w.host << '_' << w.pid << format(".%019lld", w.ns)
                             << ".pt.trace.json.gz";
    Error error = file(name, [&](raw_ostream &os) -> Error {
      Expected<chrome::LeftOut> lacks = chrome::writeForPlugin(trace, i, results, os);
      if (!lacks)
        return lacks.takeError();
      for (const auto &[kind, count] : *lacks)
        left[kind] += count;
      return Error::success();
    });
    if (error)
      return error;
  }
  std::string name;
  raw_string_ostream(name) << "events.out.tfevents." << format("%010lld", first / 1'000'000'000)
                           << '.' << workers.front().host << '.' << workers.front().pid << ".0";
  if (Error e = file(name, [&](raw_ostream &os) {
        return writeEvents(trace, times, results, os, options, static_cast<double>(first) / 1e9);
      }))
    return e;
  if (options.diagnostics && none_of(results.units, [](const PassResult &unit) {
        return unit.passName == "gpu-breakdown";
      }))
    options.diagnostics->report({Severity::Note,
                                 "no-figures",
                                 "no pass published gpu-breakdown: there are no figures by step",
                                 {}});
  if (!options.diagnostics || left.empty())
    return Error::success();
  std::string text;
  for (const auto &[kind, count] : left)
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " x " + kind;
  options.diagnostics->report(
      {Severity::Note, "left-out", "not shown by tensorboard: " + text, {}});
  return Error::success();
}

} // namespace

const EmitterInfo tensorBoardEmitter = {
    "tensorboard",
    "a run directory: traces for the profiler plugin, figures by step, the report",
    {},
    nullptr,
    emitTensorBoard,
    "default"};

} // namespace heddle
