#include "geometry/area.h"
#include "tests/crowd/crowd_world.h"

namespace wend {
namespace {

// Many people on every floor of a made world, each with a new goal whenever it has reached one: nobody ever stands
// anywhere but on the mesh and clear of walls, by a locator and a navigator of the test's own.
class CrowdWorld {
 public:
  CrowdWorld(const std::string& kind, const std::string& generator) {
    const Result<Environment> made = makeEnvironment({.kind = kind});
    EXPECT_TRUE(made.ok());
    environment_ = *made;
    navigator = navigatorOf(environment_, generator);
    locator = Locator(navigator.mesh());
    for (const Layer& layer : environment_.layers)
      areas_.push_back(sum_ += static_cast<double>(doubledArea(layer.free)));
  }

  Vec3 place(Random& random) {
    while (true) {
      const double at = random.real() * sum_;
      const auto layer = static_cast<LayerId>(std::upper_bound(areas_.begin(), areas_.end() - 1, at) - areas_.begin());
      const Box box = boundingBox(environment_.layers[layer].free);
      const Vec2 units{random.real(box.min.x, box.max.x), random.real(box.min.y, box.max.y)};
      const Vec2 p = environment_.lattice.toMetres(units);
      if (locator.locate(p, layer) == kNone) continue;
      const Vec3 found{p.x, p.y, locator.height(p, layer)};
      const auto wall = navigator.nearestObstacle(found, scratch);
      if (wall && wall->distance > 0.25) return found;
    }
  }

  Navigator navigator;
  Locator locator;
  PlanScratch scratch;

 private:
  Environment environment_;
  std::vector<double> areas_;
  double sum_ = 0;
};

void walkFor(const std::string& kind, const std::string& generator, size_t agents, int frames) {
  CrowdWorld world(kind, generator);
  Crowd crowd = crowdOn(world.navigator);
  Random random(2);
  while (crowd.size() < agents) {
    AgentStart start;
    start.at = world.place(random);
    start.goal = world.place(random);
    ASSERT_TRUE(crowd.add(start).ok());
  }
  const Threads context(2);
  double deepest = 0;
  size_t arrived = 0;
  for (int frame = 0; frame < frames; ++frame) {
    crowd.step(context, [&](Crowd& c, const CrowdEvent& event) {
      if (event.kind == CrowdEventKind::kGoalReached) ++arrived;
      Random own(event.agent, c.frame());
      if (event.kind != CrowdEventKind::kOvercrowded) c.setGoal(event.agent, world.place(own), true);
    });
    // Those who were put on top of each other need a moment.
    if (frame > 20) deepest = std::max(deepest, crowd.deepestOverlap());
    expectOnMesh(crowd, world.locator);
    ASSERT_FALSE(testing::Test::HasFatalFailure());
    for (const AgentState& agent : crowd.agents()) {
      if ((agent.id + static_cast<AgentId>(frame)) % 20 != 0) continue;
      const auto wall = world.navigator.nearestObstacle(agent.position, world.scratch);
      const CellId cell = world.navigator.locate(agent.position);
      if (!wall || world.navigator.mesh().layerOf(cell) != agent.layer) continue;
      ASSERT_GE(wall->distance, agent.radius - 3e-4)
          << agent.position.x << ", " << agent.position.y << " layer " << agent.layer << " frame " << frame;
    }
  }
  EXPECT_GT(arrived, 0U);
  EXPECT_LT(deepest, 0.15);
}

TEST(CrowdSlow, NobodyLeavesTheCity) {
  walkFor("city", "ecm", 3000, 400);
}

TEST(CrowdSlow, NobodyLeavesTheTower) {
  walkFor("tower", "ecm", 1000, 400);
}

TEST(CrowdSlow, NobodyLeavesTheTowerOnConvexCells) {
  walkFor("tower", "neogen", 300, 200);
}

}  // namespace
}  // namespace wend
