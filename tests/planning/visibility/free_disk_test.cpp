#include <wend/generate.h>
#include <wend/make.h>
#include <wend/navigator.h>
#include <wend/navmesh.h>
#include <wend/world.h>

#include <gtest/gtest.h>

#include "base/random.h"

namespace wend {
namespace {

// Places around every corner of a building of several floors: its stairs begin and end at corners where many cells
// meet.
TEST(FreeDisk, IsEmptyBesideEveryCornerOfABuilding) {
  const auto environment = makeEnvironment({.kind = "dormitory"});
  ASSERT_TRUE(environment.ok());
  for (const char* generator : {"hertel-mehlhorn", "delaunay", "trapezoid", "neogen", "ecm"}) {
    const auto world = bake(*environment, {.generator = generator});
    ASSERT_TRUE(world.ok());
    const Navigator navigator = makeNavigator(*world);
    const NavMesh& mesh = navigator.mesh();
    const Locator locator(mesh);
    PlanScratch scratch;
    Random random(7);
    size_t checked = 0;
    for (VertexId v = 0; v < mesh.vertexCount(); ++v) {
      for (int i = 0; i < 8; ++i) {
        const Vec3 corner = mesh.position(v);
        const Place place(corner.x + random.real(-0.3, 0.3), corner.y + random.real(-0.3, 0.3), corner.z, 0.3);
        const CellId cell = navigator.locate(place);
        if (cell == kNone) continue;
        const FreeDisk disk = navigator.freeDisk(cell, place.top(), scratch);
        const CellId at = navigator.straightWay(cell, place.top(), disk.centre, 0, scratch).cell;
        ASSERT_NE(at, kNone) << generator << ' ' << place.x << ' ' << place.y;
        const Vec3 centre{disk.centre.x, disk.centre.y, locator.height(disk.centre, mesh.layerOf(at))};
        const auto nearest = navigator.nearestObstacle(Place(centre, 0.3), scratch);
        ASSERT_TRUE(nearest.has_value());
        EXPECT_GE(nearest->distance, disk.radius - 1e-4) << generator << ' ' << place.x << ' ' << place.y;
        ++checked;
      }
    }
    EXPECT_GT(checked, 500U) << generator;
  }
}

}  // namespace
}  // namespace wend
