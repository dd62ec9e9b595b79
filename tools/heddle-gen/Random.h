//===- Random.h - Numbers by seed, the same on every platform ---*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// SplitMix64 in integers only: what a seed makes is the same everywhere and for ever.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_GEN_RANDOM_H
#define HEDDLE_GEN_RANDOM_H

#include <cstdint>

namespace heddle::gen {

class Random {
public:
  /// Different `stream` values of one seed are independent of each other.
  Random(uint64_t seed, uint64_t stream) : state(seed * 0x9e3779b97f4a7c15u ^ stream << 32) {
    next();
  }

  uint64_t next() {
    state += 0x9e3779b97f4a7c15u;
    uint64_t z = state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
  }

  /// 0 .. n-1; n > 0.
  int64_t below(int64_t n) { return static_cast<int64_t>(next() % static_cast<uint64_t>(n)); }
  /// low .. high, both included.
  int64_t between(int64_t low, int64_t high) { return low + below(high - low + 1); }
  /// `mean` up to `percent` more or less, as the mean of two draws; at least 1.
  int64_t around(int64_t mean, int64_t percent) {
    int64_t spread = mean * percent / 100;
    int64_t value = mean - spread + (below(2 * spread + 1) + below(2 * spread + 1)) / 2;
    return value < 1 ? 1 : value;
  }
  bool oneIn(int64_t n) { return below(n) == 0; }

private:
  uint64_t state;
};

} // namespace heddle::gen

#endif
