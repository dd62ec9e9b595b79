//===- Allocator.h - Device memory in blocks --------------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// As PyTorch's caching allocator: sizes are rounded up, freed blocks are kept for those of the
/// same size, and what is reserved grows by whole segments.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_GEN_ALLOCATOR_H
#define HEDDLE_GEN_ALLOCATOR_H

#include <cstdint>
#include <map>
#include <vector>

namespace heddle::gen {

class Allocator {
public:
  /// Where a new block lies.
  int64_t allocate(int64_t bytes) {
    int64_t size = (bytes + 511) / 512 * 512, address;
    std::vector<int64_t> &kept = cached[size];
    if (!kept.empty()) {
      address = kept.back();
      kept.pop_back();
    } else {
      address = carve(size);
    }
    sizes[address] = size;
    allocatedBytes += size;
    return address;
  }
  /// The size of the block, which is free now.
  int64_t release(int64_t address) {
    auto block = sizes.find(address);
    int64_t size = block->second;
    sizes.erase(block);
    cached[size].push_back(address);
    allocatedBytes -= size;
    return size;
  }
  int64_t sizeOf(int64_t address) const { return sizes.at(address); }
  int64_t allocated() const { return allocatedBytes; }
  int64_t reserved() const { return reservedBytes; }

private:
  int64_t carve(int64_t size) {
    bool small = size <= 1 << 20;
    Segment &segment = small ? smallOnes : largeOnes;
    if (segment.left < size) {
      segment.left = small             ? 2 << 20
                     : size < 10 << 20 ? 20 << 20
                                       : (size + (2 << 20) - 1) / (2 << 20) * (2 << 20);
      segment.at = 0x7f1000000000 + reservedBytes;
      reservedBytes += segment.left;
    }
    int64_t address = segment.at;
    segment.at += size;
    segment.left -= size;
    return address;
  }

  struct Segment {
    int64_t at = 0, left = 0;
  };
  Segment smallOnes, largeOnes;
  std::map<int64_t, int64_t> sizes;               ///< Of used blocks, by address.
  std::map<int64_t, std::vector<int64_t>> cached; ///< Free ones, by size.
  int64_t allocatedBytes = 0, reservedBytes = 0;
};

} // namespace heddle::gen

#endif
