//===- LexerNested.cpp - Lenient JSON: nested values and events -----------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Lexer.h"
#include "heddle/Support/Json.h"

using namespace llvm;

namespace heddle::chrome {

Scan Lexer::key(const char *&p, StringRef &text) {
  if (*p != '"')
    return p == end ? atEnd() : Scan::Bad;
  ++p;
  if (Scan s = string(p, Where::Key, text); s != Scan::Ok)
    return s;
  if (Scan s = space(p); s != Scan::Ok)
    return s;
  if (*p != ':')
    return Scan::Bad;
  ++p;
  return space(p);
}

StringRef Lexer::canonical(const Token &t) {
  if (t.type == ValueType::List)
    return t.text;
  if (t.type == ValueType::Null)
    return "null";
  if (t.type != ValueType::String || t.plain)
    return t.raw;
  SmallString<256> out;
  appendJsonString(out, t.text, BadBytes::Keep);
  return keep(out);
}

/// Copies as it scans: brackets, keys and values as they stand, with ", " and ": " between.
Scan Lexer::nested(const char *&p, StringRef &canonical) {
  const char *start = p;
  SmallString<256> out;
  out.swap(nestedText);
  out.clear();
  brackets.clear();
  auto finish = [&](Scan s) {
    nestedText.swap(out);
    return s;
  };
  bool comma = false, value = false; // read since the last value; a value precedes
  do {
    if (Scan s = space(p); s != Scan::Ok)
      return finish(s);
    if (*p == ',') {
      if (comma || !value)
        found.push_back(Repair::StrayComma);
      comma = true;
      ++p;
      continue;
    }
    bool inObject = !brackets.empty() && brackets.back();
    if (*p == ']' || *p == '}') {
      if (brackets.empty() || inObject != (*p == '}'))
        return finish(Scan::Bad);
      if (comma && value)
        found.push_back(Repair::StrayComma);
      out.push_back(*p++);
      brackets.pop_back();
      comma = false;
      value = true;
      continue;
    }
    if (value) {
      if (!comma)
        found.push_back(Repair::MissingComma);
      out += ", ";
    }
    comma = false;
    if (inObject) {
      const char *at = p;
      StringRef name;
      size_t mends = found.size();
      if (Scan s = key(p, name); s != Scan::Ok)
        return finish(s);
      if (found.size() != mends) {
        appendJsonString(out, name, BadBytes::Keep);
      } else { // as it is spelled, up to its closing quote
        out += StringRef(at, static_cast<size_t>(p - at)).rsplit('"').first;
        out.push_back('"');
      }
      out += ": ";
    }
    if (*p == '[' || *p == '{') {
      if (brackets.size() >= limits.maxNesting) {
        tooDeep = true;
        return finish(Scan::Bad);
      }
      brackets.push_back(*p == '{');
      out.push_back(*p++);
      value = false;
      continue;
    }
    Token t;
    size_t mends = found.size();
    if (Scan s = this->value(p, inObject ? Where::Member : Where::Element, t); s != Scan::Ok)
      return finish(s);
    if (t.type == ValueType::String && found.size() != mends)
      appendJsonString(out, t.text, BadBytes::Keep);
    else
      out += t.type == ValueType::Null ? StringRef("null") : t.raw;
    value = true;
  } while (!brackets.empty());
  StringRef raw(start, static_cast<size_t>(p - start));
  canonical = out == raw ? raw : keep(out);
  return finish(Scan::Ok);
}

/// An object of at most two levels here, the event and its args; deeper values are lists.
Scan Lexer::event(const char *&p, EventText &out) {
  const char *start = p;
  out.tokens.clear();
  size_t args = 0; // index of the open args object
  bool inArgs = false, comma = false, value = false;
  ++p;
  for (;;) {
    if (Scan s = space(p); s != Scan::Ok)
      return s;
    if (*p == ',') {
      if (comma || !value)
        found.push_back(Repair::StrayComma);
      comma = true;
      ++p;
      continue;
    }
    if (*p == '}') {
      if (comma && value)
        found.push_back(Repair::StrayComma);
      ++p;
      if (!inArgs)
        break;
      Token &object = out.tokens[args];
      object.raw = StringRef(object.raw.data(), static_cast<size_t>(p - object.raw.data()));
      inArgs = false;
      comma = false;
      value = true;
      continue;
    }
    if (value && !comma)
      found.push_back(Repair::MissingComma);
    comma = false;
    Token t;
    t.scope = inArgs ? Scope::Args : Scope::Event;
    if (Scan s = key(p, t.key); s != Scan::Ok)
      return s;
    if (!inArgs && *p == '{' && t.key == "args") {
      t.type = ValueType::Args;
      t.raw = StringRef(p, 1);
      args = out.tokens.size();
      out.tokens.push_back(t);
      inArgs = true;
      value = false;
      ++p;
      continue;
    }
    if (Scan s = this->value(p, Where::Member, t); s != Scan::Ok)
      return s;
    out.tokens.push_back(t);
    value = true;
  }
  out.raw = StringRef(start, static_cast<size_t>(p - start));
  out.learnable = found.empty();
  return Scan::Ok;
}

} // namespace heddle::chrome
