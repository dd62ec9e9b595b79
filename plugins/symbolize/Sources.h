//===- Sources.h - Source files below given folders -------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_PLUGINS_SYMBOLIZE_SOURCES_H
#define HEDDLE_PLUGINS_SYMBOLIZE_SOURCES_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <string>
#include <vector>

namespace heddle::symbolize {

/// Folders of source files. Nothing outside of them is read: not by `..`, not through a link.
class SourceFolders {
public:
  /// A usage error if one is no folder.
  static llvm::Expected<SourceFolders> open(llvm::ArrayRef<std::string> folders);
  bool empty() const { return roots.empty(); }

  /// What became of a file.
  enum class Outcome : uint8_t {
    Read,
    Missing, ///< No end of its path is a file in a folder.
    Refused, ///< Outside of the folders, no regular file, or too large.
  };
  /// The file whose path is the longest end of a recorded one, `/` or `\` between its parts. Asks
  /// the file system at most 64 times for each folder.
  Outcome read(llvm::StringRef recorded, std::unique_ptr<llvm::MemoryBuffer> &out) const;

private:
  std::vector<std::string> roots; ///< Without links.
};

} // namespace heddle::symbolize

#endif
