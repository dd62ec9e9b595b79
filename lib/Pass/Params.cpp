//===- Params.cpp - Values of pass parameters -----------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "Params.h"
#include "heddle/Support/Nearest.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <stdexcept>

using namespace llvm;

namespace heddle {

static std::vector<StringRef> asRefs(ArrayRef<StringLiteral> literals) {
  return {literals.begin(), literals.end()};
}

static std::string quotedList(ArrayRef<StringLiteral> words) {
  return join(map_range(words, [](StringRef w) { return ("'" + w + "'").str(); }), ", ");
}

std::string describeType(const ParamInfo &info) {
  switch (info.type) {
  case ParamType::Int:
    return "an integer";
  case ParamType::Time:
    return "a time such as 5us or 1.5ms";
  case ParamType::Enum:
    return "one of " + quotedList(info.choices);
  case ParamType::String:
    return "a text";
  case ParamType::List:
    return info.choices.empty() ? "a list such as a+b"
                                : "a list such as a+b of " + quotedList(info.choices);
  }
  llvm_unreachable("every type is described");
}

ParamReading readParam(const ParamInfo &info, StringRef text) {
  ParamReading r;
  if (text.empty() && info.defaultText.empty())
    return r;
  auto refuse = [&](StringRef value, const Twine &more = "") {
    r.problem =
        ("'" + info.key + "' wants " + describeType(info) + ", not '" + value + "'" + more).str();
  };
  switch (info.type) {
  case ParamType::Int:
    if (!to_integer(text, r.number, 10))
      refuse(text);
    break;
  case ParamType::Time:
    if (std::optional<Duration> d = parseDuration(text); d && d->ns >= 0)
      r.number = d->ns;
    else
      refuse(text);
    break;
  case ParamType::Enum:
    if (!is_contained(info.choices, text))
      refuse(text, didYouMean(text, asRefs(info.choices)));
    break;
  case ParamType::String:
    break;
  case ParamType::List: {
    SmallVector<StringRef, 8> parts;
    text.split(parts, '+');
    for (StringRef part : parts) {
      if (part.empty() || (!info.choices.empty() && !is_contained(info.choices, part))) {
        refuse(part, didYouMean(part, asRefs(info.choices)));
        break;
      }
      r.list.push_back(part.str());
    }
    break;
  }
  }
  return r;
}

std::string quoteValue(StringRef text) {
  if (!text.empty() && text.find_first_of(",<>()\"\\ \t\n\r") == StringRef::npos)
    return text.str();
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

//===----------------------------------------------------------------------===//
// ParamValues
//===----------------------------------------------------------------------===//

// What a pass asks for wrongly is a fault of its source: it is thrown, since all calls of a pass
// turn exceptions into errors that name it.
const ParamValues::Value &ParamValues::value(StringRef key) const {
  auto it = find_if(values, [&](const Value &v) { return v.info->key == key; });
  if (it != values.end())
    return *it;
  SmallVector<StringRef> keys;
  for (const Value &v : values)
    keys.push_back(v.info->key);
  throw std::logic_error("it asks for the parameter '" + key.str() +
                         "', which it does not declare" + didYouMean(key, keys));
}

static void expectType(const ParamInfo &info, std::initializer_list<ParamType> types,
                       const char *getter) {
  if (!is_contained(types, info.type))
    throw std::logic_error("it reads the parameter '" + info.key.str() + "' with " + getter +
                           "(), which is not for its type");
}

int64_t ParamValues::getInt(StringRef key) const {
  const Value &v = value(key);
  expectType(*v.info, {ParamType::Int}, "getInt");
  return v.number;
}

Duration ParamValues::getTime(StringRef key) const {
  const Value &v = value(key);
  expectType(*v.info, {ParamType::Time}, "getTime");
  return {v.number};
}

StringRef ParamValues::getString(StringRef key) const {
  const Value &v = value(key);
  expectType(*v.info, {ParamType::String, ParamType::Enum}, "getString");
  return v.text;
}

ArrayRef<std::string> ParamValues::getList(StringRef key) const {
  const Value &v = value(key);
  expectType(*v.info, {ParamType::List}, "getList");
  return v.list;
}

std::string ParamValues::print(bool hideTexts) const {
  std::string out;
  for (const Value &v : values) {
    if (!v.given)
      continue;
    bool isText = v.info->type == ParamType::String ||
                  (v.info->type == ParamType::List && v.info->choices.empty());
    bool hidden = v.info->secret || (hideTexts && isText);
    out += (out.empty() ? "" : ",") + v.info->key.str() + "=" +
           quoteValue(hidden ? StringRef(kHiddenText) : StringRef(v.text));
  }
  return out;
}

} // namespace heddle
