//===- EventRecords.h - TensorBoard's event files ---------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// An event file is a list of records (length, checksum, bytes, checksum), each a protobuf message
/// of TensorFlow's type Event. Only what scalars and texts need is here.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_LOWER_EVENTRECORDS_H
#define HEDDLE_LIB_LOWER_EVENTRECORDS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace heddle {

/// CRC-32C (Castagnoli). O(length).
uint32_t crc32c(llvm::StringRef bytes);
/// The checksum of records: rotated, so that one over bytes that hold one is none.
uint32_t maskedCrc32c(llvm::StringRef bytes);

/// Writes the records of one file.
class EventRecords {
public:
  /// Writes the first record, which says the version of the format. Times are Unix seconds.
  EventRecords(llvm::raw_ostream &os, double time);
  /// A number of a step. Steps of a tag must increase, else a reader drops those before.
  void scalar(llvm::StringRef tag, int64_t step, double time, float value);
  /// Markdown for the text plugin.
  void text(llvm::StringRef tag, int64_t step, double time, llvm::StringRef markdown);

private:
  void summary(int64_t step, double time, llvm::StringRef value);
  void record(llvm::StringRef event);
  llvm::raw_ostream &os;
};

} // namespace heddle

#endif
