//===- Window.cpp - A sliding window over the text ------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Window.h"
#include "Lexer.h"
#include <cstring>

using namespace llvm;

namespace heddle::chrome {

Window::Window(Input &input, const ImportOptions &options)
    : input(input), options(options), buffer(std::max<size_t>(options.windowBytes, 16) + kPadding) {
}

Expected<const char *> Window::refill(const char *keep) {
  size_t kept = static_cast<size_t>(end() - keep);
  base += static_cast<uint64_t>(keep - buffer.data());
  std::memmove(buffer.data(), keep, kept);
  filled = kept;
  Place place{input.name().str(), base, 0, 0, {}};
  if (kept > options.limits.maxEventBytes)
    return inputError("limit-exceeded",
                      "the value at byte " + Twine(base) + " is longer than " +
                          Twine(options.limits.maxEventBytes) + " bytes",
                      place);
  if (kept > (buffer.size() - kPadding) / 2)
    buffer.resize(buffer.size() * 2);
  while (!ended && filled < buffer.size() - kPadding) {
    auto n = input.read(buffer.data() + filled, buffer.size() - kPadding - filled);
    if (!n)
      return n.takeError();
    ended = *n == 0;
    filled += *n;
  }
  std::memset(buffer.data() + filled, 0, kPadding);
  if (Progress *progress = options.progress) {
    progress->done += filled - kept; // several files are read at once
    if (progress->cancelled)
      return inputError("cancelled", "reading was cancelled", place);
  }
  return buffer.data();
}

} // namespace heddle::chrome
