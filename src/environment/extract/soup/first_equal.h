#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include <wend/lattice.h>

#include "base/parallel.h"

// Finds equal items: ids of the first of each, in a table of open addresses that grows as it fills.
namespace wend::extraction {

class FirstEqual {
 public:
  explicit FirstEqual(size_t expected) : slots_(std::bit_ceil(expected + expected / 2 + 2)) {}

  // The item equal to `item`, which is entered if there is none. Equal items have equal hashes.
  template <typename Equal>
  uint32_t find(uint64_t hash, uint32_t item, Equal&& equal) {
    return findTag(mixed(hash), item, equal);
  }

  // The same for a hash that is mixed already.
  template <typename Equal>
  uint32_t findTag(uint32_t tag, uint32_t item, Equal&& equal) {
    for (size_t at = tag & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
      Slot& slot = slots_[at];
      if (slot.item == kNone) {
        slot = {item, tag};
        if (4 * ++used_ > 3 * slots_.size()) grow();
        return item;
      }
      if (slot.tag == tag && equal(slot.item)) return slot.item;
    }
  }

  static uint32_t mixed(uint64_t h) {
    h *= 0x9e3779b97f4a7c15ULL;
    h ^= h >> 29;
    h *= 0xbf58476d1ce4e5b9ULL;
    return static_cast<uint32_t>(h >> 32);
  }

 private:
  struct Slot {
    uint32_t item = kNone;
    uint32_t tag = 0;  // the hash, so that most unequal items need not be looked at
  };

  void grow() {
    std::vector<Slot> before(2 * slots_.size());
    before.swap(slots_);
    for (const Slot& slot : before) {
      if (slot.item == kNone) continue;
      size_t at = slot.tag & (slots_.size() - 1);
      while (slots_[at].item != kNone) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = slot;
    }
  }

  std::vector<Slot> slots_;
  size_t used_ = 0;
};

// Items in parts by their hashes, so that equal ones are in the same part, and each part can be one thread's.
template <typename Hash>
class HashParts {
 public:
  HashParts(size_t n, const Context& context, const Hash& hashOf)
      : n_(n), count_(context.threads == 1 || n < kWorthIt ? 1 : kParts), hashOf_(hashOf) {
    if (count_ == 1) return;
    const size_t blocks = (n + kBlock - 1) / kBlock;
    entries_ = std::make_unique_for_overwrite<Entry[]>(n);
    begin_.resize(blocks * count_ + 1, static_cast<uint32_t>(n));
    parallelFor(blocks, context, [&](size_t block) {
      const size_t first = block * kBlock;
      const size_t size = std::min(n - first, kBlock);
      std::array<uint32_t, kBlock> tags;
      std::array<uint32_t, kParts> at{};
      for (size_t i = 0; i < size; ++i) {
        tags[i] = FirstEqual::mixed(hashOf_(static_cast<uint32_t>(first + i)));
        ++at[partOf(tags[i])];
      }
      std::exclusive_scan(at.begin(), at.end(), at.begin(), static_cast<uint32_t>(first));
      std::copy_n(at.begin(), count_, begin_.begin() + static_cast<std::ptrdiff_t>(block * count_));
      for (size_t i = 0; i < size; ++i) {
        entries_[at[partOf(tags[i])]++] = {static_cast<uint32_t>(first + i), tags[i]};
      }
    });
  }

  size_t count() const { return count_; }
  // Calls visit(item, tag) with the mixed hash, for the items of a part in their order.
  template <typename Visit>
  void forEach(size_t part, const Visit& visit) const {
    if (count_ == 1) {
      for (uint32_t i = 0; i < n_; ++i) visit(i, FirstEqual::mixed(hashOf_(i)));
    }
    for (size_t k = part; k + 1 < begin_.size(); k += count_) {
      for (uint32_t i = begin_[k]; i < begin_[k + 1]; ++i) visit(entries_[i].item, entries_[i].tag);
    }
  }

 private:
  static constexpr size_t kWorthIt = 20000;
  static constexpr size_t kParts = 4;
  static constexpr size_t kBlock = 4096;
  struct Entry {
    uint32_t item;
    uint32_t tag;
  };

  // By the upper bits: the lower ones choose the slot.
  static size_t partOf(uint32_t tag) { return tag >> 30; }

  size_t n_;
  size_t count_;
  Hash hashOf_;
  std::unique_ptr<Entry[]> entries_;  // block by block, in each by part
  std::vector<uint32_t> begin_;       // of each part of each block
};

// For each of n items the first that equals it: itself, or an earlier one.
template <typename Hash, typename Equal>
std::vector<uint32_t> firstEquals(size_t n, const Context& context, const Hash& hashOf, const Equal& equal) {
  const HashParts parts(n, context, hashOf);
  std::vector<uint32_t> first(n);
  parallelFor(parts.count(), context, [&](size_t part) {
    FirstEqual known(n / parts.count());
    parts.forEach(part, [&](uint32_t i, uint32_t tag) {
      first[i] = known.findTag(tag, i, [&](uint32_t other) { return equal(other, i); });
    });
  });
  return first;
}

}  // namespace wend::extraction
