#include "generators/recast/recast.h"

#include <wend/make.h>
#include <wend/metrics.h>

#include <gtest/gtest.h>

#include "tests/generators/laws.h"
#include "tests/generators/random_worlds.h"

namespace wend {
namespace {

bool isPresent() {
  return findGenerator("recast")->missing.empty();
}

NavMesh bakeRecast(const Environment& environment, const recast::Settings& settings = {}) {
  auto mesh = recast::generate(environment, settings);
  EXPECT_TRUE(mesh.ok()) << (mesh.ok() ? "" : mesh.error().message);
  if (!mesh.ok()) return NavMesh();
  for (const MeshFault& fault : checkMesh(*mesh, &environment, 3)) {
    ADD_FAILURE() << faultName(fault.kind) << ": " << fault.message;
  }
  return *mesh;
}

double area(const NavMesh& mesh) {
  return mesh.lattice().area(topology(mesh).doubledArea);
}

Environment rooms(std::vector<double> heights) {
  EnvironmentDraft draft;
  for (const double height : heights) {
    LayerDraft& layer = draft.layers.emplace_back();
    layer.id = static_cast<int32_t>(draft.layers.size());
    layer.height = height;
    layer.walkable.push_back({{{0, 0}, {10, 0}, {10, 8}, {0, 8}}});
    layer.obstacles.push_back({{{4, 3}, {6, 3}, {6, 5}, {4, 5}}});
  }
  auto environment = buildEnvironment(draft);
  EXPECT_TRUE(environment.ok());
  return environment.ok() ? *environment : Environment();
}

TEST(Recast, WithoutTheLibraryItSaysSo) {
  const GeneratorInfo* info = findGenerator("recast");
  ASSERT_NE(info, nullptr);
  EXPECT_FALSE(info->traits.exact);
  if (isPresent()) GTEST_SKIP() << "skipped: wend was built with Recast";
  GenerateSettings settings;
  settings.generator = "recast";
  const auto mesh = generate(rooms({0}), settings);
  ASSERT_FALSE(mesh.ok());
  EXPECT_EQ(mesh.error().code, ErrorCode::kUnsupported);
}

TEST(Recast, ARoomAroundAPillar) {
  if (!isPresent()) GTEST_SKIP() << "skipped: wend was built without Recast";
  const Environment environment = rooms({0});
  const NavMesh mesh = bakeRecast(environment, {.ledges = false});
  EXPECT_NEAR(area(mesh), 76, 2);
  EXPECT_EQ(topology(mesh).components, 1U);
  EXPECT_EQ(topology(mesh).boundaries, 2U);
  // A border without a wall is a ledge.
  EXPECT_LT(area(bakeRecast(environment)), area(mesh) - 3);
  const NavMesh triangles = bakeRecast(environment, {.ledges = false, .corners = 3});
  EXPECT_EQ(triangles.info().traits.convex, true);
  EXPECT_GE(triangles.cellCount(), mesh.cellCount());
  EXPECT_NEAR(area(triangles), area(mesh), 1e-6);
}

TEST(Recast, StoreysKeepTheirLayers) {
  if (!isPresent()) GTEST_SKIP() << "skipped: wend was built without Recast";
  const NavMesh mesh = bakeRecast(rooms({0, 3, 6}), {.ledges = false});
  EXPECT_EQ(topology(mesh).components, 3U);
  std::vector<double> areas(3, 0);
  for (CellId cell = 0; cell < mesh.cellCount(); ++cell) areas[mesh.layerOf(cell)] += cellArea(mesh, cell);
  for (const double a : areas) EXPECT_NEAR(a, 76, 2);
}

// Tiles end on common lines, so the mesh stays one; a room on a border, and one turned by an odd angle.
TEST(Recast, TilesAreJoined) {
  if (!isPresent()) GTEST_SKIP() << "skipped: wend was built without Recast";
  const auto turned = makeEnvironment({"bodies", {{"bodies", 8}, {"turn", 17}}, 1, {}});
  ASSERT_TRUE(turned.ok());
  for (const auto& [environment, voxel] : {std::pair<Environment, double>(rooms({0}), 0.2), {*turned, 5}}) {
    const NavMesh whole = bakeRecast(environment, {.voxel = voxel, .ledges = false});
    uint32_t cells = whole.cellCount();
    for (const uint32_t tiles : {2U, 5U, 9U}) {
      const NavMesh mesh = bakeRecast(environment, {.voxel = voxel, .ledges = false, .tiles = tiles});
      EXPECT_EQ(topology(mesh).components, 1U) << tiles;
      EXPECT_EQ(topology(mesh).boundaries, topology(whole).boundaries) << tiles;
      EXPECT_NEAR(area(mesh), area(whole), 0.02 * area(whole)) << tiles;
      EXPECT_GT(mesh.cellCount(), cells) << tiles;
      cells = mesh.cellCount();
    }
  }
}

TEST(Recast, MadeWorldsAreMeasured) {
  if (!isPresent()) GTEST_SKIP() << "skipped: wend was built without Recast";
  const auto world = makeEnvironment({"maze", {{"size", 16}}, 1, {}});
  ASSERT_TRUE(world.ok());
  for (const bool ledges : {true, false}) {
    const auto metrics = measureMesh(bakeRecast(*world, {.ledges = ledges}), *world);
    ASSERT_TRUE(metrics.ok()) << metrics.error().message;
    // The corridors are one metre wide, five voxels.
    EXPECT_GT(metrics->coverage.coveredShare(), ledges ? 0.6 : 0.98);
    RecordProperty(ledges ? "coverage_ledges" : "coverage", std::to_string(metrics->coverage.coveredShare()));
  }
}

}  // namespace
}  // namespace wend
