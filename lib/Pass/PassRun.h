//===- PassRun.h - One run of a pipeline ------------------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// The pipeline is cut into segments: a run of rank passes is one fan-out, a trace pass stands
/// alone. A rank's task touches that rank, its cache and its own buffers only; what it found is
/// merged after the fan-out, in order, by the calling thread.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_PASS_PASSRUN_H
#define HEDDLE_LIB_PASS_PASSRUN_H

#include "heddle/Pass/PassManager.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ThreadPool.h"
#include <chrono>
#include <ctime>

namespace heddle {

/// A failure on its way out of a task; an llvm::Error cannot wait unchecked.
struct Failure {
  Diagnostic diagnostic;
  ExitCode code = ExitCode::Internal;
};

Failure internalFailure(llvm::StringRef id, const llvm::Twine &message);
/// `where` is "pass 'x' on rank 3"; the message becomes "pass 'x' on rank 3: ...".
Failure fromError(llvm::Error error, const llvm::Twine &where = "");
/// Runs `body`; an exception becomes a failure. LLVM's pool would swallow it.
std::optional<Failure> guarded(const std::string &where,
                               llvm::function_ref<std::optional<Failure>()> body);

/// Takes from a result what may quote the trace; a rewrite's statistics stay. How much that was.
int64_t takeQuotes(PassResult &result, bool isRewrite);

/// What a task knows about its rank between passes.
struct RankState {
  RankState(Rank &rank, uint32_t ordinal, int64_t label, llvm::StringRef since)
      : rank(rank), ordinal(ordinal), label(label), cache(rank, since.str()) {}

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
  std::vector<PassTiming> times; ///< By position from the segment's first on.
  bool rewritten = false;
  bool resultsTaken = false; ///< A rewrite took earlier results away.
  bool dropped = false;      ///< A rewrite took the rank away.
  std::optional<Failure> failure;

  std::optional<bool> known(Capability c) const { return capabilities[static_cast<unsigned>(c)]; }
  /// The rank is held.
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
  explicit Stopwatch(PassTiming *timing, bool isRun = true)
      : timing(timing), isRun(isRun), cpu(timing ? threadSeconds() : 0), wall(Clock::now()) {}
  ~Stopwatch() {
    if (!timing)
      return;
    timing->cpuSeconds += threadSeconds() - cpu;
    timing->wallSeconds += std::chrono::duration<double>(Clock::now() - wall).count();
    timing->runs += isRun;
  }

private:
  using Clock = std::chrono::steady_clock;
  static double threadSeconds() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return double(t.tv_sec) + double(t.tv_nsec) * 1e-9;
  }
  PassTiming *timing;
  bool isRun; ///< Else it is work ahead of one.
  double cpu;
  Clock::time_point wall;
};

class PassManager::Run {
public:
  Run(const PassOptions &options, const Pipeline &pipeline, Trace &trace, Results &results,
      std::vector<PassTiming> &times)
      : options(options), passes(pipeline.passes), trace(trace), results(results), times(times),
        hidesTexts(pipeline.hidesTexts()) {}

  llvm::Error run();

private:
  /// `since` is the rewrite that changed which ranks there are, if one did.
  void findRanks(llvm::StringRef since = "");
  std::optional<Failure> runFanOut(size_t first, size_t last);
  void runRank(RankState &s, size_t first, size_t last);
  void prepare(RankState &s, size_t first, size_t last);
  void runHeldRank(RankState &s, size_t first, size_t last);
  std::optional<Failure> runRankPass(RankState &s, const PassInstance &p, PassResult &out);
  std::optional<Failure> finishRewrite(RankState &s, RankEditor &editor, PassResult &out);
  void merge(size_t first, size_t last);
  std::optional<Failure> dropRanks(size_t first, size_t last);
  std::optional<Failure> runTracePass(size_t index);
  std::optional<Failure> findCapability(Capability c);
  /// To be called when a rank was let go: what refers to its events goes with them.
  static void letGo(RankState &s);
  /// Ranks and their generations.
  using RankList = std::vector<std::pair<const Rank *, uint64_t>>;
  int64_t moveResults(const RankList &before);
  std::optional<Failure> runTraceRewrite(const PassInstance &p, TraceContext &context,
                                         PassResult &out, const std::string &where);

  bool abstains(const PassInfo &info, llvm::function_ref<bool(Capability)> has,
                llvm::StringRef whole, PassResult &out) const;
  bool isRewrite(llvm::StringRef passName) const {
    return llvm::any_of(passes, [&](const PassInstance &p) {
      return p.info->kind == PassKind::Rewrite && p.info->name == passName;
    });
  }
  bool printsAfter(size_t index) const {
    return llvm::is_contained(options.printAfter, passes[index].info->name.str());
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
  llvm::ArrayRef<PassInstance> passes;
  Trace &trace;
  Results &results;
  std::vector<PassTiming> &times;
  const bool hidesTexts;
  int64_t takenOfInput = 0; ///< Results of the input that were dropped, until they are counted.
  std::vector<std::unique_ptr<RankState>> ranks;
  std::unique_ptr<llvm::DefaultThreadPool> pool;
};

} // namespace heddle

#endif
