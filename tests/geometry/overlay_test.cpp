#include "geometry/overlay.h"

#include <cmath>

#include <gtest/gtest.h>
#include <polyclipping/clipper.hpp>

#include "geometry/area.h"
#include "geometry/polygon_check.h"
#include "tests/geometry/segment_soup.h"

namespace wend {
namespace {

using Polygons = std::vector<Polygon>;

constexpr auto kAny = [](uint32_t groups) { return groups != 0; };

Ring square(int32_t x, int32_t y, int32_t side) {
  return {{x, y}, {x + side, y}, {x + side, y + side}, {x, y + side}};
}

Polygons value(const Result<Polygons>& result) {
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
  return result.ok() ? *result : Polygons{};
}

Polygons clean(const std::vector<Ring>& loops) {
  return value(overlay(std::vector<Shape>{{0, loops}}, kAny));
}

std::string faults(const Polygons& polygons) {
  std::string text;
  for (const PolygonFault& fault : findPolygonFaults(polygons, 3)) {
    text += std::string(polygonFaultName(fault.kind)) + ": " + fault.message + "\n";
  }
  return text;
}

double area(const Polygons& polygons) {
  return static_cast<double>(doubledArea(polygons)) / 2;
}

TEST(Overlay, NothingAndNoArea) {
  EXPECT_TRUE(value(overlay({}, kAny)).empty());
  EXPECT_TRUE(clean({{}}).empty());
  EXPECT_TRUE(clean({{{1, 1}}}).empty());
  EXPECT_TRUE(clean({{{1, 1}, {5, 1}}}).empty());
  EXPECT_TRUE(clean({{{1, 1}, {5, 1}, {9, 1}}}).empty());
  EXPECT_TRUE(clean({square(0, 0, 4), square(0, 0, 4)}).empty()) << "the same loop twice in one shape cancels";
  EXPECT_FALSE(overlay(std::vector<Shape>{{32, {square(0, 0, 4)}}}, kAny).ok());
}

TEST(Overlay, SquareInEitherDirection) {
  const Polygons expected = {{square(0, 0, 4), {}}};
  EXPECT_EQ(clean({{{4, 4}, {0, 4}, {0, 0}, {4, 0}}}), expected);
  EXPECT_EQ(clean({{{4, 0}, {0, 0}, {0, 4}, {4, 4}}}), expected);
  // Spikes and repeated points vanish; collinear input vertices stay.
  EXPECT_EQ(clean({{{0, 0}, {4, 0}, {4, 4}, {4, 4}, {9, 9}, {4, 4}, {0, 4}}}), expected);
  EXPECT_EQ(clean({{{0, 0}, {2, 0}, {4, 0}, {4, 4}, {0, 4}}}),
            (Polygons{{{{0, 0}, {2, 0}, {4, 0}, {4, 4}, {0, 4}}, {}}}));
}

TEST(Overlay, HoleTouchingTheOuterRingIsOneRing) {
  const Polygons result = clean({square(0, 0, 9), {{0, 0}, {3, 1}, {1, 3}}});
  EXPECT_EQ(result, (Polygons{{{{0, 0}, {1, 3}, {3, 1}, {0, 0}, {9, 0}, {9, 9}, {0, 9}}, {}}}));
  EXPECT_EQ(faults(result), "");
}

TEST(Overlay, SquaresTouchingInACornerAreTwoPolygons) {
  EXPECT_EQ(clean({square(0, 0, 2), square(2, 2, 2)}), (Polygons{{square(0, 0, 2), {}}, {square(2, 2, 2), {}}}));
}

TEST(Overlay, HolesTouchingEachOtherAreOneHole) {
  const Polygons result = clean({square(0, 0, 9), square(2, 2, 2), square(4, 4, 2)});
  ASSERT_EQ(result.size(), 1U);
  ASSERT_EQ(result[0].holes.size(), 1U);
  EXPECT_EQ(result[0].holes[0], (Ring{{2, 2}, {2, 4}, {4, 4}, {4, 6}, {6, 6}, {6, 4}, {4, 4}, {4, 2}}));
  EXPECT_EQ(faults(result), "");
}

TEST(Overlay, RingOfHolesCutsAnIslandOff) {
  // Four holes that touch in a cycle: the part between them is a polygon of its own.
  const Polygons result = clean({square(0, 0, 12),
                                 {{3, 6}, {6, 3}, {3, 3}},
                                 {{6, 3}, {9, 6}, {9, 3}},
                                 {{9, 6}, {6, 9}, {9, 9}},
                                 {{6, 9}, {3, 6}, {3, 9}}});
  ASSERT_EQ(result.size(), 2U);
  EXPECT_EQ(result[0].holes.size(), 1U);
  EXPECT_EQ(result[1].outer, (Ring{{3, 6}, {6, 3}, {9, 6}, {6, 9}}));
  EXPECT_EQ(faults(result), "");
}

TEST(Overlay, BowTieAndPentagram) {
  EXPECT_EQ(clean({{{0, 0}, {4, 4}, {4, 0}, {0, 4}}}),
            (Polygons{{{{0, 0}, {2, 2}, {0, 4}}, {}}, {{{2, 2}, {4, 0}, {4, 4}}, {}}}));
  // Even-odd: the middle of the star is outside.
  const Polygons star = clean({{{0, 100}, {59, -81}, {-95, 31}, {95, 31}, {-59, -81}}});
  EXPECT_EQ(star.size(), 5U);
  EXPECT_EQ(faults(star), "");
}

TEST(Overlay, TracesOfVanishedEdgesAreRemoved) {
  // The inner square's sides reach the border of the union and vanish: no vertex of theirs was there.
  const Polygons result = value(unite(std::vector<Ring>{square(0, 0, 8), {{2, -2}, {6, -2}, {6, 4}, {2, 4}}}));
  EXPECT_EQ(result, (Polygons{{{{0, 0}, {2, 0}, {2, -2}, {6, -2}, {6, 0}, {8, 0}, {8, 8}, {0, 8}}, {}}}));
  // A line of another group crosses the border at (4, 0) and (4, 8) and leaves no vertex.
  const std::vector<Shape> shapes = {{0, {square(0, 0, 8)}}, {1, {{{4, -2}, {20, -2}, {20, 10}, {4, 10}}}}};
  EXPECT_EQ(value(overlay(shapes, [](uint32_t g) { return (g & 1U) != 0; })), (Polygons{{square(0, 0, 8), {}}}));
}

TEST(Overlay, Operations) {
  const Polygons a = {{square(0, 0, 4), {}}};
  const Polygons b = {{square(2, 2, 4), {}}};
  EXPECT_EQ(value(intersect(a, b)), (Polygons{{square(2, 2, 2), {}}}));
  EXPECT_EQ(area(value(unite(a, b))), 28);
  EXPECT_EQ(value(subtract(a, b)), (Polygons{{{{0, 0}, {4, 0}, {4, 2}, {2, 2}, {2, 4}, {0, 4}}, {}}}));
  EXPECT_EQ(value(subtract(a, a)), Polygons{});
  EXPECT_EQ(value(unite(a, a)), a);
  // Neighbours melt into one.
  EXPECT_EQ(area(value(unite(a, Polygons{{square(4, 0, 4), {}}}))), 32);
  EXPECT_EQ(value(unite(a, Polygons{{square(4, 0, 4), {}}})).size(), 1U);
  // A polygon with a hole, filled.
  const Polygons frame = value(subtract(Polygons{{square(0, 0, 9), {}}}, Polygons{{square(3, 3, 3), {}}}));
  ASSERT_EQ(frame.size(), 1U);
  EXPECT_EQ(frame[0].holes.size(), 1U);
  EXPECT_EQ(value(unite(frame, Polygons{{square(3, 3, 3), {}}})), (Polygons{{square(0, 0, 9), {}}}));
}

TEST(Overlay, WholeLattice) {
  constexpr int32_t m = kMaxCoordinate;
  const Polygons all = clean({{{-m, -m}, {m, -m}, {m, m}, {-m, m}}});
  EXPECT_EQ(doubledArea(all), Int128{1} << 63);
  EXPECT_EQ(area(clean({{{-m, -m}, {m, m}, {m, -m}, {-m, m}}})), area(all) / 2);
}

// --- Laws on random soups -------------------------------------------------------------------------------------------

Ring randomLoop(Random& random, int32_t reach) {
  Ring loop;
  const size_t n = random.below(9);
  for (size_t i = 0; i < n; ++i) {
    if (!loop.empty() && random.chance(0.1)) {
      loop.push_back(loop[random.below(loop.size())]);
    } else {
      loop.push_back(soup::randomPoint(random, reach));
    }
  }
  return loop;
}

std::vector<Ring> randomLoops(Random& random, int32_t reach) {
  std::vector<Ring> loops;
  for (size_t i = 1 + random.below(4); i > 0; --i) loops.push_back(randomLoop(random, reach));
  if (random.chance(0.2)) loops.push_back(loops.front());
  return loops;
}

double perimeter(const std::vector<Ring>& loops) {
  double sum = 0;
  for (const Ring& loop : loops) {
    for (size_t i = 0; i < loop.size(); ++i) {
      const Point a = loop[i];
      const Point b = loop[(i + 1) % loop.size()];
      sum += std::hypot(static_cast<double>(a.x) - b.x, static_cast<double>(a.y) - b.y);
    }
  }
  return sum;
}

TEST(OverlayLaws, AnySoupBecomesValidAndStays) {
  for (uint64_t seed = 0; seed < 20'000; ++seed) {
    Random random(seed, 11);
    const int32_t reach = soup::randomReach(random);
    const Polygons once = clean(randomLoops(random, reach));
    ASSERT_EQ(faults(once), "") << "seed " << seed << " reach " << reach;
    std::vector<Shape> shapes;
    for (const Polygon& polygon : once) {
      Shape shape{0, {polygon.outer}};
      shape.loops.insert(shape.loops.end(), polygon.holes.begin(), polygon.holes.end());
      shapes.push_back(shape);
    }
    ASSERT_EQ(value(overlay(shapes, kAny)), once) << "seed " << seed << " reach " << reach;
  }
}

TEST(OverlayLaws, AreasAddUpExactlyWithoutRounding) {
  // Sides along the axes and diagonals of an even lattice cross in lattice points only.
  for (uint64_t seed = 0; seed < 700; ++seed) {
    Random random(seed, 12);
    const auto shape = [&] {
      std::vector<Ring> loops;
      for (int i = 0; i < 5; ++i) {
        const auto x = static_cast<int32_t>(2 * random.between(-20, 20));
        const auto y = static_cast<int32_t>(2 * random.between(-20, 20));
        const auto r = static_cast<int32_t>(2 * random.between(1, 8));
        loops.push_back(random.chance(0.5) ? square(x, y, r) : Ring{{x - r, y}, {x, y - r}, {x + r, y}, {x, y + r}});
      }
      return loops;
    };
    const Polygons a = value(unite(shape()));
    const Polygons b = value(unite(shape()));
    const Polygons both = value(intersect(a, b));
    const Polygons any = value(unite(a, b));
    const Polygons onlyA = value(subtract(a, b));
    const Polygons onlyB = value(subtract(b, a));
    ASSERT_EQ(doubledArea(a) + doubledArea(b), doubledArea(any) + doubledArea(both)) << "seed " << seed;
    ASSERT_EQ(doubledArea(a), doubledArea(onlyA) + doubledArea(both)) << "seed " << seed;
    for (const Polygons* polygons : {&both, &any, &onlyA, &onlyB}) ASSERT_EQ(faults(*polygons), "") << "seed " << seed;
    ASSERT_EQ(value(unite(b, a)), any);
    ASSERT_EQ(value(intersect(b, a)), both);
    ASSERT_EQ(value(intersect(onlyA, b)), Polygons{});
    ASSERT_EQ(doubledArea(value(unite(value(unite(onlyA, onlyB)), both))), doubledArea(any));
    // De Morgan in a frame: frame - (a + b) == (frame - a) * (frame - b).
    const Polygons frame = {{square(-100, -100, 200), {}}};
    const Polygons left = value(subtract(frame, any));
    const Polygons right = value(intersect(value(subtract(frame, a)), value(subtract(frame, b))));
    ASSERT_EQ(doubledArea(left), doubledArea(right));
    ASSERT_EQ(value(subtract(left, right)), Polygons{});
    ASSERT_EQ(value(subtract(right, left)), Polygons{});
  }
}

TEST(OverlayLaws, AreasAddUpWithinRounding) {
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    Random random(seed, 13);
    const int32_t reach = soup::randomReach(random);
    const std::vector<Ring> loopsA = randomLoops(random, reach);
    const std::vector<Ring> loopsB = randomLoops(random, reach);
    const Polygons a = clean(loopsA);
    const Polygons b = clean(loopsB);
    const Polygons both = value(intersect(a, b));
    const Polygons any = value(unite(a, b));
    const Polygons onlyA = value(subtract(a, b));
    for (const Polygons* polygons : {&both, &any, &onlyA}) ASSERT_EQ(faults(*polygons), "") << "seed " << seed;
    // All three see the same arrangement, so even the rounded areas add up; only a and b were not rounded together.
    const double bound = 4 * (perimeter(loopsA) + perimeter(loopsB));
    ASSERT_LE(std::abs(area(a) + area(b) - area(any) - area(both)), bound) << "seed " << seed;
    ASSERT_LE(std::abs(area(a) - area(onlyA) - area(both)), bound) << "seed " << seed;
    ASSERT_EQ(value(unite(b, a)), any) << "seed " << seed;
  }
}

TEST(OverlayLaws, AgreesWithClipper) {
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    Random random(seed, 14);
    const int32_t reach = random.chance(0.5) ? kMaxCoordinate : 10'000;
    const std::vector<Ring> loops = randomLoops(random, reach);
    const Polygons ours = clean(loops);
    ClipperLib::Clipper clipper;
    ClipperLib::Paths paths;
    for (const Ring& loop : loops) {
      ClipperLib::Path path;
      for (const Point p : loop) path.emplace_back(p.x, p.y);
      paths.push_back(path);
    }
    clipper.AddPaths(paths, ClipperLib::ptSubject, true);
    ClipperLib::Paths solution;
    clipper.Execute(ClipperLib::ctUnion, solution, ClipperLib::pftEvenOdd, ClipperLib::pftEvenOdd);
    double theirs = 0;
    for (const ClipperLib::Path& path : solution) theirs += ClipperLib::Area(path);
    ASSERT_NEAR(area(ours), theirs, 4 * perimeter(loops) + 1e-9 * std::abs(theirs)) << "seed " << seed;
  }
}

TEST(OverlayLaws, LocatesLikeTheSoup) {
  // Points well away from every edge are inside the result exactly where the even-odd rule says so.
  for (uint64_t seed = 0; seed < 500; ++seed) {
    Random random(seed, 15);
    const std::vector<Ring> loops = randomLoops(random, 1000);
    const Polygons result = clean(loops);
    for (int i = 0; i < 20; ++i) {
      const Point p = soup::randomPoint(random, 1000);
      Polygon soup;
      soup.holes = loops;  // locate() counts crossings over all rings
      bool near = false;
      for (const Ring& loop : loops) {
        for (size_t k = 0; k < loop.size(); ++k) {
          const Point a = loop[k];
          const Point b = loop[(k + 1) % loop.size()];
          const double dx = b.x - a.x;
          const double dy = b.y - a.y;
          const double length2 = std::max(1.0, dx * dx + dy * dy);
          const double t = std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length2, 0.0, 1.0);
          near = near || std::hypot(a.x + t * dx - p.x, a.y + t * dy - p.y) < 4;
        }
      }
      if (near) continue;
      ASSERT_EQ(locate(result, p), locate(soup, p)) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace wend
