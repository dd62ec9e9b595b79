//===- Memory.cpp - What tensors need -------------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "Network.h"
#include "Worker.h"
#include <algorithm>

using namespace heddle::gen;

void Worker::memory(unsigned thread, int64_t bytes) {
  allocated += bytes;
  if (!options.memory || options.allocator)
    return;
  Args args = {{"Total Reserved", Value::integer(int64_t{2} << 30)},
               {"Total Allocated", Value::integer(allocated)},
               {"Bytes", Value::integer(bytes)},
               {"Device Id",
                Value::integer(options.vendor == Vendor::Rocm ? trace.device - 2 : trace.device)},
               {"Device Type", Value::integer(options.vendor == Vendor::Rocm ? 6 : 1)},
               {"Addr", Value::integer(0x7f1000000000 + allocated)},
               {"Ev Idx", Value::integer(eventIndex++)}};
  add(EventClass::Memory, threads[thread].lane, "[memory]", now(thread), std::move(args));
}

/// An instant of the recorder.
void Worker::memoryEvent(unsigned thread, int64_t address, int64_t bytes, bool onHost) {
  bool rocm = options.vendor == Vendor::Rocm;
  const Allocator &from = onHost ? hostMemory : deviceMemory;
  // Of the host's memory the recorder sees what was allocated since it began.
  Args args = {{"Total Reserved", Value::integer(onHost ? 0 : from.reserved())},
               {"Total Allocated", Value::integer(from.allocated())},
               {"Bytes", Value::integer(bytes)},
               {"Device Id", Value::integer(onHost ? -1
                                            : rocm ? trace.device - 2
                                                   : trace.device)},
               {"Device Type", Value::integer(onHost ? 0
                                              : rocm ? 6
                                                     : 1)},
               {"Addr", Value::integer(address)},
               {"Ev Idx", Value::integer(eventIndex++)}};
  add(EventClass::Memory, threads[thread].lane, "[memory]", now(thread), std::move(args));
}

int64_t Worker::allocate(unsigned thread, int64_t bytes, bool onHost) {
  if (!options.allocator)
    return 0;
  Allocator &from = onHost ? hostMemory : deviceMemory;
  int64_t address = from.allocate(bytes);
  memoryEvent(thread, address, from.sizeOf(address), onHost);
  planted[{step, onHost ? "host-allocations" : "allocations"}] += 1;
  if (onHost)
    return address;
  seen.insert(address);
  for (int64_t of : {step, int64_t{-1}}) {
    int64_t &peak = peaks[of];
    peak = std::max(peak, from.allocated());
  }
  return address;
}

void Worker::release(unsigned thread, int64_t address, bool onHost) {
  if (!options.allocator)
    return;
  int64_t bytes = (onHost ? hostMemory : deviceMemory).release(address);
  memoryEvent(thread, address, -bytes, onHost);
  planted[{step, onHost ? "host-frees" : "frees"}] += 1;
  if (!onHost && !seen.erase(address))
    planted[{step, "frees-of-older"}] += 1;
}

/// What is there when the recording begins: parameters and their states, which stay, and the
/// gradients of a step before, which the first step frees.
void Worker::fillMemory() {
  if (!options.allocator)
    return;
  for (int64_t layer = 0; layer < options.layers; ++layer) {
    for (int copy = 0; copy < 3; ++copy)
      deviceMemory.allocate(7087872 * 4);
    gradients.push_back(deviceMemory.allocate(7087872 * 2));
  }
}

void Worker::releaseGradients(unsigned thread) {
  for (int64_t block : gradients)
    release(thread, block);
  gradients.clear();
}

int64_t heddle::gen::outputBytes(const OpSpec &op) {
  // As much as the first input has.
  int64_t bytes = op.types.starts_with("[\"float\"") ? 4 : 2;
  llvm::StringRef dims = op.dims.drop_while([](char c) { return c == '['; });
  for (dims = dims.take_until([](char c) { return c == ']'; }); !dims.empty();) {
    int64_t extent = 1;
    if (dims.consumeInteger(10, extent))
      break;
    bytes *= extent;
    dims = dims.ltrim(", ");
  }
  return bytes;
}
