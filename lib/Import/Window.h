//===- Window.h - A sliding window over the text ----------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// A few megabytes of the decompressed text. Whoever reads keeps a pointer into it and asks for
/// more from there; the window grows only where one event does not fit.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_IMPORT_WINDOW_H
#define HEDDLE_LIB_IMPORT_WINDOW_H

#include "heddle/Import/Importer.h"
#include <vector>

namespace heddle::chrome {

class Window {
public:
  Window(Input &input, const ImportOptions &options);

  const char *begin() const { return buffer.data(); }
  const char *end() const { return buffer.data() + filled; } ///< 0, as are kPadding bytes after it.
  bool last() const { return ended; }                        ///< Nothing follows `end`.
  /// Moves the text from `keep` on to the front and reads more after it: afterwards there is more
  /// text, or last() is true. Returns the new place of `keep`.
  llvm::Expected<const char *> refill(const char *keep);
  /// Place of a pointer in the whole text.
  uint64_t offset(const char *p) const { return base + static_cast<uint64_t>(p - buffer.data()); }

private:
  Input &input;
  const ImportOptions &options;
  std::vector<char> buffer;
  size_t filled = 0;
  uint64_t base = 0;
  bool ended = false;
};

} // namespace heddle::chrome

#endif
