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
#include "llvm/Support/JSON.h"
#include <map>

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

/// The traffic of an op with these arguments; null for what is no list. A dimension
/// whose stride is 0 holds one element. Unknown: an argument that is a list of tensors, a type
/// without a size, sizes beyond 2^60 bytes.
Traffic trafficOf(OpClass kind, const llvm::json::Array *dims, const llvm::json::Array *types,
                  const llvm::json::Array *strides);

/// Reads it from events. Each text is parsed once, and what is known of texts together is
/// remembered, so that a call costs O(log n). Holds a reference to the rank. Not thread-safe.
class TrafficReader {
public:
  explicit TrafficReader(const Rank &rank);
  /// The text of its shapes, Empty if there are none.
  StringId dims(EventRef op) const;
  Traffic traffic(EventRef op, OpClass kind);

private:
  const Rank &rank;
  AttrReader dimsReader, types, strides;
  const llvm::json::Array *list(StringId text);
  std::map<StringId, std::optional<llvm::json::Value>> lists;
  std::map<std::tuple<OpClass, StringId, StringId, StringId>, Traffic> known;
};

} // namespace heddle::fusion

#endif
