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

static void printStats(const Loaded &all) {
  for (auto [i, rank] : enumerate(all.trace.ranks)) {
    std::string where = rankTitle(all.trace, i) + ": ";
    errs() << where << "events = " << rank->numEvents() << '\n';
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
  auto textOf = [&](const Trace &trace) {
    std::string text;
    raw_string_ostream os(text);
    printText(trace, os, {options.stripSource});
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
  if (Error e = manager.run(pipeline, all.trace, all.results))
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

Error OptRun::emitTo(OutputFile &file, const Loaded &all) {
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
  if (options.output != "-" || !isTerminal(STDOUT_FILENO))
    return emitter->emit(all.trace, all.results, file.os(), emit);
  emit.width = terminalWidth(STDOUT_FILENO);
  emit.colour = wantsColour(STDOUT_FILENO);
  watch.clear();
  EscapingStream safe(file.os(), emit.colour);
  Error error = emitter->emit(all.trace, all.results, safe, emit);
  safe.finish();
  return error;
}

/// An option that only the output `user` heeds is an error with another one of libheddle's.
static Error checkUse(StringRef option, StringRef user, StringRef chosen) {
  static constexpr StringLiteral others[] = {"results",      "ht",  "hb",     "report",
                                             "report-json",  "csv", "chrome", "chrome:faithful",
                                             "chrome:viewer"};
  if (chosen == user || !is_contained(others, chosen))
    return Error::success();
  return usageError("no-use", option + " says what --emit=" + user +
                                  " writes, but --emit=" + chosen + " is chosen");
}

Error OptRun::prepare() {
  if (Error e = fillRegistry(registry, options))
    return e;
  if (options.passes.empty() && options.pass.empty() && !defaultPasses.empty())
    if (Error e = PipelineParser(registry.passes).parse(defaultPasses, pipeline))
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
  if (options.sections.getNumOccurrences())
    if (Error e = checkUse("-s", "report", emitter->name))
      return e;
  auto selected = options.selection();
  if (!selected)
    return selected.takeError();
  selection = std::move(*selected);
  return Error::success();
}

Error OptRun::runWhole() {
  LoadOptions load;
  load.threads = options.threadCount();
  load.strict = options.strict;
  load.verify = options.verifyEach;
  load.selection = selection;
  auto all = loadInputs(registry.importers, valuesOf(options.files), load, watch);
  if (!all)
    return all.takeError();
  if (Error e = checkSelection(all->trace, selection, Limits()))
    return e;
  if (Error e = runPasses(*all))
    return e;
  auto file = OutputFile::create(options.output);
  if (!file)
    return file.takeError();
  if (Error e = emitTo(**file, *all))
    return e;
  if (watch.interrupted()) // without a commit nothing is left behind
    return Error::success();
  if (Error e = (*file)->commit())
    return e;
  watch.clear();
  if (options.stats)
    printStats(*all);
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
