//===- ReaderResync.cpp - Past an event that cannot be read ---------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Reader.h"

using namespace llvm;

namespace heddle::chrome {

/// The end of the object at q by brackets and plain strings alone; null if there is none before
/// `end`.
static const char *matchBraces(const char *q, const char *end) {
  uint64_t depth = 0;
  bool inString = false;
  for (; q < end; ++q) {
    if (*q == '\\') {
      ++q;
    } else if (*q == '"') {
      inString = !inString;
    } else if (!inString && *q == '{') {
      ++depth;
    } else if (!inString && *q == '}' && --depth == 0) {
      return q + 1;
    }
  }
  return nullptr;
}

/// How much behind a bracket tells what it is.
static constexpr size_t kLook = 4096;

/// Is the brace before `after` the begin of an event? It is where the key follows with which events
/// begin here, or where it follows the comma after another brace.
static bool startsEvent(StringRef after, StringRef mark, bool followsEvent) {
  after = after.ltrim();
  if (after.consume_front(mark))
    return after.ltrim().starts_with(":");
  return followsEvent && after.starts_with("\"");
}

/// Moves p behind what cannot be read: to the comma or bracket after the object by its braces if
/// an event or the end follows there, else to the next place that looks like the start of an
/// event. What is found does not depend on the window, and the window does not grow with the way.
Error Reader::resync(bool &found) {
  if (firstKey.empty()) { // no event was read yet: this one's own first key
    StringRef start =
        StringRef(p, static_cast<size_t>(window.end() - p)).drop_front(*p == '{').ltrim();
    if (start.consume_front("\""))
      firstKey = start.take_until([](char c) { return c == '"'; }).take_front(64).str();
  }
  StringRef key = firstKey.empty() || firstKey.size() > 64 ? StringRef("ph") : firstKey;
  found = false;
  if (*p == '{')
    if (Error e = followBraces(found))
      return e;
  return found ? Error::success() : seekEvent(("\"" + key + "\"").str(), found);
}

/// Moves p behind the object by its braces, if an event or the end follows there.
Error Reader::followBraces(bool &found) {
  size_t reach = braces.from(window.offset(p));
  for (;;) {
    StringRef text(p, std::min(static_cast<size_t>(window.end() - p), 2 * Reach::kMost));
    const char *q = matchBraces(p, p + std::min(text.size(), reach));
    StringRef after = q ? StringRef(q, static_cast<size_t>(text.end() - q)).ltrim() : "";
    bool comma = after.consume_front(",");
    after = after.ltrim();
    bool wanting = q ? after.empty() : text.size() < reach;
    if (!wanting || window.last() || text.size() == 2 * Reach::kMost) {
      found = q && (comma ? after.starts_with("{") : after.starts_with("]"));
      if (found)
        p = q;
      else
        braces.failed(window.offset(p));
      return Error::success();
    }
    if (Error e = more())
      return e;
  }
}

/// Moves p to the next place that looks like the start of an event, and lets go of the text before
/// it. From a bracket that may end the events on, the text is kept: if no event begins within
/// reach behind it, p is there.
Error Reader::seekEvent(StringRef mark, bool &found) {
  size_t reach = 0;
  bool closed = false;           // p is at a bracket that may end the events
  char before = *p, earlier = 0; // the last two characters that are no blanks
  for (size_t at = 1;;) {
    StringRef rest(p, static_cast<size_t>(window.end() - p));
    size_t stop = window.last() ? rest.size() : rest.size() - std::min(rest.size(), kLook);
    if (closed)
      stop = std::min(stop, reach);
    for (; at < stop; ++at) {
      char c = rest[at];
      if (isSpace(c))
        continue;
      StringRef after = rest.substr(at + 1, kLook);
      if (c == '{' && startsEvent(after, mark, before == ',' && earlier == '}')) {
        found = true;
        p += at;
        return Error::success();
      }
      bool closes = c == ']' && before == '}' && !closed &&
                    StringRef(",}").contains(after.ltrim().take_front(1));
      earlier = before;
      before = c;
      if (closes)
        break;
    }
    if (at < stop) { // at a bracket
      closed = true;
      p += at;
      at = 1;
      reach = events.from(window.offset(p));
      continue;
    }
    if (window.last() || (closed && at >= reach)) {
      found = closed;
      if (closed)
        events.failed(window.offset(p));
      else
        p = window.end();
      return Error::success();
    }
    if (!closed) {
      size_t gone = std::min(at, rest.size());
      p += gone;
      at -= gone;
    }
    if (Error e = more())
      return e;
  }
}

} // namespace heddle::chrome
