//===- PublicWords.h - What may stay as it is -------------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// The allow-list: what is in it is known to everyone, and only that is kept. It is data; each
/// table says where its words come from. Words that passes look for must be in it or in `markers`.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_PLUGINS_ANONYMIZE_PUBLICWORDS_H
#define HEDDLE_PLUGINS_ANONYMIZE_PUBLICWORDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

namespace heddle::anonymize {

/// Where a text stands decides which words are public there.
enum class Where : uint8_t {
  Base,   ///< Anywhere: whole identifiers that recorders and frameworks write.
  Note,   ///< Annotations: as Base; marks of communication libraries count.
  Op,     ///< Operators: also identifiers made of words of PyTorch's operators.
  Kernel, ///< Device work and its types: also words of kernels of public libraries.
  Api,    ///< Calls of a runtime or driver.
  Python, ///< Python frames and builtins.
  Path,   ///< File names.
  Device, ///< Models of devices.
};
inline constexpr unsigned kNumWheres = static_cast<unsigned>(Where::Device) + 1;

/// Text that passes look for inside of names; it stays beside a pseudonym, so that what they find
/// out about a name stays.
struct Marker {
  llvm::StringLiteral text; ///< Lower case unless `exact`.
  bool exact = false;       ///< Letters' case counts.
};
/// Of Kernel, Note and Api; none elsewhere.
llvm::ArrayRef<Marker> markers(Where scope);

class PublicWords {
public:
  PublicWords();
  /// An identifier (letters, digits, _) that may stay. O(length).
  bool isPublic(llvm::StringRef identifier, Where scope) const;
  /// How much of an API call's name, from its begin, may stay: a vendor's prefix and words.
  size_t publicPrefixOfCall(llvm::StringRef identifier) const;
  /// `ns` in `ns::name`, of which everything inside is public.
  bool isNamespace(llvm::StringRef identifier) const { return namespaces.contains(identifier); }
  bool isKey(llvm::StringRef key) const { return keys.contains(key); }
  bool isCategory(llvm::StringRef cat) const { return categories.contains(cat); }
  bool isCount(llvm::StringRef name) const { return counts.contains(name); }
  /// A package whose files, and the functions in them, are public.
  bool isPythonPackage(llvm::StringRef name) const { return packages.contains(name); }
  bool isStandardModule(llvm::StringRef name) const { return modules.contains(name); }

private:
  bool onlyWords(llvm::StringRef identifier, Where scope) const;
  llvm::StringSet<> whole[kNumWheres]; ///< Identifiers, letters' case counts.
  llvm::StringSet<> opWords, kernelWords, callWords;
  llvm::StringSet<> namespaces, keys, categories, counts, packages, modules;
};

/// The tables that are long, as words between blanks or lines.
llvm::StringRef publicKeyLines();
llvm::StringRef publicCategoryLines();

} // namespace heddle::anonymize

#endif
