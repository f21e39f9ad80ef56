#include <wend/generate.h>
#include <wend/make.h>
#include <wend/navigator.h>

#include <gtest/gtest.h>

#include "base/random.h"
#include "planning/corridor/corridor_navigator.h"
#include "tests/planning/corridor/ecm_navigator.h"

namespace wend {
namespace {

Environment roomWithPillar() {
  EnvironmentDraft draft;
  LayerDraft& layer = draft.layers.emplace_back();
  layer.walkable.push_back({{{0, 0}, {10, 0}, {10, 10}, {0, 10}}});
  layer.obstacles.push_back({{{4, 4}, {6, 4}, {6, 6}, {4, 6}}});
  return *buildEnvironment(draft);
}

PathQuery query(Vec2 from, Vec2 to, double radius, double clearance = 0) {
  PathQuery q;
  q.from = {from.x, from.y, 0};
  q.to = {to.x, to.y, 0};
  q.radius = radius;
  q.clearance = clearance;
  return q;
}

TEST(CorridorNavigator, NeedsACorridorMap) {
  GenerateSettings settings;
  settings.generator = "delaunay";
  const Result<NavMesh> mesh = generate(roomWithPillar(), settings);
  ASSERT_TRUE(mesh.ok());
  const auto navigator = CorridorNavigator::make(*mesh);
  ASSERT_FALSE(navigator.ok());
  EXPECT_EQ(navigator.error().code, ErrorCode::kUnsupported);
}

TEST(CorridorNavigator, GoesAroundAPillar) {
  const auto navigator = navigatorOf(roomWithPillar());
  PlanScratch scratch;
  Route route;
  // A point may touch the corners: up, along the pillar, down.
  ASSERT_EQ(navigator->plan(query({3, 5}, {7, 5}, 0), scratch, route), PathStatus::kFound);
  EXPECT_NEAR(route.length, 2 + 2 * std::sqrt(2.0), 1e-6);
  EXPECT_NEAR(route.clearance, 0, 1e-9);
  EXPECT_EQ(route.portals.size() + 1, route.cells.size());
  // A disk of 1 m rolls around them: 4 + pi, and a little for the corners of the tangents.
  ASSERT_EQ(navigator->plan(query({3, 5}, {7, 5}, 1), scratch, route), PathStatus::kFound);
  EXPECT_GE(route.length, 4 + M_PI);
  EXPECT_LE(route.length, (4 + M_PI) * 1.006);
  EXPECT_NEAR(route.clearance, 1, 1e-6);
  // It prefers 1.5 m where it can have it, but starts nearer to the pillar.
  ASSERT_EQ(navigator->plan(query({3, 5}, {7, 5}, 0.5, 1.5), scratch, route), PathStatus::kFound);
  EXPECT_NEAR(route.clearance, 1, 1e-6);
  EXPECT_EQ(navigator->plan(query({3, 5}, {7, 5}, 1.01), scratch, route), PathStatus::kStartTooNear);
  EXPECT_EQ(navigator->plan(query({2, 5}, {7, 5}, 1.01), scratch, route), PathStatus::kGoalTooNear);
  // The corridors are 4 m wide; disks fit exactly.
  ASSERT_EQ(navigator->plan(query({2, 5}, {8, 5}, 2), scratch, route), PathStatus::kFound);
  EXPECT_NEAR(route.clearance, 2, 1e-6);
  EXPECT_NEAR(navigator->largestRadius(query({2, 5}, {8, 5}, 0), scratch), 2, 1e-9);
  EXPECT_EQ(navigator->reachable(query({2, 5}, {8, 5}, 2), scratch), PathStatus::kFound);
}

TEST(CorridorNavigator, KeepsToOneSide) {
  const auto navigator = navigatorOf(roomWithPillar());
  PlanScratch scratch;
  Route route;
  PathQuery q = query({2, 3}, {2, 7}, 0.1, 0.5);
  for (const auto& [side, x] : {std::pair{-1.0, 0.5}, {0.0, 2.0}, {1.0, 3.5}, {0.5, 2.75}}) {
    q.side = side;
    ASSERT_EQ(navigator->plan(q, scratch, route), PathStatus::kFound);
    // Where it passes beside the middle of the pillar.
    double at = -1;
    for (size_t i = 0; i + 1 < route.points.size(); ++i) {
      const Vec3 a = route.points[i];
      const Vec3 b = route.points[i + 1];
      if ((a.y > 5) != (b.y > 5)) at = a.x + (b.x - a.x) * (5 - a.y) / (b.y - a.y);
    }
    EXPECT_NEAR(at, x, 1e-6) << side;
  }
  q.side = 1.5;
  EXPECT_EQ(navigator->plan(q, scratch, route), PathStatus::kBadQuery);
}

TEST(CorridorNavigator, RefusesWhatIsNoQuery) {
  const auto navigator = navigatorOf(roomWithPillar());
  PlanScratch scratch;
  Route route;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(navigator->plan(query({nan, 5}, {7, 5}, 0), scratch, route), PathStatus::kBadQuery);
  EXPECT_EQ(navigator->plan(query({3, 5}, {7, 5}, -1), scratch, route), PathStatus::kBadQuery);
  EXPECT_EQ(navigator->plan(query({3, 5}, {7, 5}, 0, nan), scratch, route), PathStatus::kBadQuery);
  EXPECT_EQ(navigator->plan(query({5, 5}, {7, 5}, 0), scratch, route), PathStatus::kStartOffMesh);
  EXPECT_EQ(navigator->plan(query({3, 5}, {17, 5}, 0), scratch, route), PathStatus::kGoalOffMesh);
  EXPECT_FALSE(navigator->nearestObstacle({nan, 0, 0}, scratch));
  EXPECT_LT(navigator->straightClearance({3, 5, 0}, {5, 5, 0}, scratch), 0);
  VisibilityPolygon view;
  EXPECT_FALSE(navigator->visibility({5, 5, 0}, 0, scratch, view));
  EXPECT_FALSE(navigator->visibility({3, 5, 0}, nan, scratch, view));
  EXPECT_LT(navigator->largestRadius(query({5, 5}, {7, 5}, 0), scratch), 0);
}

TEST(CorridorNavigator, SeesPastAPillar) {
  const auto navigator = navigatorOf(roomWithPillar());
  PlanScratch scratch;
  VisibilityPolygon view;
  ASSERT_TRUE(navigator->visibility({5, 2, 0}, 0, scratch, view));
  double area = 0;
  for (size_t i = 0; i < view.points.size(); ++i) {
    const Vec3 a = view.points[i];
    const Vec3 b = view.points[(i + 1) % view.points.size()];
    area += 0.5 * (a.x * b.y - a.y * b.x);
  }
  // The room without the pillar's shadow: a triangle from the eye to the upper wall, cut off at the pillar.
  EXPECT_NEAR(area, 100 - (0.5 * 8 * 8 - 0.5 * 2 * 2), 1e-6);
  EXPECT_NEAR(navigator->straightClearance({1, 2, 0}, {9, 2, 0}, scratch), 1, 1e-9);
  EXPECT_NEAR(navigator->straightClearance({3, 5, 0}, {3, 9, 0}, scratch), 1, 1e-9);
  EXPECT_LT(navigator->straightClearance({5, 2, 0}, {5, 8, 0}, scratch), 0);
  const auto nearest = navigator->nearestObstacle({3.5, 5, 0}, scratch);
  ASSERT_TRUE(nearest);
  EXPECT_NEAR(nearest->distance, 0.5, 1e-9);
  EXPECT_NEAR(nearest->point.x, 4, 1e-9);
  const auto axis = navigator->retraction({3.5, 5, 0}, scratch);
  ASSERT_TRUE(axis);
  EXPECT_NEAR(axis->p.x, 20000, 1e-6);
  EXPECT_NEAR(axis->clearance, 20000, 1e-6);
}

// Whatever the question, points on walls, corners and borders of cells have an answer.
TEST(CorridorNavigator, AnswersOnWallsAndCorners) {
  const auto navigator = navigatorOf(roomWithPillar());
  PlanScratch scratch;
  Route route;
  VisibilityPolygon view;
  for (const Vec2 s : {Vec2{0, 0}, {4, 4}, {5, 4}, {2, 2}, {10, 5}, {6, 6}, {2, 5}}) {
    EXPECT_TRUE(navigator->visibility({s.x, s.y, 0}, 0, scratch, view)) << s.x << ", " << s.y;
    EXPECT_GE(view.points.size(), 4U) << s.x << ", " << s.y;
    for (const Vec2 g : {Vec2{10, 10}, {6, 6}, {6, 5}, {8, 8}, {0, 5}, {4, 4}}) {
      ASSERT_EQ(navigator->plan(query(s, g, 0), scratch, route), PathStatus::kFound);
      EXPECT_GE(route.length, std::hypot(g.x - s.x, g.y - s.y) - 1e-9);
      EXPECT_EQ(route.portals.size() + 1, route.cells.size());
    }
  }
}

TEST(CorridorNavigator, WalksCellsThroughPortals) {
  MakeSettings make;
  make.kind = "military";
  const Result<Environment> environment = makeEnvironment(make);
  ASSERT_TRUE(environment.ok());
  const auto navigator = navigatorOf(*environment);
  const NavMesh& mesh = navigator->mesh();
  PlanScratch scratch;
  Route route;
  Random random(7);
  int found = 0;
  for (int i = 0; i < 300; ++i) {
    const PathQuery q =
        query({random.real(0, 200), random.real(0, 200)}, {random.real(0, 200), random.real(0, 200)}, 0.3, 0.5);
    if (navigator->plan(q, scratch, route) != PathStatus::kFound) continue;
    ++found;
    EXPECT_GE(route.clearance, 0.3 - 1e-6);
    ASSERT_EQ(route.portals.size() + 1, route.cells.size());
    EXPECT_EQ(route.cells.back(), navigator->locate(q.to));
    for (size_t k = 0; k < route.portals.size(); ++k) {
      ASSERT_EQ(mesh.cellOf(route.portals[k]), route.cells[k]);
      ASSERT_EQ(mesh.neighbour(route.portals[k]), route.cells[k + 1]);
    }
  }
  EXPECT_GT(found, 100);
}

}  // namespace
}  // namespace wend
