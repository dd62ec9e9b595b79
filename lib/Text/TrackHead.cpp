//===- TrackHead.cpp - What the head of a track says ----------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "TrackHead.h"

using namespace heddle;
using namespace heddle::text;

llvm::StringRef text::familyHead(Family family) {
  if (isThread(family))
    return "thread";
  if (isStream(family))
    return "stream";
  switch (family) {
  case Family::Overhead:
    return "overhead";
  case Family::Window:
    return "window";
  case Family::Async:
    return "async";
  default:
    return "counters";
  }
}

llvm::StringRef text::familyWord(Family family) {
  switch (family) {
  case Family::ThreadPython:
    return "python";
  case Family::ThreadMarker:
  case Family::StreamMarker:
    return "marker";
  case Family::StreamAnnotation:
    return "annotation";
  case Family::StreamSync:
    return "sync";
  default:
    return "";
  }
}

UsualIds text::usualIds(Family family, int64_t hostPid, int64_t device, int64_t stream) {
  auto integer = [](int64_t v) { return IdText{SourceId::Int, v, ""}; };
  if (isThread(family) || family == Family::Counter || family == Family::Async)
    return {integer(hostPid), {}};
  if (isStream(family))
    return {integer(device), integer(stream)};
  if (family == Family::Overhead)
    return {integer(-1), integer(0)};
  return {{SourceId::String, 0, "Spans"}, {SourceId::String, 0, "PyTorch Profiler"}};
}
