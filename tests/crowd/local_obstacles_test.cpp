#include "crowd/local_obstacles.h"

#include <wend/crowd.h>

#include <gtest/gtest.h>

#include "planning/clearance/distances.h"
#include "tests/crowd/crowd_world.h"

// Regions that agents walk around and planners do not know.
namespace wend {
namespace {

Vec2 turned(Vec2 p, double degrees) {
  const double a = degrees * M_PI / 180;
  return {std::cos(a) * p.x - std::sin(a) * p.y, std::sin(a) * p.x + std::cos(a) * p.y};
}

struct Hall {
  Environment environment;
  std::vector<std::vector<Vec2>> objects;
};

// A hall of 30 x 10 m, turned, with a bench across the way, a post beside a wall and a tree.
Hall hall(double degrees) {
  Hall made;
  const auto turn = [&](std::vector<Vec2> outline) {
    for (Vec2& p : outline) p = turned(p, degrees);
    return outline;
  };
  EnvironmentDraft draft;
  LayerDraft& layer = draft.layers.emplace_back();
  layer.walkable.push_back({turn(rectangle(0, 0, 30, 10))});
  made.objects = {turn(rectangle(10, 3.5, 10.5, 6.5)), turn(rectangle(15, 0.3, 15.2, 0.5)),
                  turn({{20, 5}, {20.5, 4.5}, {21, 5}, {20.5, 5.5}})};
  RegionDraft& region = layer.regions.emplace_back();
  region.label = "object";
  for (const std::vector<Vec2>& object : made.objects) region.area.push_back({object});
  made.environment = built(draft);
  return made;
}

// How deep a disk reaches into an object, metres.
double depthIn(const std::vector<Vec2>& object, Vec2 at, double radius) {
  double d = HUGE_VAL;
  for (size_t i = 0, j = object.size() - 1; i < object.size(); j = i++)
    d = std::min(d, distanceToSegment(at, object[j], object[i]));
  return containsConvex(object, at) ? radius + d : radius - d;
}

struct Walked {
  int arrived = 0;
  double deepest = -HUGE_VAL;
  uint64_t hash = 0;
};

Walked walkThrough(const Hall& hall, double degrees, const CrowdProfile& profile, const CrowdSettings& settings,
                   int threads = 1) {
  Crowd crowd = crowdOn(navigatorOf(hall.environment, "hertel-mehlhorn"), profile, settings);
  Walked outcome;
  // Some start straight ahead of the middle of the bench, some along the wall with the post.
  for (const double y : {5.0, 4.2, 5.8, 0.4, 1.1, 9.0}) {
    for (const bool back : {false, true}) {
      const double from = back ? 28 : 2;
      const double to = back ? 2 : 28;
      const auto added = crowd.add({.at = {turned({from, y}, degrees)}, .goal = {turned({to, y}, degrees)}});
      EXPECT_TRUE(added.ok());
    }
  }
  const Threads context(threads);
  while (crowd.size() > 0 && crowd.time() < 120) {
    crowd.step(context, [&](Crowd& c, const CrowdEvent& event) {
      if (event.kind != CrowdEventKind::kGoalReached) return;
      ++outcome.arrived;
      c.remove(event.agent);
    });
    for (const AgentState& agent : crowd.agents()) {
      const Vec2 at{agent.position.x, agent.position.y};
      for (const auto& object : hall.objects)
        outcome.deepest = std::max(outcome.deepest, depthIn(object, at, agent.radius));
    }
    if (crowd.frame() == 150) outcome.hash = crowd.hash();
  }
  return outcome;
}

TEST(LocalObstacles, AgentsWalkAroundThemByEveryMethod) {
  for (const AvoidMethod avoid :
       {AvoidMethod::kVision, AvoidMethod::kKaramouzas, AvoidMethod::kPredictive, AvoidMethod::kPowerLaw,
        AvoidMethod::kOrca, AvoidMethod::kSocialForce, AvoidMethod::kSpeed, AvoidMethod::kNone,
        AvoidMethod::kSocialForce1995, AvoidMethod::kAnticipation, AvoidMethod::kSpeedTurn}) {
    for (const double degrees : {0.0, 17.0}) {
      CrowdProfile profile;
      profile.avoid = avoid;
      const Walked outcome = walkThrough(hall(degrees), degrees, profile, {});
      EXPECT_EQ(outcome.arrived, 12) << methodName(avoid) << ", turned by " << degrees;
      // Lattice points and the walls beside the post leave a millimetre.
      EXPECT_LT(outcome.deepest, 1e-3) << methodName(avoid) << ", turned by " << degrees;
    }
  }
}

TEST(LocalObstacles, TablesToo) {
  CrowdProfile profile;
  profile.route = RouteMethod::kTable;
  profile.avoid = AvoidMethod::kSocialForce1995;
  const Walked outcome = walkThrough(hall(17), 17, profile, {});
  EXPECT_EQ(outcome.arrived, 12);
  EXPECT_LT(outcome.deepest, 1e-3);
}

TEST(LocalObstacles, NoLabelsNoObstacles) {
  CrowdSettings settings;
  settings.localObstacles = {};
  const Walked outcome = walkThrough(hall(0), 0, {}, settings);
  EXPECT_EQ(outcome.arrived, 12);
  EXPECT_GT(outcome.deepest, 0.2);  // straight through the bench
  settings.localObstacles = {"bench"};
  EXPECT_GT(walkThrough(hall(0), 0, {}, settings).deepest, 0.2);
}

TEST(LocalObstacles, PlannersDoNotKnowThem) {
  const Navigator navigator = navigatorOf(hall(0).environment);
  PlanScratch scratch;
  Route route;
  ASSERT_EQ(navigator.plan({.from = {2, 5}, .to = {28, 5}, .radius = 0.24}, scratch, route), PathStatus::kFound);
  EXPECT_NEAR(route.length, 26, 1e-6);
}

TEST(LocalObstacles, SameBitsForAnyThreadsAndAfterLoading) {
  const Hall h = hall(17);
  const Walked one = walkThrough(h, 17, {}, {}, 1);
  EXPECT_NE(one.hash, 0U);
  EXPECT_EQ(walkThrough(h, 17, {}, {}, 3).hash, one.hash);

  Crowd crowd = crowdOn(navigatorOf(h.environment));
  ASSERT_TRUE(crowd.add({.at = {turned({2, 5}, 17)}, .goal = {turned({28, 5}, 17)}}).ok());
  const Threads serial(1);
  for (int i = 0; i < 50; ++i) crowd.step(serial);
  Crowd copy = crowdOn(navigatorOf(h.environment));
  ASSERT_TRUE(copy.load(crowd.save()).ok());
  for (int i = 0; i < 50; ++i) {
    crowd.step(serial);
    copy.step(serial);
  }
  EXPECT_EQ(crowd.hash(), copy.hash());
  // A crowd that walks through objects is another one.
  CrowdSettings none;
  none.localObstacles = {};
  Crowd other = crowdOn(navigatorOf(h.environment), {}, none);
  EXPECT_FALSE(other.load(crowd.save()).ok());
}

TEST(LocalObstacles, AnObjectThatHoldsTheGoalOrTheStartIsNoTrap) {
  const Hall h = hall(0);
  Crowd crowd = crowdOn(navigatorOf(h.environment));
  ASSERT_TRUE(crowd.add({.at = {2, 5}, .goal = {10.25, 5}, .goalRadius = 0.1}).ok());  // in the bench
  ASSERT_TRUE(crowd.add({.at = {20.5, 5}, .goal = {28, 5}}).ok());                     // from the tree
  int arrived = 0;
  const Threads serial(1);
  double fastest = 0;
  while (crowd.time() < 60 && arrived < 2) {
    crowd.step(serial, [&](Crowd& c, const CrowdEvent& event) {
      if (event.kind != CrowdEventKind::kGoalReached) return;
      ++arrived;
      c.remove(event.agent);
    });
    for (const AgentState& agent : crowd.agents())
      fastest = std::max(fastest, std::hypot(agent.velocity.x, agent.velocity.y));
  }
  EXPECT_EQ(arrived, 2);
  EXPECT_LT(fastest, 2.2);  // nobody is thrown out
}

// A long step does not jump over a thin object.
TEST(LocalObstacles, StepsDoNotJumpOverThinOnes) {
  EnvironmentDraft draft = room(0, 0, 20, 10);
  draft.layers[0].regions.push_back({"object", {{rectangle(10, 0, 10.05, 10)}}});
  CrowdSettings settings;
  settings.step = 0.5;
  CrowdProfile profile;
  profile.avoid = AvoidMethod::kNone;
  Crowd crowd = crowdOn(navigatorOf(built(draft)), profile, settings);
  ASSERT_TRUE(crowd.add({.at = {5, 5}, .goal = {15, 5}, .speed = 3}).ok());
  const Threads serial(1);
  for (int i = 0; i < 40; ++i) {
    crowd.step(serial);
    ASSERT_LT(crowd.agents()[0].position.x, 10);  // a wall from side to side: the agent stays before it
  }
}

}  // namespace
}  // namespace wend
