#include <algorithm>
#include <vector>

#include <wend/world.h>

#include <gtest/gtest.h>

#include "tests/environment/edit/random_edits.h"

// Bodies in space on layers with a height field: where they block, and the footprint that they leave.
namespace wend {
namespace {

World baked(const EnvironmentDraft& draft) {
  const Result<Environment> environment = buildEnvironment(draft);
  EXPECT_TRUE(environment.ok()) << environment.error().message;
  if (!environment.ok()) return {};
  const Result<World> world = bake(*environment, {.generator = "delaunay", .options = {}, .seed = 1});
  EXPECT_TRUE(world.ok()) << world.error().message;
  return world.ok() ? *world : World();
}

// A hall of 20 x 10 m. From x = `from` on its height is that of triangles over squares of 2 m, which rises by `slope`
// behind x = 10; before that it is flat at 0.
EnvironmentDraft hall(double from, double slope, double degrees) {
  EnvironmentDraft draft;
  LayerDraft& layer = draft.layers.emplace_back();
  layer.id = 1;
  layer.walkable = {{turned(std::vector<Vec2>{{0, 0}, {20, 0}, {20, 10}, {0, 10}}, degrees)}};
  const auto at = [&](double x, double y) {
    const Vec2 p = turned(Vec2{x, y}, degrees);
    return Vec3{p.x, p.y, std::max(0.0, x - 10) * slope};
  };
  for (double x = from; x < 20; x += 2) {
    for (double y = 0; y < 10; y += 2) {
      layer.surface.push_back({at(x, y), at(x + 2, y), at(x + 2, y + 2)});
      layer.surface.push_back({at(x, y), at(x + 2, y + 2), at(x, y + 2)});
    }
  }
  return draft;
}

struct Blocked {
  EditOutcome outcome = EditOutcome::kNoChange;
  double area = 0;
  size_t corners = 0;  // of the only hole, or 0
};

// A box of `width` x 2 m, 2 m high.
Blocked dropBox(const World& world, double width, Vec3 at, double degrees) {
  Obstacle obstacle;
  obstacle.shape = BoxShape{{width, 2, 2}};
  const Vec2 place = turned(Vec2{at.x, at.y}, degrees);
  obstacle.place = Placement::turned({place.x, place.y, at.z}, degrees);
  const std::vector<Edit> edits{AddObstacle{obstacle}};
  const Result<WorldUpdate> update = world.apply(edits);
  EXPECT_TRUE(update.ok()) << update.error().message;
  if (!update.ok()) return {};
  const Environment& now = update->world.environment();
  EXPECT_TRUE(validate(now, 1).empty());
  EXPECT_TRUE(checkMesh(update->world.mesh(), &now, 1).empty());
  Blocked blocked;
  blocked.outcome = update->report.edits.at(0).outcome;
  const std::vector<Polygon>& free = now.layers[0].free;
  blocked.area = polygonArea(world.environment().layers[0].free, now.lattice) - polygonArea(free, now.lattice);
  if (free.size() == 1 && free[0].holes.size() == 1) blocked.corners = free[0].holes[0].size();
  return blocked;
}

constexpr double kRounding = 0.005;  // square metres: a unit on each side

// One that is in the way everywhere leaves its outline, whatever triangles lie under it.
TEST(LiveBodies, OnManyTrianglesABoxIsItsOutline) {
  for (const double degrees : {0.0, 17.0}) {
    for (const double slope : {0.0, 0.1}) {
      const World world = baked(hall(0, slope, degrees));
      const Blocked blocked = dropBox(world, 2, {13.3, 4.7, 0.2}, degrees);
      EXPECT_EQ(blocked.corners, 4u);
      EXPECT_NEAR(blocked.area, 4, degrees == 0 ? 1e-9 : kRounding);
    }
  }
}

// One that is too low to be in the way at its upper end is cut there.
TEST(LiveBodies, OnASlopeABoxIsCutWhereOneStepsOverIt) {
  for (const double degrees : {0.0, 17.0}) {
    const World world = baked(hall(0, 0.5, degrees));
    // Its top is at 2.2 m: stepped over from a height of 1.8 m on, at x = 13.6.
    const Blocked blocked = dropBox(world, 4, {13, 5, 0.2}, degrees);
    EXPECT_NEAR(blocked.area, 2 * (13.6 - 11), kRounding);
  }
}

// Where no triangle lies the layer is flat: bodies stand on that part too.
TEST(LiveBodies, BesideTheTrianglesTheLayerIsFlat) {
  for (const double degrees : {0.0, 17.0}) {
    const World world = baked(hall(10, 0.5, degrees));
    const Blocked flat = dropBox(world, 2, {5, 5, 0}, degrees);
    EXPECT_EQ(flat.outcome, EditOutcome::kDone);
    EXPECT_NEAR(flat.area, 4, kRounding);
    // Half of it on the slope, which rises by half a metre there.
    const Blocked both = dropBox(world, 2, {10, 5, 0}, degrees);
    EXPECT_NEAR(both.area, 4, kRounding);
    // Over the flat part it hangs above every head, but not above the slope.
    const Blocked high = dropBox(world, 12, {12, 5, 2.5}, degrees);
    EXPECT_NEAR(high.area, 2 * (18 - 11), kRounding);
    EXPECT_EQ(dropBox(world, 2, {5, 5, 2.5}, degrees).outcome, EditOutcome::kHidden);
  }
}

// Free space beyond the triangles by rounding only is not flat ground.
TEST(LiveBodies, ASliverBesideTheTrianglesIsNoGround) {
  EnvironmentDraft draft = hall(0, 0, 0);
  for (auto& triangle : draft.layers[0].surface) {
    for (Vec3& p : triangle) p = {p.x < 20 ? p.x : 19.997, p.y, 3};
  }
  const World world = baked(draft);
  const Blocked low = dropBox(world, 2, {19.5, 5, 0}, 0);
  EXPECT_EQ(low.outcome, EditOutcome::kHidden);
  EXPECT_EQ(low.area, 0);
  EXPECT_NEAR(dropBox(world, 2, {19.5, 5, 3}, 0).area, 2 * 1.5, 0.01);
}

}  // namespace
}  // namespace wend
