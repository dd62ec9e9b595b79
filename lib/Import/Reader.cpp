//===- Reader.cpp - The sequential lenient reader of Chrome JSON ----------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Reader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace heddle::chrome {

//===----------------------------------------------------------------------===//
// The window
//===----------------------------------------------------------------------===//

/// More text behind p. p stays where it is in the text.
Error Reader::more() {
  auto moved = window.refill(p);
  if (!moved)
    return moved.takeError();
  p = *moved;
  lexer.window(window.end(), window.last());
  return Error::success();
}

/// Runs `body` on p until it does not ask for more text. p moves only when it is Ok.
template <typename Body> Expected<Scan> Reader::attempt(Body body) {
  for (;;) {
    const char *q = p;
    lexer.reset();
    Scan s = body(q);
    if (s == Scan::Ok)
      p = q;
    if (s != Scan::More)
      return s;
    if (Error e = more())
      return e;
  }
}

Error Reader::skipSpace() {
  for (;;) {
    while (isSpace(*p))
      ++p;
    if (p != window.end() || window.last())
      return Error::success();
    if (Error e = more())
      return e;
  }
}

Error Reader::fail(StringRef id, const Twine &message) {
  return inputError(id, message, Place{input.name().str(), window.offset(p), 0, 0, {}});
}

/// The text ends where it should not.
void Reader::cut() {
  if (textCut)
    return;
  textCut = true;
  rank.recording.partial = true;
  rank.recording.truncatedAt = window.offset(window.end());
  sink.repaired(Repair::Truncated, rank.recording.truncatedAt);
}

//===----------------------------------------------------------------------===//
// The document
//===----------------------------------------------------------------------===//

Error Reader::read() {
  // Words that other tools use too are Kineto's where the text begins like Kineto's.
  auto head = input.head();
  if (!head)
    return head.takeError();
  for (StringRef mark : {"\"schemaVersion\"", "\"deviceProperties\"", "\"distributedInfo\"",
                         "\"Trace name\"", "\"cpu_op\"", "\"Operator\"", "\"cuda_runtime\"",
                         "\"user_annotation\"", "\"python_function\""})
    if (head->contains(mark))
      sink.assumeKineto();
  bool mark = head->starts_with("\xef\xbb\xbf");
  p = window.begin();
  if (Error e = more())
    return e;
  if (mark) {
    p += 3;
    sink.repaired(Repair::ByteOrderMark, 0);
  }
  if (Error e = skipSpace())
    return e;
  char open = *p;
  if (open != '[' && open != '{')
    return fail("not-a-trace", Twine("no JSON object or array at byte ") + Twine(window.offset(p)));
  ++p;
  rank.recording.document.isArray = open == '[';
  if (Error e = open == '[' ? readEvents() : readMembers())
    return e;
  if (!sawEvents)
    return fail("no-events", textCut ? "the text ends before the events"
                             : memberKeys.contains("traceEvents")
                                 ? "traceEvents is no array of events"
                                 : "a JSON object without traceEvents");
  if (sink.eventsSeen() == 0 && textCut)
    return fail("no-events", "the text ends in its first event");
  rank.recording.sourceEvents = sink.eventsSeen();
  return drain();
}

/// What follows the document is counted, not read.
Error Reader::drain() {
  bool garbage = false;
  for (;;) {
    for (; p != window.end(); ++p)
      if (!isSpace(*p) && *p != 0 && !garbage) {
        garbage = true;
        sink.repaired(Repair::TrailingGarbage, window.offset(p));
        break;
      }
    p = window.end();
    if (window.last())
      break;
    if (Error e = more())
      return e;
  }
  rank.recording.bytes = window.offset(p);
  if (input.truncated()) {
    sink.repaired(Repair::TruncatedGzip, rank.recording.bytes);
    rank.recording.partial = true;
    rank.recording.truncatedAt = rank.recording.bytes;
  }
  if (input.foreignTailBytes())
    sink.repaired(Repair::TrailingGzip, rank.recording.bytes);
  return Error::success();
}

Error Reader::readMembers() {
  bool comma = false;
  for (bool done = false; !done;) {
    if (Error e = skipSpace())
      return e;
    if (*p == ',') {
      if (comma || rank.recording.document.members.empty())
        sink.repaired(Repair::StrayComma, window.offset(p));
      comma = true;
      ++p;
    } else if (*p == '}') {
      if (comma)
        sink.repaired(Repair::StrayComma, window.offset(p));
      ++p;
      return Error::success();
    } else {
      if (!comma && !rank.recording.document.members.empty() && p != window.end())
        sink.repaired(Repair::MissingComma, window.offset(p));
      comma = false;
      if (Error e = readMember(done))
        return e;
    }
  }
  return Error::success();
}

/// A key and its value; `done` when nothing more can be read.
Error Reader::readMember(bool &done) {
  Document &document = rank.recording.document;
  StringRef name;
  std::string key;
  bool events = false;
  Token value;
  std::string text;
  auto scan = attempt([&](const char *&q) {
    if (Scan s = lexer.key(q, name); s != Scan::Ok)
      return s;
    key = name.str();
    events = key == "traceEvents" && *q == '[';
    if (events) {
      ++q;
      return Scan::Ok;
    }
    Scan s = lexer.value(q, Where::Member, value);
    if (s == Scan::Ok)
      text = lexer.canonical(value).str();
    return s;
  });
  if (!scan)
    return scan.takeError();
  if (*scan == Scan::Bad) {
    if (lexer.tooDeep)
      return fail("limit-exceeded", "values nest deeper than " + Twine(options.limits.maxNesting));
    if (!sawEvents && !lexer.truncated)
      return fail("not-a-trace", "cannot read the member at byte " + Twine(window.offset(p)));
    bool found = false;
    uint64_t at = window.offset(p);
    if (sawEvents)
      if (Error e = resumeTail(found))
        return e;
    if (!found && lexer.truncated)
      cut();
    else
      sink.repaired(Repair::BrokenTail, at);
    done = !found;
    return Error::success();
  }
  for (Repair r : lexer.found)
    sink.repaired(r, window.offset(p));
  if (!memberKeys.insert(key).second)
    sink.repaired(Repair::DuplicateKey, window.offset(p));
  if (!events) {
    document.members.push_back({std::move(key), std::move(text)});
    return Error::success();
  }
  if (!sawEvents) // the events of a second array follow those of the first
    document.members.push_back({std::move(key), ""});
  return readEvents();
}

/// Behind the events a known key is looked for, so that broken log lines do not cost the time
/// base. p is at it on success.
Error Reader::resumeTail(bool &found) {
  static constexpr StringLiteral keys[] = {"\"traceName\"", "\"displayTimeUnit\"",
                                           "\"baseTimeNanoseconds\"", "\"distributedInfo\"",
                                           "\"deviceProperties\""};
  while (!window.last())
    if (Error e = more())
      return e;
  StringRef rest(p, static_cast<size_t>(window.end() - p));
  size_t i = rest.find('"', 1);
  auto isKnown = [&](StringRef k) {
    StringRef after = rest.drop_front(i);
    return after.consume_front(k) && after.ltrim().starts_with(":");
  };
  while (i != StringRef::npos && none_of(keys, isKnown))
    i = rest.find('"', i + 1);
  found = i != StringRef::npos;
  p = found ? p + i : window.end();
  return Error::success();
}

//===----------------------------------------------------------------------===//
// The events
//===----------------------------------------------------------------------===//

Error Reader::readEvents() {
  sawEvents = true;
  bool comma = false, any = false;
  for (;;) {
    while (isSpace(*p))
      ++p;
    switch (*p) {
    case ',':
      if (comma || !any)
        sink.repaired(Repair::StrayComma, window.offset(p));
      comma = true;
      ++p;
      continue;
    case ']':
      if (comma && any)
        sink.repaired(Repair::StrayComma, window.offset(p));
      ++p;
      return Error::success();
    case '{':
      if (any && !comma)
        sink.repaired(Repair::MissingComma, window.offset(p));
      comma = false;
      any = true;
      if (sink.eventsSeen() >= options.limits.maxEvents)
        return fail("limit-exceeded", "more than " + Twine(options.limits.maxEvents) + " events");
      if (options.predict && sink.addPredicted(p, window.end()))
        continue;
      if (Error e = readEvent())
        return e;
      continue;
    default:
      break;
    }
    if (p == window.end() && !window.last()) {
      if (Error e = more())
        return e;
      continue;
    }
    if (p == window.end()) {
      if (rank.recording.document.isArray && !input.truncated())
        sink.repaired(Repair::UnclosedArray, window.offset(p)); // allowed by the format
      else
        cut();
      return Error::success();
    }
    if (*p == '}' && !rank.recording.document.isArray) {
      sink.repaired(Repair::UnclosedArray, window.offset(p));
      return Error::success();
    }
    if (any && !comma)
      sink.repaired(Repair::MissingComma, window.offset(p));
    comma = false;
    any = true;
    if (Error e = readStray())
      return e;
  }
}

Error Reader::readEvent() {
  auto scan = attempt([&](const char *&q) { return lexer.event(q, event); });
  if (!scan)
    return scan.takeError();
  if (*scan == Scan::Ok) {
    uint64_t offset = window.offset(event.raw.begin());
    if (!event.tokens.empty() && firstKey != event.tokens[0].key)
      firstKey = event.tokens[0].key.str();
    sink.add(event, offset);
    return Error::success();
  }
  return readStray();
}

/// Something among the events that is no event, or one that cannot be read.
Error Reader::readStray() {
  if (*p != '{') {
    Token value;
    std::string text;
    auto scan = attempt([&](const char *&q) {
      Scan s = lexer.value(q, Where::Element, value);
      if (s == Scan::Ok)
        text = lexer.canonical(value).str();
      return s;
    });
    if (!scan)
      return scan.takeError();
    if (*scan == Scan::Ok && !value.raw.empty()) {
      for (Repair r : lexer.found)
        sink.repaired(r, window.offset(p));
      sink.note("non-object-event");
      sink.addLoose(text);
      return Error::success();
    }
  }
  if (lexer.tooDeep)
    return fail("limit-exceeded", "the event at byte " + Twine(window.offset(p)) +
                                      " nests deeper than " + Twine(options.limits.maxNesting));
  bool truncated = lexer.truncated, found = false;
  uint64_t at = window.offset(p);
  if (Error e = resync(found))
    return e;
  if (!found && truncated) {
    cut();
    p = window.end();
    return Error::success();
  }
  sink.repaired(Repair::SkippedEvent, at);
  sink.skip();
  return Error::success();
}

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

/// Is the brace at rest[at] the begin of an event? It is where the key follows with which events
/// begin here, or where it follows the comma after another brace. More: too little text to say.
static Scan startsEvent(StringRef rest, size_t at, StringRef mark, bool last) {
  StringRef after = rest.drop_front(at + 1).ltrim();
  if (after.size() <= mark.size() && !last)
    return Scan::More;
  StringRef behind = after;
  if (behind.consume_front(mark)) {
    behind = behind.ltrim();
    if (behind.empty() && !last)
      return Scan::More;
    return behind.starts_with(":") ? Scan::Ok : Scan::Bad;
  }
  StringRef before = rest.take_front(at).rtrim();
  return before.consume_back(",") && before.rtrim().ends_with("}") && after.starts_with("\"")
             ? Scan::Ok
             : Scan::Bad;
}

/// Moves p behind what cannot be read: to the comma or bracket after the object by its braces if
/// an event or the end follows there, else to the next place that looks like the start of an
/// event. What is found does not depend on the window. Braces that lead nowhere are followed less
/// far the next time, so that a text full of them costs no quadratic time.
Error Reader::resync(bool &found) {
  if (firstKey.empty()) { // no event was read yet: this one's own first key
    StringRef start =
        StringRef(p, static_cast<size_t>(window.end() - p)).drop_front(*p == '{').ltrim();
    if (start.consume_front("\""))
      firstKey = start.take_until([](char c) { return c == '"'; }).take_front(64).str();
  }
  std::string mark = "\"" + (firstKey.empty() ? "ph" : firstKey) + "\"";
  found = true;
  while (*p == '{') {
    size_t size = static_cast<size_t>(window.end() - p);
    const char *q = matchBraces(p, p + std::min(size, braceReach));
    StringRef after = q ? StringRef(q, static_cast<size_t>(window.end() - q)).ltrim() : "";
    bool comma = after.consume_front(",");
    after = after.ltrim();
    bool more = !window.last() && (q ? after.empty() : size < braceReach);
    if (!more) {
      if (!q || !(comma ? after.starts_with("{") : after.starts_with("]"))) {
        braceReach = std::max(braceReach / 2, kMinBraceReach);
        break;
      }
      braceReach = kMaxBraceReach;
      p = q;
      return Error::success();
    }
    if (Error e = this->more())
      return e;
  }
  for (size_t at = 1;;) {
    StringRef rest(p, static_cast<size_t>(window.end() - p));
    at = rest.find('{', at);
    Scan s = at == StringRef::npos ? Scan::More : startsEvent(rest, at, mark, window.last());
    if (s == Scan::Ok) {
      p += at;
      return Error::success();
    }
    if (s == Scan::Bad) {
      ++at;
      continue;
    }
    if (window.last())
      break;
    at = std::min(at, rest.size());
    if (Error e = more())
      return e;
  }
  // No event follows: the array may still end.
  StringRef rest(p, static_cast<size_t>(window.end() - p));
  size_t close = rest.find(']');
  while (close != StringRef::npos &&
         !(rest.take_front(close).rtrim().ends_with("}") &&
           StringRef(",}").contains(rest.drop_front(close + 1).ltrim().take_front(1))))
    close = rest.find(']', close + 1);
  found = close != StringRef::npos;
  p = found ? p + close : window.end();
  return Error::success();
}

} // namespace heddle::chrome
