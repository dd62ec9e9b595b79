//===- PassManager.cpp - Runs a pipeline ----------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//
// The pipeline is cut into segments: a run of rank passes is one fan-out, a trace pass stands
// alone. A rank's task touches that rank, its cache and its own buffers only; what it found is
// merged after the fan-out, in order, by the calling thread.
//
//===----------------------------------------------------------------------===//

#include "heddle/Pass/PassManager.h"
#include "heddle/IR/Verifier.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ThreadPool.h"
#include <chrono>
#include <ctime>
#include <numeric>
#include <random>

using namespace llvm;

namespace heddle {
namespace {

/// A failure on its way out of a task; an llvm::Error cannot wait unchecked.
struct Failure {
  Diagnostic diagnostic;
  ExitCode code = ExitCode::Internal;
};

} // namespace

static Failure internalFailure(StringRef id, const Twine &message) {
  Failure f;
  f.diagnostic.id = id.str();
  f.diagnostic.message = message.str();
  return f;
}

/// `where` is "pass 'x' on rank 3"; a message without place becomes "pass 'x' on rank 3: ...".
static Failure fromError(Error error, const Twine &where) {
  Failure f = internalFailure("pass-failed", "");
  handleAllErrors(
      std::move(error),
      [&](const DiagnosticError &e) {
        f.diagnostic = e.diagnostic;
        f.code = e.code;
      },
      [&](const ErrorInfoBase &e) { f.diagnostic.message = e.message(); });
  f.diagnostic.message = (where + ": " + f.diagnostic.message).str();
  return f;
}

namespace {

/// What a task knows about its rank between passes.
struct RankState {
  RankState(Rank &rank, uint32_t ordinal)
      : rank(rank), ordinal(ordinal), label(rank.number.value_or(ordinal)), cache(rank) {}

  Rank &rank;
  uint32_t ordinal;
  int64_t label;
  AnalysisCache cache;
  std::optional<bool> capabilities[kNumCapabilities];

  // Of the current fan-out:
  std::vector<std::pair<size_t, PassResult>> results; ///< With the pass's position.
  std::vector<Remark *> earlier;                      ///< Remarks of earlier segments about it.
  std::vector<const Remark *> lost;                   ///< Of these: no evidence is left.
  std::vector<std::string> log;
  std::vector<PassTiming> times; ///< By position in the segment.
  bool rewritten = false;
  std::optional<Failure> failure;

  bool has(Capability c) {
    std::optional<bool> &known = capabilities[static_cast<unsigned>(c)];
    if (!known)
      known = hasCapability(rank, c);
    return *known;
  }
};

/// Adds the time between its construction and destruction to a timing, if there is one.
class Stopwatch {
public:
  explicit Stopwatch(PassTiming *timing)
      : timing(timing), cpu(timing ? threadSeconds() : 0), wall(Clock::now()) {}
  ~Stopwatch() {
    if (!timing)
      return;
    timing->cpuSeconds += threadSeconds() - cpu;
    timing->wallSeconds += std::chrono::duration<double>(Clock::now() - wall).count();
    ++timing->runs;
  }

private:
  using Clock = std::chrono::steady_clock;
  static double threadSeconds() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return double(t.tv_sec) + double(t.tv_nsec) * 1e-9;
  }
  PassTiming *timing;
  double cpu;
  Clock::time_point wall;
};

} // namespace

class PassManager::Run {
public:
  Run(const PassOptions &options, const Pipeline &pipeline, Trace &trace, Results &results,
      std::vector<PassTiming> &times)
      : options(options), passes(pipeline.passes), trace(trace), results(results), times(times) {}

  Error run();

private:
  void findRanks();
  std::optional<Failure> runFanOut(size_t first, size_t last);
  void runRank(RankState &s, size_t first, size_t last);
  std::optional<Failure> runRankPass(RankState &s, const PassInstance &p, PassResult &out);
  std::optional<Failure> finishRewrite(RankState &s, RankEditor &editor, PassResult &out);
  void merge(size_t first, size_t last);
  std::optional<Failure> runTracePass(size_t index);
  std::optional<Failure> runTraceRewrite(const PassInstance &p, TraceContext &context,
                                         PassResult &out, const std::string &where);

  bool abstains(const PassInfo &info, function_ref<bool(Capability)> has, StringRef whole,
                PassResult &out) const;
  bool isRewrite(StringRef passName) const {
    return any_of(passes, [&](const PassInstance &p) {
      return p.info->kind == PassKind::Rewrite && p.info->name == passName;
    });
  }
  bool printsAfter(size_t index) const {
    return is_contained(options.printAfter, passes[index].info->name.str());
  }
  bool cancelled() const { return options.progress && options.progress->cancelled; }
  void advance(size_t units) const {
    if (options.progress)
      options.progress->done += units;
  }
  bool verifies(const PassInfo &info) const {
#ifndef NDEBUG
    return options.verifyEach || info.kind == PassKind::Rewrite;
#else
    (void)info;
    return options.verifyEach;
#endif
  }

  const PassOptions &options;
  ArrayRef<PassInstance> passes;
  Trace &trace;
  Results &results;
  std::vector<PassTiming> &times;
  std::vector<std::unique_ptr<RankState>> ranks;
  std::unique_ptr<DefaultThreadPool> pool;
};

/// Runs `body`; an exception becomes a failure. LLVM's pool would swallow it.
static std::optional<Failure> guarded(const std::string &where,
                                      function_ref<std::optional<Failure>()> body) {
  try {
    return body();
  } catch (const std::exception &e) {
    return internalFailure("pass-exception", where + " threw an exception: " + e.what());
  } catch (...) {
    return internalFailure("pass-exception", where + " threw an exception");
  }
}

void PassManager::Run::findRanks() {
  ranks.clear();
  for (uint32_t i = 0; i != trace.ranks.size(); ++i)
    ranks.push_back(std::make_unique<RankState>(*trace.ranks[i], i));
}

Error PassManager::Run::run() {
  findRanks();
  times.clear();
  for (const PassInstance &p : passes)
    times.push_back({p.info->name.str(), 0, 0, 0});
  if (options.progress) {
    options.progress->done = 0;
    options.progress->total = passes.size() * std::max<size_t>(1, ranks.size());
  }
  if (options.threads > 1 && ranks.size() > 1)
    pool = std::make_unique<DefaultThreadPool>(hardware_concurrency(options.threads));

  for (size_t i = 0; i != passes.size();) {
    size_t next = i + 1;
    std::optional<Failure> failure;
    if (passes[i].info->level == Level::Rank) {
      while (next != passes.size() && passes[next].info->level == Level::Rank &&
             !printsAfter(next - 1))
        ++next;
      failure = runFanOut(i, next);
    } else {
      failure = runTracePass(i);
    }
    if (failure)
      return make_error<DiagnosticError>(std::move(failure->diagnostic), failure->code);
    if (printsAfter(next - 1) && options.onPrintAfter)
      options.onPrintAfter(passes[next - 1], trace);
    i = next;
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Rank level
//===----------------------------------------------------------------------===//

std::optional<Failure> PassManager::Run::runFanOut(size_t first, size_t last) {
  for (auto &s : ranks) {
    s->results.clear();
    s->earlier.clear();
    s->lost.clear();
    s->log.clear();
    s->times.assign(last - first, {});
    s->rewritten = false;
    s->failure.reset();
  }
  for (PassResult &unit : results.units)
    for (Remark &r : unit.remarks)
      if (r.rank && *r.rank >= 0 && static_cast<size_t>(*r.rank) < ranks.size())
        ranks[*r.rank]->earlier.push_back(&r);

  std::vector<uint32_t> order(ranks.size());
  std::iota(order.begin(), order.end(), 0u);
  if (options.scheduleSeed)
    std::shuffle(order.begin(), order.end(), std::mt19937(options.scheduleSeed));

  // Ranks after one that failed need not run; those before it must, since the first one's failure
  // is the answer whatever the schedule.
  std::atomic<uint32_t> failed{~0u};
  auto task = [&](uint32_t ordinal) {
    RankState &s = *ranks[ordinal];
    if (ordinal > failed)
      return;
    runRank(s, first, last);
    if (!s.failure)
      return;
    uint32_t seen = failed;
    while (ordinal < seen && !failed.compare_exchange_weak(seen, ordinal))
      ;
  };
  if (pool) {
    for (uint32_t ordinal : order)
      pool->async([&task, ordinal] { task(ordinal); });
    pool->wait();
  } else {
    for (uint32_t ordinal : order)
      task(ordinal);
  }

  if (failed != ~0u)
    return std::move(ranks[failed]->failure);
  merge(first, last);
  return std::nullopt;
}

void PassManager::Run::runRank(RankState &s, size_t first, size_t last) {
  s.cache.observer = nullptr;
  if (options.debugLog)
    s.cache.observer = [&s](StringRef event, StringRef analysis) {
      s.log.push_back(("rank " + Twine(s.label) + ":   " + event + " " + analysis).str());
    };
  for (size_t i = first; i != last; ++i) {
    const PassInstance &p = passes[i];
    if (cancelled()) {
      s.failure = internalFailure("cancelled", "cancelled");
      return;
    }
    if (options.debugLog)
      s.log.push_back(("rank " + Twine(s.label) + ": run " + p.print()).str());
    PassResult out;
    out.pass = p.print();
    out.passName = p.info->name.str();
    out.rank = s.ordinal;
    std::string where = ("pass '" + p.info->name + "' on rank " + Twine(s.label)).str();
    {
      Stopwatch watch(options.timePasses ? &s.times[i - first] : nullptr);
      s.failure = guarded(where, [&] { return runRankPass(s, p, out); });
    }
    if (s.failure)
      return;
    out.generation = s.rank.generation();
    if (p.info->kind == PassKind::Check)
      erase_if(s.results, [&](const auto &r) { return r.second.passName == out.passName; });
    s.results.emplace_back(i, std::move(out));
    advance(1);
  }
}

/// Whether the unit lacks something that the pass needs; then says so for the pass.
bool PassManager::Run::abstains(const PassInfo &info, function_ref<bool(Capability)> has,
                                StringRef whole, PassResult &out) const {
  if (info.kind == PassKind::Rewrite) // it changes what there is
    return false;
  for (Capability c : info.needs)
    if (!has(c))
      out.abstained.push_back(
          {("the " + whole + " has no " + capabilityName(c)).str(), capabilityAdvice(c).str()});
  return !out.abstained.empty();
}

std::optional<Failure> PassManager::Run::runRankPass(RankState &s, const PassInstance &p,
                                                     PassResult &out) {
  const PassInfo &info = *p.info;
  auto where = [&] { return ("pass '" + info.name + "' on rank " + Twine(s.label)).str(); };
  if (abstains(info, [&](Capability c) { return s.has(c); }, "recording", out)) {
    if (options.debugLog)
      for (const Abstention &a : out.abstained)
        s.log.push_back(("rank " + Twine(s.label) + ":   abstain: " + a.reason).str());
    return std::nullopt;
  }

  RankContext context(info, out, options.selection, options.limits, options.progress, s.cache,
                      s.ordinal, s.label);
  if (info.kind == PassKind::Check) {
    const auto *check = dynamic_cast<const RankCheck *>(p.pass.get());
    if (!check)
      return internalFailure("bad-pass", where() + " is no rank check, as its description says");
    if (Error e = check->run(s.rank, context))
      return fromError(std::move(e), where());
  } else {
    const auto *rewrite = dynamic_cast<const RankRewrite *>(p.pass.get());
    if (!rewrite)
      return internalFailure("bad-pass", where() + " is no rank rewrite, as its description says");
    RankEditor editor(s.rank, info.effects(p.params));
    if (Error e = rewrite->run(editor, context))
      return fromError(std::move(e), where());
    if (std::optional<Failure> f = finishRewrite(s, editor, out))
      return f;
  }
  if (!context.fault.empty())
    return internalFailure("undeclared-result", where() + " published the " + context.fault);
  if (verifies(info))
    if (Error e = verify(s.rank)) {
      Failure f = fromError(std::move(e), where() + " left an invalid rank");
      f.code = ExitCode::Internal;
      return f;
    }
  return std::nullopt;
}

/// Brings what was known about the rank up to date with an edit.
std::optional<Failure> PassManager::Run::finishRewrite(RankState &s, RankEditor &editor,
                                                       PassResult &out) {
  Effects written = editor.written();
  if (written.none())
    return std::nullopt;
  s.rewritten = true;
  s.cache.invalidate(written);
  for (std::optional<bool> &known : s.capabilities)
    known.reset();
  for (auto &[position, result] : s.results)
    result.stale |= !isRewrite(result.passName);

  int64_t lost = 0;
  auto follow = [&](Remark &r) { // false if it had evidence and none is left
    if (r.evidence.empty())
      return true;
    for (const Remap &remap : editor.remaps())
      for (EventRef &e : r.evidence)
        e = remap(e);
    erase_if(r.evidence, [](EventRef e) { return !e.valid(); });
    return !r.evidence.empty();
  };
  if (!editor.remaps().empty()) {
    for (auto &[position, result] : s.results)
      erase_if(result.remarks, [&](Remark &r) { return !follow(r) && ++lost; });
    erase_if(s.earlier, [&](Remark *r) {
      if (follow(*r))
        return false;
      s.lost.push_back(r);
      return ++lost != 0;
    });
  }
  if (lost)
    out.stats.push_back({kRemarksLost.name.str(), lost, kRemarksLost.severity});
  return std::nullopt;
}

/// Appends the buffered results in order (position, rank), and what they mean for earlier ones.
void PassManager::Run::merge(size_t first, size_t last) {
  DenseSet<const Remark *> lost;
  for (auto &s : ranks)
    lost.insert(s->lost.begin(), s->lost.end());
  for (PassResult &unit : results.units) {
    if (!lost.empty())
      erase_if(unit.remarks, [&](const Remark &r) { return lost.contains(&r); });
    if (isRewrite(unit.passName))
      continue;
    for (auto &s : ranks)
      if (s->rewritten && (unit.rank < 0 || unit.rank == s->ordinal))
        unit.stale = true;
  }
  for (size_t i = first; i != last; ++i) {
    const PassInfo &info = *passes[i].info;
    if (info.kind == PassKind::Check)
      erase_if(results.units, [&](const PassResult &unit) {
        return unit.rank >= 0 && unit.passName == info.name;
      });
    for (auto &s : ranks) {
      for (auto &[position, result] : s->results)
        if (position == i)
          results.units.push_back(std::move(result));
      times[i].cpuSeconds += s->times[i - first].cpuSeconds;
      times[i].wallSeconds += s->times[i - first].wallSeconds;
      times[i].runs += s->times[i - first].runs;
    }
  }
  if (options.debugLog)
    for (auto &s : ranks)
      for (const std::string &line : s->log)
        options.debugLog(line);
  for (auto &s : ranks)
    s->results.clear();
}

//===----------------------------------------------------------------------===//
// Trace level
//===----------------------------------------------------------------------===//

std::optional<Failure> PassManager::Run::runTracePass(size_t index) {
  const PassInstance &p = passes[index];
  const PassInfo &info = *p.info;
  if (cancelled())
    return internalFailure("cancelled", "cancelled");
  if (options.debugLog)
    options.debugLog("trace: run " + p.print());
  PassResult out;
  out.pass = p.print();
  out.passName = info.name.str();

  std::vector<AnalysisCache *> caches;
  std::vector<int64_t> labels;
  for (auto &s : ranks) {
    caches.push_back(&s->cache);
    labels.push_back(s->label);
    s->cache.observer = nullptr;
    if (options.debugLog)
      s->cache.observer = [this, &s](StringRef event, StringRef analysis) {
        options.debugLog(("rank " + Twine(s->label) + ":   " + event + " " + analysis).str());
      };
  }
  auto has = [&](Capability c) { return any_of(ranks, [&](auto &s) { return s->has(c); }); };
  std::string where = ("pass '" + info.name + "'").str();
  if (abstains(info, has, "trace", out)) {
    if (options.debugLog)
      for (const Abstention &a : out.abstained)
        options.debugLog("trace:   abstain: " + a.reason);
  } else {
    TraceContext context(info, out, options.selection, options.limits, options.progress, caches,
                         labels, results);
    std::optional<Failure> failure;
    {
      Stopwatch watch(options.timePasses ? &times[index] : nullptr);
      failure = guarded(where, [&]() -> std::optional<Failure> {
        if (info.kind == PassKind::Rewrite)
          return runTraceRewrite(p, context, out, where);
        const auto *check = dynamic_cast<const TraceCheck *>(p.pass.get());
        if (!check)
          return internalFailure("bad-pass", where + " is no trace check, as its description says");
        if (Error e = check->run(trace, context))
          return fromError(std::move(e), where);
        return std::nullopt;
      });
    }
    if (failure)
      return failure;
    if (!context.fault.empty())
      return internalFailure("undeclared-result", where + " published the " + context.fault);
    if (verifies(info))
      if (Error e = verify(trace)) {
        Failure f = fromError(std::move(e), where + " left an invalid trace");
        f.code = ExitCode::Internal;
        return f;
      }
  }
  if (info.kind == PassKind::Check)
    erase_if(results.units,
             [&](const PassResult &unit) { return unit.rank < 0 && unit.passName == info.name; });
  results.units.push_back(std::move(out));
  advance(std::max<size_t>(1, ranks.size()));
  return std::nullopt;
}

/// A rewrite of the trace has no editor that would tell where events went, so evidence in a rank
/// whose structure changed is lost.
std::optional<Failure> PassManager::Run::runTraceRewrite(const PassInstance &p,
                                                         TraceContext &context, PassResult &out,
                                                         const std::string &where) {
  const auto *rewrite = dynamic_cast<const TraceRewrite *>(p.pass.get());
  if (!rewrite)
    return internalFailure("bad-pass", where + " is no trace rewrite, as its description says");
  std::vector<std::pair<const Rank *, uint64_t>> before;
  for (auto &r : trace.ranks)
    before.emplace_back(r.get(), r->generation());
  if (Error e = rewrite->run(trace, context))
    return fromError(std::move(e), where);

  Effects effects = p.info->effects(p.params);
  std::vector<bool> changed(before.size());
  for (size_t i = 0; i != before.size(); ++i)
    changed[i] = i >= trace.ranks.size() || trace.ranks[i].get() != before[i].first ||
                 trace.ranks[i]->generation() != before[i].second;
  bool structural = trace.ranks.size() != before.size() || is_contained(changed, true);
  if (structural && !effects.structural)
    return internalFailure("undeclared-write", where +
                                                   " changed the structure of the trace, which " +
                                                   "its effects do not declare");
  if (effects.none())
    return std::nullopt;
  int64_t lost = 0;
  for (PassResult &unit : results.units) {
    unit.stale |= !isRewrite(unit.passName);
    erase_if(unit.remarks, [&](const Remark &r) {
      return !r.evidence.empty() && r.rank && static_cast<size_t>(*r.rank) < changed.size() &&
             changed[*r.rank] && ++lost;
    });
  }
  if (lost)
    out.stats.push_back({kRemarksLost.name.str(), lost, kRemarksLost.severity});
  if (structural)
    findRanks();
  else
    for (auto &s : ranks) {
      s->cache.invalidate(effects);
      for (std::optional<bool> &known : s->capabilities)
        known.reset();
    }
  return std::nullopt;
}

Error PassManager::run(const Pipeline &pipeline, Trace &trace, Results &results) {
  return Run(options, pipeline, trace, results, times).run();
}

} // namespace heddle
