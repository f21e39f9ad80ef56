#include "geometry/index/growing_tree.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace wend {
namespace {

BoxTree::Extent randomExtent(Random& random) {
  const auto at = [&] { return static_cast<int32_t>(random.between(-1000, 1000)); };
  const auto more = [&] { return static_cast<int32_t>(random.between(0, 100)); };
  BoxTree::Extent e;
  e.box.min = {at(), at()};
  e.box.max = {e.box.min.x + more(), e.box.min.y + more()};
  return e;
}

TEST(GrowingTree, HasNothingAtFirst) {
  GrowingTree tree;
  tree.add({});
  EXPECT_EQ(tree.size(), 0U);
  tree.forEach({{-1000, -1000}, {1000, 1000}}, [](uint32_t) { ADD_FAILURE(); });
}

TEST(GrowingTree, FindsEachItemOnceAfterEveryStep) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    GrowingTree tree;
    std::vector<BoxTree::Extent> all;
    for (int step = 0; step < 60; ++step) {
      std::vector<BoxTree::Extent> some(random.below(random.chance(0.1) ? 300 : 12));
      for (BoxTree::Extent& e : some) e = randomExtent(random);
      tree.add(some);
      all.insert(all.end(), some.begin(), some.end());
      const Box box = randomExtent(random).box;
      std::vector<uint32_t> expected;
      for (uint32_t i = 0; i < all.size(); ++i) {
        const Box& b = all[i].box;
        if (b.min.x < box.max.x && b.max.x > box.min.x && b.min.y < box.max.y && b.max.y > box.min.y) {
          expected.push_back(i);
        }
      }
      std::vector<uint32_t> found;
      tree.forEach(box, [&](uint32_t i) { found.push_back(i); });
      std::sort(found.begin(), found.end());
      ASSERT_EQ(found, expected) << "seed " << seed << ", step " << step;
    }
  }
}

}  // namespace
}  // namespace wend
