//===- JsonTexts.cpp - JSON without what is not public --------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//
// Walks over the tokens of a JSON text without recursion. Strings and keys are decoded, so that no
// escape hides a word, rewritten, and spelled anew; everything else stays as spelled. A text with
// anything else in it is refused: it is then replaced as a whole.
//===----------------------------------------------------------------------===//
#include "Texts.h"
#include "heddle/Support/Json.h"
#include "heddle/Support/Utf8.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"

using namespace heddle;
using namespace heddle::anonymize;
using llvm::StringRef;

/// JSON texts in strings in JSON texts ...: deeper ones are replaced word by word.
static constexpr unsigned kMaxDepth = 8;

/// "\u0061" at the begin of `text`, taken off; nullopt if it is something else.
static std::optional<unsigned> consumeEscape(StringRef &text) {
  unsigned code;
  if (!text.starts_with("\\u") || text.size() < 6 ||
      !llvm::all_of(text.slice(2, 6), llvm::isHexDigit) || text.slice(2, 6).getAsInteger(16, code))
    return std::nullopt;
  text = text.drop_front(6);
  return code;
}

/// Takes a string with its quotes off `text` and decodes it. False if there is none.
static bool consumeString(StringRef &text, llvm::SmallVectorImpl<char> &out) {
  out.clear();
  text = text.drop_front();
  while (!text.empty()) {
    char c = text.front();
    if (c == '"') {
      text = text.drop_front();
      return true;
    }
    if (c != '\\') {
      out.push_back(c);
      text = text.drop_front();
      continue;
    }
    if (std::optional<unsigned> code = consumeEscape(text)) {
      StringRef rest = text;
      if (*code >= 0xd800 && *code < 0xdc00)
        if (std::optional<unsigned> low = consumeEscape(rest);
            low && *low >= 0xdc00 && *low < 0xe000) {
          appendUtf8(out, 0x10000 + ((*code - 0xd800) << 10) + (*low - 0xdc00));
          text = rest;
          continue;
        }
      appendUtf8(out, *code);
      continue;
    }
    static constexpr llvm::StringLiteral letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
    size_t i = text.size() > 1 ? letters.find(text[1]) : StringRef::npos;
    if (i == StringRef::npos)
      return false;
    out.push_back(meanings[i]);
    text = text.drop_front(2);
  }
  return false;
}

/// A number or one of JSON's words, also as lenient writers spell them.
static bool isPlainToken(StringRef token) {
  static constexpr llvm::StringLiteral known[] = {"true", "false",    "null", "NaN",
                                                  "nan",  "Infinity", "inf",  "None"};
  if (llvm::is_contained(known, token))
    return true;
  token.consume_front("-");
  if (token == "Infinity" || token == "inf" || token == "nan" || token == "NaN")
    return true;
  bool digit = false;
  for (char c : token) {
    digit |= llvm::isDigit(c);
    if (!llvm::isDigit(c) && !StringRef("+-.eE").contains(c))
      return false;
  }
  return digit && !token.contains("ee") && llvm::isDigit(token.front());
}

std::optional<std::string> Texts::json(StringRef text, bool isEvent, StringRef key,
                                       unsigned depth) const {
  if (depth > kMaxDepth)
    return std::nullopt;
  struct Level {
    bool isObject;
    std::string key; ///< Of the member that is being read.
  };
  std::vector<Level> levels;
  std::vector<size_t> objects; // those levels that are some
  llvm::SmallString<256> out;
  llvm::SmallString<64> string;
  bool any = false;
  while (!text.empty()) {
    char c = text.front();
    if (c == '"') {
      if (!consumeString(text, string))
        return std::nullopt;
      any = true;
      if (!levels.empty() && levels.back().isObject && text.ltrim().starts_with(":")) {
        levels.back().key = string.str().str();
        appendJsonString(out, this->key(string), BadBytes::Keep);
        continue;
      }
      // A list's elements belong to the list's key.
      StringRef own = key, parent = key;
      if (!objects.empty())
        own = levels[objects.back()].key;
      if (objects.size() > 1)
        parent = levels[objects[objects.size() - 2]].key;
      bool isName = isEvent && levels.size() == 1 && own == "name";
      appendJsonString(out,
                       isName ? eventName(EventKind::Annotation, string)
                              : value(own, parent, string, depth),
                       BadBytes::Keep);
      continue;
    }
    if (llvm::isSpace(c) || c == ',' || c == ':') {
      out += c;
    } else if (c == '{' || c == '[') {
      if (c == '{')
        objects.push_back(levels.size());
      levels.push_back({c == '{', ""});
      out += c;
      any = true;
    } else if (c == '}' || c == ']') {
      if (levels.empty() || levels.back().isObject != (c == '}'))
        return std::nullopt;
      if (levels.back().isObject)
        objects.pop_back();
      levels.pop_back();
      out += c;
    } else {
      StringRef token = text.take_while(
          [](char t) { return llvm::isAlnum(t) || t == '+' || t == '-' || t == '.'; });
      if (token.empty() || !isPlainToken(token))
        return std::nullopt;
      out += token;
      text = text.drop_front(token.size());
      any = true;
      continue;
    }
    text = text.drop_front();
  }
  if (!levels.empty() || !any)
    return std::nullopt;
  return out.str().str();
}
