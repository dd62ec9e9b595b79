//===- Model.h - A made-up recording ----------------------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// What the simulator makes and both writers read. It owes nothing to Heddle's IR, so that what an
/// importer makes of the Kineto file can be compared with the text.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_GEN_MODEL_H
#define HEDDLE_GEN_MODEL_H

#include "Options.h"
#include "llvm/ADT/StringRef.h"

namespace heddle::gen {

/// Why a device idles. The spelling is `causeName`, the order that of the tables.
enum class Cause : uint8_t {
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
  Unrecorded,
};
inline constexpr unsigned numCauses = static_cast<unsigned>(Cause::Unrecorded) + 1;
llvm::StringRef causeName(Cause cause);
/// The spelling in --gap and in the manifest.
llvm::StringRef plantName(Plant plant);
/// The cause that the planted time of a gap has.
Cause causeOf(Plant plant);

/// The value of an argument.
struct Value {
  enum Kind : uint8_t { Int, Decimal, String, List, Bool, Null } kind = Int;
  int64_t number = 0; ///< Int, Bool; the mantissa of a Decimal.
  uint8_t scale = 0;  ///< Digits after the point of a Decimal.
  std::string text;   ///< String: its bytes. List: JSON in canonical spacing.

  static Value integer(int64_t v) { return {Int, v, 0, {}}; }
  static Value decimal(int64_t mantissa, uint8_t scale) { return {Decimal, mantissa, scale, {}}; }
  static Value string(llvm::StringRef s) { return {String, 0, 0, s.str()}; }
  static Value list(std::string json) { return {List, 0, 0, std::move(json)}; }
  static Value boolean(bool b) { return {Bool, b, 0, {}}; }
  static Value null() { return {Null, 0, 0, {}}; }
};

struct Arg {
  llvm::StringLiteral key;
  Value value;
};
using Args = std::vector<Arg>;

enum class EventClass : uint8_t {
  CpuOp,
  Annotation,
  Runtime,
  Driver,
  Kernel,
  Memcpy,
  Memset,
  SyncRow, ///< Of cuda_sync, on a device.
  DeviceAnnotation,
  Python,
  Memory,
  Overhead,
  Window,
  Marker,
};
constexpr bool isActivity(EventClass c) {
  return c == EventClass::Kernel || c == EventClass::Memcpy || c == EventClass::Memset;
}
constexpr bool isInstant(EventClass c) {
  return c == EventClass::Memory || c == EventClass::Marker;
}

/// A row of the recorder: a pid and a tid. Rows of the recorder itself have text for both.
struct Lane {
  enum Kind : uint8_t { Thread, Stream, Recorder } kind = Thread;
  int64_t pid = 0, tid = 0;
  std::string pidText, tidText; ///< Used instead of the numbers where `named`.
  bool named = false;
  std::string name; ///< As in thread_name; empty: the row has no name.
};

inline constexpr uint32_t none = 0xffffffff;

struct Event {
  EventClass cls = EventClass::CpuOp;
  uint32_t lane = 0;
  std::string name;
  int64_t begin = 0, end = 0; ///< ns after the base.
  Args args;
  int64_t correlation = 0;
  uint32_t launch = none;  ///< Of an activity: the event of its launch.
  uint32_t forward = none; ///< Of a backward op: its forward op.
};

/// A count of what was done, of a step or of the whole.
struct Fact {
  std::optional<int64_t> step;
  std::string name;
  int64_t value = 0;
};

/// Ranks that communicate with each other, as PyTorch names them.
struct ProcessGroup {
  std::string name = "0", description = "default_pg";
  std::vector<int64_t> ranks;
  int64_t sequence = 0; ///< Of its next collective.
};

/// A time in which a device has nothing to run.
struct Gap {
  std::optional<int64_t> step; ///< None: in no step's window.
  int64_t begin = 0, length = 0;
  int64_t parts[numCauses] = {};
  std::optional<GapRequest> planted;
  bool leadIn = false; ///< Before the first activity: in its step, but not in the whole.
};

struct RankTrace {
  int64_t number = 0;
  int64_t host = 0;
  int64_t pid = 0;
  int64_t device = 0;
  int64_t jobBegin = 0; ///< The same time on all ranks.
  std::vector<Lane> lanes;
  std::vector<Event> events; ///< In file order.
  std::vector<Gap> gaps;     ///< In time order.
  std::vector<Fact> facts;
  std::vector<ProcessGroup> groups; ///< It is in.
  int64_t windowBegin = 0, windowEnd = 0;
};

struct JobTrace {
  int64_t base = 0; ///< ns since 1970.
  std::vector<RankTrace> ranks;
};

} // namespace heddle::gen

#endif
