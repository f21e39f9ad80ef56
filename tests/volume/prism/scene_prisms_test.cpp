#include <cmath>
#include <filesystem>
#include <queue>

#include <wend/file.h>
#include <wend/make_scene.h>
#include <wend/next_hop_table.h>
#include <wend/volume/prism_grid.h>
#include <wend/world.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"

// Prisms of scenes: voxels, growth, ways, files.
namespace wend {
namespace {

void addBox(Scene& scene, Vec3 low, Vec3 high) {
  const auto first = static_cast<uint32_t>(scene.vertices.size());
  for (uint32_t i = 0; i < 8; ++i) {
    scene.vertices.push_back(
        {(i & 1) != 0 ? high.x : low.x, (i & 2) != 0 ? high.y : low.y, (i & 4) != 0 ? high.z : low.z});
  }
  const uint32_t faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (const auto& f : faces) {
    scene.triangles.push_back({{first + f[0], first + f[1], first + f[2]}, 0});
    scene.triangles.push_back({{first + f[0], first + f[2], first + f[3]}, 0});
  }
  if (scene.labels.empty()) scene.labels.emplace_back();
}

// A plate without thickness.
void addPlate(Scene& scene, Vec3 low, Vec3 high) {
  const auto first = static_cast<uint32_t>(scene.vertices.size());
  scene.vertices.insert(
      scene.vertices.end(),
      {{low.x, low.y, low.z}, {high.x, low.y, low.z}, {high.x, high.y, high.z}, {low.x, high.y, high.z}});
  scene.triangles.push_back({{first, first + 1, first + 2}, 0});
  scene.triangles.push_back({{first, first + 2, first + 3}, 0});
  if (scene.labels.empty()) scene.labels.emplace_back();
}

// Whether the open segment from a to b meets the triangle: a slow and obvious test in doubles, with a margin.
bool crosses(const Scene& scene, const Scene::Triangle& t, Vec3 a, Vec3 b) {
  const auto sub = [](Vec3 p, Vec3 q) { return Vec3{p.x - q.x, p.y - q.y, p.z - q.z}; };
  const auto cross = [](Vec3 p, Vec3 q) {
    return Vec3{p.y * q.z - p.z * q.y, p.z * q.x - p.x * q.z, p.x * q.y - p.y * q.x};
  };
  const auto dot = [](Vec3 p, Vec3 q) { return p.x * q.x + p.y * q.y + p.z * q.z; };
  const Vec3 v0 = scene.vertices[t.vertices[0]];
  const Vec3 e1 = sub(scene.vertices[t.vertices[1]], v0);
  const Vec3 e2 = sub(scene.vertices[t.vertices[2]], v0);
  const Vec3 d = sub(b, a);
  const Vec3 h = cross(d, e2);
  const double det = dot(e1, h);
  if (std::abs(det) < 1e-12) return false;
  const Vec3 s = sub(a, v0);
  const double u = dot(s, h) / det;
  const Vec3 q = cross(s, e1);
  const double v = dot(d, q) / det;
  const double at = dot(e2, q) / det;
  constexpr double kMargin = 1e-6;
  return u > kMargin && v > kMargin && u + v < 1 - kMargin && at > kMargin && at < 1 - kMargin;
}

TEST(SceneVoxels, ABoxIsSolidAndItsInsideIsKnown) {
  Scene scene;
  addBox(scene, {0, 0, 0}, {4, 4, 4});
  addBox(scene, {1, 1, 4.5}, {3, 3, 5.5});  // apart from the first
  SceneVoxelReport report;
  const auto solid = sceneVoxels(scene, {.voxel = 0.5, .above = 1, .around = 1}, {}, &report);
  ASSERT_TRUE(solid.ok()) << solid.error().message;
  EXPECT_EQ(report.closedBodies, 2U);
  EXPECT_EQ(solid->size, (std::array<uint32_t, 3>{12, 12, 13}));
  // Inside the large box: blocked although no triangle is there.
  EXPECT_EQ(solid->free[solid->index(5, 5, 3)], 0);
  EXPECT_GT(report.inside, 0U);
  // A voxel owns its lower sides: the top at z = 4 m blocks the voxels above it, the side at x = 0 those inside.
  EXPECT_EQ(solid->free[solid->index(3, 3, 8)], 0);
  EXPECT_EQ(solid->free[solid->index(1, 5, 3)], 1);
  const auto hollow = sceneVoxels(scene, {.voxel = 0.5, .above = 1, .around = 1, .solid = false});
  ASSERT_TRUE(hollow.ok());
  EXPECT_EQ(hollow->free[hollow->index(5, 5, 3)], 1);
  // Only what is joined to a seed.
  const auto inner = sceneVoxels(
      scene, {.voxel = 0.5, .above = 1, .around = 1, .solid = false, .seeds = {{2.2, 2.2, 2.2}}}, {}, &report);
  ASSERT_TRUE(inner.ok());
  EXPECT_EQ(inner->free[inner->index(5, 5, 5)], 1);
  EXPECT_EQ(inner->free[inner->index(0, 0, 0)], 0);
  EXPECT_EQ(report.components, 1U);
}

TEST(SceneVoxels, WrongSettingsAreErrors) {
  Scene scene;
  addBox(scene, {0, 0, 0}, {4, 4, 4});
  EXPECT_EQ(sceneVoxels(scene, {.voxel = 0}).error().code, ErrorCode::kInvalidSettings);
  EXPECT_EQ(sceneVoxels(scene, {.voxel = std::nan("")}).error().code, ErrorCode::kInvalidSettings);
  EXPECT_EQ(sceneVoxels(scene, {.voxel = 0.01, .around = 100}).error().code, ErrorCode::kLimit);
  EXPECT_EQ(sceneVoxels(scene, {.seeds = {{2, 2, 2}}}).error().code, ErrorCode::kNotOnMesh);
  EXPECT_EQ(sceneVoxels(scene, {.seeds = {{200, 2, 2}}}).error().code, ErrorCode::kNotOnMesh);
  EXPECT_FALSE(sceneVoxels(Scene{}).ok());
}

// A plate exactly between two layers of voxels separates them.
TEST(SceneVoxels, PlatesOnTheLinesSeparate) {
  for (const double height : {1.0, 1.25, 1.1}) {
    Scene scene;
    addPlate(scene, {0, 0, height}, {4, 4, height});
    addPlate(scene, {0, 0, 0}, {4, 4, 0});
    const auto voxels = sceneVoxels(scene, {.voxel = 0.25, .above = 1});
    ASSERT_TRUE(voxels.ok());
    const auto grid = growPrisms(*voxels);
    ASSERT_TRUE(grid.ok());
    const auto passages = passagesOf(*grid);
    EXPECT_TRUE(pathOf(*grid, passages, {2, 2, 0.6}, {2, 2, 1.9}).empty()) << height;
    EXPECT_FALSE(pathOf(*grid, passages, {0.3, 0.3, 0.6}, {3.7, 3.7, 0.6}).empty()) << height;
  }
}

// Random triangles at any angle: no piece of a route crosses one, and every free voxel is in one prism.
TEST(ScenePrisms, RoutesCrossNoTriangle) {
  Random random(4);
  int found = 0;
  for (int i = 0; i < 25; ++i) {
    Scene scene;
    addBox(scene, {0, 0, -0.5}, {6, 6, 0});
    for (int k = 0; k < 12; ++k) {
      const auto first = static_cast<uint32_t>(scene.vertices.size());
      const Vec3 c{random.real(0, 6), random.real(0, 6), random.real(0, 3)};
      for (int v = 0; v < 3; ++v) {
        scene.vertices.push_back({c.x + random.real(-2, 2), c.y + random.real(-2, 2), c.z + random.real(-1, 1)});
      }
      scene.triangles.push_back({{first, first + 1, first + 2}, 0});
    }
    const auto voxels = sceneVoxels(scene, {.voxel = 0.2, .above = 0.5});
    ASSERT_TRUE(voxels.ok()) << voxels.error().message;
    const auto grid = growPrisms(*voxels, {.period = i % 2 == 0 ? 8U : 0U, .memory = i % 3 == 0});
    ASSERT_TRUE(grid.ok());
    ASSERT_TRUE(checkPrisms(*grid).empty());
    for (size_t v = 0; v < voxels->free.size(); ++v) ASSERT_EQ(voxels->free[v] != 0, grid->ids[v] != 0);
    const auto passages = passagesOf(*grid);
    for (int k = 0; k < 10; ++k) {
      const Vec3 a{random.real(0, 6), random.real(0, 6), random.real(0, 3)};
      const Vec3 b{random.real(0, 6), random.real(0, 6), random.real(0, 3)};
      const PrismRoute route = routeOf(*grid, passages, a, b);
      ASSERT_EQ(route.prisms.empty(), pathOf(*grid, passages, a, b).empty());
      if (route.prisms.empty()) continue;
      ++found;
      ASSERT_EQ(route.points.size(), route.prisms.size() + 1);
      for (size_t p = 1; p < route.points.size(); ++p) {
        for (const Scene::Triangle& t : scene.triangles) {
          ASSERT_FALSE(crosses(scene, t, route.points[p - 1], route.points[p])) << i << ", " << k;
        }
        // Each piece lies in its prism.
        const Vec3 low = grid->lowOf(route.prisms[p - 1]);
        const Vec3 high = grid->highOf(route.prisms[p - 1]);
        for (const Vec3 q : {route.points[p - 1], route.points[p]}) {
          ASSERT_TRUE(q.x >= low.x - 1e-9 && q.x <= high.x + 1e-9 && q.y >= low.y - 1e-9 && q.y <= high.y + 1e-9 &&
                      q.z >= low.z - 1e-9 && q.z <= high.z + 1e-9);
        }
      }
    }
  }
  EXPECT_GT(found, 100);
}

// Reachability is that of a flood over voxels.
TEST(ScenePrisms, PathsExistWhereVoxelsAreJoined) {
  Random random(9);
  VoxelGrid voxels;
  voxels.size = {9, 8, 7};
  voxels.free.resize(9 * 8 * 7);
  for (int i = 0; i < 30; ++i) {
    for (uint8_t& free : voxels.free) free = random.chance(0.55) ? 1 : 0;
    const auto grid = growPrisms(voxels);
    ASSERT_TRUE(grid.ok());
    const auto passages = passagesOf(*grid);
    const auto start = static_cast<uint32_t>(random.below(voxels.free.size()));
    if (voxels.free[start] == 0) continue;
    std::vector<uint8_t> seen(voxels.free.size(), 0);
    std::queue<std::array<uint32_t, 3>> open;
    open.push({start % 9, start / 9 % 8, start / 72});
    seen[start] = 1;
    for (; !open.empty(); open.pop()) {
      for (size_t axis = 0; axis < 3; ++axis) {
        for (const int step : {-1, 1}) {
          auto next = open.front();
          next[axis] += static_cast<uint32_t>(step);
          if (next[axis] >= voxels.size[axis]) continue;
          const size_t index = voxels.index(next[0], next[1], next[2]);
          if (voxels.free[index] == 0 || seen[index] != 0) continue;
          seen[index] = 1;
          open.push(next);
        }
      }
    }
    const auto centre = [](size_t v) {
      return Vec3{double(v % 9) + 0.5, double(v / 9 % 8) + 0.5, double(v / 72) + 0.5};
    };
    for (size_t v = 0; v < voxels.free.size(); ++v) {
      ASSERT_EQ(!pathOf(*grid, passages, centre(start), centre(v)).empty(), seen[v] != 0);
    }
  }
}

// Following the field from prism to prism arrives, without leaving the two prisms of a passage.
TEST(ScenePrisms, TheFieldLeadsThroughPassages) {
  Random random(3);
  VoxelGrid voxels;
  voxels.size = {12, 10, 8};
  voxels.free.resize(960);
  for (uint8_t& free : voxels.free) free = random.chance(0.8) ? 1 : 0;
  const auto grid = growPrisms(voxels, {.period = 4});
  ASSERT_TRUE(grid.ok());
  int crossed = 0;
  for (const PrismPassage& passage : passagesOf(*grid)) {
    for (const bool forward : {true, false}) {
      const uint32_t from = forward ? passage.from : passage.to;
      const uint32_t to = forward ? passage.to : passage.from;
      const Vec3 low = grid->lowOf(from);
      const Vec3 high = grid->highOf(from);
      Vec3 at{random.real(low.x, high.x), random.real(low.y, high.y), random.real(low.z, high.z)};
      for (int i = 0; i < 4000 && grid->locate(at) == from; ++i) {
        const Vec3 d = prismDirection(*grid, passage, from, at);
        ASSERT_NEAR(d.x * d.x + d.y * d.y + d.z * d.z, 1, 1e-9);
        at = {at.x + 0.01 * d.x, at.y + 0.01 * d.y, at.z + 0.01 * d.z};
      }
      ASSERT_EQ(grid->locate(at), to);
      ++crossed;
    }
  }
  EXPECT_GT(crossed, 100);
}

TEST(ScenePrisms, SlicesAndVolumes) {
  Scene scene;
  addBox(scene, {0, 0, -1}, {5, 4, 0});
  addBox(scene, {1, 1, 0}, {2, 2, 2});
  const auto grid = growPrisms(*sceneVoxels(scene, {.voxel = 0.5, .above = 1}));
  ASSERT_TRUE(grid.ok());
  const std::vector<uint32_t> slice = sliceOf(*grid, 3);
  ASSERT_EQ(slice.size(), size_t{grid->size[0]} * grid->size[1]);
  // Row 0 is the highest y.
  for (uint32_t row = 0; row < grid->size[1]; ++row) {
    for (uint32_t x = 0; x < grid->size[0]; ++x) {
      const Vec3 at{grid->origin.x + (x + 0.5) * grid->voxel,
                    grid->origin.y + (grid->size[1] - row - 0.5) * grid->voxel, grid->origin.z + 3.5 * grid->voxel};
      EXPECT_EQ(slice[row * grid->size[0] + x] - 1, grid->locate(at));
    }
  }
  EXPECT_TRUE(sliceOf(*grid, grid->size[2]).empty());
  const auto mesh = prismVolumes(*grid);
  ASSERT_TRUE(mesh.ok()) << mesh.error().message;
  EXPECT_EQ(mesh->cellCount(), grid->prisms.size());
  EXPECT_EQ(mesh->gatewayCount(), passagesOf(*grid).size());
  double volume = 0;
  for (VolumeId c = 0; c < mesh->cellCount(); ++c) volume += mesh->volume(c);
  uint64_t voxels = 0;
  for (const GridPrism& prism : grid->prisms) voxels += prism.voxels();
  EXPECT_NEAR(volume, static_cast<double>(voxels) * 0.125, 1e-6);
}

TEST(PrismFile, ComesBackAloneAndWithAWorld) {
  Scene scene;
  addBox(scene, {0, 0, -1}, {5, 4, 0});
  addBox(scene, {1, 1, 0}, {2, 2, 2});
  const auto grid = growPrisms(*sceneVoxels(scene, {.voxel = 0.25}));
  ASSERT_TRUE(grid.ok());
  const std::string own = testing::TempDir() + "prisms.wprm";
  ASSERT_TRUE(savePrisms(*grid, own).ok());
  const auto loaded = loadPrisms(own);
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  EXPECT_EQ(*loaded, *grid);
  // With a world, in any order with a table.
  const auto environment = buildEnvironment({.layers = {{.walkable = {{{{0, 0}, {9, 0}, {9, 9}, {0, 9}}}}}}});
  ASSERT_TRUE(environment.ok());
  const auto world = bake(*environment);
  ASSERT_TRUE(world.ok());
  const auto table = NextHopTable::build(world->mesh());
  const std::string file = testing::TempDir() + "prisms.wend";
  ASSERT_TRUE(saveWorld(*world, file).ok());
  EXPECT_EQ(loadPrisms(file).error().code, ErrorCode::kEmpty);
  ASSERT_TRUE(attachPrisms(*grid, file).ok());
  EXPECT_EQ(hash(*loadPrisms(file)), hash(*grid));
  EXPECT_EQ(loadTable(file, *world).error().code, ErrorCode::kEmpty);
  ASSERT_TRUE(saveWorldWithTable(*world, *table, file).ok());
  ASSERT_TRUE(attachPrisms(*grid, file).ok());
  ASSERT_TRUE(attachPrisms(*grid, file).ok());  // in place of those that are there
  EXPECT_EQ(hash(*loadPrisms(file)), hash(*grid));
  EXPECT_EQ(loadTable(file, *world)->hash(), table->hash());
  EXPECT_EQ(hash(*loadWorld(file)), hash(*world));
  EXPECT_EQ(std::filesystem::file_size(file) % 8, 0U);
  EXPECT_FALSE(attachPrisms(*grid, own).ok());
  std::filesystem::remove(own);
  std::filesystem::remove(file);
}

TEST(PrismFile, DamageIsOneSentence) {
  Scene scene;
  addBox(scene, {0, 0, -1}, {5, 4, 0});
  const auto grid = growPrisms(*sceneVoxels(scene, {.voxel = 0.5}));
  const std::string bytes = serialisePrisms(*grid);
  for (size_t cut = 0; cut < bytes.size(); cut += 3) {
    const auto parsed = parsePrisms(std::as_bytes(std::span<const char>(bytes.data(), cut)), "cut");
    ASSERT_FALSE(parsed.ok());
    EXPECT_EQ(parsed.error().message.find('\n'), std::string::npos);
  }
  Random random(1);
  for (int i = 0; i < 400; ++i) {
    std::string wrong = bytes;
    wrong[random.below(wrong.size())] ^= static_cast<char>(1 + random.below(255));
    const auto parsed = parsePrisms(std::as_bytes(std::span<const char>(wrong)), "wrong");
    if (parsed.ok()) {
      EXPECT_EQ(*parsed, *grid);  // padding
    }
  }
  // Overlapping prisms, and prisms outside.
  PrismGrid twice = *grid;
  twice.prisms.push_back(twice.prisms[0]);
  EXPECT_FALSE(parsePrisms(std::as_bytes(std::span<const char>(serialisePrisms(twice))), "twice").ok());
  EXPECT_EQ(checkPrisms(twice).size(), 1U);
  PrismGrid outside = *grid;
  outside.prisms[0].high[1] = 4000;
  EXPECT_FALSE(parsePrisms(std::as_bytes(std::span<const char>(serialisePrisms(outside))), "outside").ok());
  EXPECT_EQ(checkPrisms(outside).size(), 1U);
  PrismGrid huge = *grid;
  huge.size = {4096, 4096, 4096};
  EXPECT_FALSE(parsePrisms(std::as_bytes(std::span<const char>(serialisePrisms(huge))), "huge").ok());
}

}  // namespace
}  // namespace wend
