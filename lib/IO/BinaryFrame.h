//===- BinaryFrame.h - A frame that was read --------------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_IO_BINARYFRAME_H
#define HEDDLE_LIB_IO_BINARYFRAME_H

#include "heddle/Frame/Frame.h"
#include "llvm/Support/Compiler.h"
#include <flatbuffers/flatbuffers.h>

namespace heddle::binary {

/// Opens frames one after the other; the message lives until the next.
class FrameOpener {
public:
  /// Takes a header. What is wrong with it; null if nothing.
  const char *begin(std::span<const uint8_t, frame::kHeaderBytes> bytes) {
    std::copy(bytes.begin(), bytes.end(), head);
    return cause(frame::parseHeader(bytes, header));
  }
  /// How many bytes follow the header.
  uint64_t restBytes() const { return frame::frameBytes(header) - frame::kHeaderBytes; }
  /// Takes what follows the header, which must live as long as the message.
  const char *end(std::span<const uint8_t> rest) {
    std::span<const uint8_t> payload = rest.first(header.length);
    if (!frame::hashMatches(head, payload, header))
      return cause(frame::Fault::Hash);
    for (uint8_t padding : rest.subspan(header.length))
      if (padding)
        return "the bytes behind the frame are not 0";
    message = payload;
    return header.type < frame::kFirstOptional ? cause(codec.open(header, payload, buffer, message))
                                               : nullptr; // whatever it is
  }
  /// What the message takes besides the file's own bytes.
  uint64_t unpackedBytes() const { return header.flags & frame::kFlagZstd ? message.size() : 0; }
  /// The message as a table; null if it is none.
  template <typename T> const T *table() const {
    // A table takes more than 4 bytes, but several may share one: what bounds the work is this.
    flatbuffers::Verifier verifier(message.data(), message.size(), 64,
                                   static_cast<flatbuffers::uoffset_t>(message.size() / 4 + 1));
    return verifier.VerifyBuffer<T>(nullptr) ? flatbuffers::GetRoot<T>(message.data()) : nullptr;
  }

  frame::Codec codec;
  frame::Header header;
  std::span<const uint8_t> message;

private:
  static const char *cause(frame::Fault f) {
    return f == frame::Fault::None ? nullptr : frame::faultText(f);
  }
  uint8_t head[frame::kHeaderBytes] = {};
  std::vector<uint8_t> buffer;
};

} // namespace heddle::binary

#endif
