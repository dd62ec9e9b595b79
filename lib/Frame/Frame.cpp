//===- Frame.cpp - The pieces that .hb is made of -------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/Frame/Frame.h"
#include <cstring>
#include <zstd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace heddle::frame {

const char *faultText(Fault fault) {
  switch (fault) {
  case Fault::None:
    return "nothing is wrong";
  case Fault::Magic:
    return "no frame begins here";
  case Fault::Length:
    return "the frame is longer than 64 MiB";
  case Fault::Flags:
    return "the frame has flags of a later version";
  case Fault::Hash:
    return "the hash does not match";
  case Fault::Zstd:
    return "it does not decompress";
  }
  return "";
}

template <typename T> static T load(const uint8_t *from) {
  T value = 0;
  for (size_t i = 0; i != sizeof(T); ++i)
    value = static_cast<T>(value | static_cast<T>(T{from[i]} << (8 * i)));
  return value;
}

template <typename T> static void store(uint8_t *to, T value) {
  for (size_t i = 0; i != sizeof(T); ++i)
    to[i] = static_cast<uint8_t>(value >> (8 * i));
}

Fault parseHeader(std::span<const uint8_t, kHeaderBytes> bytes, Header &header) {
  if (load<uint32_t>(bytes.data()) != kMagic)
    return Fault::Magic;
  header.type = load<uint16_t>(bytes.data() + 4);
  header.flags = load<uint16_t>(bytes.data() + 6);
  header.length = load<uint64_t>(bytes.data() + 8);
  header.hash = load<uint64_t>(bytes.data() + 16);
  if (header.length > kMaxBytes)
    return Fault::Length;
  if (header.flags & ~kFlagZstd)
    return Fault::Flags;
  return Fault::None;
}

static uint64_t hashOf(const uint8_t *header, std::span<const uint8_t> payload) {
  XXH3_state_t state;
  XXH3_INITSTATE(&state);
  XXH3_64bits_reset(&state);
  XXH3_64bits_update(&state, header, kHeaderBytes - sizeof(uint64_t));
  XXH3_64bits_update(&state, payload.data(), payload.size());
  return XXH3_64bits_digest(&state);
}

bool hashMatches(std::span<const uint8_t, kHeaderBytes> header, std::span<const uint8_t> payload,
                 const Header &parsed) {
  return hashOf(header.data(), payload) == parsed.hash;
}

Codec::Codec() : compressor(ZSTD_createCCtx()), decompressor(ZSTD_createDCtx()) {}

Codec::~Codec() {
  ZSTD_freeCCtx(static_cast<ZSTD_CCtx *>(compressor));
  ZSTD_freeDCtx(static_cast<ZSTD_DCtx *>(decompressor));
}

std::span<const uint8_t> Codec::compress(std::span<const uint8_t> message) {
  scratch.resize(ZSTD_compressBound(message.size()));
  size_t size = ZSTD_compressCCtx(static_cast<ZSTD_CCtx *>(compressor), scratch.data(),
                                  scratch.size(), message.data(), message.size(), kZstdLevel);
  if (ZSTD_isError(size) || size >= message.size())
    return {};
  return {scratch.data(), size};
}

bool Codec::decompress(std::span<const uint8_t> stored, std::span<uint8_t> out) {
  // One frame and nothing behind it; zstd itself takes several, and frames that it skips.
  constexpr uint8_t magic[] = {0x28, 0xb5, 0x2f, 0xfd};
  if (stored.size() < sizeof magic ||
      !std::equal(std::begin(magic), std::end(magic), stored.begin()) ||
      ZSTD_findFrameCompressedSize(stored.data(), stored.size()) != stored.size())
    return false;
  size_t size = ZSTD_decompressDCtx(static_cast<ZSTD_DCtx *>(decompressor), out.data(), out.size(),
                                    stored.data(), stored.size());
  return !ZSTD_isError(size) && size == out.size();
}

void Codec::append(std::vector<uint8_t> &out, Type type, std::span<const uint8_t> message) {
  std::span<const uint8_t> payload = message, shorter = compress(message);
  uint16_t flags = 0;
  if (!shorter.empty()) {
    payload = shorter;
    flags = kFlagZstd;
  }
  uint8_t header[kHeaderBytes];
  store(header, kMagic);
  store(header + 4, static_cast<uint16_t>(type));
  store(header + 6, flags);
  store(header + 8, static_cast<uint64_t>(payload.size()));
  store(header + 16, hashOf(header, payload));
  out.insert(out.end(), header, header + kHeaderBytes);
  out.insert(out.end(), payload.begin(), payload.end());
  out.resize((out.size() + kAlignment - 1) / kAlignment * kAlignment);
}

Fault Codec::open(const Header &header, std::span<const uint8_t> payload,
                  std::vector<uint8_t> &buffer, std::span<const uint8_t> &message) {
  if (!(header.flags & kFlagZstd)) {
    message = payload;
    return Fault::None;
  }
  unsigned long long size = ZSTD_getFrameContentSize(payload.data(), payload.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > kMaxBytes)
    return Fault::Zstd;
  buffer.resize(size);
  if (!decompress(payload, buffer))
    return Fault::Zstd;
  message = buffer;
  return Fault::None;
}

} // namespace heddle::frame
