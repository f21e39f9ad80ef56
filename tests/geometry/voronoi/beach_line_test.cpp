#include "geometry/voronoi/beach_line.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"

namespace wend {
namespace {

std::vector<uint32_t> forwards(const BeachLine& line) {
  std::vector<uint32_t> keys;
  for (uint32_t id = line.first(); id != kNone; id = line.next(id)) keys.push_back(line[id].left);
  return keys;
}
std::vector<uint32_t> backwards(const BeachLine& line) {
  std::vector<uint32_t> keys;
  for (uint32_t id = line.last(); id != kNone; id = line.previous(id)) keys.push_back(line[id].left);
  std::reverse(keys.begin(), keys.end());
  return keys;
}

TEST(BeachLine, EmptyHasNothing) {
  const BeachLine line;
  EXPECT_EQ(line.first(), kNone);
  EXPECT_EQ(line.last(), kNone);
  EXPECT_EQ(line.find([](const BeachNode&) { return true; }), kNone);
}

TEST(BeachLine, LastNodeLeavesItEmpty) {
  BeachLine line;
  line.erase(line.insert(kNone, {7, 7, kNone, kNone}));
  EXPECT_EQ(line.first(), kNone);
  EXPECT_EQ(line.find([](const BeachNode&) { return false; }), kNone);
  EXPECT_EQ(line[line.insert(kNone, {8, 8, kNone, kNone})].left, 8U);
}

// Against a sorted vector of the keys: every operation, and every search from the root and from any node.
TEST(BeachLine, SameAsASortedVector) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed, 31);
    BeachLine line;
    std::vector<uint32_t> keys;
    std::vector<uint32_t> ids;
    for (int step = 0; step < 300; ++step) {
      if (!keys.empty() && random.chance(0.45)) {
        const size_t at = random.below(keys.size());
        line.erase(ids[at]);
        keys.erase(keys.begin() + static_cast<std::ptrdiff_t>(at));
        ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(at));
      } else {
        const auto key = static_cast<uint32_t>(random.below(1000));
        const auto isBefore = [&](const BeachNode& node) { return node.left < key; };
        const auto at = std::lower_bound(keys.begin(), keys.end(), key) - keys.begin();
        const uint32_t place = line.find(isBefore);
        ASSERT_EQ(place, at == std::ssize(ids) ? kNone : ids[static_cast<size_t>(at)]);
        for (const uint32_t near : ids) ASSERT_EQ(line.findFrom(near, isBefore), place);
        ids.insert(ids.begin() + at, line.insert(place, {key, key, kNone, kNone}));
        keys.insert(keys.begin() + at, key);
      }
      ASSERT_EQ(forwards(line), keys) << "seed " << seed;
      ASSERT_EQ(backwards(line), keys) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace wend
