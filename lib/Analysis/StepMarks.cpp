//===- StepMarks.cpp - Where host steps begin and end ---------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "StepMarks.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace heddle;

llvm::StringRef heddle::stepSourceName(StepSource s) {
  switch (s) {
  case StepSource::ProfilerStep:
    return "ProfilerStep";
  case StepSource::Annotation:
    return "annotation";
  case StepSource::Optimizer:
    return "Optimizer.step";
  case StepSource::None:
    break;
  }
  return "none";
}

llvm::ArrayRef<llvm::StringLiteral> heddle::stepAnnotations() {
  // `*` stands for any text. A new engine's annotation is one line here.
  static constexpr llvm::StringLiteral list[] = {"execute_context_*", "execute_*_context_*",
                                                 "step[*"};
  return list;
}

/// Whether `name` matches a glob in which `*` is the only special character. O(name x parts).
static bool matches(llvm::StringRef glob, llvm::StringRef name) {
  auto [head, rest] = glob.split('*');
  if (!name.consume_front(head))
    return false;
  if (head.size() == glob.size())
    return name.empty();
  while (true) {
    auto [part, after] = rest.split('*');
    if (part.size() == rest.size())
      return name.ends_with(part);
    size_t at = name.find(part);
    if (at == llvm::StringRef::npos)
      return false;
    name = name.drop_front(at + part.size());
    rest = after;
  }
}

std::optional<int64_t> heddle::profilerStepNumber(llvm::StringRef name) {
  if (!name.consume_front("ProfilerStep"))
    return std::nullopt;
  name = name.ltrim();
  if (!name.consume_front("#"))
    return std::nullopt;
  name = name.ltrim();
  int64_t n;
  if (name.empty() || !llvm::all_of(name, llvm::isDigit) || name.getAsInteger(10, n))
    return std::nullopt;
  return n;
}

bool heddle::isStepMarkName(llvm::StringRef name) {
  return profilerStepNumber(name) ||
         llvm::any_of(stepAnnotations(), [&](auto glob) { return matches(glob, name); });
}

namespace {

/// Ops and annotations of host threads that may mark steps, by family.
struct Candidates {
  std::vector<EventRef> profiler;
  std::vector<std::vector<EventRef>> annotations; ///< By entry of stepAnnotations().
  std::vector<EventRef> optimizer;
};

} // namespace

static Candidates gather(const Rank &rank) {
  enum : int8_t { Unknown = -2, Nothing = -1, Profiler = 0, Optimizer = 1, List = 2 };
  Candidates c;
  c.annotations.resize(stepAnnotations().size());
  std::vector<int8_t> byName(rank.strings().size(), Unknown);
  for (uint32_t t = 0; t < rank.tracks().size(); ++t) {
    const Track &track = rank.track(t);
    if (track.key.family != Family::ThreadWork)
      continue;
    for (uint32_t i = 0; i < track.size(); ++i) {
      if (track.kinds[i] != EventKind::CpuOp && track.kinds[i] != EventKind::Annotation)
        continue;
      int8_t &k = byName[static_cast<uint32_t>(track.names[i])];
      if (k == Unknown) {
        llvm::StringRef name = rank.str(track.names[i]);
        k = Nothing;
        if (profilerStepNumber(name))
          k = Profiler;
        else if (name.starts_with("Optimizer.step#"))
          k = Optimizer;
        else
          for (size_t p = 0; k == Nothing && p < stepAnnotations().size(); ++p)
            if (matches(stepAnnotations()[p], name))
              k = List + p;
      }
      if (k == Profiler)
        c.profiler.push_back({t, i});
      else if (k == Optimizer)
        c.optimizer.push_back({t, i});
      else if (k >= List)
        c.annotations[k - List].push_back({t, i});
    }
  }
  return c;
}

/// Sorts events of several tracks by (begin, longer first, order in the file).
static void sortInOrder(const Rank &rank, std::vector<EventRef> &events) {
  std::sort(events.begin(), events.end(), [&](EventRef a, EventRef b) {
    Interval x = rank.interval(a), y = rank.interval(b);
    if (x.begin != y.begin)
      return x.begin < y.begin;
    if (x.end != y.end)
      return x.end > y.end;
    return rank.track(a.track).seq[a.index] < rank.track(b.track).seq[b.index];
  });
}

/// Of each process, leaves the events of the thread that has most of them; of several such threads
/// the one that comes first. `events` are in order.
static void keepMainThreads(const Rank &rank, std::vector<EventRef> &events) {
  llvm::DenseMap<uint32_t, uint32_t> count; // By track.
  for (EventRef e : events)
    ++count[e.track];
  std::map<SourceId, uint32_t> best;
  for (EventRef e : events) {
    auto [it, isNew] = best.try_emplace(rank.track(e.track).key.pid, e.track);
    if (count[e.track] > count[it->second])
      it->second = e.track;
  }
  llvm::erase_if(events, [&](EventRef e) { return best[rank.track(e.track).key.pid] != e.track; });
}

/// Of the optimizer steps, in order: those of the first one's name that lie in no other of them.
static std::vector<EventRef> outermostOfOneName(const Rank &rank, llvm::ArrayRef<EventRef> events) {
  std::vector<EventRef> kept;
  llvm::DenseMap<uint32_t, Time> lastEnd; // By track, of those kept.
  for (EventRef e : events) {
    if (rank.name(e) != rank.name(events.front()))
      continue;
    Interval span = rank.interval(e);
    auto [it, isNew] = lastEnd.try_emplace(e.track, span.end);
    if (!isNew && span.end <= it->second)
      continue;
    it->second = span.end;
    kept.push_back(e);
  }
  return kept;
}

/// Turns optimizer steps into steps that end where they end, one chain for each process.
static void chainOptimizerSteps(const Rank &rank, std::vector<EventRef> ends, Steps &steps) {
  std::map<SourceId, Time> chain; // Where the next step of a process begins.
  for (const Track &track : rank.tracks()) {
    if (!isHostTrack(track))
      continue;
    for (uint32_t i = 0; i < track.size(); ++i)
      if (isHostWork(track.kinds[i]) && !hasNoTime(rank.recording, track.begin[i])) {
        auto [it, isNew] = chain.try_emplace(track.key.pid, track.begin[i]);
        it->second = std::min(it->second, track.begin[i]);
        break; // A track is sorted by begin.
      }
  }
  std::stable_sort(ends.begin(), ends.end(), [&](EventRef a, EventRef b) {
    return rank.interval(a).end < rank.interval(b).end;
  });
  for (EventRef e : ends) {
    Time &begin = chain[rank.track(e.track).key.pid];
    Time end = rank.interval(e).end;
    steps.marks.push_back({e, {begin, end}, static_cast<int64_t>(steps.marks.size()) + 1, false});
    begin = end;
  }
}

/// Marks whose begin or end lies strictly inside an optimizer step of their process.
static void findMisplaced(const Rank &rank, llvm::ArrayRef<EventRef> optimizer, Steps &steps) {
  struct Inside {
    std::vector<Interval> open; ///< Without their first instant: strictly inside.
    IntervalSet set;
  };
  std::map<SourceId, Inside> byPid;
  for (EventRef e : optimizer) {
    Interval span = rank.interval(e);
    byPid[rank.track(e.track).key.pid].open.push_back({span.begin + Duration{1}, span.end});
  }
  for (auto &[pid, inside] : byPid)
    inside.set = IntervalSet::unionOf(std::move(inside.open));
  for (StepMark &m : steps.marks) {
    auto it = byPid.find(rank.track(m.event.track).key.pid);
    if (it == byPid.end())
      continue;
    for (Time t : {m.interval.begin, m.interval.end})
      m.misplaced |= it->second.set.overlaps({t, t + Duration{1}});
    steps.misplaced += m.misplaced;
  }
}

/// Whether some mark encloses two of the optimizer steps (in order, of one thread for each
/// process).
static bool someHoldsTwo(const Rank &rank, llvm::ArrayRef<StepMark> marks,
                         llvm::ArrayRef<EventRef> optimizer) {
  std::map<SourceId, std::vector<Interval>> byPid;
  for (EventRef e : optimizer)
    byPid[rank.track(e.track).key.pid].push_back(rank.interval(e));
  return llvm::any_of(marks, [&](const StepMark &m) {
    const std::vector<Interval> &spans = byPid[rank.track(m.event.track).key.pid];
    auto it = std::lower_bound(spans.begin(), spans.end(), m.interval.begin,
                               [](Interval s, Time t) { return s.begin < t; });
    // Outermost ones in order of begin are in order of end too: the second ends last.
    return spans.end() - it >= 2 && it[1].end <= m.interval.end;
  });
}

void heddle::findStepMarks(const Rank &rank, Steps &steps) {
  Candidates c = gather(rank);
  sortInOrder(rank, c.optimizer);
  std::vector<EventRef> marks;
  if (!c.profiler.empty()) {
    steps.source = StepSource::ProfilerStep;
    marks = std::move(c.profiler);
  }
  for (size_t p = 0; marks.empty() && p < c.annotations.size(); ++p)
    if (!c.annotations[p].empty()) {
      steps.source = StepSource::Annotation;
      steps.pattern = stepAnnotations()[p];
      marks = std::move(c.annotations[p]);
    }
  std::vector<EventRef> loops = outermostOfOneName(rank, c.optimizer);
  keepMainThreads(rank, loops);
  if (marks.empty()) {
    if (loops.empty())
      return;
    steps.source = StepSource::Optimizer;
    steps.missingProfilerStep = loops.size() >= 2;
    chainOptimizerSteps(rank, std::move(loops), steps);
    return;
  }
  sortInOrder(rank, marks);
  keepMainThreads(rank, marks);
  for (EventRef e : marks) {
    int64_t ordinal = static_cast<int64_t>(steps.marks.size()) + 1;
    int64_t number = steps.source == StepSource::ProfilerStep
                         ? profilerStepNumber(rank.name(e)).value_or(ordinal)
                         : ordinal;
    steps.marks.push_back({e, rank.interval(e), number, false});
  }
  findMisplaced(rank, c.optimizer, steps);
  if (steps.source == StepSource::ProfilerStep)
    steps.missingProfilerStep = someHoldsTwo(rank, steps.marks, loops);
}
