#include "base/slot_plan.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace wend {
namespace {

constexpr uint32_t kNobody = 0xffffffff;

class Planner {
 public:
  Planner(uint32_t slots, const std::function<uint32_t(uint32_t)>& sizeOf, std::span<const uint32_t> gone,
          std::span<const uint32_t> items)
      : slots_(slots), sizeOf_(sizeOf), gone_(gone), items_(items) {}

  SlotPlan run() {
    plan_.slotOfItem.assign(items_.size(), kNobody);
    reuse();
    plan_.firstMoved = end();
    plan_.slots = end();
    if (empty_ > 0) closeUp();
    return std::move(plan_);
  }

 private:
  // Slots behind the old ones belong to the items that found no slot.
  uint32_t end() const { return slots_ + static_cast<uint32_t>(appended_.size()); }
  uint32_t size(uint32_t slot) const { return slot < slots_ ? sizeOf_(slot) : items_[appended_[slot - slots_]]; }
  // What is in a slot: an item, or the block that was in slot `id`.
  struct Block {
    bool isItem;
    uint32_t id;
  };
  Block blockIn(uint32_t slot) const {
    if (slot >= slots_) return {true, appended_[slot - slots_]};
    const auto found = filled_.find(slot);
    return found == filled_.end() ? Block{false, slot} : found->second;
  }

  void reuse() {
    for (size_t i = gone_.size(); i-- > 0;) free_[sizeOf_(gone_[i])].push_back(gone_[i]);  // lowest last
    empty_ = gone_.size();
    for (uint32_t item = 0; item < items_.size(); ++item) {
      const auto found = free_.find(items_[item]);
      if (found == free_.end() || found->second.empty()) {
        plan_.slotOfItem[item] = end();
        appended_.push_back(item);
        continue;
      }
      const uint32_t slot = found->second.back();
      found->second.pop_back();
      plan_.slotOfItem[item] = slot;
      filled_[slot] = {true, item};
      --empty_;
    }
  }

  void put(const Block& block, uint32_t to) {
    if (block.isItem) {
      plan_.slotOfItem[block.id] = to;
    } else if (block.id != to) {
      plan_.moves.push_back({block.id, to});
    }
  }

  void closeUp() {
    for (auto& [size, list] : free_) std::sort(list.begin(), list.end());
    std::vector<uint32_t> vacant;  // descending
    uint32_t slot = end();
    while (empty_ > 0) {
      --slot;
      const auto found = free_.find(size(slot));
      if (found == free_.end() || found->second.empty()) continue;
      // The highest empty slot of the size is this one, or lies before it.
      const uint32_t target = found->second.back();
      found->second.pop_back();
      --empty_;
      vacant.push_back(slot);
      if (target != slot) filled_[target] = blockIn(slot);
    }
    plan_.firstMoved = slot;
    for (const auto& [target, block] : filled_) {
      if (target < slot) put(block, target);
    }
    uint32_t next = slot;
    for (uint32_t s = slot; s < end(); ++s) {
      if (!vacant.empty() && vacant.back() == s) {
        vacant.pop_back();
        continue;
      }
      put(blockIn(s), next++);
    }
    plan_.slots = next;
  }

  uint32_t slots_;
  const std::function<uint32_t(uint32_t)>& sizeOf_;
  std::span<const uint32_t> gone_;
  std::span<const uint32_t> items_;
  size_t empty_ = 0;                                          // slots
  std::unordered_map<uint32_t, std::vector<uint32_t>> free_;  // slots by size
  std::map<uint32_t, Block> filled_;                          // slots with another block than before
  std::vector<uint32_t> appended_;                            // items
  SlotPlan plan_;
};

}  // namespace

SlotPlan planSlots(uint32_t slots, const std::function<uint32_t(uint32_t)>& sizeOf, std::span<const uint32_t> gone,
                   std::span<const uint32_t> itemSizes) {
  return Planner(slots, sizeOf, gone, itemSizes).run();
}

}  // namespace wend
