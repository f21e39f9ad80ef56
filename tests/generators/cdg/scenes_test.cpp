#include <wend/extract.h>
#include <wend/make.h>
#include <wend/make_scene.h>
#include <wend/navigator.h>

#include <gtest/gtest.h>

#include "generators/cdg/cdg.h"
#include "geometry/vec2.h"
#include "planning/disk/disk_navigator.h"
#include "tests/environment/extract/hand_made.h"
#include "tests/generators/layered_worlds.h"

// Disks in worlds whose layers come back over themselves, and in extracted scenes.
namespace wend {
namespace {

// How far a place lies outside the free space of a layer, lattice units; all edges.
double outside(const Layer& layer, Vec2 p) {
  bool inside = false;
  double nearest = HUGE_VAL;
  const auto look = [&](const Ring& ring) {
    for (size_t i = 0; i < ring.size(); ++i) {
      const Vec2 a = toVec2(ring[i]);
      const Vec2 b = toVec2(ring[(i + 1) % ring.size()]);
      nearest = std::min(nearest, distanceToSegment(p, a, b));
      if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (b.x - a.x) * (p.y - a.y) / (b.y - a.y)) inside = !inside;
    }
  };
  for (const Polygon& polygon : layer.free) {
    look(polygon.outer);
    for (const Ring& hole : polygon.holes) look(hole);
  }
  return inside ? 0 : nearest;
}

// Cells do not overlap, and lie in their own layer but for less than a sample.
NavMesh expectDisks(const Environment& environment) {
  const auto mesh = cdg::generate(environment, {});
  EXPECT_TRUE(mesh.ok()) << (mesh.ok() ? "" : mesh.error().message);
  if (!mesh.ok()) return NavMesh();
  EXPECT_GT(mesh->cellCount(), 0U);
  for (const MeshFault& fault : checkMesh(*mesh, &environment, 3)) {
    ADD_FAILURE() << faultName(fault.kind) << ": " << fault.message;
  }
  const double sample = cdg::Settings().sample / environment.lattice.unit;
  for (CellId cell = 0; cell < mesh->cellCount(); ++cell) {
    const Layer& layer = environment.layers[mesh->layerOf(cell)];
    Vec2 middle{};
    for (SideId s = mesh->firstSide(cell); s < mesh->endSide(cell); ++s) {
      const Vec2 corner = mesh->vertex(mesh->startVertex(s));
      middle = middle + (1.0 / mesh->sideCount(cell)) * corner;
      if (s % 16 == 0) {
        EXPECT_LT(outside(layer, corner), sample);
      }
    }
    EXPECT_LT(outside(layer, middle), sample) << cell;
    if (::testing::Test::HasFailure()) break;
  }
  return *mesh;
}

Environment extracted(const Scene& scene, double degrees) {
  auto found = extract(testing::rotated(scene, degrees), {});
  EXPECT_TRUE(found.ok()) << (found.ok() ? "" : found.error().message);
  return found.ok() ? std::move(found->environment) : Environment();
}

// On a made spiral ramp of 3 m per turn, so many turns from its foot.
Vec3 onSpiral(double radius, double degrees, double turns) {
  const double angle = degrees * std::numbers::pi / 180 + 2 * std::numbers::pi * turns;
  return {radius * std::cos(angle), radius * std::sin(angle), 3 * turns};
}

// A layer's first and last connection lie a millimetre apart in top view, and other turns above and below.
TEST(CdgScenes, SpiralsOfAnySizeAtAnyAngle) {
  for (const double turns : {1.0, 2.0, 5.0}) {
    for (const double sides : {7.0, 32.0}) {
      for (const double inner : {1.0, 4.0}) {
        const auto made = makeScene({"spiral", {{"turns", turns}, {"sides", sides}, {"inner", inner}}, 1});
        ASSERT_TRUE(made.ok());
        for (const double degrees : {0.0, 17.0, 123.4, 270.0}) {
          SCOPED_TRACE(::testing::Message() << turns << " turns, " << sides << " sides, inner radius " << inner
                                            << " m, turned by " << degrees);
          const Environment environment = extracted(made->scene, degrees);
          const NavMesh mesh = expectDisks(environment);
          // From the bottom to the top over all turns: no shorter way.
          // Not at the very ends: disks do not cover their corners.
          const Vec3 foot = onSpiral(inner + 2, degrees, 1.0 / 12);
          const Vec3 top = onSpiral(inner + 2, degrees, turns - 1.0 / 12);
          PlanScratch scratch;
          Route route;
          const PathStatus status = DiskNavigator(mesh).plan({.from = foot, .to = top, .radius = 0.2}, scratch, route);
          // Around sharp bends neighbouring disks may miss each other.
          if (sides > 20) {
            EXPECT_EQ(statusName(status), std::string("found"));
          }
          if (status == PathStatus::kFound) {
            EXPECT_GT(route.length, 0.8 * turns * 2 * std::numbers::pi * inner);
          }
          if (HasFailure()) return;
        }
      }
    }
  }
}

TEST(CdgScenes, ARampOverItsOwnStart) {
  const auto world = buildEnvironment(spiralOverItsStart());
  ASSERT_TRUE(world.ok());
  expectDisks(*world);
  for (uint64_t seed = 0; seed < 20 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    if (const auto random = overlappingWorld(seed)) expectDisks(*random);
  }
}

TEST(CdgScenes, EverySmallScene) {
  for (const SceneKind& kind : sceneKinds()) {
    if (kind.name == "city-block" || kind.name == "stadium") continue;
    const auto made = makeScene({kind.name, {}, 1});
    ASSERT_TRUE(made.ok()) << kind.name;
    for (const double degrees : {0.0, 28.0, 211.7}) {
      SCOPED_TRACE(::testing::Message() << kind.name << " turned by " << degrees);
      expectDisks(extracted(made->scene, degrees));
      if (HasFailure()) return;
    }
  }
}

TEST(CdgScenes, AStadium) {
  expectDisks(extracted(makeScene({"stadium", {}, 1}).value().scene, 0));
}

// Three circles nearly have a point in common: the corner of one portal lies less than a micrometre beyond another.
TEST(CdgScenes, ACornerNearlyOnAPortal) {
  const auto world = makeEnvironment({"cross", {}, 1, {}});
  ASSERT_TRUE(world.ok());
  expectDisks(*world);
}

}  // namespace
}  // namespace wend
