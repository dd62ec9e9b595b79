//===- Repair.h - Kinds of repairs that the importer counts -----*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Everything that the lenient parser had to overlook or to mend, by kind. The tokens stay as
/// read; a repair acts on what analyses see.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_IMPORT_REPAIR_H
#define HEDDLE_LIB_IMPORT_REPAIR_H

#include "llvm/ADT/StringRef.h"

namespace heddle::chrome {

enum class Repair : uint8_t {
  AbsurdDuration,   ///< A duration that no recording can have; the span is taken as empty.
  BadToken,         ///< A word that is no JSON value; kept raw.
  BrokenTail,       ///< What follows the events cannot be read; read on at a known key.
  ByteOrderMark,    ///< UTF-8 mark before the text.
  ControlCharacter, ///< A raw character below 0x20 in a string; kept.
  DuplicateKey,     ///< A key that stands twice in an event, its args, or the document.
  EmptyEvent,       ///< {} among the events.
  InvalidUtf8,      ///< A string that is no UTF-8; its bytes are kept.
  MissingComma,     ///< Two members or elements without a comma between.
  MissingDuration,  ///< An X without dur; taken as empty.
  MissingName,      ///< An X, i or C without name; the name is "".
  NegativeDuration, ///< Taken as empty.
  NotANumber,       ///< NaN, inf, N/A and their kin; kept raw, no value.
  NullArgs,         ///< args is null.
  QuotedNumber,     ///< ts or dur is a string.
  SkippedEvent,     ///< An event that cannot be read; its text is skipped.
  SplitNegative,    ///< "-5.-123", a negative time printed in two parts.
  StrayComma,       ///< ",," or a comma before a closing bracket.
  TrailingGarbage,  ///< Text after the end of the document.
  TrailingGzip,     ///< Bytes after the last gzip member.
  Truncated,        ///< The text ends inside the events or before the document is closed.
  TruncatedGzip,    ///< The gzip stream is cut or damaged.
  UnclosedArray,    ///< A bare array of events without its closing bracket.
  UnescapedQuote,   ///< A quote inside a string that is not its end; kept.
  UnknownEscape,    ///< A backslash that escapes nothing; kept.
};
inline constexpr unsigned kNumRepairs = static_cast<unsigned>(Repair::UnknownEscape) + 1;

/// The kebab-case id under which Diagnostics and Recording::repairs count it.
llvm::StringRef repairName(Repair r);

} // namespace heddle::chrome

#endif
