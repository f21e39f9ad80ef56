#include <map>

#include <gtest/gtest.h>

#include "base/hash.h"
#include "tests/crowd/crowd_world.h"

namespace wend {
namespace {

// Three ways from left to right: above, through the middle, below. The middle is the shortest, above the second. From
// the middle an opening leads below.
EnvironmentDraft threeWays() {
  EnvironmentDraft draft;
  draft.layers.resize(1);
  draft.layers[0].walkable = {{rectangle(0, -6, 60, 30)}};
  draft.layers[0].obstacles = {{rectangle(10, 18, 50, 24)}, {rectangle(10, 6, 28, 12)}, {rectangle(32, 6, 50, 12)}};
  return draft;
}

// In the middle; a gap of 0.8 m stays above it.
EnvironmentDraft blocked() {
  EnvironmentDraft draft = threeWays();
  draft.layers[0].obstacles.push_back({rectangle(38, 11, 40, 17.2)});
  return draft;
}

// How many agents passed x = 45 above, in the middle and below.
struct Passed {
  int above = 0, middle = 0, below = 0;
};

CrowdProfile profileOf(ReplanTrigger notice, ReplanMethod method = ReplanMethod::kOdpa) {
  CrowdProfile profile;
  profile.densityWeight = 0;
  profile.notice = notice;
  profile.afterChange = method;
  profile.sight = 7;
  profile.clearance = 0.6;
  return profile;
}

struct ThreeWays {
  Crowd crowd;
  std::map<AgentId, Vec2> last;
  std::map<AgentId, Passed> passed;

  static ThreeWays make(std::vector<CrowdProfile> profiles, const std::string& generator, uint32_t budget = 0) {
    CrowdSettings settings;
    settings.replanBudget = budget;
    Result<Crowd> crowd = Crowd::make(navigatorOf(built(threeWays()), generator), std::move(profiles), settings);
    EXPECT_TRUE(crowd.ok());
    return {std::move(*crowd), {}, {}};
  }
  AgentId add(Vec2 at, double radius, uint32_t profile) {
    AgentStart start;
    start.at = Place(at.x, at.y);
    start.goal = Place(57, at.y);
    start.radius = radius;
    start.profile = profile;
    const Result<AgentId> id = crowd.add(start);
    EXPECT_TRUE(id.ok());
    return id.ok() ? *id : kNone;
  }
  void step(const Context& context) {
    crowd.step(context);
    for (const AgentState& agent : crowd.agents()) {
      const Vec2 now{agent.position.x, agent.position.y};
      const auto at = last.find(agent.id);
      if (at != last.end() && at->second.x < 45 && now.x >= 45) {
        Passed& p = passed[agent.id];
        (now.y > 20 ? p.above : now.y > 10 ? p.middle : p.below) += 1;
      }
      last[agent.id] = now;
    }
  }
};

// The source's first demonstration: who knows takes the way above, who is small squeezes through the middle, who does
// not know walks up to the obstacle and then takes the way below, which is now the shortest.
TEST(CrowdReplan, KnowingSmallAndUnaware) {
  const Threads serial(1);
  for (const char* generator : {"ecm", "hertel-mehlhorn"}) {
    CrowdProfile slim = profileOf(ReplanTrigger::kInstant);
    slim.clearance = 0.3;  // less than half of the gap
    ThreeWays world =
        ThreeWays::make({profileOf(ReplanTrigger::kInstant), profileOf(ReplanTrigger::kSight), slim}, generator);
    const AgentId knowing = world.add({3, 15}, 0.5, 0);
    const AgentId small = world.add({3, 13}, 0.2, 2);
    const AgentId unaware = world.add({3, 17}, 0.5, 1);
    for (int i = 0; i < 10; ++i) world.step(serial);
    ASSERT_TRUE(
        world.crowd.setNavigator(navigatorOf(built(blocked()), generator), serial, ChangeKind::kInsertion).ok());
    EXPECT_EQ(world.crowd.unaware(), world.crowd.waiting() + 1) << generator;
    world.step(serial);
    EXPECT_EQ(world.crowd.unaware(), 1U) << generator;
    EXPECT_EQ(world.crowd.waiting(), 0U) << generator;
    for (int i = 0; i < 1500; ++i) world.step(serial);
    EXPECT_EQ(world.crowd.unaware(), 0U) << generator;
    EXPECT_EQ(world.passed[knowing].above, 1) << generator;
    EXPECT_EQ(world.passed[small].middle, 1) << generator;
    EXPECT_EQ(world.passed[unaware].below, 1) << generator;
    for (const AgentState& agent : world.crowd.agents()) EXPECT_GT(agent.position.x, 56) << generator << agent.id;
  }
}

// Who only bumps into things comes nearer before it turns.
TEST(CrowdReplan, NextStepGone) {
  const Threads serial(1);
  ThreeWays world = ThreeWays::make({profileOf(ReplanTrigger::kNextEdge), profileOf(ReplanTrigger::kSight)}, "ecm");
  const AgentId bumping = world.add({3, 16}, 0.4, 0);
  const AgentId seeing = world.add({3, 14}, 0.4, 1);
  world.step(serial);
  // Without a gap.
  EnvironmentDraft shut = threeWays();
  shut.layers[0].obstacles.push_back({rectangle(38, 11, 40, 19)});
  ASSERT_TRUE(world.crowd.setNavigator(navigatorOf(built(shut), "ecm"), serial, ChangeKind::kInsertion).ok());
  EXPECT_EQ(world.crowd.unaware(), 2U);
  double farthest[2] = {0, 0};
  for (int i = 0; i < 400; ++i) {
    world.step(serial);
    for (const AgentState& agent : world.crowd.agents()) {
      if (agent.position.y > 12 && agent.position.y < 18 && agent.position.x < 38) {
        double& x = farthest[agent.id == bumping ? 0 : 1];
        x = std::max(x, agent.position.x);
      }
    }
  }
  EXPECT_NE(bumping, seeing);
  EXPECT_GT(farthest[0], 35);
  EXPECT_LT(farthest[1], 34);
  EXPECT_EQ(world.crowd.unaware(), 0U);
  for (int i = 0; i < 600; ++i) world.step(serial);
  EXPECT_EQ(world.passed[bumping].below, 1);
  EXPECT_EQ(world.passed[seeing].below, 1);
}

// First in, first out: so many routes per step.
TEST(CrowdReplan, BudgetIsKept) {
  const Threads serial(1);
  ThreeWays world = ThreeWays::make({profileOf(ReplanTrigger::kInstant)}, "ecm", 3);
  for (int i = 0; i < 20; ++i) world.add({1.0 + 1.2 * (i % 5), 12.5 + 1.2 * (i / 5)}, 0.5, 0);
  world.step(serial);
  ASSERT_TRUE(world.crowd.setNavigator(navigatorOf(built(blocked()), "ecm"), serial, ChangeKind::kInsertion).ok());
  EXPECT_EQ(world.crowd.waiting(), 20U);
  for (size_t left = 20; left > 0; left -= std::min<size_t>(left, 3)) {
    EXPECT_EQ(world.crowd.waiting(), left);
    world.step(serial);
  }
  EXPECT_EQ(world.crowd.waiting(), 0U);
  EXPECT_EQ(world.crowd.unaware(), 0U);
}

// Agents that walk above are not concerned by what happens in the middle: nobody waits, nobody turns.
TEST(CrowdReplan, OthersAreNotConcerned) {
  const Threads serial(1);
  for (const char* generator : {"ecm", "hertel-mehlhorn"}) {
    ThreeWays world = ThreeWays::make({profileOf(ReplanTrigger::kInstant)}, generator);
    for (int i = 0; i < 10; ++i) {
      AgentStart start;
      start.at = Place(12 + i, 28);
      start.goal = Place(45, 27);
      start.radius = 0.3;
      ASSERT_TRUE(world.crowd.add(start).ok());
    }
    world.step(serial);
    for (const EnvironmentDraft& draft : {blocked(), threeWays(), blocked()}) {
      ASSERT_TRUE(world.crowd.setNavigator(navigatorOf(built(draft), generator), serial).ok());
      EXPECT_EQ(world.crowd.waiting(), 0U) << generator;
      EXPECT_EQ(world.crowd.unaware(), 0U) << generator;
      for (int i = 0; i < 5; ++i) world.step(serial);
    }
    for (int i = 0; i < 300; ++i) world.step(serial);
    // Those who arrived first stand at the goal; the others queue behind them, up to five disks long.
    for (const AgentState& agent : world.crowd.agents()) EXPECT_GT(agent.position.x, 45 - 5 * 0.6) << generator;
  }
}

// The same bits for any number of threads and every method, with changes again and again.
TEST(CrowdReplan, ThreadsAndMethods) {
  const Navigator open = navigatorOf(built(threeWays()));
  const Navigator shut = navigatorOf(built(blocked()));
  uint64_t hashes[2] = {0, 0};
  for (const int threads : {1, 2}) {
    const Threads context(threads);
    std::vector<CrowdProfile> profiles;
    for (const ReplanMethod method :
         {ReplanMethod::kOdpa, ReplanMethod::kDpa, ReplanMethod::kLocal, ReplanMethod::kAStar}) {
      for (const ReplanTrigger notice : {ReplanTrigger::kInstant, ReplanTrigger::kSight, ReplanTrigger::kNextEdge}) {
        profiles.push_back(profileOf(notice, method));
      }
    }
    CrowdSettings settings;
    settings.replanBudget = 7;
    Result<Crowd> crowd = Crowd::make(open, profiles, settings);
    ASSERT_TRUE(crowd.ok());
    Random random(4);
    for (uint32_t i = 0; i < 96; ++i) {
      AgentStart start;
      start.at = Place(random.real(1, 9), random.real(-5, 29));
      start.goal = Place(random.real(51, 59), random.real(-5, 29));
      start.radius = 0.25;
      start.profile = i % 12;
      ASSERT_TRUE(crowd->add(start).ok());
    }
    Hash hash;
    for (int i = 0; i < 240; ++i) {
      if (i % 60 == 20) {
        ASSERT_TRUE(crowd->setNavigator(shut, context, ChangeKind::kInsertion).ok());
      } else if (i % 60 == 50) {
        ASSERT_TRUE(crowd->setNavigator(open, context, ChangeKind::kDeletion).ok());
      }
      crowd->step(context);
      hash.add(crowd->hash());
    }
    hashes[threads - 1] = hash.value();
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

}  // namespace
}  // namespace wend
