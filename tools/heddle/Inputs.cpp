//===- Inputs.cpp - The files that a user means ---------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "Session.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
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

/// Why the file is no input; empty if some importer claims it, or reading it will say why not.
static std::string whyNot(const ImporterRegistry &importers, const std::string &path) {
  if (!sys::fs::is_regular_file(path))
    return sys::fs::is_directory(path) ? "a link to a directory" : "not a regular file";
  Expected<std::unique_ptr<Input>> input = Input::open(path, Limits());
  if (!input) {
    consumeError(input.takeError());
    return "";
  }
  Expected<StringRef> head = (*input)->head();
  if (!head) {
    consumeError(head.takeError());
    return "";
  }
  if (importers.claim(*head))
    return "";
  StringRef kind = describeForeign(*head);
  return kind.empty() ? "no importer knows it" : kind.str();
}

namespace {
class Finder {
public:
  Finder(const ImporterRegistry &importers, FoundInputs &out) : importers(importers), out(out) {}

  Error add(const std::string &name) {
    if (name == "-") {
      out.files.push_back(name);
      return Error::success();
    }
    if (sys::fs::is_directory(name))
      return search(name);
    if (sys::fs::exists(name) || StringRef(name).find_first_of("*?[") == StringRef::npos) {
      file(name); // reading it says if it is not there
      return Error::success();
    }
    glob_t matches{};
    size_t count = glob(name.c_str(), 0, nullptr, &matches) == 0 ? matches.gl_pathc : 0;
    std::vector<std::string> found(matches.gl_pathv, matches.gl_pathv + count);
    globfree(&matches);
    if (found.empty())
      return inputError("no-input", "no file matches this pattern", {name, 0, 0, 0, ""});
    for (const std::string &path : found) {
      if (!sys::fs::is_directory(path))
        file(path);
      else if (Error e = search(path))
        return e;
    }
    return Error::success();
  }

private:
  /// A file that was found in two ways is one input.
  void file(std::string path) {
    SmallString<128> real;
    if (!sys::fs::real_path(path, real) && !seen.insert(real).second)
      out.skipped.push_back({std::move(path), "given twice, read once"});
    else
      out.files.push_back(std::move(path));
  }

  /// All regular files below, sorted by name; hidden ones are left alone.
  Error search(StringRef directory) {
    std::vector<std::string> found;
    std::error_code ec;
    for (sys::fs::recursive_directory_iterator it(directory, ec, /*follow_symlinks=*/false), end;
         it != end && !ec; it.increment(ec)) {
      if (sys::path::filename(it->path()).starts_with(".")) {
        it.no_push();
        out.skipped.push_back({it->path(), "hidden"});
      } else if (it->type() != sys::fs::file_type::directory_file) {
        found.push_back(it->path());
      }
    }
    if (ec)
      return cannotRead(directory, ec);
    sort(found);
    bool any = false;
    for (std::string &path : found) {
      std::string why = whyNot(importers, path);
      any |= why.empty();
      if (why.empty())
        file(std::move(path));
      else
        out.skipped.push_back({std::move(path), std::move(why)});
    }
    if (!any)
      return inputError("no-trace", "no trace lies in this directory",
                        {directory.str(), 0, 0, 0, ""});
    return Error::success();
  }

  const ImporterRegistry &importers;
  FoundInputs &out;
  StringSet<> seen; ///< Real paths.
};
} // namespace

Error findInputs(const ImporterRegistry &importers, ArrayRef<std::string> named, FoundInputs &out) {
  Finder finder(importers, out);
  for (const std::string &name : named)
    if (Error e = finder.add(name))
      return e;
  if (out.files.empty())
    return usageError("no-input", "no trace is given; '-' is standard input");
  return Error::success();
}

} // namespace heddle
