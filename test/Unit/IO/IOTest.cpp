//===- IOTest.cpp - Input and OutputFile --------------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/IO/Input.h"
#include "heddle/IO/OutputFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

using namespace heddle;
using namespace llvm;

namespace {

std::string gzip(StringRef text) {
  z_stream z = {};
  EXPECT_EQ(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&z, text.size()) + 64, '\0');
  z.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(text.data()));
  z.avail_in = text.size();
  z.next_out = reinterpret_cast<Bytef *>(out.data());
  z.avail_out = out.size();
  EXPECT_EQ(deflate(&z, Z_FINISH), Z_STREAM_END);
  out.resize(out.size() - z.avail_out);
  deflateEnd(&z);
  return out;
}

std::string slurp(Input &in, size_t step = 1000) {
  std::string all;
  std::vector<char> buffer(step);
  for (;;) {
    auto n = in.read(buffer.data(), step);
    if (!n) {
      ADD_FAILURE() << toString(n.takeError());
      return all;
    }
    if (*n == 0)
      return all;
    all.append(buffer.data(), *n);
  }
}

std::string sample(size_t size) {
  std::string text;
  for (unsigned i = 0; text.size() < size; ++i)
    text += "line " + std::to_string(i * 7919) + "\n";
  text.resize(size);
  return text;
}

struct TempDir {
  SmallString<128> path;
  TempDir() { EXPECT_FALSE(sys::fs::createUniqueDirectory("heddle-io", path)); }
  ~TempDir() { sys::fs::remove_directories(path); }
  std::string file(StringRef name) const { return (path + "/" + name).str(); }
  unsigned entries() const {
    unsigned n = 0;
    std::error_code ec;
    for (sys::fs::directory_iterator it(path, ec), end; it != end && !ec; it.increment(ec))
      ++n;
    return n;
  }
};

TEST(InputTest, PlainAndGzipGiveTheSameBytes) {
  for (size_t size : {0u, 1u, 2u, 999u, 70000u, 700000u}) {
    std::string text = sample(size), packed = gzip(text);
    for (bool peek : {false, true})
      for (StringRef stored : {StringRef(text), StringRef(packed)}) {
        auto in = Input::fromMemory(stored, "memory", {});
        if (peek) {
          for (int twice = 0; twice < 2; ++twice) {
            auto head = in->head();
            ASSERT_TRUE(!!head);
            EXPECT_EQ(*head, StringRef(text).take_front(64 << 10));
          }
        }
        EXPECT_EQ(slurp(*in, 777), text);
        EXPECT_FALSE(in->truncated());
      }
  }
}

TEST(InputTest, MembersAndWhatFollowsThem) {
  std::string packed = gzip("one ") + gzip("") + gzip("two");
  auto in = Input::fromMemory(packed, "m", {});
  EXPECT_EQ(slurp(*in, 2), "one two");
  EXPECT_EQ(in->foreignTailBytes(), 0u);
  std::string padded = packed + std::string(5000, '\0') + "xyz";
  in = Input::fromMemory(padded, "m", {});
  EXPECT_EQ(slurp(*in), "one two");
  EXPECT_EQ(in->foreignTailBytes(), 3u);
  EXPECT_FALSE(in->truncated());
}

TEST(InputTest, CutAndDamagedStreamsEndEarlyAndSaySo) {
  std::string text = sample(300000), packed = gzip(text);
  for (size_t cut = 2; cut < packed.size(); cut += 1 + packed.size() / 50) {
    auto in = Input::fromMemory(StringRef(packed).take_front(cut), "m", {});
    std::string got = slurp(*in, 10000);
    EXPECT_TRUE(StringRef(text).starts_with(got));
    EXPECT_TRUE(in->truncated());
    EXPECT_EQ(in->truncationReason(), "the gzip stream ends before its trailer");
  }
  std::string wrong = packed;
  wrong[wrong.size() - 6] ^= 1; // the check sum
  auto in = Input::fromMemory(wrong, "m", {});
  EXPECT_EQ(slurp(*in), text);
  EXPECT_TRUE(in->truncationReason().contains("damaged"));
}

TEST(InputTest, BombsAreRefused) {
  std::string packed = gzip(std::string(size_t{200} << 20, ' '));
  Limits limits;
  limits.maxExpansion = 100;
  auto in = Input::fromMemory(packed, "bomb", limits);
  std::vector<char> buffer(1 << 20);
  for (;;) {
    auto n = in->read(buffer.data(), buffer.size());
    if (!n) {
      EXPECT_TRUE(StringRef(toString(n.takeError())).contains("expands more than 100 times"));
      break;
    }
    ASSERT_NE(*n, 0u);
  }
}

TEST(InputTest, FilesThatCannotBeRead) {
  TempDir dir;
  for (std::string path : {dir.file("absent"), dir.path.str().str()}) {
    auto in = Input::open(path, {});
    ASSERT_FALSE(!!in);
    EXPECT_TRUE(StringRef(toString(in.takeError())).contains("cannot read '" + path + "'"));
  }
}

TEST(OutputFileTest, CommitReplacesAndDestructionRemoves) {
  TempDir dir;
  std::string path = dir.file("out.txt");
  {
    auto out = OutputFile::create(path);
    ASSERT_TRUE(!!out);
    (*out)->os() << "lost";
  }
  EXPECT_EQ(dir.entries(), 0u);
  for (StringRef text : {"first", "second"}) {
    auto out = OutputFile::create(path);
    ASSERT_TRUE(!!out);
    (*out)->os() << text;
    EXPECT_EQ(dir.entries(), text == "first" ? 1u : 2u);
    EXPECT_FALSE(!!(*out)->commit());
    auto got = MemoryBuffer::getFile(path);
    ASSERT_TRUE(!!got);
    EXPECT_EQ((*got)->getBuffer(), text);
  }
  EXPECT_EQ(dir.entries(), 1u);
}

TEST(OutputFileTest, GzBySuffixIsDeterministic) {
  TempDir dir;
  std::string text = sample(1000000), stored[2];
  for (int i = 0; i < 2; ++i) {
    std::string path = dir.file("out.gz");
    auto out = OutputFile::create(path);
    ASSERT_TRUE(!!out);
    (*out)->os() << text;
    EXPECT_FALSE(!!(*out)->commit());
    stored[i] = (*MemoryBuffer::getFile(path))->getBuffer().str();
    auto in = Input::open(path, {});
    ASSERT_TRUE(!!in);
    EXPECT_EQ(slurp(**in), text);
    EXPECT_EQ((*in)->rawSize(), stored[i].size());
  }
  EXPECT_EQ(stored[0], stored[1]);
  EXPECT_LT(stored[0].size(), text.size() / 2);
}

TEST(OutputFileTest, RefusesWhatCannotBeWritten) {
  TempDir dir;
  for (std::string path : {dir.path.str().str(), dir.file("no/such/folder")}) {
    auto out = OutputFile::create(path);
    ASSERT_FALSE(!!out);
    EXPECT_TRUE(StringRef(toString(out.takeError())).contains("cannot write"));
  }
}

TEST(OutputFileTest, AFullDeviceIsAnError) {
  auto out = OutputFile::create("/dev/full");
  ASSERT_TRUE(!!out);
  (*out)->os() << "x";
  EXPECT_TRUE(StringRef(toString((*out)->commit())).contains("cannot write '/dev/full'"));
}

TEST(OutputFileTest, AClosedPipeIsSuccessAndASignalRemovesTheTemporary) {
  TempDir dir;
  pid_t pid = fork();
  if (pid == 0) {
    int ends[2];
    if (pipe(ends) != 0)
      _exit(3);
    close(ends[0]);
    dup2(ends[1], 1);
    auto out = OutputFile::create("-");
    if (!out)
      _exit(4);
    (*out)->os() << std::string(3 << 20, 'x');
    _exit((*out)->commit() ? 5 : 0);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  pid = fork();
  if (pid == 0) {
    auto out = OutputFile::create(dir.file("out"));
    (*out)->os() << "x";
    raise(SIGTERM); // SIGINT is ignored in jobs of the background
    _exit(6);
  }
  waitpid(pid, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(dir.entries(), 0u);
}

} // namespace
