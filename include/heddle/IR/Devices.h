//===- heddle/IR/Devices.h - Devices by the number that work names -*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Recorders do not all number devices as their list of properties does: ROCm's activities name
/// agents of the whole node (device 2 where one GPU, 0, is listed).
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_IR_DEVICES_H
#define HEDDLE_IR_DEVICES_H

#include "heddle/IR/Rank.h"

namespace heddle {

/// What the recording says of the device that activities call `number`: the one with that id, else,
/// where all that are listed have one name and as many multiprocessors, or there is only one, the
/// first. Null where they differ: nobody knows which it is. O(devices).
const Device *describedDevice(const Recording &recording, int64_t number);

} // namespace heddle

#endif
