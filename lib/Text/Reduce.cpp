//===- Reduce.cpp - Smaller traces that still show it ---------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/Text/Reduce.h"
#include "heddle/IR/Editor.h"
#include "heddle/Text/Text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <numeric>
#include <set>

using namespace heddle;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

using Mask = std::vector<bool>;

namespace {

/// One kind of thing that can be left out. `count` tells how many a trace has; `apply` keeps those
/// of the mask, which runs over all ranks in order.
struct Stage {
  StringRef what;
  uint64_t (*count)(const Trace &);
  Error (*apply)(Trace &, const Mask &);
};

class Reducer {
public:
  Reducer(StringRef name, const ReduceOptions &options) : name(name), options(options) {}
  Expected<std::string> run(StringRef text);

private:
  Expected<std::unique_ptr<Trace>> parse(StringRef text) const;
  Expected<bool> accept(const Trace &candidate, bool strip);
  Expected<bool> reduceStage(const Stage &stage);
  bool cancelled() const { return options.cancel && options.cancel->cancelled; }

  StringRef name;
  const ReduceOptions &options;
  std::string smallest;
  bool stripped = false;
};

} // namespace

static constexpr Effects kEverything{~0u, true};

static uint64_t sum(const Trace &trace, llvm::function_ref<uint64_t(const Rank &)> of) {
  uint64_t n = 0;
  for (const auto &rank : trace.ranks)
    n += of(*rank);
  return n;
}

// Calls `edit` for each rank with a function that says of the next thing whether it stays.
static Error eachRank(Trace &trace, const Mask &mask,
                      llvm::function_ref<Error(RankEditor &, llvm::function_ref<bool()>)> edit) {
  size_t next = 0;
  for (auto &rank : trace.ranks) {
    RankEditor editor(*rank, kEverything);
    if (Error e = edit(editor, [&] { return mask[next++]; }))
      return e;
  }
  return Error::success();
}

static Error keepRanks(Trace &trace, const Mask &mask) {
  size_t i = 0;
  llvm::erase_if(trace.ranks, [&](const auto &) { return !mask[i++]; });
  return Error::success();
}

static Error keepTracks(Trace &trace, const Mask &mask) {
  return eachRank(trace, mask, [](RankEditor &editor, llvm::function_ref<bool()> stays) -> Error {
    std::vector<Mask> events;
    for (const Track &t : editor.get().tracks())
      events.push_back(stays() ? Mask() : Mask(t.size(), false));
    return editor.keep(events).takeError();
  });
}

static Error keepEvents(Trace &trace, const Mask &mask) {
  return eachRank(trace, mask, [](RankEditor &editor, llvm::function_ref<bool()> stays) -> Error {
    std::vector<Mask> events;
    for (const Track &t : editor.get().tracks()) {
      events.emplace_back();
      for (uint32_t i = 0; i != t.size(); ++i)
        events.back().push_back(stays());
    }
    return editor.keep(events).takeError();
  });
}

static Error keepEdges(Trace &trace, const Mask &mask) {
  return eachRank(trace, mask, [](RankEditor &editor, llvm::function_ref<bool()> stays) {
    return editor.keepEdges([&](const Edge &) { return stays(); });
  });
}

static Error keepRows(Trace &trace, const Mask &mask) {
  return eachRank(trace, mask, [](RankEditor &editor, llvm::function_ref<bool()> stays) {
    if (Error e = editor.keepFlows([&](const FlowRow &) { return stays(); }))
      return e;
    return editor.keepLoose([&](const LooseRow &) { return stays(); });
  });
}

// Argument keys of all ranks, each once.
static std::set<std::string> argumentKeys(const Trace &trace) {
  std::set<std::string> keys;
  for (const auto &rank : trace.ranks)
    for (const LayoutStore &store : rank->layouts())
      for (const Entry &entry : store.layout.entries)
        if (entry.scope == Scope::Args && store.rows)
          keys.insert(rank->str(entry.key).str());
  return keys;
}

static Error keepArguments(Trace &trace, const Mask &mask) {
  std::set<std::string> kept;
  size_t i = 0;
  for (const std::string &key : argumentKeys(trace))
    if (mask[i++])
      kept.insert(key);
  for (auto &rank : trace.ranks)
    if (Error e = RankEditor(*rank, kEverything).keepArguments([&](StringRef key) {
          return kept.count(key.str()) != 0;
        }))
      return e;
  return Error::success();
}

static constexpr Stage kStages[] = {
    {"ranks", [](const Trace &t) -> uint64_t { return t.ranks.size(); }, keepRanks},
    {"tracks",
     [](const Trace &t) {
       return sum(t, [](const Rank &r) -> uint64_t { return r.tracks().size(); });
     },
     keepTracks},
    {"events", [](const Trace &t) { return sum(t, [](const Rank &r) { return r.numEvents(); }); },
     keepEvents},
    {"edges",
     [](const Trace &t) {
       return sum(t, [](const Rank &r) -> uint64_t { return r.edges().size(); });
     },
     keepEdges},
    {"flow and loose rows",
     [](const Trace &t) {
       return sum(t, [](const Rank &r) -> uint64_t {
         uint64_t ends = llvm::count_if(r.flows(), [&](const FlowRow &f) { return r.isEnd(f); });
         return r.flows().size() - ends + r.loose().size();
       });
     },
     keepRows},
    {"argument keys", [](const Trace &t) -> uint64_t { return argumentKeys(t).size(); },
     keepArguments},
};

Expected<std::unique_ptr<Trace>> Reducer::parse(StringRef text) const {
  auto trace = std::make_unique<Trace>();
  Diagnostics diagnostics;
  if (Error e = parseText(text, name, *trace, nullptr, Limits(), diagnostics))
    return e;
  return trace;
}

// Makes the candidate the smallest if the test still calls it interesting.
Expected<bool> Reducer::accept(const Trace &candidate, bool strip) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (Error e = printText(candidate, os, {strip}))
    return e;
  Expected<bool> interesting = options.interesting(text);
  if (interesting && *interesting)
    smallest = std::move(text);
  return interesting;
}

// Halves first: chunks that can go go at once. Returns whether anything went.
Expected<bool> Reducer::reduceStage(const Stage &stage) {
  auto trace = parse(smallest);
  if (!trace)
    return trace.takeError();
  size_t count = stage.count(**trace);
  bool changed = false;
  // At least one event of a kind may be all there is to find: a chunk may be everything.
  for (size_t chunk = count; chunk != 0; chunk /= 2) {
    for (size_t begin = 0; begin < count && !cancelled();) {
      auto candidate = parse(smallest);
      if (!candidate)
        return candidate.takeError();
      Mask mask(count, true);
      size_t end = std::min(begin + chunk, count);
      std::fill(mask.begin() + begin, mask.begin() + end, false);
      if (Error e = stage.apply(**candidate, mask))
        return e;
      auto accepted = accept(**candidate, stripped);
      if (!accepted)
        return accepted.takeError();
      if (*accepted) {
        // What stood after the chunk has moved up to `begin`. Taking an event takes its edges, so
        // only the count of this stage is known.
        count -= end - begin;
        changed = true;
      } else {
        begin = end;
      }
    }
    chunk = std::min(chunk, count);
  }
  if (options.progress)
    options.progress(stage.what, count);
  return changed;
}

Expected<std::string> Reducer::run(StringRef text) {
  smallest = text.str();
  Expected<bool> interesting = options.interesting(smallest);
  if (!interesting)
    return interesting.takeError();
  if (!*interesting)
    return inputError("not-interesting",
                      "the test does not call '" + name + "' interesting to begin with");
  auto trace = parse(smallest);
  if (!trace)
    return trace.takeError();
  auto accepted = accept(**trace, true);
  if (!accepted)
    return accepted.takeError();
  stripped = *accepted;
  for (bool changed = true; changed && !cancelled();) {
    changed = false;
    for (const Stage &stage : kStages) {
      Expected<bool> went = reduceStage(stage);
      if (!went)
        return went.takeError();
      changed |= *went;
    }
  }
  return std::move(smallest);
}

Expected<std::string> heddle::reduceText(StringRef text, StringRef name,
                                         const ReduceOptions &options) {
  return Reducer(name, options).run(text);
}
