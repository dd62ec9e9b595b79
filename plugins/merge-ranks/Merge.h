//===- Merge.h - Recordings on their way into one trace ---------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
#ifndef HEDDLE_PLUGINS_MERGERANKS_MERGE_H
#define HEDDLE_PLUGINS_MERGERANKS_MERGE_H

#include "heddle/Analysis/Extent.h"
#include "heddle/Pass/Pass.h"
#include <map>

namespace heddle::merge {

/// A recording, and what is decided about it.
struct Member {
  Rank *rank = nullptr;
  const Extent *extent = nullptr;
  size_t group = 0;
  bool before = false; ///< It was placed before, and stays where it is.
  std::string host;    ///< Its name; empty: unknown.
  std::string hostBy;  ///< How its host was found.
  std::string time;    ///< How it was placed in time.

  /// When it ran, by its host's clock; none if that is not known.
  std::optional<Interval> ran() const;
  /// When it ran in the trace, once it has its place.
  std::optional<Interval> ranIn(const Trace &trace) const;
};

/// The recordings of one rank, side by side.
struct Group {
  size_t first = 0, count = 0;   ///< Among the members.
  std::optional<int64_t> stated; ///< The number that it came with.
  int64_t number = 0;
  std::string why; ///< How it got its number.
};

/// All of a trace, and what to say about it.
class Merge {
public:
  Merge(Trace &trace, TraceContext &context) : trace(trace), context(context) {}
  llvm::Error run();

private:
  llvm::Error findMembers();

  // Numbers.cpp
  void giveNumbers();
  void giveFreeNumbers(const std::map<int64_t, size_t> &owner, int64_t &behind);
  void tellMissing();
  void sortByNumber();

  // Clocks.cpp
  void findClocks();
  void placeInTime();
  void tellApart();

  void publish();
  void tell(llvm::StringRef id, Remark::Level level, const llvm::Twine &message,
            llvm::StringRef advice = "");
  llvm::MutableArrayRef<Member> membersOf(const Group &g) {
    return llvm::MutableArrayRef<Member>(members).slice(g.first, g.count);
  }

  Trace &trace;
  TraceContext &context;
  std::vector<Member> members; ///< As the trace's ranks.
  std::vector<Group> groups;   ///< In order.
};

/// "a, b and 3 more".
std::string listed(llvm::ArrayRef<std::string> texts);
/// Of several recordings one is named by its file, and of several in a file by its part.
std::string nameOf(const Rank &rank);

} // namespace heddle::merge

#endif
