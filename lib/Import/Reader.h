//===- Reader.h - The sequential lenient reader of Chrome JSON --*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Reads the document around the events and the events one after the other. What it makes of a
/// text is the definition of the format: anything faster must agree with it.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_IMPORT_READER_H
#define HEDDLE_LIB_IMPORT_READER_H

#include "Sink.h"
#include "Window.h"
#include "llvm/ADT/StringSet.h"

namespace heddle::chrome {

/// How far something is looked for. A look that leads nowhere halves the way, and the text that is
/// read afterwards gives it back, so that no text makes all looks together cost more than itself.
class Reach {
public:
  static constexpr size_t kMost = 1 << 20, kLeast = 1 << 10;
  size_t from(uint64_t offset) const {
    return static_cast<size_t>(std::min<uint64_t>(reach + (offset - since), kMost));
  }
  void failed(uint64_t offset) {
    reach = std::max(from(offset) / 2, kLeast);
    since = offset;
  }

private:
  size_t reach = kMost;
  uint64_t since = 0;
};

class Reader {
public:
  Reader(Input &input, const ImportOptions &options, Rank &rank)
      : input(input), options(options), rank(rank), window(input, options), lexer(options.limits),
        sink(rank, lexer, options.limits) {}

  /// Reads all of the text. An error only if nothing can be read, or a limit is met.
  llvm::Error read();
  Sink &filled() { return sink; }

private:
  llvm::Error more();
  llvm::Error skipSpace();
  llvm::Error readMembers();
  llvm::Error readMember(bool &done);
  llvm::Error readEvents();
  llvm::Error readEvent();
  llvm::Error readStray();
  llvm::Error resync(bool &found);
  llvm::Error followBraces(bool &found);
  llvm::Error seekEvent(llvm::StringRef mark, bool &found);
  llvm::Error resumeTail(bool &found);
  llvm::Error drain();
  llvm::Error fail(llvm::StringRef id, const llvm::Twine &message);
  llvm::Error checkTables();
  llvm::Error checkToken(llvm::StringRef what);
  void cut();
  template <typename Body> llvm::Expected<Scan> attempt(Body body);

  Input &input;
  const ImportOptions &options;
  Rank &rank;
  Window window;
  Lexer lexer;
  Sink sink;
  EventText event;
  const char *p = nullptr;
  std::string firstKey; ///< Of the last event that was read: marks where the next one starts.
  llvm::StringSet<> memberKeys; ///< Of the document.
  Reach braces; ///< How far the braces of an object that cannot be read are followed.
  Reach events; ///< How far behind a bracket that may end the events another one is looked for.
  Reach quotes; ///< How far a string goes whose quotes do not end it.
  bool sawEvents = false, textCut = false;
};

} // namespace heddle::chrome

#endif
