#include <cmath>

#include <wend/metrics.h>

#include <gtest/gtest.h>

#include "base/random.h"
#include "metrics/hale_graph.h"
#include "metrics/hale_shape.h"
#include "tests/generators/random_worlds.h"
#include "tests/metrics/picture_world.h"

namespace wend {
namespace {

NavMesh meshOfHale(const std::vector<LooseCell>& cells) {
  return NavMesh(joinCells(cells));
}

// Loops in metres.
LooseCell cell(std::vector<Vec2> metres) {
  for (Vec2& p : metres) p = {p.x * 10000, p.y * 10000};
  return {0, metres};
}

ShapeMetrics shapeOf(const NavMesh& mesh, const Environment& world, const MeasureSettings& settings = {}) {
  const auto shape = measureHaleShape(mesh, world, settings);
  EXPECT_TRUE(shape.ok());
  return *shape;
}

TEST(Statistics, OfNothingAndOfAPopulation) {
  EXPECT_EQ(statisticsOf(std::span<const double>{}), Statistics{});
  const std::vector<double> two{0, 0, 0, 0, 0, 0, 0, 0, 1, 1};
  const Statistics s = statisticsOf(two);
  EXPECT_DOUBLE_EQ(s.mean, 0.2);
  EXPECT_DOUBLE_EQ(s.deviation, 0.4) << "the study's 0.20 (0.40)";
}

TEST(Shape, OneSquare) {
  const ShapeMetrics m = shapeOf(gridMesh({"."}), worldOf({"."}));
  EXPECT_EQ(m.area.mean, 1);
  EXPECT_EQ(m.areaGroups[1], 1U) << "[a, a d] holds a region of exactly one object";
  EXPECT_EQ(m.degreeGroups, (std::vector<uint64_t>{1})) << "a cell without neighbours is a red flag";
  EXPECT_EQ(m.homogeneity.mean, 0);
  EXPECT_EQ(m.commonVertices.mean, 1);
  EXPECT_EQ(m.minimumAngle.mean, 90);
  EXPECT_EQ(m.angleGroups[8], 1U);
  EXPECT_EQ(m.placement.mean, 1);
  EXPECT_EQ(m.efficiency, 1) << "four obstacle edges, four cell edges";
}

TEST(Shape, AreaGroups) {
  // Areas 0.5, 1, 1.5, 2, 30.
  const NavMesh mesh = meshOfHale({cell({{0, 0}, {1, 0}, {1, 0.5}, {0, 0.5}}), cell({{0, 1}, {1, 1}, {1, 2}, {0, 2}}),
                                   cell({{0, 3}, {1, 3}, {1, 4.5}, {0, 4.5}}), cell({{0, 5}, {1, 5}, {1, 7}, {0, 7}}),
                                   cell({{5, 0}, {8, 0}, {8, 10}, {5, 10}})});
  MeasureSettings settings;
  settings.areaGroups = 5;
  const ShapeMetrics m = shapeOf(mesh, worldOf({"."}), settings);
  EXPECT_EQ(m.areaGroups, (std::vector<uint64_t>{1, 1, 2, 0, 1}));
  EXPECT_DOUBLE_EQ(m.area.total, 35);
}

TEST(Shape, HomogeneityIsSigned) {
  const NavMesh mesh = meshOfHale({cell({{0, 0}, {3, 0}, {3, 1}, {0, 1}}), cell({{0, 2}, {1, 2}, {1, 5}, {0, 5}})});
  const ShapeMetrics m = shapeOf(mesh, worldOf({"."}));
  EXPECT_DOUBLE_EQ(m.homogeneity.mean, 0);
  EXPECT_DOUBLE_EQ(m.homogeneity.max, 2);
  EXPECT_DOUBLE_EQ(m.inhomogeneity.mean, 2);
  EXPECT_DOUBLE_EQ(m.quartiles[1], 0);
}

TEST(Shape, CommonVerticesLeaveStraightOnesOut) {
  // A long cell above two squares: the middle vertex on its straight side is a corner of the squares only.
  const NavMesh mesh = meshOfHale({cell({{0, 0}, {1, 0}, {1, 1}, {0, 1}}), cell({{1, 0}, {2, 0}, {2, 1}, {1, 1}}),
                                   cell({{0, 1}, {1, 1}, {2, 1}, {2, 2}, {0, 2}})});
  const ShapeMetrics m = shapeOf(mesh, worldOf({"..", ".."}));
  EXPECT_EQ(m.commonVertices.count, 8U);
  EXPECT_EQ(m.commonGroups, (std::vector<uint64_t>{4, 4}));
  EXPECT_DOUBLE_EQ(m.efficiency, 4.0 / 12);
  EXPECT_EQ(m.degreeGroups, (std::vector<uint64_t>{0, 0, 3}));
}

TEST(Shape, DegreeAsksForSharedLength) {
  const NavMesh mesh = meshOfHale({cell({{0, 0}, {1, 0}, {1, 1}, {0, 1}}), cell({{1, 0}, {2, 0}, {2, 1}, {1, 1}})});
  MeasureSettings settings;
  settings.adjacency = 1.5;
  EXPECT_EQ(shapeOf(mesh, worldOf({".."}), settings).degree.max, 0);
  settings.adjacency = 1;
  EXPECT_EQ(shapeOf(mesh, worldOf({".."}), settings).degree.min, 1);
}

TEST(Shape, MinimumAngles) {
  const NavMesh mesh = meshOfHale({cell({{0, 0}, {4, 0}, {0, 4}}), cell({{10, 0}, {11, 0}, {10.5, std::sqrt(3) / 2}}),
                                   cell({{20, 0}, {30, 0}, {30, 1}}), cell({{40, 0}, {43, 0}, {43, 3}, {41, 1}})});
  EXPECT_NEAR(minimumAngle(mesh, 0), 45, 1e-12);
  EXPECT_NEAR(minimumAngle(mesh, 1), 60, 1e-9);
  EXPECT_NEAR(minimumAngle(mesh, 2), std::atan(0.1) * 180 / M_PI, 1e-9);
  EXPECT_NEAR(minimumAngle(mesh, 3), 45, 1e-9) << "a corner that turns inwards is above 180 degrees";
}

// Boxes one by one: wholly inside if the corners are and no side passes through the open box.
uint64_t boxesByHand(const NavMesh& mesh, double side) {
  Vec2 low{1e18, 1e18}, high{-1e18, -1e18};
  for (SideId s = 0; s < mesh.sideCount(); ++s) {
    const Vec2 p = mesh.vertex(mesh.startVertex(s));
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  const Locator locator(mesh);
  uint64_t count = 0;
  for (double y = low.y; y + side <= high.y; y += side) {
    for (double x = low.x; x + side <= high.x; x += side) {
      bool inside = true;
      // Dense enough for the corners of these cells, which lie on a grid of 500 units.
      for (double v = y + 1; v < y + side && inside; v += 249) {
        for (double u = x + 1; u < x + side && inside; u += 249) {
          CellId found = kNone;
          inside = locator.locateAll({u, v}, 0, {&found, 1}) > 0;
        }
      }
      count += inside ? 1 : 0;
    }
  }
  return count;
}

TEST(Shape, BoxesInAnLAndInRandomStaircases) {
  const NavMesh ell = meshOfHale({cell({{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}, {0, 3}})});
  EXPECT_EQ(countBoxes(ell, 0, 10000), 5U);
  EXPECT_EQ(countBoxes(ell, 0, 20000), 0U);
  EXPECT_EQ(countBoxes(ell, 0, 5000), 20U);
  const NavMesh triangle = meshOfHale({cell({{0, 0}, {4, 0}, {0, 4}})});
  EXPECT_EQ(countBoxes(triangle, 0, 10000), 6U);
  // A U: the row through both arms has a gap.
  const NavMesh yoke = meshOfHale({cell({{0, 0}, {3, 0}, {3, 2}, {2, 2}, {2, 1}, {1, 1}, {1, 2}, {0, 2}})});
  EXPECT_EQ(countBoxes(yoke, 0, 10000), 5U);
  Random random(3);
  for (int round = 0; round < 40; ++round) {
    // Heights of columns, so the loop is simple.
    std::vector<Vec2> loop{{0, 0}};
    const auto columns = static_cast<int>(random.between(2, 6));
    loop.push_back({columns * 500.0, 0});
    for (int i = columns; i > 0; --i) {
      const double h = 500.0 * static_cast<double>(random.between(1, 6));
      loop.push_back({i * 500.0, h});
      loop.push_back({(i - 1) * 500.0, h});
    }
    // Equal neighbours leave repeated corners.
    loop.erase(std::unique(loop.begin(), loop.end()), loop.end());
    const NavMesh mesh = meshOfHale({{0, loop}});
    for (const double side : {500.0, 1000.0, 750.0}) {
      EXPECT_EQ(countBoxes(mesh, 0, side), boxesByHand(mesh, side)) << round << " " << side;
    }
  }
}

TEST(Shape, TinyObjectsAreALimitNotAHang) {
  MeasureSettings settings;
  settings.objectArea = 1e-4;
  const NavMesh mesh = meshOfHale({cell({{0, 0}, {100000, 0}, {100000, 100000}, {0, 100000}})});
  const auto shape = measureHaleShape(mesh, worldOf({"."}), settings);
  EXPECT_TRUE(shape.ok() || shape.error().code == ErrorCode::kLimit);
}

TEST(Graph, GridsAndPaths) {
  const GraphMetrics grid = measureHaleGraph(NavMesh(openGrid(7, 4)), 64, {});
  EXPECT_TRUE(grid.connected);
  EXPECT_EQ(grid.diameterAtLeast, 9U);
  EXPECT_EQ(grid.diameterAtMost, 9U);
  const GraphMetrics path = measureHaleGraph(gridMesh({"......"}), 8, {});
  EXPECT_EQ(path.diameterAtMost, 5U);
  EXPECT_DOUBLE_EQ(path.bottleneck, 1);
  EXPECT_DOUBLE_EQ(path.greedyFlow, 1);
  EXPECT_DOUBLE_EQ(path.maximumFlow, 1);
  const GraphMetrics two = measureHaleGraph(gridMesh({"..#...", "......"}), 64, {});
  EXPECT_TRUE(two.connected);
  const GraphMetrics apart = measureHaleGraph(gridMesh({"..#..."}), 64, {});
  EXPECT_FALSE(apart.connected);
  EXPECT_EQ(apart.diameterAtLeast, 2U);
  EXPECT_EQ(measureHaleGraph(NavMesh(joinCells({})), 8, {}), GraphMetrics{});
}

// Two ways around a pillar, 2 m and 1 m wide.
TEST(Graph, TwoWaysAddUp) {
  const NavMesh mesh =
      meshOfHale({cell({{0, 0}, {1, 0}, {1, 2}, {1, 4}, {1, 5}, {0, 5}}), cell({{1, 0}, {5, 0}, {5, 2}, {1, 2}}),
                  cell({{1, 4}, {5, 4}, {5, 5}, {1, 5}}), cell({{5, 0}, {6, 0}, {6, 5}, {5, 5}, {5, 4}, {5, 2}})});
  const RegionGraph graph(mesh);
  EXPECT_DOUBLE_EQ(maximumFlow(graph, 0, 3), 3);
  const GraphMetrics m = measureHaleGraph(mesh, 8, {});
  EXPECT_EQ(m.diameterAtLeast, 2U);
  EXPECT_GE(m.widestBottleneck, m.bottleneck);
  EXPECT_DOUBLE_EQ(m.maximumFlow, 3);
  EXPECT_DOUBLE_EQ(m.greedyFlow, 3);
}

// Edmonds and Karp's way, slowly, on a matrix.
double slowFlow(const RegionGraph& graph, CellId from, CellId to) {
  const NavMesh& mesh = graph.mesh();
  const size_t n = mesh.cellCount();
  std::vector<double> capacity(n * n, 0);
  for (SideId s = 0; s < mesh.sideCount(); ++s) {
    if (!mesh.isWall(s)) capacity[mesh.cellOf(s) * n + mesh.neighbour(s)] += graph.width(s);
  }
  double flow = 0;
  for (;;) {
    std::vector<size_t> parent(n, n);
    std::vector<size_t> queue{from};
    parent[from] = from;
    for (size_t i = 0; i < queue.size(); ++i) {
      for (size_t j = 0; j < n; ++j) {
        if (parent[j] != n || capacity[queue[i] * n + j] <= 1e-9) continue;
        parent[j] = queue[i];
        queue.push_back(j);
      }
    }
    if (parent[to] == n) return flow;
    double least = 1e18;
    for (size_t c = to; c != from; c = parent[c]) least = std::min(least, capacity[parent[c] * n + c]);
    for (size_t c = to; c != from; c = parent[c]) {
      capacity[parent[c] * n + c] -= least;
      capacity[c * n + parent[c]] += least;
    }
    flow += least;
  }
}

TEST(Graph, AgreesWithSlowSearches) {
  Random random(5);
  for (int round = 0; round < 60; ++round) {
    Picture picture(6, std::string(7, '#'));
    for (auto& row : picture) {
      for (char& c : row) c = random.chance(0.75) ? '.' : '#';
    }
    picture[2][2] = '.';
    MeshArrays arrays = joinCells(gridCells(picture));
    // Shift columns and rows so that widths differ.
    for (Vec2& v : arrays.vertices) v = {v.x + 37 * (v.x / 1e4) * (v.x / 1e4), v.y + 53 * (v.y / 1e4) * (v.y / 1e4)};
    const NavMesh mesh(arrays);
    const RegionGraph graph(mesh);
    uint32_t diameter = 0;
    uint32_t reached = 0;
    std::vector<uint32_t> distance;
    for (CellId c = 0; c < mesh.cellCount(); ++c) {
      graph.distances(c, distance);
      reached = 0;
      for (const uint32_t d : distance) {
        if (d == kNone) continue;
        diameter = std::max(diameter, d);
        ++reached;
      }
    }
    const GraphMetrics m = measureHaleGraph(mesh, 1000, {});
    EXPECT_EQ(m.connected, reached == mesh.cellCount()) << round;
    EXPECT_EQ(m.diameterAtLeast, diameter) << round;
    EXPECT_EQ(m.diameterAtMost, diameter) << round;
    const GraphMetrics hurried = measureHaleGraph(mesh, 3, {});
    EXPECT_LE(hurried.diameterAtLeast, diameter) << round;
    EXPECT_GE(hurried.diameterAtMost, diameter) << round;
    EXPECT_NEAR(m.maximumFlow, m.start == m.goal ? 0 : slowFlow(graph, m.start, m.goal), 1e-6) << round;
    EXPECT_LE(m.greedyFlow, m.maximumFlow + 1e-9) << round;
    EXPECT_LE(m.bottleneck, m.widestBottleneck + 1e-12) << round;
  }
}

}  // namespace
}  // namespace wend
