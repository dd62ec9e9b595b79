//===- Walk.cpp - The yardstick of speed: a bare simdjson walk ------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Reads a JSON file with simdjson On-Demand and touches every key and value; `ts` and `dur` are
/// read as doubles. test/Bench/run gives our times as multiples of its time.
//===----------------------------------------------------------------------===//

#include <simdjson.h>

#include <cstdio>

using namespace simdjson;

namespace {

size_t walk(ondemand::value value, bool number) {
  size_t count = 1;
  switch (value.type()) {
  case ondemand::json_type::array:
    for (auto element : value.get_array())
      count += walk(element.value(), false);
    return count;
  case ondemand::json_type::object:
    for (auto field : value.get_object()) {
      ondemand::raw_json_string key = field.key();
      count += walk(field.value(), key.unsafe_is_equal("ts") || key.unsafe_is_equal("dur"));
    }
    return count;
  case ondemand::json_type::number:
    if (number)
      return count + (value.get_double().value() < 0);
    return count + value.raw_json_token().size();
  case ondemand::json_type::string:
    return count + value.get_raw_json_string().value().raw()[0];
  default:
    return count + value.raw_json_token().size();
  }
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s trace.json\n", argv[0]);
    return 2;
  }
  try {
    padded_string text = padded_string::load(argv[1]);
    ondemand::parser parser;
    ondemand::document document = parser.iterate(text);
    std::printf("%zu\n", walk(document.get_value(), false));
    return 0;
  } catch (const simdjson_error &error) {
    std::fprintf(stderr, "%s: %s\n", argv[1], error.what());
    return 1;
  }
}
