//===- Model.cpp - A made-up recording ------------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "Model.h"

using namespace heddle::gen;

llvm::StringRef heddle::gen::causeName(Cause cause) {
  static constexpr llvm::StringLiteral names[numCauses] = {
      "sync",      "after-sync", "input",       "gc",         "alloc",          "compile",
      "host",      "unobserved", "launch-call", "dependency", "launch-latency", "kernel-to-kernel",
      "unrecorded"};
  return names[static_cast<unsigned>(cause)];
}

llvm::StringRef heddle::gen::plantName(Plant plant) {
  if (plant == Plant::IdleSync)
    return "idle-sync";
  if (plant == Plant::IdleQueue)
    return "idle-queue";
  if (plant == Plant::LeadIn)
    return "lead-in";
  return causeName(causeOf(plant));
}

Cause heddle::gen::causeOf(Plant plant) {
  switch (plant) {
  case Plant::Sync:
    return Cause::Sync;
  case Plant::AfterSync:
    return Cause::AfterSync;
  case Plant::Input:
    return Cause::Input;
  case Plant::Gc:
    return Cause::Gc;
  case Plant::Alloc:
    return Cause::Alloc;
  case Plant::Compile:
    return Cause::Compile;
  case Plant::Unobserved:
    return Cause::Unobserved;
  case Plant::LaunchCall:
    return Cause::LaunchCall;
  case Plant::Dependency:
    return Cause::Dependency;
  case Plant::LaunchLatency:
    return Cause::LaunchLatency;
  case Plant::KernelToKernel:
    return Cause::KernelToKernel;
  case Plant::Unrecorded:
  case Plant::IdleSync:
  case Plant::IdleQueue:
    return Cause::Unrecorded;
  case Plant::Host:
  case Plant::LeadIn: // as a whole; its parts are as they come
    return Cause::Host;
  }
  return Cause::Host;
}
