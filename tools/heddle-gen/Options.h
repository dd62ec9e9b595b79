//===- Options.h - What heddle-gen is asked for -----------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_GEN_OPTIONS_H
#define HEDDLE_GEN_OPTIONS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::gen {

enum class Format { Kineto, Text };

/// Whose file is imitated: PyTorch's versions differ in time stamps, ids, keys and order.
enum class Era {
  Torch1_13, ///< Whole microseconds since 1970, External id == correlation, metadata after events.
  Torch2_4,  ///< Microseconds after a base with three decimals; the base stands after the events.
  Torch2_15, ///< The same, the base before the events, one key a line.
};

enum class Vendor { Cuda, Rocm };

/// What can be planted. All but the last five are the cause that the planted time gets.
enum class Plant {
  Sync,
  AfterSync,
  Input,
  Gc,
  Alloc,
  Compile,
  Host,
  Unobserved,
  LaunchCall,
  Dependency,
  LaunchLatency,
  KernelToKernel,
  Unrecorded, ///< An activity whose launch is not in the file.
  IdleSync,   ///< A synchronisation over an idle device: what it waits for is not in the file.
  IdleQueue,  ///< An activity that stays queued on an idle device, likewise.
  LeadIn,     ///< From the begin of the first step to the first activity.
};

/// How a host waits for its device, or a stream for another.
enum class SyncKind {
  Stream, ///< cudaStreamSynchronize.
  Device, ///< cudaDeviceSynchronize.
  Event,  ///< cudaEventRecord, cudaEventSynchronize.
  Wait,   ///< cudaEventRecord, cudaStreamWaitEvent: the last stream waits, the host does not.
};

struct SyncRequest {
  SyncKind kind = SyncKind::Stream;
  int64_t count = 1;
};

/// Where the loop says that a step begins.
enum class Marks {
  Loop,        ///< ProfilerStep around all of a step.
  OtherThread, ///< The same on a thread that launches nothing.
  Crossing,    ///< From the middle of one optimizer step to that of the next.
  Between,     ///< The optimizer runs after the mark has ended.
  Engine,      ///< As vLLM marks its steps.
  None,        ///< Nowhere; there are optimizer steps.
};

struct GapRequest {
  Plant plant = Plant::Host;
  int64_t count = 1;
  int64_t ns = 0;
};

/// How one rank differs from the others, which then wait for it in collectives.
enum class Slowness {
  Compute, ///< Its kernels take so many per cent of the usual.
  Host,    ///< What its host does between calls.
  Late,    ///< It enters each step by so many ns later.
};
llvm::StringRef slownessName(Slowness kind);

struct Straggler {
  int64_t rank = 0;
  Slowness kind = Slowness::Compute;
  int64_t amount = 0; ///< Per cent, or ns.
};

/// How a host's clock is wrong: by so much when the job begins, and by so much more each second.
struct HostClock {
  int64_t host = 0;
  int64_t offset = 0; ///< ns.
  int64_t drift = 0;  ///< ns a second.
};

struct Options {
  uint64_t seed = 0;
  int64_t ranks = 1;
  int64_t tensorParallel = 1; ///< So many ranks, next to each other, share each layer.
  int64_t hosts = 1;          ///< Each has as many of the ranks, the first ones first.
  int64_t steps = 3;
  int64_t layers = 4;
  int64_t streams = 1;
  int64_t firstStep = 2;
  int64_t kernelScale = 100; ///< Per cent of the usual kernel durations.
  Format format = Format::Text;
  Era era = Era::Torch2_15;
  Vendor vendor = Vendor::Cuda;
  bool stack = false;
  bool frames = false; ///< Frames of libraries, wrappers and the user's code; with modules' ids.
  bool shapes = false;
  bool memory = false;
  bool allocator = false;            ///< Allocations are those of tensors that live and die.
  int64_t prefills = 0, decodes = 0; ///< Of a cycle of a serving engine's steps; 0: it trains.
  bool compiled = false;             ///< Layers are regions that torch.compile has compiled.
  bool graphs = false;               ///< Forward and backward are a graph launch each.
  bool pageable = false;             ///< Batches come from pageable memory, the loss goes there.
  bool workers = false;              ///< The loader has processes of its own.
  bool syncRows = false;             ///< Synchronisations are recorded on the device, too.
  int64_t shortKernels = 0;          ///< So many after each op of a layer.
  int64_t midQueue = 0;              ///< Kernels at the begin whose launches are not in the file.
  Marks marks = Marks::Loop;
  std::vector<SyncRequest> syncs;
  std::vector<GapRequest> gaps;
  std::vector<Straggler> stragglers;
  std::vector<HostClock> clocks;
  std::string output = "-";
  std::string manifest; ///< Empty: none.
  std::string facts;    ///< Empty: none.

  bool inference() const { return prefills + decodes > 0; }
  /// Whether facts tell of what ranks do together, too.
  bool together() const {
    return !stragglers.empty() || tensorParallel > 1 || hosts > 1 || !clocks.empty();
  }
  int64_t ranksPerHost() const { return ranks / hosts; }
  /// The number that a step has, the first being 0.
  int64_t stepNumber(int64_t index) const {
    return index + (marks == Marks::Engine || marks == Marks::None ? 1 : firstStep);
  }
};

/// Reads the command line. Prints help, or what is wrong, and gives the exit code instead.
std::optional<Options> parseOptions(int argc, char **argv, int &exitCode);

} // namespace heddle::gen

#endif
