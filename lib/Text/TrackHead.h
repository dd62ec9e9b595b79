//===- TrackHead.h - What the head of a track says --------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Spellings of families, and the pid and tid that a track has where its head names none.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_TEXT_TRACKHEAD_H
#define HEDDLE_LIB_TEXT_TRACKHEAD_H

#include "heddle/IR/Track.h"

namespace heddle::text {

/// The pid of host tracks where nothing names one.
inline constexpr int64_t kUsualHostPid = 1000;
/// What Recording::format says of text that states none.
inline constexpr llvm::StringLiteral kTextFormat = "heddle-text";

/// thread, stream, overhead, window, counters or async.
llvm::StringRef familyHead(Family family);
/// python, marker, annotation or sync; "" for the plain family of a head.
llvm::StringRef familyWord(Family family);

/// A SourceId whose text is not interned.
struct IdText {
  SourceId::Form form = SourceId::Absent;
  int64_t value = 0;
  llvm::StringRef text;
  friend bool operator==(const IdText &, const IdText &) = default;
  static IdText of(const SourceId &id, const StringTable &strings) {
    return {id.form, id.form == SourceId::Int ? id.value : 0,
            id.form == SourceId::String || id.form == SourceId::Raw ? strings[id.text] : ""};
  }
};

/// The pid and tid of a track whose head names neither. `device` and `stream` count for streams.
struct UsualIds {
  IdText pid, tid;
};
UsualIds usualIds(Family family, int64_t hostPid, int64_t device, int64_t stream);

} // namespace heddle::text

#endif
