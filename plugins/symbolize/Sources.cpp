//===- Sources.cpp - Source files below given folders ---------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Sources.h"
#include "heddle/Support/Diagnostics.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

using namespace heddle;
using namespace heddle::symbolize;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

static constexpr size_t kMostParts = 64;
static constexpr size_t kLongestPath = 4096;
static constexpr uint64_t kLargestFile = 2 << 20;

llvm::Expected<SourceFolders> SourceFolders::open(llvm::ArrayRef<std::string> folders) {
  SourceFolders out;
  for (const std::string &folder : folders) {
    llvm::SmallString<256> real;
    if (!fs::is_directory(folder) || fs::real_path(folder, real))
      return usageError("bad-source",
                        "'source' is a folder of source files, but '" + folder + "' is none");
    StringRef root = real;
    out.roots.push_back(root.rtrim('/').str());
  }
  return out;
}

/// The parts of a path; none if it is not one to look for.
static std::vector<StringRef> partsOf(StringRef path) {
  std::vector<StringRef> parts;
  if (path.size() > kLongestPath || path.contains('\0'))
    return parts;
  while (!path.empty()) {
    size_t end = std::min(path.find_first_of("/\\"), path.size());
    StringRef part = path.take_front(end);
    path = path.drop_front(std::min(end + 1, path.size()));
    if (part == "..")
      return {};
    if (!part.empty() && part != ".")
      parts.push_back(part);
  }
  return parts;
}

SourceFolders::Outcome SourceFolders::read(StringRef recorded,
                                           std::unique_ptr<llvm::MemoryBuffer> &out) const {
  std::vector<StringRef> parts = partsOf(recorded);
  if (parts.empty())
    return Outcome::Refused;
  Outcome outcome = Outcome::Missing;
  size_t from = parts.size() - std::min(parts.size(), kMostParts);
  for (; from != parts.size(); ++from)
    for (const std::string &root : roots) {
      std::string path = root;
      for (StringRef part : llvm::ArrayRef(parts).drop_front(from))
        path += "/" + part.str();
      llvm::SmallString<256> real;
      if (!fs::exists(path))
        continue;
      fs::file_status status;
      if (fs::real_path(path, real) || !StringRef(real).starts_with(root + "/") ||
          fs::status(real, status) || status.type() != fs::file_type::regular_file ||
          status.getSize() > kLargestFile) {
        outcome = Outcome::Refused;
        continue;
      }
      llvm::Expected<fs::file_t> file = fs::openNativeFileForRead(real);
      if (!file) {
        llvm::consumeError(file.takeError());
        outcome = Outcome::Refused;
        continue;
      }
      // What was opened counts, not what stood there before. A copy: the file may shrink.
      if (!fs::status(*file, status) && status.type() == fs::file_type::regular_file &&
          status.getSize() <= kLargestFile)
        if (auto buffer = llvm::MemoryBuffer::getOpenFile(*file, path, status.getSize(),
                                                          /*RequiresNullTerminator=*/false,
                                                          /*IsVolatile=*/true))
          out = std::move(*buffer);
      (void)fs::closeFile(*file);
      return out ? Outcome::Read : Outcome::Refused;
    }
  return outcome;
}
