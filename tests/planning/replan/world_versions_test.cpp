#include "planning/replan/world_versions.h"

#include <gtest/gtest.h>

#include "planning/replan/replan_trigger.h"
#include "tests/planning/replan/live_world.h"

namespace wend {
namespace {

// A room of 20 x 10 m with a wall from below that leaves a passage at the top.
std::optional<LiveWorld> room(const std::string& generator) {
  EnvironmentDraft draft;
  draft.layers.resize(1);
  draft.layers[0].walkable = {{{{0, 0}, {20, 0}, {20, 10}, {0, 10}}}};
  draft.layers[0].obstacles = {{{{9, 0}, {11, 0}, {11, 7}, {9, 7}}}};
  const Result<Environment> environment = buildEnvironment(draft);
  if (!environment.ok()) return std::nullopt;
  return LiveWorld::of(*environment, generator);
}

TEST(WorldVersions, CountsAndForgets) {
  const auto world = room("ecm");
  ASSERT_TRUE(world);
  WorldVersions versions(world->plain);
  EXPECT_EQ(versions.newest(), 0U);
  EXPECT_EQ(versions.known(0), 0U);
  for (uint32_t i = 1; i <= 100; ++i) EXPECT_EQ(versions.add(world->plain, ChangeKind::kMixed), i);
  EXPECT_EQ(versions.size(), WorldVersions::kMaxVersions);
  // Who knew a version that is gone knows the oldest that is kept.
  EXPECT_EQ(versions.oldest(), 37U);
  EXPECT_EQ(versions.known(3), 37U);
  EXPECT_EQ(versions.known(50), 50U);
  EXPECT_EQ(versions.known(1000), 100U);
  const uint32_t used[] = {50, 77};
  versions.keep(used);
  EXPECT_EQ(versions.size(), 3U);
  EXPECT_EQ(versions.known(51), 77U);
  EXPECT_EQ(versions.known(78), 100U);
}

TEST(WorldVersions, ChangesLeadToTheNewest) {
  const auto world = room("ecm");
  ASSERT_TRUE(world);
  const auto box = world->with({squareAt({4, 5}, 2)});
  const auto both = world->with({squareAt({4, 5}, 2), squareAt({16, 5}, 2)});
  ASSERT_TRUE(box && both);
  WorldVersions versions(world->plain);
  versions.add(*box, ChangeKind::kInsertion);
  EXPECT_TRUE(versions.change(0).everything());  // not prepared
  versions.prepare(0);
  ASSERT_EQ(versions.change(0).places().size(), 1U);
  EXPECT_EQ(versions.change(0).kind(), ChangeKind::kInsertion);
  versions.add(*both, ChangeKind::kInsertion);
  for (const uint32_t v : {0U, 1U, 2U}) versions.prepare(v);
  EXPECT_EQ(versions.change(0).places().size(), 2U);
  EXPECT_EQ(versions.change(0).kind(), ChangeKind::kInsertion);
  EXPECT_EQ(versions.change(1).places().size(), 1U);
  EXPECT_TRUE(versions.change(2).empty());
  // Everything goes again: for who knew the first version nothing has happened.
  versions.add(world->plain, ChangeKind::kDeletion);
  for (const uint32_t v : {0U, 1U}) versions.prepare(v);
  EXPECT_TRUE(versions.change(0).empty());
  EXPECT_EQ(versions.change(1).kind(), ChangeKind::kMixed);
  EXPECT_TRUE(versions.change(1).places()[0].opened);
}

TEST(ReplanTrigger, SightIsBlockedByWalls) {
  for (const char* generator : {"ecm", "delaunay"}) {
    const auto world = room(generator);
    ASSERT_TRUE(world);
    const auto box = world->with({squareAt({15, 2}, 2)});
    ASSERT_TRUE(box);
    PlanScratch scratch;
    const WorldChange came = WorldChange::between(world->plain, *box, ChangeKind::kInsertion);
    const WorldChange went = WorldChange::between(*box, world->plain, ChangeKind::kDeletion);
    const auto sees = [&](Place eye, double range) {
      const bool coming = seesChange(world->plain, *box, came, eye, range, scratch);
      EXPECT_EQ(seesChange(*box, world->plain, went, eye, range, scratch), coming) << generator;
      return coming;
    };
    EXPECT_FALSE(sees({2, 2}, 0));  // behind the wall
    EXPECT_TRUE(sees({13, 8}, 0));
    EXPECT_FALSE(sees({13, 8}, 2));  // too far
    EXPECT_TRUE(sees({13, 8}, 6));
    EXPECT_FALSE(seesChange(*box, *box, WorldChange(), {13, 8}, 0, scratch));
  }
}

TEST(ReplanTrigger, TheNextStepIsGone) {
  for (const char* generator : {"ecm", "delaunay"}) {
    const auto world = room(generator);
    ASSERT_TRUE(world);
    PlanScratch scratch;
    PathQuery query{.from = {1, 8.5}, .to = {19, 8.5}, .radius = 0.4};
    Route route;
    ASSERT_EQ(world->plain.plan(query, scratch, route), PathStatus::kFound);
    const auto box = world->with({squareAt({10, 8.5}, 2)});
    ASSERT_TRUE(box);
    const WorldChange change = WorldChange::between(world->plain, *box, ChangeKind::kInsertion);
    EXPECT_FALSE(isNextStepGone(*box, change, {1, 8.5}, 0.4, 3, route, scratch)) << generator;
    EXPECT_TRUE(isNextStepGone(*box, change, {7, 8.5}, 0.4, 3, route, scratch)) << generator;
    EXPECT_FALSE(isNextStepGone(*box, change, {13, 8.5}, 0.4, 3, route, scratch)) << generator;  // behind it
    // Elsewhere: nothing is in the way.
    const auto other = world->with({squareAt({4, 2}, 2)});
    ASSERT_TRUE(other);
    const WorldChange aside = WorldChange::between(world->plain, *other, ChangeKind::kInsertion);
    EXPECT_FALSE(isNextStepGone(*other, aside, {7, 8.5}, 0.4, 30, route, scratch)) << generator;
  }
}

}  // namespace
}  // namespace wend
