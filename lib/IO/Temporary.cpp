//===- Temporary.cpp - Names of what is not whole yet ---------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Temporary.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>
#include <zlib.h>

using namespace llvm;

namespace heddle {

Error writeError(StringRef path, const Twine &cause) {
  return inputError("cannot-write", "cannot write '" + path + "': " + cause);
}

/// The part of a temporary's name that says on which host it was made.
static std::string hostMark() {
  char host[256] = {};
  ::gethostname(host, sizeof(host) - 1);
  return utohexstr(
      crc32(0, reinterpret_cast<const Bytef *>(host), static_cast<uInt>(std::strlen(host))));
}

std::string temporaryModel(StringRef target) {
  return (target + ".heddle-" + hostMark() + "-" + std::to_string(::getpid()) + "-%%%%%%%%.tmp")
      .str();
}

void removeFolder(const std::string &path) {
  std::vector<std::string> files;
  std::error_code ec;
  for (sys::fs::directory_iterator it(path, ec, false), end; it != end && !ec; it.increment(ec))
    files.push_back(it->path());
  for (const std::string &file : files)
    ::unlink(file.c_str());
  ::rmdir(path.c_str());
}

void removeStale(StringRef target) {
  StringRef folder = sys::path::parent_path(target);
  std::string prefix = (sys::path::filename(target) + ".heddle-" + hostMark() + "-").str();
  std::error_code ec;
  for (sys::fs::directory_iterator it(folder.empty() ? "." : folder, ec), end; it != end && !ec;
       it.increment(ec)) {
    StringRef name = sys::path::filename(it->path());
    if (!name.consume_front(prefix) || !name.ends_with(".tmp"))
      continue;
    int pid = 0;
    struct stat st;
    if (name.consumeInteger(10, pid) || pid <= 0 || ::kill(pid, 0) == 0 || errno != ESRCH)
      continue;
    if (::lstat(it->path().c_str(), &st) != 0 || st.st_mtime + 600 >= ::time(nullptr))
      continue;
    if (S_ISREG(st.st_mode))
      ::unlink(it->path().c_str());
    else if (S_ISDIR(st.st_mode))
      removeFolder(it->path());
  }
}

} // namespace heddle
