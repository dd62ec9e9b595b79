//===- Traffic.cpp - What an op reads and writes at least -----------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Traffic.h"
#include "heddle/Analysis/Bytes.h"
#include "heddle/Support/Json.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace heddle::fusion {

namespace {

constexpr int64_t kMostBytes = int64_t{1} << 60;

/// What stands in the place of a type for arguments that are no tensor.
constexpr StringLiteral kNoTensor[] = {"",       "Scalar",    "ScalarList", "Int",
                                       "Double", "Bool",      "None",       "String",
                                       "Device", "Generator", "IntList",    "DoubleList"};

struct Tensor {
  int64_t elements, size;
  int64_t bytes() const { return elements * size; }
};

/// Nullopt if it is too large to be true, or no list of numbers.
std::optional<int64_t> elementsOf(const json::Array &dims, const json::Array *strides) {
  int64_t elements = 1;
  for (size_t i = 0; i != dims.size(); ++i) {
    std::optional<int64_t> n = dims[i].getAsInteger();
    if (!n || *n < 0)
      return std::nullopt;
    if (strides && strides->size() == dims.size() && (*strides)[i].getAsInteger() == 0)
      continue;
    if (__builtin_mul_overflow(elements, *n, &elements) || elements > kMostBytes / 16)
      return std::nullopt;
  }
  return elements;
}

/// The tensors among the arguments; nullopt if one of them is not known.
std::optional<std::vector<Tensor>>
tensorsOf(const json::Array *allDims, const json::Array *allTypes, const json::Array *allStrides) {
  if (!allDims || !allTypes || allDims->size() != allTypes->size())
    return std::nullopt;
  std::vector<Tensor> out;
  for (size_t i = 0; i != allDims->size(); ++i) {
    StringRef type = (*allTypes)[i].getAsString().value_or("?");
    if (is_contained(kNoTensor, type))
      continue;
    auto size = sizeOfCppType(type);
    const json::Array *own = (*allDims)[i].getAsArray();
    const json::Array *ownStrides =
        allStrides && i < allStrides->size() ? (*allStrides)[i].getAsArray() : nullptr;
    auto elements = own && size ? elementsOf(*own, ownStrides) : std::nullopt;
    if (!elements)
      return std::nullopt;
    out.push_back({*elements, *size});
  }
  return out;
}

} // namespace

Traffic trafficOf(OpClass kind, const json::Array *dims, const json::Array *types,
                  const json::Array *strides) {
  if (kind == OpClass::Unknown || kind == OpClass::Never)
    return {};
  auto tensors = tensorsOf(dims, types, strides);
  if (!tensors || tensors->empty() || tensors->size() > 64)
    return {};
  int64_t all = 0, most = 0, least = INT64_MAX;
  for (const Tensor &t : *tensors) {
    if (__builtin_add_overflow(all, t.bytes(), &all) || all > kMostBytes)
      return {};
    most = std::max(most, t.elements);
    least = std::min(least, t.size);
  }
  switch (kind) {
  case OpClass::Elementwise:
  case OpClass::Normalise:
    return {all, most * least};
  case OpClass::Predicate:
    return {all, most};
  case OpClass::Reduction:
    return {all, 0};
  case OpClass::Copy:
    return {all, all};
  case OpClass::CopyInto:
    if (tensors->size() < 2)
      return {};
    return {(*tensors)[1].bytes(), tensors->front().bytes()};
  case OpClass::Fill:
    return {0, tensors->front().bytes()};
  case OpClass::Unknown:
  case OpClass::Never:
    break;
  }
  return {};
}

TrafficReader::TrafficReader(const Rank &rank)
    : rank(rank), dimsReader(rank, {"Input Dims", "Input dims"}),
      types(rank, {"Input type", "Input Types"}), strides(rank, "Input Strides") {}

StringId TrafficReader::dims(EventRef op) const {
  return dimsReader.getStringId(rank.track(op.track), op.index).value_or(StringId::Empty);
}

const json::Array *TrafficReader::list(StringId text) {
  auto [it, isNew] = lists.try_emplace(text);
  if (isNew)
    it->second = parseJsonTree(rank.str(text));
  return it->second ? it->second->getAsArray() : nullptr;
}

Traffic TrafficReader::traffic(EventRef op, OpClass kind) {
  const Track &track = rank.track(op.track);
  StringId d = dims(op), t = types.getStringId(track, op.index).value_or(StringId::Empty),
           s = strides.getStringId(track, op.index).value_or(StringId::Empty);
  if (d == StringId::Empty || t == StringId::Empty)
    return {};
  auto [it, isNew] = known.try_emplace({kind, d, t, s});
  if (isNew)
    it->second = trafficOf(kind, list(d), list(t), list(s));
  return it->second;
}

} // namespace heddle::fusion
