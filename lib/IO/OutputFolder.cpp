//===- OutputFolder.cpp - Folders whole or absent -------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//
// Files have the names 0.tmp, 1.tmp, ... until the commit: TensorBoard looks into every folder
// below the one that it watches, and would take a run that is half there for a whole one.
//===----------------------------------------------------------------------===//
#include "heddle/IO/OutputFolder.h"
#include "Temporary.h"
#include "heddle/IO/OutputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

using namespace llvm;

namespace heddle {

static constexpr StringLiteral kList = ".heddle-folder";
static constexpr StringLiteral kFirstLine = "Heddle wrote this folder, and replaces it whole";

/// Fails unless the folder is empty or, for `replace`, holds what its list names alone.
/// `present` takes the names of its files.
static Error checkReplaceable(StringRef path, bool replace, std::vector<std::string> &present) {
  std::error_code ec;
  for (sys::fs::directory_iterator it(path, ec, false), end; it != end && !ec; it.increment(ec))
    present.push_back(sys::path::filename(it->path()).str());
  if (ec)
    return writeError(path, ec.message());
  if (present.empty())
    return Error::success();
  sort(present);
  SmallString<256> list(path);
  sys::path::append(list, kList);
  ErrorOr<std::unique_ptr<MemoryBuffer>> text = MemoryBuffer::getFile(list);
  SmallVector<StringRef> lines;
  if (text)
    (*text)->getBuffer().split(lines, '\n', -1, false);
  if (lines.empty() || lines.front() != kFirstLine)
    return writeError(path, "it is a folder that Heddle did not write; name a new one");
  StringSet<> written;
  for (StringRef name : drop_begin(lines))
    written.insert(name);
  for (const std::string &name : present)
    if (sys::fs::file_type type = sys::fs::get_file_type(path + "/" + name, false);
        type != sys::fs::file_type::regular_file || (name != kList && !written.contains(name)))
      return writeError(path,
                        "it holds '" + name +
                            "', which Heddle did not write; remove that or name a new folder");
  if (!replace)
    return writeError(path, "it is there already; --force replaces it whole");
  return Error::success();
}

/// The folders above `path` that are missing, the outermost first.
static std::vector<std::string> missingParents(StringRef path) {
  std::vector<std::string> missing;
  struct stat st;
  for (StringRef p = sys::path::parent_path(path); !p.empty(); p = sys::path::parent_path(p))
    if (::lstat(p.str().c_str(), &st) != 0 && errno == ENOENT)
      missing.push_back(p.str());
    else
      break;
  std::reverse(missing.begin(), missing.end());
  return missing;
}

/// Whether both are one folder.
static bool isSame(const struct stat &a, const struct stat &b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

struct OutputFolder::Impl {
  std::string target, temporary;
  std::vector<std::string> parents; ///< That were made for it, the outermost first.
  bool replace = false;
  std::vector<std::string> names; ///< Of the files 0.tmp, 1.tmp, ...

  std::string partial(size_t i) const {
    return temporary + "/" + std::to_string(i) +
           (StringRef(names[i]).ends_with(".gz") ? ".tmp.gz" : ".tmp");
  }
};

OutputFolder::OutputFolder() : impl(std::make_unique<Impl>()) {}

OutputFolder::~OutputFolder() {
  if (!impl->temporary.empty())
    removeFolder(impl->temporary);
  for (const std::string &parent : reverse(impl->parents))
    if (::rmdir(parent.c_str()) != 0) // somebody else uses it
      break;
}

Expected<std::unique_ptr<OutputFolder>> OutputFolder::create(StringRef path, bool replace) {
  std::unique_ptr<OutputFolder> folder(new OutputFolder);
  Impl &impl = *folder->impl;
  StringRef trimmed = path.rtrim('/');
  if (trimmed.empty())
    return writeError(path, path.empty() ? "the name is empty" : "it is the root");
  impl.target = trimmed.str();
  impl.replace = replace;
  struct stat st, here;
  if (::stat(impl.target.c_str(), &st) == 0) {
    if (!S_ISDIR(st.st_mode))
      return writeError(path, "it is no folder");
    if (::stat(".", &here) == 0 && isSame(st, here))
      return writeError(path, "it is the current folder, and would be replaced; name another one");
    SmallString<256> real; // the folder itself, not a link to it
    if (!sys::fs::real_path(impl.target, real))
      impl.target = real.str().str();
    std::vector<std::string> present;
    if (Error e = checkReplaceable(impl.target, replace, present))
      return e;
  } else if (errno != ENOENT) {
    return writeError(path, sys::StrError());
  } else if (::lstat(impl.target.c_str(), &st) == 0) {
    return writeError(path, "it is a link to what is not there");
  } else {
    // Names that no folder can have until what is before them is there.
    if (StringRef name = sys::path::filename(impl.target); name == "." || name == "..")
      return writeError(path, sys::StrError(ENOENT));
    for (std::string &parent : missingParents(impl.target)) {
      if (::mkdir(parent.c_str(), 0777) == 0)
        impl.parents.push_back(std::move(parent));
      else if (errno != EEXIST)
        return writeError(path, "cannot make '" + parent + "': " + sys::StrError());
    }
  }
  removeStale(impl.target);
  SmallString<256> temporary;
  std::error_code ec;
  for (unsigned tries = 0; tries != 100; ++tries) {
    sys::fs::createUniquePath(temporaryModel(impl.target), temporary, false);
    ec = sys::fs::create_directory(temporary, false, sys::fs::perms::all_all);
    if (ec != std::errc::file_exists)
      break;
  }
  if (ec)
    return writeError(path, ec.message());
  impl.temporary = temporary.str().str();
  return folder;
}

Error OutputFolder::file(StringRef name, function_ref<Error(raw_ostream &os)> write) {
  if (name.empty() || name.contains('/') || name.contains('\n') || name == kList ||
      is_contained(impl->names, name.str()))
    return internalError("bad-file-name", "a folder cannot have one more file '" + name + "'");
  impl->names.push_back(name.str());
  auto file = OutputFile::create(impl->partial(impl->names.size() - 1));
  if (!file)
    return file.takeError();
  if (Error e = write((*file)->os()))
    return e;
  return (*file)->commit();
}

Error OutputFolder::commit() {
  std::string list = impl->temporary + "/" + kList.str();
  auto listing = OutputFile::create(list);
  if (!listing)
    return listing.takeError();
  (*listing)->os() << kFirstLine << '\n' << join(impl->names, "\n") << '\n';
  if (Error e = (*listing)->commit())
    return e;
  for (size_t i = 0; i != impl->names.size(); ++i)
    if (::rename(impl->partial(i).c_str(), (impl->temporary + "/" + impl->names[i]).c_str()) != 0)
      return writeError(impl->target, sys::StrError());
  if (int fd = ::open(impl->temporary.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); fd >= 0) {
    ::fsync(fd);
    ::close(fd);
  }
  std::vector<std::string> old;
  if (sys::fs::is_directory(impl->target))
    if (Error e = checkReplaceable(impl->target, impl->replace, old))
      return e;
  if (old.empty()) { // absent, or empty: a rename takes its place
    if (::rename(impl->temporary.c_str(), impl->target.c_str()) != 0)
      return writeError(impl->target, sys::StrError());
    impl->temporary.clear();
    impl->parents.clear(); // they are of use
    return Error::success();
  }
  if (::renameat2(AT_FDCWD, impl->temporary.c_str(), AT_FDCWD, impl->target.c_str(),
                  RENAME_EXCHANGE) != 0) {
    // A file system without exchange: for a moment there is no folder.
    std::string aside = impl->temporary + ".tmp";
    if (::rename(impl->target.c_str(), aside.c_str()) != 0)
      return writeError(impl->target, sys::StrError());
    if (::rename(impl->temporary.c_str(), impl->target.c_str()) != 0) {
      int cause = errno;
      ::rename(aside.c_str(), impl->target.c_str());
      return writeError(impl->target, sys::StrError(cause));
    }
    impl->temporary = std::move(aside);
  }
  // What stands at the temporary's place now is the old folder.
  for (const std::string &name : old)
    ::unlink((impl->temporary + "/" + name).c_str());
  ::rmdir(impl->temporary.c_str());
  impl->temporary.clear();
  return Error::success();
}

} // namespace heddle
