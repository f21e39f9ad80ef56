#include <cmath>

#include <wend/crowd.h>
#include <wend/generate.h>
#include <wend/navigator.h>

#include <gtest/gtest.h>

#include "base/random.h"
#include "planning/corridor/corridor_navigator.h"
#include "planning/disk/disk_navigator.h"

// A crowd that plans by density: two doors in a wall, the nearer one too narrow for all.
namespace wend {
namespace {

Navigator twoDoors(bool ecm) {
  EnvironmentDraft draft;
  LayerDraft& layer = draft.layers.emplace_back();
  layer.walkable.push_back({{{0, 0}, {40, 0}, {40, 40}, {0, 40}}});
  // Doors from x = 8 to 9.5 and from x = 22 to 26.
  layer.obstacles.push_back({{{0, 20}, {8, 20}, {8, 21}, {0, 21}}});
  layer.obstacles.push_back({{{9.5, 20}, {22, 20}, {22, 21}, {9.5, 21}}});
  layer.obstacles.push_back({{{26, 20}, {40, 20}, {40, 21}, {26, 21}}});
  return makeNavigator(bake(buildEnvironment(draft).value(), {.generator = ecm ? "ecm" : "hertel-mehlhorn"}).value());
}

Crowd crowdWith(const Navigator& navigator, double weight, double every, uint32_t budget = 0) {
  CrowdProfile profile;
  profile.densityWeight = weight;
  profile.replanEvery = every;
  CrowdSettings settings;
  settings.replanBudget = budget;
  Crowd crowd = Crowd::make(navigator, {profile}, settings).value();
  Random random(3, 3);
  for (int i = 0; i < 150; ++i) {
    AgentStart start;
    start.at = {2 + 0.9 * (i % 15), 4 + 0.9 * (i / 15), 0};
    start.goal = {random.real(4, 14), random.real(32, 38), 0};
    EXPECT_TRUE(crowd.add(start).ok());
  }
  return crowd;
}

void run(Crowd& crowd, int steps, int threads) {
  Context context;
  context.threads = threads;
  for (int i = 0; i < steps; ++i)
    crowd.step(context, [](Crowd& c, const CrowdEvent& event) {
      if (event.kind == CrowdEventKind::kGoalReached) c.remove(event.agent);
    });
}

// Only with a medial axis: without it the two rooms are one cell each, and the crowd before the door is spread over the
// room's area.
TEST(CrowdDensity, WhoAvoidsCrowdsTakesTheOtherDoor) {
  const auto navigator = twoDoors(true);
  int after[2] = {0, 0};
  for (const int w : {0, 1}) {
    Crowd crowd = crowdWith(navigator, 5.0 * w, 2);
    run(crowd, 450, 2);
    after[w] = static_cast<int>(crowd.size());
  }
  EXPECT_LT(after[1], after[0]);
}

TEST(CrowdDensity, MeshesWithoutMedialAxisPlanAgainToo) {
  Crowd crowd = crowdWith(twoDoors(false), 3, 1);
  run(crowd, 100, 2);
  EXPECT_EQ(crowd.size(), 150U);
}

TEST(CrowdDensity, SameBitsForAnyThreadsAndAfterLoading) {
  const auto navigator = twoDoors(true);
  Crowd one = crowdWith(navigator, 3, 1, 10);
  Crowd four = crowdWith(navigator, 3, 1, 10);
  run(one, 120, 1);
  run(four, 120, 4);
  EXPECT_EQ(one.hash(), four.hash());
  Crowd loaded = crowdWith(navigator, 3, 1, 10);
  ASSERT_TRUE(loaded.load(one.save()).ok());
  EXPECT_EQ(loaded.hash(), one.hash());
  run(one, 80, 2);
  run(loaded, 80, 1);
  EXPECT_EQ(loaded.hash(), one.hash());
}

TEST(CrowdDensity, CountsWhoComesAndGoes) {
  const auto navigator = twoDoors(true);
  Crowd crowd = Crowd::make(navigator, {CrowdProfile{}}, {}).value();
  AgentStart start;
  start.at = {5, 10, 0};
  start.goal = {5, 30, 0};
  const AgentId a = crowd.add(start).value();
  crowd.step({});
  const double alone = crowd.densityAt(a);
  EXPECT_GT(alone, 0);
  start.at = {6, 10, 0};
  const AgentId b = crowd.add(start).value();
  crowd.step({});
  EXPECT_GT(crowd.densityAt(a), alone);
  crowd.remove(b);
  EXPECT_EQ(crowd.densityAt(a), alone);
  EXPECT_EQ(crowd.densityAt(b), 0);
  // The world stays the same, everybody is counted again.
  ASSERT_TRUE(crowd.setNavigator(twoDoors(true), {}).ok());
  crowd.step({});
  EXPECT_EQ(crowd.densityAt(a), alone);
}

TEST(CrowdDensity, TellsWhoStandsInTheDensestClass) {
  const auto navigator = twoDoors(true);
  Crowd crowd = Crowd::make(navigator, {CrowdProfile{}}, {}).value();
  // Many people with nowhere to go, in a corner.
  for (int i = 0; i < 40; ++i) {
    for (int k = 0; k < 40; ++k) {
      AgentStart start;
      start.at = {0.3 + 0.5 * i, 0.3 + 0.48 * k, 0};
      start.goal = start.at;
      ASSERT_TRUE(crowd.add(start).ok());
    }
  }
  int delivered = 0;
  for (int i = 0; i < 110; ++i) {
    crowd.step({}, [&](Crowd&, const CrowdEvent& event) { delivered += event.kind == CrowdEventKind::kOvercrowded; });
    if (i < 90) {
      EXPECT_EQ(delivered, 0);
    }
  }
  EXPECT_GT(delivered, 100);
}

// A lawn between two paths: who minds it walks around.
TEST(CrowdRegions, PersonalCostsLeadAroundTheLawn) {
  EnvironmentDraft draft;
  LayerDraft& layer = draft.layers.emplace_back();
  layer.walkable.push_back({{{0, 0}, {40, 0}, {40, 30}, {0, 30}}});
  layer.regions.push_back({"lawn", {{{{0, 4}, {40, 4}, {40, 26}, {0, 26}}}}});
  const Environment environment = buildEnvironment(draft).value();
  const Navigator navigator = makeNavigator(bake(environment, {.generator = "ecm"}).value());
  for (const FollowMethod method : {FollowMethod::kIrm, FollowMethod::kMiran, FollowMethod::kWaypoints}) {
    double onLawn[2] = {0, 0};
    for (const int minds : {0, 1}) {
      CrowdProfile profile;
      profile.route = RouteMethod::kWeighted;
      profile.follow = method;
      profile.avoid = AvoidMethod::kNone;
      if (minds == 1) profile.regionCost = {{"lawn", 6}};
      Crowd crowd = Crowd::make(navigator, {profile}, {}).value();
      AgentStart start;
      start.at = {2, 8, 0};
      start.goal = {38, 8, 0};
      const AgentId id = crowd.add(start).value();
      bool arrived = false;
      for (int i = 0; i < 600 && !arrived; ++i) {
        crowd.step({}, [&](Crowd&, const CrowdEvent& e) { arrived |= e.kind == CrowdEventKind::kGoalReached; });
        onLawn[minds] += crowd.find(id)->position.y > 4 ? 1 : 0;
      }
      EXPECT_TRUE(arrived) << methodName(method) << minds;
    }
    // Only MIRAN looks at costs on the way; the others cut the corners of a route in an open room.
    if (method == FollowMethod::kMiran) {
      EXPECT_LT(onLawn[1], 0.6 * onLawn[0]);
    }
  }
}

}  // namespace
}  // namespace wend
