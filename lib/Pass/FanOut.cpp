//===- FanOut.cpp - Rank passes over all ranks ----------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "PassRun.h"
#include "heddle/IR/Verifier.h"

#include "llvm/ADT/DenseSet.h"
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

} // namespace heddle
