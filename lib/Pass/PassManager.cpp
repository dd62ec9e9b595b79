//===- PassManager.cpp - Runs a pipeline ----------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "PassRun.h"
#include "heddle/IR/Verifier.h"
#include "llvm/Support/PrettyStackTrace.h"

using namespace llvm;

namespace heddle {

Failure internalFailure(StringRef id, const Twine &message) {
  Failure f;
  f.diagnostic.id = id.str();
  f.diagnostic.message = message.str();
  return f;
}

Failure fromError(Error error, const Twine &where) {
  Failure f = internalFailure("pass-failed", "");
  handleAllErrors(
      std::move(error),
      [&](const DiagnosticError &e) {
        f.diagnostic = e.diagnostic;
        f.code = e.code;
      },
      [&](const ErrorInfoBase &e) { f.diagnostic.message = e.message(); });
  if (!where.isTriviallyEmpty())
    f.diagnostic.message = (where + ": " + f.diagnostic.message).str();
  return f;
}

std::optional<Failure> guarded(const std::string &where,
                               function_ref<std::optional<Failure>()> body) {
  PrettyStackTraceString crash(where.c_str());
  try {
    return body();
  } catch (const std::exception &e) {
    return internalFailure("pass-exception", where + " threw an exception: " + e.what());
  } catch (...) {
    return internalFailure("pass-exception", where + " threw an exception");
  }
}

void PassManager::Run::findRanks(StringRef since) {
  ranks.clear();
  for (uint32_t i = 0; i != trace.ranks.size(); ++i)
    ranks.push_back(std::make_unique<RankState>(*trace.ranks[i], i, rankLabel(trace, i), since));
}

Error PassManager::Run::run() {
  findRanks();
  if (hidesTexts) { // their passes and parameters are another run's: nothing of them can stay
    for (PassResult &unit : results.units)
      takenOfInput += takeQuotes(unit, /*isRewrite=*/false);
    results.units.clear();
  }
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
    for (auto &s : ranks) // whoever held ranks may have let others go
      letGo(*s);
    i = next;
  }
  return Error::success();
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

//===----------------------------------------------------------------------===//
// Trace level
//===----------------------------------------------------------------------===//

/// Looks for a rank that has it, up to the first.
std::optional<Failure> PassManager::Run::findCapability(Capability c) {
  for (auto &s : ranks) {
    if (!s->known(c)) {
      Expected<RankHold> held = trace.hold(s->ordinal);
      if (!held)
        return fromError(held.takeError());
      s->has(c);
    }
    letGo(*s);
    if (*s->known(c))
      break;
  }
  return std::nullopt;
}

void PassManager::Run::letGo(RankState &s) {
  if (!s.rank.resident())
    s.cache.forgetDetails();
}

std::optional<Failure> PassManager::Run::runTracePass(size_t index) {
  const PassInstance &p = passes[index];
  const PassInfo &info = *p.info;
  if (cancelled())
    return internalFailure("cancelled", "cancelled");
  if (options.debugLog)
    options.debugLog("trace: run " + p.print(hidesTexts));
  PassResult out;
  out.pass = p.print(hidesTexts);
  out.passName = info.name.str();

  std::vector<Rank *> rankList;
  std::vector<AnalysisCache *> caches;
  std::vector<int64_t> labels;
  for (auto &s : ranks) {
    rankList.push_back(&s->rank);
    caches.push_back(&s->cache);
    labels.push_back(s->label);
    s->cache.observer = nullptr;
    if (options.debugLog)
      s->cache.observer = [this, &s](StringRef analysis, StringRef what) {
        options.debugLog(("rank " + Twine(s->label) + ":   " + analysis + ": " + what).str());
      };
  }
  if (info.kind == PassKind::Check)
    for (Capability c : info.needs)
      if (std::optional<Failure> f = findCapability(c))
        return f;
  auto has = [&](Capability c) {
    return any_of(ranks, [&](auto &s) { return s->known(c).value_or(false); });
  };
  std::string where = ("pass '" + info.name + "'").str();
  if (abstains(info, has, "trace", out)) {
    if (options.debugLog)
      for (const Abstention &a : out.abstained)
        options.debugLog("trace:   abstain: " + a.reason);
  } else {
    TraceContext context(info, out, options.selection, options.limits, options.progress, rankList,
                         trace.residency.get(), caches, labels, results);
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

/// Results go with the rank that they are about, wherever it stands now; about one that has left
/// there are none. Returns how many remarks lost what they point at.
int64_t PassManager::Run::moveResults(const RankList &before) {
  DenseMap<const Rank *, int64_t> places;
  for (auto [i, rank] : enumerate(trace.ranks))
    places[rank.get()] = static_cast<int64_t>(i);
  auto isRank = [&](int64_t rank) {
    return rank >= 0 && static_cast<size_t>(rank) < before.size();
  };
  auto placeOf = [&](int64_t rank) -> std::optional<int64_t> {
    if (!isRank(rank))
      return rank;
    auto it = places.find(before[rank].first);
    return it == places.end() ? std::nullopt : std::optional(it->second);
  };
  int64_t lost = 0;
  erase_if(results.units, [&](const PassResult &unit) { return !placeOf(unit.rank); });
  for (PassResult &unit : results.units) {
    unit.rank = *placeOf(unit.rank);
    erase_if(unit.remarks, [&](Remark &r) {
      std::optional<int64_t> place = r.rank ? placeOf(*r.rank) : -1;
      bool points = r.rank && isRank(*r.rank) && !r.evidence.empty();
      bool gone = !place || (points && trace.ranks[*place]->generation() != before[*r.rank].second);
      lost += gone && points;
      if (!gone && r.rank)
        r.rank = place;
      return gone;
    });
  }
  for (auto first = results.units.begin(); first != results.units.end();) {
    auto last = std::find_if(first, results.units.end(),
                             [&](const PassResult &u) { return u.pass != first->pass; });
    std::stable_sort(first, last,
                     [](const PassResult &a, const PassResult &b) { return a.rank < b.rank; });
    first = last;
  }
  return lost;
}

/// A rewrite of the trace has no editor that would tell where events went, so evidence in a rank
/// whose structure changed is lost.
std::optional<Failure> PassManager::Run::runTraceRewrite(const PassInstance &p,
                                                         TraceContext &context, PassResult &out,
                                                         const std::string &where) {
  const auto *rewrite = dynamic_cast<const TraceRewrite *>(p.pass.get());
  if (!rewrite)
    return internalFailure("bad-pass", where + " is no trace rewrite, as its description says");
  RankList before;
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
  for (PassResult &unit : results.units)
    unit.stale |= !isRewrite(unit.passName);
  int64_t lost = moveResults(before);
  if (lost)
    out.stats.push_back({kRemarksLost.name.str(), lost, kRemarksLost.severity});
  if (effects.writes(ColumnId::Results)) {
    int64_t taken = std::exchange(takenOfInput, 0);
    for (PassResult &unit : results.units)
      taken += takeQuotes(unit, isRewrite(unit.passName));
    if (taken)
      out.stats.push_back({kResultsDropped.name.str(), taken, kResultsDropped.severity});
  }
  if (structural)
    findRanks(p.print(hidesTexts));
  else
    for (auto &s : ranks) {
      s->cache.invalidate(effects, p.print(hidesTexts));
      for (std::optional<bool> &known : s->capabilities)
        known.reset();
    }
  return std::nullopt;
}

Error PassManager::run(const Pipeline &pipeline, Trace &trace, Results &results) {
  return Run(options, pipeline, trace, results, times).run();
}

} // namespace heddle
