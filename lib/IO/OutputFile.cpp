//===- OutputFile.cpp - Files whole or absent ---------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//
// A stack of streams: an optional gzip stream over a descriptor stream. The descriptor is that of
// a temporary file beside the target, of stdout, or of a target that cannot be renamed over (a
// device, a pipe).
//===----------------------------------------------------------------------===//
#include "heddle/IO/OutputFile.h"
#include "Temporary.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>
#include <zlib.h>

using namespace llvm;

namespace heddle {
namespace {

/// Writes to a descriptor. A closed pipe raises no signal and is remembered, not reported.
class DescriptorStream final : public raw_ostream {
public:
  explicit DescriptorStream(int fd) : fd(fd) { SetBufferSize(256 << 10); }
  ~DescriptorStream() override { flush(); }
  int failure = 0; ///< errno of the first failed write.
  bool pipeClosed = false;

private:
  void write_impl(const char *p, size_t size) override {
    position += size;
    if (failure || pipeClosed)
      return;
    // A write to a closed pipe sends SIGPIPE to this thread: hold it back, and take it away.
    sigset_t pipeSet, old;
    sigemptyset(&pipeSet);
    sigaddset(&pipeSet, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipeSet, &old);
    while (size > 0 && !failure && !pipeClosed) {
      ssize_t n = ::write(fd, p, std::min(size, size_t{1} << 30));
      if (n >= 0)
        p += n, size -= static_cast<size_t>(n);
      else if (errno == EPIPE)
        pipeClosed = true;
      else if (errno != EINTR && errno != EAGAIN)
        failure = errno;
    }
    if (pipeClosed && !sigismember(&old, SIGPIPE)) {
      timespec zero = {0, 0};
      while (sigtimedwait(&pipeSet, nullptr, &zero) < 0 && errno == EINTR)
        ;
    }
    pthread_sigmask(SIG_SETMASK, &old, nullptr);
  }
  uint64_t current_pos() const override { return position; }

  int fd;
  uint64_t position = 0;
};

/// Deflates into another stream; `finish` writes the trailer.
class GzipStream final : public raw_ostream {
public:
  explicit GzipStream(raw_ostream &to) : to(to), out(64 << 10) {
    SetBufferSize(256 << 10);
    std::memset(&z, 0, sizeof(z));
    // No name and no time in the header: the same text gives the same bytes.
    ok = deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK;
    open = ok;
  }
  ~GzipStream() override { finish(); }
  void finish() {
    flush();
    if (!open)
      return;
    pump(nullptr, 0, Z_FINISH);
    deflateEnd(&z);
    open = false;
  }
  bool ok = false;

private:
  void write_impl(const char *p, size_t size) override {
    position += size;
    while (size > 0 && open) {
      size_t n = std::min(size, size_t{1} << 30);
      pump(p, n, Z_NO_FLUSH);
      p += n, size -= n;
    }
  }
  void pump(const char *p, size_t size, int mode) {
    z.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(p));
    z.avail_in = static_cast<uInt>(size);
    do {
      z.next_out = reinterpret_cast<Bytef *>(out.data());
      z.avail_out = static_cast<uInt>(out.size());
      if (deflate(&z, mode) == Z_STREAM_ERROR) {
        ok = false;
        return;
      }
      to.write(out.data(), out.size() - z.avail_out);
    } while (z.avail_out == 0);
  }
  uint64_t current_pos() const override { return position; }

  raw_ostream &to;
  std::vector<char> out;
  z_stream z;
  bool open = false;
  uint64_t position = 0;
};

} // namespace

struct OutputFile::Impl {
  std::string target, temporary; ///< temporary: empty if written in place.
  int fd = -1;
  bool isStdout = false, committed = false;
  std::unique_ptr<DescriptorStream> stream;
  std::unique_ptr<GzipStream> gzip;
};

OutputFile::OutputFile() : impl(std::make_unique<Impl>()) {}

OutputFile::~OutputFile() {
  impl->gzip.reset();
  impl->stream.reset();
  if (impl->fd >= 0 && !impl->isStdout)
    ::close(impl->fd);
  if (!impl->temporary.empty() && !impl->committed) {
    ::unlink(impl->temporary.c_str());
    sys::DontRemoveFileOnSignal(impl->temporary);
  }
}

raw_ostream &OutputFile::os() {
  if (impl->gzip)
    return *impl->gzip;
  return *impl->stream;
}

Expected<std::unique_ptr<OutputFile>> OutputFile::create(StringRef path) {
  std::unique_ptr<OutputFile> file(new OutputFile);
  Impl &impl = *file->impl;
  impl.target = path.str();
  if (path == "-") {
    impl.isStdout = true;
    impl.fd = STDOUT_FILENO;
    impl.stream = std::make_unique<DescriptorStream>(impl.fd);
    return file;
  }
  if (path.empty())
    return writeError(path, "the name is empty");
  struct stat st;
  bool exists = ::stat(impl.target.c_str(), &st) == 0;
  if (exists && S_ISDIR(st.st_mode))
    return writeError(path, "it is a directory");
  if (exists && !S_ISREG(st.st_mode)) {
    impl.fd = ::open(impl.target.c_str(), O_WRONLY | O_CLOEXEC);
    if (impl.fd < 0)
      return writeError(path, sys::StrError());
  } else {
    // Through a symbolic link the file it points at is replaced, not the link.
    SmallString<256> real;
    if (exists && !sys::fs::real_path(path, real))
      impl.target = real.str().str();
    removeStale(impl.target);
    SmallString<256> temporary;
    if (std::error_code ec =
            sys::fs::createUniqueFile(temporaryModel(impl.target), impl.fd, temporary))
      return writeError(path, ec.message());
    impl.temporary = temporary.str().str();
    sys::RemoveFileOnSignal(impl.temporary);
    if (exists && ::fchmod(impl.fd, st.st_mode & 07777) != 0)
      errno = 0; // keeps the mode of a new file
  }
  impl.stream = std::make_unique<DescriptorStream>(impl.fd);
  if (path.ends_with(".gz")) {
    impl.gzip = std::make_unique<GzipStream>(*impl.stream);
    if (!impl.gzip->ok)
      return writeError(path, "zlib did not start");
  }
  return file;
}

Error OutputFile::commit() {
  if (impl->gzip) {
    impl->gzip->finish();
    if (!impl->gzip->ok)
      return writeError(impl->target, "zlib failed");
  }
  impl->stream->flush();
  if (impl->stream->failure)
    return writeError(impl->target, sys::StrError(impl->stream->failure));
  if (impl->temporary.empty())
    return Error::success();
  if (::fsync(impl->fd) != 0 && errno != EINVAL && errno != ENOTSUP)
    return writeError(impl->target, sys::StrError());
  int rc = ::close(impl->fd);
  impl->fd = -1;
  if (rc != 0 && errno != EINTR)
    return writeError(impl->target, sys::StrError());
  if (::rename(impl->temporary.c_str(), impl->target.c_str()) != 0)
    return writeError(impl->target, sys::StrError());
  impl->committed = true;
  sys::DontRemoveFileOnSignal(impl->temporary);
  return Error::success();
}

} // namespace heddle
