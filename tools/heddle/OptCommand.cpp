//===- OptCommand.cpp - heddle opt, heddle report -------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "Messages.h"
#include "OptRun.h"
#include "Terminal.h"
#include "Verbs.h"
#include "heddle/Pass/PassManager.h"
#include "heddle/Pass/Windows.h"
#include "heddle/Text/Text.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include <unistd.h>

using namespace llvm;

namespace heddle {

/// How many events each rank has.
static Expected<std::vector<uint64_t>> countEvents(const Trace &trace) {
  std::vector<uint64_t> counts;
  for (size_t i = 0; i != trace.ranks.size(); ++i) {
    Expected<RankHold> rank = trace.hold(i);
    if (!rank)
      return rank.takeError();
    counts.push_back((*rank)->numEvents());
  }
  return counts;
}

static void printStats(const Loaded &all, ArrayRef<uint64_t> events) {
  if (all.bytes.all)
    errs() << "read " << all.bytes.read << " of " << all.bytes.all << " bytes\n";
  if (const Residency *r = all.trace.residency.get(); r && r->drops())
    errs() << "ranks put aside = " << r->drops() << ", read again = " << r->reads() << '\n';
  for (auto [i, rank] : enumerate(all.trace.ranks)) {
    std::string where = rankTitle(all.trace, i) + ": ";
    errs() << where << "events = " << events[i] << '\n';
    for (const auto &[name, count] : rank->recording.repairs)
      errs() << where << "repaired: " << name << " = " << count << '\n';
    for (const auto &[name, count] : rank->recording.notes)
      errs() << where << "noted: " << name << " = " << count << '\n';
  }
  for (const PassResult &unit : all.results.units)
    for (const Statistic &s : unit.stats) {
      if (unit.rank >= 0)
        errs() << rankTitle(all.trace, static_cast<size_t>(unit.rank)) << ": ";
      errs() << unit.pass << ": " << s.name << " = " << s.value << '\n';
    }
}

static void printTimings(ArrayRef<PassTiming> timings) {
  double cpu = 0, wall = 0;
  for (const PassTiming &t : timings) {
    cpu += t.cpuSeconds;
    wall += t.wallSeconds;
  }
  errs() << "    CPU ms       %    wall ms  units  pass (analyses count for the first that asks)\n";
  for (const PassTiming &t : timings)
    errs() << format("%10.2f  %5.1f %%  %9.2f  %5u  ", t.cpuSeconds * 1e3,
                     cpu > 0 ? 100 * t.cpuSeconds / cpu : 0, t.wallSeconds * 1e3, t.runs)
           << t.pass << '\n';
  errs() << format("%10.2f  100.0 %%  %9.2f         in sum, over threads\n", cpu * 1e3, wall * 1e3);
}

Error OptRun::runPasses(Loaded &all) {
  PassOptions pass;
  pass.threads = options.threadCount();
  pass.verifyEach = options.verifyEach;
  pass.timePasses = options.timePasses;
  pass.selection = selection;
  pass.limits.threads = pass.threads;
  pass.progress = &watch.progress();
  pass.scheduleSeed = options.shuffleSeed;
  pass.printAfter = valuesOf(options.printAfter);
  std::string before;
  Error unprinted = Error::success();
  auto textOf = [&](const Trace &trace) {
    std::string text;
    raw_string_ostream os(text);
    unprinted = joinErrors(std::move(unprinted), printText(trace, os, {options.stripSource}));
    return text;
  };
  if (options.printChanged) {
    before = textOf(all.trace);
    for (const PassInstance &p : pipeline.passes)
      if (p.info->kind == PassKind::Rewrite)
        pass.printAfter.push_back(p.info->name.str());
  }
  pass.onPrintAfter = [&](const PassInstance &p, const Trace &trace) {
    std::string text = textOf(trace);
    bool asked = is_contained(options.printAfter, p.info->name.str());
    bool changed = options.printChanged && text != before;
    if (!asked && !changed)
      return;
    watch.clear();
    errs() << "// after " << p.print(pipeline.hidesTexts()) << '\n' << text;
    if (options.printChanged)
      before = std::move(text);
  };
  if (options.debugPasses)
    pass.debugLog = [&](StringRef line) {
      watch.clear();
      errs() << escapeForTerminal(line) << '\n';
    };
  watch.phase("running passes");
  PassManager manager(pass);
  Error ran = manager.run(pipeline, all.trace, all.results);
  if (Error e = joinErrors(std::move(ran), std::move(unprinted)))
    return e;
  watch.clear();
  all.trace.provenance.pipeline = pipeline.print(pipeline.hidesTexts());
  if (pipeline.hidesTexts()) { // headings name the inputs as the trace now does
    all.inputs.clear();
    for (const auto &rank : all.trace.ranks)
      if (!is_contained(all.inputs, rank->recording.path))
        all.inputs.push_back(rank->recording.path);
  }
  if (options.timePasses)
    printTimings(manager.timings());
  return Error::success();
}

Error OptRun::emitWith(const Loaded &all, function_ref<Error(EmitOptions &options)> write) {
  watch.phase("writing");
  EmitOptions emit;
  emit.table = options.table;
  emit.stripSource = options.stripSource;
  emit.sections = valuesOf(options.sections);
  emit.inputs = all.inputs;
  emit.unicode = localeIsUtf8();
  Diagnostics said;
  emit.diagnostics = &said;
  auto tell = make_scope_exit([&] {
    watch.clear();
    for (const Diagnostic &d : said.all())
      printDiagnostic(d);
  });
  return write(emit);
}

Error OptRun::emitTo(OutputFile &file, const Loaded &all) {
  return emitWith(all, [&](EmitOptions &emit) -> Error {
    if (options.output != "-" || !isTerminal(STDOUT_FILENO))
      return emitter->emit(all.trace, all.results, file.os(), emit);
    if (emitter->name == "hb")
      return usageError("no-output",
                        "--emit=hb writes bytes, which no terminal shows: give -o FILE");
    emit.width = terminalWidth(STDOUT_FILENO);
    emit.colour = wantsColour(STDOUT_FILENO);
    watch.clear();
    EscapingStream safe(file.os(), emit.colour);
    Error error = emitter->emit(all.trace, all.results, safe, emit);
    safe.finish();
    return error;
  });
}

/// What an emitter of a folder needs of the command line, and others have no use for.
Error OptRun::checkFolder() {
  if (!emitter->emitFolder)
    return options.force
               ? usageError("no-use", "--force replaces a folder, but --emit=" + emitter->name +
                                          " writes none")
               : Error::success();
  if (options.output == "-")
    return usageError("no-folder", "--emit=" + emitter->name + " writes a folder: name it with -o");
  if (options.splitInput || options.verifyDiagnostics)
    return usageError("no-folder",
                      "--emit=" + emitter->name + " writes one trace, not the parts of an input");
  return Error::success();
}

/// An option that only the output `user` heeds is an error with another one of libheddle's.
static Error checkUse(StringRef option, StringRef user, StringRef chosen) {
  static constexpr StringLiteral others[] = {
      "results",       "ht",         "hb",     "report",
      "report-json",   "csv",        "chrome", "chrome:faithful",
      "chrome:viewer", "tensorboard"};
  if (chosen == user || !is_contained(others, chosen))
    return Error::success();
  return usageError("no-use", option + " says what --emit=" + user +
                                  " writes, but --emit=" + chosen + " is chosen");
}

Error OptRun::prepare() {
  if (Error e = fillRegistry(registry, options))
    return e;
  StringRef passes = defaultPasses;
  if (const EmitterInfo *asked = registry.emitters.find(options.emit); asked && passes.empty())
    passes = asked->pipeline;
  if (options.passes.empty() && options.pass.empty() && !passes.empty())
    if (Error e = PipelineParser(registry.passes).parse(passes, pipeline))
      return e;
  if (Error e = options.pipeline(registry.passes, pipeline))
    return e;
  if (options.stopAfter.getNumOccurrences()) {
    if (options.stopAfter > pipeline.passes.size())
      return usageError("stop-after", "--stop-after=" + Twine(options.stopAfter) +
                                          ": the pipeline has " + Twine(pipeline.passes.size()) +
                                          " passes");
    pipeline.passes.erase(pipeline.passes.begin() + options.stopAfter, pipeline.passes.end());
  }
  if (options.printPipeline)
    return Error::success();
  auto chosen = options.emitter(registry.emitters, defaultEmit);
  if (!chosen)
    return chosen.takeError();
  emitter = *chosen;
  if (options.table.getNumOccurrences())
    if (Error e = checkUse("--table", "csv", emitter->name))
      return e;
  if (Error e = checkFolder())
    return e;
  if (options.sections.getNumOccurrences() && emitter != &tensorBoardEmitter)
    if (Error e = checkUse("-s", "report", emitter->name))
      return e;
  auto selected = options.selection();
  if (!selected)
    return selected.takeError();
  selection = std::move(*selected);
  return Error::success();
}

Error OptRun::writeFile(const Loaded &all) {
  auto file = OutputFile::create(options.output);
  if (!file)
    return file.takeError();
  if (Error e = emitTo(**file, all))
    return e;
  // Without a commit nothing is left behind.
  return watch.interrupted() ? Error::success() : (*file)->commit();
}

Error OptRun::writeFolder(OutputFolder &folder, const Loaded &all) {
  Error error = emitWith(all, [&](EmitOptions &emit) {
    return emitter->emitFolder(
        all.trace, all.results,
        [&](StringRef name, function_ref<Error(raw_ostream & os)> write) -> Error {
          return watch.interrupted() ? Error::success() : folder.file(name, write);
        },
        emit);
  });
  return error || watch.interrupted() ? std::move(error) : folder.commit();
}

Error OptRun::runWhole() {
  Expected<uint64_t> memory = options.memoryBytes();
  if (!memory)
    return memory.takeError();
  LoadOptions load;
  load.memory = *memory;
  load.threads = options.threadCount();
  load.strict = options.strict;
  load.verify = options.verifyEach;
  load.selection = selection;
  std::unique_ptr<OutputFolder> folder;
  if (emitter->emitFolder) { // what stands in its way is said before anything is read
    auto opened = OutputFolder::create(options.output, options.force);
    if (!opened)
      return opened.takeError();
    folder = std::move(*opened);
  }
  // Checks of ranks look at what is selected, those of the trace at all of it; rewrites and what
  // writes events show more than figures.
  load.partOfTime = is_contained({"results", "csv", "report"}, emitter->name) &&
                    all_of(pipeline.passes, [](const PassInstance &p) {
                      return p.info->level == Level::Rank && p.info->kind == PassKind::Check;
                    });
  load.merges =
      any_of(pipeline.passes, [](const PassInstance &p) { return p.info->name == "merge-ranks"; });
  auto all = loadInputs(registry.importers, valuesOf(options.files), load, watch);
  if (!all)
    return all.takeError();
  if (Error e = checkSelection(all->trace, selection, Limits()))
    return e;
  if (Error e = runPasses(*all))
    return e;
  std::vector<uint64_t> events; // the output may take the place of an input
  if (options.stats) {
    Expected<std::vector<uint64_t>> counts = countEvents(all->trace);
    if (!counts)
      return counts.takeError();
    events = std::move(*counts);
  }
  if (Error e = folder ? writeFolder(*folder, *all) : writeFile(*all))
    return e;
  if (watch.interrupted())
    return Error::success();
  watch.clear();
  if (const Residency *r = all->trace.residency.get(); r && !r->trouble().empty())
    printMessage(Severity::Warning, "",
                 "memory holds more ranks than --memory allows: " + r->trouble());
  if (options.stats)
    printStats(*all, events);
  warnOfLosses(all->results);
  return Error::success();
}

Error OptRun::run() {
  if (Error e = prepare())
    return e;
  if (options.printPipeline) {
    outs() << pipeline.print() << '\n';
    return Error::success();
  }
  return options.splitInput || options.verifyDiagnostics ? runParts() : runWhole();
}

static int runWork(const OptOptions &options, StringRef defaultPasses, StringRef defaultEmit) {
  Watch watch;
  OptRun work(options, watch);
  work.defaultPasses = defaultPasses;
  work.defaultEmit = defaultEmit;
  Error error = work.run();
  watch.clear();
  if (watch.interrupted()) {
    consumeError(std::move(error)); // whatever failed did so because it was told to stop
    printMessage(Severity::Error, "", "interrupted");
    return kInterrupted;
  }
  return error ? printErrors(std::move(error)) : 0;
}

int runOpt(int argc, char **argv) {
  OptOptions options;
  if (!parseVerb(
          "opt", argc, argv,
          "run passes over a trace\n\n"
          "  Reads traces (several are the ranks of one), runs passes over them in order, and "
          "writes the\n  result: what the passes found unless --emit, -S or -o says otherwise.\n"))
    return static_cast<int>(ExitCode::Usage);
  return runWork(options, "", "results");
}

int runReport(int argc, char **argv) {
  OptOptions options;
  if (!parseVerb("report", argc, argv,
                 "tell where the time goes\n\n"
                 "  The same as 'heddle opt --passes=default --emit=report'.\n"))
    return static_cast<int>(ExitCode::Usage);
  return runWork(options, "default", "report");
}

} // namespace heddle
