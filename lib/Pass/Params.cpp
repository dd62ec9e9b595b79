//===- Params.cpp - Values of pass parameters -----------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "Params.h"
#include "heddle/Support/Nearest.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

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

const ParamValues::Value &ParamValues::value(StringRef key) const {
  auto it = find_if(values, [&](const Value &v) { return v.info->key == key; });
  assert(it != values.end() && "the pass does not declare this parameter");
  return *it;
}

int64_t ParamValues::getInt(StringRef key) const {
  const Value &v = value(key);
  assert(v.info->type == ParamType::Int && "the parameter is no integer");
  return v.number;
}

Duration ParamValues::getTime(StringRef key) const {
  const Value &v = value(key);
  assert(v.info->type == ParamType::Time && "the parameter is no time");
  return {v.number};
}

StringRef ParamValues::getString(StringRef key) const {
  const Value &v = value(key);
  assert((v.info->type == ParamType::String || v.info->type == ParamType::Enum) &&
         "the parameter is no text");
  return v.text;
}

ArrayRef<std::string> ParamValues::getList(StringRef key) const {
  const Value &v = value(key);
  assert(v.info->type == ParamType::List && "the parameter is no list");
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
