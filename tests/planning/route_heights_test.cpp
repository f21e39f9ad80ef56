#include "planning/route_heights.h"

#include <wend/generate.h>
#include <wend/make.h>
#include <wend/navigator.h>

#include <gtest/gtest.h>

#include "planning/corridor/corridor_navigator.h"
#include "planning/disk/disk_navigator.h"

namespace wend {
namespace {

// Every place of every route, halfway between its points too, is at the height of a layer there.
void expectOnSurface(const Locator& locator, const Route& route) {
  for (size_t i = 0; i + 1 < route.points.size(); ++i) {
    const Vec3 a = route.points[i];
    const Vec3 b = route.points[i + 1];
    const Vec3 middle{(a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2};
    const CellId cell = locator.locate(Place(middle, 0.2));
    EXPECT_NE(cell, kNone) << middle.x << ", " << middle.y << ", " << middle.z;
  }
}

TEST(RouteHeights, AStraightWayDownARampBendsAtItsFoot) {
  const auto world = makeEnvironment({"station", {}, 1, {}});
  ASSERT_TRUE(world.ok());
  for (const char* generator : {"ecm", "neogen"}) {
    GenerateSettings settings;
    settings.generator = generator;
    const auto mesh = generate(*world, settings);
    ASSERT_TRUE(mesh.ok());
    const Navigator navigator = makeNavigator(World::of(*world, *mesh).value());
    const Locator locator(*mesh);
    PlanScratch scratch;
    Route route;
    const PathQuery query{.from = {37.5, 48.6, 2.9}, .to = {1, 53, 0}, .radius = 0.24};
    ASSERT_EQ(navigator.plan(query, scratch, route), PathStatus::kFound) << generator;
    const double length = route.length;
    markConnections(*mesh, route);
    bool atFoot = false;
    for (const Vec3& p : route.points) atFoot |= std::abs(p.x - 31.7197) < 1e-3 && std::abs(p.z) < 1e-3;
    EXPECT_TRUE(atFoot) << generator;
    EXPECT_EQ(route.length, length);
    expectOnSurface(locator, route);
    const size_t points = route.points.size();
    markConnections(*mesh, route);
    EXPECT_EQ(route.points.size(), points) << "marked twice";
  }
}

TEST(RouteHeights, ArcsKeepTheirEnds) {
  const auto world = makeEnvironment({"station", {}, 1, {}});
  ASSERT_TRUE(world.ok());
  GenerateSettings settings;
  settings.generator = "neogen";
  const auto mesh = generate(*world, settings);
  ASSERT_TRUE(mesh.ok());
  const DiskNavigator navigator(*mesh);
  PlanScratch scratch;
  Route route;
  ASSERT_EQ(navigator.plan({.from = {10, 60, 6}, .to = {120, 20, 0}, .radius = 0.3}, scratch, route),
            PathStatus::kFound);
  std::vector<std::pair<Vec3, Vec3>> ends;
  for (const RouteArc& arc : route.arcs) ends.emplace_back(route.points[arc.first], route.points[arc.last]);
  const size_t before = route.points.size();
  markConnections(*mesh, route);
  EXPECT_GT(route.points.size(), before);
  for (size_t i = 0; i < ends.size(); ++i) {
    EXPECT_EQ(route.points[route.arcs[i].first], ends[i].first);
    EXPECT_EQ(route.points[route.arcs[i].last], ends[i].second);
  }
}

TEST(RouteHeights, OneLayerStaysAsItIs) {
  Route route;
  route.points = {{0, 0, 0}, {1, 0, 0}};
  markConnections(NavMesh(), route);
  EXPECT_EQ(route.points.size(), 2U);
}

}  // namespace
}  // namespace wend
