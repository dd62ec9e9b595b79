//===- heddle/Analysis/Collectives.h - What collectives move, and between whom -*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// The arguments of kernels that communicate, as PyTorch means them: which collective, of which
/// group, of how much. Recorders write them on the kernel, or on the op that launched it alone.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_ANALYSIS_COLLECTIVES_H
#define HEDDLE_ANALYSIS_COLLECTIVES_H

#include "heddle/IR/Rank.h"
#include "llvm/ADT/StringMap.h"
#include <map>

namespace heddle {

/// The ranks of a group, in its order: a list, or by start, step and size, which cost nothing.
struct GroupMembers {
  std::vector<int64_t> ranks; ///< In the job; empty where the three numbers say it.
  int64_t start = 0;          ///< The first of `count` ranks.
  int64_t step = 1;           ///< From one of them to the next, at least 1.
  int64_t count = 0;          ///< 0 where there is a list.
  bool complete = false;      ///< False where the recorder cut the list and nothing else tells it.

  /// How many are known.
  int64_t size() const { return count ? count : static_cast<int64_t>(ranks.size()); }
  /// The i-th, of 0 to size() - 1.
  int64_t at(int64_t i) const { return count ? start + i * step : ranks[static_cast<size_t>(i)]; }
};
/// For people: "0-7", "0-24/8" (every 8th), "1, 5, 6"; "0, 1, ..." where the list was cut. Of more
/// than 32 that follow no rule, the first and how many more: "3, 1, ... +40".
std::string describe(const GroupMembers &members);

/// What one kernel does, as far as it is said.
struct Collective {
  llvm::StringRef kind;        ///< "all-reduce", "send, receive", ...; "" if unknown.
  llvm::StringRef group;       ///< The group's name; "" if none.
  llvm::StringRef dtype;       ///< "Float", "BFloat16", ...; "" if none.
  std::optional<int64_t> size; ///< Ranks of the group.
  /// What bandwidths count: of what goes in and what comes out the larger, that of all-to-all what
  /// goes in; none of barriers.
  std::optional<int64_t> bytes;
  std::optional<int64_t> peer; ///< Of a send or receive: the other rank in the job.
  /// Null if nothing is said. Lives as long as the view; the same for equal arguments.
  const GroupMembers *members = nullptr;
};

/// A fraction.
struct BusFactor {
  int64_t numerator;   ///< At least 1.
  int64_t denominator; ///< At least 1.
};
/// By how much a collective's bytes are multiplied to give what each link of a ring carries:
/// 2 (n - 1) / n for all-reduce, (n - 1) / n where each rank keeps its own part, 1 where all goes
/// one way. nullopt for what moves nothing, for groups of one, and unknown kinds or sizes.
std::optional<BusFactor> busFactor(llvm::StringRef kind, std::optional<int64_t> size);

/// Reads kernels of one rank. Holds a reference to it. Not thread-safe.
class CollectiveView {
public:
  explicit CollectiveView(const Rank &rank);
  /// What the kernel says, and where it says nothing the op (invalid if there is none).
  Collective of(EventRef kernel, EventRef op);

private:
  std::optional<StringId> textId(const AttrReader &a, EventRef kernel, EventRef op) const;
  std::optional<llvm::StringRef> text(const AttrReader &a, EventRef kernel, EventRef op) const;
  std::optional<int64_t> number(const AttrReader &a, EventRef kernel, EventRef op) const;
  const GroupMembers *membersOf(EventRef kernel, EventRef op, const Collective &c);
  const GroupMembers *range(int64_t start, int64_t step, int64_t size);
  void readGroups();

  const Rank &rank;
  AttrReader name, dtype, inElements, outElements, groupSize, groupName, ranks, start, stride,
      source, destination;
  llvm::StringMap<GroupMembers> groups;   ///< Of the document, by name.
  std::map<StringId, GroupMembers> lists; ///< By their text.
  std::map<std::tuple<int64_t, int64_t, int64_t>, GroupMembers> ranges; ///< By their numbers.
  /// Whether a cut list is how that range begins.
  std::map<std::pair<const GroupMembers *, const GroupMembers *>, bool> fits;
  llvm::StringMap<std::string> names; ///< Of groups that are numbers.
};

} // namespace heddle

#endif
