//===- TrackParser.cpp - Parses tracks and their events -------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Escape.h"
#include "Parser.h"
#include "llvm/ADT/StringExtras.h"

using namespace heddle;
using namespace heddle::text;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// The head of a track
//===----------------------------------------------------------------------===//

static std::optional<Family> familyOf(StringRef head, StringRef word) {
  for (unsigned i = 0; i != kNumFamilies; ++i)
    if (familyHead(Family(i)) == head && familyWord(Family(i)) == word)
      return Family(i);
  return std::nullopt;
}

bool Parser::trackHead(StringRef head, TrackState &state) {
  const char *start = p;
  SourceId tid, pid;
  bool tidGiven = head == "thread", pidGiven = false;
  int64_t device = head == "stream" ? 0 : -1, stream = -1;
  Family family = *familyOf(head, "");
  std::optional<StringId> name;
  if ((head == "thread" && !sourceId(tid)) || (head == "stream" && !integer(stream)))
    return false;
  while (peek() != '{') {
    const char *at = p;
    StringRef text;
    if (peek() == '"') {
      if (!string(text))
        return false;
      name = r->builder.intern(text);
      continue;
    }
    StringRef w = word();
    bool ok = true;
    if (w == "pid")
      ok = pidGiven = sourceId(pid);
    else if (w == "tid" && head != "thread")
      ok = tidGiven = sourceId(tid);
    else if (w == "device")
      ok = integer(device);
    else if (w == "stream")
      ok = integer(stream);
    else if (std::optional<Family> f = w.empty() ? std::nullopt : familyOf(head, w))
      family = *f;
    else if (w.empty())
      ok = failExpected("'{'");
    else
      ok =
          failUnknown(at, ("word in the head of a " + head).str(), w,
                      {"python", "marker", "annotation", "sync", "pid", "tid", "device", "stream"});
    if (!ok)
      return false;
  }
  auto given = [&](const IdText &id) {
    return SourceId{id.form, id.value,
                    id.text.empty() ? StringId::Empty : r->builder.intern(id.text)};
  };
  UsualIds usual = usualIds(family, r->hostPid, device, stream);
  TrackKey key{pidGiven ? pid : given(usual.pid), tidGiven ? tid : given(usual.tid), family};
  state.index = r->builder.track(key);
  state.onStream = isStream(family);
  state.hasPid = key.pid.form != SourceId::Absent;
  state.hasTid = key.tid.form != SourceId::Absent;
  Track &t = r->builder.trackAt(state.index);
  if (!r->begunTracks.insert(state.index).second && (t.device != device || t.stream != stream))
    return fail(start, "text-duplicate",
                "a track with this family, pid and tid stands above with another device or stream");
  t.device = device;
  t.stream = stream;
  if (name)
    t.name = *name;
  return true;
}

bool Parser::track(StringRef head) {
  const char *start = p;
  TrackState state;
  if (!(trackHead(head, state) && expect('{'))) {
    // Read the events all the same, for their errors; the rank is not kept.
    if (!recoverIntoBlock(start))
      return false;
    state.index = r->builder.track({{}, {}, Family::Window});
  }
  block([&] { return trackItem(state); });
  return true;
}

bool Parser::trackItem(TrackState &state) {
  if (!acceptWord("derived"))
    return event(state);
  return emptyDerived(state.index);
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

bool Parser::eventKind(PartContext &context, StringId &cat) {
  cat = StringId::None;
  context.kind = EventKind::Other;
  if (peek() == '"') {
    StringRef text;
    if (!string(text))
      return false;
    cat = r->builder.intern(text);
    return true;
  }
  const char *at = p;
  StringRef w = word();
  if (w.empty())
    return failExpected("an event or '}'");
  if (std::optional<EventKind> kind = parseKind(w)) {
    context.kind = *kind;
    return true;
  }
  llvm::SmallVector<StringRef, 32> known;
  for (unsigned i = 0; i != kNumEventKinds; ++i)
    known.push_back(kindName(EventKind(i)));
  known.push_back("derived");
  std::string message = "unknown kind of event '" + shown(w) + "'";
  std::string hint = didYouMean(w, known);
  return fail(at, "text-unknown",
              message + (hint.empty() ? "; a category outside the list is quoted" : hint));
}

bool Parser::eventTimes(TrackState &state, PartContext &context, Time &begin, Time &end) {
  if (!expectWord("at"))
    return false;
  const char *at = (skip(), p);
  bool relative = accept('+');
  if (!time(begin.ns))
    return false;
  if (relative) {
    begin.ns += state.lastBegin;
    if (begin.ns > kMaxAbsTimeNs || begin.ns < -kMaxAbsTimeNs)
      return fail(at, "text-time", "the time is beyond 146 years");
  }
  state.lastBegin = begin.ns;
  end = begin;
  context.isSpan = acceptWord("for");
  if (!context.isSpan)
    return mayBeInstant(context.kind) || failExpected("'for' and a duration");
  at = (skip(), p);
  int64_t length;
  if (!time(length))
    return false;
  if (length < 0)
    return fail(at, "text-time", "the duration is negative");
  end.ns += length;
  if (end.ns > kMaxAbsTimeNs)
    return fail(at, "text-time", "the event ends beyond 146 years");
  return true;
}

bool Parser::event(TrackState &state) {
  const char *start = p;
  StringRef labelText, name;
  if (*p == '%' && !(label(labelText) && expect('=')))
    return false;
  PartContext context;
  context.onStream = state.onStream;
  context.hasPid = state.hasPid;
  context.hasTid = state.hasTid;
  StringId cat;
  if (!eventKind(context, cat) || !string(name))
    return false;
  StringId nameId = r->builder.intern(name);
  Time begin, end;
  if (!eventTimes(state, context, begin, end))
    return false;
  std::optional<uint64_t> seq;
  unsigned part = ~0u;
  slotValues.clear();
  if (peek() == '[' && !bracket(seq, part))
    return false;
  if (!members(state.lastShape))
    return false;
  context.hasArgs = sawBraces;
  if (part == ~0u)
    part = usualPart(context, cat);
  uint32_t ordinal;
  if (!shape(part, start, state.lastShape, state.lastShape) || !takeSeq(start, seq, ordinal))
    return false;
  if (++r->events > limits.maxEvents)
    return fail(start, "limit-exceeded",
                "a rank has more than " + llvm::Twine(limits.maxEvents) + " events");
  if (static_cast<uint64_t>(p - start) > limits.maxEventBytes)
    return fail(start, "limit-exceeded",
                "an event is longer than " + llvm::Twine(limits.maxEventBytes) + " bytes");
  if (r->builder.strings().bytes() > limits.maxStringTableBytes)
    return fail(start, "limit-exceeded",
                "the strings of a rank are longer than " + llvm::Twine(limits.maxStringTableBytes) +
                    " bytes");
  const RankState::Shape &s = r->shapes[state.lastShape];
  uint32_t row = appendRow(s);
  EventRef ref{state.index, r->builder.event(state.index, begin, end, nameId, context.kind,
                                             s.layout, row, ordinal)};
  if (options.lines)
    r->lines.push_back({s.layout, row, lineOf(start)});
  if (!labelText.empty()) {
    RankState::Label &l = r->labels[labelOf(labelText)];
    if (l.event.valid())
      return fail(start, "text-duplicate", "'%" + shown(labelText) + "' names an event before");
    l.event = ref;
  }
  if (peek() == '!' && !derived(ref.track, ref.index))
    return false;
  return peek() != '-' || launches(ref);
}

bool Parser::launches(EventRef from) {
  const char *at = p;
  ++p;
  if (!expect('>'))
    return false;
  if (!isThread(r->builder.trackAt(from.track).key.family))
    return fail(at, "text-edge", "a launch begins on a thread");
  do {
    skip();
    const char *toAt = p;
    StringRef text;
    if (!label(text))
      return false;
    r->pendingEdges.push_back({EdgeKind::Launch, from, 0, labelOf(text), at, toAt});
  } while (accept(','));
  return true;
}

//===----------------------------------------------------------------------===//
// Derived columns
//===----------------------------------------------------------------------===//

/// Columns are dense, so many that are nearly empty would take memory that no text pays for. Each
/// byte of text may bring one absent value, and a small text this many.
static constexpr uint64_t kFreePadding = 1 << 20;

bool Parser::pad(DerivedColumn &column, bool isText, uint32_t size, const char *at) {
  padded += size - std::max(column.ints.size(), column.strings.size());
  uint64_t most = kFreePadding + static_cast<uint64_t>(end - begin);
  if (padded > most)
    return fail(at, "limit-exceeded",
                "the derived columns lack a value in more than " + llvm::Twine(most) + " places");
  if (isText)
    column.strings.resize(size, StringId::None);
  else
    column.ints.resize(size, DerivedColumn::kNullInt);
  return true;
}

bool Parser::derived(uint32_t track, uint32_t index) {
  ++p; // The '!'.
  return facts([&](const char *at, StringRef key) {
    DerivedColumn &column = r->builder.trackAt(track).derived[key.str()];
    bool isText = peek() == '"';
    if ((isText && !column.ints.empty()) || (!isText && !column.strings.empty()))
      return fail(at, "text-type",
                  "'" + shown(key) + "' is " + (isText ? "a number" : "a string") +
                      " in the lines above");
    if (std::max(column.ints.size(), column.strings.size()) > index)
      return fail(at, "text-duplicate", "'" + shown(key) + "' stands twice");
    if (!pad(column, isText, index, at))
      return false;
    if (isText) {
      StringRef text;
      if (!string(text))
        return false;
      column.strings.push_back(r->builder.intern(text));
      return true;
    }
    int64_t n;
    if (!integer(n))
      return false;
    column.ints.push_back(n);
    return true;
  });
}

bool Parser::emptyDerived(uint32_t track) {
  return facts([&](const char *at, StringRef key) {
    skip();
    const char *typeAt = p;
    StringRef type = word();
    if (type != "int" && type != "string")
      return type.empty() ? failExpected("int or string")
                          : failUnknown(typeAt, "type", type, {"int", "string"});
    auto [it, isNew] = r->builder.trackAt(track).derived.try_emplace(key.str());
    if (!isNew && !(it->second == DerivedColumn()))
      return fail(at, "text-duplicate", "'" + shown(key) + "' has values before");
    r->emptyDerived.push_back({track, key.str(), type == "string"});
    return true;
  });
}
