#include "generators/neogen/area_of_interest.h"

#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "geometry/predicates.h"
#include "tests/generators/random_worlds.h"

// The walk over triangles against looking at every vertex and every wall.
namespace wend::neogen {
namespace {

using Half = Subdivision::Half;

Subdivision piece(const Ring& ring) {
  const auto triangulation = triangulateFree(std::vector<Polygon>{{ring, {}}});
  EXPECT_TRUE(triangulation.ok());
  std::vector<uint32_t> ids(triangulation->triangles.size());
  std::iota(ids.begin(), ids.end(), 0U);
  return {*triangulation, ids, ids};
}

// Of a polygon's vertex.
Point onLattice(Vec2 p) {
  return {static_cast<int32_t>(p.x), static_cast<int32_t>(p.y)};
}

// Vertices in the area that nothing hides, portals included.
std::set<uint32_t> visibleByTrial(const Subdivision& subdivision, Half corner) {
  const Vec2 v = subdivision.start(corner);
  std::set<uint32_t> visible;
  for (uint32_t w = 0; w < subdivision.vertexCount(); ++w) {
    const Vec2 p = subdivision.point(w);
    if (p == v || w == subdivision.target(corner) || w == subdivision.origin(subdivision.before(corner))) continue;
    bool clear = subdivision.inAreaOfInterest(corner, p);
    for (Half h = 0; h < subdivision.halfCount() && clear; ++h) {
      if (subdivision.isFree(h)) continue;
      clear = meet(onLattice(v), onLattice(p), onLattice(subdivision.start(h)), onLattice(subdivision.end(h))) !=
              Meeting::kCross;
    }
    for (uint32_t u = 0; u < subdivision.vertexCount() && clear; ++u) {
      clear = u == w || subdivision.point(u) == v ||
              !onSegment(onLattice(v), onLattice(p), onLattice(subdivision.point(u)));
    }
    if (clear) visible.insert(w);
  }
  return visible;
}

void expectSameSight(const Subdivision& subdivision) {
  AreaOfInterest query(subdivision);
  for (uint32_t v = 0; v < subdivision.vertexCount(); ++v) {
    const Half corner = subdivision.notchCorner(v);
    if (corner == kNone) continue;
    const std::set<uint32_t> expected = visibleByTrial(subdivision, corner);
    std::set<uint32_t> found;
    double reached = 0;
    query.start(corner);
    while (const auto sight = query.next()) {
      EXPECT_GE(sight->square, reached * (1 - 1e-12));
      reached = sight->square;
      if (sight->kind == Sight::Kind::kVertex) found.insert(sight->vertex);
      if (sight->kind != Sight::Kind::kWall) continue;
      const auto p = query.pointOn(*sight);
      if (!p) continue;
      const Vec2 from = subdivision.start(sight->edge);
      const Vec2 to = subdivision.end(sight->edge);
      EXPECT_EQ(orient(from, to, *p), 0);
      EXPECT_TRUE(isBetween(from, *p, to));
      EXPECT_TRUE(subdivision.inAreaOfInterest(corner, *p));
    }
    EXPECT_EQ(found, expected) << "vertex " << v;
    const auto seen = query.vertices(corner, 1000000);
    EXPECT_EQ(std::set<uint32_t>(seen.begin(), seen.end()), expected) << "vertex " << v;
  }
}

TEST(NeogenAreaOfInterest, SeesWhatLookingAtEverythingSees) {
  for (uint64_t seed = 0; seed < 120; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    // Small extents make collinear vertices and limits that pass through vertices.
    const Ring ring = simplePolygon(random, static_cast<size_t>(random.between(5, 24)), seed % 3 == 0 ? 12 : 5000);
    Subdivision subdivision = piece(ring);
    expectSameSight(subdivision);
    // Again with some portals in the way.
    for (uint32_t v = 0; v < subdivision.vertexCount(); v += 2) {
      const Half corner = subdivision.notchCorner(v);
      if (corner == kNone) continue;
      const std::set<uint32_t> visible = visibleByTrial(subdivision, corner);
      if (!visible.empty()) {
        EXPECT_NE(subdivision.connect(corner, *visible.begin()), kNone);
      }
    }
    expectSameSight(subdivision);
    if (HasFailure()) return;
  }
}

TEST(NeogenAreaOfInterest, ChangesCanBeUndone) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    Subdivision subdivision = piece(simplePolygon(random, 20, 3000));
    const auto before = subdivision.loops();
    for (uint32_t v = 0; v < 20; ++v) {
      const Half corner = subdivision.notchCorner(v);
      if (corner == kNone) continue;
      for (const uint32_t w : visibleByTrial(subdivision, corner)) {
        const size_t flips = subdivision.flipCount();
        const Half made = subdivision.connect(corner, w);
        ASSERT_NE(made, kNone);
        EXPECT_EQ(subdivision.loops().count(), 2U);
        subdivision.disconnect(made, flips);
        ASSERT_EQ(subdivision.loops().points, before.points) << "seed " << seed;
      }
    }
  }
}

}  // namespace
}  // namespace wend::neogen
