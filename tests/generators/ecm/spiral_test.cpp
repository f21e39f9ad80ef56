#include <wend/environment.h>

#include <gtest/gtest.h>

#include "generators/ecm/open_zone.h"
#include "tests/generators/ecm/open_laws.h"
#include "tests/generators/ecm/open_oracle.h"
#include "tests/generators/layered_worlds.h"

// A ramp that comes back over its own start: where opening a connection in top view goes wrong.
namespace wend::ecm {
namespace {

constexpr double kMetre = 10000;  // lattice units

// The point of the map whose clearance, seen from its own layer, is off most: bending points and points inside arcs.
double worstClearance(const CorridorMap& map, const Environment& environment) {
  const SurfaceOracle oracle(environment);
  double worst = 0;
  for (const auto& point : map.bendingPoints) {
    if (oracle.isOnConnection(point.layer, point.p)) continue;
    worst = std::max(worst, std::abs(oracle.distance(point.layer, point.p) - point.clearance));
  }
  return worst;
}

TEST(EcmSpiral, IsRightOverItsOwnStart) {
  const auto world = buildEnvironment(spiralOverItsStart());
  ASSERT_TRUE(world.ok()) << world.error().message;
  Opened first;
  for (const OpeningMethod method : {OpeningMethod::kSafe, OpeningMethod::kSweep}) {
    for (const OpeningOrder order : {OpeningOrder::kEasiestFirst, OpeningOrder::kGiven, OpeningOrder::kReversed}) {
      Opened opened;
      ASSERT_EQ(openInto(opened, *world, {.method = method, .order = order}), "");
      EXPECT_LT(worstClearance(opened.map, *world), 1e-3);
      EXPECT_EQ(static_cast<int64_t>(opened.map.vertices.size()) - static_cast<int64_t>(opened.map.edges.size()),
                topology(*world).euler());
      if (first.map.empty()) first = opened;
      EXPECT_EQ(findDifference(opened.map, first.map, 1e-3), "");
    }
  }
}

// The zone of the platform's connection when everything else is open.
struct LastZone {
  std::vector<CorridorMap::Site> neighbours;
  Environment closed;
};
LastZone lastZone(const Environment& world) {
  LastZone last;
  last.closed = world;
  last.closed.connections.erase(last.closed.connections.begin());
  Opened opened;
  EXPECT_EQ(openInto(opened, last.closed), "");
  const std::vector<Point>& line = world.connections.front().line;
  uint32_t faces[2]{kNone, kNone};
  for (uint32_t s = 0; s < opened.diagram.sites.size(); ++s) {
    const Diagram::Site& site = opened.diagram.sites[s];
    if (site.removed || site.layer > 1) continue;
    const bool forwards = site.a == line.front() && site.b == line.back();
    if (forwards || (site.a == line.back() && site.b == line.front())) faces[site.layer] = s;
  }
  EXPECT_TRUE(faces[0] != kNone && faces[1] != kNone);
  if (faces[0] == kNone || faces[1] == kNone) return last;
  for (const uint32_t label : collectZone(opened.diagram, faces[0], faces[1]).labels) {
    const Diagram::Site& site = opened.diagram.sites[label];
    last.neighbours.push_back(
        {site.a, site.b, site.isPoint() ? CorridorMap::SiteKind::kPoint : CorridorMap::SiteKind::kSegment, site.layer});
  }
  return last;
}

// The simple opening takes the medial axis of all neighbours in top view for that of the zone. On the ramp it then
// keeps away from the obstacle on the floor below.
TEST(EcmSpiral, SimpleOpeningTakesTheObstacleBelow) {
  const auto world = buildEnvironment(spiralOverItsStart());
  ASSERT_TRUE(world.ok()) << world.error().message;
  const OpeningSettings last{.method = OpeningMethod::kSafe, .order = OpeningOrder::kReversed};
  Opened opened;
  ASSERT_EQ(openInto(opened, *world, last), "");
  EXPECT_EQ(opened.stats.swept, 1U);

  // Its safety test refuses.
  Opened refused;
  EXPECT_NE(openInto(refused, *world, {.method = OpeningMethod::kSimple, .order = last.order}), "");

  // And without that test it is wrong.
  const LastZone zone = lastZone(*world);
  const SurfaceOracle open(*world);
  const SurfaceOracle closed(zone.closed);
  size_t inZone = 0;
  size_t wrong = 0;
  double worst = 0;
  const CorridorMap::Site* taken = nullptr;
  for (double x = -19; x < 60; x += 1) {
    for (double y = 1; y < 30; y += 1) {
      const LayerId layer = y < 2 ? 1 : x < 19 ? 2 : 3;
      const Vec2 p{x * kMetre, y * kMetre};
      if (layer == 3 && x < 21) continue;
      const double truth = open.distance(layer, p);
      if (closed.distance(layer, p) > truth - 1) continue;  // not nearest to the connection: outside the zone
      ++inZone;
      double projected = 1e300;
      const CorridorMap::Site* nearest = nullptr;
      for (const auto& site : zone.neighbours) {
        const double d = distance(p, nearestOn(site, p));
        if (d >= projected) continue;
        projected = d;
        nearest = &site;
      }
      EXPECT_LT(projected, truth + 1e-3) << x << ", " << y;
      if (projected > truth - 1e-3) continue;
      ++wrong;
      if (truth - projected > worst) {
        worst = truth - projected;
        taken = nearest;
        EXPECT_NE(nearest->layer, layer);
      }
    }
  }
  EXPECT_GT(inZone, 500U);
  EXPECT_GT(wrong, inZone / 10);
  EXPECT_LT(wrong, inZone);
  EXPECT_GT(worst, 5 * kMetre);
  ASSERT_NE(taken, nullptr);
  EXPECT_EQ(taken->layer, 2U);
}

// Obstacles anywhere on the floor, the ramp and the platform.
TEST(EcmSpiral, RandomObstacles) {
  size_t swept = 0;
  size_t worlds = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed, 23);
    EnvironmentDraft draft = spiralOverItsStart();
    const auto bare = buildEnvironment(draft);
    ASSERT_TRUE(bare.ok());
    addTriangles(draft, *bare, random, 10);
    const auto world = buildEnvironment(draft);
    if (!world.ok()) continue;  // one of them covers a connection
    ++worlds;
    Opened opened;
    ASSERT_EQ(openInto(opened, *world, {.order = OpeningOrder::kReversed}), "");
    ASSERT_LT(worstClearance(opened.map, *world), 1e-3);
    swept += opened.stats.swept > 0 ? 1 : 0;
  }
  EXPECT_GT(worlds, 100U);
  EXPECT_GT(swept, 20U);
}

}  // namespace
}  // namespace wend::ecm
