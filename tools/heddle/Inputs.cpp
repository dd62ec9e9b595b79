//===- Inputs.cpp - The files that a user means ---------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "Session.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <glob.h>

using namespace llvm;

namespace heddle {

/// The file's or directory's error, in our words.
static Error cannotRead(StringRef path, std::error_code ec) {
  Place place;
  place.file = path.str();
  return inputError("cannot-read", "cannot read it: " + ec.message(), place);
}

/// Whether some importer claims the file, or it is of a kind that deserves its own error.
static bool looksLikeTrace(const ImporterRegistry &importers, const std::string &path) {
  Expected<std::unique_ptr<Input>> input = Input::open(path, Limits());
  if (!input) {
    consumeError(input.takeError());
    return true; // reading it will say why not
  }
  Expected<StringRef> head = (*input)->head();
  if (!head) {
    consumeError(head.takeError());
    return true;
  }
  return importers.claim(*head) != nullptr;
}

/// All regular files below, sorted by name; hidden ones are left alone.
static Error searchDirectory(const ImporterRegistry &importers, StringRef directory,
                             std::vector<std::string> &files, std::vector<std::string> &skipped) {
  std::vector<std::string> found;
  std::error_code ec;
  for (sys::fs::recursive_directory_iterator it(directory, ec, /*follow_symlinks=*/false), end;
       it != end && !ec; it.increment(ec)) {
    if (sys::path::filename(it->path()).starts_with(".")) {
      it.no_push();
      continue;
    }
    if (sys::fs::is_regular_file(it->path()))
      found.push_back(it->path());
  }
  if (ec)
    return cannotRead(directory, ec);
  sort(found);
  size_t before = files.size();
  for (std::string &path : found)
    (looksLikeTrace(importers, path) ? files : skipped).push_back(std::move(path));
  if (files.size() == before)
    return inputError("no-trace", "no trace lies in this directory",
                      {directory.str(), 0, 0, 0, ""});
  return Error::success();
}

Expected<std::vector<std::string>> findInputs(const ImporterRegistry &importers,
                                              ArrayRef<std::string> named,
                                              std::vector<std::string> &skipped) {
  std::vector<std::string> files;
  for (const std::string &name : named) {
    if (name == "-" || (sys::fs::exists(name) && !sys::fs::is_directory(name))) {
      files.push_back(name);
    } else if (sys::fs::is_directory(name)) {
      if (Error e = searchDirectory(importers, name, files, skipped))
        return e;
    } else if (StringRef(name).find_first_of("*?[") != StringRef::npos) {
      glob_t matches{};
      size_t count = glob(name.c_str(), 0, nullptr, &matches) == 0 ? matches.gl_pathc : 0;
      for (size_t i = 0; i != count; ++i)
        files.push_back(matches.gl_pathv[i]);
      globfree(&matches);
      if (count == 0)
        return inputError("no-input", "no file matches this pattern", {name, 0, 0, 0, ""});
    } else {
      files.push_back(name); // reading it says that it is not there
    }
  }
  if (files.empty())
    return usageError("no-input", "no trace is given; '-' is standard input");
  return files;
}

} // namespace heddle
