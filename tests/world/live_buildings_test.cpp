#include <string>
#include <vector>

#include <wend/corridor_map.h>
#include <wend/make.h>
#include <wend/world.h>

#include <gtest/gtest.h>

#include "base/random.h"
#include "tests/generators/ecm/axis_equality.h"

// Edits of buildings whose storeys, ramps and stairs lie above each other: each mesh is repaired in place.
namespace wend {
namespace {

// A square of 1 x 1 m around a place, turned so that it is parallel to nothing.
Edit squareAt(Vec2 at, int32_t layer) {
  Obstacle obstacle;
  obstacle.shape = PolygonShape{{{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}, {}};
  obstacle.place = Placement::turned({at.x, at.y, 0}, 17);
  obstacle.layers = {layer};
  obstacle.spreads = true;
  return AddObstacle{obstacle};
}

// Somewhere in the box of a layer's polygons.
Edit squareInside(Random& random, const Environment& environment) {
  const Layer& layer = environment.layers[random.below(environment.layers.size())];
  const Box box = boundingBox(layer.free);
  const Vec2 low = environment.lattice.toMetres(toVec2(box.min));
  const Vec2 high = environment.lattice.toMetres(toVec2(box.max));
  const double x = random.real(low.x, high.x);
  const double y = random.real(low.y, high.y);
  return squareAt({x, y}, layer.id);
}

// On a connection, over a part of it.
Edit squareAcross(Random& random, const Environment& environment) {
  const Connection& connection = environment.connections[random.below(environment.connections.size())];
  const size_t i = random.below(connection.line.size() - 1);
  const Vec2 a = environment.lattice.toMetres(toVec2(connection.line[i]));
  const Vec2 b = environment.lattice.toMetres(toVec2(connection.line[i + 1]));
  const double t = random.real();
  return squareAt({a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t}, environment.layers[connection.layerA].id);
}

void checkVersion(const World& world) {
  for (const MeshFault& fault : checkMesh(world.mesh(), &world.environment(), 1)) FAIL() << fault.message;
  const Result<NavMesh> anew = generate(world.environment(), *world.settings());
  ASSERT_TRUE(anew.ok());
  ASSERT_EQ(ecm::axisDifference(*world.medialAxis(), *anew->corridorMap()), "");
}

template <typename Make>
void editBuildings(int squares, const Make& make) {
  for (const char* kind : {"library", "parking-lot", "tower", "ramps", "station"}) {
    SCOPED_TRACE(kind);
    const Result<Environment> made = makeEnvironment({kind, {}, 1, {}});
    ASSERT_TRUE(made.ok());
    const Result<World> baked = bake(*made, {.generator = "ecm", .options = {}, .seed = 1});
    ASSERT_TRUE(baked.ok());
    Random random(5, 23);
    int edits = 0;
    for (int i = 0; i < squares; ++i) {
      const Result<WorldUpdate> added = baked->apply(std::vector<Edit>{make(random, *made)});
      if (!added.ok() || added->report.mesh == MeshChange::kNone) continue;
      EXPECT_EQ(added->report.mesh, MeshChange::kInPlace) << added->report.meshReason;
      ASSERT_NO_FATAL_FAILURE(checkVersion(added->world));
      const Result<WorldUpdate> removed = added->world.apply(std::vector<Edit>{RemoveObstacle{{0, 0}}});
      ASSERT_TRUE(removed.ok()) << removed.error().message;
      EXPECT_EQ(removed->report.mesh, MeshChange::kInPlace) << removed->report.meshReason;
      ASSERT_EQ(removed->world.environment(), *made);
      ASSERT_NO_FATAL_FAILURE(checkVersion(removed->world));
      ++edits;
    }
    EXPECT_GT(edits, squares / 3);
  }
}

TEST(LiveBuildings, SquaresComeAndGoInPlace) {
  editBuildings(8, squareInside);
}

TEST(LiveBuildings, SquaresAcrossConnectionsComeAndGoInPlace) {
  editBuildings(8, squareAcross);
}

// Walls of a fence over many layers bend where a connection ends on them, or do not: then one wall is in several
// layers.
TEST(LiveBuildings, FencesOverManyLayersComeAndGo) {
  EnvironmentDraft draft;
  for (int i = 0; i <= 6; ++i) {
    LayerDraft& layer = draft.layers.emplace_back();
    layer.id = i;
    const double from = i == 0 ? -6 : 0.25 * (i - 1);
    const double to = 0.25 * i;
    layer.walkable.push_back({{{0, from}, {6, from}, {6, to}, {0, to}}});
    if (i > 0) draft.connections.push_back({i - 1, i, {{6, from}, {0, from}}});
  }
  const Result<Environment> made = buildEnvironment(draft);
  ASSERT_TRUE(made.ok()) << made.error().message;
  const Result<World> baked = bake(*made, {.generator = "ecm", .options = {}, .seed = 1});
  ASSERT_TRUE(baked.ok());
  Random random(5, 29);
  for (int i = 0; i < 60; ++i) {
    SCOPED_TRACE(i);
    Obstacle fence;
    fence.shape = SegmentShape{{-1, 0}, {1, 0}};
    const double x = random.real(1, 5);
    const double y = random.real(0, 1.5);
    fence.place = Placement::turned({x, y, 0}, random.real(45, 135));
    fence.layers = {3};
    const Result<WorldUpdate> added = baked->apply(std::vector<Edit>{AddObstacle{fence}});
    ASSERT_TRUE(added.ok()) << added.error().message;
    ASSERT_NO_FATAL_FAILURE(checkVersion(added->world));
    const Result<WorldUpdate> removed = added->world.apply(std::vector<Edit>{RemoveObstacle{{0, 0}}});
    ASSERT_TRUE(removed.ok());
    EXPECT_EQ(removed->report.mesh, MeshChange::kInPlace) << removed->report.meshReason;
    ASSERT_NO_FATAL_FAILURE(checkVersion(removed->world));
  }
}

// An obstacle in one layer covers the end of a connection: its vertex belongs to the other layer only. When the
// obstacle goes, both layers meet there again, and the vertex has the name that a new construction gives it.
TEST(LiveBuildings, VertexThatBecomesAnEndOfAConnection) {
  EnvironmentDraft draft;
  draft.layers.resize(2);
  draft.layers[0].id = 0;
  draft.layers[0].walkable.push_back({{{0, 0}, {10, 0}, {11, 4}, {10, 10}, {0, 10}}});
  draft.layers[1].id = 1;
  draft.layers[1].walkable.push_back({{{10, 0}, {20, 0}, {20, 10}, {10, 10}, {11, 4}}});
  draft.connections.push_back({0, 1, {{10, 0}, {11, 4}}});
  const Result<Environment> made = buildEnvironment(draft);
  ASSERT_TRUE(made.ok()) << made.error().message;
  const Result<World> baked = bake(*made, {.generator = "ecm", .options = {}, .seed = 1});
  ASSERT_TRUE(baked.ok());
  Obstacle square;
  square.shape = PolygonShape{{{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}, {}};
  square.place = Placement::turned({11, 4, 0}, 17);
  square.layers = {0};
  square.spreads = false;
  Obstacle fence;
  fence.shape = SegmentShape{{0, -0.5}, {0, 0.5}};
  fence.place = Placement::turned({10.8, 3.2, 0}, 10);
  fence.layers = {1};
  World world = *baked;
  for (const Edit& edit : std::vector<Edit>{AddObstacle{square}, AddObstacle{fence}, RemoveObstacle{{0, 0}}}) {
    const Result<WorldUpdate> update = world.apply(std::vector<Edit>{edit});
    ASSERT_TRUE(update.ok()) << update.error().message;
    EXPECT_EQ(update->report.mesh, MeshChange::kInPlace) << update->report.meshReason;
    world = update->world;
    ASSERT_NO_FATAL_FAILURE(checkVersion(world));
  }
}

}  // namespace
}  // namespace wend
