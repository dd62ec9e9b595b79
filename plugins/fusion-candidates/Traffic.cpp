//===- Traffic.cpp - What an op reads and writes at least -----------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Traffic.h"
#include "heddle/Support/Json.h"
#include "llvm/ADT/StringSwitch.h"
#include <algorithm>

using namespace llvm;

namespace heddle::fusion {

namespace {

constexpr int64_t kMostBytes = int64_t{1} << 60;

/// Bytes of an element; 0 for arguments that are no tensor, -1 for what is not known.
int64_t elementSize(StringRef type) {
  return StringSwitch<int64_t>(type)
      .Cases("bool", "unsigned char", "signed char", "char", 1)
      .Cases("int8_t", "uint8_t", 1)
      .Cases("short", "short int", "unsigned short", "c10::Half", "c10::BFloat16", 2)
      .Cases("at::Half", "at::BFloat16", 2)
      .Cases("int", "float", "unsigned int", "c10::complex<c10::Half>", 4)
      .Cases("long", "long int", "double", "unsigned long", "c10::complex<float>", 8)
      .Case("c10::complex<double>", 16)
      .Cases("", "Scalar", "ScalarList", "Int", "Double", "Bool", 0)
      .Cases("None", "String", "Device", "Generator", "IntList", "DoubleList", 0)
      .StartsWith("c10::Float8", 1)
      .Default(-1);
}

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
std::optional<std::vector<Tensor>> tensorsOf(StringRef dims, StringRef types, StringRef strides) {
  auto dimsTree = parseJsonTree(dims), typesTree = parseJsonTree(types);
  const json::Array *allDims = dimsTree ? dimsTree->getAsArray() : nullptr;
  const json::Array *allTypes = typesTree ? typesTree->getAsArray() : nullptr;
  if (!allDims || !allTypes || allDims->size() != allTypes->size())
    return std::nullopt;
  auto stridesTree = parseJsonTree(strides);
  const json::Array *allStrides = stridesTree ? stridesTree->getAsArray() : nullptr;
  std::vector<Tensor> out;
  for (size_t i = 0; i != allDims->size(); ++i) {
    int64_t size = elementSize((*allTypes)[i].getAsString().value_or("?"));
    if (size == 0)
      continue;
    const json::Array *own = (*allDims)[i].getAsArray();
    const json::Array *ownStrides =
        allStrides && i < allStrides->size() ? (*allStrides)[i].getAsArray() : nullptr;
    auto elements = own && size > 0 ? elementsOf(*own, ownStrides) : std::nullopt;
    if (!elements)
      return std::nullopt;
    out.push_back({*elements, size});
  }
  return out;
}

} // namespace

Traffic trafficOf(OpClass kind, StringRef dims, StringRef types, StringRef strides) {
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

StringRef TrafficReader::dims(EventRef op) const {
  return dimsReader.getString(rank.track(op.track), op.index).value_or("");
}

Traffic TrafficReader::traffic(EventRef op, OpClass kind) {
  const Track &track = rank.track(op.track);
  StringRef d = dims(op), t = types.getString(track, op.index).value_or(""),
            s = strides.getString(track, op.index).value_or("");
  if (d.empty() || t.empty())
    return {};
  // No text of a list holds a zero byte.
  std::string key =
      (Twine(static_cast<unsigned>(kind)) + d + Twine('\0') + t + Twine('\0') + s).str();
  auto [it, isNew] = known.try_emplace(key);
  if (isNew)
    it->second = trafficOf(kind, d, t, s);
  return it->second;
}

} // namespace heddle::fusion
