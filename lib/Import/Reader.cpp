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
  lexer.quoteReach = quotes.from(window.offset(p));
  for (;;) {
    const char *q = p;
    lexer.reset();
    Scan s = body(q);
    if (lexer.lost)
      quotes.failed(window.offset(p));
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

/// May another event be read?
Error Reader::checkTables() {
  if (sink.eventsSeen() >= options.limits.maxEvents)
    return fail("limit-exceeded", "more than " + Twine(options.limits.maxEvents) + " events");
  if (sink.ranks().strings().bytes() > options.limits.maxStringTableBytes)
    return fail("limit-exceeded", "the strings of a rank are longer than " +
                                      Twine(options.limits.maxStringTableBytes) + " bytes");
  return Error::success();
}

/// Did what the lexer could not read meet a limit?
Error Reader::checkToken(StringRef what) {
  if (!lexer.tooDeep && !lexer.tooLong)
    return Error::success();
  std::string at = ("the " + what + " at byte " + Twine(window.offset(p))).str();
  if (lexer.tooDeep)
    return fail("limit-exceeded", at + " nests deeper than " + Twine(options.limits.maxNesting));
  return fail("limit-exceeded",
              at + " has a string longer than " + Twine(options.limits.maxStringBytes) + " bytes");
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

/// An export for viewers says whether its source was Kineto's.
static bool isForeignExport(StringRef head) {
  return head.contains("\"heddle\": {\"profile\": \"viewer\", \"format\": \"chrome\"");
}

Error Reader::read() {
  // Words that other tools use too are Kineto's where the text begins like Kineto's.
  auto head = input.head();
  if (!head)
    return head.takeError();
  for (StringRef mark : {"\"schemaVersion\"", "\"deviceProperties\"", "\"distributedInfo\"",
                         "\"Trace name\"", "\"cpu_op\"", "\"Operator\"", "\"cuda_runtime\"",
                         "\"user_annotation\"", "\"python_function\""})
    if (head->contains(mark) && !isForeignExport(*head))
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
  if (p == window.end())
    return fail("not-a-trace", "this is a file of white space, not a trace that can be read");
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
    if (Error e = checkToken("member"))
      return e;
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
/// base. p is at it on success, else at the end.
Error Reader::resumeTail(bool &found) {
  static constexpr StringLiteral keys[] = {"\"traceName\"", "\"displayTimeUnit\"",
                                           "\"baseTimeNanoseconds\"", "\"distributedInfo\"",
                                           "\"deviceProperties\""};
  auto isKnown = [](StringRef text) {
    return any_of(keys, [text](StringRef k) {
      StringRef after = text;
      return after.consume_front(k) && after.ltrim().starts_with(":");
    });
  };
  static constexpr size_t kLook = 64; // a key, blanks, and the colon
  for (size_t i = 1;;) {
    StringRef rest(p, static_cast<size_t>(window.end() - p));
    i = std::min(rest.find('"', i), rest.size());
    if (rest.size() - i < kLook && !window.last()) {
      p += i; // nothing before is looked at again
      i = 0;
      if (Error e = more())
        return e;
      continue;
    }
    found = i != rest.size() && isKnown(rest.substr(i, kLook));
    if (found || i == rest.size()) {
      p += i;
      return Error::success();
    }
    ++i;
  }
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
      if (Error e = checkTables())
        return e;
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
    if (Error e = checkTables())
      return e;
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
  if (Error e = checkToken("event"))
    return e;
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

} // namespace heddle::chrome
