#include "tests/crowd/crowd_world.h"

namespace wend {
namespace {

AgentStart start(Vec2 at, Vec2 goal) {
  AgentStart s;
  s.at = {at.x, at.y, 0};
  s.goal = {goal.x, goal.y, 0};
  return s;
}

struct Outcome {
  std::vector<CrowdEvent> events;
  double deepest = 0;
};

// Steps until all agents have arrived or the time is over.
Outcome runFor(Crowd& crowd, double seconds, bool leave = false) {
  Outcome run;
  const Locator locator(crowd.navigator().mesh());
  const Threads context(1);
  size_t arrived = 0;
  const size_t all = crowd.size();
  for (int frame = 0; frame < seconds / crowd.settings().step && arrived < all; ++frame) {
    crowd.step(context, [&](Crowd& c, const CrowdEvent& event) {
      run.events.push_back(event);
      if (event.kind != CrowdEventKind::kGoalReached) return;
      ++arrived;
      if (leave) c.remove(event.agent);
    });
    run.deepest = std::max(run.deepest, crowd.deepestOverlap());
    expectOnMesh(crowd, locator);
    if (::testing::Test::HasFatalFailure()) break;
  }
  return run;
}

size_t count(const Outcome& run, CrowdEventKind kind) {
  return static_cast<size_t>(
      std::count_if(run.events.begin(), run.events.end(), [&](const CrowdEvent& e) { return e.kind == kind; }));
}

TEST(Crowd, OfNobodySteps) {
  Crowd crowd = crowdOn(navigatorOf(built(room(0, 0, 10, 10))));
  crowd.step(Threads(2));
  EXPECT_EQ(crowd.size(), 0U);
  EXPECT_EQ(crowd.frame(), 1U);
  EXPECT_TRUE(crowd.agents().empty());
  EXPECT_EQ(crowd.deepestOverlap(), 0);
}

// Everybody's route leads along the middle of the corridor. Streams that only copied their speed let through 5 persons
// per second, however wide the corridor was.
TEST(Crowd, AWideCorridorPassesMoreThanItsMiddleLine) {
  EnvironmentDraft draft;
  draft.layers.emplace_back().walkable.push_back(
      {{{0, 0}, {46, 0}, {46, 20}, {29.5, 20}, {29.5, 70}, {16.5, 70}, {16.5, 20}, {0, 20}}});
  CrowdProfile profile;
  profile.clearance = 5;
  Crowd crowd = Crowd::make(navigatorOf(built(draft)), {profile}, {}).value();
  Random random(7);
  int passed = 0;
  for (int frame = 0; frame < 800; ++frame) {
    if (frame % 10 != 0) {
      ASSERT_TRUE(crowd.add(start({random.real(1, 45), random.real(0.5, 7.5)}, {23, 69})).ok());
    }
    crowd.step(Threads(1));
    std::vector<AgentId> gone;
    for (const AgentState& a : crowd.agents()) {
      if (a.position.y > 60) gone.push_back(a.id);
    }
    for (const AgentId id : gone) crowd.remove(id);
    if (frame >= 500) passed += static_cast<int>(gone.size());
  }
  EXPECT_GT(passed, 7 * 30);
}

TEST(Crowd, WalksAlone) {
  for (const char* generator : {"ecm", "neogen"}) {
    Crowd crowd = crowdOn(navigatorOf(built(room(0, 0, 20, 4)), generator));
    const Result<AgentId> agent = crowd.add(start({1, 2}, {19, 2}));
    ASSERT_TRUE(agent.ok());
    for (int i = 0; i < 15; ++i) crowd.step(Threads(1));
    EXPECT_GT(crowd.find(*agent)->velocity.x, 0.95 * 1.4) << generator;
    const Outcome run = runFor(crowd, 20);
    EXPECT_EQ(count(run, CrowdEventKind::kGoalReached), 1U) << generator;
    EXPECT_LT(crowd.time(), 18 / 1.4 + 2.5) << generator;
    EXPECT_NEAR(crowd.find(*agent)->position.y, 2, 0.05) << generator;
  }
}

TEST(Crowd, HeadOnPairPasses) {
  Crowd crowd = crowdOn(navigatorOf(built(room(0, 0, 20, 4))));
  ASSERT_TRUE(crowd.add(start({2, 2}, {18, 2})).ok());
  ASSERT_TRUE(crowd.add(start({18, 2}, {2, 2})).ok());
  const Outcome run = runFor(crowd, 25);
  EXPECT_EQ(count(run, CrowdEventKind::kGoalReached), 2U);
  EXPECT_LT(run.deepest, 0.02);
}

TEST(Crowd, AntipodalCirclesExchange) {
  for (const int n : {8, 20}) {
    Crowd crowd = crowdOn(navigatorOf(built(room(-12, -12, 12, 12))));
    for (int i = 0; i < n; ++i) {
      const double a = 2 * 3.14159265358979 * i / n;
      ASSERT_TRUE(crowd.add(start({8 * std::cos(a), 8 * std::sin(a)}, {-8 * std::cos(a), -8 * std::sin(a)})).ok());
    }
    const Outcome run = runFor(crowd, 60);
    EXPECT_EQ(count(run, CrowdEventKind::kGoalReached), static_cast<size_t>(n));
    EXPECT_LT(run.deepest, 0.1 * 0.48) << n;
  }
}

TEST(Crowd, EverybodyGetsThroughADoor) {
  Crowd crowd = crowdOn(navigatorOf(built(doorRooms(1.2))));
  for (int i = 0; i < 60; ++i) {
    ASSERT_TRUE(crowd.add(start({-8 + 0.6 * (i % 10), -2 + 0.6 * (i / 10)}, {9, 0})).ok());
  }
  const Outcome run = runFor(crowd, 120, true);
  EXPECT_EQ(count(run, CrowdEventKind::kGoalReached), 60U);
  EXPECT_LT(run.deepest, 0.1 * 0.48);
}

TEST(Crowd, PartsThoseWhoStartOnOnePlace) {
  Crowd crowd = crowdOn(navigatorOf(built(room(0, 0, 10, 10))));
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(crowd.add(start({5, 5}, {5, 5})).ok());
  for (int i = 0; i < 50; ++i) crowd.step(Threads(1));
  EXPECT_LT(crowd.deepestOverlap(), 0.01);
}

TEST(Crowd, TellsOfAnUnreachableGoalOnce) {
  EnvironmentDraft draft = room(0, 0, 10, 10);
  draft.layers[0].obstacles.push_back({rectangle(4, -1, 5, 11)});
  Crowd crowd = crowdOn(navigatorOf(built(draft)));
  ASSERT_TRUE(crowd.add(start({2, 5}, {8, 5})).ok());
  ASSERT_TRUE(crowd.add(start({2, 6}, {4.5, 5})).ok());
  Outcome run = runFor(crowd, 3);
  EXPECT_EQ(count(run, CrowdEventKind::kRouteBlocked), 2U);
  EXPECT_EQ(run.events.size(), 2U);
  crowd.setGoal(0, {3, 8, 0});
  run = runFor(crowd, 10);
  EXPECT_EQ(count(run, CrowdEventKind::kGoalReached), 1U);
}

TEST(Crowd, SaysWhyAnAgentCannotStart) {
  Crowd crowd = crowdOn(navigatorOf(built(room(0, 0, 10, 10))));
  EXPECT_EQ(crowd.add(start({11, 5}, {5, 5})).error().code, ErrorCode::kNotOnMesh);
  EXPECT_EQ(crowd.add(start({0.1, 5}, {5, 5})).error().code, ErrorCode::kNotOnMesh);
  EXPECT_EQ(crowd.add(start({NAN, 5}, {5, 5})).error().code, ErrorCode::kNotOnMesh);
  AgentStart s = start({5, 5}, {6, 6});
  s.radius = 3;
  EXPECT_EQ(crowd.add(s).error().code, ErrorCode::kInvalidSettings);
  s = start({5, 5}, {6, 6});
  s.profile = 1;
  EXPECT_EQ(crowd.add(s).error().code, ErrorCode::kInvalidSettings);
  EXPECT_EQ(crowd.size(), 0U);
}

TEST(Crowd, AgentsComeAndGo) {
  Crowd crowd = crowdOn(navigatorOf(built(room(0, 0, 10, 10))));
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(crowd.add(start({1 + i * 1.0, 5}, {1 + i * 1.0, 9})).ok());
  crowd.remove(1);
  crowd.remove(1);
  crowd.remove(77);
  EXPECT_EQ(crowd.size(), 4U);
  EXPECT_EQ(crowd.find(1), nullptr);
  crowd.step(Threads(1));
  crowd.remove(3);
  EXPECT_EQ(*crowd.add(start({8, 2}, {8, 3})), 5U);
  crowd.stop(0);
  const double y = crowd.find(0)->position.y;
  crowd.step(Threads(1), [](Crowd& c, const CrowdEvent&) { c.remove(4); });
  ASSERT_EQ(crowd.size(), 4U);
  const std::vector<AgentId> ids{0, 2, 4, 5};
  for (size_t i = 0; i < ids.size(); ++i) EXPECT_EQ(crowd.agents()[i].id, ids[i]);
  for (int i = 0; i < 30; ++i) crowd.step(Threads(1));
  EXPECT_NEAR(crowd.find(0)->position.y, y, 0.2);
}

// Those on the gallery walk as if there were no floor below, and those on the floor as if there were no gallery.
TEST(Crowd, FloorsDoNotSeeEachOther) {
  const auto navigator = navigatorOf(built(floorAndGallery()));
  const auto trajectory = [&](bool below, bool above) {
    Crowd crowd = crowdOn(navigator);
    AgentStart s;
    std::vector<AgentId> ids;
    for (int i = 0; i < 6; ++i) {
      for (const double z : {0.0, 5.0}) {
        // The same ids in every run.
        s.at = {z > 0 ? 2.0 : 10.0, 1 + 0.7 * i, z};
        s.goal = {z > 0 ? 10.0 : 2.0, 1 + 0.7 * i, z};
        const Result<AgentId> id = crowd.add(s);
        EXPECT_TRUE(id.ok());
        if (z > 0 ? !above : !below) crowd.remove(*id);
      }
    }
    std::vector<Vec3> places;
    for (int i = 0; i < 60; ++i) {
      crowd.step(Threads(1));
      for (const AgentState& agent : crowd.agents()) {
        if (agent.id % 2 == (below ? 0U : 1U)) places.push_back(agent.position);
      }
    }
    return places;
  };
  const std::vector<Vec3> floorAlone = trajectory(true, false);
  ASSERT_EQ(floorAlone.size(), 360U);
  EXPECT_EQ(trajectory(true, true), floorAlone);
  EXPECT_FALSE(trajectory(false, true).empty());
}

// Counter-flow over the ramp between two floors.
TEST(Crowd, WalksBetweenFloors) {
  for (const char* generator : {"ecm", "neogen"}) {
    Crowd crowd = crowdOn(navigatorOf(built(floorAndGallery()), generator));
    AgentStart s;
    for (int i = 0; i < 8; ++i) {
      s.at = {10 + 0.8 * i, 1 + 0.05 * i, 0};
      s.goal = {5, 3, 5};
      s.goalRadius = 2;
      ASSERT_TRUE(crowd.add(s).ok());
      s.at = {10 + 0.8 * i, 4 + 0.05 * i, 5};
      s.goal = {5, 3, 0};
      ASSERT_TRUE(crowd.add(s).ok());
    }
    const Outcome run = runFor(crowd, 150);
    EXPECT_EQ(count(run, CrowdEventKind::kGoalReached), 16U) << generator;
    EXPECT_LT(run.deepest, 0.1 * 0.48) << generator;
  }
}

Crowd busy(Navigator navigator, int agents) {
  Crowd crowd = crowdOn(std::move(navigator));
  Random random(9);
  while (static_cast<int>(crowd.size()) < agents) {
    AgentStart s = start({random.real(-9, 9), random.real(-4, 4)}, {random.real(-9, 9), random.real(-4, 4)});
    s.radius = random.real(0.15, 0.3);
    s.speed = random.real(0.8, 1.8);
    if (crowd.size() % 5 < 2) s.group = static_cast<GroupId>(crowd.size() / 5);
    (void)crowd.add(s);
  }
  return crowd;
}

void stepWithNewGoals(Crowd& crowd, int frames, int threadCount) {
  const Threads context(threadCount);
  for (int i = 0; i < frames; ++i) {
    crowd.step(context, [](Crowd& c, const CrowdEvent& e) {
      Random random(e.agent, c.frame());
      c.setGoal(e.agent, {random.real(-9, 9), random.real(-4, 4), 0});
    });
  }
}

// A group of four in a hall keeps together among others that come towards it.
// The route is one straight segment from the middle of a ramp across the hall: its height bends at the foot of the
// ramp.
TEST(Crowd, FollowsAStraightRouteOffARamp) {
  const Result<Environment> station = makeEnvironment({"station", {}, 1, {}});
  ASSERT_TRUE(station.ok());
  for (const FollowMethod follow : {FollowMethod::kIrm, FollowMethod::kMiran, FollowMethod::kWaypoints}) {
    CrowdProfile profile;
    profile.follow = follow;
    Result<Crowd> crowd = Crowd::make(navigatorOf(*station), {profile}, {});
    ASSERT_TRUE(crowd.ok());
    AgentStart start;
    start.at = {37.5, 48.6, 2.9};
    start.goal = {1, 53, 0};
    const Result<AgentId> agent = crowd->add(start);
    ASSERT_TRUE(agent.ok()) << agent.error().message;
    bool reached = false;
    const auto see = [&](Crowd&, const CrowdEvent& event) { reached |= event.kind == CrowdEventKind::kGoalReached; };
    const Threads serial(1);
    for (int i = 0; i < 400 && !reached; ++i) crowd->step(serial, see);
    EXPECT_TRUE(reached) << methodName(follow) << " stays at " << crowd->agents()[0].position.x;
  }
}

TEST(Crowd, GroupsStayTogether) {
  const auto navigator = navigatorOf(built(room(0, 0, 40, 8)));
  const auto spread = [&](bool grouped) {
    Crowd crowd = crowdOn(navigator);
    for (int i = 0; i < 4; ++i) {
      AgentStart s = start({2 + 0.7 * (i % 2), 3 + 0.7 * i}, {38, 4});
      s.group = grouped ? 7 : kNone;
      s.goalRadius = 2;
      s.speed = 1.1 + 0.15 * i;
      EXPECT_TRUE(crowd.add(s).ok());
    }
    for (int i = 0; i < 10; ++i) EXPECT_TRUE(crowd.add(start({25 + 1.0 * i, 1 + 0.6 * i}, {2, 1 + 0.6 * i})).ok());
    for (int i = 0; i < 180; ++i) crowd.step(Threads(1));
    double low = 1e9;
    double high = -1e9;
    for (AgentId id = 0; id < 4; ++id) {
      low = std::min(low, crowd.find(id)->position.x);
      high = std::max(high, crowd.find(id)->position.x);
    }
    return high - low;
  };
  EXPECT_LT(spread(true), 3);
  EXPECT_GT(spread(false), 5);
}

TEST(Crowd, TheSameBitsForAnyThreads) {
  const auto navigator = navigatorOf(built(doorRooms(1.6)));
  std::vector<uint64_t> hashes;
  for (const int n : {1, 2, 4}) {
    Crowd crowd = busy(navigator, 150);
    stepWithNewGoals(crowd, 100, n);
    hashes.push_back(crowd.hash());
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(hashes[0], hashes[2]);
}

TEST(Crowd, SavedAndLoadedGoesOnBitForBit) {
  const auto navigator = navigatorOf(built(doorRooms(1.6)));
  Crowd crowd = busy(navigator, 80);
  stepWithNewGoals(crowd, 37, 1);
  crowd.remove(11);
  const std::vector<std::byte> bytes = crowd.save();
  Crowd other = crowdOn(navigator);
  ASSERT_TRUE(other.load(bytes).ok());
  EXPECT_EQ(other.hash(), crowd.hash());
  stepWithNewGoals(crowd, 40, 1);
  stepWithNewGoals(other, 40, 2);
  EXPECT_EQ(other.hash(), crowd.hash());
  EXPECT_EQ(other.size(), crowd.size());
}

TEST(Crowd, RefusesDamagedBytes) {
  const auto navigator = navigatorOf(built(doorRooms(1.6)));
  Crowd crowd = busy(navigator, 5);
  stepWithNewGoals(crowd, 3, 1);
  const std::vector<std::byte> bytes = crowd.save();
  const uint64_t hash = crowd.hash();
  for (size_t cut = 0; cut < bytes.size(); cut += 7) {
    EXPECT_FALSE(crowd.load(std::span(bytes).first(cut)).ok());
  }
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    std::vector<std::byte> damaged = bytes;
    damaged[random.below(damaged.size())] ^= static_cast<std::byte>(1 + random.below(255));
    Crowd other = crowdOn(navigator);
    if (other.load(damaged).ok()) other.step(Threads(1));
  }
  EXPECT_EQ(crowd.hash(), hash);
}

TEST(Crowd, ANewWorldPushesAgentsAside) {
  const auto before = navigatorOf(built(room(0, 0, 20, 10)));
  EnvironmentDraft draft = room(0, 0, 20, 10);
  draft.layers[0].obstacles.push_back({rectangle(8, 3, 12, 7)});
  const auto after = navigatorOf(built(draft));
  Crowd crowd = crowdOn(before);
  ASSERT_TRUE(crowd.add(start({8.5, 5}, {18, 5})).ok());
  ASSERT_TRUE(crowd.add(start({3, 5}, {18, 5})).ok());
  ASSERT_TRUE(crowd.setNavigator(after, Threads(1)).ok());
  const Outcome run = runFor(crowd, 40);
  EXPECT_EQ(count(run, CrowdEventKind::kDisplaced), 1U);
  EXPECT_EQ(count(run, CrowdEventKind::kGoalReached), 2U);
  // Nothing is left of where the agents are.
  Crowd gone = crowdOn(before);
  ASSERT_TRUE(gone.add(start({1, 5}, {18, 5})).ok());
  ASSERT_TRUE(gone.setNavigator(navigatorOf(built(room(50, 0, 60, 10))), Threads(1)).ok());
  const Outcome end = runFor(gone, 1);
  EXPECT_EQ(gone.size(), 0U);
}

TEST(Crowd, WalksAroundASeam) {
  CrowdSettings settings;
  settings.periodicFrom = 0;
  settings.periodicTo = 20;
  Crowd crowd = crowdOn(navigatorOf(built(room(-15, 0, 35, 3))), {}, settings);
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(crowd.add(start({0.5 + i, 0.5 + 0.5 * (i % 5)}, {34, 1.5})).ok());
  const Outcome run = runFor(crowd, 40);
  EXPECT_EQ(run.events.size(), 0U);
  double sum = 0;
  for (const AgentState& agent : crowd.agents()) {
    EXPECT_GE(agent.position.x, 0);
    EXPECT_LE(agent.position.x, 20);
    sum += agent.velocity.x;
  }
  EXPECT_GT(sum / 20, 1.1);
  EXPECT_LT(run.deepest, 0.05);
}

}  // namespace
}  // namespace wend
