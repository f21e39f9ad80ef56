#include <cmath>
#include <limits>
#include <set>

#include <wend/game/portal_sight.h>
#include <wend/generate.h>
#include <wend/make.h>
#include <wend/navigator.h>
#include <wend/world.h>

#include <gtest/gtest.h>

#include "base/random.h"
#include "tests/generators/random_worlds.h"

namespace wend {
namespace {

// A place inside a convex cell.
Vec2 placeIn(const NavMesh& mesh, CellId cell, Random& random) {
  Vec2 sum;
  double total = 0;
  for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell); ++s) {
    const double weight = random.real(0.05, 1);
    const Vec2 p = mesh.lattice().toMetres(mesh.vertex(mesh.startVertex(s)));
    sum = {sum.x + weight * p.x, sum.y + weight * p.y};
    total += weight;
  }
  return {sum.x / total, sum.y / total};
}

// Cells in sight of places: whoever a ray reaches lies in a seen cell, and every seen cell is reached by a ray through
// the middle of the part of the portal that shows it.
TEST(PortalSight, IsWhatRaysReach) {
  for (const char* generator : {"pasfv", "delaunay", "hertel-mehlhorn"}) {
    for (uint64_t seed = 1; seed <= 6; ++seed) {
      const auto world = makeEnvironment({"bodies", {{"bodies", 9}, {"turn", 17}}, seed, {}});
      ASSERT_TRUE(world.ok());
      const auto mesh = generate(*world, {.generator = generator});
      ASSERT_TRUE(mesh.ok());
      const Navigator navigator = makeNavigator(*World::of(*world, *mesh));
      PlanScratch scratch;
      Random random(seed, 5);
      for (int i = 0; i < 20; ++i) {
        SightQuery query;
        query.cell = static_cast<CellId>(random.below(mesh->cellCount()));
        query.place = placeIn(*mesh, query.cell, random);
        const auto seen = seenThroughPortals(*mesh, query);
        ASSERT_TRUE(seen.ok());
        std::set<CellId> cells;
        for (const SeenCell& cell : *seen) {
          EXPECT_TRUE(cells.insert(cell.cell).second);
          if (cell.through == kNone) continue;
          EXPECT_EQ(mesh->neighbour(cell.through), cell.cell);
          const Vec2 middle{(cell.left.x + cell.right.x) / 2, (cell.left.y + cell.right.y) / 2};
          const auto ray = navigator.castRay({query.place.x, query.place.y}, middle, 0, scratch);
          ASSERT_TRUE(ray.has_value());
          EXPECT_LT(std::hypot(ray->place.x - middle.x, ray->place.y - middle.y), 1e-3);
        }
        for (int k = 0; k < 100; ++k) {
          const auto target = static_cast<CellId>(random.below(mesh->cellCount()));
          const Vec2 place = placeIn(*mesh, target, random);
          const auto ray = navigator.castRay({query.place.x, query.place.y}, place, 0, scratch);
          ASSERT_TRUE(ray.has_value());
          if (!ray->hit) {
            EXPECT_TRUE(cells.contains(target)) << generator << ' ' << seed;
          }
        }
      }
    }
  }
}

TEST(PortalSight, FieldOfViewAndRangeLeaveOut) {
  // Three rooms in a row, each a cell.
  const Environment world = oneLayer({{{{0, 0}, {300000, 0}, {300000, 100000}, {0, 100000}}, {}}});
  const auto mesh = generate(world, {.generator = "grid", .options = {{"square", "10"}}});
  ASSERT_TRUE(mesh.ok());
  ASSERT_EQ(mesh->cellCount(), 3U);
  SightQuery query;
  query.cell = 1;
  query.place = {15, 5};
  EXPECT_EQ(seenThroughPortals(*mesh, query)->size(), 3U);
  query.angle = 90;
  query.facing = {1, 0};
  const auto ahead = seenThroughPortals(*mesh, query);
  ASSERT_EQ(ahead->size(), 2U);
  EXPECT_EQ((*ahead)[1].cell, 2U);
  EXPECT_EQ((*ahead)[1].portals, 1U);
  EXPECT_NEAR((*ahead)[1].right.y, 0, 1e-9);
  EXPECT_NEAR((*ahead)[1].left.y, 10, 1e-9);
  query.facing = {0, 1};
  query.angle = 80;
  EXPECT_EQ(seenThroughPortals(*mesh, query)->size(), 1U);
  query.angle = 300;  // all but a wedge downwards
  EXPECT_EQ(seenThroughPortals(*mesh, query)->size(), 3U);
  query.angle = 360;
  query.range = 4;
  EXPECT_EQ(seenThroughPortals(*mesh, query)->size(), 1U);
  query.range = 6;
  EXPECT_EQ(seenThroughPortals(*mesh, query)->size(), 3U);
  query.place = {20, 5};  // on the portal
  query.range = std::numeric_limits<double>::infinity();
  EXPECT_EQ(seenThroughPortals(*mesh, query)->size(), 3U);
}

TEST(PortalSight, SoundGoesThroughPortals) {
  const Environment world = oneLayer({{{{0, 0}, {300000, 0}, {300000, 100000}, {0, 100000}}, {}}});
  const auto mesh = generate(world, {.generator = "grid", .options = {{"square", "10"}}});
  ASSERT_TRUE(mesh.ok());
  SoundQuery query;
  query.cell = 0;
  query.place = {5, 5};
  query.range = 16;
  const auto heard = heardThroughPortals(*mesh, query);
  ASSERT_TRUE(heard.ok());
  ASSERT_EQ(heard->size(), 3U);
  EXPECT_EQ((*heard)[1].cell, 1U);
  EXPECT_NEAR((*heard)[1].distance, 5, 1e-9);
  EXPECT_NEAR((*heard)[2].distance, 15, 1e-9);
  query.portalLoss = 4;
  EXPECT_EQ(heardThroughPortals(*mesh, query)->size(), 2U);  // 5 + 4 and 19 + 4
  query.range = 5;
  EXPECT_EQ(heardThroughPortals(*mesh, query)->size(), 1U);
}

TEST(PortalSight, RefusesWhatItCannotAnswer) {
  const auto world = makeEnvironment({"bodies", {}, 1, {}});
  const auto mesh = generate(*world, {.generator = "pasfv"});
  SightQuery query;
  EXPECT_FALSE(seenThroughPortals(*mesh, query).ok());
  query.cell = 0;
  query.angle = 0;
  EXPECT_FALSE(seenThroughPortals(*mesh, query).ok());
  query.angle = 90;
  query.facing = {0, 0};
  EXPECT_FALSE(seenThroughPortals(*mesh, query).ok());
  EXPECT_FALSE(heardThroughPortals(*mesh, {.cell = 0}).ok());
  const auto boxes = generate(*world, {.generator = "apng"});
  ASSERT_TRUE(boxes.ok());
  EXPECT_EQ(seenThroughPortals(*boxes, {.cell = 0}).error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace wend
