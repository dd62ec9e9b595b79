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

class Reader {
public:
  Reader(Input &input, const ImportOptions &options, Rank &rank)
      : input(input), options(options), rank(rank), window(input, options), lexer(options.limits),
        sink(rank, lexer, options.limits) {}

  /// Reads all of the text. An error only if nothing can be read, or a limit is met.
  llvm::Error read();
  Sink &events() { return sink; }

private:
  llvm::Error more();
  llvm::Error skipSpace();
  llvm::Error readMembers();
  llvm::Error readMember(bool &done);
  llvm::Error readEvents();
  llvm::Error readEvent();
  llvm::Error readStray();
  llvm::Error resync(bool &found);
  llvm::Error resumeTail(bool &found);
  llvm::Error drain();
  llvm::Error fail(llvm::StringRef id, const llvm::Twine &message);
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
  /// How far the braces of an object that cannot be read are followed.
  static constexpr size_t kMaxBraceReach = 1 << 20, kMinBraceReach = 1 << 10;
  size_t braceReach = kMaxBraceReach;
  bool sawEvents = false, textCut = false;
};

} // namespace heddle::chrome

#endif
