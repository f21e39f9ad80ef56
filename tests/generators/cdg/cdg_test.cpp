#include "generators/cdg/cdg.h"

#include <wend/make.h>
#include <wend/metrics.h>
#include <wend/navigator.h>

#include <gtest/gtest.h>

#include "generators/cdg/disks.h"
#include "planning/disk/disk_navigator.h"
#include "tests/generators/laws.h"
#include "tests/generators/random_worlds.h"

namespace wend {
namespace {

NavMesh bakeDisks(const Environment& environment, const cdg::Settings& settings = {}) {
  const auto mesh = cdg::generate(environment, settings);
  EXPECT_TRUE(mesh.ok()) << (mesh.ok() ? "" : mesh.error().message);
  if (!mesh.ok()) return NavMesh();
  for (const MeshFault& fault : checkMesh(*mesh, &environment, 3)) {
    ADD_FAILURE() << faultName(fault.kind) << ": " << fault.message;
  }
  return *mesh;
}

double area(const NavMesh& mesh) {
  double sum = 0;
  for (CellId c = 0; c < mesh.cellCount(); ++c) sum += cellArea(mesh, c);
  return sum;
}

Environment room(double unit, int32_t width, int32_t height) {
  Environment environment = oneLayer({{{{0, 0}, {width, 0}, {width, height}, {0, height}}, {}}});
  environment.lattice.unit = unit;
  return environment;
}

TEST(Cdg, ASquareRoomIsADiskAndSmallerOnesTowardsItsCorners) {
  // 51 samples across: the one in the middle has the largest clearance, 5.1 m less half a sample.
  const Environment environment = room(0.001, 10200, 10200);
  const NavMesh mesh = bakeDisks(environment);
  EXPECT_EQ(mesh.cellCount(), 9U);
  EXPECT_EQ(mesh.portalCount(), 8U);
  EXPECT_EQ(topology(mesh).components, 1U);
  const double disk = 8 * std::sin(M_PI / 8) * 5.0 * 5.0;
  EXPECT_GT(area(mesh), disk);
  EXPECT_LT(area(mesh), 10.2 * 10.2);
}

TEST(Cdg, DisksThatOverlapShareAPortal) {
  // A corridor: a chain of disks, each cut along the chord that it shares with the next.
  const NavMesh mesh = bakeDisks(room(0.001, 20000, 3000));
  EXPECT_GT(mesh.cellCount(), 5U);
  EXPECT_GE(mesh.portalCount(), mesh.cellCount() - 1);
  EXPECT_EQ(topology(mesh).components, 1U);
  PlanScratch scratch;
  Route route;
  const DiskNavigator navigator(mesh);
  EXPECT_EQ(navigator.plan({.from = {1, 1.5}, .to = {19, 1.5}, .radius = 0.4}, scratch, route), PathStatus::kFound);
  EXPECT_EQ(navigator.plan({.from = {1, 1.5}, .to = {19, 1.5}, .radius = 1.45}, scratch, route),
            PathStatus::kStartTooNear);
}

TEST(Cdg, CentresAreInNoOtherDiskAndPortalsEndOnBothCircles) {
  const auto world = makeEnvironment({"zelda", {}, 1, {}});
  ASSERT_TRUE(world.ok());
  const Box box = boundingBox(*world);
  const SquareRaster raster{box.min, 2000, (box.max.x - box.min.x) / 2000 + 1, (box.max.y - box.min.y) / 2000 + 1};
  const cdg::Voxels voxels = cdg::sampleLayers(*world, raster, {}).value();
  const cdg::Crossings crossings(*world);
  const std::vector<cdg::Disk> disks = cdg::chooseDisks(voxels, crossings, 1000, {});
  ASSERT_GT(disks.size(), 100U);
  const auto gap = [](Vec2 a, Vec2 b) { return std::hypot(a.x - b.x, a.y - b.y); };
  for (const cdg::Disk& a : disks) {
    for (const cdg::Disk& b : disks) {
      if (&a == &b) continue;
      EXPECT_GE(gap(a.centre, b.centre), std::max(a.radius, b.radius));
    }
  }
  const auto portals = cdg::findPortals(disks, crossings);
  size_t slow = 0;
  for (size_t i = 0; i < disks.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const double d = gap(disks[i].centre, disks[j].centre);
      const double x = (d * d + disks[i].radius * disks[i].radius - disks[j].radius * disks[j].radius) / (2 * d);
      slow += d < disks[i].radius + disks[j].radius && disks[i].radius * disks[i].radius - x * x >= 1 ? 1 : 0;
    }
  }
  EXPECT_EQ(portals.size(), slow);
  for (const cdg::Portal& portal : portals) {
    for (const Vec2 end : {portal.left, portal.right}) {
      EXPECT_NEAR(gap(end, disks[portal.a].centre), disks[portal.a].radius, 1e-4);
      EXPECT_NEAR(gap(end, disks[portal.b].centre), disks[portal.b].radius, 1e-4);
    }
  }
}

// As the study: mazes of corridors five samples wide.
TEST(Cdg, MazesHaveTheStudysShape) {
  for (const auto& [size, published] : {std::pair{8.0, 68.0}, {16.0, 310.0}, {32.0, 1084.0}}) {
    const auto world = makeEnvironment({"maze", {{"size", size}}, 1, {}});
    ASSERT_TRUE(world.ok());
    const NavMesh mesh = bakeDisks(*world);
    EXPECT_GT(mesh.cellCount(), 0.7 * published);
    EXPECT_LT(mesh.cellCount(), 1.3 * published);
    EXPECT_EQ(topology(mesh).components, 1U);
    // Published: 0.71, 0.72, 0.69.
    const double share = area(mesh) / world->lattice.area(topology(*world).doubledArea);
    EXPECT_GT(share, 0.65);
    EXPECT_LT(share, 0.78);
  }
}

TEST(Cdg, DisksReachOverConnections) {
  for (const char* kind : {"station", "tower", "oilrig"}) {
    const auto world = makeEnvironment({kind, {}, 1, {}});
    ASSERT_TRUE(world.ok()) << kind;
    const NavMesh mesh = bakeDisks(*world);
    size_t across = 0;
    for (SideId s = 0; s < mesh.sideCount(); ++s) {
      across += !mesh.isWall(s) && mesh.layerOf(mesh.cellOf(s)) != mesh.layerOf(mesh.neighbour(s)) ? 1 : 0;
    }
    // Stairs narrower than some samples stay apart, as in the study, which has 178 components in its station.
    EXPECT_GE(across / 2, world->connections.size() / 3) << kind;
    const double share = area(mesh) / world->lattice.area(topology(*world).doubledArea);
    EXPECT_GT(share, 0.6) << kind;
    EXPECT_LT(share, 1.01) << kind;
    RecordProperty(std::string(kind) + "_components", static_cast<int>(topology(mesh).components));
    RecordProperty(std::string(kind) + "_truth", static_cast<int>(world->truth->components));
  }
}

TEST(Cdg, RandomWorldsGiveValidMeshes) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    Environment environment = squaresWorld(seed, {.columns = static_cast<int32_t>(random.between(1, 10)),
                                                  .rows = static_cast<int32_t>(random.between(1, 10)),
                                                  .density = random.real(0.3, 1.0),
                                                  .pitch = 20000,
                                                  .jitter = random.chance(0.7) ? 4000 : 0,
                                                  .layers = static_cast<uint32_t>(random.between(1, 3))});
    if (vertexCount(environment) == 0) continue;
    bakeDisks(environment);
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

TEST(Cdg, NothingWideEnoughIsAnEmptyMesh) {
  const auto mesh = cdg::generate(room(0.001, 10000, 150), {});
  ASSERT_TRUE(mesh.ok()) << mesh.error().message;
  EXPECT_TRUE(mesh->empty());
}

}  // namespace
}  // namespace wend
