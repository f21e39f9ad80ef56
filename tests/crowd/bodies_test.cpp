#include <cmath>
#include <set>

#include <wend/recording.h>

#include <gtest/gtest.h>

#include "tests/crowd/crowd_world.h"
#include "tests/crowd/small_run.h"

// Bodies that move through a crowd: agents avoid them until they stop.
namespace wend {
namespace {

const std::vector<Vec2> kCart{{-1, -0.6}, {1, -0.6}, {1, 0.6}, {-1, 0.6}};

// How deep the disk of an agent reaches into a box of kCart's size at a place, metres; negative: it is away from it.
double depthIn(Vec2 centre, const AgentState& agent) {
  const double dx = std::abs(agent.position.x - centre.x) - 1;
  const double dy = std::abs(agent.position.y - centre.y) - 0.6;
  const double outside = std::hypot(std::max(dx, 0.0), std::max(dy, 0.0));
  return agent.radius - (outside > 0 ? outside : std::max(dx, dy));
}

Crowd crowdInHall(double turned, std::vector<CrowdProfile> profiles = {CrowdProfile{}}) {
  EnvironmentDraft draft = room(-15, -8, 15, 8);
  for (auto& outline : draft.layers[0].walkable[0]) {
    for (Vec2& p : outline) {
      const Placement place = Placement::turned({}, turned);
      p = {place.cosine * p.x - place.sine * p.y, place.sine * p.x + place.cosine * p.y};
    }
  }
  Result<Crowd> crowd = Crowd::make(navigatorOf(built(draft)), std::move(profiles), {});
  EXPECT_TRUE(crowd.ok());
  return std::move(*crowd);
}

TEST(CrowdBodies, AgentsKeepOutOfTheWay) {
  const Threads serial(1);
  Crowd crowd = crowdInHall(0);
  Random random(5);
  std::set<AgentId> persons;
  for (int i = 0; i < 40; ++i) {
    AgentStart start;
    start.at = Place(random.real(-6, 12), random.real(-7, 7));
    start.goal = Place(-start.at.x, -start.at.y);
    const Result<AgentId> id = crowd.add(start);
    if (id.ok()) persons.insert(*id);
  }
  for (int i = 0; i < 20; ++i) crowd.step(serial);
  const Result<BodyId> body = crowd.addBody({kCart, Placement::turned({-13, 0, 0}, 0), 0});
  ASSERT_TRUE(body.ok()) << body.error().message;
  // A body is nobody: it is not counted, shown or sent events of.
  EXPECT_EQ(crowd.size(), persons.size());
  for (const AgentState& agent : crowd.agents()) EXPECT_TRUE(persons.contains(agent.id));
  ASSERT_EQ(crowd.bodies().size(), 1U);
  double deepest = -1;
  double sum = 0;
  int met = 0;
  for (int i = 1; i <= 220; ++i) {
    const Vec2 at{-13 + 0.12 * i, 0};  // 1.2 m/s
    if (at.x > 13) break;
    crowd.moveBody(*body, Placement::turned({at.x, at.y, 0}, 0));
    crowd.step(serial, [&](Crowd&, const CrowdEvent& event) { EXPECT_TRUE(persons.contains(event.agent)); });
    EXPECT_NEAR(crowd.bodies()[0].outline[0].x, at.x - 1, 1e-9);
    for (const AgentState& agent : crowd.agents()) {
      const double depth = depthIn(at, agent);
      deepest = std::max(deepest, depth);
      if (depth > -0.5) ++met;
      if (depth > 0) sum += depth;
    }
  }
  EXPECT_GT(met, 50) << "the body must meet somebody";
  EXPECT_LT(deepest, 0.15);
  EXPECT_LT(sum, 1.0) << "of all persons and steps";
  crowd.removeBody(*body);
  EXPECT_TRUE(crowd.bodies().empty());
  EXPECT_EQ(crowd.size(), persons.size());
  crowd.step(serial);
}

// Without a body somebody walks straight through the place where it would have been: the test above can fail.
TEST(CrowdBodies, NobodyAvoidsWhatIsNotThere) {
  const Threads serial(1);
  Crowd crowd = crowdInHall(0);
  AgentStart start;
  start.at = Place(8, 0);
  start.goal = Place(-13, 0);
  ASSERT_TRUE(crowd.add(start).ok());
  double deepest = -1;
  for (int i = 1; i <= 150; ++i) {
    crowd.step(serial);
    for (const AgentState& agent : crowd.agents()) deepest = std::max(deepest, depthIn({-13 + 0.12 * i, 0}, agent));
  }
  EXPECT_GT(deepest, 0.5);
}

TEST(CrowdBodies, WhatIsNoBodyIsRefused) {
  Crowd crowd = crowdInHall(17);
  EXPECT_FALSE(crowd.addBody({{}, {}, 0}).ok());
  EXPECT_FALSE(crowd.addBody({{{0, 0}}, {}, 0}).ok());
  EXPECT_FALSE(crowd.addBody({{{0, 0}, {1, NAN}}, {}, 0}).ok());
  EXPECT_FALSE(crowd.addBody({kCart, {}, 7}).ok());
  EXPECT_FALSE(crowd.addBody({kCart, Placement::turned({500, 0, 0}, 0), 0}).ok());
  EXPECT_FALSE(crowd.addBody({{{0, 0}, {9000, 0}, {9000, 0.2}}, {}, 0}).ok());
  EXPECT_TRUE(crowd.addBody({{{0, 0}, {4, 0}}, Placement::turned({0, 0, 0}, 17), 0}).ok());
  crowd.moveBody(99, {});
  crowd.removeBody(99);
  EXPECT_EQ(crowd.size(), 0U);
}

// The same bits for any number of threads, and after saving and loading on the way.
TEST(CrowdBodies, ThreadsAndFiles) {
  std::vector<uint64_t> hashes;
  for (const int kind : {0, 1, 2}) {
    const Threads context(kind == 1 ? 2 : 1);
    Crowd crowd = crowdInHall(17);
    Random random(6);
    for (int i = 0; i < 30; ++i) {
      AgentStart start;
      start.at = Place(random.real(-5, 5), random.real(-5, 5));
      start.goal = Place(random.real(-5, 5), random.real(-5, 5));
      (void)crowd.add(start);
    }
    const Result<BodyId> body = crowd.addBody({kCart, Placement::turned({-6, 0, 0}, 17), 0});
    ASSERT_TRUE(body.ok());
    for (int i = 1; i <= 80; ++i) {
      crowd.moveBody(*body, Placement::turned({-6 + 0.1 * i, 0, 0}, 17 + i));
      crowd.step(context);
      if (kind == 2 && i == 40) {
        const std::vector<std::byte> bytes = crowd.save();
        Crowd other = crowdInHall(17);
        ASSERT_TRUE(other.load(bytes).ok());
        EXPECT_EQ(other.hash(), crowd.hash());
        EXPECT_EQ(other.size(), crowd.size());
        crowd = std::move(other);
      }
    }
    hashes.push_back(crowd.hash());
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(hashes[0], hashes[2]);
}

// A crate in a room becomes a body, rolls in front of the door and stands there as an obstacle again.
const std::string kRolling =
    "[[event]]\ntime = 0\naction = 'insert'\ntarget = 'crate'\narea = [[9, 6], [10, 6], [10, 7], [9, 7]]\n"
    "[[event]]\ntime = 1\naction = 'move'\ntarget = 'crate'\nas = 'body'\nspeed = 0.5\n"
    "path = [[9.5, 6.5], [9.5, 4], [10.5, 4]]\n";

TEST(CrowdBodies, ScenariosMoveThemUntilTheyStop) {
  const ScratchRecording file;
  const SmallRun run = smallRun(room(kTwenty, kRolling), file);
  EXPECT_EQ(run.summary.left, 20U);
  EXPECT_EQ(run.summary.outside, 0U);
  const Result<Recording> recording = Recording::open(file.path());
  ASSERT_TRUE(recording.ok());
  std::vector<std::string> actions;
  for (const RecordedEvent& event : recording->events()) actions.push_back(event.action + " " + event.target);
  EXPECT_EQ(actions, (std::vector<std::string>{"insert crate", "move crate"}));
  // The crate, no crate, the crate in its new place: not a world for each step.
  ASSERT_EQ(recording->worlds().size(), 4U);
  const auto blocks = [&](size_t world, Vec2 at) {
    const Environment& environment = recording->worlds()[world].environment;
    const Result<World> baked = bake(environment, {});
    return baked.ok() && makeNavigator(*baked).locate(Place(at)) == kNone;
  };
  EXPECT_TRUE(blocks(1, {9.5, 6.5}));
  EXPECT_FALSE(blocks(2, {9.5, 6.5}));
  EXPECT_FALSE(blocks(2, {10.5, 4}));
  EXPECT_TRUE(blocks(3, {10.5, 4}));
}

TEST(CrowdBodies, ResumedOnTheWay) {
  std::vector<uint64_t> hashes;
  for (const double cut : {0.0, 3.0, 6.0}) {
    const ScratchRecording file;
    SimulateSettings settings;
    if (cut > 0) {
      settings.endTime = cut;
      (void)smallRun(room(kTwenty, kRolling), file, 1, settings);
      settings.endTime.reset();
      settings.resume = true;
    }
    const SmallRun run = smallRun(room(kTwenty, kRolling), file, 1, settings);
    hashes.push_back(run.summary.resultHash);
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(hashes[0], hashes[2]);
}

}  // namespace
}  // namespace wend
