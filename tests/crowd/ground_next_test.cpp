#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <wend/density.h>
#include <wend/make.h>
#include <wend/world.h>

#include <gtest/gtest.h>

#include "base/random.h"
#include "crowd/ground/ground.h"
#include "tests/crowd/crowd_world.h"
#include "tests/environment/edit/random_edits.h"
#include "tests/world/random_edit.h"

// What hangs on a mesh and follows its edits is what it would be if it were made anew.
namespace wend {
namespace {

bool isSameWall(const GroundWall& a, const GroundWall& b) {
  return a.a == b.a && a.b == b.b && a.along == b.along && a.before == b.before && a.after == b.after &&
         a.first == b.first && a.layer == b.layer && a.cornerA == b.cornerA && a.cornerB == b.cornerB;
}

void expectSameGround(const Ground& ground, const Ground& anew) {
  const NavMesh& mesh = anew.mesh();
  size_t walls = 0;
  for (CellId cell = 0; cell < mesh.cellCount(); ++cell) {
    ASSERT_EQ(ground.isOpen(cell), anew.isOpen(cell)) << cell;
    ASSERT_EQ(ground.isNearConnection(cell), anew.isNearConnection(cell)) << cell;
    const Ground::Side* b = anew.firstSide(cell);
    for (const Ground::Side* a = ground.firstSide(cell); a != ground.endSide(cell); ++a, ++b) {
      ASSERT_TRUE(a->from == b->from && a->to == b->to && a->neighbour == b->neighbour && a->twin == b->twin) << cell;
      ASSERT_EQ(a->wall == kNone, b->wall == kNone) << cell;
      if (a->wall == kNone) continue;
      const GroundWall& w = ground.wall(a->wall);
      ASSERT_TRUE(isSameWall(w, anew.wall(b->wall)))
          << "cell " << cell << ": " << w.a.x << ", " << w.a.y << " to " << w.b.x << ", " << w.b.y;
    }
  }
  for (const GroundWall& wall : ground.walls()) walls += wall.first == kNone ? 0 : 1;
  ASSERT_EQ(walls, anew.walls().size());
}

// Numbers of walls that are neither gone nor new stand for the same wall as before.
void expectStableNumbers(const Ground& before, const Ground::Next& next) {
  std::vector<uint8_t> isTouched(std::max(before.walls().size(), next.ground.walls().size()), 0);
  for (const uint32_t wall : next.goneWalls) isTouched[wall] = 1;
  for (const uint32_t wall : next.newWalls) isTouched[wall] = 1;
  for (size_t i = 0; i < before.walls().size(); ++i) {
    if (isTouched[i] != 0) continue;
    ASSERT_TRUE(before.walls()[i].a == next.ground.walls()[i].a && before.walls()[i].b == next.ground.walls()[i].b);
  }
}

// How many edits were followed.
void editRandomly(const Environment& environment, const std::string& generator, uint64_t seed, int edits, double size,
                  int& followed) {
  const Result<World> baked = bake(environment, {.generator = generator, .options = {}, .seed = 1});
  ASSERT_TRUE(baked.ok());
  World world = *baked;
  Ground ground(world.mesh());
  Locator locator(world.mesh());
  DensityMap density(world.mesh());
  Random random(seed, 11);
  const Box box = boundingBox(environment);
  for (int i = 0; i < edits; ++i) {
    const Result<WorldUpdate> update = world.apply(randomEdit(world, environment, size, random));
    if (!update.ok() || update->report.mesh == MeshChange::kNone) continue;
    const NavMesh& mesh = update->world.mesh();

    const Ground::Next next = ground.next(mesh);
    followed += next.isAnew ? 0 : 1;
    ASSERT_NO_FATAL_FAILURE(expectSameGround(next.ground, Ground(mesh))) << generator << " edit " << i;
    if (!next.isAnew) {
      ASSERT_NO_FATAL_FAILURE(expectStableNumbers(ground, next));
    }
    ground = next.ground;

    const Locator anew(mesh);
    locator = locator.next(mesh);
    for (int n = 0; n < 50; ++n) {
      const Vec2 p = mesh.lattice().toMetres(Point{static_cast<int32_t>(random.between(box.min.x, box.max.x)),
                                                   static_cast<int32_t>(random.between(box.min.y, box.max.y))});
      ASSERT_EQ(locator.locate(Place(p)), anew.locate(Place(p)));
      const Vec2 corner = mesh.vertex(static_cast<VertexId>(random.below(mesh.vertexCount())));
      const LayerId layer = static_cast<LayerId>(random.below(mesh.layerCount()));
      std::array<CellId, 64> a{};
      std::array<CellId, 64> b{};
      ASSERT_EQ(locator.locateAll(corner, layer, a), anew.locateAll(corner, layer, b));
      ASSERT_EQ(a, b);
    }

    std::vector<uint8_t> changed;
    const DensityMap was = density;
    density = density.next(mesh, update->report.cellSource, changed);
    const DensityMap map(mesh);
    ASSERT_EQ(density.size(), map.size());
    for (CellId cell = 0; cell < mesh.cellCount(); ++cell) ASSERT_EQ(density.cellOf(cell), map.cellOf(cell));
    for (uint32_t cell = 0; cell < map.size(); ++cell) {
      ASSERT_EQ(density.area(cell), map.area(cell)) << cell;
      const bool isKept = cell < changed.size() && changed[cell] == 0;
      ASSERT_EQ(density.covered(cell), isKept ? was.covered(cell) : 0);
      density.add(cell, static_cast<DensityMap::Covered>(random.below(1000)));
    }
    world = update->world;
  }
}

TEST(FollowedEdits, GroundLocatorAndDensitiesEqualThoseMadeAnew) {
  const auto military = makeEnvironment({"military", {{"edition", 2}}, 1, {}});
  const auto zelda = makeEnvironment({"zelda", {{"edition", 2}, {"tiles", 1}}, 1, {}});
  ASSERT_TRUE(military.ok() && zelda.ok());
  int followed = 0;
  editRandomly(*military, "ecm", 1, 40, 3, followed);
  editRandomly(*zelda, "ecm", 2, 30, 2, followed);
  editRandomly(*military, "hertel-mehlhorn", 3, 40, 3, followed);
  for (uint64_t seed = 0; seed < 6; ++seed) {
    Random random(seed);
    const Environment hall = randomHall(random, seed % 2 == 1, seed % 3 == 0 ? 0 : 17, 1e-4);
    editRandomly(hall, seed % 4 < 2 ? "ecm" : "delaunay", seed, 16, 0.7, followed);
  }
  EXPECT_GT(followed, 80);
}

}  // namespace
}  // namespace wend
