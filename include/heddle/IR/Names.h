//===- heddle/IR/Names.h - What names of calls and device work say -*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Recorders say by names alone which call launches, waits or allocates, and which device work
/// copies or communicates. lib/IR/Names.def is the one table of these names, of all vendors; what
/// asks for a fact asks here.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_IR_NAMES_H
#define HEDDLE_IR_NAMES_H

#include "heddle/IR/StringTable.h"
#include "llvm/ADT/ArrayRef.h"

namespace heddle {

/// What a name can say. First of API calls, then of device work, then of host spans.
enum class NameFact : uint8_t {
  Probe,          ///< The call only asks; no device work comes of it.
  Launches,       ///< The call starts a kernel or a graph.
  Copies,         ///< The call copies memory, so what it started is a copy.
  Fills,          ///< The call fills memory, likewise.
  Several,        ///< The call may start any number of activities; copies and fills may as well.
  LaunchesGraph,  ///< The call launches a recorded graph.
  CapturesGraph,  ///< The call begins to record a graph.
  MakesGraph,     ///< The call makes a graph ready to launch.
  LaunchesItems,  ///< The call takes the size of a grid in work items, not in blocks.
  Waits,          ///< The call returns when device work is done.
  Allocates,      ///< The call allocates, frees, maps or registers memory.
  LoadsCode,      ///< The call loads or compiles code.
  CopyKernel,     ///< A kernel that copies.
  FillKernel,     ///< A kernel that fills.
  Communicates,   ///< A kernel that communicates.
  MtiaOrder,      ///< A row of an MTIA device that orders others and is no work.
  MtiaCopy,       ///< A row of an MTIA device that copies.
  AscendOrder,    ///< A task of an Ascend device, or its type, that orders others and is no work.
  AscendCopy,     ///< A task of an Ascend device, or its type, that copies.
  ToDevice,       ///< A copy from the host to a device.
  FromDevice,     ///< A copy from a device to the host.
  OnDevice,       ///< A copy within a device.
  BetweenDevices, ///< A copy from one device to another.
  Pageable,       ///< A copy from or to pageable memory of the host.
  AsyncSpan,      ///< A host span of a collective that ends on another thread.
  HiddenOp,       ///< An op that torch.profiler's tables leave out.
};
/// How many there are.
inline constexpr unsigned kNumNameFacts = static_cast<unsigned>(NameFact::HiddenOp) + 1;

/// A line of the table. Of the lines of a fact the first whose pattern fits a name decides. What
/// stands before an `@` in a call's name is its layer (AscendCL@aclrtMemcpy), and does not count.
struct NameRule {
  NameFact fact;               ///< What is said.
  llvm::StringLiteral pattern; ///< `*` stands for any text. Case counts, but for Communicates,
                               ///< MtiaCopy and copies' directions, whose patterns are lower-case.
  bool holds = true;           ///< False for an exception from the lines below it.
};

/// The lines of the table, those of a fact next to each other.
llvm::ArrayRef<NameRule> nameRules();
/// Whether these lines say `fact` of `name`. O(lines of the fact * length).
bool nameIs(NameFact fact, llvm::StringRef name, llvm::ArrayRef<NameRule> rules);
/// The same of the whole table.
bool nameIs(NameFact fact, llvm::StringRef name);

/// What a collective or a transfer does, by its name as a kernel or an argument spells it
/// ("all-reduce", "send, receive"); empty if that is not known.
llvm::StringRef collectiveKind(llvm::StringRef name);

/// Facts of the strings of a table, found out once for each string. Holds a reference to the table,
/// which may grow. Not thread-safe.
class NameFacts {
public:
  explicit NameFacts(const StringTable &strings) : strings(strings) {}
  /// Whether the name says so. O(1) from the second time on.
  bool is(NameFact fact, StringId name) {
    auto i = static_cast<uint32_t>(name);
    uint32_t bit = uint32_t{1} << static_cast<unsigned>(fact);
    if (i >= known.size() || !(known[i].asked & bit))
      learn(fact, name);
    return known[i].holds & bit;
  }

private:
  void learn(NameFact fact, StringId name);
  struct Known {
    uint32_t asked = 0, holds = 0; ///< A bit a fact.
  };
  const StringTable &strings;
  std::vector<Known> known; ///< By StringId.
};
} // namespace heddle

#endif
