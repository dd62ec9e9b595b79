//===- ChromeArgs.cpp - Arguments that every viewer can read --------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "ChromeArgs.h"
#include "heddle/Support/Json.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ConvertUTF.h"
#include <cmath>

using namespace llvm;

namespace heddle::chrome {

bool isStrictJson(StringRef text) { return parseJsonTree(text).has_value(); }

/// The number at the begin of `rest`; viewers wrap integers beyond 64 bits around, and refuse what
/// is no finite double.
static StringRef takeNumber(StringRef rest, bool &bearable) {
  StringRef token =
      rest.take_while([](char c) { return isAlnum(c) || c == '.' || c == '+' || c == '-'; });
  int64_t integer;
  double real;
  bearable = token.contains_insensitive('e') || token.contains('.')
                 ? !token.getAsDouble(real) && std::isfinite(real)
                 : !token.getAsInteger(10, integer);
  return token;
}

std::string forViewers(StringRef json) {
  std::string text;
  auto unit = [&](size_t i) -> unsigned {
    unsigned v = 0;
    return json.substr(i, 2) == "\\u" && i + 6 <= json.size() &&
                   !json.substr(i + 2, 4).getAsInteger(16, v)
               ? v
               : 0;
  };
  bool inString = false;
  for (size_t i = 0; i != json.size();) {
    if (!inString && (isDigit(json[i]) || json[i] == '-')) {
      bool bearable = false;
      StringRef token = takeNumber(json.drop_front(i), bearable);
      text += bearable ? token.str() : "\"" + token.str() + "\"";
      i += token.size();
      continue;
    }
    if (json[i] != '\\') {
      inString ^= json[i] == '"';
      text += json[i++];
      continue;
    }
    unsigned high = unit(i), low = unit(i + 6);
    if ((high & 0xf800) != 0xd800) {
      text += json.substr(i, 2);
      i += std::min<size_t>(2, json.size() - i);
      continue;
    }
    bool pair = (high & 0xfc00) == 0xd800 && (low & 0xfc00) == 0xdc00;
    unsigned code = pair ? 0x10000 + ((high & 0x3ff) << 10 | (low & 0x3ff)) : 0xfffd;
    char bytes[UNI_MAX_UTF8_BYTES_PER_CODE_POINT], *end = bytes;
    ConvertCodePointToUTF8(code, end);
    text.append(bytes, end);
    i += pair ? 12 : 6;
  }
  return text;
}

void ViewerArgs::nested(StringId id) {
  StringRef text = rank.str(id);
  uint8_t &state = json[static_cast<uint32_t>(id)];
  if (state == 0)
    state = !isStrictJson(text) ? Broken : forViewers(text) == text ? AsIs : Changed;
  if (state == Broken)
    out.string(text);
  else if (state == AsIs)
    out << text;
  else
    out << forViewers(text);
}

/// Members of an event that say how to draw or link it; the rows, flows and lanes of the export
/// stand for them.
static bool isConsumed(StringRef key) {
  static constexpr StringLiteral keys[] = {
      "ph", "cat",     "name", "pid", "tid",   "ts",       "dur", "args", "s",     "bind_id",
      "bp", "flow_in", "sf",   "esf", "stack", "flow_out", "id",  "id2",  "scope", "cname"};
  return is_contained(keys, key);
}

ViewerArgs::Member::Role ViewerArgs::roleOf(StringRef key) {
  if (key.equals_insensitive("external id"))
    return Member::ExternalId;
  return StringSwitch<Member::Role>(key)
      .Case("device", Member::Device)
      .Case("Device Id", Member::MemoryDevice)
      .Case("Device Type", Member::MemoryType)
      .Cases("blocks per SM", "warps per SM", "est. achieved occupancy %", Member::Rate)
      .Cases("Input Dims", "Input dims", "Input type", Member::Inputs)
      .Default(Member::Other);
}

ViewerArgs::Shape &ViewerArgs::shape(LayoutId id) {
  Shape &s = shapes[static_cast<uint16_t>(id)];
  if (s.made)
    return s;
  s.made = true;
  const LayoutStore &store = rank.layout(id);
  const std::vector<Entry> &entries = store.layout.entries;
  DenseMap<uint32_t, size_t> seen; // by key: index into members
  for (Scope scope : {Scope::Args, Scope::Event})
    for (size_t i = 0; i != entries.size(); ++i) {
      const Entry &e = entries[i];
      if (e.scope != scope || (!hasColumn(e.type) && e.type != ValueType::Null))
        continue;
      StringRef key = rank.str(e.key);
      if (scope == Scope::Event && (isConsumed(key) || key.empty()))
        continue;
      // Of a key that stands twice the first that is not null counts.
      auto [it, added] = seen.try_emplace(static_cast<uint32_t>(e.key), s.members.size());
      if (!added && s.members[it->second].type != ValueType::Null)
        continue;
      Member m;
      SmallString<64> text;
      appendJsonString(text, key, BadBytes::Replace);
      text += ": ";
      m.key = text.str().str();
      m.type = e.type;
      m.column = &store.columns[i];
      m.id = e.type == ValueType::Int ? idKind(key) : IdKind::None;
      m.isOwn = key == "correlation" || m.id == IdKind::External;
      m.role = roleOf(key);
      s.device |= key == "device";
      s.stream |= key == "stream";
      s.thread |= key == "thread";
      if (scope == Scope::Args && (e.type == ValueType::Int || e.type == ValueType::Decimal))
        s.numbers.push_back({e.key, m.column});
      if (added)
        s.members.push_back(std::move(m));
      else
        s.members[it->second] = std::move(m);
    }
  return s;
}

ArrayRef<std::string> ViewerArgs::endKeys(LayoutId begin, LayoutId end) {
  auto [it, added] = ends.try_emplace({begin, end});
  if (added) {
    StringSet<> taken;
    for (const Member &m : shape(begin).members)
      taken.insert(m.key);
    for (const Member &m : shape(end).members) {
      std::string key = m.key;
      while (!taken.insert(key).second)
        key.insert(1, "end ");
      it->second.push_back(std::move(key));
    }
  }
  return it->second;
}

void ViewerArgs::value(const Member &m, uint32_t row) {
  switch (m.type) {
  case ValueType::Null:
    out << "null";
    break;
  case ValueType::List:
    nested(m.column->strings[row]);
    break;
  case ValueType::Raw: // numbers beyond 64 bits are text for viewers, who would round them
    out.string(rank.str(m.column->strings[row]));
    break;
  default:
    if (m.id == IdKind::None)
      out.value(*m.column, row);
    else
      out << ids(m.id, m.column->ints[row]);
  }
}

void ViewerArgs::write(LayoutId layout, uint32_t row, const Track &track, const Extra &extra) {
  const Shape &s = shape(layout);
  out << "\"args\": {";
  bool first = true;
  auto key = [&](StringRef text) {
    if (!first)
      out << ", ";
    first = false;
    out << text;
  };
  struct Given {
    Member::Role role;
    StringLiteral key;
    std::optional<int64_t> value;
  };
  Given given[] = {{Member::ExternalId, "\"External id\": ", extra.externalId},
                   {Member::Device, "\"device\": ", extra.device},
                   {Member::MemoryDevice, "\"Device Id\": ", extra.memoryDevice},
                   {Member::MemoryType, "\"Device Type\": ", extra.memoryType}};
  /// Writes what stands in place of a member; a second spelling of it is left out.
  auto replaced = [&](const Member &m) {
    for (Given &g : given)
      if (m.role == g.role && (g.value || g.key.empty())) {
        if (g.value) {
          key(m.key);
          out << *g.value;
        }
        g.value.reset();
        g.key = "";
        return true;
      }
    bool number = m.type == ValueType::Int || m.type == ValueType::Decimal;
    return (m.role == Member::Rate && extra.numbersOnly && !number) ||
           (m.role == Member::Inputs && extra.withoutShapes);
  };
  for (const Member &m : s.members) {
    if (m.role != Member::Other && replaced(m))
      continue;
    if (m.isOwn && m.id == IdKind::Correlation && extra.correlation) {
      if (*extra.correlation) {
        key(m.key);
        out << ids(m.id, *extra.correlation);
      }
      continue;
    }
    if (m.isOwn && m.id != IdKind::None && m.column->ints[row] == 0)
      continue;
    key(m.key);
    value(m, row);
  }
  if (extra.correlation && *extra.correlation &&
      none_of(s.members, [](const Member &m) { return m.isOwn && m.id == IdKind::Correlation; })) {
    key("\"correlation\": ");
    out << ids(IdKind::Correlation, *extra.correlation);
  }
  if (extra.end)
    for (auto [text, m] :
         zip(endKeys(layout, extra.end->layout), shape(extra.end->layout).members)) {
      key(text);
      value(m, extra.end->row);
    }
  bool device = s.device || extra.device;
  for (const Given &g : given)
    if (g.value) {
      key(g.key);
      out << *g.value;
    }
  if (isStream(track.key.family)) {
    if (!device && track.device >= 0) {
      key("\"device\": ");
      out << track.device;
    }
    if (!s.stream && track.stream >= 0) {
      key("\"stream\": ");
      out << track.stream;
    }
  }
  if (extra.moved && isThread(track.key.family) && !s.thread) {
    key("\"thread\": ");
    if (track.key.tid.form == SourceId::Int)
      out << track.key.tid.value;
    else
      out.string(track.key.tid.text);
  }
  if (extra.event)
    for (const auto &[name, column] : track.derived) {
      bool number = !column.ints.empty();
      if (number ? column.ints[*extra.event] == DerivedColumn::kNullInt
                 : column.strings[*extra.event] == StringId::None)
        continue;
      SmallString<64> text;
      appendJsonString(text, name, BadBytes::Replace);
      text += ": ";
      if (any_of(s.members, [&](const Member &m) { return m.key == text; }))
        continue;
      key(text);
      if (number)
        out << column.ints[*extra.event];
      else
        out.string(column.strings[*extra.event]);
    }
  out << "}";
}

} // namespace heddle::chrome
