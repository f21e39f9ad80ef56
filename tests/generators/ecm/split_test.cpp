#include <cmath>

#include <wend/generate.h>
#include <wend/make.h>

#include <gtest/gtest.h>

#include "generators/ecm/medial_axis.h"
#include "generators/ecm/split_edges.h"
#include "tests/environment/hand_made.h"
#include "tests/generators/ecm/laws.h"
#include "tests/generators/random_worlds.h"

namespace wend::ecm {
namespace {

double distanceTo(std::span<const Connection> connections, Vec2 p) {
  double best = 1e300;
  for (const Connection& connection : connections) {
    for (size_t i = 0; i + 1 < connection.line.size(); ++i) {
      const Vec2 a = toVec2(connection.line[i]);
      const Vec2 b = toVec2(connection.line[i + 1]);
      const double squared = (b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y);
      const double t = std::clamp(((p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y)) / squared, 0.0, 1.0);
      best = std::min(best, distance(p, {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)}));
    }
  }
  return best;
}

double lengthOf(const CorridorMap& map) {
  double sum = 0;
  for (const auto& edge : map.edges) sum += edge.length;
  return sum;
}

// Returns the number of splits.
size_t expectSplit(const Environment& environment) {
  const auto built = buildCorridorMap(environment);
  EXPECT_TRUE(built.ok()) << (built.ok() ? "" : built.error().message);
  if (!built.ok()) return 0;
  const CorridorMap& whole = *built;
  const CorridorMap map = splitEdges(whole, environment);
  expectConsistent(map, 1e-6);
  const size_t splits = map.vertices.size() - whole.vertices.size();
  EXPECT_EQ(map.edges.size(), whole.edges.size() + splits);
  EXPECT_GE(map.bendingPoints.size(), whole.bendingPoints.size() + splits);
  EXPECT_LE(map.bendingPoints.size(), whole.bendingPoints.size() + 2 * splits);
  EXPECT_NEAR(lengthOf(map), lengthOf(whole), 1e-9 * lengthOf(whole));
  EXPECT_LT(std::abs(areaError(map, environment)), 1e-9);
  for (const auto& edge : map.edges) {
    for (uint32_t i = edge.first; i < edge.first + edge.count; ++i) {
      EXPECT_EQ(map.bendingPoints[i].layer, map.bendingPoints[edge.first].layer);
    }
  }
  for (size_t v = 0; v < map.vertices.size(); ++v) {
    const auto& vertex = map.vertices[v];
    if (v < whole.vertices.size()) {
      EXPECT_EQ(vertex.p, whole.vertices[v].p);
      EXPECT_EQ(vertex.degree, whole.vertices[v].degree);
      continue;
    }
    EXPECT_EQ(vertex.degree, 2U);
    // Splits move to bending points close by.
    EXPECT_LT(distanceTo(environment.connections, vertex.p), 0.05);
    const auto& before = map.edges[map.out[vertex.firstOut + 1] / 2];
    const auto& after = map.edges[map.out[vertex.firstOut] / 2];
    EXPECT_NE(map.bendingPoints[before.first].layer, map.bendingPoints[after.first].layer);
  }
  // The axis passes through every connection: in a split, or in a vertex that is there anyway.
  for (const Connection& connection : environment.connections) {
    EXPECT_TRUE(std::any_of(map.vertices.begin(), map.vertices.end(), [&](const auto& vertex) {
      return distanceTo({&connection, 1}, vertex.p) < 0.05;
    }));
  }
  return splits;
}

TEST(EcmSplit, WithoutConnectionsNothingChanges) {
  const Environment environment = oneLayer({{box(0, 0, 20, 10), {}}});
  const CorridorMap map = *buildCorridorMap(environment);
  EXPECT_EQ(splitEdges(map, environment), map);
}

TEST(EcmSplit, ACorridorCutAcross) {
  const Environment environment = twoLayers(box(0, 0, 1000, 2000), box(0, 2000, 1000, 5000), {{1000, 2000}, {0, 2000}});
  EXPECT_EQ(expectSplit(environment), 1U);
  const CorridorMap map = splitEdges(*buildCorridorMap(environment), environment);
  EXPECT_EQ(countsOf(map), (MapCounts{7, 6, 12}));
  EXPECT_EQ(map.vertices.back().p, (Vec2{500, 2000}));
  EXPECT_EQ(map.vertices.back().clearance, 500);
  EXPECT_EQ(map.vertices.back().layer, 0U);
}

// The axis runs along the connection: one layer.
TEST(EcmSplit, AnAxisAlongTheConnectionHasOneLayer) {
  const Environment environment = twoLayers(box(0, 0, 4000, 500), box(0, 500, 4000, 1000), {{4000, 500}, {0, 500}});
  EXPECT_LE(expectSplit(environment), 2U);
}

// A door in a wall: arcs of both corners, parabolas among them, cross it.
TEST(EcmSplit, ADoor) {
  Ring below = box(0, 0, 10000, 4000);
  below = {{0, 0}, {10000, 0}, {10000, 4000}, {6000, 4000}, {3000, 4000}, {0, 4000}};
  Ring above{{3000, 4000}, {6000, 4000}, {12000, 4000}, {12000, 9000}, {-2000, 9000}, {-2000, 4000}};
  EXPECT_EQ(expectSplit(twoLayers(below, above, {{6000, 4000}, {3000, 4000}})), 1U);
}

TEST(EcmSplit, MadeWorlds) {
  for (const char* kind :
       {"two-floor-ramp", "ramps", "library", "spiral", "overlap-side", "sliced-ramp", "neogen1", "station", "tower"}) {
    SCOPED_TRACE(kind);
    const auto world = makeEnvironment({kind, {}, 1, {}});
    ASSERT_TRUE(world.ok()) << world.error().message;
    expectSplit(*world);
  }
}

TEST(EcmSplit, RandomLayers) {
  size_t splits = 0;
  for (uint64_t seed = 0; seed < 150 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    const Environment world = anyWorld(seed);
    if (topology(world).components > 0) splits += expectSplit(world);
  }
  EXPECT_GT(splits, 100U);
}

TEST(EcmSplit, IsAnOptionOfTheGenerator) {
  const auto world = makeEnvironment({"ramps", {}, 1, {}});
  ASSERT_TRUE(world.ok());
  const auto whole = wend::generate(*world, {"ecm", {}, 1});
  const auto split = wend::generate(*world, {"ecm", {{"split", "on"}}, 1});
  ASSERT_TRUE(whole.ok() && split.ok());
  EXPECT_EQ(wend::generate(*world, {"ecm", {{"split", "perhaps"}}, 1}).error().code, ErrorCode::kInvalidSettings);
  EXPECT_NE(whole->info().settingsHash, split->info().settingsHash);
  EXPECT_EQ(split->corridorMap()->vertices.size() - split->corridorMap()->edges.size(),
            whole->corridorMap()->vertices.size() - whole->corridorMap()->edges.size());
  EXPECT_GT(split->corridorMap()->edges.size(), whole->corridorMap()->edges.size());
  for (const MeshFault& fault : checkMesh(*split, &*world, 3)) {
    ADD_FAILURE() << faultName(fault.kind) << ": " << fault.message;
  }
}

}  // namespace
}  // namespace wend::ecm
