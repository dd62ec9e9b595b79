//===- RowParser.cpp - Parses values, arguments and layouts ---------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Escape.h"
#include "Parser.h"
#include "heddle/IR/Verifier.h"
#include "heddle/Support/Decimal.h"
#include "llvm/ADT/StringExtras.h"

using namespace heddle;
using namespace heddle::text;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

bool Parser::number(Value &out) {
  const char *start = p;
  bool negative = *p == '-';
  p += negative;
  const char *digits = p;
  uint64_t n = 0;
  while (p != end && isDigit(*p) && p - digits < 18)
    n = n * 10 + static_cast<unsigned>(*p++ - '0');
  bool simple = p != digits && (*digits != '0' || (p - digits == 1 && !negative));
  if (simple && (p == end || !(isWordChar(*p) || *p == '.'))) {
    out.type = ValueType::Int;
    out.number = static_cast<int64_t>(negative ? 0 - n : n);
    return true;
  }
  while (p != end && (isWordChar(*p) || *p == '.' ||
                      ((*p == '+' || *p == '-') && (p[-1] == 'e' || p[-1] == 'E'))))
    ++p;
  StringRef text(start, p - start);
  // "1." is a decimal without a fraction, as opposed to the integer 1.
  bool bare = text.ends_with(".");
  std::optional<Decimal> decimal = parseDecimal(bare ? text.drop_back() : text);
  if (!decimal || (bare && decimal->scale != 0)) {
    p = start;
    return fail(start, "text-number",
                "'" + shown(text) + "' is no number that prints back as written; write #\"" +
                    shown(text) + "\"");
  }
  out.type = bare || decimal->scale ? ValueType::Decimal : ValueType::Int;
  out.number = decimal->mantissa;
  out.byte = decimal->scale;
  return true;
}

bool Parser::value(Value &out) {
  char c = peek();
  StringRef text;
  if (c == '-' || isDigit(c))
    return number(out);
  if (c == '"') {
    out.type = ValueType::String;
    if (!string(text))
      return false;
    out.text = r->builder.intern(text);
    return true;
  }
  if (c == '[' || c == '{' || (c == '#' && p + 1 != end && p[1] != '"')) {
    out.type = ValueType::List;
    llvm::SmallString<256> canonical;
    if (!json(canonical, /*scalars=*/false))
      return false;
    out.text = r->builder.intern(canonical);
    return true;
  }
  if (c == '#') {
    ++p;
    out.type = ValueType::Raw;
    if (!string(text))
      return false;
    out.text = r->builder.intern(text);
    return true;
  }
  const char *at = p;
  StringRef w = word();
  if (w == "true" || w == "false") {
    out.type = ValueType::Bool;
    out.byte = w == "true";
    return true;
  }
  if (w == "null") {
    out.type = ValueType::Null;
    return true;
  }
  p = at;
  if (w.empty())
    return failExpected("a value");
  std::string hint = didYouMean(w, {"true", "false", "null"});
  return fail(at, "text-unknown",
              "unknown value '" + shown(w) + "'" + (hint.empty() ? "; a string is quoted" : hint));
}

/// `{ key = value, ... }` into memberValues. Keys are those of the event before, mostly.
bool Parser::members(unsigned predicted) {
  memberValues.clear();
  sawBraces = peek() == '{';
  if (!sawBraces)
    return true;
  ++p;
  if (accept('}'))
    return true;
  static const std::vector<std::pair<StringId, ValueType>> none;
  const auto &guess = predicted == ~0u ? none : r->shapes[predicted].members;
  const StringTable &strings = r->builder.strings();
  do {
    StringRef text;
    Member m;
    if (!key(text))
      return false;
    size_t i = memberValues.size();
    m.key = i < guess.size() && strings[guess[i].first] == text ? guess[i].first
                                                                : r->builder.intern(text);
    if (!expect('=') || !value(m.value))
      return false;
    memberValues.push_back(m);
  } while (accept(','));
  return accept('}') || failExpected("',' or '}'");
}

/// `[#seq, @part, key = value, ...]`: what the source has beyond the usual.
bool Parser::bracket(std::optional<uint64_t> &seq, unsigned &part) {
  ++p;
  if (accept('#')) {
    uint64_t n;
    if (!natural(n, UINT32_MAX))
      return false;
    seq = n;
    if (accept(']'))
      return true;
    if (!accept(','))
      return failExpected("',' or ']'");
  }
  const char *at = p;
  uint64_t n;
  if (!accept('@'))
    return failExpected("'@' and the number of a layout");
  if (!natural(n, UINT32_MAX))
    return false;
  auto it = r->numberedParts.find(n);
  if (it == r->numberedParts.end())
    return fail(at, "text-layout",
                "no line 'layout @" + llvm::Twine(n) + "' stands above in this rank");
  part = it->second;
  while (accept(',')) {
    StringRef text;
    Member m;
    if (!key(text))
      return false;
    m.key = r->builder.intern(text);
    if (!expect('=') || !value(m.value))
      return false;
    slotValues.push_back(m);
  }
  return accept(']') || failExpected("',' or ']'");
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

bool Parser::partEntry(Part &part) {
  PartEntry e;
  skip();
  const char *at = p;
  uint64_t n;
  if (peek() == '"') {
    e.what = PartEntry::Slot;
    if (!string(e.key.emplace()))
      return false;
    part.entries.push_back(std::move(e));
    return true;
  }
  StringRef w = word();
  auto hasCount = [&] { return isDigit(peek()); };
  if (w == "members" || w == "args") {
    e.what = w == "args" ? PartEntry::Args : PartEntry::Members;
    e.count = PartEntry::kAll;
    if (w == "members" || hasCount()) {
      if (!natural(n, UINT16_MAX))
        return false;
      e.count = static_cast<uint32_t>(n);
    }
  } else {
    llvm::SmallVector<StringRef, 16> known;
    for (unsigned i = static_cast<unsigned>(ValueType::Phase); i != kNumValueTypes; ++i) {
      known.push_back(valueTypeName(ValueType(i)));
      if (w == known.back())
        e.type = ValueType(i);
    }
    known.push_back("members");
    if (w != valueTypeName(e.type))
      return w.empty() ? failExpected("a part of an event")
                       : failUnknown(at, "part of an event", w, known);
    if (e.type == ValueType::Ts || e.type == ValueType::Dur) {
      e.quoted = acceptWord("quoted");
      if (hasCount()) {
        if (!natural(n, 3))
          return false;
        e.scale = static_cast<uint8_t>(n);
      }
    }
  }
  if (e.what != PartEntry::Members && acceptWord("as") && !string(e.key.emplace()))
    return false;
  part.entries.push_back(std::move(e));
  return true;
}

bool Parser::layoutLine() {
  skip();
  const char *at = p;
  uint64_t n;
  StringRef phase;
  Part part;
  if (!expect('@') || !natural(n, UINT32_MAX))
    return false;
  skip();
  const char *phaseAt = p;
  if (!string(phase))
    return false;
  if (phase.size() != 1)
    return fail(phaseAt, "text-layout", "a phase is one character");
  part.phase = phase[0];
  if (acceptWord("cat")) {
    part.cat.emplace();
    if (!string(*part.cat))
      return false;
  }
  if (!expect('('))
    return false;
  if (!accept(')')) {
    do
      if (!partEntry(part))
        return false;
    while (accept(','));
    if (!accept(')'))
      return failExpected("',' or ')'");
  }
  if (!r->numberedParts.try_emplace(n, r->parts.size()).second)
    return fail(at, "text-duplicate", "layout @" + llvm::Twine(n) + " stands twice");
  r->parts.push_back(std::move(part));
  return true;
}

unsigned Parser::usualPart(const PartContext &context, StringId cat) {
  uint64_t key = uint64_t{context.code()} << 32 | static_cast<uint32_t>(cat);
  auto [it, isNew] = r->usualParts.try_emplace(key, r->parts.size());
  if (isNew) {
    std::optional<StringRef> text;
    if (cat != StringId::None)
      text = r->builder.strings()[cat];
    r->parts.push_back(text::usualPart(context, text));
  }
  return it->second;
}

bool Parser::makeLayout(RankState::Shape &shape, const char *at) {
  const Part &part = r->parts[shape.part];
  Layout layout;
  layout.phase = part.phase;
  if (part.cat)
    layout.cat = r->builder.intern(*part.cat);
  size_t counted = 0, slot = 0, member = 0;
  bool rest = false;
  for (const PartEntry &e : part.entries) {
    counted += e.count == PartEntry::kAll ? 0 : e.count;
    rest |= e.count == PartEntry::kAll;
  }
  if (counted > shape.members.size() || (!rest && counted < shape.members.size()))
    return fail(at, "text-layout",
                "the layout has " + llvm::Twine(counted) + " arguments, the line " +
                    llvm::Twine(shape.members.size()));
  for (const PartEntry &e : part.entries) {
    Entry entry{Scope::Event, e.type, 0, e.quoted, StringId::Empty};
    if (e.what == PartEntry::Slot) {
      if (slot == slotValues.size() || r->builder.strings()[slotValues[slot].key] != *e.key)
        return fail(at, "text-layout",
                    "the layout wants a value of '" + shown(*e.key) + "' in the brackets" +
                        (slot == slotValues.size() ? "" : " here"));
      entry.type = shape.slots[slot];
      entry.key = slotValues[slot++].key;
      shape.slotColumns.push_back(static_cast<uint16_t>(layout.entries.size()));
    } else if (e.what != PartEntry::Members) {
      if (e.what == PartEntry::Args)
        entry.type = ValueType::Args;
      if (entry.type == ValueType::Ts || entry.type == ValueType::Dur)
        entry.scale = e.scale;
      entry.key = r->builder.intern(e.key ? StringRef(*e.key) : valueTypeName(entry.type));
    }
    if (e.what != PartEntry::Members)
      layout.entries.push_back(entry);
    size_t count = e.what == PartEntry::Slot || e.what == PartEntry::Derived ? 0
                   : e.count == PartEntry::kAll ? shape.members.size() - counted
                                                : e.count;
    if (e.count == PartEntry::kAll)
      counted = shape.members.size(); // A second one gets nothing.
    for (; count; --count, ++member) {
      shape.memberColumns.push_back(static_cast<uint16_t>(layout.entries.size()));
      layout.entries.push_back(
          {Scope::Args, shape.members[member].second, 0, false, shape.members[member].first});
    }
  }
  if (slot != slotValues.size())
    return fail(at, "text-layout",
                "the layout has no '" + shown(r->builder.strings()[slotValues[slot].key]) + "'");
  std::optional<LayoutId> id = r->builder.layout(layout);
  if (!id || layout.entries.size() > UINT16_MAX)
    return fail(at, "limit-exceeded", "a rank has more than 65535 layouts or keys in one");
  shape.layout = *id;
  return true;
}

/// Finds or makes the shape of the line just read.
bool Parser::shape(unsigned part, const char *at, unsigned predicted, unsigned &out) {
  auto matches = [&](const RankState::Shape &s) {
    if (s.part != part || s.members.size() != memberValues.size() ||
        s.slots.size() != slotValues.size())
      return false;
    for (size_t i = 0; i != memberValues.size(); ++i)
      if (s.members[i].first != memberValues[i].key ||
          s.members[i].second != memberValues[i].value.type)
        return false;
    const std::vector<Entry> &entries = r->builder.store(s.layout).layout.entries;
    for (size_t i = 0; i != slotValues.size(); ++i)
      if (s.slots[i] != slotValues[i].value.type ||
          entries[s.slotColumns[i]].key != slotValues[i].key)
        return false;
    return true;
  };
  if (r->parts[part].hasBraces() != sawBraces)
    return fail(at, "text-layout",
                sawBraces ? "the layout has no args, but the line has braces"
                          : "the layout has args, but the line has no braces");
  if (predicted != ~0u && matches(r->shapes[predicted])) {
    out = predicted;
    return true;
  }
  uint64_t hash = part;
  auto mix = [&](uint64_t word) { hash = (hash ^ word) * 0x9e3779b97f4a7c15u; };
  for (const Member &m : slotValues)
    mix(static_cast<uint64_t>(m.value.type));
  for (const Member &m : memberValues)
    mix(uint64_t{static_cast<uint32_t>(m.key)} << 8 | static_cast<uint64_t>(m.value.type));
  llvm::SmallVector<unsigned, 1> &bucket = r->shapeIndex[hash >> 1];
  for (unsigned i : bucket)
    if (matches(r->shapes[i])) {
      out = i;
      return true;
    }
  RankState::Shape s;
  s.part = part;
  for (const Member &m : slotValues)
    s.slots.push_back(m.value.type);
  for (const Member &m : memberValues)
    s.members.push_back({m.key, m.value.type});
  if (!makeLayout(s, at))
    return false;
  out = static_cast<unsigned>(r->shapes.size());
  bucket.push_back(out);
  r->shapes.push_back(std::move(s));
  return true;
}

uint32_t Parser::appendRow(const RankState::Shape &shape) {
  LayoutStore &store = r->builder.store(shape.layout);
  auto append = [&](const Value &v, uint16_t column) {
    Column &c = store.columns[column];
    switch (v.type) {
    case ValueType::Decimal:
      c.bytes.push_back(v.byte);
      [[fallthrough]];
    case ValueType::Int:
      c.ints.push_back(v.number);
      break;
    case ValueType::Bool:
      c.bytes.push_back(v.byte);
      break;
    case ValueType::Null:
      break;
    default:
      c.strings.push_back(v.text);
    }
  };
  for (size_t i = 0; i != slotValues.size(); ++i)
    append(slotValues[i].value, shape.slotColumns[i]);
  for (size_t i = 0; i != memberValues.size(); ++i)
    append(memberValues[i].value, shape.memberColumns[i]);
  return r->builder.endRow(shape.layout);
}

bool Parser::takeSeq(const char *at, std::optional<uint64_t> given, uint32_t &out) {
  uint64_t n = given ? *given : r->nextSeq;
  r->anySeq |= given.has_value();
  if (n > kMaxSeq)
    return fail(at, "limit-exceeded", "the ordinals of events go beyond " + llvm::Twine(kMaxSeq));
  out = static_cast<uint32_t>(n);
  r->nextSeq = n + 1;
  return true;
}
