//===- Views.cpp - Joins the tables that summary reads --------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Model.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace llvm;

namespace heddle::summary {

namespace {
/// A row of gpu-breakdown.
struct Row {
  std::string step;
  int64_t begin = 0, end = 0, window = 0, busy = 0, compute = 0, communication = 0, copy = 0,
          idle = 0;
  bool typical = false;
};

int64_t number(const Table &t, size_t row, StringRef key) { return t.getInt(row, key).value_or(0); }

/// The step's cell, text or number.
std::string stepText(const Table &t, size_t row) {
  if (auto n = t.getInt(row, "step"))
    return itostr(*n);
  return t.getText(row, "step").str();
}

std::map<int64_t, std::vector<Row>> rowsByDevice(const Table &t) {
  std::map<int64_t, std::vector<Row>> out;
  for (size_t i = 0; i != t.rows.size(); ++i) {
    Row r;
    r.step = stepText(t, i);
    r.begin = number(t, i, "begin_ns");
    r.end = number(t, i, "end_ns");
    r.window = number(t, i, "window_ns");
    r.busy = number(t, i, "busy_ns");
    r.idle = number(t, i, "idle_ns");
    r.compute = number(t, i, "compute_ns");
    r.communication = number(t, i, "exposed_comm_ns");
    r.copy = number(t, i, "exposed_copy_ns");
    out[number(t, i, "device")].push_back(std::move(r));
  }
  return out;
}

void readCauses(const Table &t, View &u) {
  for (size_t i = 0; i != t.rows.size(); ++i) {
    if (number(t, i, "device") != u.device || stepText(t, i) != u.step)
      continue;
    StringRef cause = t.getText(i, "cause");
    for (unsigned c = 0; c != kNumIdleCauses; ++c)
      if (idleCauseName(static_cast<IdleCause>(c)) == cause) {
        u.causeNs[c] += number(t, i, "ns");
        u.causeGaps[c] += number(t, i, "gaps");
      }
  }
}

/// A device with its rows, before a step is chosen.
struct Candidate {
  uint32_t input;
  int64_t device;
  std::vector<Row> rows;
  std::vector<int64_t> lengths; ///< Of typical rows, sorted.
  int64_t median() const { return lengths[(lengths.size() - 1) / 2]; }
};

/// How well a step number stands for all devices.
struct StepScore {
  size_t devices = 0;   ///< That have it among their typical steps.
  int64_t distance = 0; ///< From their medians, summed.
};

std::map<std::string, StepScore> scoreSteps(ArrayRef<Candidate> candidates) {
  std::map<std::string, StepScore> scores;
  for (const Candidate &c : candidates)
    for (const Row &r : c.rows)
      if (r.typical) {
        StepScore &s = scores[r.step];
        ++s.devices;
        s.distance += std::abs(r.window - c.median());
      }
  return scores;
}

/// The row that stands for the device: of the steps that may stand in a median the one that most
/// devices have and that lies nearest to their medians, so that all sections of a report show the
/// same step. Without steps the last row, which is the whole.
const Row &chooseRow(const Candidate &c, const std::map<std::string, StepScore> &scores) {
  const Row *best = nullptr;
  std::pair<size_t, int64_t> bestScore;
  for (const Row &r : c.rows) {
    if (!r.typical)
      continue;
    const StepScore &s = scores.at(r.step);
    std::pair<size_t, int64_t> score{~s.devices, s.distance};
    if (!best || score < bestScore) {
      best = &r;
      bestScore = score;
    }
  }
  return best ? *best : c.rows.back();
}

void fill(View &u, const Candidate &c, const Row &row) {
  u.step = row.step;
  u.beginNs = row.begin;
  u.endNs = row.end;
  u.windowNs = row.window;
  u.busyNs = row.busy;
  u.parts = {row.compute, row.communication, row.copy, row.idle};
  for (const Row &r : c.rows)
    u.steps += r.step != "all";
  u.typical = c.lengths.size();
  if (!c.lengths.empty()) {
    u.medianNs = c.median();
    u.minNs = c.lengths.front();
    u.maxNs = c.lengths.back();
  }
}

void round(View &u) {
  u.scale = timeScale(u.windowNs, u.recording->integerMicroseconds);
  u.windowSteps = u.scale.steps(u.windowNs);
  u.bar = closeWindow(u.parts, u.scale);
  std::array<unsigned, kNumIdleCauses> groups;
  for (unsigned c = 0; c != kNumIdleCauses; ++c)
    groups[c] = causeGroup(static_cast<IdleCause>(c));
  u.idle = closeGroups(u.causeNs, groups, u.bar.steps[Idle], u.bar.tenths[Idle]);
}
} // namespace

unsigned causeGroup(IdleCause c) {
  if (isLaunchWait(c))
    return 0;
  return c == IdleCause::Sync || c == IdleCause::AfterSync ? 1 : 2 + static_cast<unsigned>(c);
}

Sum causeSum(const View &u, IdleCause c) {
  auto i = static_cast<size_t>(c);
  return {u.causeNs[i], u.idle.steps[i], u.idle.tenths[i]};
}

Sum partSum(const View &u, Part p) { return {u.parts[p], u.bar.steps[p], u.bar.tenths[p]}; }

Sum launchWait(const View &u) {
  Sum sum;
  for (unsigned c = 0; c != kNumIdleCauses; ++c)
    if (isLaunchWait(static_cast<IdleCause>(c)))
      sum += causeSum(u, static_cast<IdleCause>(c));
  return sum;
}

Sum syncWait(const View &u) {
  Sum sum = causeSum(u, IdleCause::Sync);
  return sum += causeSum(u, IdleCause::AfterSync);
}

Sum single(const View &u, int64_t ns) {
  return {ns, u.scale.steps(ns), tenthsOf(ns, u.windowNs).value_or(0)};
}

StringRef inputKindName(InputKind k) {
  switch (k) {
  case InputKind::Gpu:
    return "gpu";
  case InputKind::GpuOnly:
    return "gpu-only";
  case InputKind::CpuOnly:
    return "cpu-only";
  case InputKind::Empty:
    return "empty";
  }
  return "";
}

InputKind inputKind(const RankFacts &facts) {
  if (facts.activities)
    return facts.hasHost ? InputKind::Gpu : InputKind::GpuOnly;
  return facts.hasHost ? InputKind::CpuOnly : InputKind::Empty;
}

Expected<Views> collectViews(const Trace &trace, TraceContext &context) {
  Views out;
  std::vector<Candidate> candidates;
  std::vector<const AllWindows *> windows(trace.ranks.size());
  std::vector<const RankFacts *> facts(trace.ranks.size());
  for (uint32_t input = 0; input != trace.ranks.size(); ++input) {
    auto rankFacts = context.get<RankFacts>(input);
    if (!rankFacts)
      return rankFacts.takeError();
    facts[input] = *rankFacts;
    const Table *table = context.results().find("gpu-breakdown", input);
    if (!table || table->rows.empty())
      continue;
    const Selection &selection = context.selection();
    if (selection.window || !selection.windowName.empty()) {
      Expected<RankHold> rank = trace.hold(input);
      if (!rank)
        return rank.takeError();
      auto asked = selectedWindows(**rank, selection, context.limits());
      if (!asked)
        return asked.takeError();
      out.selected.push_back(std::make_unique<AllWindows>(std::move(*asked)));
      windows[input] = out.selected.back().get();
    } else {
      auto own = context.get<AllWindows>(input);
      if (!own)
        return own.takeError();
      windows[input] = *own;
    }
    for (auto &[device, rows] : rowsByDevice(*table)) {
      Candidate c{input, device, std::move(rows), {}};
      for (Row &r : c.rows) {
        const WindowFacts *w = windows[input]->find(device, r.step);
        r.typical = r.step != "all" && w && w->typical;
        if (r.typical)
          c.lengths.push_back(r.window);
      }
      if (c.lengths.empty()) // a selection left steps out: what is left must do
        for (Row &r : c.rows)
          if ((r.typical = r.step != "all"))
            c.lengths.push_back(r.window);
      llvm::sort(c.lengths);
      candidates.push_back(std::move(c));
    }
  }

  std::map<std::string, StepScore> scores = scoreSteps(candidates);
  for (const Candidate &c : candidates) {
    View &u = out.list.emplace_back();
    u.input = c.input;
    u.rank = context.rankLabel(c.input);
    u.device = c.device;
    u.worldSize = trace.ranks[c.input]->worldSize.value_or(0);
    u.recording = &trace.ranks[c.input]->recording;
    u.facts = facts[c.input];
    fill(u, c, chooseRow(c, scores));
    u.window = windows[c.input]->find(u.device, u.step);
    if (const Table *causes = context.results().find("idle-gaps-causes", c.input))
      readCauses(*causes, u);
    round(u);
  }
  return out;
}

} // namespace heddle::summary
