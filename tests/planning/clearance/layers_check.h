#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <wend/generate.h>
#include <wend/make.h>
#include <wend/navigator.h>

#include <gtest/gtest.h>

#include "base/random.h"
#include "planning/corridor/corridor_navigator.h"
#include "planning/disk/disk_navigator.h"
#include "tests/planning/clearance/check.h"

// DiskNavigator on worlds whose layers lie above each other, against the widest way on their medial axis.
namespace wend {

struct LayerWorld {
  const char* kind;
  std::vector<std::pair<std::string, double>> parameters;
};

struct LayerCount {
  size_t asked = 0;
  size_t otherLayer = 0;  // pairs with ends in different layers
  size_t planned = 0;
  size_t narrow = 0;  // pairs whose widest way is narrower than both their ends
};

inline Vec3 randomPlace(const NavMesh& mesh, const Locator& locator, Random& random) {
  const auto cell = static_cast<CellId>(random.below(mesh.cellCount()));
  Vec2 sum{0, 0};
  double weights = 0;
  for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s) {
    const double weight = random.real() + 1e-3;
    const Vec2 p = mesh.vertex(mesh.startVertex(s));
    sum = {sum.x + weight * p.x, sum.y + weight * p.y};
    weights += weight;
  }
  const Vec2 p = mesh.lattice().toMetres(Vec2{sum.x / weights, sum.y / weights});
  return {p.x, p.y, locator.height(p, mesh.layerOf(cell))};
}

inline void checkLayers(const LayerWorld& world, uint64_t seed, int pairs, LayerCount& count) {
  SCOPED_TRACE(world.kind);
  MakeSettings make;
  make.kind = world.kind;
  make.parameters = world.parameters;
  make.seed = seed;
  const Environment environment = makeEnvironment(make).value();
  const NavMesh ecmMesh = generate(environment, {.generator = "ecm"}).value();
  const auto ecm = CorridorNavigator::make(ecmMesh).value();
  const Locator locator(ecmMesh);
  std::vector<DiskNavigator> navigators;
  for (const GenerateSettings& settings : clearanceGenerators()) {
    const Result<NavMesh> mesh = generate(environment, settings);
    ASSERT_TRUE(mesh.ok()) << settings.generator;
    navigators.emplace_back(*mesh);
  }
  Random random(seed, 99);
  PlanScratch scratch;
  Route route;
  for (int i = 0; i < pairs; ++i) {
    PathQuery query;
    query.from = randomPlace(ecmMesh, locator, random);
    query.to = randomPlace(ecmMesh, locator, random);
    const double widest = ecm->largestRadius(query, scratch);
    if (!(widest > 0.01)) continue;
    ++count.asked;
    const CellId a = ecm->locate(query.from);
    const CellId b = ecm->locate(query.to);
    count.otherLayer += ecmMesh.layerOf(a) != ecmMesh.layerOf(b) ? 1U : 0U;
    const double atEnds = std::min(ecm->nearestObstacle(query.from, scratch)->distance,
                                   ecm->nearestObstacle(query.to, scratch)->distance);
    count.narrow += widest < 0.999 * atEnds ? 1U : 0U;
    for (const DiskNavigator& navigator : navigators) {
      SCOPED_TRACE(navigator.mesh().info().generator + ", widest " + std::to_string(widest) + ", from " +
                   std::to_string(query.from.x) + "," + std::to_string(query.from.y) + "," +
                   std::to_string(*query.from.z) + " to " + std::to_string(query.to.x) + "," +
                   std::to_string(query.to.y) + "," + std::to_string(*query.to.z));
      // Both meshes may round the corners of connections: a thousandth and a millimetre are left out.
      query.radius = 0.999 * widest - 0.001;
      if (query.radius > 0) {
        EXPECT_EQ(navigator.reachable(query, scratch), PathStatus::kFound);
        EXPECT_EQ(navigator.plan(query, scratch, route), PathStatus::kFound);
        ++count.planned;
        for (const Vec3& p : route.points) {
          const std::optional<NearestObstacle> obstacle = ecm->nearestObstacle(p, scratch);
          ASSERT_TRUE(obstacle);
          EXPECT_GE(obstacle->distance, query.radius - 0.002);
        }
      }
      query.radius = 1.001 * widest + 0.001;
      EXPECT_NE(navigator.reachable(query, scratch), PathStatus::kFound);
      query.radius = random.real() * widest;
      EXPECT_EQ(navigator.reachable(query, scratch), PathStatus::kFound);
    }
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace wend
