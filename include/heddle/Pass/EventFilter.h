//===- heddle/Pass/EventFilter.h - Events by kind, name, family -*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// The parameters `kind`, `family` and `name` of rewrites that pick events: what they may hold, and
/// what they match.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_PASS_EVENTFILTER_H
#define HEDDLE_PASS_EVENTFILTER_H

#include "heddle/Pass/Pass.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/Regex.h"

namespace heddle {

/// What `kind` may hold.
inline constexpr llvm::StringLiteral kKindChoices[] = {
    "cpu_op", "annotation", "runtime", "driver", "kernel", "memcpy", "memset",  "sync", "event",
    "python", "overhead",   "memory",  "comm",   "window", "marker", "counter", "other"};
/// What `family` may hold.
inline constexpr llvm::StringLiteral kFamilyChoices[] = {
    "thread",      "thread-python", "thread-marker", "stream", "stream-annotation",
    "stream-sync", "stream-marker", "overhead",      "window", "counter",
    "async"};
/// `kind`, to be listed among a pass's parameters; all three are.
inline constexpr ParamInfo kKindParam = {"kind", ParamType::List, "",
                                         "kinds of events, say python+memory", kKindChoices};
/// `family`.
inline constexpr ParamInfo kFamilyParam = {"family", ParamType::List, "",
                                           "families of tracks, say thread-python", kFamilyChoices};
/// `name`.
inline constexpr ParamInfo kNameParam = {"name", ParamType::String, "",
                                         "names: a pattern with * and ?, or /REGEX/"};

/// What the three parameters say together. Any number of threads may ask.
class EventFilter {
public:
  /// A usage error for a `name` that is no pattern.
  static llvm::Expected<EventFilter> create(const ParamValues &params);
  /// Something is asked for; else every event fits.
  bool any() const { return !kinds.empty() || !families.empty() || glob || regex; }
  /// Nothing but a name is asked for.
  bool onlyName() const { return kinds.empty() && families.empty(); }
  /// Whether events on tracks of this family fit.
  bool wantsFamily(Family f) const {
    return families.empty() || families.test(static_cast<unsigned>(f));
  }
  /// Whether events of this kind fit.
  bool wantsKind(EventKind k) const {
    return kinds.empty() || kinds.test(static_cast<unsigned>(k));
  }
  /// Whether events of this name fit. O(length) for most patterns.
  bool wantsName(llvm::StringRef name) const {
    return glob ? glob->match(name) : !regex || regex->match(name);
  }

private:
  llvm::SmallBitVector kinds, families;  ///< By enumerator.
  std::unique_ptr<std::string> globText; ///< The pattern refers to it.
  std::optional<llvm::GlobPattern> glob;
  std::optional<llvm::Regex> regex;
};

/// Asks a filter about the events of one rank, about each name once.
class EventMatcher {
public:
  /// Keeps references to both.
  EventMatcher(const EventFilter &filter, const Rank &rank)
      : filter(filter), rank(rank), byName(rank.strings().size(), Unknown) {}
  /// Whether event `i` of `track` fits.
  bool operator()(const Track &track, uint32_t i) {
    if (!filter.wantsFamily(track.key.family) || !filter.wantsKind(track.kinds[i]))
      return false;
    int8_t &known = byName[static_cast<uint32_t>(track.names[i])];
    if (known == Unknown)
      known = filter.wantsName(rank.str(track.names[i])) ? Matches : Differs;
    return known == Matches;
  }

private:
  enum : int8_t { Unknown, Matches, Differs };
  const EventFilter &filter;
  const Rank &rank;
  std::vector<int8_t> byName;
};

} // namespace heddle

#endif
