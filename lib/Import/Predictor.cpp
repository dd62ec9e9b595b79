//===- Predictor.cpp - Reads events as earlier ones were spelled ----------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Predictor.h"
#include "heddle/Support/Time.h"

using namespace llvm;

namespace heddle::chrome {

/// Both sides can be read up to 15 bytes beyond n.
static inline bool equalBytes(const char *a, const char *b, uint32_t n) {
#if defined(__SSE2__)
  for (;; a += 16, b += 16, n -= 16) {
    __m128i x = _mm_loadu_si128(reinterpret_cast<const __m128i *>(a));
    __m128i y = _mm_loadu_si128(reinterpret_cast<const __m128i *>(b));
    unsigned same = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(x, y)));
    if (n <= 16)
      return (same | ~0u << n) == ~0u;
    if (same != 0xffff)
      return false;
  }
#else
  return std::memcmp(a, b, n) == 0;
#endif
}

void Predictor::learn(StringRef event, ArrayRef<Token> values, Plan *plan) {
  uint32_t node = 0;
  const char *from = event.begin();
  uint8_t code = 0;
  for (size_t i = 0; i <= values.size(); ++i) {
    bool leaf = i == values.size();
    StringRef text(from, static_cast<size_t>((leaf ? event.end() : values[i].raw.begin()) - from));
    bool isTime = !leaf && (plan->targets[i].use == Use::Ts || plan->targets[i].use == Use::Dur);
    uint32_t to = UINT32_MAX;
    for (const Edge &e : nodes[node].edges) {
      StringRef other(e.text, e.size);
      if (e.code != code)
        continue;
      if (other == text && !(e.to & kLeaf) == !leaf)
        to = e.to;
      else if (other.starts_with(text) || text.starts_with(other))
        return; // which of the two is meant would hang on their order
    }
    if (to == UINT32_MAX) {
      if (nodes.size() >= kMaxNodes || nodes[node].edges.size() >= kMaxEdges ||
          texts.getTotalMemory() > kMaxText)
        return;
      char *copy = texts.Allocate<char>(text.size() + 16);
      std::memcpy(copy, text.data(), text.size());
      std::memset(copy + text.size(), 0, 16);
      if (leaf) {
        to = kLeaf | static_cast<uint32_t>(plans.size());
        plans.push_back(plan);
      } else {
        to = static_cast<uint32_t>(nodes.size());
        nodes.emplace_back();
        nodes.back().isTime = isTime;
      }
      nodes[node].edges.push_back({copy, static_cast<uint32_t>(text.size()), to, code});
    }
    if (leaf)
      return;
    node = to;
    if (nodes[node].isTime != isTime)
      return;
    code = codeOf(values[i].type, isTime, values[i].scale);
    from = values[i].raw.end();
  }
}

/// The end of a list or object that starts at p, if its strings are strict; else null.
static const char *skipNested(const char *p, const char *end) {
  unsigned depth = 0;
  for (;; ++p) {
    char c = *p;
    if (c == '[' || c == '{') {
      ++depth;
    } else if (c == ']' || c == '}') {
      if (--depth == 0)
        return p + 1;
    } else if (c == '"') {
      for (p = findSpecial(p + 1); *p != '"'; p = findSpecial(p + 1)) {
        if (*p == '\\')
          ++p;
        else if (static_cast<signed char>(*p) >= 0)
          return nullptr;
      }
    } else if (p == end) {
      return nullptr;
    }
  }
}

bool Predictor::read(const char *&p, const char *end, bool isTime, Value &v) {
  static constexpr int64_t unit[] = {1000, 100, 10, 1};
  const char *q = p;
  switch (*q) {
  case '"': {
    if (isTime)
      return false;
    const char *start = ++q;
    q = findSpecial(q);
    v.type = ValueType::String;
    v.id = StringId::None;
    if (*q != '"') {
      while (*q != '"') {
        if (*q == '\\')
          ++q;
        else if (static_cast<signed char>(*q) >= 0)
          return false;
        q = findSpecial(q + 1);
      }
      if (q >= end)
        return false;
      v.text = StringRef(start, static_cast<size_t>(q - start));
      v.id = cache.find(v.text, false);
      if (v.id == StringId::None)
        return false;
    }
    v.text = StringRef(start, static_cast<size_t>(q - start));
    if (!lexer.fits(v.text.size()))
      return false;
    p = q + 1;
    return true;
  }
  case '[':
  case '{': {
    q = skipNested(p, end);
    if (!q || isTime)
      return false;
    v.type = ValueType::List;
    v.text = StringRef(p, static_cast<size_t>(q - p));
    v.id = cache.find(v.text, true);
    if (v.id == StringId::None) {
      const char *again = p;
      if (lexer.nested(again, v.text) != Scan::Ok || again != q || !lexer.found.empty())
        return false;
    }
    p = q;
    return true;
  }
  case 't':
  case 'f':
  case 'n': {
    StringRef word = *q == 't' ? "true" : *q == 'f' ? "false" : "null";
    if (isTime || !StringRef(q, word.size()).starts_with(word))
      return false;
    v.type = *q == 'n' ? ValueType::Null : ValueType::Bool;
    v.number = *q == 't';
    p = q + word.size();
    return true;
  }
  default:
    if (!parseNumber(q, v.number, v.scale))
      return false;
    if (isTime && (v.scale > 3 || v.number < 0 || v.number > kMaxAbsTimeNs / 2 / unit[v.scale]))
      return false;
    v.type = v.scale ? ValueType::Decimal : ValueType::Int;
    p = q;
    return true;
  }
}

Plan *Predictor::match(const char *&p, const char *end, SmallVectorImpl<Value> &values) {
  const char *q = p;
  uint32_t node = 0;
  uint8_t code = 0;
  size_t n = 0;
  lexer.reset(); // lists that are seen for the first time are kept in its memory
  for (;;) {
    SmallVectorImpl<Edge> &edges = nodes[node].edges;
    uint32_t to = UINT32_MAX;
    for (size_t i = 0; i < edges.size(); ++i) {
      const Edge &e = edges[i];
      if (e.code != code || static_cast<size_t>(end - q) < e.size || !equalBytes(q, e.text, e.size))
        continue;
      q += e.size;
      to = e.to;
      if (i) // the template of the last event is tried first
        std::swap(edges[0], edges[i]);
      break;
    }
    if (to == UINT32_MAX)
      return nullptr;
    if (to & kLeaf) {
      values.truncate(n);
      p = q;
      return plans[to & ~kLeaf];
    }
    node = to;
    if (n == values.size())
      values.emplace_back();
    Value &v = values[n++];
    bool isTime = nodes[node].isTime;
    if (!read(q, end, isTime, v))
      return nullptr;
    code = codeOf(v.type, isTime, v.type == ValueType::Decimal ? v.scale : uint8_t{0});
  }
}

} // namespace heddle::chrome
