#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <wend/crowd.h>
#include <wend/world.h>

#include <gtest/gtest.h>

#include "tests/crowd/crowd_world.h"

// An edit leaves the routes alone that it cannot concern, however they were planned.
namespace wend {
namespace {

// Two ways from left to right, below and above, and a blind alley in the top left corner. A lawn lies over the upper
// way.
World twoWays(const std::string& generator) {
  EnvironmentDraft draft;
  draft.layers.resize(1);
  draft.layers[0].walkable = {{rectangle(0, 0, 60, 60)}};
  draft.layers[0].obstacles = {{rectangle(10, 8, 50, 16)}, {rectangle(0, 30, 60, 31)}};
  draft.layers[0].obstacles.push_back({rectangle(20, 40, 21, 60)});
  draft.layers[0].regions.push_back({"lawn", {{rectangle(15, 17, 45, 29)}}});
  const Result<Environment> environment = buildEnvironment(draft);
  EXPECT_TRUE(environment.ok());
  const Result<World> world = bake(*environment, {.generator = generator, .options = {}, .seed = 1});
  EXPECT_TRUE(world.ok());
  return *world;
}

Edit crateAt(double x, double y) {
  Obstacle crate;
  crate.shape = PolygonShape{{{-1, -3}, {1, -3}, {1, 3}, {-1, 3}}, {}};
  crate.place = Placement::turned({x, y, 0}, 5);
  return AddObstacle{crate};
}

CrowdProfile profileOf(const std::string& kind) {
  CrowdProfile profile;
  profile.densityWeight = 0;
  if (kind == "table") profile.route = RouteMethod::kTable;
  if (kind == "weighted") {
    profile.route = RouteMethod::kWeighted;
    profile.regionCost = {{"lawn", 1.5}};
  }
  if (kind == "sight") {
    profile.notice = ReplanTrigger::kSight;
    profile.sight = 10;
  }
  return profile;
}

class EditRoutes : public testing::TestWithParam<std::tuple<std::string, std::string>> {
 protected:
  void SetUp() override {
    const auto& [kind, generator] = GetParam();
    kind_ = kind;
    world_ = twoWays(generator);
    // A table on few cells may prefer the upper way from the beginning.
    isShortest_ = kind != "table" || generator == "ecm";
    Result<Crowd> crowd = Crowd::make(makeNavigator(world_), {profileOf(kind)}, {});
    ASSERT_TRUE(crowd.ok());
    crowd_ = std::move(*crowd);
    for (int i = 0; i < 20; ++i) {
      AgentStart start;
      start.at = {2.0 + i % 4, 2.0 + i / 4};
      start.goal = {56, 4};
      const Result<AgentId> id = crowd_->add(start);
      ASSERT_TRUE(id.ok());
      agents_.push_back(*id);
    }
    step(3);
  }
  void step(int frames) {
    for (int i = 0; i < frames; ++i) {
      crowd_->step({}, [&](Crowd& crowd, const CrowdEvent& event) {
        if (event.kind != CrowdEventKind::kGoalReached) return;
        ++arrived_;
        crowd.remove(event.agent);
      });
      for (const AgentState& agent : crowd_->agents()) highest_ = std::max(highest_, agent.position.y);
    }
  }
  ObstacleId apply(const Edit& edit) {
    const Result<WorldUpdate> update = world_.apply(std::vector<Edit>{edit});
    EXPECT_TRUE(update.ok());
    EXPECT_EQ(update->report.mesh, MeshChange::kInPlace);
    EXPECT_TRUE(crowd_->apply(*update, {}).ok());
    world_ = update->world;
    return update->report.edits[0].id;
  }
  std::vector<double> lengths() const {
    std::vector<double> all;
    for (const AgentId agent : agents_) all.push_back(crowd_->routeLeft(agent));
    return all;
  }

  std::string kind_;
  World world_;
  std::optional<Crowd> crowd_;
  std::vector<AgentId> agents_;
  int arrived_ = 0;
  double highest_ = 0;
  bool isShortest_ = true;
};

TEST_P(EditRoutes, FarEditsLeaveThemAlone) {
  const std::vector<double> before = lengths();
  for (const double left : before) ASSERT_GT(left, 0);
  const ObstacleId crate = apply(crateAt(10, 50));
  EXPECT_EQ(lengths(), before);
  EXPECT_EQ(crowd_->waiting(), 0U);
  EXPECT_EQ(crowd_->unaware(), kind_ == "sight" ? agents_.size() : 0U);
  apply(RemoveObstacle{crate});
  EXPECT_EQ(lengths(), before);
  EXPECT_EQ(crowd_->waiting(), 0U);
  step(1200);
  EXPECT_EQ(arrived_, 20);
  EXPECT_TRUE(highest_ < 9 || !isShortest_) << highest_;
}

// The lower way is shut: everybody goes above, some only when they see it.
TEST_P(EditRoutes, ShutWaysSendThemToTheOther) {
  apply(crateAt(30, 1));
  apply(crateAt(30, 5));
  step(2400);
  EXPECT_EQ(arrived_, 20);
  EXPECT_GT(highest_, 15);
}

// It opens again before anybody is above.
TEST_P(EditRoutes, OpenWaysAreTakenAgain) {
  const ObstacleId low = apply(crateAt(30, 1));
  const ObstacleId high = apply(crateAt(30, 5));
  step(5);
  apply(RemoveObstacle{low});
  apply(RemoveObstacle{high});
  step(1200);
  EXPECT_EQ(arrived_, 20);
  EXPECT_TRUE(highest_ < 9 || !isShortest_) << highest_;
}

INSTANTIATE_TEST_SUITE_P(Kinds, EditRoutes,
                         testing::Combine(testing::Values("table", "weighted", "sight"),
                                          testing::Values("ecm", "hertel-mehlhorn")),
                         [](const auto& one) {
                           return std::get<0>(one.param) + (std::get<1>(one.param) == "ecm" ? "Axis" : "Cells");
                         });

}  // namespace
}  // namespace wend
