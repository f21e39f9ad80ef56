#include "generators/hertel_mehlhorn/hertel_mehlhorn.h"

#include <gtest/gtest.h>

#include "geometry/area.h"
#include "tests/generators/hertel_mehlhorn/keil_optimum.h"
#include "tests/generators/laws.h"
#include "tests/generators/random_worlds.h"

namespace wend {
namespace {

const std::vector<std::string> kOrders{"longest", "shortest", "id", "random"};

TEST(HertelMehlhorn, AConvexPolygonIsOneCell) {
  // With collinear vertices, which stay.
  const Ring ring{{0, 0}, {5, 0}, {10, 0}, {10, 10}, {5, 10}, {0, 10}, {0, 5}};
  const NavMesh mesh = bake(oneLayer({{ring, {}}}), "hertel-mehlhorn");
  EXPECT_EQ(mesh.cellCount(), 1U);
  EXPECT_EQ(mesh.sideCount(), 7U);
}

TEST(HertelMehlhorn, AnLShapeIsTwoCells) {
  const Environment environment = oneLayer({{{{0, 0}, {20, 0}, {20, 10}, {10, 10}, {10, 20}, {0, 20}}, {}}});
  const NavMesh mesh = bake(environment, "hertel-mehlhorn");
  EXPECT_EQ(mesh.cellCount(), 2U);
  EXPECT_EQ(mesh.portalCount(), 1U);
  expectTruth(mesh, environment);
}

TEST(HertelMehlhorn, ARingAroundASquareNeedsFourCells) {
  const Environment environment =
      oneLayer({{{{0, 0}, {30, 0}, {30, 30}, {0, 30}}, {{{10, 10}, {10, 20}, {20, 20}, {20, 10}}}}});
  EXPECT_EQ(lowerBound(environment.layers[0].free[0]), 4);
  const NavMesh mesh = bake(environment, "hertel-mehlhorn");
  EXPECT_GE(mesh.cellCount(), 4U);
  EXPECT_LE(static_cast<int64_t>(mesh.cellCount()), upperBound(environment.layers[0].free[0]));
  expectTruth(mesh, environment);
}

// A portal inside a layer is needed: without it a corner at one of its ends would be reflex.
void expectEssential(const NavMesh& mesh) {
  for (SideId s = 0; s < mesh.sideCount(); ++s) {
    if (mesh.isWall(s) || mesh.layerOf(mesh.neighbour(s)) != mesh.layerOf(mesh.cellOf(s))) continue;
    const auto convexAtStart = [&](SideId side) {
      return orient(mesh.vertex(mesh.startVertex(mesh.previousSide(side))), mesh.vertex(mesh.startVertex(side)),
                    mesh.vertex(mesh.endVertex(mesh.nextSide(mesh.twin(side))))) >= 0;
    };
    EXPECT_FALSE(convexAtStart(s) && convexAtStart(mesh.twin(s))) << "side " << s << " could be left out";
  }
}

TEST(HertelMehlhorn, CellsAreConvexFewAndAllNeeded) {
  for (uint64_t seed = 0; seed < 400; ++seed) {
    const Environment environment = anyWorld(seed);
    if (vertexCount(environment) == 0) continue;
    int64_t lower = 0;
    int64_t upper = 0;
    for (const Layer& layer : environment.layers) {
      for (const Polygon& polygon : layer.free) {
        lower += lowerBound(polygon);
        upper += upperBound(polygon);
      }
    }
    const NavMesh mesh = bake(environment, "hertel-mehlhorn", kOrders[seed % kOrders.size()]);
    EXPECT_GE(static_cast<int64_t>(mesh.cellCount()), lower) << "seed " << seed;
    EXPECT_LE(static_cast<int64_t>(mesh.cellCount()), upper) << "seed " << seed;
    expectConvex(mesh);
    expectEssential(mesh);
    expectPortalLaw(mesh, environment);
    expectTruth(mesh, environment);
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

// The least number of convex parts by trying every diagonal as the first cut.
int exhaustiveOptimum(const Ring& ring) {
  if (ring.size() <= 3) return 1;
  bool convex = true;
  for (size_t i = 0; i < ring.size(); ++i) {
    convex = convex && orient(ring[i], ring[(i + 1) % ring.size()], ring[(i + 2) % ring.size()]) >= 0;
  }
  if (convex) return 1;
  int best = 1000;
  const size_t n = ring.size();
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = i + 2; j < n; ++j) {
      if (i == 0 && j + 1 == n) continue;
      bool clear = true;
      for (size_t k = 0; k < n && clear; ++k) {
        if (k != i && k != j && onSegment(ring[i], ring[j], ring[k])) clear = false;
        if (meet(ring[i], ring[j], ring[k], ring[(k + 1) % n]) == Meeting::kCross) clear = false;
      }
      if (!clear) continue;
      Ring left(ring.begin() + static_cast<std::ptrdiff_t>(i), ring.begin() + static_cast<std::ptrdiff_t>(j) + 1);
      Ring right(ring.begin() + static_cast<std::ptrdiff_t>(j), ring.end());
      right.insert(right.end(), ring.begin(), ring.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      // A diagonal outside the polygon turns one part around, or leaves more area than there was.
      if (doubledArea(left) <= 0 || doubledArea(right) <= 0) continue;
      if (doubledArea(left) + doubledArea(right) != doubledArea(ring)) continue;
      best = std::min(best, exhaustiveOptimum(left) + exhaustiveOptimum(right));
    }
  }
  return best;
}

TEST(HertelMehlhorn, TheOracleOfTheOptimumEqualsExhaustiveSearch) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    const Ring ring = simplePolygon(random, static_cast<size_t>(random.between(4, 8)), seed % 2 == 0 ? 8 : 1000);
    EXPECT_EQ(optimalConvexParts(ring), exhaustiveOptimum(ring)) << "seed " << seed;
  }
}

TEST(HertelMehlhorn, IsCloseToTheOptimumOnSimplePolygons) {
  double longest = 0;
  double shortest = 0;
  const int count = 200;
  for (int seed = 0; seed < count; ++seed) {
    Random random(static_cast<uint64_t>(seed));
    const Ring ring = simplePolygon(random, static_cast<size_t>(random.between(6, 40)), 10000);
    const Environment environment = oneLayer({{ring, {}}});
    const int optimum = optimalConvexParts(ring);
    const uint32_t cells = bake(environment, "hertel-mehlhorn").cellCount();
    ASSERT_GE(static_cast<int>(cells), optimum) << "seed " << seed;
    ASSERT_LE(static_cast<int>(cells), 4 * optimum) << "seed " << seed;
    longest += static_cast<double>(cells) / optimum / count;
    shortest += static_cast<double>(bake(environment, "hertel-mehlhorn", "shortest").cellCount()) / optimum / count;
  }
  RecordProperty("mean_ratio_longest", std::to_string(longest));
  RecordProperty("mean_ratio_shortest", std::to_string(shortest));
  EXPECT_NEAR(longest, 1.043, 0.02);
  EXPECT_NEAR(shortest, 1.069, 0.03);
  EXPECT_LT(longest, shortest);
}

TEST(HertelMehlhorn, OrdersAndSeedsAreRemembered) {
  const Environment environment = squaresWorld(3, {.columns = 12, .rows = 12, .jitter = 20});
  GenerateSettings settings{.generator = "hertel-mehlhorn", .options = {}, .seed = 1};
  settings.options = {{"order", "random"}};
  const auto first = generate(environment, settings);
  settings.seed = 2;
  const auto second = generate(environment, settings);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_NE(first->info().settingsHash, second->info().settingsHash);
  EXPECT_NE(hash(*first), hash(*second));
  // Seeds mean nothing to the other orders.
  settings.options.clear();
  const auto third = generate(environment, settings);
  settings.seed = 1;
  EXPECT_EQ(hash(*third), hash(*generate(environment, settings)));
}

TEST(HertelMehlhorn, ThreadsDoNotChangeTheMesh) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const Environment environment = squaresWorld(seed, {.columns = 24, .rows = 10, .jitter = 24, .layers = 4});
    for (const std::string& order : kOrders) {
      GenerateSettings settings{.generator = "hertel-mehlhorn", .options = {}, .seed = 1};
      settings.options = {{"order", order}};
      Context one;
      one.threads = 1;
      Context two;
      two.threads = 2;
      EXPECT_EQ(hash(*generate(environment, settings, one)), hash(*generate(environment, settings, two)));
    }
  }
}

}  // namespace
}  // namespace wend
