//===- Pseudonyms.cpp - Words that stand for others -----------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Pseudonyms.h"
#include "llvm-c/blake3.h"
#include "llvm/ADT/StringExtras.h"

using namespace heddle::anonymize;

Pseudonyms::Pseudonyms(llvm::StringRef key) {
  llvm_blake3_hasher hasher;
  llvm_blake3_hasher_init_derive_key(&hasher, "heddle anonymize: pseudonyms of words, version 1");
  llvm_blake3_hasher_update(&hasher, key.data(), key.size());
  llvm_blake3_hasher_finalize(&hasher, secret.data(), secret.size());
}

std::string Pseudonyms::of(llvm::StringRef word, unsigned attempt) const {
  llvm_blake3_hasher hasher;
  llvm_blake3_hasher_init_keyed(&hasher, secret.data());
  llvm_blake3_hasher_update(&hasher, &attempt, sizeof attempt);
  llvm_blake3_hasher_update(&hasher, word.data(), word.size());
  uint8_t digest[6];
  llvm_blake3_hasher_finalize(&hasher, digest, sizeof digest);
  return "name_" + llvm::toHex(digest, /*LowerCase=*/true);
}
