#include "geometry/solid/polyhedron.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/solid/box_grid.h"
#include "geometry/solid/volume_sum.h"

namespace wend {
namespace {

using Rational = boost::multiprecision::cpp_rational;

Point3 randomPoint(Random& random, int32_t reach) {
  return {static_cast<int32_t>(random.between(-reach, reach)), static_cast<int32_t>(random.between(-reach, reach)),
          static_cast<int32_t>(random.between(-reach, reach))};
}

HalfSpace randomPlane(Random& random, int32_t reach) {
  while (true) {
    const auto plane = planeThrough(randomPoint(random, reach), randomPoint(random, reach), randomPoint(random, reach));
    if (plane) return *plane;
  }
}

// The corner of three planes by Cramer's rule in fractions: the slow obvious way.
std::array<Rational, 3> slowCorner(const HalfSpace& p, const HalfSpace& q, const HalfSpace& r) {
  const auto det = [](std::array<std::array<Rational, 3>, 3> m) {
    return Rational(m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                    m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                    m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]));
  };
  std::array<std::array<Rational, 3>, 3> rows{{{p.a, p.b, p.c}, {q.a, q.b, q.c}, {r.a, r.b, r.c}}};
  const Rational all = det(rows);
  std::array<Rational, 3> corner;
  for (size_t column = 0; column < 3; ++column) {
    auto changed = rows;
    changed[0][column] = p.d;
    changed[1][column] = q.d;
    changed[2][column] = r.d;
    corner[column] = det(changed) / all;
  }
  return corner;
}

TEST(ExactVertex, SidesAgreeWithFractions) {
  Random random(5);
  // Small reaches make zeros frequent, the largest reach makes all numbers as long as they may be.
  for (const int32_t reach : {2, 6, 1000, kMaxVolumeCoordinate}) {
    for (int i = 0; i < 300; ++i) {
      const HalfSpace p = randomPlane(random, reach);
      const HalfSpace q = randomPlane(random, reach);
      const HalfSpace r = randomPlane(random, reach);
      const auto corner = meet(p, q, r);
      if (!corner) continue;
      const auto slow = slowCorner(p, q, r);
      // Predicates hold within the lattice only.
      const Rational limit = kMaxVolumeCoordinate;
      if (abs(slow[0]) > limit || abs(slow[1]) > limit || abs(slow[2]) > limit) continue;
      for (const HalfSpace& plane : {p, q, r}) ASSERT_EQ(side(plane, *corner), 0);
      const HalfSpace other = randomPlane(random, reach);
      const Rational value = slow[0] * other.a + slow[1] * other.b + slow[2] * other.c - other.d;
      ASSERT_EQ(side(other, *corner), value.sign());
      ASSERT_EQ(side(other.opposite(), *corner), -value.sign());
      for (int axis = 0; axis < 3; ++axis) {
        const Rational& x = slow[static_cast<size_t>(axis)];
        boost::multiprecision::cpp_int floor = numerator(x) / denominator(x);
        if (floor * denominator(x) > numerator(x)) --floor;
        ASSERT_EQ(floorOf(*corner, axis).value, static_cast<int32_t>(floor));
        ASSERT_EQ(floorOf(*corner, axis).exact, Rational(floor) == x);
        ASSERT_NEAR((*corner)[axis], static_cast<double>(x), 1e-9);
      }
    }
  }
}

TEST(ExactVertex, PlanesWithoutCommonPointHaveNone) {
  const HalfSpace x = axisPlane(0, 1, 3);
  EXPECT_FALSE(meet(x, x, axisPlane(1, 1, 0)));
  EXPECT_FALSE(meet(x, axisPlane(0, -1, 5), axisPlane(1, 1, 0)));
  EXPECT_FALSE(planeThrough({0, 0, 0}, {1, 1, 1}, {2, 2, 2}));
  EXPECT_FALSE(planeThrough({0, 0, 0}, {0, 0, 0}, {2, 2, 2}));
}

// A box cut by random planes.
Polyhedron randomSolid(Random& random, int cuts) {
  const Point3 low = randomPoint(random, 20);
  Polyhedron solid =
      makeBox({low,
               {low.x + 1 + static_cast<int32_t>(random.below(30)), low.y + 1 + static_cast<int32_t>(random.below(30)),
                low.z + 1 + static_cast<int32_t>(random.below(30))}});
  for (int i = 0; i < cuts; ++i) {
    Polyhedron next = solid;
    clip(next, randomPlane(random, 40));
    if (!next.empty()) solid = next;
  }
  return solid;
}

void expectSound(const Polyhedron& solid) {
  size_t edges = 0;
  for (const Polyhedron::Face& face : solid.faces) {
    ASSERT_GE(face.loop.size(), 3U);
    edges += face.loop.size();
    for (const uint32_t v : face.loop) ASSERT_EQ(side(face.plane, solid.vertices[v]), 0);
    ASSERT_TRUE(isWithin(solid, face.plane));
  }
  // Euler's relation for a convex body.
  ASSERT_EQ(edges % 2, 0U);
  ASSERT_EQ(solid.vertices.size() + solid.faces.size(), edges / 2 + 2);
  ASSERT_GT(volumeOf(solid), 0);
}

TEST(Polyhedron, HalvesAreSoundAndAddUpExactly) {
  Random random(11);
  for (int i = 0; i < 400; ++i) {
    const Polyhedron solid = randomSolid(random, i % 7);
    expectSound(solid);
    // Every third plane holds corners of the body itself.
    HalfSpace plane = randomPlane(random, 30);
    if (i % 3 == 0) plane = axisPlane(i % 2, 1, floorOf(solid.vertices.front(), i % 2).value);
    const Halves halves = split(solid, plane);
    VolumeSum whole;
    VolumeSum parts;
    whole.add(solid);
    if (!halves.inside.empty()) {
      expectSound(halves.inside);
      parts.add(halves.inside);
    }
    if (!halves.outside.empty()) {
      expectSound(halves.outside);
      parts.add(halves.outside);
    }
    EXPECT_TRUE(whole == parts) << i;
    EXPECT_NEAR(whole.cubicUnits(), parts.cubicUnits(), 1e-6 * whole.cubicUnits());
    EXPECT_FALSE(overlap(halves.inside, halves.outside));
    if (HasFatalFailure()) return;
  }
}

TEST(Polyhedron, CommonPartIsSymmetricAndDecidesOverlap) {
  Random random(23);
  int overlapping = 0;
  for (int i = 0; i < 1200; ++i) {
    const Polyhedron a = randomSolid(random, i % 4);
    const Polyhedron b = randomSolid(random, i % 5);
    const Polyhedron ab = common(a, b);
    const Polyhedron ba = common(b, a);
    ASSERT_EQ(ab.empty(), ba.empty());
    if (ab.empty()) continue;
    ++overlapping;
    VolumeSum first;
    VolumeSum second;
    first.add(ab);
    second.add(ba);
    EXPECT_TRUE(first == second) << i;
    const auto point = innerPoint(ab);
    EXPECT_TRUE(!point || (contains(a, *point) && contains(b, *point)));
  }
  EXPECT_GT(overlapping, 50);
}

TEST(Polyhedron, UnionOfHalvesIsTheWholeAgain) {
  Random random(31);
  for (int i = 0; i < 200; ++i) {
    const Polyhedron solid = randomSolid(random, i % 5);
    const Halves halves = split(solid, randomPlane(random, 25));
    if (halves.inside.empty() || halves.outside.empty()) continue;
    const Polyhedron joined = convexUnion(halves.inside, halves.outside);
    ASSERT_FALSE(joined.empty()) << i;
    VolumeSum before;
    VolumeSum after;
    before.add(solid);
    after.add(joined);
    EXPECT_TRUE(before == after);
    EXPECT_EQ(joined.faces.size(), solid.faces.size());
  }
}

TEST(Polyhedron, UnionsThatAreNotConvexAreRefused) {
  const Polyhedron wide = makeBox({{0, 0, 0}, {10, 10, 10}});
  EXPECT_TRUE(convexUnion(wide, makeBox({{10, 0, 0}, {20, 9, 10}})).empty());    // narrower
  EXPECT_TRUE(convexUnion(wide, makeBox({{11, 0, 0}, {20, 10, 10}})).empty());   // apart
  EXPECT_TRUE(convexUnion(wide, makeBox({{10, 10, 0}, {20, 20, 10}})).empty());  // in an edge only
  EXPECT_FALSE(convexUnion(wide, makeBox({{10, 0, 0}, {20, 10, 10}})).empty());
}

TEST(Polyhedron, BoxesThatTouchDoNotOverlap) {
  const Polyhedron a = makeBox({{0, 0, 0}, {10, 10, 10}});
  for (const Box3& box :
       {Box3{{10, 0, 0}, {20, 10, 10}}, Box3{{10, 10, 0}, {20, 20, 10}}, Box3{{10, 10, 10}, {20, 20, 20}}}) {
    EXPECT_FALSE(overlap(a, makeBox(box)));
  }
  EXPECT_TRUE(overlap(a, makeBox({{9, 9, 9}, {20, 20, 20}})));
  EXPECT_TRUE(makeBox({{0, 0, 0}, {0, 5, 5}}).empty());
}

TEST(BoxGrid, FindsWhatATestOfAllBoxesFinds) {
  Random random(3);
  const Box3 bounds{{-100, -100, -100}, {100, 100, 100}};
  BoxGrid grid(bounds, 200);
  std::vector<Box3> boxes;
  for (uint32_t i = 0; i < 200; ++i) {
    Box3 box;
    box.add(randomPoint(random, 100));
    box.add(randomPoint(random, 100));
    boxes.push_back(box);
    grid.add(i, box);
  }
  for (uint32_t i = 0; i < 200; i += 2) grid.remove(i, boxes[i]);
  for (int round = 0; round < 100; ++round) {
    Box3 query;
    query.add(randomPoint(random, 120));
    query.add(randomPoint(random, 120));
    std::set<uint32_t> found;
    grid.visit(query, [&](uint32_t id) { EXPECT_TRUE(found.insert(id).second); });
    for (uint32_t i = 0; i < 200; ++i) {
      const bool there = found.contains(i);
      EXPECT_TRUE(i % 2 == 1 || !there) << i;                             // removed
      EXPECT_TRUE(i % 2 == 0 || there || !boxes[i].touches(query)) << i;  // near
    }
  }
}

}  // namespace
}  // namespace wend
