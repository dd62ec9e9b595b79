//===- HostCauses.cpp - What a launching thread was doing -----------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "HostCauses.h"
#include "heddle/Analysis/Nesting.h"
#include "heddle/IR/Names.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace heddle;
using llvm::StringRef;

static bool startsWithOneOf(StringRef text, llvm::ArrayRef<llvm::StringLiteral> heads) {
  return llvm::any_of(heads, [&](StringRef h) { return text.starts_with(h); });
}

static bool isCollection(StringRef name) {
  for (StringRef word : {"gc", "gc.collect", "garbage collection", "garbage_collection"})
    if (name.equals_insensitive(word))
      return true;
  if (!name.consume_front("<built-in ") ||
      !(name.consume_front("function") || name.consume_front("method")))
    return false;
  return name == " collect>" || (name.starts_with(" collect of ") && name.ends_with(">"));
}

/// A Python frame's name, "path/file.py(123): function", taken apart.
namespace {
struct Frame {
  StringRef file, function;
  /// Whether `file` is `path`, with or without folders before it.
  bool in(StringRef path) const {
    StringRef head = file;
    return head.consume_back(path) && (head.empty() || head.ends_with("/"));
  }
};
} // namespace

static std::optional<Frame> parseFrame(StringRef name) {
  auto [place, function] = name.split("): ");
  if (place.size() == name.size())
    return std::nullopt;
  auto [file, line] = place.rsplit('(');
  if (line.empty() || file.size() == place.size() || !llvm::all_of(line, llvm::isDigit))
    return std::nullopt;
  return Frame{file, function};
}

static bool isCompileFrame(const Frame &f) {
  auto isOneOf = [&](std::initializer_list<StringRef> names) {
    return llvm::is_contained(names, f.function);
  };
  return (f.in("torch/_dynamo/convert_frame.py") &&
          isOneOf({"_compile", "compile_inner", "transform"})) ||
         f.in("torch/_inductor/compile_fx.py") ||
         (f.in("torch/_inductor/runtime/triton_heuristics.py") &&
          isOneOf({"autotune_to_one_config", "benchmark_all_configs"})) ||
         (f.in("triton/compiler/compiler.py") && isOneOf({"compile"})) ||
         (f.in("triton/runtime/autotuner.py") && isOneOf({"_bench"}));
}

std::optional<IdleCause> heddle::causeOfName(EventKind kind, StringRef name) {
  if (isApiCall(kind)) {
    if (nameIs(NameFact::Waits, name))
      return IdleCause::Sync;
    if (nameIs(NameFact::Allocates, name))
      return IdleCause::Alloc;
    if (nameIs(NameFact::LoadsCode, name))
      return IdleCause::Compile;
  } else if (kind == EventKind::CpuOp || kind == EventKind::Annotation) {
    if (startsWithOneOf(name, {"enumerate(DataLoader)#", "enumerate(DataPipe)#"}))
      return IdleCause::Input;
    if (name.contains("(dynamo_timed)"))
      return IdleCause::Compile;
  } else if (kind == EventKind::Python) {
    if (auto f = parseFrame(name)) {
      if (f->in("torch/utils/data/dataloader.py") && f->function == "__next__")
        return IdleCause::Input;
      if (isCompileFrame(*f))
        return IdleCause::Compile;
    }
  }
  if (isCollection(name))
    return IdleCause::Gc;
  return std::nullopt;
}

std::optional<Time> HostThread::blockedUntil(Time t) const {
  auto it = std::upper_bound(blocking.begin(), blocking.end(), t,
                             [](Time t, const Interval &i) { return t < i.begin; });
  if (it == blocking.begin())
    return std::nullopt;
  Time end = blockingUntil[it - blocking.begin() - 1];
  return end > t ? std::optional(end) : std::nullopt;
}

HostThreads::HostThreads(const Rank &rank, const Launches &launches) : rank(rank) {
  NameFacts names(rank.strings());
  for (uint32_t t = 0; t < rank.tracks().size(); ++t) {
    const Track &track = rank.track(t);
    if (isHostTrack(track))
      tracksOf[{track.key.pid, track.key.tid}].push_back(t);
    for (uint32_t i = 0; i < track.size(); ++i) {
      if (track.kinds[i] != EventKind::Memcpy)
        continue;
      if (names.is(NameFact::FromDevice, track.names[i]) &&
          names.is(NameFact::Pageable, track.names[i]))
        if (const LaunchCall *l = launches.launchOf({t, i}))
          pageableCopies.push_back(l->call);
    }
  }
  llvm::sort(pageableCopies);
  for (auto &known : byName)
    known.assign(rank.strings().size(), -2);
}

const HostThread &HostThreads::threadOf(EventRef call) {
  const TrackKey &key = rank.track(call.track).key;
  auto [it, isNew] = threads.try_emplace({key.pid, key.tid});
  if (isNew)
    it->second = build(key);
  return it->second;
}

HostThread HostThreads::build(const TrackKey &key) {
  struct Span {
    Interval interval;
    uint32_t seq;
    IdleCause cause;
  };
  std::vector<Span> spans;
  std::vector<Interval> covered;
  for (uint32_t t : tracksOf[{key.pid, key.tid}]) {
    const Track &track = rank.track(t);
    for (uint32_t i = 0; i < track.size(); ++i) {
      EventKind kind = track.kinds[i];
      if (!isHostWork(kind) || hasNoTime(rank.recording, track.begin[i]))
        continue;
      int8_t &known =
          byName[isApiCall(kind)             ? 0
                 : kind == EventKind::Python ? 2
                                             : 1][static_cast<uint32_t>(track.names[i])];
      if (known == -2) {
        StringRef name = rank.str(track.names[i]);
        auto cause = causeOfName(kind, name);
        bool isMark = !isApiCall(kind) && kind != EventKind::Python && isStepMarkName(name);
        known = isMark ? -3 : cause ? static_cast<int8_t>(*cause) : -1;
      }
      if (known == -3)
        continue;
      covered.push_back(track.interval(i));
      std::optional<IdleCause> cause;
      if (known >= 0)
        cause = static_cast<IdleCause>(known);
      if (isApiCall(kind) && llvm::binary_search(pageableCopies, EventRef{t, i}))
        cause = IdleCause::Sync;
      if (cause)
        spans.push_back({track.interval(i), track.seq[i], *cause});
    }
  }

  HostThread thread;
  thread.observed = IntervalSet::unionOf(std::move(covered));
  llvm::sort(spans, [](const Span &a, const Span &b) {
    if (a.interval.begin != b.interval.begin)
      return a.interval.begin < b.interval.begin;
    return a.interval.end != b.interval.end ? a.interval.end > b.interval.end : a.seq < b.seq;
  });
  for (const Span &s : spans) {
    thread.spans.push_back(s.interval);
    thread.causes.push_back(s.cause);
    if (s.cause != IdleCause::Sync)
      continue;
    Time until = thread.blocking.empty() ? s.interval.end
                                         : std::max(thread.blockingUntil.back(), s.interval.end);
    thread.blocking.push_back(s.interval);
    thread.blockingUntil.push_back(until);
  }
  innermostSegments(thread.spans, thread.segmentBegin, thread.segmentEvent);
  return thread;
}
