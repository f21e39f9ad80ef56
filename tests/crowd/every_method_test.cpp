#include <map>

#include <wend/crowd.h>
#include <wend/edit.h>
#include <wend/generate.h>
#include <wend/next_hop_table.h>
#include <wend/world.h>

#include <gtest/gtest.h>

#include "tests/crowd/crowd_world.h"
#include "tests/planning/real_worlds.h"

// The mesh of every generator with every tool, on floor plans that nobody tuned to, turned: validation, routes for
// disks, tables, edits, and a crowd while the world changes.
namespace wend {
namespace {

void expectRight(const World& world, const std::string& when) {
  for (const MeshFault& fault : checkMesh(world.mesh(), &world.environment(), 3))
    ADD_FAILURE() << when << ": " << faultName(fault.kind) << ": " << fault.message;
}

struct Trip {
  Vec2 from;
  Vec2 to;
};

class EveryMethod : public testing::TestWithParam<const char*> {};

TEST_P(EveryMethod, WorksWithEveryToolOnATurnedPlan) {
  const std::optional<Environment> plan = realEnvironment(GetParam(), kOddAngle);
  if (!plan) GTEST_SKIP() << "skipped: no data";
  const Threads serial(1);
  const Result<World> axis = bake(*plan, {.generator = "ecm"}, serial);
  ASSERT_TRUE(axis.ok());
  const Navigator truth = makeNavigator(*axis);
  const Locator locator(axis->mesh());
  Random random(3);
  PlanScratch scratch;
  Route route;
  // Trips that a disk of 0.3 m can make, with space around their ends.
  std::vector<Trip> trips;
  while (trips.size() < 12) {
    const auto place = [&] {
      const Vec3 p = randomPlace(axis->mesh(), locator, random);
      return Vec2{p.x, p.y};
    };
    const Trip trip{place(), place()};
    if (truth.plan({.from = trip.from, .to = trip.to, .radius = 0.3}, scratch, route) == PathStatus::kFound)
      trips.push_back(trip);
  }
  const Vec2 middle = trips[0].to;
  Obstacle crate;
  crate.name = "crate";
  crate.shape = PolygonShape{rectangle(middle.x - 0.2, middle.y - 0.2, middle.x + 0.2, middle.y + 0.2), {}};
  const std::vector<Edit> add{AddObstacle{crate}};
  for (const GeneratorInfo& info : generators()) {
    SCOPED_TRACE(info.name);
    GenerateSettings settings{.generator = info.name};
    if (info.name == "adaptive-grid") settings.options = {{"pixel", "0.1"}};
    if (info.name == "sfv" || info.name == "esfv") settings.options = {{"pitch", "0.5"}};
    const Result<World> world = bake(*plan, settings, serial);
    ASSERT_TRUE(world.ok()) << world.error().message;
    expectRight(*world, "baked");
    Result<WorldUpdate> added = world->apply(add, serial);
    ASSERT_TRUE(added.ok()) << added.error().message;
    expectRight(added->world, "with a crate");
    const std::vector<Edit> remove{RemoveObstacle{*added->world.findObstacle("crate")}};
    Result<WorldUpdate> removed = added->world.apply(remove, serial);
    ASSERT_TRUE(removed.ok()) << removed.error().message;
    expectRight(removed->world, "without it");
    EXPECT_EQ(topology(removed->world.environment()).doubledArea, topology(*plan).doubledArea);
    if (!info.traits.disjoint) continue;  // nothing walks there
    const bool exact = world->mesh().info().traits.exact;

    // Routes: the same answers for every radius as on the medial axis.
    for (const World& version : {*world, removed->world}) {
      const Navigator navigator = makeNavigator(version);
      for (const Trip& trip : trips) {
        for (const double radius : {0.0, 0.2, 0.3}) {
          const PathQuery query{.from = trip.from, .to = trip.to, .radius = radius};
          const PathStatus status = navigator.plan(query, scratch, route);
          EXPECT_TRUE(!exact || status == PathStatus::kFound) << radius;
          if (status != PathStatus::kFound) continue;
          ASSERT_GE(route.points.size(), 2U);
          double length = 0;
          for (size_t i = 1; i < route.points.size(); ++i)
            length += std::hypot(route.points[i].x - route.points[i - 1].x, route.points[i].y - route.points[i - 1].y);
          EXPECT_GE(length, std::hypot(trip.to.x - trip.from.x, trip.to.y - trip.from.y) - 1e-6);
        }
      }
    }

    // A table for the goals of the trips, on the edited mesh too.
    for (const World& version : {*world, added->world}) {
      const Result<NextHopTable> table = NextHopTable::build(version.mesh(), {}, serial);
      EXPECT_TRUE(table.ok()) << (table.ok() ? "" : table.error().message);
    }

    // A crowd that lives through both edits.
    Crowd crowd = crowdOn(makeNavigator(*world));
    int entered = 0;
    for (const Trip& trip : trips) entered += crowd.add({.at = trip.from, .goal = trip.to, .radius = 0.2}).ok() ? 1 : 0;
    EXPECT_TRUE(!exact || entered == 12) << entered;
    int arrived = 0;
    const auto planner = [&](Crowd& c, const CrowdEvent& event) {
      if (event.kind != CrowdEventKind::kGoalReached) return;
      ++arrived;
      c.remove(event.agent);
    };
    Locator own(world->mesh());
    for (int frame = 0; frame < 4000 && crowd.size() > 0; ++frame) {
      if (frame == 20) {
        ASSERT_TRUE(crowd.apply(*added, serial).ok());
        own = Locator(added->world.mesh());
      }
      if (frame == 60) {
        ASSERT_TRUE(crowd.apply(*removed, serial).ok());
        own = Locator(removed->world.mesh());
      }
      crowd.step(serial, planner);
      if (frame % 20 == 0) expectOnMesh(crowd, own);
    }
    // Who had the goal in the crate may have been told that there is no way.
    EXPECT_TRUE(!exact || arrived >= 11) << arrived;
  }
}

INSTANTIATE_TEST_SUITE_P(Plans, EveryMethod,
                         testing::Values("floorplans/double_bottleneck.wkt", "floorplans/room_with_alcoven.wkt",
                                         "floorplans/t_shaped_room.wkt"),
                         [](const auto& plan) {
                           std::string name = plan.param;
                           name = name.substr(name.find('/') + 1);
                           return name.substr(0, name.find('.'));
                         });

}  // namespace
}  // namespace wend
