#include "planning/replan/replan_queue.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "base/random.h"

namespace wend {
namespace {

TEST(ReplanQueue, Empty) {
  ReplanQueue queue;
  std::vector<uint32_t> out;
  queue.take(5, out);
  queue.remove(3);
  EXPECT_TRUE(out.empty());
  EXPECT_TRUE(queue.empty());
}

TEST(ReplanQueue, FirstInFirstOutAndByIdWithinAFrame) {
  ReplanQueue queue;
  for (const uint32_t agent : {7U, 3U, 9U}) queue.add(agent, 10);
  queue.add(1, 11);
  queue.add(9, 12);  // waits already
  queue.add(4, 9);
  EXPECT_EQ(queue.size(), 5U);
  std::vector<uint32_t> out;
  queue.take(2, out);
  EXPECT_EQ(out, (std::vector<uint32_t>{4, 3}));
  queue.remove(9);
  queue.take(0, out);
  EXPECT_EQ(out, (std::vector<uint32_t>{4, 3, 7, 1}));
  EXPECT_FALSE(queue.has(7));
  queue.add(7, 20);
  EXPECT_TRUE(queue.has(7));
}

TEST(ReplanQueue, TheOrderOfCallsDoesNotMatter) {
  ReplanQueue a;
  ReplanQueue b;
  for (uint32_t i = 0; i < 100; ++i) a.add(i, i / 10);
  for (uint32_t i = 100; i-- > 0;) b.add(i, i / 10);
  EXPECT_EQ(a, b);
  const std::vector<ReplanQueue::Entry> entries = a.entries();
  EXPECT_EQ(ReplanQueue::of(entries), a);
  // Nobody waits longer than the queue is long.
  std::vector<uint32_t> out;
  for (int frame = 0; frame < 10; ++frame) a.take(10, out);
  ASSERT_EQ(out.size(), 100U);
  for (uint32_t i = 0; i < 100; ++i) EXPECT_EQ(out[i], i);
}

// Against a sorted set, with agents that leave the queue and come back.
TEST(ReplanQueue, IsASortedSet) {
  Random random(8);
  ReplanQueue queue;
  std::set<ReplanQueue::Entry> slow;
  const auto find = [&](uint32_t agent) {
    return std::find_if(slow.begin(), slow.end(), [&](const auto& entry) { return entry.agent == agent; });
  };
  uint64_t frame = 0;
  for (int i = 0; i < 20'000; ++i) {
    const auto agent = static_cast<uint32_t>(random.below(60));
    if (random.chance(0.6)) {
      queue.add(agent, frame);
      if (find(agent) == slow.end()) slow.insert({frame, agent});
    } else if (random.chance(0.6)) {
      queue.remove(agent);
      if (const auto at = find(agent); at != slow.end()) slow.erase(at);
    } else {
      const auto budget = static_cast<uint32_t>(random.below(6));
      std::vector<uint32_t> taken;
      queue.take(budget, taken);
      for (size_t n = slow.size(), k = 0; k < (budget == 0 ? n : std::min<size_t>(n, budget)); ++k) {
        ASSERT_LT(k, taken.size());
        ASSERT_EQ(taken[k], slow.begin()->agent);
        slow.erase(slow.begin());
      }
      ++frame;
    }
    ASSERT_EQ(queue.size(), slow.size());
    ASSERT_EQ(queue.has(agent), find(agent) != slow.end());
    ASSERT_EQ(queue.entries(), std::vector<ReplanQueue::Entry>(slow.begin(), slow.end()));
  }
}

}  // namespace
}  // namespace wend
