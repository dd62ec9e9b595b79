//===- Session.cpp - From files to results --------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "Session.h"
#include "Grouping.h"
#include "Messages.h"
#include "heddle/IO/RankStore.h"
#include "heddle/IR/Verifier.h"
#include "heddle/Pass/Windows.h"
#include "heddle/Plugin/Loader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/ThreadPool.h"
#include <map>
#include <set>

using namespace llvm;

namespace heddle {

Error fillRegistry(Registry &registry, const PluginOptions &options) {
  std::vector<std::string> without = valuesOf(options.noBuiltin),
                           modules = valuesOf(options.modules);
  return registerPlugins({builtinPlugins(), without, modules}, registry);
}

namespace {
/// What became of one input.
struct Part {
  Trace trace;
  Results results;
  Diagnostics diagnostics;
  std::vector<Evidence> evidence; ///< By rank, where there are several inputs.
  BytesRead bytes;
  std::optional<Diagnostic> failure; ///< An llvm::Error cannot wait unchecked.
  ExitCode code = ExitCode::Ok;
};
} // namespace

/// Looks at the ranks of an input, all of which was read, and lets them go.
static Error finishRanks(const LoadOptions &options, bool several, Part &part) {
  if (options.verify)
    if (Error e = verify(part.trace))
      return e;
  for (size_t i = 0; several && i != part.trace.ranks.size(); ++i) {
    Expected<RankHold> rank = part.trace.hold(i);
    if (!rank)
      return rank.takeError();
    part.evidence.emplace_back(**rank);
  }
  return Error::success();
}

static void readPart(const ImporterRegistry &importers, const std::string &path,
                     const LoadOptions &options, const std::shared_ptr<Residency> &residency,
                     bool several, Progress &progress, Part &part) {
  ImportOptions import;
  import.limits.threads = options.threads;
  import.progress = &progress;
  import.results = &part.results;
  auto fail = [&](Diagnostic d, ExitCode code) {
    part.failure = std::move(d);
    part.code = code;
  };
  auto run = [&]() -> Error {
    FileState state = path == "-" ? FileState() : FileState::of(path);
    bool cutsTime = options.partOfTime &&
                    (!options.selection.steps.empty() || options.selection.window.has_value());
    if (residency && !cutsTime) {
      Expected<bool> heads = readHeadsOf(path, options.selection, *residency, state, import.limits,
                                         part.trace, part.results);
      if (!heads)
        return heads.takeError();
      part.trace.residency = residency;
      if (*heads) {
        Error e = verify(part.trace, part.results);
        return e ? std::move(e) : finishRanks(options, several, part);
      }
    }
    Expected<bool> some = !state.known ? false
                                       : readPartOf(path, options.selection, options.partOfTime,
                                                    import.limits, part.trace, part.bytes);
    if (!some)
      return some.takeError();
    if (!*some)
      if (Error e = importFile(importers, path, part.trace, import, part.diagnostics))
        return e;
    if (Error e = finishRanks(options, several, part))
      return e;
    return residency && !*some ? settle(path, state, residency, import.limits, part.trace)
                               : Error::success();
  };
  std::string crashText = "reading " + path;
  PrettyStackTraceString crash(crashText.c_str());
  try {
    handleAllErrors(
        run(), [&](const DiagnosticError &e) { fail(e.diagnostic, e.code); },
        [&](const ErrorInfoBase &e) {
          fail({Severity::Error, "import-failed", e.message(), {path, 0, 0, 0, ""}},
               ExitCode::Internal);
        });
  } catch (const std::exception &e) {
    fail({Severity::Error,
          "import-failed",
          std::string("reading it failed: ") + e.what(),
          {path, 0, 0, 0, ""}},
         ExitCode::Internal);
  }
}

/// Prints what reading said; the part's error, if it has one.
static Error finishPart(const std::string &path, const LoadOptions &options, Part &part) {
  for (const Diagnostic &d : part.diagnostics.all())
    printDiagnostic(d);
  std::string repairs = describeRepairs(part.diagnostics);
  std::string name = path == "-" ? "<stdin>" : path;
  Error error = Error::success();
  if (part.failure)
    error = make_error<DiagnosticError>(std::move(*part.failure), part.code);
  else if (part.diagnostics.hasErrors())
    error = inputError("bad-input", "it has errors", {name, 0, 0, 0, ""});
  if (repairs.empty())
    return error;
  if (options.strict)
    return joinErrors(std::move(error),
                      inputError("repaired", "repaired: " + repairs, {name, 0, 0, 0, ""}));
  printMessage(Severity::Warning, name, "repaired: " + repairs);
  return error;
}

/// Brings the ranks into this order; ranks that it leaves out go, with what is known about them.
static void arrange(Loaded &all, ArrayRef<size_t> order) {
  std::vector<int64_t> place(all.trace.ranks.size(), -1);
  std::vector<std::unique_ptr<Rank>> ranks;
  std::vector<std::string> files;
  for (size_t old : order) {
    place[old] = static_cast<int64_t>(ranks.size());
    ranks.push_back(std::move(all.trace.ranks[old]));
    files.push_back(std::move(all.files[old]));
  }
  all.trace.ranks = std::move(ranks);
  all.files = std::move(files);
  auto gone = [&](std::optional<int64_t> rank) {
    return rank && *rank >= 0 && (static_cast<size_t>(*rank) >= place.size() || place[*rank] < 0);
  };
  erase_if(all.results.units, [&](const PassResult &u) { return gone(u.rank); });
  for (PassResult &u : all.results.units) {
    if (u.rank >= 0)
      u.rank = place[u.rank];
    erase_if(u.remarks, [&](const Remark &r) { return gone(r.rank); });
    for (Remark &r : u.remarks)
      if (r.rank && *r.rank >= 0)
        r.rank = place[*r.rank];
  }
}

void printSkipped(ArrayRef<FoundInputs::Skipped> skipped) {
  constexpr size_t shown = 5;
  std::map<std::string, size_t> counts;
  for (const FoundInputs::Skipped &s : skipped)
    if (++counts[s.why] <= shown)
      printMessage(Severity::Note, s.path, "skipped: " + s.why);
  for (const auto &[why, n] : counts)
    if (n > shown)
      printMessage(Severity::Note, "", "skipped: " + Twine(n - shown) + " more: " + why);
}

/// Tables tell ranks apart by number and cycle: says which inputs share both, and which state no
/// number.
static void warnOfNumbers(const Trace &trace) {
  std::map<int64_t, std::vector<std::string>> files;
  size_t unstated = 0;
  for (size_t i = 0; i != trace.ranks.size(); ++i) {
    const Rank &rank = *trace.ranks[i];
    if (rank.cycle.value_or(1) > 1)
      continue;
    files[rankLabel(trace, i)].push_back(rank.recording.path);
    unstated += !rank.number;
  }
  for (const auto &[number, paths] : files)
    if (paths.size() > 1)
      printMessage(
          Severity::Warning, "",
          Twine(paths.size()) + " inputs are rank " + Twine(number) +
              ": tables do not tell them apart, unless -p merge-ranks does: " + join(paths, ", "));
  size_t ranks = countRanks(trace);
  if (unstated && ranks > 1)
    printMessage(Severity::Note, "",
                 Twine(unstated) + " of " + Twine(ranks) +
                     " inputs state no rank: each has its place in the order of inputs as its "
                     "number, and may be a further cycle of another");
}

static Error select(Loaded &all, const Selection &selection) {
  if (selection.ranks.empty())
    return Error::success();
  std::vector<size_t> kept;
  std::set<int64_t> there;
  for (size_t i = 0; i != all.trace.ranks.size(); ++i) {
    there.insert(rankLabel(all.trace, i));
    if (selection.wantsRank(rankLabel(all.trace, i)))
      kept.push_back(i);
  }
  if (std::string why = missingRange(selection.ranks, there, "--rank", "rank"); !why.empty())
    return usageError("no-rank", why);
  arrange(all, kept);
  return Error::success();
}

Expected<Loaded> loadInputs(const ImporterRegistry &importers, ArrayRef<std::string> named,
                            const LoadOptions &options, Watch &watch) {
  Loaded all;
  FoundInputs found;
  Error notFound = findInputs(importers, named, found);
  printSkipped(found.skipped);
  if (notFound)
    return notFound;
  all.inputs = std::move(found.files);

  watch.phase(all.inputs.size() == 1 ? "reading " + all.inputs[0]
                                     : "reading " + std::to_string(all.inputs.size()) + " files",
              /*bytes=*/true);
  if (options.memory != UINT64_MAX)
    all.trace.residency = std::make_shared<Residency>(options.memory, makeRankStore(Limits()));
  std::vector<Part> parts(all.inputs.size());
  auto read = [&](size_t i) {
    readPart(importers, all.inputs[i], options, all.trace.residency, parts.size() > 1,
             watch.progress(), parts[i]);
  };
  if (options.threads > 1 && parts.size() > 1) {
    DefaultThreadPool pool(hardware_concurrency(options.threads));
    for (size_t i = 0; i != parts.size(); ++i)
      pool.async([&read, i] { read(i); });
    pool.wait();
  } else {
    for (size_t i = 0; i != parts.size(); ++i)
      read(i);
  }
  watch.clear();

  Error errors = Error::success();
  std::vector<Evidence> evidence;
  for (size_t i = 0; i != parts.size(); ++i) {
    errors = joinErrors(std::move(errors), finishPart(all.inputs[i], options, parts[i]));
    auto base = static_cast<int64_t>(all.trace.ranks.size());
    all.bytes.read += parts[i].bytes.read;
    all.bytes.all += parts[i].bytes.all;
    append(all.trace, std::move(parts[i].trace));
    all.files.resize(all.trace.ranks.size(), all.inputs[i] == "-" ? "<stdin>" : all.inputs[i]);
    for (Evidence &e : parts[i].evidence)
      evidence.push_back(std::move(e));
    for (PassResult &u : parts[i].results.units) {
      u.rank += u.rank >= 0 ? base : 0;
      for (Remark &r : u.remarks)
        if (r.rank && *r.rank >= 0)
          *r.rank += base;
      all.results.units.push_back(std::move(u));
    }
  }
  if (errors)
    return errors;

  if (parts.size() > 1) { // one file keeps its order; of several those without number come last
    arrange(all, groupCycles(all.trace, evidence));
    stable_sort(all.results.units,
                [](const PassResult &a, const PassResult &b) { return a.rank < b.rank; });
    if (!options.merges)
      warnOfNumbers(all.trace);
  }
  if (Error e = select(all, options.selection))
    return e;
  all.trace.provenance.toolVersion = HEDDLE_VERSION;
  return all;
}

} // namespace heddle
