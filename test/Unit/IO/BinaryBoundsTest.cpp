//===- BinaryBoundsTest.cpp - What a small .hb may not become --------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/Frame/Frame.h"
#include "heddle/IO/Binary.h"
#include "gtest/gtest.h"

using namespace heddle;

namespace {

/// Where the frame behind the footer begins in a file of no rank.
size_t behindFooter(const std::string &file) {
  for (size_t at = 0;;) {
    frame::Header header;
    std::span<const uint8_t> bytes(reinterpret_cast<const uint8_t *>(file.data()) + at,
                                   frame::kHeaderBytes);
    EXPECT_EQ(frame::parseHeader(bytes.first<frame::kHeaderBytes>(), header), frame::Fault::None);
    at += frame::frameBytes(header);
    if (header.type == static_cast<uint16_t>(frame::Type::Footer))
      return at;
  }
}

/// An empty file with this many frames behind the footer, of 56 MiB each.
std::string withLongFrames(frame::Type type, unsigned count) {
  std::string file;
  llvm::raw_string_ostream os(file);
  EXPECT_EQ(llvm::toString(writeBinary(Trace(), Results(), os)), "");
  // An empty table: its vtable stands at 4, itself at 8.
  std::vector<uint8_t> message(size_t{56} << 20), frames;
  message[0] = 8;
  message[4] = message[6] = 4;
  message[8] = 4;
  frame::Codec codec;
  for (unsigned i = 0; i != count; ++i)
    codec.append(frames, type, message);
  file.insert(behindFooter(file), reinterpret_cast<const char *>(frames.data()), frames.size());
  return file;
}

std::string read(const std::string &bytes) {
  Trace out;
  BinaryReadOptions options;
  auto input = Input::fromMemory(bytes, "t.hb", options.limits);
  return llvm::toString(readBinary(*input, out, options));
}

// The messages of a file together are bounded, though each is right.
TEST(BinaryBounds, UnpackedMessagesCount) {
  EXPECT_EQ(read(withLongFrames(frame::Type::Result, 3)), "");
  std::string bomb = withLongFrames(frame::Type::Result, 40);
  EXPECT_LT(bomb.size(), size_t{1} << 18);
  EXPECT_NE(read(bomb).find("refused as a decompression bomb"), std::string::npos) << read(bomb);
  Trace out;
  Results published;
  llvm::Expected<BinaryRecovery> recovered = recoverBinary(bomb, "t.hb", out, published, Limits());
  EXPECT_NE(llvm::toString(recovered.takeError()).find("bomb"), std::string::npos);
}

// What is passed over is not unpacked, whatever it is.
TEST(BinaryBounds, OtherFramesAreNotUnpacked) {
  EXPECT_EQ(read(withLongFrames(static_cast<frame::Type>(frame::kFirstOptional), 40)), "");
}

} // namespace
