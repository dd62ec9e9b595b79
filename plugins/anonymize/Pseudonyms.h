//===- Pseudonyms.h - Words that stand for others ---------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
#ifndef HEDDLE_PLUGINS_ANONYMIZE_PSEUDONYMS_H
#define HEDDLE_PLUGINS_ANONYMIZE_PSEUDONYMS_H

#include "llvm/ADT/StringRef.h"
#include <array>
#include <string>

namespace heddle::anonymize {

/// `name_3f9a1c2e5b70`: the same word gives the same one under the same key, and without the key
/// nobody can tell which word it was, nor try words. A keyed BLAKE3 of 48 bits, so that among
/// 100,000 words no two are likely to meet. Any number of threads may ask.
class Pseudonyms {
public:
  /// Any text is a key; what the hash uses is derived from it.
  explicit Pseudonyms(llvm::StringRef key);
  /// `attempt` above 0 gives another one, for words whose first does not do.
  std::string of(llvm::StringRef word, unsigned attempt = 0) const;

private:
  std::array<uint8_t, 32> secret;
};

} // namespace heddle::anonymize

#endif
