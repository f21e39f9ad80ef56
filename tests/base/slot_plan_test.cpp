#include "base/slot_plan.h"

#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"

namespace wend {
namespace {

struct Block {
  int name;
  uint32_t size;
  bool operator==(const Block&) const = default;
};

// The blocks after a plan. Fails if two share a slot or a slot stays empty, or if one before firstMoved begins
// elsewhere.
std::vector<Block> carryOut(const std::vector<Block>& old, const SlotPlan& plan, const std::vector<uint32_t>& gone,
                            const std::vector<Block>& items) {
  std::vector<Block> now(plan.slots, Block{-1, 0});
  std::vector<bool> leaves(old.size(), false);
  for (const uint32_t slot : gone) leaves[slot] = true;
  for (const SlotPlan::Move& move : plan.moves) leaves[move.from] = true;
  for (uint32_t slot = 0; slot < old.size(); ++slot) {
    if (leaves[slot]) continue;
    EXPECT_LT(slot, plan.slots);
    now[slot] = old[slot];
  }
  const auto put = [&](uint32_t slot, const Block& block) {
    ASSERT_LT(slot, now.size());
    EXPECT_EQ(now[slot].name, -1);
    now[slot] = block;
  };
  for (const SlotPlan::Move& move : plan.moves) put(move.to, old[move.from]);
  for (size_t i = 0; i < items.size(); ++i) put(plan.slotOfItem[i], items[i]);
  for (uint32_t slot = 0; slot < now.size(); ++slot) {
    EXPECT_NE(now[slot].name, -1);
    if (slot < plan.firstMoved && slot < old.size()) {
      EXPECT_EQ(now[slot].size, old[slot].size);
    }
  }
  return now;
}

SlotPlan planOf(const std::vector<Block>& old, const std::vector<uint32_t>& gone, const std::vector<Block>& items) {
  std::vector<uint32_t> sizes;
  for (const Block& item : items) sizes.push_back(item.size);
  return planSlots(
      static_cast<uint32_t>(old.size()), [&](uint32_t slot) { return old[slot].size; }, gone, sizes);
}

TEST(SlotPlan, NothingChanges) {
  const std::vector<Block> old{{0, 3}, {1, 4}};
  const SlotPlan plan = planOf(old, {}, {});
  EXPECT_EQ(plan.slots, 2U);
  EXPECT_TRUE(plan.moves.empty());
}

TEST(SlotPlan, AnItemOfTheSameSizeTakesTheSlot) {
  const std::vector<Block> old{{0, 3}, {1, 4}, {2, 5}};
  const SlotPlan plan = planOf(old, {1}, {{7, 4}});
  EXPECT_EQ(plan.slotOfItem, std::vector<uint32_t>{1});
  EXPECT_TRUE(plan.moves.empty());
  EXPECT_EQ(plan.slots, 3U);
}

TEST(SlotPlan, TheLastBlockOfTheSizeFillsAGap) {
  const std::vector<Block> old{{0, 3}, {1, 4}, {2, 4}, {3, 5}};
  const SlotPlan plan = planOf(old, {1}, {});
  EXPECT_EQ(carryOut(old, plan, {1}, {}), (std::vector<Block>{{0, 3}, {2, 4}, {3, 5}}));
  EXPECT_EQ(plan.firstMoved, 2U);
}

TEST(SlotPlan, NoBlockIsLostOrDoubled) {
  Random random(3);
  for (int round = 0; round < 3000; ++round) {
    std::vector<Block> old;
    const auto count = random.below(30);
    int name = 0;
    for (uint64_t i = 0; i < count; ++i) old.push_back({name++, static_cast<uint32_t>(random.between(1, 6))});
    std::vector<uint32_t> gone;
    for (uint32_t i = 0; i < old.size(); ++i) {
      if (random.chance(0.3)) gone.push_back(i);
    }
    std::vector<Block> items;
    for (uint64_t i = random.below(12); i > 0; --i)
      items.push_back({name++, static_cast<uint32_t>(random.between(1, 6))});
    const std::vector<Block> now = carryOut(old, planOf(old, gone, items), gone, items);
    ASSERT_FALSE(HasFailure()) << "round " << round;
    ASSERT_EQ(now.size(), old.size() - gone.size() + items.size());
  }
}

TEST(SlotPlan, FewBlocksMoveInALongArray) {
  Random random(4);
  std::vector<Block> old;
  for (int i = 0; i < 100000; ++i) old.push_back({i, static_cast<uint32_t>(random.between(3, 6))});
  const SlotPlan plan = planOf(old, {10, 11, 12, 13, 14}, {{-2, 9}});
  EXPECT_LT(plan.moves.size(), 100U);
}

}  // namespace
}  // namespace wend
