//===- JsonText.cpp - Nested values in canonical spacing ------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "JsonText.h"
#include "Escape.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace heddle;
using namespace heddle::text;

namespace {
class JsonScanner {
public:
  JsonScanner(llvm::StringRef text, unsigned maxNesting, llvm::SmallVectorImpl<char> &out,
              JsonFault &fault)
      : p(text.begin()), end(text.end()), maxNesting(maxNesting), out(out), fault(fault) {}

  const char *run() {
    bool done = false;
    while (!done) {
      skipSpace();
      if (p == end)
        return fail("a value");
      if (*p == '[' || *p == '{') {
        bool object = *p == '{';
        if (isObject.size() >= maxNesting) {
          fault.tooDeep = true;
          return fail("less nesting");
        }
        take();
        skipSpace();
        if (p != end && *p == (object ? '}' : ']')) {
          take();
        } else {
          isObject.push_back(object);
          if (object && !key())
            return nullptr;
          continue;
        }
      } else if (!(*p == '"' ? string() : scalar())) {
        return nullptr;
      }
      // A value ended: close what it closes, or go on behind a comma.
      for (;;) {
        if (isObject.empty()) {
          done = true;
          break;
        }
        bool object = isObject.back();
        skipSpace();
        if (p != end && *p == ',') {
          take();
          out.push_back(' ');
          skipSpace();
          if (object && !key())
            return nullptr;
          break;
        }
        if (p == end || *p != (object ? '}' : ']'))
          return fail(object ? "',' or '}'" : "',' or ']'");
        take();
        isObject.pop_back();
      }
    }
    return p;
  }

private:
  const char *fail(const char *wanted) {
    fault.at = p;
    fault.wanted = wanted;
    return nullptr;
  }
  void skipSpace() {
    while (p != end && (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r'))
      ++p;
  }
  void take() { out.push_back(*p++); }

  bool key() {
    if (p == end || *p != '"')
      return fail("a quoted key");
    if (!string())
      return false;
    skipSpace();
    if (p == end || *p != ':')
      return fail("':'");
    take();
    out.push_back(' ');
    return true;
  }

  bool string() {
    const char *start = p++;
    while (p != end && *p != '"') {
      if (static_cast<unsigned char>(*p) < 0x20)
        return fail("a string without raw control characters");
      if (*p++ != '\\')
        continue;
      if (p == end || !llvm::StringRef("\"\\/bfnrtu").contains(*p))
        return fail("an escape of JSON");
      if (*p++ == 'u')
        for (unsigned i = 0; i != 4; ++i, ++p)
          if (p == end || !llvm::isHexDigit(*p))
            return fail("four hexadecimal digits");
    }
    if (p == end)
      return fail("'\"'");
    out.append(start, ++p);
    return true;
  }

  bool digits() {
    if (p == end || !isDigit(*p))
      return fail("a digit");
    while (p != end && isDigit(*p))
      ++p;
    return true;
  }

  bool scalar() {
    const char *start = p;
    for (llvm::StringRef word : {"true", "false", "null"})
      if (llvm::StringRef(p, end - p).starts_with(word)) {
        p += word.size();
        if (p != end && isWordChar(*p)) {
          p = start;
          return fail("a value");
        }
        out.append(start, p);
        return true;
      }
    if (*p == '-')
      ++p;
    if (p == end || !isDigit(*p)) {
      p = start;
      return fail("a value");
    }
    if (*p == '0')
      ++p;
    else
      digits();
    if (p != end && *p == '.') {
      ++p;
      if (!digits())
        return false;
    }
    if (p != end && (*p == 'e' || *p == 'E')) {
      ++p;
      if (p != end && (*p == '+' || *p == '-'))
        ++p;
      if (!digits())
        return false;
    }
    out.append(start, p);
    return true;
  }

  const char *p, *end;
  unsigned maxNesting;
  llvm::SmallVectorImpl<char> &out;
  JsonFault &fault;
  llvm::BitVector isObject; ///< What is open, outermost first.
};
} // namespace

const char *text::scanJson(llvm::StringRef text, unsigned maxNesting,
                           llvm::SmallVectorImpl<char> &out, JsonFault &fault) {
  return JsonScanner(text, maxNesting, out, fault).run();
}

JsonForm text::jsonForm(llvm::StringRef text) {
  if (text.empty() || (text[0] != '[' && text[0] != '{') || !isPrintable(text))
    return JsonForm::Quoted;
  llvm::SmallString<256> canonical;
  JsonFault fault;
  if (scanJson(text, ~0u, canonical, fault) != text.end() || canonical != text)
    return JsonForm::Quoted;
  return text.contains("[[") ? JsonForm::Spaced : JsonForm::AsIs;
}

void text::appendSpaced(llvm::SmallVectorImpl<char> &out, llvm::StringRef text) {
  bool inString = false;
  for (const char *p = text.begin(); p != text.end(); ++p) {
    out.push_back(*p);
    if (*p == '"')
      inString = !inString;
    else if (inString && *p == '\\')
      out.push_back(*++p);
    else if (!inString && *p == '[' && p[1] == '[')
      out.push_back(' ');
  }
}
