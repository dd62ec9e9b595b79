//===- Traffic.h - What an op reads and writes at least ---------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Bytes from recorded shapes. Recorders tell an op's inputs, not its outputs: those follow from
/// the op's class.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_PLUGINS_FUSIONCANDIDATES_TRAFFIC_H
#define HEDDLE_PLUGINS_FUSIONCANDIDATES_TRAFFIC_H

#include "OpClasses.h"
#include "heddle/IR/Rank.h"
#include "llvm/ADT/StringMap.h"

namespace heddle::fusion {

/// What one call moves.
struct Traffic {
  std::optional<int64_t> read, written; ///< Bytes; none where the recording does not tell.
  /// All it moves, if known.
  std::optional<int64_t> all() const {
    if (!read || !written)
      return std::nullopt;
    return *read + *written;
  }
};

/// The traffic of an op whose arguments are these texts, each a JSON list or empty. A dimension
/// whose stride is 0 holds one element. Unknown: an argument that is a list of tensors, a type
/// without a size, sizes beyond 2^60 bytes.
Traffic trafficOf(OpClass kind, llvm::StringRef dims, llvm::StringRef types,
                  llvm::StringRef strides);

/// Reads it from events; remembers what it found out about a shape, so that a call costs
/// O(length of its shapes). Holds a reference to the rank. Not thread-safe.
class TrafficReader {
public:
  explicit TrafficReader(const Rank &rank);
  /// "" if there are none.
  llvm::StringRef dims(EventRef op) const;
  Traffic traffic(EventRef op, OpClass kind);

private:
  const Rank &rank;
  AttrReader dimsReader, types, strides;
  llvm::StringMap<Traffic> known;
};

} // namespace heddle::fusion

#endif
