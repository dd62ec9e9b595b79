//===- Texts.h - Texts without what is not public ---------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// What becomes of a text, by where it stands. Everything that is not positively public is replaced
/// word by word; punctuation and plain numbers stay, so that structure does.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_PLUGINS_ANONYMIZE_TEXTS_H
#define HEDDLE_PLUGINS_ANONYMIZE_TEXTS_H

#include "Pseudonyms.h"
#include "PublicWords.h"
#include "heddle/IR/Editor.h"

namespace heddle::anonymize {

/// Any number of threads may ask.
class Texts {
public:
  explicit Texts(llvm::StringRef key) : pseudonyms(key) {}

  /// The text that stands for `text` at this place.
  std::string at(const TextPlace &place, llvm::StringRef text) const;

private:
  friend class JsonTexts;
  /// A text as words of this scope. O(length).
  std::string words(llvm::StringRef text, Where scope) const;
  std::string word(llvm::StringRef identifier, Where scope) const;
  /// The value of a member of this name; `parent` is what holds it, say deviceProperties. `depth`
  /// counts JSON texts inside of strings.
  std::string value(llvm::StringRef key, llvm::StringRef parent, llvm::StringRef text,
                    unsigned depth) const;
  std::string eventName(EventKind kind, llvm::StringRef text) const;
  std::string key(llvm::StringRef text) const;
  std::string category(llvm::StringRef text) const;
  /// "path/file.py(12): function", several separated by ';'; builtins and modules.
  std::string frames(llvm::StringRef text) const;
  std::string frame(llvm::StringRef text) const;
  /// JSON, string by string; nullopt if it is none.
  std::optional<std::string> json(llvm::StringRef text, bool isEvent, llvm::StringRef key,
                                  unsigned depth) const;

  Pseudonyms pseudonyms;
  PublicWords isKnown;
};

} // namespace heddle::anonymize

#endif
