#include <algorithm>
#include <string>
#include <vector>

#include <wend/environment.h>

#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/overlay.h"
#include "geometry/predicates.h"

// Flat worlds cut into layers and joined again must be what they were.
namespace wend {
namespace {

Environment builtAfresh(const EnvironmentDraft& draft) {
  Result<Environment> environment = buildEnvironment(draft);
  EXPECT_TRUE(environment.ok()) << environment.error().message;
  if (!environment.ok()) return {};
  for (const Violation& v : validate(*environment)) ADD_FAILURE() << v.message;
  return *environment;
}

// --- Squares on a grid ----------------------------------------------------------------------------------------------

// Each square belongs to a layer or to none; between squares of different layers a connection is drawn or not.
struct GridWorld {
  int32_t width = 0;
  int32_t height = 0;
  std::vector<int> layer;            // -1: blocked
  std::vector<bool> connectionEast;  // between a square and its eastern neighbour
  std::vector<bool> connectionNorth;

  size_t index(int32_t x, int32_t y) const {
    return static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x);
  }
  int at(int32_t x, int32_t y) const { return x < 0 || y < 0 || x >= width || y >= height ? -1 : layer[index(x, y)]; }
  bool openEast(int32_t x, int32_t y) const {
    const int a = at(x, y);
    const int b = at(x + 1, y);
    return a >= 0 && b >= 0 && (a == b || connectionEast[index(x, y)]);
  }
  bool openNorth(int32_t x, int32_t y) const {
    const int a = at(x, y);
    const int b = at(x, y + 1);
    return a >= 0 && b >= 0 && (a == b || connectionNorth[index(x, y)]);
  }
};

GridWorld randomGrid(Random& random, int layers, double blocked, double connections) {
  GridWorld world;
  world.width = static_cast<int32_t>(random.between(1, 7));
  world.height = static_cast<int32_t>(random.between(1, 7));
  const size_t squares = static_cast<size_t>(world.width) * static_cast<size_t>(world.height);
  for (size_t i = 0; i < squares; ++i) {
    world.layer.push_back(random.chance(blocked) ? -1 : static_cast<int>(random.below(static_cast<uint64_t>(layers))));
    world.connectionEast.push_back(random.chance(connections));
    world.connectionNorth.push_back(random.chance(connections));
  }
  return world;
}

EnvironmentDraft draftOf(const GridWorld& world, int layers, Random& random) {
  EnvironmentDraft draft;
  for (int i = 0; i < layers; ++i) draft.layers.emplace_back().id = 100 - i;
  const auto connection = [&](int a, int b, Vec2 p, Vec2 q) {
    if (random.chance(0.5)) std::swap(p, q);
    if (random.chance(0.5)) std::swap(a, b);
    draft.connections.push_back({100 - a, 100 - b, {p, q}});
  };
  for (int32_t y = 0; y < world.height; ++y) {
    for (int32_t x = 0; x < world.width; ++x) {
      const int a = world.at(x, y);
      if (a < 0) continue;
      const double x0 = x;
      const double y0 = y;
      draft.layers[static_cast<size_t>(a)].walkable.push_back(
          {{{x0, y0}, {x0 + 1, y0}, {x0 + 1, y0 + 1}, {x0, y0 + 1}}});
      if (world.openEast(x, y) && world.at(x + 1, y) != a)
        connection(a, world.at(x + 1, y), {x0 + 1, y0}, {x0 + 1, y0 + 1});
      if (world.openNorth(x, y) && world.at(x, y + 1) != a)
        connection(a, world.at(x, y + 1), {x0, y0 + 1}, {x0 + 1, y0 + 1});
    }
  }
  random.shuffle(draft.connections);
  return draft;
}

// The slow obvious version: paint squares, open sides and open corners on a grid of twice the size, and flood it.
// Free space is joined over sides, what is closed over corners too. A flat region has as many holes as there are
// closed parts that it surrounds.
Topology flooded(const GridWorld& world) {
  const int32_t width = 2 * world.width + 3;
  const int32_t height = 2 * world.height + 3;
  std::vector<int> paint(static_cast<size_t>(width) * static_cast<size_t>(height), 0);  // 1 = free, then visited
  const auto cell = [&](int32_t x, int32_t y) -> int& { return paint[static_cast<size_t>(y * width + x)]; };
  Topology result;
  for (int32_t y = 0; y < world.height; ++y) {
    for (int32_t x = 0; x < world.width; ++x) {
      if (world.at(x, y) < 0) continue;
      result.doubledArea.low += 2;
      cell(2 * x + 2, 2 * y + 2) = 1;
      if (world.openEast(x, y)) cell(2 * x + 3, 2 * y + 2) = 1;
      if (world.openNorth(x, y)) cell(2 * x + 2, 2 * y + 3) = 1;
      if (world.openEast(x, y) && world.openNorth(x, y) && world.openEast(x, y + 1) && world.openNorth(x + 1, y)) {
        cell(2 * x + 3, 2 * y + 3) = 1;
      }
    }
  }
  uint32_t closed = 0;
  for (int32_t y = 0; y < height; ++y) {
    for (int32_t x = 0; x < width; ++x) {
      const int kind = cell(x, y);
      if (kind > 1) continue;
      ++(kind == 1 ? result.components : closed);
      std::vector<std::pair<int32_t, int32_t>> stack{{x, y}};
      cell(x, y) = 2;
      while (!stack.empty()) {
        const auto [cx, cy] = stack.back();
        stack.pop_back();
        for (int32_t dy = -1; dy <= 1; ++dy) {
          for (int32_t dx = -1; dx <= 1; ++dx) {
            const int32_t nx = cx + dx;
            const int32_t ny = cy + dy;
            if (nx < 0 || ny < 0 || nx >= width || ny >= height || cell(nx, ny) != kind) continue;
            if (kind == 1 && dx != 0 && dy != 0) continue;
            cell(nx, ny) = 2;
            stack.emplace_back(nx, ny);
          }
        }
      }
    }
  }
  result.boundaries = result.components + closed - 1;
  return result;
}

void checkGrid(uint64_t seed, int layers, double blocked, double connections) {
  Random random(seed);
  const GridWorld world = randomGrid(random, layers, blocked, connections);
  Topology expected = flooded(world);
  if (expected.components == 0) return;
  EnvironmentDraft draft = draftOf(world, layers, random);
  const Environment environment = builtAfresh(draft);
  expected.doubledArea.low *= 100'000'000;
  const Topology found = topology(environment);
  EXPECT_EQ(found.components, expected.components) << "seed " << seed;
  EXPECT_EQ(found.boundaries, expected.boundaries) << "seed " << seed;
  EXPECT_EQ(found.genus, 0U) << "seed " << seed;
  EXPECT_TRUE(found.doubledArea == expected.doubledArea) << "seed " << seed;
  EXPECT_EQ(builtAfresh(wend::draftOf(environment)), environment) << "seed " << seed;
}

TEST(CutWorldsTest, GridsWithAllConnectionsOpen) {
  for (uint64_t seed = 0; seed < 400; ++seed) checkGrid(seed, 1 + static_cast<int>(seed % 4), 0.2, 1.0);
}

TEST(CutWorldsTest, GridsWithSomeConnectionsClosed) {
  for (uint64_t seed = 0; seed < 400; ++seed) checkGrid(1000 + seed, 2 + static_cast<int>(seed % 3), 0.1, 0.7);
}

TEST(CutWorldsTest, GridsWithoutObstacles) {
  for (uint64_t seed = 0; seed < 100; ++seed) checkGrid(2000 + seed, 2 + static_cast<int>(seed % 3), 0.0, 1.0);
}

// --- Any polygons, any straight cut ---------------------------------------------------------------------------------

std::vector<Polygon> randomWorld(Random& random) {
  std::vector<Shape> shapes;
  const auto point = [&](int64_t x, int64_t y, int64_t size) {
    return Point{static_cast<int32_t>(x + random.between(-size, size)),
                 static_cast<int32_t>(y + random.between(-size, size))};
  };
  const size_t count = 2 + random.below(12);
  for (size_t i = 0; i < count; ++i) {
    Shape& shape = shapes.emplace_back();
    shape.group = i < 3 ? 0 : static_cast<uint32_t>(random.below(2));
    const int64_t size = shape.group == 0 ? 60'000 : 20'000;
    const int64_t x = random.between(-40'000, 40'000);
    const int64_t y = random.between(-40'000, 40'000);
    Ring& ring = shape.loops.emplace_back();
    const size_t corners = 3 + random.below(4);
    for (size_t c = 0; c < corners; ++c) ring.push_back(point(x, y, size));
  }
  Result<std::vector<Polygon>> free = overlay(shapes, [](uint32_t groups) { return groups == 1; });
  EXPECT_TRUE(free.ok());
  return free.ok() ? *free : std::vector<Polygon>{};
}

// Edges of the polygons that lie on the line through p and q.
std::vector<std::pair<Point, Point>> edgesOn(const std::vector<Polygon>& polygons, Point p, Point q) {
  std::vector<std::pair<Point, Point>> edges;
  const auto add = [&](const Ring& ring) {
    for (size_t i = 0; i < ring.size(); ++i) {
      const Point a = ring[i];
      const Point b = ring[(i + 1) % ring.size()];
      if (orient(p, q, a) == 0 && orient(p, q, b) == 0) edges.emplace_back(a, b);
    }
  };
  for (const Polygon& polygon : polygons) {
    add(polygon.outer);
    for (const Ring& ring : polygon.holes) add(ring);
  }
  return edges;
}

void checkCut(uint64_t seed) {
  Random random(seed);
  const std::vector<Polygon> world = randomWorld(random);
  if (world.empty()) return;
  // An upright cut stays on the lattice wherever it is crossed, so that the parts meet exactly.
  const auto x = static_cast<int32_t>(random.between(-50'000, 50'000));
  constexpr int32_t kFar = 1'000'000;
  const std::vector<Polygon> west{{{{-kFar, -kFar}, {x, -kFar}, {x, kFar}, {-kFar, kFar}}, {}}};
  const std::vector<Polygon> east{{{{x, -kFar}, {kFar, -kFar}, {kFar, kFar}, {x, kFar}}, {}}};
  const auto left = intersect(world, west);
  const auto right = intersect(world, east);
  ASSERT_TRUE(left.ok() && right.ok());
  const auto whole = unite(*left, *right);
  ASSERT_TRUE(whole.ok());

  Environment uncut;
  uncut.layers.emplace_back().free = *whole;
  Environment cut;
  cut.layers.resize(2);
  cut.layers[0].free = *left;
  cut.layers[1].id = 1;
  cut.layers[1].free = *right;
  EnvironmentDraft draft = draftOf(cut);
  auto opposite = edgesOn(*right, {x, -kFar}, {x, kFar});
  for (auto& [a, b] : opposite) std::swap(a, b);
  for (const auto& edge : edgesOn(*left, {x, -kFar}, {x, kFar})) {
    if (std::find(opposite.begin(), opposite.end(), edge) == opposite.end()) continue;
    draft.connections.push_back({0, 1, {cut.lattice.toMetres(edge.first), cut.lattice.toMetres(edge.second)}});
  }
  random.shuffle(draft.connections);
  const Topology found = topology(builtAfresh(draft));
  const Topology expected = topology(uncut);
  EXPECT_EQ(found.components, expected.components) << "seed " << seed;
  EXPECT_EQ(found.boundaries, expected.boundaries) << "seed " << seed;
  EXPECT_EQ(found.genus, 0U) << "seed " << seed;
  EXPECT_TRUE(found.doubledArea == expected.doubledArea) << "seed " << seed;
}

TEST(CutWorldsTest, RandomPolygonsCutInTwo) {
  for (uint64_t seed = 0; seed < 400; ++seed) checkCut(seed);
}

TEST(CutWorldsTest, ResultDoesNotDependOnThreads) {
  Random random(8);
  for (int round = 0; round < 20; ++round) {
    const GridWorld world = randomGrid(random, 4, 0.2, 0.8);
    if (flooded(world).components == 0) continue;
    const EnvironmentDraft draft = draftOf(world, 4, random);
    Context one;
    one.threads = 1;
    Context four;
    four.threads = 4;
    const Result<Environment> a = buildEnvironment(draft, one);
    const Result<Environment> b = buildEnvironment(draft, four);
    ASSERT_TRUE(a.ok() && b.ok());
    EXPECT_EQ(*a, *b);
  }
}

}  // namespace
}  // namespace wend
