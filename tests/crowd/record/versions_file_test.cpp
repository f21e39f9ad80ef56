#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/crowd/crowd_world.h"
#include "tests/crowd/small_run.h"

// Agents that believe in an older version of the world, saved with it.
namespace wend {
namespace {

World hallWorld() {
  EnvironmentDraft draft = room(0, -6, 60, 30);
  draft.layers[0].obstacles = {{rectangle(10, 18, 50, 24)}, {rectangle(10, 6, 28, 12)}, {rectangle(32, 6, 50, 12)}};
  const Result<World> world = bake(built(draft), {.generator = "ecm", .options = {}, .seed = 1});
  EXPECT_TRUE(world.ok());
  return *world;
}

std::vector<Edit> crateAt(double x, double y, double width, double height) {
  Obstacle crate;
  crate.shape = PolygonShape{rectangle(0, 0, width, height), {}};
  crate.place = Placement::turned({x, y, 0}, 0);
  return {AddObstacle{crate}};
}

std::vector<CrowdProfile> knowingAndSeeing() {
  CrowdProfile knowing;
  knowing.densityWeight = 0;
  CrowdProfile seeing = knowing;
  seeing.notice = ReplanTrigger::kSight;
  seeing.sight = 5;
  CrowdProfile bumping = seeing;
  bumping.notice = ReplanTrigger::kNextEdge;
  return {knowing, seeing, bumping};
}

TEST(CrowdVersions, SavedWithThoseWhoBelieveInThem) {
  const Threads serial(1);
  // Cut before, between and after the changes.
  std::vector<uint64_t> ends;
  for (const int cut : {-1, 30, 55, 90, 130}) {
    World world = hallWorld();
    Result<Crowd> made = Crowd::make(makeNavigator(world), knowingAndSeeing(), {});
    ASSERT_TRUE(made.ok());
    Crowd crowd = std::move(*made);
    Random random(9);
    for (uint32_t i = 0; i < 30; ++i) {
      AgentStart start;
      start.at = Place(random.real(1, 9), random.real(0, 28));
      start.goal = Place(random.real(51, 59), random.real(0, 28));
      start.radius = 0.3;
      start.profile = i % 3;
      ASSERT_TRUE(crowd.add(start).ok());
    }
    size_t most = 0;
    for (int i = 0; i < 200; ++i) {
      if (i == 40 || i == 70) {
        const Result<WorldUpdate> update = world.apply(i == 40 ? crateAt(38, 11, 2, 6.2) : crateAt(30, 25, 2, 4));
        ASSERT_TRUE(update.ok());
        ASSERT_TRUE(crowd.apply(*update, serial).ok());
        world = update->world;
      }
      crowd.step(serial);
      most = std::max(most, crowd.unaware());
      if (i != cut) continue;
      const std::vector<std::byte> bytes = crowd.save();
      Result<Crowd> other = Crowd::make(makeNavigator(world), knowingAndSeeing(), {});
      ASSERT_TRUE(other.ok());
      const Status loaded = other->load(bytes);
      ASSERT_TRUE(loaded.ok()) << loaded.error().message;
      EXPECT_EQ(other->hash(), crowd.hash()) << cut;
      EXPECT_EQ(other->unaware(), crowd.unaware()) << cut;
      EXPECT_EQ(other->save(), bytes) << cut;
      if (cut == 55 || cut == 90) {
        EXPECT_GT(other->unaware(), 5U) << cut;
      }
      crowd = std::move(*other);
    }
    EXPECT_GT(most, 10U);
    ends.push_back(crowd.hash());
  }
  for (const uint64_t end : ends) EXPECT_EQ(end, ends[0]);
}

TEST(CrowdVersions, DamagedBytesAreRefused) {
  const Threads serial(1);
  const World world = hallWorld();
  Result<Crowd> crowd = Crowd::make(makeNavigator(world), knowingAndSeeing(), {});
  ASSERT_TRUE(crowd.ok());
  AgentStart start;
  start.at = Place(5, 15);
  start.goal = Place(55, 15);
  start.profile = 1;
  ASSERT_TRUE(crowd->add(start).ok());
  crowd->step(serial);
  const Result<WorldUpdate> update = world.apply(crateAt(38, 11, 2, 6.2));
  ASSERT_TRUE(update.ok() && crowd->apply(*update, serial).ok());
  ASSERT_EQ(crowd->unaware(), 1U);
  const std::vector<std::byte> bytes = crowd->save();
  Random random(3);
  for (int i = 0; i < 300; ++i) {
    std::vector<std::byte> bad = bytes;
    if (i % 3 == 0) {
      bad.resize(random.below(bad.size()));
    } else {
      bad[random.below(bad.size())] ^= static_cast<std::byte>(1 + random.below(255));
    }
    Result<Crowd> other = Crowd::make(makeNavigator(update->world), knowingAndSeeing(), {});
    ASSERT_TRUE(other.ok());
    // Whatever it says, it does not crash, and what it took can go on.
    if (other->load(bad).ok()) other->step(serial);
  }
}

// A run with persons that do not know of an obstacle goes on from a checkpoint as if it had not been cut.
TEST(CrowdVersions, ResumedRunsGoOn) {
  std::string text = R"toml(format = 1
environment = "POLYGON ((0 -6, 60 -6, 60 30, 0 30, 0 -6), (10 18, 10 24, 50 24, 50 18, 10 18), (10 6, 10 12, 28 12, 28 6, 10 6), (32 6, 32 12, 50 12, 50 6, 32 6))"
mesh = "ecm"
end_time = 40
end_when = "time"
[profile.unaware]
density_weight = 0
notice = "sight"
sight = 5
[[source]]
id = "left"
area = [[1, 13], [6, 13], [6, 17], [1, 17]]
count = 8
journey = "across"
[[stage]]
id = "right"
kind = "exit"
area = [[57, 10], [60, 10], [60, 20], [57, 20]]
[[journey]]
id = "across"
stages = ["right"]
[[event]]
time = 1
action = "insert"
target = "obstacle"
area = [[38, 11], [40, 11], [40, 17.2], [38, 17.2]]
)toml";
  std::vector<uint64_t> hashes;
  for (const double cut : {0.0, 5.0, 12.0}) {
    const ScratchRecording file;
    SimulateSettings settings;
    if (cut > 0) {
      settings.endTime = cut;
      (void)smallRun(text, file, 1, settings);
      settings.endTime.reset();
      settings.resume = true;
    }
    hashes.push_back(smallRun(text, file, 1, settings).summary.resultHash);
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(hashes[0], hashes[2]);
}

// A crowd without densities that follows edits reaches its goals, whatever the budget and the threads; who is far from
// them does not wait.
TEST(CrowdVersions, CrowdsWithoutDensitiesFollowEdits) {
  std::vector<uint64_t> hashes;
  for (const int threads : {1, 2}) {
    const Threads context(threads);
    World world = hallWorld();
    CrowdProfile profile;
    profile.densityWeight = 0;
    CrowdSettings settings;
    settings.replanBudget = 2;
    Result<Crowd> crowd = Crowd::make(makeNavigator(world), {profile}, settings);
    ASSERT_TRUE(crowd.ok());
    Random random(11);
    for (int i = 0; i < 40; ++i) {
      AgentStart start;
      start.at = Place(random.real(1, 9), i % 2 == 0 ? random.real(25, 29) : random.real(13, 17));
      start.goal = Place(random.real(52, 58), i % 2 == 0 ? random.real(25, 29) : random.real(13, 17));
      start.radius = 0.25;
      ASSERT_TRUE(crowd->add(start).ok());
    }
    for (int i = 0; i < 20; ++i) crowd->step(context);
    size_t waited = 0;
    ObstacleId there;
    for (int i = 0; i < 600; ++i) {
      if (i % 30 == 0 && i < 300) {
        const Result<WorldUpdate> update =
            world.apply(i % 60 == 0 ? crateAt(38, 11.9, 2, 4) : std::vector<Edit>{RemoveObstacle{there}});
        ASSERT_TRUE(update.ok());
        ASSERT_TRUE(crowd->apply(*update, context).ok());
        there = update->report.edits[0].id;
        world = update->world;
        waited = std::max(waited, crowd->waiting());
      }
      crowd->step(context);
    }
    EXPECT_GT(waited, 5U);
    EXPECT_LT(waited, 40U) << "of those above some are too far away to be concerned";
    EXPECT_EQ(crowd->waiting(), 0U);
    EXPECT_EQ(crowd->unaware(), 0U);
    for (const AgentState& agent : crowd->agents()) EXPECT_GT(agent.position.x, 50) << agent.id;
    hashes.push_back(crowd->hash());
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

// More agents than one block of work, whatever the number of threads, with densities and without.
TEST(CrowdVersions, LargeCrowdsFollowEdits) {
  for (const double weight : {0.0, 1.0}) {
    std::vector<uint64_t> hashes;
    for (const int threads : {1, 2}) {
      const Threads context(threads);
      World world = hallWorld();
      CrowdProfile profile;
      profile.densityWeight = weight;
      Result<Crowd> crowd = Crowd::make(makeNavigator(world), {profile}, {});
      ASSERT_TRUE(crowd.ok());
      Random random(12);
      for (int i = 0; i < 3000; ++i) {
        AgentStart start;
        start.at = Place(random.real(0.5, 59.5), random.real(-5.5, 29.5));
        start.goal = Place(random.real(0.5, 59.5), random.real(-5.5, 29.5));
        start.radius = 0.1;
        (void)crowd->add(start);
      }
      ASSERT_GT(crowd->size(), 1500U);
      ObstacleId there;
      for (int i = 0; i < 6; ++i) {
        crowd->step(context);
        const Result<WorldUpdate> update =
            world.apply(i % 2 == 0 ? crateAt(38, 12.5, 2, 4) : std::vector<Edit>{RemoveObstacle{there}});
        ASSERT_TRUE(update.ok() && crowd->apply(*update, context).ok());
        there = update->report.edits[0].id;
        world = update->world;
      }
      crowd->step(context);
      hashes.push_back(crowd->hash());
    }
    EXPECT_EQ(hashes[0], hashes[1]) << weight;
  }
}

}  // namespace
}  // namespace wend
