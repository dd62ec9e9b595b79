//===- JsonView.cpp - Looks into small JSON texts -------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "JsonView.h"
#include "heddle/Support/Decimal.h"

using namespace llvm;

namespace heddle::chrome {

/// Cuts the value at the front off; it ends at a comma, colon or bracket of its own level.
static StringRef takeValue(StringRef &rest) {
  size_t depth = 0, i = 0;
  for (; i < rest.size(); ++i) {
    char c = rest[i];
    if (c == '"') {
      for (++i; i < rest.size() && rest[i] != '"'; ++i)
        if (rest[i] == '\\')
          ++i;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if (c == ']' || c == '}') {
      if (depth == 0)
        break;
      --depth;
    } else if (depth == 0 && (c == ',' || c == ':')) {
      break;
    }
  }
  StringRef value = rest.take_front(i).trim();
  rest = rest.drop_front(std::min(i, rest.size()));
  return value;
}

void forEachElement(StringRef list, function_ref<void(StringRef)> f) {
  list = list.trim();
  if (!list.consume_front("[") || list.ltrim().starts_with("]"))
    return;
  do
    f(takeValue(list));
  while (list.consume_front(","));
}

void forEachMember(StringRef object, function_ref<void(StringRef, StringRef)> f) {
  object = object.trim();
  if (!object.consume_front("{") || object.ltrim().starts_with("}"))
    return;
  do {
    StringRef key = takeValue(object);
    if (!object.consume_front(":"))
      return;
    StringRef value = takeValue(object);
    f(text(key), value);
  } while (object.consume_front(","));
}

StringRef member(StringRef object, StringRef key) {
  StringRef found;
  forEachMember(object, [&](StringRef k, StringRef v) {
    if (k == key)
      found = v;
  });
  return found;
}

std::optional<int64_t> integer(StringRef value) {
  std::string inner = text(value);
  auto d = parseDecimal(inner.empty() ? value : StringRef(inner).trim());
  if (!d)
    return std::nullopt;
  auto n = d->toScaled(0);
  if (!n || static_cast<double>(*n) != d->toDouble())
    return std::nullopt;
  return n;
}

std::string text(StringRef value) {
  if (value.size() < 2 || !value.starts_with("\"") || !value.ends_with("\""))
    return "";
  std::string out;
  value = value.drop_front().drop_back();
  for (size_t i = 0; i < value.size(); ++i) {
    unsigned code = 0;
    if (value[i] == '\\' && value.substr(i + 1).starts_with("u00") && i + 6 <= value.size() &&
        !value.substr(i + 4, 2).getAsInteger(16, code) && code < 0x80) {
      out.push_back(static_cast<char>(code)); // as control characters are spelled
      i += 5;
    } else if (value[i] == '\\' && i + 1 < value.size()) {
      static constexpr StringLiteral from = "bfnrt", to = "\b\f\n\r\t";
      size_t at = from.find(value[++i]);
      out.push_back(at == StringRef::npos ? value[i] : to[at]);
    } else {
      out.push_back(value[i]);
    }
  }
  return out;
}

} // namespace heddle::chrome
