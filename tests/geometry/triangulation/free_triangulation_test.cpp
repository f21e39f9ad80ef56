#include <array>
#include <map>

#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/area.h"
#include "geometry/triangulation/triangulation.h"
#include "tests/geometry/triangulation/triangulation_laws.h"

namespace wend {
namespace {

using Lines = std::vector<std::vector<Point>>;

Int128 areaOf(const FreeTriangulation& t) {
  Int128 sum = 0;
  for (const auto& triangle : t.triangles) {
    sum += cross(t.points[triangle.v[0]], t.points[triangle.v[1]], t.points[triangle.v[2]]);
  }
  return sum;
}

size_t portalsOf(const FreeTriangulation& t) {
  size_t sides = 0;
  for (const auto& triangle : t.triangles) {
    for (const uint32_t n : triangle.n) sides += n != kNone;
  }
  return sides / 2;
}

FreeTriangulation build(const std::vector<Polygon>& polygons, const Lines& extra = {}) {
  Result<FreeTriangulation> result = triangulateFree(polygons, extra);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
  if (!result.ok()) return {};
  EXPECT_EQ(findTriangleFault(result->points, result->triangles), "");
  EXPECT_TRUE(areaOf(*result) == doubledArea(polygons));
  return std::move(result).value();
}

std::string errorOf(const std::vector<Polygon>& polygons, const Lines& extra = {}) {
  const auto result = triangulateFree(polygons, extra);
  if (result.ok()) return "none";
  EXPECT_EQ(result.error().code, ErrorCode::kInvalidGeometry);
  return result.error().message;
}

Ring box(int32_t x, int32_t y, int32_t width, int32_t height) {
  return {{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}};
}

Ring reversed(Ring ring) {
  std::reverse(ring.begin(), ring.end());
  return ring;
}

TEST(TriangulateFree, NothingFromNothing) {
  EXPECT_TRUE(build({}).triangles.empty());
  EXPECT_TRUE(build({}, {{{0, 0}, {5, 5}, {9, 0}}}).triangles.empty());
}

TEST(TriangulateFree, FiveBodiesWithNineteenVerticesInABox) {
  const Polygon world{box(0, 0, 1000, 1000),
                      {reversed(box(100, 100, 100, 150)), reversed({{400, 120}, {520, 160}, {430, 260}}),
                       reversed(box(700, 130, 90, 80)), reversed({{150, 500}, {260, 480}, {300, 640}, {170, 700}}),
                       reversed({{600, 600}, {800, 560}, {760, 810}, {640, 790}})}};
  ASSERT_EQ(vertexCount(world), 23U);
  const FreeTriangulation t = build({world});
  EXPECT_EQ(t.triangles.size(), 31U);  // n + 2h - 2C
  EXPECT_EQ(portalsOf(t), 23U + 15U - 3U);
}

TEST(TriangulateFree, LoopsTouchingInAVertex) {
  // A hole whose corner touches the outer ring is no hole of the interior: one walk visits the vertex twice.
  const Polygon pinched{{{0, 0}, {50, 0}, {20, 60}, {80, 60}, {50, 0}, {100, 0}, {100, 100}, {0, 100}}, {}};
  EXPECT_EQ(build({pinched}).triangles.size(), 6U);  // n - 2, the double vertex counted twice

  // Two holes that touch in a corner are one hole of the interior, walked around at once.
  const Polygon holes{box(0, 0, 100, 100), {{{50, 50}, {30, 40}, {30, 60}, {50, 50}, {70, 60}, {70, 40}}}};
  EXPECT_EQ(build({holes}).triangles.size(), 4U + 6U + 2U - 2U);
}

TEST(TriangulateFree, WallsWithoutThicknessSeparate) {
  const Polygon slit{{{0, 0}, {100, 0}, {50, 40}, {20, 60}, {50, 40}, {100, 0}, {100, 100}, {0, 100}}, {}};
  const FreeTriangulation t = build({slit});
  EXPECT_EQ(t.triangles.size(), 6U);
  EXPECT_EQ(portalsOf(t), 5U);
  EXPECT_EQ(build({{box(0, 0, 100, 100), {{{20, 20}, {70, 30}}}}}).triangles.size(), 4U + 2U + 2U - 2U);
}

TEST(TriangulateFree, TwoRoomsSharingAWallStayApart) {
  const FreeTriangulation t = build({{box(0, 0, 10, 10), {}}, {box(10, 0, 10, 10), {}}});
  EXPECT_EQ(t.triangles.size(), 4U);
  EXPECT_EQ(portalsOf(t), 2U);
}

TEST(TriangulateFree, SharedWallsInParts) {
  // The long wall of the first is divided by corners of the others.
  const FreeTriangulation t = build({{box(0, 0, 10, 30), {}}, {box(10, 5, 10, 10), {}}, {box(10, 15, 10, 10), {}}});
  EXPECT_EQ(t.triangles.size(), 5U + 2U + 2U);
}

TEST(TriangulateFree, IslandInsideAHole) {
  const FreeTriangulation t =
      build({{box(0, 0, 100, 100), {reversed(box(20, 20, 60, 60))}}, {box(40, 40, 10, 10), {}}});
  EXPECT_EQ(t.triangles.size(), 8U + 2U);
  // Filling its hole exactly.
  build({{box(0, 0, 100, 100), {reversed(box(20, 20, 60, 60))}}, {box(20, 20, 60, 60), {}}});
}

TEST(TriangulateFree, ExtraLinesAreFixedButPassable) {
  const FreeTriangulation t = build({{box(0, 0, 100, 100), {}}}, {{{0, 0}, {40, 30}, {60, 30}, {100, 100}}});
  size_t passable = 0;
  for (const auto& triangle : t.triangles) {
    for (int i = 0; i < 3; ++i) passable += triangle.isFixed(i) && triangle.n[static_cast<size_t>(i)] != kNone;
  }
  EXPECT_EQ(passable, 6U);
  EXPECT_EQ(t.triangles.size(), 4U + 2U * 2U - 2U);
  EXPECT_EQ(portalsOf(t), 4U + 3U * 2U - 3U);
}

TEST(TriangulateFree, ExtraLineOnTheBoundaryOpensNothing) {
  const FreeTriangulation t =
      build({{box(0, 0, 10, 10), {}}, {box(10, 0, 10, 10), {}}}, {{{10, 0}, {10, 5}, {10, 10}}, {{3, 0}, {7, 0}}});
  for (const auto& triangle : t.triangles) {
    for (size_t i = 0; i < 3; ++i) {
      if (triangle.isFixed(static_cast<int>(i))) {
        EXPECT_EQ(triangle.n[i], kNone);
      }
    }
  }
}

TEST(TriangulateFree, InvalidPolygonsAreErrorsWithAPlace) {
  const Ring square = box(0, 0, 100, 100);
  EXPECT_NE(errorOf({{reversed(square), {}}}).find("clockwise"), std::string::npos);
  EXPECT_NE(errorOf({{square, {}}, {square, {}}}).find("overlapping"), std::string::npos);
  EXPECT_NE(errorOf({{square, {}}, {box(20, 20, 10, 10), {}}}).find("overlapping"), std::string::npos);
  EXPECT_NE(errorOf({{square, {box(20, 20, 10, 10)}}}).find("wrongly turned"), std::string::npos);
  EXPECT_NE(errorOf({{square, {}}, {box(50, 50, 100, 100), {}}}).find("crosses"), std::string::npos);
  EXPECT_NE(errorOf({{square, {}}}, {{{-50, 50}, {50, 50}}}).find("the inner line"), std::string::npos);
  EXPECT_NE(errorOf({{{{0, 0}, {5, 5}}, {}}}).find("no area"), std::string::npos);
  EXPECT_NE(errorOf({{{{0, 0}, {50, 50}}, {}}, {box(200, 0, 9, 9), {}}}), "none");
  // A bow tie: half of it is wrongly turned.
  EXPECT_NE(errorOf({{{{0, 0}, {10, 10}, {10, 0}, {0, 10}}, {}}}), "none");
}

TEST(TriangulateFree, LatticeIsChecked) {
  const auto result = triangulateFree(
      std::vector<Polygon>{{box(0, 0, kMaxCoordinate, kMaxCoordinate), {}}, {box(kMaxCoordinate, 0, 1, 1), {}}});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kOutsideLattice);
}

// --- Worlds of coloured squares: every component of a colour is a polygon, so there are shared walls, nested rooms and
// --- vertices visited twice in all combinations.

struct Squares {
  int32_t size;
  std::vector<int> component;  // -1 = blocked
  int components = 0;
  int at(int32_t x, int32_t y) const {
    return x < 0 || y < 0 || x >= size || y >= size ? -1 : component[static_cast<size_t>(y * size + x)];
  }
};

Squares randomSquares(Random& random) {
  Squares squares;
  squares.size = static_cast<int32_t>(random.between(1, 7));
  const size_t count = static_cast<size_t>(squares.size * squares.size);
  std::vector<int> colour(count);
  const uint64_t colours = random.between(2, 4);
  for (int& c : colour) c = static_cast<int>(random.below(colours)) - 1;
  squares.component.assign(count, -1);
  for (size_t seed = 0; seed < count; ++seed) {
    if (colour[seed] < 0 || squares.component[seed] >= 0) continue;
    const int id = squares.components++;
    std::vector<size_t> stack{seed};
    squares.component[seed] = id;
    while (!stack.empty()) {
      const int32_t x = static_cast<int32_t>(stack.back()) % squares.size;
      const int32_t y = static_cast<int32_t>(stack.back()) / squares.size;
      stack.pop_back();
      for (const auto& [dx, dy] : std::array<std::pair<int32_t, int32_t>, 4>{{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}}) {
        const int32_t nx = x + dx;
        const int32_t ny = y + dy;
        if (nx < 0 || ny < 0 || nx >= squares.size || ny >= squares.size) continue;
        const size_t n = static_cast<size_t>(ny * squares.size + nx);
        if (colour[n] != colour[seed] || squares.component[n] >= 0) continue;
        squares.component[n] = id;
        stack.push_back(n);
      }
    }
  }
  return squares;
}

// Walks along the boundary of a component, interior on the left, turning left where it can.
Polygon trace(const Squares& squares, int component) {
  constexpr std::array<Point, 4> kDirections{{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};
  const auto isWall = [&](Point p, int d) {
    const std::array<Point, 4> left{{{p.x, p.y}, {p.x - 1, p.y}, {p.x - 1, p.y - 1}, {p.x, p.y - 1}}};
    const Point l = left[static_cast<size_t>(d)];
    const Point r = left[static_cast<size_t>((d + 3) % 4)];
    return squares.at(l.x, l.y) == component && squares.at(r.x, r.y) != component;
  };
  std::set<std::pair<Point, int>> done;
  Polygon polygon;
  for (int32_t x = 0; x <= squares.size; ++x) {
    for (int32_t y = 0; y <= squares.size; ++y) {
      for (int d = 0; d < 4; ++d) {
        Ring ring;
        Point p{x, y};
        int at = d;
        while (isWall(p, at) && done.emplace(p, at).second) {
          ring.push_back(p);
          p = {p.x + kDirections[static_cast<size_t>(at)].x, p.y + kDirections[static_cast<size_t>(at)].y};
          for (const int turn : {1, 0, 3}) {
            if (isWall(p, (at + turn) % 4)) {
              at = (at + turn) % 4;
              break;
            }
          }
        }
        if (ring.empty()) continue;
        if (doubledArea(ring) > 0) {
          polygon.outer = ring;
        } else {
          polygon.holes.push_back(ring);
        }
      }
    }
  }
  return polygon;
}

Ring withoutCollinear(const Ring& ring) {
  Ring result;
  for (size_t i = 0; i < ring.size(); ++i) {
    const Point before = ring[(i + ring.size() - 1) % ring.size()];
    if (orient(before, ring[i], ring[(i + 1) % ring.size()]) != 0) result.push_back(ring[i]);
  }
  return result;
}

TEST(TriangulateFreeProperty, ColouredSquares) {
  for (uint64_t seed = 0; seed < 5000; ++seed) {
    Random random(seed, 11);
    const Squares squares = randomSquares(random);
    std::vector<Polygon> polygons;
    size_t expected = 0;
    // Sheared, so that not every face is a square; the determinant stays positive.
    const int32_t shear = static_cast<int32_t>(random.between(-1, 1));
    const int32_t scale = static_cast<int32_t>(random.between(1, 3));
    for (int c = 0; c < squares.components; ++c) {
      Polygon polygon = trace(squares, c);
      const auto map = [&](Ring& ring) {
        for (Point& p : ring) p = {3 * p.x + shear * p.y, scale * p.y};
      };
      map(polygon.outer);
      for (Ring& hole : polygon.holes) map(hole);
      expected += vertexCount(polygon) + 2 * polygon.holes.size() - 2;
      polygons.push_back(polygon);
    }
    const auto result = triangulateFree(polygons);
    ASSERT_TRUE(result.ok()) << "seed " << seed << ": " << result.error().message;
    ASSERT_EQ(findTriangleFault(result->points, result->triangles), "") << "seed " << seed;
    ASSERT_TRUE(areaOf(*result) == doubledArea(polygons)) << "seed " << seed;
    ASSERT_EQ(result->triangles.size(), expected) << "seed " << seed;

    // The same polygons without their collinear vertices: walls are then shared in parts.
    std::vector<Polygon> reduced = polygons;
    for (Polygon& polygon : reduced) {
      polygon.outer = withoutCollinear(polygon.outer);
      for (Ring& hole : polygon.holes) hole = withoutCollinear(hole);
    }
    random.shuffle(reduced);
    const auto second = triangulateFree(reduced);
    ASSERT_TRUE(second.ok()) << "seed " << seed << ": " << second.error().message;
    ASSERT_TRUE(areaOf(*second) == doubledArea(polygons)) << "seed " << seed;
    // Triangles lie in one polygon each, and neighbours in the same one.
    for (Polygon& polygon : reduced) {
      for (Point& p : polygon.outer) p = {3 * p.x, 3 * p.y};
      for (Ring& hole : polygon.holes) {
        for (Point& p : hole) p = {3 * p.x, 3 * p.y};
      }
    }
    std::vector<size_t> home;
    for (const auto& t : second->triangles) {
      Point centre{0, 0};
      for (const uint32_t v : t.v) centre = {centre.x + second->points[v].x, centre.y + second->points[v].y};
      size_t at = 0;
      while (at < reduced.size() && locate(reduced[at], centre) != Side::kInside) ++at;
      ASSERT_LT(at, reduced.size()) << "seed " << seed;
      home.push_back(at);
    }
    for (size_t t = 0; t < home.size(); ++t) {
      for (const uint32_t n : second->triangles[t].n) {
        if (n != kNone) {
          ASSERT_EQ(home[n], home[t]) << "seed " << seed;
        }
      }
    }
  }
}

TEST(TriangulateFreeProperty, ADamagedWorldIsAnErrorOrRight) {
  // One vertex of a valid world moves: whatever comes out is either an error or triangles that obey the laws.
  size_t errors = 0;
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    Random random(seed, 12);
    const Squares squares = randomSquares(random);
    if (squares.components == 0) continue;
    std::vector<Polygon> polygons;
    for (int c = 0; c < squares.components; ++c) polygons.push_back(trace(squares, c));
    Ring& ring = polygons[random.below(polygons.size())].outer;
    ring[random.below(ring.size())] = {static_cast<int32_t>(random.between(-2, 9)),
                                       static_cast<int32_t>(random.between(-2, 9))};
    const auto result = triangulateFree(polygons);
    if (!result.ok()) {
      ASSERT_EQ(result.error().code, ErrorCode::kInvalidGeometry);
      ++errors;
      continue;
    }
    ASSERT_EQ(findTriangleFault(result->points, result->triangles), "") << "seed " << seed;
    ASSERT_TRUE(areaOf(*result) == doubledArea(polygons)) << "seed " << seed;
  }
  EXPECT_GT(errors, 1000U);
}

}  // namespace
}  // namespace wend
