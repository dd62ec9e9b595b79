//===- Worker.h - One process and its device, simulated ---------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// A worker has host threads with a clock each, and streams that run what is launched one after the
/// other. Every stretch of host time carries the cause that a gap gets which it delays: known
/// because the simulator spends it, not because an analysis found out.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_GEN_WORKER_H
#define HEDDLE_GEN_WORKER_H

#include "Allocator.h"
#include "Model.h"
#include "Random.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>
#include <set>

namespace heddle::gen {

/// A stretch of a thread's time.
struct Segment {
  int64_t begin, end;
  Cause cause;
};

/// What a launch puts on a stream.
struct Launch {
  EventClass cls = EventClass::Kernel;
  llvm::StringRef name;
  int64_t duration = 0;
  unsigned stream = 0;
  bool gemm = false;           ///< Launched through a library, with its own API on ROCm.
  bool driver = false;         ///< Launched as generated code does, through the driver.
  bool blocking = false;       ///< The call returns when the activity is done.
  int64_t bytes = 0;           ///< Of a copy or fill.
  int64_t notBefore = 0;       ///< Device time before which it cannot begin (a wait for an event).
  int64_t lastUntil = 0;       ///< Device time until which it lasts at least.
  std::optional<int64_t> call; ///< Length of the call.
  std::optional<int64_t> returnDelay; ///< Blocking: from the activity's end to the return.
  std::optional<int64_t> startAt;     ///< Exact begin on the device; later than the call's begin.
  std::optional<GapRequest> planted;  ///< The gap that it ends was planted.
  bool waitShown = false;             ///< The wait from `waitBegin` to the begin is recorded.
  int64_t waitBegin = 0;
  Args extra;              ///< Collective arguments.
  bool collective = false; ///< It ends with those of other ranks, however slow this one is.
};

/// An activity as the gaps see it.
struct Activity {
  int64_t begin = 0, end = 0;
  uint32_t event = none;
  unsigned thread = 0;
  bool launched = false;
  int64_t callBegin = 0, callEnd = 0;
  int64_t waitBegin = 0, waitEnd = 0; ///< Recorded wait for an event; empty: none.
  int64_t step = -1;
  std::optional<GapRequest> planted;
};

class Worker {
public:
  static constexpr unsigned main = 0, autograd = 1, marker = 2; ///< Threads.

  Worker(const Options &options, int64_t number);

  const Options &options;
  Random random;
  RankTrace trace;
  std::vector<Activity> activities; ///< In order of launch.
  int64_t step = -1;                ///< The step that is running; -1: none.
  bool leadInPending = false;       ///< The first activity is to begin at leadInEnd.
  int64_t leadInEnd = 0;
  std::optional<GapRequest> leadIn;
  bool leadInMissed = false;                       ///< The host was not that fast.
  int64_t firstMark = 0;                           ///< Begin of the first step.
  uint32_t mark = none;                            ///< The open step mark.
  int64_t computePercent = 100, hostPercent = 100; ///< Of the usual.
  int64_t late = 0;                                ///< By which it enters each step later.
  /// What was planted, by step (-1: in none) and fact.
  std::map<std::pair<int64_t, std::string>, int64_t> planted;

  int64_t now(unsigned thread) const { return threads[thread].now; }
  const std::vector<Segment> &segments(unsigned thread) const { return threads[thread].segments; }
  /// Moves an idle thread's clock to `time`, where nothing is open.
  void wake(unsigned thread, int64_t time);
  /// Spends host time on what is open; 0 or less: none.
  void spend(unsigned thread, int64_t ns);
  void spendUntil(unsigned thread, int64_t time) { spend(thread, time - now(thread)); }
  /// Spends about `mean` ns, more on a slow host.
  void work(unsigned thread, int64_t mean) {
    spend(thread, random.around(mean, 30) * hostPercent / 100);
  }

  /// Opens an event; what is spent inside has the cause, or where there is none that of what is
  /// around it. Opening and closing take no time by themselves.
  uint32_t open(unsigned thread, EventClass cls, llvm::StringRef name, Args args = {},
                std::optional<Cause> cause = std::nullopt);
  /// Opens a step mark, which counts as nothing for the time inside.
  uint32_t openMark(unsigned thread, llvm::StringRef name);
  void close(unsigned thread);
  /// Ends an event that may be around others: step marks cross what they like.
  void closeAround(unsigned thread, uint32_t event);
  /// A Python frame of the main thread, where those are recorded.
  void frame(llvm::StringRef name, std::optional<Cause> cause = std::nullopt);
  /// One of an nn.Module.
  void moduleFrame(llvm::StringRef name, int64_t id);
  /// Ends the innermost frame, which a step mark may have begun inside.
  void endFrame();
  /// An API call that launches nothing.
  void call(unsigned thread, llvm::StringRef cudaName, int64_t ns,
            std::optional<Cause> cause = std::nullopt);
  /// Opens the call alone; `close` ends it.
  uint32_t openCall(unsigned thread, llvm::StringRef cudaName,
                    std::optional<Cause> cause = std::nullopt);

  /// Launches an activity; returns its event.
  uint32_t launch(unsigned thread, const Launch &what);
  /// An activity on a stream whose launch was not recorded, with an exact begin.
  uint32_t unrecorded(unsigned stream, llvm::StringRef name, int64_t begin, int64_t duration,
                      std::optional<GapRequest> planted = std::nullopt);
  /// Launches a graph of kernels, one after the other on one stream.
  void launchGraph(unsigned thread, unsigned stream, int64_t graph, llvm::ArrayRef<Launch> kernels);
  /// Ends a collective that was launched with a guess: all ranks' end together.
  void finishCollective(uint32_t event, int64_t end);
  /// A wait of a stream for an event, on the device's row of that stream.
  void streamWait(unsigned stream, unsigned on, int64_t begin, int64_t end, int64_t correlation);
  /// The device's row of the call that was opened last and has just ended, where those are
  /// recorded: on the row of a stream, or on that of none.
  void syncRow(llvm::StringRef kind, std::optional<unsigned> stream, uint32_t call,
               llvm::ArrayRef<Arg> more = {});

  unsigned numStreams() const { return static_cast<unsigned>(streams.size()); }
  /// Roles of streams: compute, communication (if there are several ranks), copies, and what is
  /// left runs beside compute. Where a role has no stream of its own, compute does it.
  unsigned computeStream() const { return 0; }
  unsigned commStream() const { return role(0); }
  unsigned copyStream() const { return role(options.ranks > 1 ? 1 : 0); }
  unsigned sideStream(unsigned i) const {
    unsigned first = options.ranks > 1 ? 3 : 2;
    return numStreams() > first ? first + i % (numStreams() - first) : computeStream();
  }
  int64_t freeAt(unsigned stream) const { return streams[stream].free; }
  /// When the device has run all that was launched.
  int64_t drained() const;
  /// The number of the latest activity's launch, or of any later call.
  int64_t lastCorrelation() const { return correlation; }
  int64_t streamId(unsigned stream) const { return streams[stream].id; }

  /// Allocates or frees (negative) device memory; an instant where they are recorded.
  void memory(unsigned thread, int64_t bytes);
  /// Where allocations are simulated: a block of device (or host) memory, and its end. Each leaves
  /// an instant with the totals at that time.
  int64_t allocate(unsigned thread, int64_t bytes, bool onHost = false);
  void release(unsigned thread, int64_t address, bool onHost = false);
  void fillMemory();
  void releaseGradients(unsigned thread);
  std::vector<int64_t> gradients;   ///< Blocks that the next step frees.
  std::map<int64_t, int64_t> peaks; ///< Most that was allocated, by step; -1: at all.
  /// The name of an API function for this vendor.
  std::string api(llvm::StringRef cudaName) const;

private:
  /// The frames of the user and of a module that the main thread is in.
  struct Place {
    std::string user, module;
  };
  void enterFrame(llvm::StringRef name);
  void countPlace(unsigned thread);
  struct Open {
    uint32_t event;
    Cause outer;
    int64_t outerId;
    int64_t outerFrame;
    bool mark = false;
  };
  struct Thread {
    uint32_t lane = 0;
    int64_t now = 0;
    Cause cause = Cause::Unobserved;
    int64_t externalId = 0; ///< Of the innermost op or annotation; 0: none.
    int64_t frame = -1;     ///< Python id of the innermost frame.
    std::vector<Open> open;
    std::vector<Segment> segments;
  };
  struct Stream {
    uint32_t lane = 0;
    int64_t id = 0;
    int64_t free = 0;
  };
  unsigned role(unsigned i) const { return i + 1 < numStreams() ? i + 1 : computeStream(); }
  void memoryEvent(unsigned thread, int64_t address, int64_t bytes, bool onHost);
  uint32_t add(EventClass cls, uint32_t lane, llvm::StringRef name, int64_t begin, Args args);
  Args callArgs(const Thread &t, llvm::StringRef name);
  Args activityArgs(const Launch &what, int64_t externalId, int64_t graph = 0);
  uint32_t activity(const Launch &what, uint32_t call, unsigned thread, int64_t begin, Args args);

  std::vector<Thread> threads;
  std::vector<Place> places; ///< Of the main thread's frames.
  std::vector<Stream> streams;
  int64_t correlation = 0;
  int64_t externalIds = 0;
  int64_t eventIndex = 0;
  int64_t frames = 0;
  int64_t graphNodes = 0;
  uint32_t noStream = none; ///< The lane of rows that are of no stream.
  int64_t allocated = 512 << 20;
  Allocator deviceMemory, hostMemory;
  std::set<int64_t> seen; ///< Blocks in use whose allocation is in the file.
};

} // namespace heddle::gen

#endif
