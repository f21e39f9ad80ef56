#include <algorithm>
#include <cmath>
#include <fstream>

#include <gtest/gtest.h>

#include "geometry/area.h"
#include "geometry/overlay.h"
#include "geometry/polygon_check.h"
#include "geometry/triangulation/triangulation.h"
#include "tests/data.h"
#include "tests/geometry/triangulation/triangulation_laws.h"

// A hundred polygon sets on which triangulators have failed. Input is snapped first, so an entry is either valid on the
// lattice, and then has the expected number of triangles (less one per point that repeats its predecessor), or it is
// cleaned, and then the result obeys all laws.
namespace wend {
namespace {

struct Entry {
  std::string name;
  size_t triangles = 0;
  std::vector<std::vector<Vec2>> loops;
};

std::vector<Entry> readCorpus(const std::string& file) {
  std::ifstream in(file);
  std::vector<Entry> entries;
  Entry entry;
  double epsilon = 0;
  size_t loops = 0;
  while (in >> entry.name >> entry.triangles >> epsilon >> loops) {
    entry.loops.assign(loops, {});
    for (auto& loop : entry.loops) {
      size_t count = 0;
      in >> count;
      loop.resize(count);
      for (Vec2& p : loop) in >> p.x >> p.y;
    }
    entries.push_back(entry);
  }
  return entries;
}

// Removes points equal to the one before them; returns how many.
size_t dropRepeats(Ring& ring) {
  const size_t before = ring.size();
  ring.erase(std::unique(ring.begin(), ring.end()), ring.end());
  while (ring.size() > 1 && ring.front() == ring.back()) ring.pop_back();
  return before - ring.size();
}

bool isHuge(Vec2 p) {
  return !(std::abs(p.x) < 1e30) || !(std::abs(p.y) < 1e30);
}

// The finest unit that wend allows and that holds the finite part of the entry with room to spare: 1e-6 m for all but
// the largest.
Lattice latticeFor(const Entry& entry) {
  double extent = 0;
  for (const auto& loop : entry.loops) {
    for (const Vec2 p : loop) {
      if (!isHuge(p)) extent = std::max({extent, std::abs(p.x), std::abs(p.y)});
    }
  }
  return {std::max(1e-6, 2 * extent / kMaxCoordinate)};
}

// Counter-clockwise loops are outer rings; each clockwise one is a hole of the smallest that contains it.
std::vector<Polygon> assemble(const std::vector<Ring>& loops) {
  std::vector<Polygon> polygons;
  for (const Ring& loop : loops) {
    if (doubledArea(loop) > 0) polygons.push_back({loop, {}});
  }
  for (const Ring& loop : loops) {
    if (doubledArea(loop) > 0) continue;
    Polygon* home = nullptr;
    for (Polygon& polygon : polygons) {
      if (loop.empty() || locate(Polygon{polygon.outer, {}}, loop[0]) == Side::kOutside) continue;
      if (home == nullptr || doubledArea(polygon.outer) < doubledArea(home->outer)) home = &polygon;
    }
    if (home == nullptr) {
      polygons.push_back({loop, {}});  // a fault for the check to find
    } else {
      home->holes.push_back(loop);
    }
  }
  return polygons;
}

Int128 areaOf(const FreeTriangulation& t) {
  Int128 sum = 0;
  for (const auto& triangle : t.triangles) {
    sum += cross(t.points[triangle.v[0]], t.points[triangle.v[1]], t.points[triangle.v[2]]);
  }
  return sum;
}

// Vertices + 2 holes - 2 polygons: E2 for the plane.
size_t expectedTriangles(const std::vector<Polygon>& polygons) {
  size_t count = vertexCount(polygons);
  for (const Polygon& polygon : polygons) count += 2 * polygon.holes.size();
  return count - 2 * polygons.size();
}

void checkTriangles(const std::vector<Polygon>& polygons, size_t expected) {
  const auto result = triangulateFree(polygons);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(findTriangleFault(result->points, result->triangles), "");
  EXPECT_TRUE(areaOf(*result) == doubledArea(polygons));
  EXPECT_EQ(result->triangles.size(), expected);
}

TEST(PolygonCorpus, ValidOrCleaned) {
  const std::string file = dataFile("polygons/polygon_corpus.txt");
  if (file.empty()) GTEST_SKIP() << "skipped: no data";
  const std::vector<Entry> entries = readCorpus(file);
  ASSERT_EQ(entries.size(), 100U);
  size_t valid = 0;
  size_t cleaned = 0;
  size_t outside = 0;
  for (const Entry& entry : entries) {
    SCOPED_TRACE(entry.name);
    const Lattice lattice = latticeFor(entry);
    std::vector<Ring> loops;
    bool fits = true;
    for (const auto& loop : entry.loops) {
      Ring& ring = loops.emplace_back();
      for (const Vec2 p : loop) {
        const Result<Point> snapped = lattice.snap(p);
        if (snapped.ok()) {
          ring.push_back(*snapped);
        } else {
          EXPECT_TRUE(isHuge(p));
          EXPECT_EQ(snapped.error().code, ErrorCode::kOutsideLattice);
          fits = false;
        }
      }
    }
    if (!fits) {
      ++outside;
      continue;
    }
    // Each point less is a triangle less.
    size_t repeats = 0;
    for (Ring& ring : loops) repeats += dropRepeats(ring);
    const std::vector<Polygon> polygons = assemble(loops);
    if (findPolygonFaults(polygons).empty()) {
      ++valid;
      checkTriangles(polygons, entry.triangles - repeats);
      continue;
    }
    ++cleaned;
    // Not valid: a typed error, or at least right triangles.
    const auto direct = triangulateFree(polygons);
    if (direct.ok()) {
      EXPECT_EQ(findTriangleFault(direct->points, direct->triangles), "");
      EXPECT_TRUE(areaOf(*direct) == doubledArea(polygons));
    } else {
      EXPECT_EQ(direct.error().code, ErrorCode::kInvalidGeometry);
    }
    const auto clean = overlay(std::vector<Shape>{{0, loops}}, [](uint32_t groups) { return groups != 0; });
    ASSERT_TRUE(clean.ok()) << clean.error().message;
    const std::vector<PolygonFault> faults = findPolygonFaults(*clean);
    ASSERT_TRUE(faults.empty()) << faults[0].message;
    checkTriangles(*clean, expectedTriangles(*clean));
  }
  EXPECT_EQ(outside, 2U);
  EXPECT_EQ(valid, 43U);
  EXPECT_EQ(cleaned, 55U);
}

}  // namespace
}  // namespace wend
