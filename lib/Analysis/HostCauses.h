//===- HostCauses.h - What a launching thread was doing ---------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// The part of IdleCauses that looks at host threads: which spans explain a wait, and which of them
/// block until a queue is empty.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_ANALYSIS_HOSTCAUSES_H
#define HEDDLE_LIB_ANALYSIS_HOSTCAUSES_H

#include "heddle/Analysis/IdleCauses.h"

namespace heddle {

/// What an event of this kind and name says about its thread; nullopt where it says nothing.
/// Sync only for blocking calls.
std::optional<IdleCause> causeOfName(EventKind kind, llvm::StringRef name);

/// One host thread, ready for questions about any time.
struct HostThread {
  /// Spans with a cause, in order (begin, longer first, order in the file).
  std::vector<Interval> spans;
  std::vector<IdleCause> causes; ///< Parallel.
  /// The innermost of them over time (innermostSegments).
  std::vector<Time> segmentBegin;
  std::vector<uint32_t> segmentEvent;
  /// When any span was open, step marks aside.
  IntervalSet observed;
  /// Blocking calls by begin, and the last end up to each.
  std::vector<Interval> blocking;
  std::vector<Time> blockingUntil;

  /// The last end of the blocking calls that are open at `t`, or nullopt. O(log n).
  std::optional<Time> blockedUntil(Time t) const;
};

/// Builds the threads that are asked for, once each.
class HostThreads {
public:
  HostThreads(const Rank &rank, const Launches &launches);
  /// The thread of an API call.
  const HostThread &threadOf(EventRef call);

private:
  HostThread build(const TrackKey &key);
  const Rank &rank;
  std::vector<EventRef> pageableCopies; ///< Launches of device-to-host copies to pageable memory.
  std::map<std::pair<SourceId, SourceId>, HostThread> threads;
  std::map<std::pair<SourceId, SourceId>, std::vector<uint32_t>> tracksOf;
  /// causeOfName by name, for API calls, ops and annotations, Python frames; -2 = not asked yet.
  std::vector<int8_t> byName[3];
};

} // namespace heddle

#endif
