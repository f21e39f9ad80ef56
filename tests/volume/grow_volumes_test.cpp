#include <cmath>

#include <wend/extract.h>
#include <wend/generate.h>
#include <wend/make_scene.h>
#include <wend/volume/grow_volumes.h>

#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/solid/exact_vertex.h"
#include "tests/data.h"
#include "tests/volume/random_scene.h"

// VASFV on made scenes: the cases of the source, and what may be wrong with a scene.
namespace wend {
namespace {

using make::SceneBuilder;
using test::turned;

GrownVolumes grownFrom(const Scene& scene, const GrowthSettings& settings = {}) {
  const auto grown = growVolumes(scene, settings);
  EXPECT_TRUE(grown.ok()) << (grown.ok() ? "" : grown.error().message);
  if (!grown.ok()) return {};
  for (const VolumeFault& fault : checkVolumes(grown->mesh, 3)) ADD_FAILURE() << fault.message;
  return *grown;
}

// Floor, a wedge of 30 degrees over the whole width, three treads: the source's comparison (section 4.2).
Scene stairWithRamp() {
  SceneBuilder builder;
  const double run = std::round(1000 / std::tan(30 * std::numbers::pi / 180)) / 1000;
  builder.floor(0, 0, 2 + run + 2.4, 2, 0);
  make::addRamp(builder, {{2, 1}, 0, 2, 0, 1, run});
  for (int i = 0; i < 3; ++i) {
    const double x = 2 + run + 0.8 * i;
    builder.box({x, 0, 0}, {x + 0.8, 2, 1.25 + 0.25 * i});
  }
  return builder.finish();
}

// Volumes that hold a point just above the floor, for a grid of points over a tread.
std::set<VolumeId> standingOn(const VolumeMesh& mesh, double x0, double x1, double z) {
  const VolumeLocator locator(mesh);
  std::set<VolumeId> volumes;
  for (int i = 1; i < 10; ++i) {
    for (int j = 1; j < 10; ++j) {
      // At the feet and at the head of somebody who stands there.
      for (const double height : {0.01, 1.7}) {
        volumes.insert(locator.locate({x0 + (x1 - x0) * i / 10, 0.2 * j, z + height}));
      }
    }
  }
  return volumes;
}

TEST(GrowVolumes, StairsWithARampNeedNoMoreVolumesThanTheSource) {
  const GrownVolumes grown = grownFrom(stairWithRamp());
  EXPECT_LE(grown.mesh.cellCount(), 5U);
  EXPECT_EQ(grown.report.thinSeeds, 0U);
  for (GatewayId g = 0; g < grown.mesh.gatewayCount(); ++g) EXPECT_FALSE(grown.mesh.gateway(g).slanted);
}

// The other method of the source's table, on the floors of the same scene.
TEST(GrowVolumes, LevelBoxesNeedMoreRegionsAndCoverLess) {
  const Scene scene = stairWithRamp();
  const GrownVolumes grown = grownFrom(scene);
  const auto floors = extract(scene, {});
  ASSERT_TRUE(floors.ok()) << floors.error().message;
  const double area = floors->environment.lattice.area(topology(floors->environment).doubledArea);
  const auto boxes = generate(floors->environment, {.generator = "esfv", .options = {{"pitch", "0.4"}}});
  ASSERT_TRUE(boxes.ok()) << boxes.error().message;
  EXPECT_LE(grown.mesh.cellCount(), boxes->cellCount());
  EXPECT_LT(boxes->lattice().area(topology(*boxes).doubledArea), 0.95 * area) << "esfv leaves the ramp out";
  RecordProperty("esfv", static_cast<int>(boxes->cellCount()));
  // The source's 12 regions of apng come from the triangles of its model. Here the boxes of all triangles of a flat
  // place grow into one, so the stair has fewer of them than volumes, and "less than half" says nothing.
  const auto overlapping = generate(floors->environment, {.generator = "apng"});
  ASSERT_TRUE(overlapping.ok()) << overlapping.error().message;
  EXPECT_LT(overlapping->cellCount(), 2 * grown.mesh.cellCount());
}

TEST(GrowVolumes, GravityGivesEachTreadOneVolume) {
  const double foot = 2 + std::round(1000 / std::tan(30 * std::numbers::pi / 180)) / 1000;
  const GrownVolumes grown = grownFrom(stairWithRamp());
  GrowthSettings without;
  without.gravity = false;
  const GrownVolumes floating = grownFrom(stairWithRamp(), without);
  size_t most = 0;
  for (int i = 0; i < 3; ++i) {
    const double x = foot + 0.8 * i;
    EXPECT_EQ(standingOn(grown.mesh, x, x + 0.8, 1.25 + 0.25 * i).size(), 1U) << i;
    most = std::max(most, standingOn(floating.mesh, x, x + 0.8, 1.25 + 0.25 * i).size());
  }
  EXPECT_GT(most, 1U);  // hanging slabs cut some tread's column
}

TEST(GrowVolumes, ACornerThatMeetsASlantedFaceBecomesAFace) {
  // A tetrahedron in a corner of the room: its slanted face has no zero in its normal.
  SceneBuilder builder;
  builder.floor(0, 0, 4, 4, 0);
  builder.triangle({0, 0, 0}, {0, 2, 0}, {2, 0, 0});
  builder.triangle({0, 0, 0}, {2, 0, 0}, {0, 0, 2});
  builder.triangle({0, 0, 0}, {0, 0, 2}, {0, 2, 0});
  builder.triangle({2, 0, 0}, {0, 2, 0}, {0, 0, 2});
  const GrownVolumes grown = grownFrom(builder.finish());
  EXPECT_GT(grown.report.follows, 0U);
  EXPECT_NEAR(grown.mesh.info().freeVolume->cubicMetres, 4 * 4 * 4.5 - 8.0 / 6, 1e-9);
}

TEST(GrowVolumes, EveryFaceIsAxisAlignedOrOnAnObstacle) {
  for (const uint64_t seed : {3, 7, 14}) {
    const Scene scene = test::randomScene(seed, 6).scene;
    const GrownVolumes grown = grownFrom(scene);
    std::set<HalfSpace> planes;
    const auto snap = [&](uint32_t v) {
      const Vec3 u = grown.mesh.lattice().toUnits(scene.vertices[v]);
      return Point3{static_cast<int32_t>(std::lround(u.x)), static_cast<int32_t>(std::lround(u.y)),
                    static_cast<int32_t>(std::lround(u.z))};
    };
    for (const Scene::Triangle& t : scene.triangles) {
      const auto plane = planeThrough(snap(t.vertices[0]), snap(t.vertices[1]), snap(t.vertices[2]));
      if (!plane) continue;
      planes.insert(*plane);
      planes.insert(plane->opposite());
    }
    for (FaceId f = 0; f < grown.mesh.faceCount(); ++f) {
      const HalfSpace& plane = grown.mesh.plane(f);
      EXPECT_TRUE(plane.axisAligned() || planes.contains(plane)) << "seed " << seed << " face " << f;
    }
    for (GatewayId g = 0; g < grown.mesh.gatewayCount(); ++g) {
      const VolumeGateway& gateway = grown.mesh.gateway(g);
      EXPECT_EQ(gateway.slanted, !grown.mesh.plane(gateway.faceA).axisAligned());
    }
  }
}

// The free volume against bodies of known volume; points against the bodies themselves.
TEST(GrowVolumes, PointsLieInOneVolumeIfTheyAreFree) {
  Random random(77);
  SceneBuilder builder;
  builder.floor(0, 0, 10, 10, 0);
  struct Solid {
    Vec3 low;
    Vec3 high;
  };
  std::vector<Solid> boxes;
  for (int i = 0; i < 12; ++i) {
    const Vec3 low{random.real(0, 8), random.real(0, 8), random.real(0, 2)};
    boxes.push_back({low, {low.x + random.real(0.2, 2), low.y + random.real(0.2, 2), low.z + random.real(0.2, 2)}});
    builder.box(boxes.back().low, boxes.back().high);
  }
  const GrownVolumes grown = grownFrom(builder.finish());
  const VolumeLocator locator(grown.mesh);
  for (int i = 0; i < 5000; ++i) {
    const Vec3 p{random.real(0, 10), random.real(0, 10), random.real(0, 5)};
    bool solid = false;
    bool near = false;  // within rounding of a side
    for (const Solid& box : boxes) {
      const double inside = std::min(
          {p.x - box.low.x, box.high.x - p.x, p.y - box.low.y, box.high.y - p.y, p.z - box.low.z, box.high.z - p.z});
      solid = solid || inside > 0;
      near = near || std::abs(inside) < 1e-3;
    }
    if (near) continue;
    EXPECT_EQ(locator.locateAll(p).size(), solid ? 0U : 1U) << p.x << " " << p.y << " " << p.z;
  }
}

TEST(GrowVolumes, MadeScenesAreFilledAlsoWhenTurned) {
  for (const char* kind : {"s01", "s02", "s05", "s11", "s14", "s20"}) {
    for (const double turn : {0.0, 17.0}) {
      const auto made = makeScene({.kind = kind, .parameters = {{"turn", turn}}});
      ASSERT_TRUE(made.ok()) << kind;
      SCOPED_TRACE(std::string(kind) + " turned by " + std::to_string(turn));
      const auto grown = growVolumes(made->scene);
      if (!grown.ok()) {
        EXPECT_EQ(grown.error().code, ErrorCode::kLimit) << grown.error().message;
        continue;
      }
      EXPECT_TRUE(checkVolumes(grown->mesh, 1).empty());
    }
  }
}

TEST(GrowVolumes, SpotsOnTheFloorAreInVolumes) {
  for (const char* kind : {"s02", "s05", "s09", "s15"}) {
    const auto made = makeScene({.kind = kind});
    ASSERT_TRUE(made.ok());
    const GrownVolumes grown = grownFrom(made->scene);
    const VolumeLocator locator(grown.mesh);
    for (const SceneSpot& spot : made->truth.spots) {
      EXPECT_NE(locator.locate({spot.position.x, spot.position.y, spot.position.z + 0.01}), kNone)
          << kind << " " << spot.name;
    }
  }
}

TEST(GrowVolumes, TheProjectionIsTheWalkableFloor) {
  const Scene scene = stairWithRamp();
  const GrownVolumes grown = grownFrom(scene);
  ExtractSettings settings;
  const auto projected = projectVolumes(grown.mesh, settings);
  ASSERT_TRUE(projected.ok()) << projected.error().message;
  const auto direct = extract(scene, settings);
  ASSERT_TRUE(direct.ok());
  const auto area = [](const Environment& e) { return e.lattice.area(topology(e).doubledArea); };
  EXPECT_NEAR(area(projected->environment), area(direct->environment), 0.01);
  EXPECT_EQ(topology(projected->environment).components, topology(direct->environment).components);
}

TEST(GrowVolumes, VolumesStandOnOneClassOnly) {
  SceneBuilder builder;
  builder.label("road");
  builder.floor(0, 0, 6, 10, 0);
  builder.label("grass");
  builder.floor(6, 0, 10, 10, 0);
  builder.label("wall");
  builder.box({2, 4, 0}, {3, 6, 2});
  GrowthSettings settings;
  settings.classes = {{"drive", {"road"}}, {"walk", {"grass"}}};
  settings.below = 0.5;  // the floor is a plate with free space under it
  const GrownVolumes grown = grownFrom(builder.finish(), settings);
  const VolumeMesh& mesh = grown.mesh;
  bool drive = false;
  bool walk = false;
  for (const StandingPlace& place : standingPlaces(mesh)) {
    if (std::abs(place.centre.z) > 1e-6) continue;
    const Vec3 low = mesh.low(place.cell);
    const Vec3 high = mesh.high(place.cell);
    EXPECT_TRUE(high.x <= 6 + 1e-9 || low.x >= 6 - 1e-9) << low.x << " to " << high.x;
    const std::string& name = mesh.info().labels[mesh.label(place.cell)];
    EXPECT_EQ(name, high.x <= 6 + 1e-9 ? "drive" : "walk");
    (name == "drive" ? drive : walk) = true;
  }
  EXPECT_TRUE(drive && walk);
  settings.classes = {{"drive", {"asphalt"}}};
  EXPECT_EQ(growVolumes(stairWithRamp(), settings).error().code, ErrorCode::kInvalidSettings);
}

TEST(GrowVolumes, BodiesInsideOutAreTurned) {
  SceneBuilder builder;
  builder.floor(0, 0, 10, 10, 0);
  builder.box({4, 4, 0}, {6, 6, 1});
  Scene scene = builder.finish();
  const double right = grownFrom(scene).mesh.info().freeVolume->cubicMetres;
  for (size_t i = 2; i < scene.triangles.size(); ++i)
    std::swap(scene.triangles[i].vertices[1], scene.triangles[i].vertices[2]);
  GrownVolumes grown = grownFrom(scene);
  EXPECT_EQ(grown.report.reorientedBodies, 1U);
  EXPECT_DOUBLE_EQ(grown.mesh.info().freeVolume->cubicMetres, right);
  // Only one triangle the wrong way.
  std::swap(scene.triangles[5].vertices[1], scene.triangles[5].vertices[2]);
  grown = grownFrom(scene);
  EXPECT_EQ(grown.report.reorientedBodies, 1U);
  EXPECT_DOUBLE_EQ(grown.mesh.info().freeVolume->cubicMetres, right);
}

TEST(GrowVolumes, OpenBodiesArePlates) {
  SceneBuilder builder;
  builder.floor(0, 0, 10, 10, 0);
  builder.box({4, 4, 0}, {6, 6, 1});
  Scene scene = builder.finish();
  scene.triangles.pop_back();  // a hole in the box
  const GrownVolumes grown = grownFrom(scene);
  EXPECT_EQ(grown.report.closedBodies, 0U);
  EXPECT_EQ(grown.report.openTriangles, scene.triangles.size());
  EXPECT_NE(VolumeLocator(grown.mesh).locate({5, 5, 0.5}), kNone);  // hollow
}

TEST(GrowVolumes, OverlappingBodiesAreOne) {
  SceneBuilder builder;
  builder.floor(0, 0, 10, 10, 0);
  builder.box({2, 2, 0}, {5, 5, 2});
  builder.box({4, 4, 0}, {7, 7, 1});
  builder.box({3, 3, 1}, {4, 4, 2});  // inside the first
  const GrownVolumes grown = grownFrom(builder.finish());
  EXPECT_NEAR(grown.mesh.info().freeVolume->cubicMetres, 10 * 10 * 4.5 - (18 + 9 - 1), 1e-6);
}

TEST(GrowVolumes, ConcaveBodiesAreCut) {
  // An upright prism over an L, and a ring (a body with a hole).
  SceneBuilder builder;
  const std::vector<SceneBuilder::Rect> hole{{4, 4, 6, 6}};
  builder.slab({2, 2, 8, 8}, hole, 0, 1);
  const Scene ring = builder.finish();
  const GrownVolumes grown = grownFrom(ring);
  EXPECT_EQ(grown.report.closedBodies, 1U);
  EXPECT_GT(grown.report.obstaclePieces, 1U);
  EXPECT_NEAR(grown.mesh.info().freeVolume->cubicMetres, 36 * 3.5 - 32, 1e-6);
  EXPECT_NE(VolumeLocator(grown.mesh).locate({5, 5, 0.5}), kNone);
}

TEST(GrowVolumes, BadInputIsOneSentence) {
  const auto sentence = [](const Scene& scene, GrowthSettings settings, ErrorCode code) {
    const auto grown = growVolumes(scene, settings);
    ASSERT_FALSE(grown.ok());
    EXPECT_EQ(grown.error().code, code) << grown.error().message;
    EXPECT_FALSE(grown.error().message.empty());
  };
  Scene scene = stairWithRamp();
  sentence({}, {}, ErrorCode::kEmpty);
  Scene broken = scene;
  broken.vertices[0].x = std::nan("");
  sentence(broken, {}, ErrorCode::kInvalidGeometry);
  broken = scene;
  broken.vertices[0].z = std::numeric_limits<double>::infinity();
  sentence(broken, {}, ErrorCode::kInvalidGeometry);
  broken = scene;
  broken.triangles[0].vertices[1] = 100000;
  sentence(broken, {}, ErrorCode::kInvalidGeometry);
  broken = scene;
  broken.vertices[0].x = 9e7;
  sentence(broken, {}, ErrorCode::kOutsideLattice);
  GrowthSettings settings;
  settings.maxTriangles = 3;
  sentence(scene, settings, ErrorCode::kLimit);
  settings = {};
  settings.maxPieces = 2;
  sentence(scene, settings, ErrorCode::kLimit);
  settings = {};
  settings.step = 0;
  sentence(scene, settings, ErrorCode::kInvalidSettings);
  settings = {};
  settings.unit = 1e-6;
  broken = scene;
  broken.vertices[0].x = 50;
  sentence(broken, settings, ErrorCode::kOutsideLattice);
  // A solid block fills its own bounds.
  SceneBuilder builder;
  builder.box({0, 0, 0}, {1, 1, 1});
  settings = {};
  settings.above = 0;
  sentence(builder.finish(), settings, ErrorCode::kEmpty);
}

TEST(GrowVolumes, SameBytesForAnyNumberOfThreads) {
  const Scene scene = test::randomScene(14, 6).scene;
  Context one;
  one.threads = 1;
  Context many;
  many.threads = 4;
  EXPECT_EQ(hash(growVolumes(scene, {}, one)->mesh), hash(growVolumes(scene, {}, many)->mesh));
}

TEST(GrowVolumes, WavefrontFillsTheSameSpaceInJumps) {
  GrowthSettings wavefront;
  wavefront.method = GrowthMethod::kWavefront;
  GrowthSettings small;
  small.step = 0.05;
  size_t moves = 0;
  size_t jumps = 0;
  for (const uint64_t seed : {2, 5, 9}) {
    const Scene scene = test::randomScene(seed, 5).scene;
    const GrownVolumes turns = grownFrom(scene, small);
    const GrownVolumes events = grownFrom(scene, wavefront);
    EXPECT_EQ(*turns.mesh.info().freeVolume, *events.mesh.info().freeVolume);
    moves += turns.report.moves / turns.report.seeds;
    jumps += events.report.moves / events.report.seeds;
  }
  EXPECT_LT(jumps, moves);  // per volume
}

TEST(GrowVolumes, SeedPointsComeFirstAndCancelStops) {
  GrowthSettings settings;
  settings.seeds = {{1, 1, 1}, {-50, 0, 0}};
  const GrownVolumes grown = grownFrom(stairWithRamp(), settings);
  EXPECT_LE(grown.mesh.cellCount(), 6U);
  Context context;
  context.cancel();
  EXPECT_EQ(growVolumes(stairWithRamp(), {}, context).error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace wend
