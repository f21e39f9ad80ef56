#include "environment/extract/exact/box_tree.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace wend::exact {
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

TEST(BoxTree, FindEachItemOnce) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const int32_t reach = seed % 3 == 0 ? 20 : seed % 3 == 1 ? 100000 : 500000000;
    std::vector<BoxTree::Extent> extents(random.below(seed % 7 == 0 ? 3 : 800));
    for (BoxTree::Extent& e : extents) e = randomExtent(random, reach);
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

}  // namespace
}  // namespace wend::exact
