#include <chrono>
#include <cstdio>

#include <gtest/gtest.h>

#include "geometry/overlay.h"
#include "geometry/polygon_check.h"
#include "geometry/simplify.h"
#include "tests/geometry/segment_soup.h"

namespace wend {
namespace {

using Polygons = std::vector<Polygon>;

class Clock {
 public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - start_).count();
    start_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

Polygons expectValid(
    const char* name, const std::vector<Shape>& shapes,
    const std::function<bool(uint32_t)>& keep = [](uint32_t groups) { return groups != 0; }) {
  size_t vertices = 0;
  for (const Shape& shape : shapes) {
    for (const Ring& loop : shape.loops) vertices += loop.size();
  }
  Clock clock;
  const auto result = overlay(shapes, keep);
  const double combining = clock.lap();
  EXPECT_TRUE(result.ok()) << result.error().message;
  if (!result.ok()) return {};
  const auto faults = findPolygonFaults(*result, 3);
  const double checking = clock.lap();
  EXPECT_TRUE(faults.empty()) << faults[0].message;
  const Polygons simple = simplify(*result, 10);
  const double simplifying = clock.lap();
  EXPECT_TRUE(findPolygonFaults(simple, 1).empty());
  std::printf("%-22s %8zu in, %8zu out: overlay %6.2f s, check %5.2f s, simplify %5.2f s\n", name, vertices,
              vertexCount(*result), combining, checking, simplifying);
  return *result;
}

TEST(OverlaySlow, CityBlocks) {
  // A floor with 250,000 square buildings, some of which touch or overlap.
  constexpr int32_t kSide = 500;
  Random random(1);
  std::vector<Shape> shapes = {{0, {{{0, 0}, {kSide * 1000, 0}, {kSide * 1000, kSide * 1000}, {0, kSide * 1000}}}}};
  for (int32_t x = 0; x < kSide; ++x) {
    for (int32_t y = 0; y < kSide; ++y) {
      const auto r = static_cast<int32_t>(random.between(100, 520));
      const Point c{x * 1000 + 500, y * 1000 + 500};
      shapes.push_back({1, {{{c.x - r, c.y}, {c.x, c.y - r}, {c.x + r, c.y}, {c.x, c.y + r}}}});
    }
  }
  const Polygons free = expectValid("city blocks", shapes, [](uint32_t groups) { return groups == 1; });
  EXPECT_GE(free.size(), 1U);
}

TEST(OverlaySlow, RandomStars) {
  for (const int32_t reach : {50, 3000, 1'000'000, kMaxCoordinate}) {
    Random random(2);
    std::vector<Shape> shapes;
    for (int i = 0; i < 100; ++i) {
      Ring loop;
      for (int k = 0; k < 15; ++k) loop.push_back(soup::randomPoint(random, reach));
      shapes.push_back({static_cast<uint32_t>(i % 3), {loop}});
    }
    expectValid("stars, exactly one", shapes, [](uint32_t g) { return g == 1 || g == 2 || g == 4; });
  }
}

TEST(OverlaySlow, AnySoupBecomesValidAndStays) {
  for (uint64_t seed = 0; seed < 10'000; ++seed) {
    Random random(seed, 41);
    const int32_t reach = soup::randomReach(random);
    std::vector<Shape> shapes;
    for (size_t i = 1 + random.below(8); i > 0; --i) {
      Shape shape{static_cast<uint32_t>(random.below(3)), {}};
      for (size_t l = 1 + random.below(3); l > 0; --l) {
        Ring& loop = shape.loops.emplace_back();
        for (size_t k = random.below(12); k > 0; --k) loop.push_back(soup::randomPoint(random, reach));
      }
      shapes.push_back(shape);
    }
    const uint32_t rule = static_cast<uint32_t>(random.below(256)) & ~1U;  // a truth table over three groups
    const auto once = overlay(shapes, [rule](uint32_t groups) { return (rule >> groups & 1U) != 0; });
    ASSERT_TRUE(once.ok()) << "seed " << seed;
    const auto faults = findPolygonFaults(*once, 1);
    ASSERT_TRUE(faults.empty()) << "seed " << seed << ": " << faults[0].message;
    const auto again = unite(*once, {});
    ASSERT_TRUE(again.ok());
    ASSERT_EQ(*again, *once) << "seed " << seed;
  }
}

}  // namespace
}  // namespace wend
