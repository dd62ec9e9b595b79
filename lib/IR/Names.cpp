//===- Names.cpp - What names of calls and device work say ----------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/IR/Names.h"
#include "llvm/ADT/StringExtras.h"
#include <array>

using namespace heddle;
using llvm::StringRef;

static constexpr NameRule kRules[] = {
#include "Names.def"
};

/// Where the lines of each fact begin; they stand in the order of the facts.
static constexpr auto kBegins = [] {
  std::array<uint16_t, kNumNameFacts + 1> begins{};
  size_t line = 0;
  for (unsigned fact = 0; fact <= kNumNameFacts; ++fact) {
    begins[fact] = static_cast<uint16_t>(line);
    while (line != std::size(kRules) && static_cast<unsigned>(kRules[line].fact) == fact)
      ++line;
  }
  return begins;
}();
static_assert(kBegins.back() == std::size(kRules), "lines of a fact stand apart");

static_assert(kNumNameFacts <= 32, "NameFacts has a bit for each");

static bool ignoresCase(NameFact fact) {
  return fact == NameFact::Communicates || fact == NameFact::MtiaCopy ||
         (fact >= NameFact::ToDevice && fact <= NameFact::BetweenDevices);
}

/// Whether a pattern fits all of `text`. A part between stars is looked for where it comes first.
static bool fits(StringRef pattern, StringRef text) {
  auto [head, rest] = pattern.split('*');
  if (head.size() == pattern.size())
    return text == pattern;
  if (!text.consume_front(head))
    return false;
  while (rest.contains('*')) {
    auto [part, next] = rest.split('*');
    size_t at = text.find(part);
    if (at == StringRef::npos)
      return false;
    text = text.drop_front(at + part.size());
    rest = next;
  }
  return text.ends_with(rest);
}

llvm::ArrayRef<NameRule> heddle::nameRules() { return kRules; }

bool heddle::nameIs(NameFact fact, StringRef name, llvm::ArrayRef<NameRule> rules) {
  if (fact < NameFact::CopyKernel)
    name = name.drop_front(name.rfind('@') + 1);
  std::string lower;
  if (ignoresCase(fact))
    name = lower = name.lower();
  for (const NameRule &r : rules)
    if (r.fact == fact && fits(r.pattern, name))
      return r.holds;
  return false;
}

bool heddle::nameIs(NameFact fact, StringRef name) {
  auto f = static_cast<unsigned>(fact);
  return nameIs(fact, name, llvm::ArrayRef(kRules).slice(kBegins[f], kBegins[f + 1] - kBegins[f]));
}

void NameFacts::learn(NameFact fact, StringId name) {
  auto i = static_cast<uint32_t>(name);
  if (i >= known.size())
    known.resize(std::max<size_t>(i + 1, strings.size()));
  uint32_t bit = uint32_t{1} << static_cast<unsigned>(fact);
  known[i].asked |= bit;
  if (nameIs(fact, strings[name]))
    known[i].holds |= bit;
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

namespace {
/// Lower-case text that a name holds, and the kind that says. The first that fits counts, so the
/// special stands before the general.
struct CollectiveName {
  llvm::StringLiteral text, kind;
};
} // namespace

static constexpr CollectiveName kCollectives[] = {
    {"allreduce", "all-reduce"},
    {"all_reduce", "all-reduce"},
    {"cross_device_reduce", "all-reduce"},
    {"one_shot", "all-reduce"},
    {"two_shot", "all-reduce"},
    {"quickreduce", "all-reduce"},
    {"allgather", "all-gather"},
    {"all_gather", "all-gather"},
    {"reducescatter", "reduce-scatter"},
    {"reduce_scatter", "reduce-scatter"},
    {"alltoall", "all-to-all"},
    {"all_to_all", "all-to-all"},
    {"deepep", "all-to-all"},
    {"deep_ep", "all-to-all"},
    {"broadcast", "broadcast"},
    {"sendrecv", "send, receive"},
    {"send", "send, receive"},
    {"recv", "send, receive"},
};

StringRef heddle::collectiveKind(StringRef name) {
  std::string lower = name.lower();
  for (const CollectiveName &c : kCollectives)
    if (StringRef(lower).contains(c.text))
      return c.kind;
  return {};
}
