#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include <wend/lattice.h>

// Finds equal things: ids of the first of each, in a table of open addresses that grows as it fills.
namespace wend::exact {

class FirstEqual {
 public:
  explicit FirstEqual(size_t expected) : slots_(std::bit_ceil(expected + expected / 2 + 2)) {}

  // The item equal to `item`, which is entered if there is none. Equal items have equal hashes.
  template <typename Equal>
  uint32_t find(uint64_t hash, uint32_t item, Equal&& equal) {
    const uint32_t tag = mixed(hash);
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

 private:
  struct Slot {
    uint32_t item = kNone;
    uint32_t tag = 0;  // the hash, so that most unequal items need not be looked at
  };

  static uint32_t mixed(uint64_t h) {
    h *= 0x9e3779b97f4a7c15ULL;
    h ^= h >> 29;
    h *= 0xbf58476d1ce4e5b9ULL;
    return static_cast<uint32_t>(h >> 32);
  }

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

}  // namespace wend::exact
