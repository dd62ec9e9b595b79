//===- BinaryOut.cpp - Frames on their way out ----------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "BinaryOut.h"

using namespace llvm;

namespace heddle::binary {

Error tooLarge(const Twine &what, uint64_t bytes) {
  return inputError("hb-too-large", what + " takes " + Twine(bytes) +
                                        " bytes; a frame of .hb holds " + Twine(frame::kMaxBytes));
}

Expected<Placed> Out::put(frame::Type type, std::span<const uint8_t> message, const Twine &what) {
  if (message.size() > frame::kMaxBytes)
    return tooLarge(what, message.size());
  bytes.clear();
  codec.append(bytes, type, message);
  os.write(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  Placed placed{at, bytes.size()};
  at += bytes.size();
  return placed;
}

flatbuffers::Offset<hb::Column> Out::column(flatbuffers::FlatBufferBuilder &message,
                                            std::span<const int64_t> values, uint32_t slot,
                                            hb::Part part) {
  frame::StoredColumn c = encoder.encode(values);
  flatbuffers::Offset<flatbuffers::Vector<uint32_t>> sizes;
  flatbuffers::Offset<flatbuffers::Vector<uint8_t>> data;
  if (!c.sizes.empty()) {
    sizes = message.CreateVector(c.sizes);
    data = message.CreateVector(c.data);
  }
  return hb::CreateColumn(message, slot, part, static_cast<hb::Encoding>(c.encoding), c.count,
                          c.first, c.second, c.unit, c.width, c.entries, c.entryWidth, sizes, data);
}

} // namespace heddle::binary
