//===- ChromeText.h - Chrome trace JSON, spelled ----------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// The spelling that both profiles of the Chrome emitter share: strings, times in microseconds,
/// attribute values, and where the text goes.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_LOWER_CHROMETEXT_H
#define HEDDLE_LIB_LOWER_CHROMETEXT_H

#include "heddle/IR/Rank.h"
#include "heddle/Support/Json.h"
#include "llvm/Support/raw_ostream.h"

namespace heddle::chrome {

/// Appends a decimal integer.
void appendInt(llvm::SmallVectorImpl<char> &out, int64_t n);

/// Appends nanoseconds as microseconds with `scale` (0..3) digits behind the point; digits beyond
/// are cut off.
void appendMicros(llvm::SmallVectorImpl<char> &out, int64_t ns, uint8_t scale);

/// Writes values of a rank into a buffer and the buffer to a stream. It remembers which strings of
/// the rank need no escapes.
class ChromeText {
public:
  ChromeText(const Rank &rank, llvm::raw_ostream &os, BadBytes bad)
      : rank(rank), os(os), bad(bad), plain(rank.strings().size()) {}
  ~ChromeText() { flush(); }
  ChromeText(const ChromeText &) = delete;
  ChromeText &operator=(const ChromeText &) = delete;

  ChromeText &operator<<(llvm::StringRef text) {
    out.append(text.begin(), text.end());
    return *this;
  }
  ChromeText &operator<<(int64_t n) {
    appendInt(out, n);
    return *this;
  }
  void string(llvm::StringRef bytes) { appendJsonString(out, bytes, bad); }
  void string(StringId id);
  void id(const SourceId &id);
  void micros(int64_t ns, uint8_t scale) { appendMicros(out, ns, scale); }
  /// The shortest text that is read as this double again.
  void real(double number);
  /// The value of a column that is no null.
  void value(const Column &column, uint32_t row);
  /// Hands a full buffer on; call it between events.
  void breathe() {
    if (out.size() >= kBuffer)
      flush();
  }
  void flush() {
    os << llvm::StringRef(out.data(), out.size());
    out.clear();
  }

private:
  static constexpr size_t kBuffer = size_t{1} << 18;
  const Rank &rank;
  llvm::raw_ostream &os;
  BadBytes bad;
  llvm::SmallVector<char, 0> out;
  std::vector<uint8_t> plain; ///< By string: 0 not looked at, 1 needs no escapes, 2 does.
};

} // namespace heddle::chrome

#endif
