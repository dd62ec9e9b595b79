//===- heddle/Frame/Frame.h - The pieces that .hb is made of ----*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// A frame is a header of 24 bytes, a payload and zeros up to a multiple of 16: it can be found by
/// its magic and trusted by its hash, without what stands around it. docs/TraceFormat.md says every
/// byte. Nothing of ours and no LLVM is used here, so that a small library can write frames.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_FRAME_FRAME_H
#define HEDDLE_FRAME_FRAME_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace heddle::frame {

inline constexpr uint32_t kMagic = 0x0A424889; ///< "\x89HB\n" in the file.
inline constexpr size_t kHeaderBytes = 24;     ///< Before each payload.
inline constexpr size_t kAlignment = 16;       ///< Frames begin at multiples of it.
/// The longest payload, and the longest message that one may decompress to.
inline constexpr uint64_t kMaxBytes = uint64_t{64} << 20;
inline constexpr uint16_t kFlagZstd = 1; ///< The payload is the message as a zstd frame.
inline constexpr int kZstdLevel = 3;     ///< Of all that is compressed.

/// What a payload is. Readers pass over unknown types from kFirstOptional on, and refuse others.
enum class Type : uint16_t {
  Head = 1,   ///< The first frame: version and features.
  Rank,       ///< Facts, layouts and tracks of a rank.
  Strings,    ///< Some of a rank's strings.
  Events,     ///< Rows of tracks.
  Flows,      ///< Flow rows and ends of spans.
  Loose,      ///< Loose rows.
  Edges,      ///< Edges that nothing else gives.
  Footer,     ///< Where everything is.
  Result,     ///< What a pass published.
  Provenance, ///< Where it came from.
  End,        ///< The last frame: where the footer is.
};
inline constexpr uint16_t kFirstOptional = 0x8000; ///< See Type.

/// The first 24 bytes of a frame.
struct Header {
  uint16_t type = 0;   ///< A Type, or an unknown one.
  uint16_t flags = 0;  ///< kFlag...
  uint64_t length = 0; ///< Of the payload.
  uint64_t hash = 0;   ///< xxh3-64 of the header before the hash, and the payload.
};

/// Why some bytes are no frame.
enum class Fault : uint8_t { None, Magic, Length, Flags, Hash, Zstd };
/// A sentence part for people: "the hash does not match".
const char *faultText(Fault fault);

/// Reads a header; checks magic, flags and that the payload is not too long. The hash is checked by
/// `open`.
Fault parseHeader(std::span<const uint8_t, kHeaderBytes> bytes, Header &header);
/// Bytes of the whole frame, padding included.
constexpr uint64_t frameBytes(const Header &h) {
  return (kHeaderBytes + h.length + kAlignment - 1) / kAlignment * kAlignment;
}
/// Checks the hash of the header as stored and of the payload.
bool hashMatches(std::span<const uint8_t, kHeaderBytes> header, std::span<const uint8_t> payload,
                 const Header &parsed);

/// Compresses and decompresses; keeps what zstd needs for it. Not thread-safe.
class Codec {
public:
  Codec();
  ~Codec();
  Codec(const Codec &) = delete;
  Codec &operator=(const Codec &) = delete;

  /// The message as a zstd frame, or nothing if that is no shorter.
  std::span<const uint8_t> compress(std::span<const uint8_t> message);
  /// Undoes `compress` where the result must have exactly this size.
  bool decompress(std::span<const uint8_t> stored, std::span<uint8_t> out);
  /// Appends a frame with this message, compressed if that makes it shorter.
  void append(std::vector<uint8_t> &out, Type type, std::span<const uint8_t> message);
  /// The message of a payload whose hash matches: the payload itself or, decompressed, `buffer`.
  Fault open(const Header &header, std::span<const uint8_t> payload, std::vector<uint8_t> &buffer,
             std::span<const uint8_t> &message);

private:
  void *compressor = nullptr, *decompressor = nullptr;
  std::vector<uint8_t> scratch;
};

} // namespace heddle::frame

#endif
