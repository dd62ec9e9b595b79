//===- Options.h - What heddle-gen is asked for -----------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_GEN_OPTIONS_H
#define HEDDLE_GEN_OPTIONS_H

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

struct GapRequest {
  Plant plant = Plant::Host;
  int64_t count = 1;
  int64_t ns = 0;
};

struct Options {
  uint64_t seed = 0;
  int64_t ranks = 1;
  int64_t steps = 3;
  int64_t layers = 4;
  int64_t streams = 1;
  int64_t firstStep = 2;
  int64_t kernelScale = 100; ///< Per cent of the usual kernel durations.
  Format format = Format::Text;
  Era era = Era::Torch2_15;
  Vendor vendor = Vendor::Cuda;
  bool stack = false;
  bool shapes = false;
  bool memory = false;
  std::vector<GapRequest> gaps;
  std::string output = "-";
  std::string manifest; ///< Empty: none.
};

/// Reads the command line. Prints help, or what is wrong, and gives the exit code instead.
std::optional<Options> parseOptions(int argc, char **argv, int &exitCode);

} // namespace heddle::gen

#endif
