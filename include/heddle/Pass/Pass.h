//===- heddle/Pass/Pass.h - What a pass is ----------------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// A pass is a check (reads a unit, publishes results) or a rewrite (changes it through an
/// editor) at one of two levels: rank or trace. One constant PassInfo describes it and feeds the
/// pipeline parser, --help, the generated docs and the editor's checks. `run` is const: a pass has
/// no state between units, and rank passes run on several ranks at once.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_PASS_PASS_H
#define HEDDLE_PASS_PASS_H

#include "heddle/Analysis/Analysis.h"
#include "heddle/IR/Editor.h"
#include "heddle/IR/Result.h"
#include "heddle/IR/Trace.h"
#include "heddle/Pass/Selection.h"
#include "llvm/ADT/StringRef.h"

namespace heddle {

/// What a pass sees at once.
enum class Level : uint8_t { Trace, Rank };
/// Whether a pass only reads.
enum class PassKind : uint8_t { Check, Rewrite };

/// What a pass needs in a recording to answer; a closed list, so that `info` can say what a
/// recording can and cannot answer.
enum class Capability : uint8_t {
  DeviceWork, ///< Kernels, copies or fills.
  Launches,   ///< Device work that is linked to host launches.
  CpuOps,
  PythonStacks,
  Shapes,
  Memory,
  Syncs, ///< cuda_sync rows.
  Steps, ///< Step marks.
  Communication,
};
/// How many there are.
inline constexpr unsigned kNumCapabilities = static_cast<unsigned>(Capability::Communication) + 1;
/// For people: "device work", "Python stacks", ...
llvm::StringRef capabilityName(Capability c);
/// What to record so that it is there: "record with activities=[..., ProfilerActivity.CUDA]".
llvm::StringRef capabilityAdvice(Capability c);
/// Whether this rank has it. O(events) at worst; cheap.
bool hasCapability(const Rank &rank, Capability c);

/// What a parameter holds.
enum class ParamType : uint8_t { Int, Time, Enum, String, List };

/// One parameter. Times are written with a unit (5us, 1ms, 20ns, 2s); a list is separated by '+'.
struct ParamInfo {
  llvm::StringLiteral key;         ///< kebab-case.
  ParamType type;                  ///< How its text is parsed.
  llvm::StringLiteral defaultText; ///< As it would be written; must parse.
  llvm::StringLiteral help;        ///< One line for the docs.
  llvm::ArrayRef<llvm::StringLiteral> choices =
      {};              ///< Enum only (and List: allowed elements, if any).
  bool secret = false; ///< Never printed: `kHiddenText` stands for its value.
};
/// What is printed for a value that must not be.
inline constexpr llvm::StringLiteral kHiddenText = "***";

/// Parsed parameters, defaults filled in. Access with the wrong type or an unknown key throws
/// std::logic_error, which ends the run with the pass's name.
class ParamValues {
public:
  /// The number of an Int.
  int64_t getInt(llvm::StringRef key) const;
  /// The length of a Time.
  Duration getTime(llvm::StringRef key) const;
  llvm::StringRef getString(llvm::StringRef key) const; ///< String and Enum.
  /// The elements of a List.
  llvm::ArrayRef<std::string> getList(llvm::StringRef key) const;
  /// "" or "min=5us,top=3": the parameters that were given, in PassInfo order. `hideTexts`: without
  /// the values that are free text.
  std::string print(bool hideTexts = false) const;

private:
  friend class PipelineParser;
  struct Value {
    const ParamInfo *info = nullptr;
    bool given = false;
    std::string text;
    int64_t number = 0; ///< Int, Time (ns).
    std::vector<std::string> list;
  };
  const Value &value(llvm::StringRef key) const;
  std::vector<Value> values; ///< In PassInfo order.
};

/// A column of a declared table.
struct ColumnInfo {
  llvm::StringLiteral key;  ///< snake_case; ns columns end in _ns.
  Unit unit;                ///< Of its numbers.
  bool isText;              ///< Text, else numbers.
  llvm::StringLiteral help; ///< One line for the docs.
};
/// Columns that many tables have: what `RankContext::rankLabel` is for,
inline constexpr ColumnInfo kRankColumn = {"rank", Unit::None, false,
                                           "the rank's number, else its place among the inputs"};
/// `Track::device` or `DeviceTimeline::device`,
inline constexpr ColumnInfo kDeviceColumn = {"device", Unit::None, false, "device number"};
/// and `Track::stream` or `DeviceActivity::stream`.
inline constexpr ColumnInfo kStreamColumn = {"stream", Unit::None, false,
                                             "stream number as the recorder counts"};
/// A table that a pass may publish.
struct TableInfo {
  llvm::StringLiteral id;             ///< kebab-case, starts with the pass's name.
  llvm::StringLiteral title;          ///< One line for people.
  llvm::ArrayRef<ColumnInfo> columns; ///< In the order of cells.
  /// An empty table of this shape.
  Table make() const;
};
/// A remark that a pass may publish.
struct RemarkInfo {
  llvm::StringLiteral id;   ///< kebab-case; a promise that gates build on.
  llvm::StringLiteral help; ///< When it is emitted, with its threshold.
};
/// A statistic that a pass may keep.
struct StatInfo {
  llvm::StringLiteral name;     ///< kebab-case.
  Statistic::Severity severity; ///< Whether it counts something lost.
  llvm::StringLiteral help;     ///< One line for the docs.
};

/// What makes a pass's answer fuller. Without it the pass runs all the same.
struct WantInfo {
  Capability capability;       ///< What a recording may lack.
  llvm::StringLiteral without; ///< What the answer is then: "one window, the whole recording".
};

/// Computes summaries of a rank; what fails is left to whoever asks for it.
template <typename... As> void computeSummaries(AnalysisContext &context) {
  static_assert((As::summary && ...), "trace-level passes see summaries only");
  (llvm::consumeError(context.get<As>().takeError()), ...);
}

class PassBase;

/// One constant per pass.
struct PassInfo {
  llvm::StringLiteral name;        ///< kebab-case; the folder's name.
  llvm::StringLiteral summary;     ///< One line.
  llvm::StringLiteral description; ///< Paragraphs for the docs (Markdown).
  Level level;                     ///< Which of the four classes below it derives from,
  PassKind kind;                   ///< by level and kind.
  Effects (*effects)(const ParamValues &) = nullptr; ///< Rewrites only.
  llvm::ArrayRef<ParamInfo> params = {};             ///< In the order in which they are printed.
  llvm::ArrayRef<TableInfo> tables = {};             ///< All that it may publish.
  llvm::ArrayRef<RemarkInfo> remarks = {};           ///< Likewise.
  llvm::ArrayRef<StatInfo> stats = {};               ///< Likewise.
  llvm::ArrayRef<Capability> needs = {}; ///< A rank without one: the manager abstains for the pass.
  /// Makes the pass; may refuse values.
  llvm::Expected<std::unique_ptr<PassBase>> (*create)(const ParamValues &) = nullptr;
  llvm::ArrayRef<WantInfo> wants = {}; ///< A rank without one: told by `info`, and in the docs.
  /// Trace level: `computeSummaries` of what the pass asks for of every rank. They are computed
  /// where rank passes before it are through with a rank, so that it need not be read again, and
  /// for several ranks at once. Null: each where it is asked for.
  void (*prepare)(AnalysisContext &context) = nullptr;
};

/// What all passes share: they can be owned.
class PassBase {
public:
  virtual ~PassBase();
};

/// Where a pass publishes, and what it may ask for, while it runs on one unit.
class PassContext {
public:
  void table(Table t);   ///< Its id must be declared in PassInfo::tables, with those columns.
  void remark(Remark r); ///< Its id must be declared in PassInfo::remarks.
  void stat(llvm::StringRef name, int64_t value); ///< Adds to a declared statistic.
  /// Says what is missing, and what to record so that it is there.
  void abstain(llvm::StringRef reason, llvm::StringRef record);
  /// What the user wants to see.
  const Selection &selection() const { return *sel; }
  /// The bounds of the run.
  const Limits &limits() const { return *limitsPtr; }
  /// True once the run was cancelled; long loops poll it.
  bool cancelled() const { return progress && progress->cancelled; }

protected:
  friend class PassManager;
  PassContext(const PassInfo &info, PassResult &out, const Selection &sel, const Limits &limits,
              const Progress *progress)
      : info(info), out(out), sel(&sel), limitsPtr(&limits), progress(progress) {}
  void fail(const llvm::Twine &what);
  const PassInfo &info;
  PassResult &out;
  const Selection *sel;
  const Limits *limitsPtr;
  const Progress *progress;
  std::string fault; ///< The first thing published against PassInfo; an internal error.
};

/// The context of a pass that runs on one rank.
class RankContext : public PassContext {
public:
  /// An analysis of the rank, computed if need be.
  template <typename A> llvm::Expected<const A *> get() {
    return cache.get<A>(*limitsPtr, progress);
  }
  /// Index of the rank in the trace.
  uint32_t ordinal() const { return rankOrdinal; }
  /// What to put in a `rank` column: the rank's number, else its ordinal.
  int64_t rankLabel() const { return label; }

private:
  friend class PassManager;
  RankContext(const PassInfo &info, PassResult &out, const Selection &sel, const Limits &limits,
              const Progress *progress, AnalysisCache &cache, uint32_t ordinal, int64_t label)
      : PassContext(info, out, sel, limits, progress), cache(cache), rankOrdinal(ordinal),
        label(label) {}
  AnalysisCache &cache;
  uint32_t rankOrdinal;
  int64_t label;
};

/// The context of a pass that runs on the whole trace.
class TraceContext : public PassContext {
public:
  /// A summary analysis of one rank, computed if need be; then the rank is held meanwhile. A pass
  /// that reads events itself holds their rank (Trace::hold).
  template <typename A> llvm::Expected<const A *> get(uint32_t rank) {
    static_assert(A::summary, "trace-level passes see summaries only");
    if (caches[rank]->has<A>())
      return caches[rank]->get<A>(*limitsPtr, progress);
    auto found = [&]() -> llvm::Expected<const A *> {
      if (residency)
        if (llvm::Error e = residency->acquire(*ranks[rank]))
          return e;
      RankHold held(*ranks[rank], residency);
      return caches[rank]->get<A>(*limitsPtr, progress);
    }();
    if (!ranks[rank]->resident())
      caches[rank]->forgetDetails();
    return found;
  }
  /// What earlier passes of the pipeline published.
  const Results &results() const { return *soFar; }
  /// What to put in a `rank` column for the rank with this ordinal.
  int64_t rankLabel(uint32_t rank) const { return labels[rank]; }

private:
  friend class PassManager;
  TraceContext(const PassInfo &info, PassResult &out, const Selection &sel, const Limits &limits,
               const Progress *progress, llvm::ArrayRef<Rank *> ranks, Residency *residency,
               llvm::ArrayRef<AnalysisCache *> caches, llvm::ArrayRef<int64_t> labels,
               const Results &soFar)
      : PassContext(info, out, sel, limits, progress), ranks(ranks), residency(residency),
        caches(caches), labels(labels), soFar(&soFar) {}
  llvm::ArrayRef<Rank *> ranks;
  Residency *residency;
  llvm::ArrayRef<AnalysisCache *> caches;
  llvm::ArrayRef<int64_t> labels;
  const Results *soFar;
};

/// Reads one rank and publishes.
class RankCheck : public PassBase {
public:
  /// Called on any thread, on several ranks at once.
  virtual llvm::Error run(const Rank &, RankContext &) const = 0;
};
/// Changes one rank through the editor.
class RankRewrite : public PassBase {
public:
  /// Likewise; on an error the run ends and nothing is written.
  virtual llvm::Error run(RankEditor &, RankContext &) const = 0;
};
/// Reads all ranks and publishes.
class TraceCheck : public PassBase {
public:
  /// Called once, by the thread that runs the pipeline.
  virtual llvm::Error run(const Trace &, TraceContext &) const = 0;
};
/// Changes which ranks there are, or several at once.
class TraceRewrite : public PassBase {
public:
  /// Likewise; on an error the run ends and nothing is written.
  virtual llvm::Error run(Trace &, TraceContext &) const = 0;
};

} // namespace heddle

#endif
