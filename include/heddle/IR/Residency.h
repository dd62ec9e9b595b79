//===- heddle/IR/Residency.h - Ranks that are not in memory -----*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// A job may have more ranks than memory holds. What makes them small is dropping the events of a
/// rank that nobody works on, where they can be read again: its head (everything in Rank that is
/// no column: number, recording, placement) always stays. Whoever reads events holds the rank
/// meanwhile (Trace::hold). Without a Residency every rank stays, and holding costs nothing.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_IR_RESIDENCY_H
#define HEDDLE_IR_RESIDENCY_H

#include "heddle/IR/Rank.h"
#include <atomic>
#include <mutex>

namespace heddle {

/// Where the events of one rank can be read, as often as they are wanted.
class RankSource {
public:
  virtual ~RankSource();
  /// The rank, equal to the one that was put there, with equal places of events; ids of strings and
  /// layouts may differ. On any thread, on several at once. An error says what cannot be read.
  virtual llvm::Expected<std::unique_ptr<Rank>> read() const = 0;
};

/// Takes the events of ranks that stand nowhere else.
class RankStore {
public:
  virtual ~RankStore();
  /// Stores the events. On any thread, on several at once.
  virtual llvm::Expected<std::shared_ptr<const RankSource>> put(const Rank &rank) = 0;
};

/// Bounds how much memory the events of all ranks take. A rank that is let go while they take more
/// than the bound is dropped at once, since ranks are visited in turns: the ones that came first
/// stay, and a further round finds them. What is held, stays. Each rank is held and let go by one
/// thread at a time; different ones on any threads.
class Residency {
public:
  /// `maxBytes` as Rank::bytes counts. The store takes what has no source.
  Residency(uint64_t maxBytes, std::unique_ptr<RankStore> store);

  /// Sees to it that the rank's events are there until it is let go. O(1), or reads them.
  llvm::Error acquire(Rank &rank);
  /// Lets it go: to be called once for each acquire that went well.
  void release(Rank &rank);
  /// Says where the rank's events stand, as they are now, besides.
  static void setSource(Rank &rank, std::shared_ptr<const RankSource> source);
  /// A rank of which only the head was read.
  static void setAway(Rank &rank, std::shared_ptr<const RankSource> source);

  /// Whether this much more would still be within the bound.
  bool fits(uint64_t bytes) const { return bytes <= maxBytes && *resident <= maxBytes - bytes; }
  /// How often a rank was dropped.
  uint64_t drops() const { return dropCount; }
  /// How often one was read again.
  uint64_t reads() const { return readCount; }
  /// Why the store takes no more; then ranks stay in memory. Empty: it does.
  std::string trouble() const;

private:
  void count(Rank &rank);
  bool store(Rank &rank);
  const uint64_t maxBytes;
  std::unique_ptr<RankStore> ranks;
  std::shared_ptr<std::atomic<uint64_t>> resident; ///< Bytes; ranks that go take theirs off.
  std::atomic<uint64_t> dropCount{0}, readCount{0};
  mutable std::mutex mutex; ///< Of `why`.
  std::string why;
};

/// Keeps the events of a rank in memory while it lives.
class [[nodiscard]] RankHold {
public:
  RankHold(Rank &rank, Residency *residency) : held(&rank), residency(residency) {}
  RankHold(RankHold &&other) noexcept
      : held(other.held), residency(std::exchange(other.residency, nullptr)) {}
  RankHold &operator=(RankHold &&) = delete;
  ~RankHold() {
    if (residency)
      residency->release(*held);
  }
  /// The rank.
  const Rank &operator*() const { return *held; }
  const Rank *operator->() const { return held; } ///< Likewise.

private:
  Rank *held;
  Residency *residency; ///< Null: there is nothing to do.
};

} // namespace heddle

#endif
