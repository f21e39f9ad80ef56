#include <cmath>

#include <wend/generate.h>
#include <wend/make.h>
#include <wend/navigator.h>

#include <gtest/gtest.h>

#include "base/random.h"
#include "planning/corridor/corridor_navigator.h"
#include "tests/planning/corridor/ecm_navigator.h"

// Cutting the edges of the medial axis at connections must not change any answer.
namespace wend {
namespace {

Vec3 randomPlace(const Environment& environment, const Locator& locator, Random& random) {
  while (true) {
    const auto layer = static_cast<LayerId>(random.between(0, static_cast<int64_t>(environment.layers.size()) - 1));
    const Box box = boundingBox(environment.layers[layer].free);
    const Vec2 p =
        environment.lattice.toMetres(Vec2{random.real(box.min.x, box.max.x), random.real(box.min.y, box.max.y)});
    if (locator.locate(p, layer) != kNone) return {p.x, p.y, locator.height(p, layer)};
  }
}

void expectSameAnswers(const CorridorNavigator& whole, const CorridorNavigator& split, const PathQuery& query) {
  PlanScratch scratch;
  const double radius = whole.largestRadius(query, scratch);
  EXPECT_NEAR(split.largestRadius(query, scratch), radius, 1e-9);
  EXPECT_EQ(split.reachable(query, scratch), whole.reachable(query, scratch));

  Corridor corridors[2];
  const PathStatus status = whole.corridor(query, scratch, corridors[0]);
  EXPECT_EQ(split.corridor(query, scratch, corridors[1]), status);
  Route routes[2];
  EXPECT_EQ(whole.plan(query, scratch, routes[0]), status);
  EXPECT_EQ(split.plan(query, scratch, routes[1]), status);
  if (status == PathStatus::kFound) {
    EXPECT_NEAR(corridors[0].length, corridors[1].length, 1e-8);
    EXPECT_NEAR(corridors[0].minClearance, corridors[1].minClearance, 1e-9);
    // Arcs are followed in steps, and a split adds one: a route that keeps a clearance may be a little shorter.
    EXPECT_NEAR(routes[0].length, routes[1].length, 1e-3 * routes[0].length + 1e-6);
  }

  const auto nearest = whole.nearestObstacle(query.from, scratch);
  const auto same = split.nearestObstacle(query.from, scratch);
  ASSERT_TRUE(nearest && same);
  EXPECT_NEAR(nearest->distance, same->distance, 1e-9);
  const auto retracted = whole.retraction(query.from, scratch);
  const auto again = split.retraction(query.from, scratch);
  ASSERT_TRUE(retracted && again);
  EXPECT_NEAR(std::hypot(retracted->p.x - again->p.x, retracted->p.y - again->p.y), 0, 1e-4);
  EXPECT_NEAR(whole.straightClearance(query.from, query.to, scratch),
              split.straightClearance(query.from, query.to, scratch), 1e-9);
  VisibilityPolygon views[2];
  ASSERT_TRUE(whole.visibility(query.from, 0, scratch, views[0]));
  ASSERT_TRUE(split.visibility(query.from, 0, scratch, views[1]));
  EXPECT_NEAR(areaOf(views[0]), areaOf(views[1]), 1e-6);
}

TEST(CorridorSplit, ChangesNoAnswer) {
  for (const char* kind : {"two-floor-ramp", "ramps", "spiral", "overlap-side", "sliced-ramp", "library", "station"}) {
    SCOPED_TRACE(kind);
    const auto world = makeEnvironment({kind, {}, 1, {}});
    ASSERT_TRUE(world.ok());
    const auto whole = CorridorNavigator::make(*generate(*world, {"ecm", {}, 1}));
    const auto split = CorridorNavigator::make(*generate(*world, {"ecm", {{"split", "on"}}, 1}));
    ASSERT_TRUE(whole.ok() && split.ok());
    const Locator locator((*whole)->mesh());
    Random random(1);
    for (int i = 0; i < 40 && !testing::Test::HasFailure(); ++i) {
      PathQuery query;
      query.from = randomPlace(*world, locator, random);
      query.to = randomPlace(*world, locator, random);
      query.radius = i % 2 == 0 ? 0 : random.real(0, 0.6);
      query.clearance = i % 3 == 0 ? 0 : query.radius + 0.3;
      SCOPED_TRACE(i);
      expectSameAnswers(**whole, **split, query);
    }
  }
}

}  // namespace
}  // namespace wend
