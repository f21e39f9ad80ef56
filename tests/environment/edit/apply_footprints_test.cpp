#include "environment/edit/apply_footprints.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include <gtest/gtest.h>
#include <polyclipping/clipper.hpp>

#include "environment/edit/boundary_change.h"
#include "environment/edit/hot_pixels.h"
#include "environment/edit/next_environment.h"
#include "geometry/area.h"
#include "geometry/overlay.h"
#include "geometry/vec2.h"
#include "tests/environment/edit/random_edits.h"
#include "tests/environment/hand_made.h"

namespace wend {
namespace {

LiveBase liveBase(Environment environment) {
  return LiveBase(std::make_shared<const Environment>(std::move(environment)));
}

Environment applied(const LiveBase& base, const std::vector<Footprint>& footprints) {
  Result<EditedEnvironment> result = applyFootprints(base, footprints);
  EXPECT_TRUE(result.ok()) << result.error().message;
  if (!result.ok()) return {};
  for (const Violation& v : validate(result->environment, 3)) ADD_FAILURE() << v.message;
  return std::move(result->environment);
}

// --- The slow, obvious ways -----------------------------------------------------------------------------------------

bool isCovered(const std::vector<Footprint>& footprints, uint32_t layer, Vec2 p) {
  for (const Footprint& footprint : footprints) {
    if (footprint.layer != layer) continue;
    bool inside = false;
    for (const Ring& loop : footprint.loops) {
      for (size_t i = 0, j = loop.size() - 1; i < loop.size(); j = i++) {
        const Vec2 a = toVec2(loop[i]);
        const Vec2 b = toVec2(loop[j]);
        if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x) inside = !inside;
      }
    }
    if (inside) return true;
  }
  return false;
}

double distanceToLines(const Layer& layer, uint32_t index, const std::vector<Footprint>& footprints, Vec2 p) {
  double best = 1e18;
  const auto look = [&](const Ring& ring) {
    for (size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++) {
      best = std::min(best, distanceToSegment(p, toVec2(ring[i]), toVec2(ring[j])));
    }
  };
  for (const Polygon& polygon : layer.free) {
    look(polygon.outer);
    for (const Ring& hole : polygon.holes) look(hole);
  }
  for (const Footprint& footprint : footprints) {
    if (footprint.layer != index) continue;
    for (const Ring& loop : footprint.loops) look(loop);
  }
  return best;
}

// Lattice points that rounding cannot move a line across are free if and only if the base has them and no obstacle
// does.
void comparePoints(const Environment& base, const std::vector<Footprint>& footprints, const Environment& edited,
                   Random& random) {
  const Box box = boundingBox(base);
  for (uint32_t layer = 0; layer < base.layers.size(); ++layer) {
    for (int i = 0; i < 60; ++i) {
      const Point p{static_cast<int32_t>(random.between(box.min.x, box.max.x)),
                    static_cast<int32_t>(random.between(box.min.y, box.max.y))};
      if (distanceToLines(base.layers[layer], layer, footprints, toVec2(p)) < 1.5) continue;
      const bool wanted =
          locate(base.layers[layer].free, p) == Side::kInside && !isCovered(footprints, layer, toVec2(p));
      EXPECT_EQ(locate(edited.layers[layer].free, p) == Side::kInside, wanted)
          << "layer " << layer << " at " << p.x << ", " << p.y;
    }
  }
}

// Clipper's area, which shares no code with ours; each line moves by less than one unit.
void compareArea(const Environment& base, const std::vector<Footprint>& footprints, const Environment& edited) {
  for (uint32_t layer = 0; layer < base.layers.size(); ++layer) {
    const auto path = [](const Ring& ring) {
      ClipperLib::Path result;
      for (const Point p : ring) result.emplace_back(p.x, p.y);
      return result;
    };
    double length = 0;
    const auto measure = [&](const Ring& ring) {
      for (size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++)
        length += distance(toVec2(ring[i]), toVec2(ring[j]));
    };
    ClipperLib::Clipper clipper;
    for (const Polygon& polygon : base.layers[layer].free) {
      clipper.AddPath(path(polygon.outer), ClipperLib::ptSubject, true);
      measure(polygon.outer);
      for (const Ring& hole : polygon.holes) {
        clipper.AddPath(path(hole), ClipperLib::ptSubject, true);
        measure(hole);
      }
    }
    for (const Footprint& footprint : footprints) {
      if (footprint.layer != layer) continue;
      ClipperLib::Clipper one;
      for (const Ring& loop : footprint.loops) {
        one.AddPath(path(loop), ClipperLib::ptSubject, true);
        measure(loop);
      }
      ClipperLib::Paths filled;
      one.Execute(ClipperLib::ctUnion, filled, ClipperLib::pftEvenOdd);
      clipper.AddPaths(filled, ClipperLib::ptClip, true);
    }
    ClipperLib::Paths left;
    clipper.Execute(ClipperLib::ctDifference, left, ClipperLib::pftEvenOdd, ClipperLib::pftNonZero);
    double wanted = 0;
    for (const ClipperLib::Path& p : left) wanted += ClipperLib::Area(p);
    double found = 0;
    for (const Polygon& polygon : edited.layers[layer].free) {
      found += static_cast<double>(doubledArea(polygon.outer)) / 2;
      for (const Ring& hole : polygon.holes) found += static_cast<double>(doubledArea(hole)) / 2;
    }
    EXPECT_LE(std::abs(found - wanted), length) << "layer " << layer;
  }
}

// The same rounding, then all polygons of each layer at once instead of groups of rings.
void compareWhole(const LiveBase& base, const std::vector<Footprint>& footprints, const Environment& edited) {
  const RoutedSources routed = routeSources(base, footprints);
  for (uint32_t layer = 0; layer < edited.layers.size(); ++layer) {
    std::vector<Shape> shapes;
    for (uint32_t r = 0; r < base.boundary().rings().size(); ++r) {
      const Boundary::Ring& ring = base.boundary().rings()[r];
      if (ring.layer != layer) continue;
      if (ring.hole == 0) shapes.emplace_back();
      shapes.back().loops.push_back(routedRing(base, r, routed));
    }
    for (size_t f = 0; f < footprints.size(); ++f) {
      if (footprints[f].layer == layer) shapes.push_back({1, routed.loops[f]});
    }
    const auto whole = overlay(shapes, [](uint32_t groups) { return groups == 1; });
    ASSERT_TRUE(whole.ok());
    EXPECT_EQ(edited.layers[layer].free, *whole) << "layer " << layer;
  }
}

// A connection is open where both layers are free beside it.
void compareConnections(const Environment& base, const std::vector<Footprint>& footprints, const Environment& edited,
                        Random& random) {
  for (const Connection& c : base.connections) {
    for (int i = 0; i < 30; ++i) {
      const size_t k = random.below(c.line.size() - 1);
      const Vec2 p = between(toVec2(c.line[k]), toVec2(c.line[k + 1]), 0.05 + 0.9 * random.real());
      bool near = false;
      for (const Footprint& footprint : footprints) {
        for (const Ring& loop : footprint.loops) {
          for (size_t m = 0, n = loop.size() - 1; m < loop.size(); n = m++) {
            near = near || distanceToSegment(p, toVec2(loop[m]), toVec2(loop[n])) < 3;
          }
        }
      }
      if (near) continue;
      bool open = false;
      for (const Connection& now : edited.connections) {
        for (size_t m = 0; m + 1 < now.line.size(); ++m) {
          open = open || distanceToSegment(p, toVec2(now.line[m]), toVec2(now.line[m + 1])) < 1.5;
        }
      }
      const bool wanted = !isCovered(footprints, c.layerA, p) && !isCovered(footprints, c.layerB, p);
      EXPECT_EQ(open, wanted) << "at " << p.x << ", " << p.y;
    }
  }
}

// --- Random worlds --------------------------------------------------------------------------------------------------

void checkRandom(uint64_t seed, bool layered) {
  Random random(seed);
  const double degrees = random.chance(0.5) ? 17 : 0;
  // Coarse units make everything meet everything.
  const double units[] = {1e-4, 0.02, 0.1};
  const double unit = units[random.below(3)];
  const Environment environment = randomHall(random, layered, degrees, unit);
  if (environment.layers.empty()) return;
  const LiveBase base = liveBase(environment);
  std::vector<Footprint> footprints;
  const auto count = static_cast<int>(random.between(1, 8));
  for (int i = 0; i < count; ++i) footprints.push_back(randomFootprint(random, environment, degrees));
  const Result<EditedEnvironment> result = applyFootprints(base, footprints);
  if (!result.ok()) {
    EXPECT_EQ(result.error().code, ErrorCode::kEmpty) << result.error().message;
    return;
  }
  const Environment edited = applied(base, footprints);
  comparePoints(environment, footprints, edited, random);
  compareArea(environment, footprints, edited);
  compareWhole(base, footprints, edited);
  compareConnections(environment, footprints, edited, random);
  for (int i = 0; i < 3; ++i) {
    random.shuffle(footprints);
    const Result<EditedEnvironment> again = applyFootprints(base, footprints);
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(again->environment, edited);
    EXPECT_EQ(hash(again->environment), hash(edited));
  }
}

TEST(ApplyFootprints, AgreesWithSlowWaysOnRandomHalls) {
  for (uint64_t seed = 1; seed <= 300 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    checkRandom(seed, false);
  }
}

TEST(ApplyFootprints, AgreesWithSlowWaysOnTwoLayers) {
  for (uint64_t seed = 1; seed <= 300 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    checkRandom(seed, true);
  }
}

// From version to version, with what the version before knew, and from nothing: the same.
void checkVersions(uint64_t seed, bool layered) {
  Random random(seed);
  const double degrees = random.chance(0.5) ? 17 : 0;
  const double units[] = {1e-4, 0.02};
  const Environment environment = randomHall(random, layered, degrees, units[random.below(2)]);
  if (environment.layers.empty()) return;
  const LiveBase base = liveBase(environment);
  std::vector<SharedFootprint> present;
  CutClusters clusters;
  for (int i = 0; i < 12; ++i) {
    std::vector<SharedFootprint> next = present;
    if (!next.empty() && random.chance(0.4))
      next.erase(next.begin() + static_cast<ptrdiff_t>(random.below(next.size())));
    if (random.chance(0.8)) {
      next.push_back(std::make_shared<const Footprint>(randomFootprint(random, environment, degrees)));
    }
    const Result<EditedEnvironment> result = applyFootprints(base, next, clusters);
    std::vector<Footprint> plain;
    for (const SharedFootprint& footprint : next) plain.push_back(*footprint);
    const Result<EditedEnvironment> anew = applyFootprints(base, plain);
    ASSERT_EQ(result.ok(), anew.ok());
    if (!result.ok()) continue;
    ASSERT_EQ(result->environment, anew->environment) << "step " << i;
    present = next;
    clusters = result->clusters;
  }
}

// The next version from the one before, also where only holes differ from it: the same as from nothing. Returns how
// often that was so.
int checkNext(uint64_t seed, bool layered) {
  Random random(seed);
  const double degrees = random.chance(0.5) ? 17 : 0;
  const Environment environment = randomHall(random, layered, degrees, 1e-4);
  if (environment.layers.empty()) return 0;
  const LiveBase base = liveBase(environment);
  std::shared_ptr<const Environment> now = base.shared();
  std::vector<SharedFootprint> present;
  CutClusters clusters;
  std::vector<CutConnection> cut;
  int holes = 0;
  for (int i = 0; i < 12; ++i) {
    std::vector<SharedFootprint> next = present;
    if (!next.empty() && random.chance(0.5)) {
      next.erase(next.begin() + static_cast<ptrdiff_t>(random.below(next.size())));
    } else {
      next.push_back(std::make_shared<const Footprint>(randomFootprint(random, environment, degrees)));
    }
    Result<NextEnvironment> result = nextEnvironment(base, now, clusters, true, next, {});
    const Result<EditedEnvironment> anew = applyFootprints(base, next, {}, {});
    EXPECT_EQ(result.ok(), anew.ok());
    if (!result.ok() || !anew.ok()) continue;
    EXPECT_EQ(*result->environment, anew->environment) << "step " << i;
    if (!result->hasHolesOnly) cut = result->cut;
    EXPECT_EQ(cut, anew->cut) << "step " << i;
    const BoundaryChange change = changeBetween(base, clusters, result->clusters);
    const auto known = topologyAfter(topology(*now), *result->environment, change, result->hasHolesOnly);
    if (result->hasHolesOnly) {
      EXPECT_TRUE(known);
      ++holes;
    }
    if (known) {
      EXPECT_EQ(*known, topology(anew->environment)) << "step " << i;
    }
    now = result->environment;
    present = next;
    clusters = result->clusters;
  }
  return holes;
}

TEST(ApplyFootprints, TheNextVersionIsThatFromNothing) {
  int flat = 0;
  int layered = 0;
  for (uint64_t seed = 1; seed <= 60 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    flat += checkNext(seed, false);
    layered += checkNext(seed, true);
  }
  EXPECT_GT(flat, 100);
  EXPECT_GT(layered, 50);
}

TEST(ApplyFootprints, VersionsShareWhatDidNotChange) {
  for (uint64_t seed = 1; seed <= 150 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    checkVersions(seed, seed % 2 == 0);
  }
}

// --- By hand --------------------------------------------------------------------------------------------------------

TEST(ApplyFootprints, NothingGivesTheBase) {
  Environment environment = twoRooms();
  environment.truth = topology(environment);
  const LiveBase base = liveBase(environment);
  EXPECT_EQ(applied(base, {}), environment);
}

TEST(ApplyFootprints, ObstacleInFreeSpaceIsAHole) {
  const Environment environment = environmentOf({layerOf(0, {{box(0, 0, 100, 100), {hole(10, 10, 20, 20)}}})});
  const Environment edited = applied(liveBase(environment), {{0, {box(50, 50, 60, 60)}}});
  EXPECT_EQ(edited.layers[0].free,
            (std::vector<Polygon>{{box(0, 0, 100, 100), {hole(10, 10, 20, 20), hole(50, 50, 60, 60)}}}));
}

TEST(ApplyFootprints, ObstacleAcrossAHallSplitsIt) {
  const Environment environment =
      environmentOf({layerOf(0, {{box(0, 0, 100, 40), {hole(10, 10, 20, 20), hole(80, 10, 90, 20)}}})});
  const Environment edited = applied(liveBase(environment), {{0, {box(45, -10, 55, 50)}}});
  ASSERT_EQ(edited.layers[0].free.size(), 2u);
  EXPECT_EQ(edited.layers[0].free[0].holes, (std::vector<Ring>{hole(10, 10, 20, 20)}));
  EXPECT_EQ(edited.layers[0].free[1].holes, (std::vector<Ring>{hole(80, 10, 90, 20)}));
}

// Four walls around a pillar that none of them touches: the pillar belongs to the court, not to the hall.
TEST(ApplyFootprints, ACourtTakesThePillarInside) {
  const Environment environment = environmentOf({layerOf(0, {{box(0, 0, 1000, 1000), {hole(490, 490, 510, 510)}}})});
  const Environment edited = applied(liveBase(environment), {{0, {box(300, 300, 700, 310)}},
                                                             {0, {box(300, 690, 700, 700)}},
                                                             {0, {box(300, 300, 310, 700)}},
                                                             {0, {box(690, 300, 700, 700)}}});
  ASSERT_EQ(edited.layers[0].free.size(), 2u);
  EXPECT_EQ(edited.layers[0].free[0].holes.size(), 1u);
  EXPECT_EQ(edited.layers[0].free[1].outer, box(310, 310, 690, 690));
  EXPECT_EQ(edited.layers[0].free[1].holes, (std::vector<Ring>{hole(490, 490, 510, 510)}));
}

TEST(ApplyFootprints, ObstacleOverTheWorldIsAnError) {
  const Result<EditedEnvironment> all =
      applyFootprints(liveBase(environmentOf({layerOf(0, {{box(0, 0, 100, 100), {}}})})),
                      std::vector<Footprint>{{0, {box(-9, -9, 200, 200)}}});
  ASSERT_FALSE(all.ok());
  EXPECT_EQ(all.error().code, ErrorCode::kEmpty);
}

TEST(ApplyFootprints, DoorBetweenRoomsShutsTheConnection) {
  Environment environment = twoRooms();
  for (Layer& layer : environment.layers) {
    for (Point& p : layer.free[0].outer) p = {p.x * 100, p.y * 100};
  }
  for (Point& p : environment.connections[0].line) p = {p.x * 100, p.y * 100};
  const LiveBase base = liveBase(environment);
  const std::vector<Footprint> both{{0, {box(990, 390, 1010, 610)}}, {1, {box(990, 390, 1010, 610)}}};
  EXPECT_TRUE(applied(base, both).connections.empty());
  // One side is enough, and the other layer gets a wall.
  const Environment half = applied(base, {both[1]});
  EXPECT_TRUE(half.connections.empty());
  EXPECT_EQ(half.layers[0], environment.layers[0]);
  // A part of it stays open, in two pieces around an obstacle on the line.
  const Environment pieces = applied(base, {{0, {box(980, 480, 1020, 520)}}, {1, {box(980, 480, 1020, 520)}}});
  ASSERT_EQ(pieces.connections.size(), 2u);
  EXPECT_EQ(pieces.connections[0].line, (std::vector<Point>{{1000, 400}, {1000, 480}}));
  EXPECT_EQ(pieces.connections[1].line, (std::vector<Point>{{1000, 520}, {1000, 600}}));
  // An obstacle that touches the line in a point cuts it there.
  const Environment touched = applied(base, {{1, {{{1000, 500}, {1050, 480}, {1050, 520}}}}});
  ASSERT_EQ(touched.connections.size(), 2u);
  EXPECT_EQ(touched.connections[0].line, (std::vector<Point>{{1000, 400}, {1000, 500}}));
}

// A line around a whole platform that is cut stays one line through its first point.
TEST(ApplyFootprints, RoundConnectionIsCutAnywhere) {
  const LiveBase base = liveBase(platform());
  const Environment one = applied(base, {{1, {{{20, 14}, {18, 16}, {20, 18}}}}});
  ASSERT_EQ(one.connections.size(), 1u);
  EXPECT_EQ(one.connections[0].line.front(), (Point{20, 14}));
  EXPECT_EQ(one.connections[0].line.back(), (Point{20, 18}));
}

// An oblique wall that is cut tilts: the result is the same in any order, and the wall comes back exactly.
TEST(ApplyFootprints, ObliqueWallComesBackExactly) {
  const Ring room{{0, 0}, {100000, 33333}, {100000, 60000}, {0, 60000}};
  const Environment environment = environmentOf({layerOf(0, {{room, {}}})});
  const LiveBase base = liveBase(environment);
  const Footprint a{0, {{{20000, 1001}, {20007, 9000}, {19000, 9003}}}};
  const Footprint b{0, {{{70000, 20001}, {70013, 28000}, {69000, 28003}}}};
  const Environment both = applied(base, {a, b});
  EXPECT_EQ(both, applied(base, {b, a}));
  EXPECT_NE(both, applied(base, {a}));
  EXPECT_EQ(applied(base, {}), environment);
}

}  // namespace
}  // namespace wend
