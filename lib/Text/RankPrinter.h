//===- RankPrinter.h - Prints one rank as .ht text --------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_TEXT_RANKPRINTER_H
#define HEDDLE_LIB_TEXT_RANKPRINTER_H

#include "JsonText.h"
#include "Part.h"
#include "TrackHead.h"
#include "heddle/Text/Text.h"
#include "llvm/ADT/StringMap.h"

namespace heddle::text {

/// Text on its way to a stream, which may be unbuffered.
class Out : public llvm::SmallVector<char, 0> {
public:
  explicit Out(llvm::raw_ostream &os) : os(os) { reserve(kFlushAt + 4096); }
  ~Out() { flush(); }
  Out &operator<<(llvm::StringRef s) {
    append(s.begin(), s.end());
    return *this;
  }
  Out &operator<<(char c) {
    push_back(c);
    return *this;
  }
  Out &operator<<(int64_t n);
  void number(uint64_t n);
  /// Called between lines.
  void flushIfFull() {
    if (size() >= kFlushAt)
      flush();
  }
  void flush() {
    os.write(data(), size());
    clear();
  }

private:
  static constexpr size_t kFlushAt = 1 << 16;
  llvm::raw_ostream &os;
};

/// The clocks of a trace, a line each.
void printClocks(Out &out, llvm::ArrayRef<ClockDomain> clocks);

class RankPrinter {
public:
  RankPrinter(const Rank &rank, Out &out, const PrintOptions &options)
      : rank(rank), out(out), strip(options.stripSource) {}
  void print();

private:
  /// One value of a line: what precedes it, and where it stands.
  struct Field {
    std::string prefix; ///< "{ key = " or ", key = ".
    const Column *column;
  };
  /// How events of a layout are printed.
  struct Plan {
    bool built = false, braces = false;
    std::vector<Field> slots, members;
    std::string part;          ///< As `spell` gives it.
    unsigned partNumber = ~0u; ///< n of its `layout @n` line.
  };

  // Preparation: which events need labels, which layouts need a line.
  void nameEvents();
  void needLabel(EventRef e);
  void numberParts();
  Plan &plan(LayoutId id);
  bool isUsual(const Track &t, uint32_t i);
  bool isSpanLine(const Track &t, uint32_t i) const;
  void partLine(Plan &p);

  // The head of the rank (RecordingPrinter.cpp).
  void header();
  void recording();
  void placed();
  void counts(llvm::StringRef word, const std::map<std::string, uint64_t, std::less<>> &counts);
  void document();
  void device(const Device &d);
  void chooseDefaults();

  // Tracks and events.
  void trackHeader(const Track &t);
  void emptyDerived(const Track &t);
  void event(uint32_t track, uint32_t i);
  void bracket(bool usual, const Plan &p, uint32_t seq, uint32_t row);
  void braces(const Plan &p, uint32_t row);
  void derived(const Track &t, uint32_t i);
  void label(EventRef e);
  void edgesAfterTracks();
  void flows();
  void loose();

  // Values.
  void quoted(StringId id);
  void json(StringId id);
  void value(const Column &c, uint32_t row);
  void id(const SourceId &id);
  void quoted(llvm::StringRef text);
  void key(llvm::StringRef text);

  const Rank &rank;
  Out &out;
  const bool strip;
  uint64_t nextSeq = 0;
  int64_t hostPid = 0;
  Vendor usualVendor = Vendor::None;
  std::vector<Plan> plans;
  std::vector<std::string> partLines;
  llvm::StringMap<unsigned> partNumbers;
  std::vector<uint8_t> usualCache;           ///< By layout and context: 0 unknown, 1 usual, 2 not.
  std::vector<std::vector<uint32_t>> labels; ///< By track, then event; 0 = none.
  std::vector<Edge> sortedEdges;
  llvm::ArrayRef<Edge> edges;
  size_t nextLaunch = 0;
  std::vector<uint8_t> plainCache, jsonCache; ///< By string: 0 unknown, else the form + 1.
};

} // namespace heddle::text

#endif
