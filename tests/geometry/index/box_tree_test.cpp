#include "geometry/index/box_tree.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace wend {
namespace {

BoxTree::Extent randomExtent(Random& random, int32_t reach) {
  // Sizes from points to the whole world, most of them small and many in one corner.
  const auto size = static_cast<int32_t>(std::pow(reach, random.real(0, 1)));
  const int32_t home = random.chance(0.5) ? reach / 50 : reach;
  const auto at = [&] { return static_cast<int32_t>(random.between(-home, home)); };
  const auto more = [&] { return static_cast<int32_t>(random.between(0, size)); };
  BoxTree::Extent e;
  e.box.min = {at(), at()};
  e.box.max = {e.box.min.x + more(), e.box.min.y + more()};
  e.low = at();
  e.high = e.low + more();
  return e;
}

// Fewer than `most`.
std::vector<BoxTree::Extent> randomExtents(Random& random, uint64_t most, int32_t reach) {
  std::vector<BoxTree::Extent> extents(random.below(most));
  for (BoxTree::Extent& e : extents) e = randomExtent(random, reach);
  return extents;
}

TEST(BoxTree, FindEachItemOnce) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const int32_t reach = seed % 3 == 0 ? 20 : seed % 3 == 1 ? 100000 : 500000000;
    const std::vector<BoxTree::Extent> extents = randomExtents(random, seed % 7 == 0 ? 3 : 800, reach);
    Context context;
    const BoxTree rows(extents, seed % 2 == 0 ? &context : nullptr);
    for (int i = 0; i < 50; ++i) {
      const auto [box, low, high] = randomExtent(random, reach);
      std::vector<uint32_t> expected;
      for (uint32_t k = 0; k < extents.size(); ++k) {
        const BoxTree::Extent& e = extents[k];
        if (e.box.min.x < box.max.x && e.box.max.x > box.min.x && e.box.min.y < box.max.y && e.box.max.y > box.min.y &&
            e.low < high + 0.5 && e.high > low - 0.5) {
          expected.push_back(k);
        }
      }
      std::vector<uint32_t> found;
      rows.forEach(box, low - 0.5, high + 0.5, [&](uint32_t k) { found.push_back(k); });
      std::sort(found.begin(), found.end());
      EXPECT_EQ(found, expected) << "seed " << seed;
    }
  }
}

TEST(BoxTree, FindItemsForSeveralBoxes) {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    Random random(seed);
    const int32_t reach = seed % 3 == 0 ? 20 : 100000;
    const std::vector<BoxTree::Extent> extents = randomExtents(random, seed % 7 == 0 ? 3 : 800, reach);
    const BoxTree tree(extents);
    std::vector<BoxTree::Extent> boxes(random.between(1, BoxTree::kTogether));
    for (BoxTree::Extent& box : boxes) box = randomExtent(random, reach);
    std::vector<std::vector<uint32_t>> found(boxes.size());
    tree.forEach(boxes, [&](uint32_t k, uint32_t which) {
      for (size_t i = 0; i < boxes.size(); ++i) {
        if ((which >> i & 1) != 0) found[i].push_back(k);
      }
      EXPECT_EQ(which >> boxes.size(), 0U);
    });
    for (size_t i = 0; i < boxes.size(); ++i) {
      std::vector<uint32_t> expected;
      tree.forEach(boxes[i].box, boxes[i].low, boxes[i].high, [&](uint32_t k) { expected.push_back(k); });
      std::sort(found[i].begin(), found[i].end());
      std::sort(expected.begin(), expected.end());
      EXPECT_EQ(found[i], expected) << "seed " << seed;
    }
  }
}

TEST(BoxTree, TakeItemsUntilTheyAreDoneWith) {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    Random random(seed);
    const int32_t reach = seed % 3 == 0 ? 20 : 100000;
    const std::vector<BoxTree::Extent> extents = randomExtents(random, seed % 7 == 0 ? 3 : 800, reach);
    const BoxTree tree(extents);
    BoxTree::Rest rest(tree);
    std::vector<uint8_t> done(extents.size(), 0);
    for (int i = 0; i < 20; ++i) {
      std::vector<BoxTree::Extent> boxes(random.between(1, BoxTree::kTogether));
      for (BoxTree::Extent& box : boxes) box = randomExtent(random, reach);
      std::vector<std::pair<uint32_t, uint32_t>> expected;
      tree.forEach(boxes, [&](uint32_t k, uint32_t which) {
        if (done[k] == 0) expected.emplace_back(k, which);
      });
      std::vector<std::pair<uint32_t, uint32_t>> found;
      rest.take(boxes, [&](uint32_t k, uint32_t which) {
        found.emplace_back(k, which);
        done[k] = random.chance(0.3) ? 1 : 0;
        return done[k] != 0;
      });
      EXPECT_EQ(found, expected) << "seed " << seed;
    }
  }
}

TEST(BoxTree, FindEachPairOnce) {
  size_t most = 0;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    Random random(seed);
    const int32_t reach = seed % 3 == 0 ? 20 : seed % 3 == 1 ? 100000 : 500000000;
    std::vector<BoxTree::Extent> extents(random.below(seed % 7 == 0 ? 3 : 400));
    for (BoxTree::Extent& e : extents) e = randomExtent(random, reach);
    const auto margin = static_cast<int32_t>(random.below(3)) * reach / 100;
    const auto climb = static_cast<int32_t>(random.below(3)) * reach / 50;
    const BoxTree tree(extents);
    std::vector<std::pair<uint32_t, uint32_t>> expected;
    for (uint32_t i = 0; i < extents.size(); ++i) {
      for (uint32_t k = i + 1; k < extents.size(); ++k) {
        const BoxTree::Extent& p = extents[i];
        const BoxTree::Extent& q = extents[k];
        if (p.box.min.x - margin < q.box.max.x && p.box.max.x + margin > q.box.min.x &&
            p.box.min.y - margin < q.box.max.y && p.box.max.y + margin > q.box.min.y && p.low - climb < q.high &&
            p.high + climb > q.low) {
          expected.emplace_back(i, k);
        }
      }
    }
    std::vector<std::pair<uint32_t, uint32_t>> found;
    for (size_t leaf = 0; leaf < tree.leaves(); ++leaf) {
      tree.forEachPair(leaf, margin, climb,
                       [&](uint32_t i, uint32_t k) { found.emplace_back(std::min(i, k), std::max(i, k)); });
    }
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, expected) << "seed " << seed;
    most = std::max(most, found.size());
  }
  EXPECT_GT(most, 1000U);
}

}  // namespace
}  // namespace wend
