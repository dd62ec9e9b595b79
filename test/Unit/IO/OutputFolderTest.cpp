//===- OutputFolderTest.cpp - Folders whole or absent ---------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/IO/OutputFolder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace heddle;
using namespace llvm;

namespace {

struct OutputFolderTest : testing::Test {
  SmallString<128> base;
  OutputFolderTest() { EXPECT_FALSE(sys::fs::createUniqueDirectory("heddle-folder", base)); }
  ~OutputFolderTest() override { sys::fs::remove_directories(base); }
  std::string path(StringRef name) const { return (base + "/" + name).str(); }
  std::vector<std::string> names(StringRef folder) const {
    std::vector<std::string> result;
    std::error_code ec;
    for (sys::fs::directory_iterator it(path(folder), ec), end; it != end && !ec; it.increment(ec))
      result.push_back(sys::path::filename(it->path()).str());
    std::sort(result.begin(), result.end());
    return result;
  }
  static Error hello(raw_ostream &os) {
    os << "hello";
    return Error::success();
  }
  void make(StringRef name, bool replace, std::vector<std::string> files) {
    auto folder = OutputFolder::create(path(name), replace);
    ASSERT_TRUE(static_cast<bool>(folder)) << toString(folder.takeError());
    for (const std::string &file : files)
      ASSERT_FALSE(errorToBool((*folder)->file(file, hello)));
    ASSERT_FALSE(errorToBool((*folder)->commit()));
  }
};

TEST_F(OutputFolderTest, AppearsOnCommitOnly) {
  auto folder = OutputFolder::create(path("run"), false);
  ASSERT_TRUE(static_cast<bool>(folder));
  EXPECT_FALSE(errorToBool((*folder)->file("a", hello)));
  EXPECT_FALSE(sys::fs::exists(path("run")));
  std::vector<std::string> beside = names(".");
  ASSERT_EQ(beside.size(), 1u);
  EXPECT_EQ(names(beside[0]), std::vector<std::string>{"0.tmp"}); // no name that somebody looks for
  EXPECT_FALSE(errorToBool((*folder)->commit()));
  EXPECT_EQ(names("run"), (std::vector<std::string>{".heddle-folder", "a"}));
  EXPECT_EQ(names("."), std::vector<std::string>{"run"});
}

TEST_F(OutputFolderTest, NothingIsLeftWithoutACommit) {
  {
    auto folder = OutputFolder::create(path("run"), false);
    ASSERT_TRUE(static_cast<bool>(folder));
    EXPECT_FALSE(errorToBool((*folder)->file("a.gz", hello)));
    EXPECT_TRUE(errorToBool(
        (*folder)->file("b", [](raw_ostream &) -> Error { return createStringError("no yarn"); })));
  }
  EXPECT_TRUE(names(".").empty());
}

TEST_F(OutputFolderTest, IsReplacedWholeOnDemandAlone) {
  make("run", false, {"a", "b"});
  EXPECT_TRUE(errorToBool(OutputFolder::create(path("run"), false).takeError()));
  make("run", true, {"c"});
  EXPECT_EQ(names("run"), (std::vector<std::string>{".heddle-folder", "c"}));
  EXPECT_EQ(names("."), std::vector<std::string>{"run"});
}

TEST_F(OutputFolderTest, WhatCameMeanwhileIsNotReplaced) {
  make("run", false, {"a"});
  auto folder = OutputFolder::create(path("run"), true);
  ASSERT_TRUE(static_cast<bool>(folder));
  ASSERT_FALSE(sys::fs::create_directory(path("run/theirs")));
  EXPECT_TRUE(errorToBool((*folder)->commit()));
  EXPECT_EQ(names("run"), (std::vector<std::string>{".heddle-folder", "a", "theirs"}));
  auto other = OutputFolder::create(path("late"), false);
  ASSERT_TRUE(static_cast<bool>(other));
  make("late", false, {"a"});
  EXPECT_TRUE(errorToBool((*other)->commit()));
  EXPECT_EQ(names("late"), (std::vector<std::string>{".heddle-folder", "a"}));
}

TEST_F(OutputFolderTest, NamesAreChecked) {
  auto folder = OutputFolder::create(path("run"), false);
  ASSERT_TRUE(static_cast<bool>(folder));
  EXPECT_FALSE(errorToBool((*folder)->file("a", hello)));
  for (StringRef name : {"", "a", "b/c", "b\nc", ".heddle-folder"})
    EXPECT_EQ(toString((*folder)->file(name, hello)),
              ("a folder cannot have one more file '" + name + "'").str());
  EXPECT_TRUE(errorToBool(OutputFolder::create("", false).takeError()));
  EXPECT_TRUE(errorToBool(OutputFolder::create("/", true).takeError()));
  EXPECT_TRUE(errorToBool(OutputFolder::create("/dev/null/run", true).takeError()));
}

TEST_F(OutputFolderTest, StaleTemporariesOfDeadProcessesGo) {
  // A child leaves one behind, as if killed: it ends without destructors.
  pid_t child = ::fork();
  if (child == 0) {
    auto folder = OutputFolder::create(path("run"), false);
    bool fine = folder && !errorToBool((*folder)->file("a", hello));
    ::_exit(fine ? 0 : 1);
  }
  int status = 1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  std::vector<std::string> left = names(".");
  ASSERT_EQ(left.size(), 1u);
  make("run", false, {"a"});
  EXPECT_EQ(names(".").size(), 2u); // not old enough
  timespec old[2] = {{::time(nullptr) - 700, 0}, {::time(nullptr) - 700, 0}};
  ASSERT_EQ(::utimensat(AT_FDCWD, path(left[0]).c_str(), old, 0), 0);
  make("run", true, {"b"});
  EXPECT_EQ(names("."), std::vector<std::string>{"run"});
}

} // namespace
