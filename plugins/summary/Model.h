//===- Model.h - What summary knows about a device --------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// A View is one device of one input with the window that the report shows and every figure of
/// that window, joined from the tables of gpu-breakdown and idle-gaps and from our own analyses.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_PLUGINS_SUMMARY_MODEL_H
#define HEDDLE_PLUGINS_SUMMARY_MODEL_H

#include "WindowFacts.h"
#include "heddle/Analysis/RankFacts.h"
#include "heddle/Lower/ReportText.h"
#include "heddle/Pass/Pass.h"
#include <array>

namespace heddle::summary {

/// The four parts of the bar; they add up to the window.
enum Part : unsigned { Compute, Communication, Copies, Idle, kNumParts };

struct View {
  uint32_t input = 0; ///< Ordinal of the rank in the trace.
  int64_t rank = 0;   ///< Its label.
  int64_t device = 0;
  std::string step;      ///< The row of gpu-breakdown that is shown.
  int64_t worldSize = 0; ///< 0 if not stated.
  const Recording *recording = nullptr;
  const RankFacts *facts = nullptr;
  const WindowFacts *window = nullptr; ///< Null where the shown window is none of the analysis'.

  int64_t beginNs = 0, endNs = 0, windowNs = 0, busyNs = 0;
  std::array<int64_t, kNumParts> parts{};
  std::array<int64_t, kNumIdleCauses> causeNs{}, causeGaps{};

  uint64_t steps = 0, typical = 0; ///< Rows of the device; those that a median is taken of.
  int64_t medianNs = 0, minNs = 0, maxNs = 0; ///< Over the typical ones.

  TimeScale scale;
  int64_t windowSteps = 0; ///< The window in quanta of `scale`.
  Shown bar;               ///< Of `parts`.
  Shown idle;              ///< Of `causeNs`: adds up to the bar's idle.

  int64_t cause(IdleCause c) const { return causeNs[static_cast<size_t>(c)]; }
  bool hasHost() const { return facts && facts->hasHost; }
  /// Whether causes of idling on the host are known: some activity has a launch.
  bool seesHost() const { return hasHost() && facts->launched; }
};

/// Sums over causes, in ns and as shown.
struct Sum {
  int64_t ns = 0, steps = 0, tenths = 0;
  Sum &operator+=(const Sum &o) {
    ns += o.ns, steps += o.steps, tenths += o.tenths;
    return *this;
  }
};
Sum causeSum(const View &u, IdleCause c);
Sum partSum(const View &u, Part p);
/// Waiting for a launch: before and inside launch calls, whatever the thread does there but
/// synchronising or fetching a batch.
Sum launchWait(const View &u);
Sum syncWait(const View &u);

/// A time that is no part of the columns, shown by itself.
Sum single(const View &u, int64_t ns);

/// What a recording holds.
enum class InputKind : uint8_t { Gpu, GpuOnly, CpuOnly, Empty };
llvm::StringRef inputKindName(InputKind k);
InputKind inputKind(const RankFacts &facts);

/// Joins the tables. Devices without a row have no unit. Errors of the analyses are passed on.
struct Views {
  std::vector<View> list;
  std::vector<std::unique_ptr<AllWindows>> selected; ///< What views of a named window point into.
};
llvm::Expected<Views> collectViews(const Trace &trace, TraceContext &context);

/// What limits the device in the window: kebab-case id and a sentence with its numbers.
struct Verdict {
  std::string id;
  Sum stake;
  std::string message;
};
Verdict verdictOf(const View &u);

/// One line about something that costs time.
struct Finding {
  std::string id;
  Sum cost;
  std::optional<int64_t> lowerNs, upperNs;
  std::string inside; ///< The finding whose cost holds this one's.
  std::string message, why, advice, bound;
};
struct Findings {
  std::vector<Finding> found; ///< Most cost first.
  struct Check {
    std::string id, message;
    bool seen = true; ///< False: the recording does not tell.
  };
  std::vector<Check> checked; ///< What stayed below its threshold, or could not be seen.
};
Findings findingsOf(const View &u, const Verdict &verdict);

/// "ProfilerStep#3, 95.66 ms: ..."
std::string windowMessage(const View &u);
/// "768 kernels + 161 copies: one launch per 94 us, ..."
std::string launchMessage(const View &u);
/// The bar's word for communication: the kind that takes most of it, "and others" if it is not all.
std::string communicationLabel(const View &u);
/// Causes that a sentence adds up have the same group: 0 waiting for a launch, 1 synchronising;
/// every other cause has its own.
unsigned causeGroup(IdleCause c);
/// What people call a cause of idling.
llvm::StringRef causeLabel(IdleCause c);

} // namespace heddle::summary

#endif
