#include "draw/view_pieces.h"

#include <cmath>

#include <wend/generate.h>
#include <wend/make.h>
#include <wend/navigator.h>

#include <gtest/gtest.h>

#include "planning/corridor/corridor_navigator.h"

namespace wend {
namespace {

// From the platform one sees the floor and the ramp above it; in their own layers, and nothing twice.
TEST(ViewPieces, LieInTheLayersTheyAreSeenIn) {
  const Result<Environment> world = makeEnvironment({"overlap-side", {}, 1, {}});
  ASSERT_TRUE(world.ok());
  const Result<NavMesh> mesh = generate(*world, {.generator = "ecm"});
  ASSERT_TRUE(mesh.ok());
  const auto navigator = *CorridorNavigator::make(*mesh);
  PlanScratch scratch;
  DrawnView view;
  view.eye = {20, -6, 0};
  ASSERT_TRUE(navigator->visibility(view.eye, 0, scratch, view.polygon));
  std::vector<double> area(mesh->layerCount(), 0);
  for (const ViewPiece& piece : viewPieces(*mesh, view)) {
    double sum = 0;
    for (size_t i = 0; i < piece.loop.size(); ++i) {
      const Vec2 a = mesh->lattice().toMetres(piece.loop[i]);
      const Vec2 b = mesh->lattice().toMetres(piece.loop[(i + 1) % piece.loop.size()]);
      sum += 0.5 * (a.x * b.y - a.y * b.x);
    }
    EXPECT_GE(sum, -1e-9);
    area[piece.layer] += sum;
  }
  double polygon = 0;
  for (size_t i = 0; i < view.polygon.points.size(); ++i) {
    const Vec3 a = view.polygon.points[i];
    const Vec3 b = view.polygon.points[(i + 1) % view.polygon.points.size()];
    polygon += 0.5 * (a.x * b.y - a.y * b.x);
  }
  EXPECT_NEAR(area[0] + area[1] + area[2] + area[3], polygon, 1e-6);
  EXPECT_NEAR(area[0], 800, 1e-6);  // the whole platform
  EXPECT_NEAR(area[1], 80, 1e-6);   // the whole landing
  EXPECT_GT(area[2], 300);
  EXPECT_GT(area[3], 300);
}

}  // namespace
}  // namespace wend
