//===- Maker.h - Ranks by hand for tests of analyses ------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_TEST_UNIT_ANALYSIS_MAKER_H
#define HEDDLE_TEST_UNIT_ANALYSIS_MAKER_H

#include "heddle/Analysis/Analysis.h"
#include "heddle/IR/Verifier.h"
#include "gtest/gtest.h"
#include <variant>

namespace heddle::test {

using Value = std::variant<int64_t, std::string>;
using Args = std::vector<std::pair<std::string, Value>>;

/// Builds a rank event by event; `done` sorts it. Handles of events are their order of creation.
class Maker {
public:
  Rank rank;

  uint32_t op(int64_t begin, int64_t end, llvm::StringRef name = "op", int64_t tid = 1,
              const Args &args = {}) {
    return host(EventKind::CpuOp, begin, end, name, tid, args);
  }
  uint32_t mark(int64_t begin, int64_t end, llvm::StringRef name, int64_t tid = 1) {
    return host(EventKind::Annotation, begin, end, name, tid, {});
  }
  uint32_t call(int64_t begin, int64_t end, llvm::StringRef name = "cudaLaunchKernel",
                int64_t tid = 1, const Args &args = {}) {
    return host(name.starts_with("cu") && !name.starts_with("cuda") ? EventKind::Driver
                                                                    : EventKind::Runtime,
                begin, end, name, tid, args);
  }
  uint32_t python(int64_t begin, int64_t end, llvm::StringRef name, int64_t tid = 1,
                  const Args &args = {}) {
    return host(EventKind::Python, begin, end, name, tid, args);
  }
  uint32_t host(EventKind kind, int64_t begin, int64_t end, llvm::StringRef name, int64_t tid,
                const Args &args) {
    Family f = kind == EventKind::Python ? Family::ThreadPython : Family::ThreadWork;
    uint32_t t = builder.track({SourceId::integer(pid), SourceId::integer(tid), f});
    return add(t, kind, begin, end, name, args);
  }
  uint32_t kernel(int64_t begin, int64_t end, llvm::StringRef name = "k", int64_t stream = 7,
                  int64_t device = 0, const Args &args = {}) {
    return work(EventKind::Kernel, begin, end, name, stream, device, args);
  }
  uint32_t work(EventKind kind, int64_t begin, int64_t end, llvm::StringRef name, int64_t stream,
                int64_t device, const Args &args = {}) {
    Family f = kind == EventKind::Sync ? Family::StreamSync : Family::StreamWork;
    uint32_t t = builder.track({SourceId::integer(device), SourceId::integer(stream), f});
    builder.trackAt(t).device = device;
    builder.trackAt(t).stream = stream;
    return add(t, kind, begin, end, name, args);
  }
  void launch(uint32_t from, uint32_t to) {
    builder.edges().push_back({EdgeKind::Launch, at[from], at[to]});
  }
  /// A launch call and its kernel.
  uint32_t launched(int64_t callBegin, int64_t callEnd, int64_t begin, int64_t end,
                    llvm::StringRef name = "k", int64_t tid = 1, int64_t stream = 7,
                    int64_t device = 0) {
    uint32_t c = call(callBegin, callEnd, "cudaLaunchKernel", tid);
    uint32_t k = kernel(begin, end, name, stream, device);
    launch(c, k);
    return k;
  }
  Maker &done() {
    builder.finish();
    places.resize(at.size());
    for (uint32_t t = 0; t < rank.tracks().size(); ++t)
      for (uint32_t i = 0; i < rank.track(t).size(); ++i)
        places[rank.track(t).seq[i]] = {t, i};
    EXPECT_EQ(llvm::toString(verify(rank)), "");
    cache.emplace(rank);
    return *this;
  }
  EventRef place(uint32_t handle) const { return places[handle]; }
  uint32_t handle(EventRef e) const { return rank.track(e.track).seq[e.index]; }

  template <typename A> const A &get() {
    llvm::Expected<const A *> a = cache->get<A>(limits);
    if (!a)
      throw std::runtime_error(llvm::toString(a.takeError()));
    return **a;
  }
  int64_t pid = 100; ///< Of host threads.

private:
  uint32_t add(uint32_t track, EventKind kind, int64_t begin, int64_t end, llvm::StringRef name,
               const Args &args) {
    Layout l;
    l.cat = builder.intern(kindName(kind));
    l.entries.push_back({Scope::Event, ValueType::Args, 0, false, builder.intern("args")});
    for (auto &[key, value] : args)
      l.entries.push_back({Scope::Args, value.index() ? ValueType::String : ValueType::Int, 0,
                           false, builder.intern(key)});
    LayoutId id = *builder.layout(l);
    LayoutStore &store = builder.store(id);
    for (size_t i = 0; i < args.size(); ++i)
      if (auto *n = std::get_if<int64_t>(&args[i].second))
        store.columns[i + 1].ints.push_back(*n);
      else
        store.columns[i + 1].strings.push_back(
            builder.intern(std::get<std::string>(args[i].second)));
    uint32_t seq = at.size();
    uint32_t i = builder.event(track, {begin}, {end}, builder.intern(name), kind, id,
                               builder.endRow(id), seq);
    at.push_back({track, i});
    return seq;
  }

  RankBuilder builder{rank};
  std::vector<EventRef> at, places;
  std::optional<AnalysisCache> cache;
  Limits limits;
};

/// A small generator whose numbers are the same everywhere.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed * 0x9e3779b97f4a7c15u + 1) {}
  /// 0 .. n-1.
  int64_t operator()(int64_t n) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return static_cast<int64_t>(state % static_cast<uint64_t>(n));
  }

private:
  uint64_t state;
};

} // namespace heddle::test

#endif
