#include "planning/point/corner_graph.h"

#include <array>
#include <limits>

#include <wend/make.h>

#include "environment/turned.h"
#include "geometry/vec2.h"
#include "planning/ends.h"
#include "planning/point/polyanya.h"
#include "tests/planning/point/path_length.h"
#include "tests/planning/real_worlds.h"

// The corner graph against Polyanya, which does not know it.
namespace wend {
namespace {

// Random places, and corners of cells.
Place anyPlace(const NavMesh& mesh, const Locator& locator, Random& random) {
  if (random.chance(0.7)) return randomPlace(mesh, locator, random);
  const auto side = static_cast<SideId>(random.below(mesh.sideCount()));
  return mesh.position(mesh.startVertex(side));
}

// Those of trapezoids have sides in line with corners far away.
constexpr std::array kGenerators{"hertel-mehlhorn", "delaunay", "trapezoid", "neogen", "lct"};

int check(const Environment& environment, uint64_t seed, int pairs) {
  SCOPED_TRACE(kGenerators[seed % kGenerators.size()]);
  const Result<NavMesh> made = generate(environment, {.generator = kGenerators[seed % kGenerators.size()]});
  if (!made.ok()) return 0;
  const NavMesh& mesh = *made;
  const Locator locator(mesh);
  const MeshAnalysis analysis = analyseMesh(mesh);
  Random random(seed);
  QueryStamp stamp;
  StampedSet seenStart;
  StampedSet seenGoal;
  SearchScope scope;
  PolyanyaScratch scratch;
  for (StampedSet* set : {&seenStart, &seenGoal}) set->grow(mesh.cellCount());
  scope.grow(mesh.cellCount());
  scratch.bestG.grow(mesh.vertexCount());
  scratch.spun.grow(size_t{2} * mesh.sideCount());
  CornerGraph warm;
  int compared = 0;
  for (int i = 0; i < pairs; ++i) {
    End start;
    End goal;
    stamp.advance();
    if (!locateEnd(mesh, locator, anyPlace(mesh, locator, random), stamp, seenStart, start)) continue;
    if (!locateEnd(mesh, locator, anyPlace(mesh, locator, random), stamp, seenGoal, goal)) continue;
    const auto isGoal = [&](CellId cell) { return seenGoal.has(cell, stamp); };
    if (std::any_of(start.cells.begin(), start.cells.end(), isGoal)) continue;
    std::erase_if(start.cells,
                  [&](CellId cell) { return analysis.component[cell] != analysis.component[goal.cells.front()]; });
    if (start.cells.empty()) continue;
    const SearchEnds ends{start.units, goal.units, start.cells, goal.cells};
    scope.begin(goal.cells, analysis, stamp);
    SearchPath exact;
    SearchPath path;
    SearchPath again;
    uint64_t expanded = 0;
    if (searchPolyanya(mesh, analysis, ends, scope, stamp, scratch, std::numeric_limits<uint64_t>::max(), exact,
                       expanded) != PolyanyaAnswer::kFound) {
      continue;
    }
    const double truth = pathLength(start.units, goal.units, exact);
    EXPECT_TRUE(warm.search(1, mesh, analysis, ends, path, expanded));
    EXPECT_NEAR(pathLength(start.units, goal.units, path), truth, 1e-9 * (1 + truth)) << i;
    // The same bends, whatever was known before.
    CornerGraph cold;
    EXPECT_TRUE(cold.search(1, mesh, analysis, ends, again, expanded));
    EXPECT_EQ(again.bends.size(), path.bends.size());
    for (size_t k = 0; k < std::min(path.bends.size(), again.bends.size()); ++k) {
      EXPECT_EQ(again.bends[k].vertex, path.bends[k].vertex);
    }
    ++compared;
    if (::testing::Test::HasFailure()) return compared;
  }
  return compared;
}

TEST(CornerGraph, EqualsPolyanyaOnMadeWorlds) {
  int compared = 0;
  for (const char* kind : {"maze", "zelda", "university", "station", "parking-lot", "spiral", "two-floor-ramp"}) {
    SCOPED_TRACE(kind);
    const Result<Environment> environment = makeEnvironment({.kind = kind});
    ASSERT_TRUE(environment.ok());
    for (uint64_t seed = 0; seed < kGenerators.size(); ++seed) {
      compared += check(*environment, seed, 15);
      compared += check(turned(*environment, 17), seed, 15);
    }
  }
  EXPECT_GT(compared, 300);
}

TEST(CornerGraph, EqualsPolyanyaOnRealWorlds) {
  int compared = 0;
  for (const std::string& file : realFiles()) {
    SCOPED_TRACE(file);
    for (const double angle : {0.0, kOddAngle}) {
      const std::optional<Environment> environment = realEnvironment(file, angle);
      if (!environment) GTEST_SKIP() << "skipped: no data";
      for (uint64_t seed = 0; seed < kGenerators.size(); ++seed) compared += check(*environment, seed, 25);
    }
  }
  EXPECT_GT(compared, 500);
}

// The slowest known scene for a point: routes by the corner graph have the lengths of the search without a goal.
TEST(CornerGraph, AnswersTheHardQueriesOfAHall) {
  const std::optional<Environment> environment = realEnvironment("floorplans/SiB2023_entrance_jupedsim.wkt", kOddAngle);
  if (!environment) GTEST_SKIP() << "skipped: no data";
  for (const char* generator : {"hertel-mehlhorn", "neogen", "ecm"}) {
    const Navigator navigator = makeNavigator(bake(*environment, {.generator = generator}).value());
    const NavMesh& mesh = navigator.mesh();
    const Locator locator(mesh);
    Random random(9);
    PlanScratch scratch;
    Route route;
    for (int i = 0; i < 60; ++i) {
      const PathQuery query{.from = randomPlace(mesh, locator, random), .to = randomPlace(mesh, locator, random)};
      if (navigator.plan(query, scratch, route) != PathStatus::kFound) continue;
      const std::array<Place, 1> goals{query.to};
      std::array<double, 1> costs{};
      navigator.costs(query.from, goals, 0, scratch, costs);
      ASSERT_NEAR(route.length, costs[0], 1e-6 * (1 + route.length)) << i;
      const char* fault = findRouteFault(mesh, query, route);
      ASSERT_EQ(fault, nullptr) << fault << " " << i;
    }
  }
}

}  // namespace
}  // namespace wend
