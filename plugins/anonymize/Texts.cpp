//===- Texts.cpp - Texts without what is not public -----------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Texts.h"
#include "heddle/Analysis/Steps.h"
#include "heddle/Support/Json.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"

using namespace heddle;
using namespace heddle::anonymize;
using llvm::StringRef;

/// Letters, digits, _ and every byte of a character beyond ASCII.
static bool isWordByte(char c) {
  return llvm::isAlnum(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

/// A JSON number, or what recorders write for one: "9216", "-0.5", "1e-05", "0x7f10".
static bool isNumber(StringRef text) {
  text.consume_front("-");
  if (text.consume_front("0x") || text.consume_front("0X"))
    return !text.empty() && text.size() <= 16 && llvm::all_of(text, llvm::isHexDigit);
  StringRef whole = text.take_while(llvm::isDigit);
  text = text.drop_front(whole.size());
  if (whole.empty())
    return false;
  if (text.consume_front("."))
    text = text.drop_while(llvm::isDigit);
  if (text.consume_front("e") || text.consume_front("E")) {
    if (!text.consume_front("-"))
      text.consume_front("+");
    if (text.empty())
      return false;
    text = text.drop_while(llvm::isDigit);
  }
  return text.empty();
}

/// The length of "10.0.3.17", or of "10-0-3-17" as clouds name hosts, at `pos`; 0 if there is no
/// address. Hyphens also stand between the parts of dates, of which there are more or fewer.
static size_t addressLength(StringRef text, size_t pos) {
  StringRef before = text.take_front(pos), rest = text.drop_front(pos);
  if (!before.empty() && isWordByte(before.back()))
    return 0;
  auto partLength = [](StringRef t) { return t.take_while(llvm::isDigit).size(); };
  char separator = rest.size() > partLength(rest) ? rest[partLength(rest)] : '\0';
  if (separator != '.' && separator != '-')
    return 0;
  if (separator == '-' && before.consume_back("-") && !before.empty() &&
      llvm::isDigit(before.back()))
    return 0;
  for (unsigned part = 0; part != 4; ++part) {
    size_t digits = partLength(rest);
    if (digits < 1 || digits > 3)
      return 0;
    rest = rest.drop_front(digits);
    if (part != 3 && !rest.consume_front(StringRef(&separator, 1)))
      return 0;
  }
  if (separator == '-' && rest.size() > 1 && rest[0] == '-' && llvm::isDigit(rest[1]))
    return 0;
  return text.size() - pos - rest.size();
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

/// Those that a text holds, by index.
static std::vector<size_t> findMarkers(StringRef text, Where scope) {
  std::vector<size_t> found;
  std::string lower = text.lower();
  for (auto [i, m] : llvm::enumerate(markers(scope)))
    if (m.exact ? text.contains(m.text) : StringRef(lower).contains(m.text))
      found.push_back(i);
  return found;
}

/// `stem` and what passes look for in `original`. No other marker may come about where two meet.
static std::string withMarkers(std::string stem, StringRef original, Where scope) {
  llvm::ArrayRef<Marker> all = markers(scope);
  std::vector<size_t> found = findMarkers(original, scope);
  for (size_t i : found)
    // One inside of another comes with it.
    if (llvm::none_of(found, [&](size_t other) {
          return other != i && all[other].text.size() > all[i].text.size() &&
                 (all[i].exact
                      ? all[other].text.contains(all[i].text)
                      : StringRef(StringRef(all[other].text).lower()).contains(all[i].text));
        }))
      stem += ("__" + all[i].text).str();
  return stem;
}

std::string Texts::word(StringRef identifier, Where scope) const {
  StringRef head, rest = identifier;
  if (scope == Where::Api) {
    head = identifier.take_front(isKnown.publicPrefixOfCall(identifier));
    rest = identifier.drop_front(head.size());
  }
  // `_word` and `word` are one.
  StringRef core = rest.trim('_'), before = rest.take_until([](char c) { return c != '_'; });
  if (core.empty())
    return identifier.str();
  StringRef after = rest.drop_front(before.size() + core.size());
  std::string out;
  for (unsigned attempt = 0; attempt != 8; ++attempt) {
    out = withMarkers((head + before + pseudonyms.of(core, attempt)).str(), rest, scope) +
          after.str();
    // The digits of a pseudonym may spell a word that passes look for.
    if (markers(scope).empty() || findMarkers(out, scope) == findMarkers(identifier, scope))
      break;
  }
  return out;
}

std::string Texts::words(StringRef text, Where scope) const {
  static constexpr llvm::StringLiteral anonymous = "(anonymous namespace)::";
  std::string out;
  bool inside = false; // behind a public namespace and its ::
  const StringRef whole = text;
  while (!text.empty()) {
    if (size_t n = addressLength(whole, whole.size() - text.size())) {
      out += pseudonyms.of(text.take_front(n));
      text = text.drop_front(n);
      continue;
    }
    StringRef id = text.take_while(isWordByte);
    if (id.empty()) {
      inside = false;
      out += text.front();
      text = text.drop_front();
      continue;
    }
    text = text.drop_front(id.size());
    bool ascii = llvm::all_of(id, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    inside |= text.starts_with("::") && isKnown.isNamespace(id);
    if (ascii && (inside || isNumber(id) || isKnown.isPublic(id, scope)))
      out += id;
    else
      out += word(id, scope);
    if (!text.consume_front("::")) {
      inside = false;
      continue;
    }
    out += "::";
    if (text.consume_front(anonymous))
      out += anonymous;
  }
  return out;
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// Annotations that mark steps stay marks of the same list's entry.
static std::optional<std::string> stepMark(StringRef text,
                                           llvm::function_ref<std::string(StringRef)> words) {
  if (profilerStepNumber(text))
    return text.str();
  if (!isStepMarkName(text))
    return std::nullopt;
  if (text.consume_front("execute_context_"))
    return "execute_context_" + words(text);
  if (text.consume_front("execute_")) {
    auto [middle, rest] = text.split("_context_");
    return "execute_" + words(middle) + "_context_" + words(rest);
  }
  return std::nullopt; // "step[*": the word is public
}

std::string Texts::eventName(EventKind kind, StringRef text) const {
  switch (kind) {
  case EventKind::Runtime:
  case EventKind::Driver:
    return words(text, Where::Api);
  case EventKind::Kernel:
  case EventKind::Memcpy:
  case EventKind::Memset:
  case EventKind::Sync:
  case EventKind::DeviceEvent:
  case EventKind::Overhead:
    return words(text, Where::Kernel);
  case EventKind::Python:
    return frame(text);
  case EventKind::Annotation:
  case EventKind::Comm:
  case EventKind::CpuOp: {
    Where scope = kind == EventKind::CpuOp ? Where::Op : Where::Note;
    auto in = [&](StringRef t) { return words(t, scope); };
    if (std::optional<std::string> mark = stepMark(text, in))
      return *mark;
    return in(text);
  }
  default:
    return words(text, Where::Base);
  }
}

std::string Texts::key(StringRef text) const {
  return isKnown.isKey(text) ? text.str() : words(text, Where::Base);
}

std::string Texts::category(StringRef text) const {
  std::string out;
  for (bool first = true; first || !text.empty(); first = false) {
    auto [one, rest] = text.split(',');
    out += isKnown.isCategory(one.lower()) ? one.str() : words(one, Where::Base);
    if (rest.empty() && one.size() == text.size())
      break;
    out += ',';
    text = rest;
  }
  return out;
}

std::string Texts::value(StringRef key, StringRef parent, StringRef text, unsigned depth) const {
  if (isNumber(text))
    return text.str();
  StringRef trimmed = text.ltrim();
  if (trimmed.starts_with("{") || trimmed.starts_with("["))
    if (std::optional<std::string> inner = json(text, false, key, depth + 1))
      return *inner;
  static constexpr llvm::StringLiteral technical[] = {
      "Input type",      "Input Type",     "Output type",    "Output Type", "dtype",
      "Collective name", "cuda_sync_kind", "Task Type",      "task type",   "transport type",
      "link type",       "data type",      "kernel_backend", "Device Type", "kernel_name",
      "Kernel",          "Memory Type"};
  if (llvm::is_contained(technical, key))
    return words(text, Where::Kernel);
  if (key == "Call stack" || key == "CallFrom" || key == "kernel_file")
    return frames(text);
  if (key == "name" && parent == "deviceProperties")
    return words(text, Where::Device);
  if (key == "traceName")
    return words(text, Where::Path);
  if (key == "cat")
    return category(text);
  return words(text, Where::Base);
}

static std::string quoted(StringRef text) {
  llvm::SmallString<64> out;
  appendJsonString(out, text, BadBytes::Keep);
  return out.str().str();
}

std::string Texts::at(const TextPlace &place, StringRef text) const {
  if (text.empty())
    return "";
  switch (place.role) {
  case TextRole::EventName:
    return eventName(place.kind, text);
  case TextRole::Category:
    return category(text);
  case TextRole::Key:
  case TextRole::DocumentKey:
    return key(text);
  case TextRole::Value:
    return value(place.key, "", text, 0);
  case TextRole::Nested:
  case TextRole::DocumentValue:
    if (std::optional<std::string> out = json(text, false, place.key, 0))
      return *out;
    return place.role == TextRole::Nested ? "[" + quoted(pseudonyms.of(text)) + "]"
                                          : quoted(pseudonyms.of(text));
  case TextRole::RawToken:
  case TextRole::RawId:
    if (std::optional<std::string> out = json(text, false, place.key, 0))
      return *out;
    return quoted(pseudonyms.of(text));
  case TextRole::WholeEvent:
    if (std::optional<std::string> out = json(text, true, "", 0))
      return *out;
    return "{\"name\": " + quoted(pseudonyms.of(text)) + "}";
  case TextRole::Path:
    return text == "-" || text == "<stdin>" ? text.str() : words(text, Where::Path);
  case TextRole::DeviceName:
    return words(text, Where::Device);
  case TextRole::Format: {
    static constexpr llvm::StringLiteral parts[] = {
        "kineto",    "chrome",   "heddle-text", "PyTorch",  "(Kineto)", "VizTracer",
        "torch_npu", "(Ascend)", "(autograd",   "profiler", "without",  "Kineto)",
        "nightly",   "of",       "March",       "spring",   "or",       "later"};
    std::string out;
    while (!text.empty()) {
      auto [part, rest] = text.split(' ');
      out += llvm::is_contained(parts, part) ? part.str() : words(part, Where::Base);
      if (part.size() != text.size())
        out += ' ';
      text = rest;
    }
    return out;
  }
  case TextRole::CountName:
    return isKnown.isCount(text) ? text.str() : words(text, Where::Base);
  case TextRole::FlowName:
  case TextRole::TrackName:
  case TextRole::Id:
  case TextRole::Host:
  case TextRole::Backend:
    break;
  }
  return words(text, Where::Base);
}
