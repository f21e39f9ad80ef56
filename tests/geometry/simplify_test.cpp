#include "geometry/simplify.h"

#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include <gtest/gtest.h>

#include "geometry/index/point_tree.h"
#include "geometry/int128.h"
#include "geometry/overlay.h"
#include "geometry/polygon_check.h"
#include "tests/geometry/segment_soup.h"

namespace wend {
namespace {

using Polygons = std::vector<Polygon>;

Ring plainSquare(int32_t x, int32_t y, int32_t side) {
  return {{x, y}, {x + side, y}, {x + side, y + side}, {x, y + side}};
}

std::vector<Ring> ringsOf(const Polygons& polygons) {
  std::vector<Ring> rings;
  for (const Polygon& polygon : polygons) {
    rings.push_back(polygon.outer);
    rings.insert(rings.end(), polygon.holes.begin(), polygon.holes.end());
  }
  return rings;
}

double distance(Point a, Point b, Point p) {
  const double dx = static_cast<double>(b.x) - a.x;
  const double dy = static_cast<double>(b.y) - a.y;
  const double length2 = dx * dx + dy * dy;
  const double px = static_cast<double>(p.x) - a.x;
  const double py = static_cast<double>(p.y) - a.y;
  const double t = length2 == 0 ? 0 : std::clamp((px * dx + py * dy) / length2, 0.0, 1.0);
  return std::hypot(px - t * dx, py - t * dy);
}

// Whether the simple ring is a part of the ring in order, with every dropped vertex near the side that replaces it.
// Tries every passage of the first vertex, since a ring may visit it twice.
bool replaces(const Ring& ring, const Ring& simple, double tolerance) {
  for (size_t start = 0; start < ring.size(); ++start) {
    if (ring[start] != simple[0]) continue;
    size_t i = start;
    bool good = true;
    for (size_t k = 0; k < simple.size() && good; ++k) {
      const Point a = simple[k];
      const Point b = simple[(k + 1) % simple.size()];
      for (++i; i <= start + ring.size() && ring[i % ring.size()] != b; ++i) {
        good = good && distance(a, b, ring[i % ring.size()]) <= tolerance * (1 + 1e-9) + 1e-9;
      }
      good = good && i <= start + ring.size();
    }
    if (good && i == start + ring.size()) return true;
  }
  return false;
}

void expectSimplified(const Polygons& input, double tolerance, const std::vector<Point>& keep = {}) {
  const Polygons output = simplify(input, tolerance, keep);
  const auto faults = findPolygonFaults(output);
  ASSERT_TRUE(faults.empty()) << polygonFaultName(faults[0].kind) << ": " << faults[0].message;
  ASSERT_EQ(output.size(), input.size());
  for (size_t i = 0; i < input.size(); ++i) ASSERT_EQ(output[i].holes.size(), input[i].holes.size());
  const std::vector<Ring> before = ringsOf(input);
  const std::vector<Ring> after = ringsOf(output);
  std::map<Point, int> visitsBefore;
  std::map<Point, int> visitsAfter;
  for (size_t r = 0; r < before.size(); ++r) {
    ASSERT_TRUE(replaces(before[r], after[r], tolerance)) << "ring " << r;
    for (const Point p : before[r]) ++visitsBefore[p];
    for (const Point p : after[r]) ++visitsAfter[p];
  }
  for (const auto& [p, visits] : visitsBefore) {
    if (visits > 1) {
      ASSERT_EQ(visitsAfter[p], visits) << "a touching vertex has gone";
    }
  }
  for (const Point p : keep) {
    if (visitsBefore.contains(p)) {
      ASSERT_TRUE(visitsAfter.contains(p)) << "a kept point has gone";
    }
  }
}

TEST(Simplify, NothingAndTriangles) {
  EXPECT_TRUE(simplify({}, 10).empty());
  const Polygons triangle = {{{{0, 0}, {10, 0}, {0, 10}}, {}}};
  EXPECT_EQ(simplify(triangle, 1e9), triangle);
  EXPECT_EQ(simplify(triangle, -1), triangle);
  EXPECT_EQ(simplify(triangle, std::numeric_limits<double>::quiet_NaN()), triangle);
}

TEST(Simplify, CollinearVerticesGoAtToleranceZero) {
  const Polygons input = {{{{0, 0}, {5, 0}, {10, 0}, {10, 10}, {5, 10}, {0, 10}, {0, 3}}, {}}};
  EXPECT_EQ(simplify(input, 0), (Polygons{{plainSquare(0, 0, 10), {}}}));
  const std::vector<Point> keep = {{5, 0}, {77, 77}};
  EXPECT_EQ(simplify(input, 0, keep), (Polygons{{{{0, 0}, {5, 0}, {10, 0}, {10, 10}, {0, 10}}, {}}}));
}

TEST(Simplify, NeverBelowATriangle) {
  const Polygons input = {{plainSquare(0, 0, 10), {}}};
  const Polygons output = simplify(input, 1e9);
  ASSERT_EQ(output.size(), 1U);
  EXPECT_EQ(output[0].outer.size(), 3U);
}

TEST(Simplify, PocketWithAnIslandStays) {
  // The bump is within the tolerance, but an island sits in it: flattening would put it outside.
  const Polygons input = {
      {{{0, 0}, {100, 0}, {100, 100}, {60, 100}, {50, 130}, {40, 100}, {0, 100}}, {{{48, 110}, {50, 112}, {52, 110}}}}};
  ASSERT_TRUE(findPolygonFaults(input).empty());
  expectSimplified(input, 40);
  const Polygons output = simplify(input, 40);
  EXPECT_NE(std::find(output[0].outer.begin(), output[0].outer.end(), Point(50, 130)), output[0].outer.end());
}

TEST(Simplify, LensBetweenTwoTouchingVerticesStaysOpen) {
  // Two polygons touch in (0, 0) and (100, 0); both chains between lie within the tolerance of the same chord.
  const Polygons input = {{{{0, 0}, {50, 5}, {100, 0}, {50, 100}}, {}}, {{{0, 0}, {50, -100}, {100, 0}, {50, -5}}, {}}};
  ASSERT_TRUE(findPolygonFaults(input).empty());
  expectSimplified(input, 10);
}

TEST(Simplify, NoisyDisc) {
  Random random(5);
  Ring ring;
  for (int i = 0; i < 20'000; ++i) {
    const double angle = 2 * std::numbers::pi * i / 20'000;
    const double radius = 1e7 + random.real(-50, 50);
    ring.push_back({static_cast<int32_t>(radius * std::cos(angle)), static_cast<int32_t>(radius * std::sin(angle))});
  }
  const Polygons input = {{ring, {}}};
  ASSERT_TRUE(findPolygonFaults(input).empty());
  expectSimplified(input, 200);
  EXPECT_LT(simplify(input, 200)[0].outer.size(), 1000U);
}

// A stair of pixels, one pixel wide: its two sides lie within each other's reach.
TEST(Simplify, AThinStairBecomesAStrip) {
  constexpr int32_t kPixel = 10;
  for (const double slope : {0.1, 0.65, 1.0}) {
    Ring hole;
    const auto at = [&](int32_t x) { return static_cast<int32_t>(std::floor(slope * x)) * kPixel; };
    constexpr int32_t kLength = 100;
    for (int32_t x = 0; x < kLength; ++x) {
      hole.push_back({x * kPixel, at(x) + kPixel});
      hole.push_back({(x + 1) * kPixel, at(x) + kPixel});
    }
    for (int32_t x = kLength; x-- > 0;) {
      const int32_t low = at(std::max(x - 1, 0));  // so that pixels have sides in common
      hole.push_back({(x + 1) * kPixel, low});
      hole.push_back({x * kPixel, low});
    }
    hole.erase(std::unique(hole.begin(), hole.end()), hole.end());
    const Polygons world{{plainSquare(-1000, -1000, 5000), {hole}}};
    const Polygons simple = simplify(world, 1.5 * kPixel);
    EXPECT_TRUE(findPolygonFaults(simple, 1).empty());
    EXPECT_LE(simple[0].holes[0].size(), 12U) << slope << " " << hole.size();
  }
}

TEST(Simplify, PointTreeAgreesWithBruteForce) {
  for (uint64_t seed = 0; seed < 500; ++seed) {
    Random random(seed, 21);
    const int32_t reach = soup::randomReach(random);
    std::vector<Point> points;
    for (size_t i = random.below(100); i > 0; --i) points.push_back(soup::randomPoint(random, reach));
    const PointTree tree(points);
    Strip strip{{}, soup::randomPoint(random, reach), soup::randomPoint(random, reach)};
    strip.box.add(soup::randomPoint(random, reach));
    strip.box.add(soup::randomPoint(random, reach));
    strip.low = -static_cast<Int128>(random.below(uint64_t{1} << random.below(63)));
    strip.high = static_cast<Int128>(random.below(uint64_t{1} << random.below(63)));
    std::vector<uint32_t> found;
    tree.forEach(strip, [&](uint32_t id) {
      found.push_back(id);
      return true;
    });
    std::sort(found.begin(), found.end());
    std::vector<uint32_t> expected;
    for (uint32_t i = 0; i < points.size(); ++i) {
      const Point p = points[i];
      const Int128 area = cross(strip.a, strip.b, p);
      if (p.x >= strip.box.min.x && p.x <= strip.box.max.x && p.y >= strip.box.min.y && p.y <= strip.box.max.y &&
          strip.low <= area && area <= strip.high) {
        expected.push_back(i);
      }
    }
    ASSERT_EQ(found, expected) << "seed " << seed;
  }
}

TEST(SimplifyLaws, RandomWorlds) {
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    Random random(seed, 22);
    const int32_t reach = soup::randomReach(random);
    // Many small loops under the even-odd rule: holes, islands in holes, rings that touch.
    std::vector<Ring> loops;
    for (size_t i = 1 + random.below(12); i > 0; --i) {
      const Point centre = soup::randomPoint(random, reach);
      const int32_t size = std::max<int32_t>(1, reach / static_cast<int32_t>(random.between(1, 10)));
      Ring loop;
      for (size_t k = 3 + random.below(12); k > 0; --k) {
        const Point d = soup::randomPoint(random, size);
        loop.push_back(
            {std::clamp(centre.x / 2 + d.x / 2, -reach, reach), std::clamp(centre.y / 2 + d.y / 2, -reach, reach)});
      }
      loops.push_back(loop);
    }
    const auto world = overlay(std::vector<Shape>{{0, loops}}, [](uint32_t groups) { return groups != 0; });
    ASSERT_TRUE(world.ok());
    std::vector<Point> keep;
    for (const Ring& ring : ringsOf(*world)) {
      if (random.chance(0.3)) keep.push_back(ring[random.below(ring.size())]);
    }
    expectSimplified(*world, reach * std::pow(10.0, random.real(-4, 0.5)), keep);
    if (HasFatalFailure()) FAIL() << "seed " << seed << " reach " << reach;
  }
}

}  // namespace
}  // namespace wend
