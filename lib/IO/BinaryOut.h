//===- BinaryOut.h - Frames on their way out --------------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_IO_BINARYOUT_H
#define HEDDLE_LIB_IO_BINARYOUT_H

#include "heddle/Frame/Column.h"
#include "heddle/Support/Diagnostics.h"
#include "rank_generated.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

namespace heddle::binary {

/// Where a frame went.
struct Placed {
  uint64_t offset = 0, bytes = 0;
};

/// What is too long for a frame.
llvm::Error tooLarge(const llvm::Twine &what, uint64_t bytes);

/// Writes frames one after the other.
class Out {
public:
  explicit Out(llvm::raw_ostream &os) : os(os) {}

  /// Ends the message and writes it; the builder is then empty.
  template <typename T>
  llvm::Expected<Placed> put(frame::Type type, flatbuffers::FlatBufferBuilder &message,
                             flatbuffers::Offset<T> root, const llvm::Twine &what) {
    message.Finish(root);
    auto placed = put(type, {message.GetBufferPointer(), message.GetSize()}, what);
    message.Clear();
    return placed;
  }
  /// Writes a frame with this message. Fails if it is too long.
  llvm::Expected<Placed> put(frame::Type type, std::span<const uint8_t> message,
                             const llvm::Twine &what);
  uint64_t offset() const { return at; }

  /// A column as part of a message.
  flatbuffers::Offset<hb::Column> column(flatbuffers::FlatBufferBuilder &message,
                                         std::span<const int64_t> values, uint32_t slot = 0,
                                         hb::Part part = hb::Part::Values);

private:
  llvm::raw_ostream &os;
  frame::Codec codec;
  frame::ColumnEncoder encoder;
  std::vector<uint8_t> bytes;
  uint64_t at = 0;
};

} // namespace heddle::binary

#endif
