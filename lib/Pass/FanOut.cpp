//===- FanOut.cpp - Rank passes over all ranks ----------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "PassRun.h"
#include "heddle/IR/Verifier.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include <numeric>
#include <random>

using namespace llvm;

namespace heddle {

std::optional<Failure> PassManager::Run::runFanOut(size_t first, size_t last) {
  for (auto &s : ranks) {
    s->results.clear();
    s->earlier.clear();
    s->lost.clear();
    s->log.clear();
    s->times.assign(passes.size() - first, {});
    s->rewritten = s->resultsTaken = s->dropped = false;
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
  return dropRanks(first, last);
}

void PassManager::Run::runRank(RankState &s, size_t first, size_t last) {
  if (Expected<RankHold> held = trace.hold(s.ordinal)) {
    runHeldRank(s, first, last);
    if (!s.failure && !s.dropped)
      prepare(s, first, last);
  } else
    s.failure = fromError(held.takeError());
  letGo(s);
}

/// Summaries for the passes that follow, up to one that changes the trace.
void PassManager::Run::prepare(RankState &s, size_t first, size_t last) {
  for (size_t i = last; i != passes.size() && passes[i].info->level == Level::Trace; ++i) {
    const PassInfo &info = *passes[i].info;
    for (Capability c : info.needs)
      s.has(c);
    if (info.prepare && !cancelled()) {
      Stopwatch watch(options.timePasses ? &s.times[i - first] : nullptr, /*isRun=*/false);
      AnalysisContext context(s.cache, options.limits, options.progress);
      // What is thrown is thrown again where the pass asks.
      (void)guarded(("preparing pass '" + info.name + "'").str(), [&]() -> std::optional<Failure> {
        info.prepare(context);
        return std::nullopt;
      });
    }
    if (info.kind == PassKind::Rewrite)
      return;
  }
}

void PassManager::Run::runHeldRank(RankState &s, size_t first, size_t last) {
  s.cache.observer = nullptr;
  if (options.debugLog)
    s.cache.observer = [&s](StringRef analysis, StringRef what) {
      s.log.push_back(("rank " + Twine(s.label) + ":   " + analysis + ": " + what).str());
    };
  for (size_t i = first; i != last; ++i) {
    const PassInstance &p = passes[i];
    if (cancelled()) {
      s.failure = internalFailure("cancelled", "cancelled");
      return;
    }
    if (options.debugLog)
      s.log.push_back(("rank " + Twine(s.label) + ": run " + p.print(hidesTexts)).str());
    PassResult out;
    out.pass = p.print(hidesTexts);
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
    if (s.dropped) {
      advance(last - i - 1);
      return;
    }
  }
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
  s.dropped = editor.rankDropped();
  if (written.none())
    return std::nullopt;
  s.rewritten = true;
  s.cache.invalidate(written, out.pass);
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
  if (written.writes(ColumnId::Results)) {
    s.resultsTaken = true;
    int64_t taken = s.ordinal == 0 ? std::exchange(takenOfInput, 0) : 0;
    for (auto &[position, result] : s.results)
      taken += takeQuotes(result, isRewrite(result.passName));
    // What concerns the whole trace is counted once, for the first rank.
    for (const PassResult &unit : results.units)
      if (unit.rank == s.ordinal || (unit.rank < 0 && s.ordinal == 0)) {
        PassResult copy = unit;
        taken += takeQuotes(copy, isRewrite(unit.passName));
      }
    if (taken)
      out.stats.push_back({kResultsDropped.name.str(), taken, kResultsDropped.severity});
  }
  return std::nullopt;
}

int64_t takeQuotes(PassResult &result, bool isRewrite) {
  size_t taken = result.tables.size() + result.remarks.size() + result.abstained.size();
  result.tables.clear();
  result.remarks.clear();
  result.abstained.clear();
  if (!isRewrite)
    result.stats.clear();
  return static_cast<int64_t>(taken);
}

/// Appends the buffered results in order (position, rank), and what they mean for earlier ones.
void PassManager::Run::merge(size_t first, size_t last) {
  DenseSet<const Remark *> lost;
  for (auto &s : ranks)
    lost.insert(s->lost.begin(), s->lost.end());
  for (PassResult &unit : results.units) {
    if (!lost.empty())
      erase_if(unit.remarks, [&](const Remark &r) { return lost.contains(&r); });
    for (auto &s : ranks)
      if (s->resultsTaken && (unit.rank < 0 || unit.rank == s->ordinal))
        takeQuotes(unit, isRewrite(unit.passName));
    if (isRewrite(unit.passName))
      continue;
    for (auto &s : ranks)
      if (s->rewritten && (unit.rank < 0 || unit.rank == s->ordinal))
        unit.stale = true;
  }
  if (hidesTexts)
    erase_if(results.units, [](const PassResult &u) {
      return u.tables.empty() && u.remarks.empty() && u.stats.empty() && u.abstained.empty();
    });
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
    }
  }
  for (auto &s : ranks)
    for (size_t i = first; i != passes.size(); ++i) {
      times[i].cpuSeconds += s->times[i - first].cpuSeconds;
      times[i].wallSeconds += s->times[i - first].wallSeconds;
      times[i].runs += s->times[i - first].runs;
    }
  if (options.debugLog)
    for (auto &s : ranks)
      for (const std::string &line : s->log)
        options.debugLog(line);
  for (auto &s : ranks)
    s->results.clear();
}

/// Takes ranks out that a rewrite dropped, with what is known about them; numbers the others anew.
std::optional<Failure> PassManager::Run::dropRanks(size_t first, size_t last) {
  std::vector<int64_t> place;
  std::vector<std::string> labels;
  int64_t kept = 0;
  for (auto &s : ranks) {
    place.push_back(s->dropped ? -1 : kept++);
    labels.push_back(std::to_string(s->label));
  }
  if (kept == static_cast<int64_t>(ranks.size()))
    return std::nullopt;
  if (kept == 0) {
    std::string names;
    for (size_t i = first; i != last; ++i)
      if (passes[i].info->kind == PassKind::Rewrite)
        names += (names.empty() ? "'" : ", '") + passes[i].info->name.str() + "'";
    Failure f = internalFailure("no-rank", "the pass " + names + " leaves none of the ranks " +
                                               join(labels, ", "));
    f.code = ExitCode::Usage;
    return f;
  }
  auto gone = [&](const std::optional<int64_t> &rank) {
    return rank && *rank >= 0 && static_cast<size_t>(*rank) < place.size() && place[*rank] < 0;
  };
  auto move = [&](int64_t &rank) {
    if (rank >= 0 && static_cast<size_t>(rank) < place.size())
      rank = place[rank];
  };
  erase_if(results.units, [&](const PassResult &u) { return gone(u.rank); });
  for (PassResult &u : results.units) {
    move(u.rank);
    erase_if(u.remarks, [&](const Remark &r) { return gone(r.rank); });
    for (Remark &r : u.remarks)
      if (r.rank)
        move(*r.rank);
    u.stale |= u.rank < 0 && !isRewrite(u.passName);
  }
  std::vector<std::unique_ptr<Rank>> remaining;
  for (size_t i = 0; i != trace.ranks.size(); ++i)
    if (place[i] >= 0)
      remaining.push_back(std::move(trace.ranks[i]));
  trace.ranks = std::move(remaining);
  findRanks();
  return std::nullopt;
}

} // namespace heddle
