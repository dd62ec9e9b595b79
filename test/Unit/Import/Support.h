//===- Support.h - What the importer's tests share --------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
#ifndef HEDDLE_TEST_UNIT_IMPORT_SUPPORT_H
#define HEDDLE_TEST_UNIT_IMPORT_SUPPORT_H

#include "heddle/IR/Verifier.h"
#include "heddle/Import/Importer.h"
#include "gtest/gtest.h"

namespace heddle {

/// A text as it was imported: its rank, or the error.
class Imported {
public:
  explicit Imported(llvm::StringRef text, llvm::StringRef name = "trace.json",
                    const ImportOptions &options = {}) {
    auto input = Input::fromMemory(text, name, options.limits);
    if (llvm::Error e = chromeJsonImporter.read(*input, trace, options, diagnostics))
      error = llvm::toString(std::move(e));
    EXPECT_EQ(llvm::toString(verify(trace)), "");
  }
  bool ok() const { return error.empty(); }
  Rank &rank() { return *trace.ranks.at(0); }
  Recording &recording() { return rank().recording; }
  uint64_t repairs(llvm::StringRef kind) {
    auto it = recording().repairs.find(kind);
    auto in = diagnostics.repairs().find(kind);
    uint64_t n = it == recording().repairs.end() ? 0 : it->second;
    EXPECT_EQ(n, in == diagnostics.repairs().end() ? 0 : in->second.count);
    return n;
  }
  uint64_t notes(llvm::StringRef kind) {
    auto it = recording().notes.find(kind);
    return it == recording().notes.end() ? 0 : it->second;
  }
  /// The first event of this name.
  EventRef find(llvm::StringRef name) {
    for (uint32_t t = 0; t < rank().tracks().size(); ++t)
      for (uint32_t i = 0; i < rank().track(t).size(); ++i)
        if (rank().name({t, i}) == name)
          return {t, i};
    return {};
  }
  bool has(llvm::StringRef name) { return find(name).valid(); }
  const Track &trackOf(llvm::StringRef name) { return rank().track(find(name).track); }
  EventKind kind(llvm::StringRef name) { return rank().kind(find(name)); }
  Family family(llvm::StringRef name) { return trackOf(name).key.family; }
  int64_t begin(llvm::StringRef name) { return rank().interval(find(name)).begin.ns; }
  int64_t length(llvm::StringRef name) { return rank().interval(find(name)).length().ns; }
  std::string text(llvm::StringRef name, llvm::StringRef key, Scope scope = Scope::Args) {
    EventRef e = find(name);
    auto s = AttrReader(rank(), key, scope).getString(rank().track(e.track), e.index);
    return s ? s->str() : "<absent>";
  }
  std::optional<int64_t> integer(llvm::StringRef name, llvm::StringRef key) {
    EventRef e = find(name);
    return AttrReader(rank(), key).getInt(rank().track(e.track), e.index);
  }
  /// "a->b" for the edges of a kind, in order of the callers' begin.
  std::string edges(EdgeKind kind) {
    std::string all;
    for (const Edge &e : rank().edges())
      if (e.kind == kind)
        all +=
            (all.empty() ? "" : " ") + rank().name(e.from).str() + "->" + rank().name(e.to).str();
    return all;
  }

  Trace trace;
  Diagnostics diagnostics;
  std::string error;
};

/// A Kineto document around events.
inline std::string kineto(llvm::StringRef events, llvm::StringRef before = "",
                          llvm::StringRef after = "") {
  return ("{\"schemaVersion\": 1, " + before + "\"traceEvents\": [" + events + "]" + after + "}")
      .str();
}
/// An X event on a host thread.
inline std::string op(llvm::StringRef name, llvm::StringRef ts, llvm::StringRef dur,
                      llvm::StringRef args = "", llvm::StringRef cat = "cpu_op") {
  return ("{\"ph\": \"X\", \"cat\": \"" + cat + "\", \"name\": \"" + name +
          "\", \"pid\": 1, \"tid\": 2, \"ts\": " + ts + ", \"dur\": " + dur + ", \"args\": {" +
          args + "}}")
      .str();
}
/// An activity on device 0, stream 7.
inline std::string kernel(llvm::StringRef name, llvm::StringRef ts, llvm::StringRef dur,
                          llvm::StringRef args = "", llvm::StringRef cat = "kernel") {
  return ("{\"ph\": \"X\", \"cat\": \"" + cat + "\", \"name\": \"" + name +
          "\", \"pid\": 0, \"tid\": 7, \"ts\": " + ts + ", \"dur\": " + dur +
          ", \"args\": {\"device\": 0, \"stream\": 7" + (args.empty() ? "" : ", ") + args + "}}")
      .str();
}
/// A list of events.
inline std::string list(std::initializer_list<std::string> events) {
  std::string all;
  for (const std::string &e : events)
    all += (all.empty() ? "" : ",\n") + e;
  return all;
}

} // namespace heddle

#endif
