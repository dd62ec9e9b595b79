//===- Input.cpp - Streaming bytes in -----------------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//
// Two layers: a byte source (a file descriptor or memory), and a reader on top that either passes
// the bytes through or inflates them. What head() showed is handed out first by read().
//===----------------------------------------------------------------------===//
#include "heddle/IO/Input.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Errno.h"
#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>
#include <zlib.h>

using namespace llvm;

namespace heddle {
namespace {

constexpr size_t kHeadBytes = 64 << 10;
constexpr size_t kBlockBytes = 256 << 10;
/// The expansion ratio is not looked at before this many bytes have come out.
constexpr uint64_t kFreeExpansion = uint64_t{64} << 20;

Error ioError(StringRef name, const Twine &cause) {
  return inputError("cannot-read", "cannot read '" + name + "': " + cause);
}

/// Bytes as they are stored: from a descriptor that it owns, or from memory.
class ByteSource {
public:
  explicit ByteSource(StringRef bytes) : memory(bytes) {}
  ByteSource(int fd, bool owned) : fd(fd), owned(owned) {}
  ByteSource(ByteSource &&o) noexcept : memory(o.memory), fd(o.fd), owned(o.owned) { o.fd = -1; }
  ~ByteSource() {
    if (fd >= 0 && owned)
      ::close(fd);
  }

  /// Up to `size` bytes, 0 at the end, -1 with errno set on failure.
  ssize_t read(char *to, size_t size) {
    if (fd < 0) {
      size_t n = std::min(size, memory.size());
      std::memcpy(to, memory.data(), n);
      memory = memory.drop_front(n);
      return static_cast<ssize_t>(n);
    }
    ssize_t n;
    do
      n = ::read(fd, to, std::min(size, size_t{1} << 30));
    while (n < 0 && errno == EINTR);
    return n;
  }

private:
  StringRef memory;
  int fd = -1;
  bool owned = false;
};

class StreamInput final : public Input {
public:
  StreamInput(ByteSource source, StringRef name, uint64_t size, const Limits &limits)
      : source(std::move(source)), limits(limits) {
    inputName = name.str();
    rawBytes = size;
  }
  ~StreamInput() override {
    if (inflating)
      inflateEnd(&z);
  }

  Expected<size_t> read(char *to, size_t size) override {
    if (size == 0)
      return 0;
    if (front < ahead.size()) {
      size_t n = std::min(size, ahead.size() - front);
      std::memcpy(to, ahead.data() + front, n);
      front += n;
      if (front == ahead.size() && headDone)
        std::vector<char>().swap(ahead), front = 0;
      return n;
    }
    headDone = true;
    return fetch(to, size);
  }

  Expected<StringRef> head() override {
    assert(!headDone && "head() after the first read beyond it");
    ahead.resize(kHeadBytes);
    size_t have = headFilled;
    while (have < kHeadBytes && !atEnd) {
      auto n = fetch(ahead.data() + have, kHeadBytes - have);
      if (!n)
        return n.takeError();
      if (*n == 0)
        break;
      have += *n;
    }
    headFilled = have;
    ahead.resize(have);
    return StringRef(ahead.data() + front, have - front);
  }

private:
  /// Decides between plain and gzip on the first two bytes.
  Error start() {
    started = true;
    block.resize(kBlockBytes);
    while (blockEnd < 2) {
      ssize_t n = source.read(block.data() + blockEnd, block.size() - blockEnd);
      if (n < 0)
        return ioError(inputName, sys::StrError());
      if (n == 0)
        break;
      blockEnd += static_cast<size_t>(n);
    }
    rawRead = blockEnd;
    if (!atMember())
      return Error::success();
    std::memset(&z, 0, sizeof(z));
    if (inflateInit2(&z, 15 + 16) != Z_OK)
      return ioError(inputName, "zlib did not start");
    inflating = true;
    return Error::success();
  }

  bool atMember() const {
    return blockEnd - blockAt >= 2 && static_cast<unsigned char>(block[blockAt]) == 0x1f &&
           static_cast<unsigned char>(block[blockAt + 1]) == 0x8b;
  }

  /// Makes at least `want` unread bytes stand in the block, or all that are left.
  Error fill(size_t want) {
    if (blockEnd - blockAt >= want)
      return Error::success();
    std::memmove(block.data(), block.data() + blockAt, blockEnd - blockAt);
    blockEnd -= blockAt;
    blockAt = 0;
    while (blockEnd < want) {
      ssize_t n = source.read(block.data() + blockEnd, block.size() - blockEnd);
      if (n < 0)
        return ioError(inputName, sys::StrError());
      if (n == 0)
        break;
      blockEnd += static_cast<size_t>(n);
      rawRead += static_cast<uint64_t>(n);
    }
    return Error::success();
  }

  Expected<size_t> fetch(char *to, size_t size) {
    if (atEnd)
      return 0;
    if (!started)
      if (Error e = start())
        return e;
    return inflating ? fetchInflated(to, size) : fetchPlain(to, size);
  }

  Expected<size_t> fetchPlain(char *to, size_t size) {
    if (blockAt < blockEnd) {
      size_t n = std::min(size, blockEnd - blockAt);
      std::memcpy(to, block.data() + blockAt, n);
      blockAt += n;
      return n;
    }
    ssize_t n = source.read(to, size);
    if (n < 0)
      return ioError(inputName, sys::StrError());
    if (n == 0)
      atEnd = true;
    rawRead += static_cast<uint64_t>(n);
    return static_cast<size_t>(n);
  }

  /// Ends the stream early; what has come out stays.
  size_t stop(const Twine &reason) {
    atEnd = true;
    truncation = reason.str();
    return 0;
  }

  Expected<size_t> fetchInflated(char *to, size_t size) {
    z.next_out = reinterpret_cast<Bytef *>(to);
    size_t room = std::min(size, size_t{1} << 30);
    z.avail_out = static_cast<uInt>(room);
    while (z.avail_out == room) {
      if (memberDone) {
        if (Error e = fill(2))
          return e;
        if (!atMember())
          return skipTail();
        inflateReset(&z);
        memberDone = false;
      }
      if (Error e = fill(1))
        return e;
      size_t have = blockEnd - blockAt;
      if (have == 0)
        return stop("the gzip stream ends before its trailer");
      z.next_in = reinterpret_cast<Bytef *>(block.data() + blockAt);
      z.avail_in = static_cast<uInt>(have);
      int rc = inflate(&z, Z_NO_FLUSH);
      blockAt += have - z.avail_in;
      size_t produced = room - z.avail_out;
      if (rc == Z_STREAM_END) {
        memberDone = true;
      } else if (rc == Z_NEED_DICT || rc == Z_DATA_ERROR) {
        // A wrong check sum comes after all bytes are out; both end the stream here.
        stop(Twine("the gzip stream is damaged (") + (z.msg ? z.msg : "needs a dictionary") + ")");
        outBytes += produced;
        return produced;
      } else if (rc != Z_OK && rc != Z_BUF_ERROR) {
        return ioError(inputName, "zlib failed with code " + Twine(rc));
      }
    }
    size_t produced = room - z.avail_out;
    outBytes += produced;
    if (outBytes > kFreeExpansion && outBytes / limits.maxExpansion > rawRead) {
      Place place;
      place.file = inputName;
      place.offset = outBytes;
      return inputError("limit-exceeded",
                        "this expands more than " + Twine(limits.maxExpansion) +
                            " times: refused as a decompression bomb",
                        place);
    }
    return produced;
  }

  /// After the last member: zeros are padding, anything else is foreign.
  Expected<size_t> skipTail() {
    for (;;) {
      if (Error e = fill(1))
        return e;
      if (blockAt == blockEnd)
        break;
      for (; blockAt < blockEnd; ++blockAt)
        foreignTail += block[blockAt] != 0;
    }
    atEnd = true;
    return 0;
  }

  ByteSource source;
  Limits limits;
  std::vector<char> ahead; ///< What head() read; read() hands it out first.
  size_t front = 0, headFilled = 0;
  std::vector<char> block; ///< Stored bytes.
  size_t blockAt = 0, blockEnd = 0;
  z_stream z;
  uint64_t rawRead = 0, outBytes = 0;
  bool started = false, inflating = false, memberDone = false, atEnd = false, headDone = false;
};

} // namespace

Input::~Input() = default;

Expected<std::unique_ptr<Input>> Input::open(StringRef path, const Limits &limits) {
  if (path == "-")
    return std::make_unique<StreamInput>(ByteSource(STDIN_FILENO, false), "<stdin>", 0, limits);
  // A named pipe waits here for somebody who writes: a signal ends that.
  int fd = ::open(path.str().c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return ioError(path, sys::StrError());
  ByteSource source(fd, true);
  struct stat st;
  if (::fstat(fd, &st) != 0)
    return ioError(path, sys::StrError());
  if (S_ISDIR(st.st_mode))
    return ioError(path, "it is a directory");
  uint64_t size = S_ISREG(st.st_mode) ? static_cast<uint64_t>(st.st_size) : 0;
  return std::make_unique<StreamInput>(std::move(source), path, size, limits);
}

std::unique_ptr<Input> Input::fromMemory(StringRef bytes, StringRef name, const Limits &limits) {
  return std::make_unique<StreamInput>(ByteSource(bytes), name, bytes.size(), limits);
}

} // namespace heddle
