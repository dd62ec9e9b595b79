//===- RankStore.cpp - Ranks on disk meanwhile ----------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/IO/RankStore.h"
#include "BinaryResults.h"
#include "BinaryWriter.h"
#include "heddle/IO/Binary.h"
#include "heddle/IO/Input.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

namespace heddle {
namespace {

//===----------------------------------------------------------------------===//
// A file of our own
//===----------------------------------------------------------------------===//

/// A file without a name.
class Scratch {
public:
  explicit Scratch(int fd) : fd(fd) {}
  Scratch(const Scratch &) = delete;
  ~Scratch() { ::close(fd); }

  static Expected<std::shared_ptr<Scratch>> create() {
    SmallString<128> folder;
    if (const char *asked = ::getenv("TMPDIR"); asked && *asked)
      folder = asked;
    else
      sys::path::system_temp_directory(/*ErasedOnReboot=*/false, folder);
    int fd = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
    if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL)) {
      // Not every file system knows files without a name.
      std::string name = (folder + "/heddle-XXXXXX").str();
      fd = ::mkostemp(name.data(), O_CLOEXEC);
      if (fd >= 0)
        ::unlink(name.c_str());
    }
    if (fd < 0)
      return inputError("cannot-write",
                        "cannot make a file in '" + folder + "': " + sys::StrError());
    return std::make_shared<Scratch>(fd);
  }

  /// Appends the bytes; where they begin.
  Expected<uint64_t> write(StringRef bytes) {
    uint64_t offset = end.fetch_add(bytes.size());
    for (size_t have = 0; have != bytes.size();) {
      ssize_t n =
          ::pwrite(fd, bytes.data() + have, bytes.size() - have, static_cast<off_t>(offset + have));
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return inputError("cannot-write",
                          "cannot write a file for ranks that memory does not hold: " +
                              (n < 0 ? sys::StrError() : std::string("nothing is taken")));
      have += static_cast<size_t>(n);
    }
    return offset;
  }

  Error read(uint64_t offset, MutableArrayRef<char> to) const {
    for (size_t have = 0; have != to.size();) {
      ssize_t n =
          ::pread(fd, to.data() + have, to.size() - have, static_cast<off_t>(offset + have));
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return inputError("cannot-read", "cannot read back a rank that was put aside: " +
                                             (n < 0 ? sys::StrError() : std::string("it is gone")));
      have += static_cast<size_t>(n);
    }
    return Error::success();
  }

  /// Gives the room back, where the file system can.
  void forget(uint64_t offset, uint64_t size) {
    (void)::fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
                      static_cast<off_t>(size));
  }

private:
  const int fd;
  std::atomic<uint64_t> end{0};
};

/// A rank in it, as a .hb file of its own.
class ScratchSource final : public RankSource {
public:
  ScratchSource(std::shared_ptr<Scratch> file, uint64_t offset, uint64_t size, const Limits &limits)
      : file(std::move(file)), offset(offset), size(size), limits(limits) {
    this->limits.maxExpansion = 1'000'000; // we wrote it
  }
  ~ScratchSource() override { file->forget(offset, size); }

  Expected<std::unique_ptr<Rank>> read() const override {
    SmallVector<char, 0> bytes;
    bytes.resize_for_overwrite(size);
    if (Error e = file->read(offset, bytes))
      return e;
    Trace trace;
    auto input = Input::fromMemory({bytes.data(), bytes.size()}, "a rank put aside", limits);
    if (Error e = readBinary(*input, trace, {limits, nullptr, nullptr}))
      return e;
    return std::move(trace.ranks.front());
  }

private:
  std::shared_ptr<Scratch> file;
  uint64_t offset, size;
  Limits limits;
};

class ScratchStore final : public RankStore {
public:
  explicit ScratchStore(const Limits &limits) : limits(limits) {}

  Expected<std::shared_ptr<const RankSource>> put(const Rank &rank) override {
    Expected<std::shared_ptr<Scratch>> to = open();
    if (!to)
      return to.takeError();
    SmallVector<char, 0> bytes;
    if (Error e = write(rank, bytes))
      return e;
    Expected<uint64_t> offset = (*to)->write({bytes.data(), bytes.size()});
    if (!offset)
      return offset.takeError();
    return std::make_shared<ScratchSource>(*to, *offset, bytes.size(), limits);
  }

private:
  Expected<std::shared_ptr<Scratch>> open() {
    std::lock_guard lock(mutex);
    if (!file) {
      Expected<std::shared_ptr<Scratch>> made = Scratch::create();
      if (!made)
        return made.takeError();
      file = std::move(*made);
    }
    return file;
  }

  static Error write(const Rank &rank, SmallVector<char, 0> &bytes) {
    raw_svector_ostream os(bytes);
    binary::Out out(os);
    binary::FileWriter to(out);
    if (Error e = to.begin())
      return e;
    if (Error e = to.rank(rank, {}, /*isPlaced=*/false))
      return e;
    if (Error e = to.ranksEnd({}))
      return e;
    if (Error e = binary::writeProvenance(Trace(), out)) // every file has one
      return e;
    return to.end();
  }

  const Limits limits;
  std::mutex mutex; ///< Of `file`.
  std::shared_ptr<Scratch> file;
};

//===----------------------------------------------------------------------===//
// The file that was read
//===----------------------------------------------------------------------===//

class FileSource final : public RankSource {
public:
  FileSource(std::string path, FileState state, uint32_t rank, const Limits &limits)
      : path(std::move(path)), state(state), rank(rank), limits(limits) {}

  Expected<std::unique_ptr<Rank>> read() const override {
    auto changed = [&] {
      return inputError("input-changed", "the file was replaced or written to while it was read",
                        {path, 0, 0, 0, ""});
    };
    Expected<std::unique_ptr<BinaryFile>> file = BinaryFile::open(path, limits);
    if (!file)
      return file.takeError();
    if (!*file || FileState::of(path) != state || rank >= (*file)->ranks().size())
      return changed();
    Trace trace;
    if (Error e = (*file)->read({{rank, std::nullopt}}, trace))
      return e;
    if (FileState::of(path) != state)
      return changed();
    return std::move(trace.ranks.front());
  }

private:
  std::string path;
  FileState state;
  uint32_t rank;
  Limits limits;
};

} // namespace

FileState FileState::of(StringRef path) {
  struct stat st;
  if (::stat(path.str().c_str(), &st) != 0 || !S_ISREG(st.st_mode))
    return {};
  return {true,
          st.st_dev,
          st.st_ino,
          static_cast<uint64_t>(st.st_size),
          st.st_mtim.tv_sec,
          st.st_mtim.tv_nsec};
}

std::unique_ptr<RankStore> makeRankStore(const Limits &limits) {
  return std::make_unique<ScratchStore>(limits);
}

std::vector<std::shared_ptr<const RankSource>> sourcesIn(StringRef path, const FileState &state,
                                                         const Limits &limits) {
  std::vector<std::shared_ptr<const RankSource>> all;
  if (!state.known)
    return all;
  Expected<std::unique_ptr<BinaryFile>> file = BinaryFile::open(path, limits);
  if (!file || !*file) {
    consumeError(file.takeError());
    return all;
  }
  for (uint32_t i = 0; i != (*file)->ranks().size(); ++i)
    all.push_back(std::make_shared<FileSource>(path.str(), state, i, limits));
  return all;
}

} // namespace heddle
