//===- heddle/Analysis/Analysis.h - Cached facts about a rank ---*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// An analysis is a recomputable fact about a rank:
/// \code
///   struct Nesting {
///     static constexpr llvm::StringLiteral name = "nesting";
///     static constexpr uint32_t inputs = columns(ColumnId::Begin, ColumnId::End);
///     static constexpr unsigned version = 1;
///     static constexpr bool summary = false;   // small enough to keep for every rank, and
///                                              // refers to nothing in it
///     static llvm::Expected<Nesting> compute(const Rank &, AnalysisContext &);
///   };
/// \endcode
/// The cache computes it on first use and drops it, with whatever was computed from it, when a
/// rewrite writes one of its inputs. Analyses are found by name and checked by a hash of type
/// name, size and version, since addresses differ across a shared-object border.
/// A cache belongs to one rank and is used by one thread at a time.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_ANALYSIS_ANALYSIS_H
#define HEDDLE_ANALYSIS_ANALYSIS_H

#include "heddle/IR/Editor.h"
#include "heddle/IR/Rank.h"
#include "heddle/Support/Limits.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/xxhash.h"
#include <functional>
#include <memory>

namespace heddle {

/// The set of some columns, as an analysis states its inputs.
template <typename... Cs> constexpr uint32_t columns(Cs... cs) {
  return ((1u << static_cast<unsigned>(cs)) | ... | 0u);
}
/// Every column: for analyses that read all there is.
inline constexpr uint32_t kAllColumns = ~0u;

class AnalysisCache;

/// What `compute` may use: other analyses, limits, cancellation.
class AnalysisContext {
public:
  AnalysisContext(AnalysisCache &cache, const Limits &limits, const Progress *progress)
      : cache(cache), limitsRef(limits), progress(progress) {}
  /// The analysis, computed if need be. The pointer lives until the cache drops it.
  template <typename A> llvm::Expected<const A *> get();
  /// The bounds of the run.
  const Limits &limits() const { return limitsRef; }
  /// True once the run was cancelled; long loops poll it.
  bool cancelled() const { return progress && progress->cancelled; }

private:
  AnalysisCache &cache;
  const Limits &limitsRef;
  const Progress *progress;
};

/// The analyses of one rank that are up to date.
class AnalysisCache {
public:
  /// `since` says what began the rank anew, if something did: part of what the observer is told.
  explicit AnalysisCache(const Rank &rank, std::string since = "")
      : rank(&rank), since(std::move(since)) {}

  /// The analysis, computed if need be. The pointer lives until it is dropped.
  template <typename A>
  llvm::Expected<const A *> get(const Limits &limits, const Progress *progress = nullptr) {
    AnalysisContext context(*this, limits, progress);
    auto r = getImpl(A::name, typeHash<A>(), llvm::StringRef(typeName<A>()), A::inputs, A::summary,
                     [&]() -> llvm::Expected<std::shared_ptr<void>> {
                       llvm::Expected<A> a = A::compute(*rank, context);
                       if (!a)
                         return a.takeError();
                       return std::shared_ptr<void>(std::make_shared<A>(std::move(*a)));
                     });
    if (!r)
      return r.takeError();
    return static_cast<const A *>(*r);
  }

  /// Whether the analysis is up to date: `get` would read nothing of the rank.
  template <typename A> bool has() const { return slots.contains(A::name); }
  /// Keeps summaries only: the rank's events leave memory.
  void forgetDetails();

  /// Drops what depends on the columns written; everything if `effects` is structural. `who` wrote
  /// them, for the observer.
  void invalidate(Effects effects, llvm::StringRef who = "a rewrite");
  /// Called with an analysis and what becomes of it, for `--debug-passes`: "computed first",
  /// "reused", "dropped (drop<kind=python> changed names)", "recomputed (...)".
  std::function<void(llvm::StringRef analysis, llvm::StringRef what)> observer;

private:
  template <typename A> static constexpr const char *typeName() { return __PRETTY_FUNCTION__; }
  template <typename A> static uint64_t typeHash() {
    return llvm::xxh3_64bits(llvm::StringRef(typeName<A>())) ^ (sizeof(A) * 0x9e3779b97f4a7c15u) ^
           A::version;
  }
  llvm::Expected<const void *>
  getImpl(llvm::StringRef name, uint64_t hash, llvm::StringRef type, uint32_t inputs, bool summary,
          llvm::function_ref<llvm::Expected<std::shared_ptr<void>>()> compute);
  struct Slot {
    uint64_t hash = 0;
    std::string type;
    std::shared_ptr<void> value;
    uint32_t inputs = 0; ///< Own and inherited from what it was computed from.
    bool summary = false;
  };
  const Rank *rank;
  std::string since;
  llvm::StringMap<Slot> slots;
  llvm::StringMap<std::string> gone;  ///< Why an analysis that was asked for is not in `slots`.
  std::vector<std::string> computing; ///< Stack of names, to inherit inputs and find cycles.
  std::vector<uint32_t> inherited;    ///< Parallel: inputs gathered so far.
};

template <typename A> llvm::Expected<const A *> AnalysisContext::get() {
  return cache.get<A>(limitsRef, progress);
}

} // namespace heddle

#endif
