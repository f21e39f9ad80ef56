#include <wend/environment_file.h>
#include <wend/file.h>
#include <wend/make.h>
#include <wend/navigator.h>

#include <fmt/format.h>

#include "tests/generators/adaptive_grid/masks.h"
#include "tests/generators/laws.h"

namespace wend {
namespace {

Result<NavMesh> meshOf(const Environment& environment, std::vector<std::pair<std::string, std::string>> options) {
  GenerateSettings settings;
  settings.generator = "adaptive-grid";
  settings.options = std::move(options);
  return generate(environment, settings);
}

void expectSound(const NavMesh& mesh, const Environment& environment) {
  for (const MeshFault& fault : checkMesh(mesh, &environment, 3)) {
    ADD_FAILURE() << faultName(fault.kind) << ": " << fault.message;
  }
}

TEST(AdaptiveGridMesh, RandomMasksGiveExactMeshes) {
  Random random(2);
  for (int i = 0; i < 150; ++i) {
    NavigableGrid mask = randomMask(random, static_cast<uint32_t>(1 + random.below(16)),
                                    static_cast<uint32_t>(1 + random.below(12)), random.real(0.4, 0.95));
    // Pixels that are no multiple of the unit, too: their corners are rounded one by one.
    mask.pixel = i % 3 == 0 ? 0.5 : i % 3 == 1 ? 1.0 / 3 : 0.77777;
    mask.origin = {i % 2 == 0 ? 0.0 : -12.345, 3.21};
    if (std::count(mask.free.begin(), mask.free.end(), 0) == static_cast<ptrdiff_t>(mask.free.size())) continue;
    const Result<Environment> environment = gridEnvironment(mask);
    ASSERT_TRUE(environment.ok()) << environment.error().message;
    const auto mesh = meshOf(*environment, {{"pixel", fmt::format("{}", mask.pixel)},
                                            {"seeds", i % 2 == 0 ? "sampled" : "single"},
                                            {"seed-period", "4"},
                                            {"merge", i % 4 == 0 ? "on" : "off"}});
    ASSERT_TRUE(mesh.ok()) << mesh.error().message;
    EXPECT_TRUE(mesh->info().traits.exact) << i;
    expectTruth(*mesh, *environment);
    if (HasFailure()) FAIL() << "mask " << i;
  }
}

TEST(AdaptiveGridMesh, TurnedWorldsAreNeverLeft) {
  for (const double degrees : {0.0, 17.0, 45.0, 71.3}) {
    const double c = std::cos(degrees * M_PI / 180);
    const double s = std::sin(degrees * M_PI / 180);
    const auto turn = [&](std::vector<Vec2> loop) {
      for (Vec2& p : loop) p = {c * p.x - s * p.y, s * p.x + c * p.y};
      return loop;
    };
    EnvironmentDraft draft;
    draft.layers.resize(1);
    draft.layers[0].walkable = {{turn({{0, 0}, {20, 0}, {20, 12}, {0, 12}})}};
    draft.layers[0].obstacles = {{turn({{5, 3}, {9, 3}, {9, 8}, {5, 8}})},
                                 {turn({{13, 0}, {14, 0}, {14, 9}, {13, 9}})}};
    const auto environment = buildEnvironment(draft);
    ASSERT_TRUE(environment.ok());
    for (const char* align : {"off", "on"}) {
      const auto mesh = meshOf(*environment, {{"pixel", "0.25"}, {"align", align}});
      ASSERT_TRUE(mesh.ok()) << mesh.error().message;
      expectSound(*mesh, *environment);
      double area = 0;
      for (CellId cell = 0; cell < mesh->cellCount(); ++cell) {
        area += cellArea(*mesh, cell);
        for (SideId side = mesh->firstSide(cell); side < mesh->endSide(cell); ++side) {
          const Vec2 p = mesh->vertex(mesh->startVertex(side));
          const Point rounded{static_cast<int32_t>(std::lround(p.x)), static_cast<int32_t>(std::lround(p.y))};
          // Corners of a turned raster are rounded by up to one unit.
          bool inside = false;
          for (int dx = -2; dx <= 2; ++dx) {
            for (int dy = -2; dy <= 2; ++dy) {
              inside = inside ||
                       locate(environment->layers[0].free, Point{rounded.x + dx, rounded.y + dy}) != Side::kOutside;
            }
          }
          ASSERT_TRUE(inside);
        }
      }
      const double whole = environment->lattice.area(topology(*environment).doubledArea);
      EXPECT_LE(area, whole * (1 + 1e-6));
      // A pixel is lost only where a wall enters it: within its diagonal of the walls, which are 102 m long.
      EXPECT_GE(area, whole - 102 * 0.25 * std::sqrt(2.0)) << degrees << " " << align;
      EXPECT_EQ(topology(*mesh).components, 1U);
    }
  }
}

TEST(AdaptiveGridMesh, AlignedRasterNeedsFewerCells) {
  const double c = std::cos(17 * M_PI / 180);
  const double s = std::sin(17 * M_PI / 180);
  EnvironmentDraft draft;
  draft.layers.resize(1);
  std::vector<Vec2> room{{0, 0}, {30, 0}, {30, 20}, {0, 20}};
  for (Vec2& p : room) p = {c * p.x - s * p.y, s * p.x + c * p.y};
  draft.layers[0].walkable = {{room}};
  const auto environment = buildEnvironment(draft);
  ASSERT_TRUE(environment.ok());
  const auto straight = meshOf(*environment, {{"seeds", "single"}});
  const auto aligned = meshOf(*environment, {{"seeds", "single"}, {"align", "on"}});
  ASSERT_TRUE(straight.ok() && aligned.ok());
  EXPECT_LT(aligned->cellCount() * 10, straight->cellCount());
}

// Layers stay joined, and portals between them lie on connections.
TEST(AdaptiveGridMesh, LayersAreJoinedOnTheirConnections) {
  for (const char* kind : {"ramps", "two-floor-ramp", "spiral", "parking-lot", "station"}) {
    const auto environment = makeEnvironment({.kind = kind});
    ASSERT_TRUE(environment.ok()) << kind;
    for (const char* align : {"off", "on"}) {
      const auto mesh = meshOf(*environment, {{"pixel", "0.23"}, {"align", align}});
      ASSERT_TRUE(mesh.ok()) << kind << ": " << mesh.error().message;
      expectSound(*mesh, *environment);
      size_t between = 0;
      for (SideId side = 0; side < mesh->sideCount(); ++side) {
        if (mesh->isWall(side)) continue;
        between += mesh->layerOf(mesh->cellOf(side)) != mesh->layerOf(mesh->neighbour(side)) ? 1 : 0;
      }
      EXPECT_GT(between, 0U) << kind;
      // The largest component of the mesh reaches every layer that the environment joins.
      const World world = *World::of(*environment, *mesh);
      EXPECT_EQ(world.mesh().layerCount(), environment->layers.size());
    }
  }
}

TEST(AdaptiveGridMesh, RoutesWithARadius) {
  const NavigableGrid mask = maskOf({"..........", "..........", "####.#####", "..........", ".........."});
  const auto environment = gridEnvironment(mask);
  ASSERT_TRUE(environment.ok());
  auto mesh = meshOf(*environment, {{"pixel", "1"}, {"seed-period", "3"}});
  ASSERT_TRUE(mesh.ok());
  const Navigator navigator = makeNavigator(*World::of(*environment, *mesh));
  PlanScratch scratch;
  Route route;
  EXPECT_EQ(navigator.plan({.from = {1, 1}, .to = {9, 4}, .radius = 0.45}, scratch, route), PathStatus::kFound);
  EXPECT_EQ(navigator.plan({.from = {1, 1}, .to = {9, 4}, .radius = 0.55}, scratch, route), PathStatus::kUnreachable);
}

TEST(AdaptiveGridMesh, PixelsMustFitTheLattice) {
  const auto environment = gridEnvironment(maskOf({"...."}));
  ASSERT_TRUE(environment.ok());
  GenerateSettings settings;
  settings.generator = "adaptive-grid";
  Environment coarse = *environment;
  coarse.lattice.unit = 0.5;
  settings.options = {{"pixel", "0.5"}};
  EXPECT_EQ(generate(coarse, settings).error().code, ErrorCode::kInvalidSettings);
}

}  // namespace
}  // namespace wend
