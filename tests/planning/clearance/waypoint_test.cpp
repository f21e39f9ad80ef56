#include <wend/navigator.h>
#include <wend/waypoint.h>

#include <gtest/gtest.h>

#include "planning/clearance/portal_shrinking.h"
#include "planning/disk/disk_navigator.h"
#include "tests/planning/clearance/check.h"

namespace wend {
namespace {

const ShrunkPortal kRoom{{10, 8}, {10, 2}};  // travelling east, left is north

TEST(Waypoint, IsTheProjectionWhereThereIsOne) {
  EXPECT_EQ(waypointOn(kRoom, {0, 5}, 1, WaypointRule::kDynamic), (Vec2{10, 5}));
  EXPECT_EQ(waypointOn(kRoom, {0, 2}, 1, WaypointRule::kDynamic), (Vec2{10, 2}));
}
TEST(Waypoint, IsTheFartherEndElsewhere) {
  EXPECT_EQ(waypointOn(kRoom, {0, 9}, 1, WaypointRule::kDynamic), (Vec2{10, 2}));
  EXPECT_EQ(waypointOn(kRoom, {0, 0}, 1, WaypointRule::kDynamic), (Vec2{10, 8}));
}
TEST(Waypoint, OnAPointIsThatPoint) {
  EXPECT_EQ(waypointOn({{3, 3}, {3, 3}}, {0, 9}, 1, WaypointRule::kDynamic), (Vec2{3, 3}));
}
TEST(Waypoint, Baselines) {
  EXPECT_EQ(waypointOn(kRoom, {0, 9}, 1, WaypointRule::kCentre), (Vec2{10, 5}));
  EXPECT_EQ(waypointOn(kRoom, {0, 9}, 1, WaypointRule::kClosestEnd), (Vec2{10, 7}));
  EXPECT_EQ(waypointOn(kRoom, {0, 9}, 9, WaypointRule::kClosestEnd), (Vec2{10, 5}));
}

// Rooms of routes: every place in them, and so every dynamic way point, keeps the radius; simple ones need not.
TEST(Waypoint, KeepsTheRadius) {
  size_t checked = 0;
  size_t simpleTooNear = 0;
  for (uint64_t world = 0; world < 160; ++world) {
    Random random(9, world);
    const std::optional<Environment> environment = randomEnvironment(random);
    if (!environment || environment->layers[0].free.empty()) continue;
    const double size = boundingBox(*environment).max.x;
    const double r = 0.01 * size * std::pow(10.0, random.real());
    DiskOracle oracle(wallsOf(environment->layers[0].free), r);
    const Navigator navigator = makeNavigator(bake(*environment, {.generator = "hertel-mehlhorn"}).value());
    PlanScratch scratch;
    Route route;
    for (int i = 0; i < 10; ++i) {
      PathQuery query;
      query.from = {random.real(0, size), random.real(0, size), 0};
      query.to = {random.real(0, size), random.real(0, size), 0};
      query.radius = r;
      if (navigator.plan(query, scratch, route) != PathStatus::kFound) continue;
      for (size_t p = 0; p < route.portals.size(); ++p) {
        WaypointSettings settings;
        const Vec2 exact = nextWaypoint(navigator, route, p, query.from, r, settings, scratch);
        ASSERT_GE(oracle.clearance(exact), r - 1e-6);
        settings.shrink = ShrinkRule::kSimple;
        settings.goalInSight = false;
        const Vec2 simple = nextWaypoint(navigator, route, p, query.from, r, settings, scratch);
        simpleTooNear += oracle.clearance(simple) < r - 1e-6 ? 1U : 0U;
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 300U);
  EXPECT_GT(simpleTooNear, 10U);
}

TEST(ClearanceTable, ChangesNoShrunkPortal) {
  size_t fast = 0;
  for (uint64_t world = 0; world < 100; ++world) {
    Random random(31, world);
    const std::optional<Environment> environment = randomEnvironment(random);
    if (!environment || environment->layers[0].free.empty()) continue;
    const NavMesh mesh = generate(*environment, {.generator = "delaunay"}).value();
    const ClearanceTable clearance(mesh, 4);
    for (int i = 0; i < 4; ++i) {
      const double r = 0.05 * std::pow(60.0, random.real());
      ShrunkPortals with(mesh, r, &clearance);
      ShrunkPortals without(mesh, r);
      for (SideId s = 0; s < mesh.sideCount(); ++s) {
        if (mesh.isWall(s)) continue;
        uint32_t first = 0;
        const std::span<const ShrunkPortalUnits> a = with.shrunkPortals(s, first);
        const std::span<const ShrunkPortalUnits> b = without.shrunkPortals(s, first);
        fast += r <= clearance.limits(s).criticalRadius ? 1U : 0U;
        ASSERT_EQ(a.size(), b.size()) << world << " side " << s << " r " << r;
        for (size_t k = 0; k < a.size(); ++k) {
          ASSERT_NEAR(a[k].low, b[k].low, 1e-9);
          ASSERT_NEAR(a[k].high, b[k].high, 1e-9);
        }
      }
      // A joined pair of shrunk portals is at least 2 r wide.
      for (CellId cell = 0; cell < mesh.cellCount(); ++cell) {
        const ShrunkPortals::CellView view = without.cell(cell);
        for (size_t x = 0; x < view.entries.size(); ++x) {
          for (size_t y = 0; y < view.entries.size(); ++y) {
            if (view.faces[x] != view.faces[y]) continue;
            const auto sideOf = [&](DirectedPortalId c) {
              const SideId side = without.shrunkPortal(c).side;
              return (c & 1) == 0 ? side : mesh.twin(side);
            };
            if (sideOf(view.entries[x]) == sideOf(view.entries[y])) continue;
            ASSERT_GE(clearance.width(mesh, sideOf(view.entries[x]), sideOf(view.entries[y])), 2 * without.radius());
          }
        }
      }
    }
  }
  EXPECT_GT(fast, 1000U);
}

}  // namespace
}  // namespace wend
