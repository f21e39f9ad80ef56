#include "geometry/index/grid_index.h"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "tests/geometry/segment_soup.h"

namespace wend {
namespace {

Box randomBox(Random& random, int32_t reach) {
  Box box;
  box.add(soup::randomPoint(random, reach));
  if (random.chance(0.7)) {
    const Point d = soup::randomPoint(random, std::max(1, reach / 20));
    box.add(Point{std::clamp(box.min.x + d.x, -kMaxCoordinate, kMaxCoordinate),
                  std::clamp(box.min.y + d.y, -kMaxCoordinate, kMaxCoordinate)});
  } else if (random.chance(0.5)) {
    box.add(soup::randomPoint(random, reach));
  }
  return box;
}

bool meets(const Box& a, const Box& b) {
  return !a.empty() && !b.empty() && a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y &&
         b.min.y <= a.max.y;
}

TEST(GridIndex, Empty) {
  const GridIndex none;
  EXPECT_TRUE(none.at(Point{0, 0}).empty());
  EXPECT_TRUE(none.at(Vec2{0, 0}).empty());
  const GridIndex index(std::vector<Box>{Box{}, Box{}});
  EXPECT_EQ(index.itemCount(), 2U);
  EXPECT_TRUE(index.at(Point{0, 0}).empty());
  index.forEach(Box{{-5, -5}, {5, 5}}, [](uint32_t) { FAIL() << "an empty box lies nowhere"; });
}

TEST(GridIndex, OnePoint) {
  const GridIndex index(std::vector<Box>{{{7, -3}, {7, -3}}});
  ASSERT_EQ(index.at(Point{7, -3}).size(), 1U);
  EXPECT_TRUE(index.at(Point{8, -3}).empty());
  EXPECT_TRUE(index.at(Vec2{std::numeric_limits<double>::quiet_NaN(), 0}).empty());
  EXPECT_TRUE(index.at(Vec2{1e300, -3}).empty());
}

TEST(GridIndex, AgreesWithBruteForce) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed, 31);
    const int32_t reach = soup::randomReach(random);
    std::vector<Box> boxes;
    for (size_t i = random.below(200); i > 0; --i) boxes.push_back(randomBox(random, reach));
    if (random.chance(0.2)) boxes.emplace_back();
    const GridIndex index(boxes);
    for (int q = 0; q < 30; ++q) {
      const Box query = randomBox(random, reach);
      std::vector<uint8_t> found(boxes.size(), 0);
      index.forEach(query, [&](uint32_t item) { found[item] = 1; });
      const Point p = soup::randomPoint(random, reach);
      const auto at = index.at(p);
      const Vec2 v{p.x + random.real(), p.y + random.real()};
      const auto near = index.at(v);
      for (uint32_t i = 0; i < boxes.size(); ++i) {
        if (meets(boxes[i], query)) {
          ASSERT_EQ(found[i], 1) << "seed " << seed;
        }
        if (meets(boxes[i], {p, p})) {
          ASSERT_NE(std::find(at.begin(), at.end(), i), at.end()) << "seed " << seed;
        }
        if (!boxes[i].empty() && v.x >= boxes[i].min.x && v.x <= boxes[i].max.x && v.y >= boxes[i].min.y &&
            v.y <= boxes[i].max.y) {
          ASSERT_NE(std::find(near.begin(), near.end(), i), near.end()) << "seed " << seed;
        }
      }
    }
  }
}

TEST(GridIndex, StaysSmall) {
  // Long items, thin worlds, crowds far from a lonely item: entries stay in proportion to the items.
  std::vector<Box> boxes;
  for (int32_t i = 0; i < 10'000; ++i) boxes.push_back({{-kMaxCoordinate, i * 10}, {kMaxCoordinate, i * 10}});
  EXPECT_LT(GridIndex(boxes).memory(), 100 * boxes.size());
  for (int32_t i = 0; i < 10'000; ++i) boxes[i] = {{i, 0}, {i, 0}};
  boxes.push_back({{kMaxCoordinate, kMaxCoordinate}, {kMaxCoordinate, kMaxCoordinate}});
  EXPECT_LT(GridIndex(boxes).memory(), 100 * boxes.size());
}

}  // namespace
}  // namespace wend
