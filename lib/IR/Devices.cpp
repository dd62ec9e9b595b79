//===- Devices.cpp - Devices by the number that work names ----------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/IR/Devices.h"
#include "llvm/ADT/STLExtras.h"

using namespace heddle;

const Device *heddle::describedDevice(const Recording &recording, int64_t number) {
  llvm::ArrayRef<Device> all = recording.devices;
  auto it = llvm::find_if(all, [&](const Device &d) { return d.id == number; });
  if (it != all.end())
    return it;
  bool alike = llvm::all_of(all, [&](const Device &d) {
    return d.name == all.front().name && d.numSms == all.front().numSms;
  });
  return alike && !all.empty() ? &all.front() : nullptr;
}
