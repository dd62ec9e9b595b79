//===- Terminal.h - What may be shown where ---------------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Facts about the terminal, and the escaping of names that come from traces: nobody's recording
/// may move our cursor or retitle our window.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_TOOLS_HEDDLE_TERMINAL_H
#define HEDDLE_TOOLS_HEDDLE_TERMINAL_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace heddle {

bool isTerminal(int fd);
/// A terminal that wants colour: NO_COLOR is not set (or empty) and TERM is not "dumb".
bool wantsColour(int fd);
/// Columns: COLUMNS, else the terminal's, else 100; 40 at least.
unsigned terminalWidth(int fd);
/// Whether the locale's encoding is UTF-8.
bool localeIsUtf8();

/// Control characters, bidirectional overrides and invalid UTF-8 as \xNN. A tab becomes
/// a space. With `keepLines`, line feeds stay.
std::string escapeForTerminal(llvm::StringRef text, bool keepLines = false);

/// Passes text on, escaped; with `colours`, the sequences that set colours pass too.
class EscapingStream final : public llvm::raw_ostream {
public:
  EscapingStream(llvm::raw_ostream &to, bool colours) : to(to), colours(colours) {}
  ~EscapingStream() override { finish(); }
  /// Writes what is held back; a character may be cut by the end of a buffer.
  void finish();

private:
  void write_impl(const char *ptr, size_t size) override;
  uint64_t current_pos() const override { return position; }
  llvm::raw_ostream &to;
  bool colours;
  std::string rest;
  uint64_t position = 0;
};

} // namespace heddle

#endif
