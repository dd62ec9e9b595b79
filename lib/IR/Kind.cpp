//===- Kind.cpp - Names of kinds, families, types, units ------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/IR/Kind.h"
#include "heddle/IR/Rank.h"
#include "heddle/IR/Result.h"
#include <iterator>

using namespace heddle;

static constexpr llvm::StringLiteral kKindNames[] = {
    "cpu_op", "annotation", "runtime", "driver", "kernel", "memcpy", "memset",  "sync", "event",
    "python", "overhead",   "memory",  "comm",   "window", "marker", "counter", "other"};
static_assert(std::size(kKindNames) == kNumEventKinds);

static constexpr llvm::StringLiteral kFamilyNames[] = {
    "thread",      "thread-python", "thread-marker", "stream", "stream-annotation",
    "stream-sync", "stream-marker", "overhead",      "window", "counter",
    "async"};
static_assert(std::size(kFamilyNames) == kNumFamilies);

static constexpr llvm::StringLiteral kTypeNames[] = {"int", "decimal", "string", "bool", "list",
                                                     "raw", "null",    "ph",     "cat",  "name",
                                                     "pid", "tid",     "ts",     "dur",  "args"};
static_assert(std::size(kTypeNames) == kNumValueTypes);

static constexpr llvm::StringLiteral kEdgeNames[] = {"launch", "fwdbwd", "record-wait", "send-recv",
                                                     "flow"};
static_assert(std::size(kEdgeNames) == kNumEdgeKinds);

template <typename E, size_t N>
static std::optional<E> lookup(const llvm::StringLiteral (&names)[N], llvm::StringRef name) {
  for (size_t i = 0; i != N; ++i)
    if (names[i] == name)
      return static_cast<E>(i);
  return std::nullopt;
}

llvm::StringRef heddle::kindName(EventKind k) { return kKindNames[static_cast<unsigned>(k)]; }
std::optional<EventKind> heddle::parseKind(llvm::StringRef name) {
  return lookup<EventKind>(kKindNames, name);
}
llvm::StringRef heddle::familyName(Family f) { return kFamilyNames[static_cast<unsigned>(f)]; }
std::optional<Family> heddle::parseFamily(llvm::StringRef name) {
  return lookup<Family>(kFamilyNames, name);
}
llvm::StringRef heddle::valueTypeName(ValueType t) { return kTypeNames[static_cast<unsigned>(t)]; }
llvm::StringRef heddle::edgeKindName(EdgeKind k) { return kEdgeNames[static_cast<unsigned>(k)]; }

llvm::StringRef heddle::vendorName(Vendor v) {
  static constexpr llvm::StringLiteral names[] = {"none", "cuda", "rocm", "xpu", "mtia", "other"};
  return names[static_cast<unsigned>(v)];
}

llvm::StringRef heddle::unitName(Unit u) {
  static constexpr llvm::StringLiteral names[] = {"", "ns", "bytes", "count", "percent"};
  return names[static_cast<unsigned>(u)];
}
