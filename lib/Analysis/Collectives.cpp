//===- Collectives.cpp - What collectives move, and between whom ----------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/Collectives.h"
#include "heddle/Analysis/Bytes.h"
#include "heddle/IR/Names.h"
#include "heddle/Support/Json.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace heddle;
using llvm::StringRef;

/// A group of a job beyond this is no group.
static constexpr int64_t kMostMembers = 1 << 20;

//===----------------------------------------------------------------------===//
// Members
//===----------------------------------------------------------------------===//

static std::string joined(llvm::ArrayRef<int64_t> ranks) {
  std::string out;
  for (int64_t r : ranks)
    out += (out.empty() ? "" : ", ") + std::to_string(r);
  return out;
}

std::string heddle::describe(const GroupMembers &m) {
  constexpr size_t most = 32;
  auto range = [](int64_t first, int64_t last, int64_t step) {
    return std::to_string(first) + "-" + std::to_string(last) +
           (step == 1 ? "" : "/" + std::to_string(step));
  };
  if (m.count > 2)
    return range(m.start, m.at(m.count - 1), m.step);
  if (m.count)
    return std::to_string(m.start) + (m.count == 2 ? ", " + std::to_string(m.at(1)) : "");
  llvm::ArrayRef<int64_t> ranks = m.ranks;
  if (!m.complete)
    return joined(ranks.take_front(most)) + (ranks.empty() ? "" : ", ...");
  if (ranks.size() < 3)
    return joined(ranks);
  int64_t step = ranks[1] - ranks[0];
  bool regular = step > 0;
  for (size_t i = 1; regular && i != ranks.size(); ++i)
    regular = ranks[i] - ranks[i - 1] == step;
  if (regular)
    return range(ranks.front(), ranks.back(), step);
  if (ranks.size() <= most)
    return joined(ranks);
  return joined(ranks.take_front(most)) + ", ... +" + std::to_string(ranks.size() - most);
}

/// "[0, 1, 2]" or "[0, 1, ...]".
static GroupMembers parseMembers(StringRef text) {
  GroupMembers out;
  text = text.trim();
  if (!text.consume_front("[") || !text.consume_back("]"))
    return out;
  out.complete = true;
  llvm::SmallVector<StringRef, 32> parts;
  text.split(parts, ',', -1, false);
  for (StringRef part : parts) {
    int64_t rank;
    if (part.trim().getAsInteger(10, rank) || rank < 0) {
      out.complete = false;
      break;
    }
    out.ranks.push_back(rank);
  }
  return out;
}

/// Whether a list is how a longer one begins.
static bool begins(const GroupMembers &cut, const GroupMembers &all) {
  for (int64_t i = 0; i != cut.size(); ++i)
    if (i == all.size() || cut.at(i) != all.at(i))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Kinds and sizes
//===----------------------------------------------------------------------===//

static StringRef kindOf(StringRef collective) {
  return llvm::StringSwitch<StringRef>(collective)
      .Case("reduce", "reduce")
      .Case("gather", "gather")
      .Case("scatter", "scatter")
      .Case("barrier", "barrier")
      .Default(collectiveKind(collective));
}

std::optional<BusFactor> heddle::busFactor(StringRef kind, std::optional<int64_t> size) {
  if (!size || *size < 2 || *size > kMostMembers)
    return std::nullopt;
  int64_t n = *size;
  if (kind == "all-reduce")
    return BusFactor{2 * (n - 1), n};
  if (kind == "all-gather" || kind == "reduce-scatter" || kind == "all-to-all" ||
      kind == "gather" || kind == "scatter")
    return BusFactor{n - 1, n};
  if (kind == "broadcast" || kind == "reduce" || kind == "send, receive")
    return BusFactor{1, 1};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The view
//===----------------------------------------------------------------------===//

CollectiveView::CollectiveView(const Rank &rank)
    : rank(rank), name(rank, "Collective name"), dtype(rank, "dtype"),
      inElements(rank, "In msg nelems"), outElements(rank, "Out msg nelems"),
      groupSize(rank, "Group size"), groupName(rank, {"Process Group Name", "Process Group ID"}),
      ranks(rank, "Process Group Ranks"), start(rank, "Global rank start"),
      stride(rank, "Global rank stride"), source(rank, "Src Rank"), destination(rank, "Dst Rank") {
  readGroups();
}

/// distributedInfo.pg_config: `ranks` is a list, or the text of one.
void CollectiveView::readGroups() {
  auto info = parseJsonTree(rank.recording.document.find("distributedInfo"));
  const llvm::json::Object *object = info ? info->getAsObject() : nullptr;
  const llvm::json::Array *list = object ? object->getArray("pg_config") : nullptr;
  if (!list)
    return;
  for (const llvm::json::Value &v : *list) {
    const llvm::json::Object *group = v.getAsObject();
    auto called = group ? group->getString("pg_name") : std::nullopt;
    if (!called)
      continue;
    GroupMembers m;
    if (auto text = group->getString("ranks")) {
      m = parseMembers(*text);
    } else if (const llvm::json::Array *numbers = group->getArray("ranks")) {
      m.complete = true;
      for (const llvm::json::Value &n : *numbers)
        if (auto r = n.getAsInteger())
          m.ranks.push_back(*r);
        else
          m.complete = false;
    }
    if (m.complete && !m.ranks.empty())
      groups[*called] = std::move(m);
  }
}

std::optional<StringId> CollectiveView::textId(const AttrReader &a, EventRef kernel,
                                               EventRef op) const {
  auto own = a.getStringId(rank.track(kernel.track), kernel.index);
  if ((own && *own != StringId::Empty) || !op.valid())
    return own;
  return a.getStringId(rank.track(op.track), op.index);
}

std::optional<StringRef> CollectiveView::text(const AttrReader &a, EventRef kernel,
                                              EventRef op) const {
  auto id = textId(a, kernel, op);
  return id ? std::optional(rank.str(*id)) : std::nullopt;
}

std::optional<int64_t> CollectiveView::number(const AttrReader &a, EventRef kernel,
                                              EventRef op) const {
  auto own = a.getInt(rank.track(kernel.track), kernel.index);
  return own || !op.valid() ? own : a.getInt(rank.track(op.track), op.index);
}

const GroupMembers *CollectiveView::membersOf(EventRef kernel, EventRef op, const Collective &c) {
  StringId list = textId(ranks, kernel, op).value_or(StringId::Empty);
  auto [it, isNew] = lists.try_emplace(list);
  if (isNew)
    it->second = parseMembers(rank.str(list));
  const GroupMembers *m = &it->second;
  if (m->complete)
    return m->size() ? m : nullptr;
  auto first = number(start, kernel, op), step = number(stride, kernel, op);
  if (first && step && c.size)
    if (const GroupMembers *all = range(*first, *step, *c.size)) {
      auto [known, unknown] = fits.try_emplace({m, all});
      if (unknown)
        known->second = begins(*m, *all);
      if (known->second)
        return all;
    }
  if (auto known = groups.find(c.group); known != groups.end())
    return &known->second;
  return m->size() ? m : nullptr;
}

/// What the three numbers say; null if no group can have them.
const GroupMembers *CollectiveView::range(int64_t start, int64_t step, int64_t size) {
  if (start < 0 || step <= 0 || size <= 0 || size > kMostMembers || start > kMostMembers ||
      step > kMostMembers)
    return nullptr;
  GroupMembers m;
  m.start = start;
  m.step = step;
  m.count = size;
  m.complete = true;
  return &ranges.try_emplace({start, step, size}, std::move(m)).first->second;
}

Collective CollectiveView::of(EventRef kernel, EventRef op) {
  Collective c;
  StringRef called = text(name, kernel, op).value_or(StringRef());
  c.kind = called.empty() ? collectiveKind(rank.name(kernel)) : kindOf(called);
  c.dtype = text(dtype, kernel, op).value_or(StringRef());
  if (auto group = text(groupName, kernel, op)) {
    c.group = *group;
  } else if (auto id = number(groupName, kernel, op)) {
    std::string spelling = std::to_string(*id);
    c.group = names.try_emplace(spelling, spelling).first->second;
  }
  c.size = number(groupSize, kernel, op);
  c.members = membersOf(kernel, op, c);
  if (!c.size && c.members && c.members->complete)
    c.size = c.members->size();

  auto in = number(inElements, kernel, op), out = number(outElements, kernel, op);
  int64_t elements = std::max(in.value_or(-1), out.value_or(-1));
  if (c.kind == "all-to-all" && in)
    elements = *in; // each rank sends what it has; what it gets may differ
  int64_t bytes;
  if (auto width = sizeOfDtype(c.dtype); width && elements >= 0 && c.kind != "barrier" &&
                                         !__builtin_mul_overflow(elements, *width, &bytes))
    c.bytes = bytes;

  if (called == "send" || called == "recv") {
    c.peer = number(called == "send" ? destination : source, kernel, op);
    // What is less than the group's size counts in the group.
    if (c.peer && *c.peer >= 0 && c.members && c.members->complete && *c.peer < c.members->size())
      c.peer = c.members->at(*c.peer);
  }
  return c;
}
