#include <cmath>

#include <wend/generate.h>
#include <wend/make.h>
#include <wend/metrics.h>

#include <gtest/gtest.h>

#include "base/random.h"
#include "metrics/cover_count.h"
#include "tests/environment/hand_made.h"
#include "tests/metrics/picture_world.h"

namespace wend {
namespace {

const Picture kRoom{".....",  //
                    ".#...",  //
                    "....."};

MeshMetrics measured(const NavMesh& mesh, const Environment& environment, const MeasureSettings& settings = {}) {
  auto metrics = measureMesh(mesh, environment, settings);
  EXPECT_TRUE(metrics.ok()) << metrics.error().message;
  return metrics.ok() ? *metrics : MeshMetrics{};
}

std::vector<MeshDefect> only(const MeshMetrics& metrics, DefectKind kind) {
  std::vector<MeshDefect> found;
  for (const MeshDefect& defect : metrics.defects) {
    if (defect.kind == kind) found.push_back(defect);
  }
  return found;
}

std::vector<Vec2> square(double x, double y, double width = 1, double height = 1) {
  const double u = 10000;
  return {{x * u, y * u}, {(x + width) * u, y * u}, {(x + width) * u, (y + height) * u}, {x * u, (y + height) * u}};
}

NavMesh meshOf(std::vector<LooseCell> cells, MeshTraits traits = {}) {
  MeshArrays arrays = joinCells(cells);
  arrays.traits = traits;
  return NavMesh(std::move(arrays));
}

TEST(Coverage, NothingAtAll) {
  Environment empty;
  empty.layers.resize(1);
  const MeshMetrics m = measured(meshOf({}), empty);
  EXPECT_EQ(m.coverage, CoverageMetrics{});
  EXPECT_TRUE(m.defects.empty());
  EXPECT_EQ(m.complexity.regions, 0U);
  // A world without a mesh is one missing piece.
  const MeshMetrics none = measured(meshOf({}), worldOf(kRoom));
  EXPECT_EQ(none.coverage.freeArea, 14);
  EXPECT_EQ(none.coverage.covered, 0);
  ASSERT_EQ(none.defects.size(), 1U);
  EXPECT_DOUBLE_EQ(none.defects[0].size, 14);
}

TEST(Coverage, ARightMeshHasExactlyItsArea) {
  const MeshMetrics m = measured(gridMesh(kRoom), worldOf(kRoom));
  EXPECT_EQ(m.coverage, (CoverageMetrics{14, 14, 14, 14, 0, 0, 0}));
  EXPECT_EQ(m.coverage.coveredShare(), 1);
  EXPECT_EQ(m.connectivity, (ConnectivityMetrics{1, 2, 0, 1, 2, 0}));
  EXPECT_TRUE(m.defects.empty());
  EXPECT_EQ(m.complexity.graphVertices, 14U);
  EXPECT_EQ(m.complexity.graphEdges, 18U);
  EXPECT_EQ(m.complexity.floats.mean, 12);
  EXPECT_EQ(m.complexity.floats.total, 168);
  EXPECT_EQ(m.complexity.floats.deviation, 0);
}

TEST(Coverage, AMissingCellIsFound) {
  std::vector<LooseCell> cells = gridCells(kRoom);
  cells.erase(cells.begin() + 3);  // the square at (3, 0)
  const MeshMetrics m = measured(meshOf(cells), worldOf(kRoom));
  EXPECT_DOUBLE_EQ(m.coverage.covered, 13);
  EXPECT_DOUBLE_EQ(m.coverage.coveredShare(), 13.0 / 14);
  EXPECT_EQ(m.coverage.incorrect, 0);
  EXPECT_EQ(m.coverage.overlap, 0);
  ASSERT_EQ(m.defects.size(), 1U);
  EXPECT_EQ(m.defects[0].kind, DefectKind::kMissing);
  EXPECT_DOUBLE_EQ(m.defects[0].size, 1);
  EXPECT_NEAR(m.defects[0].place.x, 3.5, 0.5);
  EXPECT_NEAR(m.defects[0].place.y, 0.5, 0.5);
}

TEST(Coverage, AnOverlappingCellIsFound) {
  std::vector<LooseCell> cells = gridCells(kRoom);
  cells.push_back({0, square(3.25, 1.5, 0.5, 1)});
  const MeshMetrics m = measured(meshOf(cells), worldOf(kRoom));
  EXPECT_DOUBLE_EQ(m.coverage.covered, 14);
  EXPECT_DOUBLE_EQ(m.coverage.mappedArea, 14.5);
  EXPECT_DOUBLE_EQ(m.coverage.overlap, 0.5);
  EXPECT_DOUBLE_EQ(m.coverage.overlapShare(), 0.5 / 14.5);
  EXPECT_EQ(m.coverage.incorrect, 0);
  ASSERT_EQ(m.defects.size(), 1U);
  EXPECT_EQ(m.defects[0].kind, DefectKind::kOverlap);
  EXPECT_DOUBLE_EQ(m.defects[0].size, 0.5);
  EXPECT_NEAR(m.defects[0].place.x, 3.5, 0.25);
  EXPECT_NE(m.defects[0].cell, kNone);
}

TEST(Coverage, ACellThroughAWallIsFound) {
  std::vector<LooseCell> cells = gridCells({".....", ".....", "....."});
  const MeshMetrics m = measured(meshOf(cells), worldOf(kRoom));
  EXPECT_DOUBLE_EQ(m.coverage.covered, 14);
  EXPECT_DOUBLE_EQ(m.coverage.incorrect, 1);
  EXPECT_DOUBLE_EQ(m.coverage.incorrectOfRegions(), 1.0 / 15);
  EXPECT_DOUBLE_EQ(m.coverage.incorrectOfMapped(), 1.0 / 14);
  EXPECT_EQ(m.connectivity.boundaries, 1U);
  EXPECT_EQ(m.connectivity.trueBoundaries, 2U);
  ASSERT_EQ(m.defects.size(), 1U);
  EXPECT_EQ(m.defects[0].kind, DefectKind::kIncorrect);
  EXPECT_EQ(m.defects[0].cell, 6U);
  EXPECT_NEAR(m.defects[0].place.x, 1.5, 0.5);
  EXPECT_NEAR(m.defects[0].place.y, 1.5, 0.5);
}

TEST(Coverage, ALostAdjacencyIsFound) {
  MeshArrays arrays = joinCells(gridCells(kRoom));
  // The portal between (3, 1) and (4, 1).
  for (SideId s = 0; s < arrays.sideTwin.size(); ++s) {
    const Vec2 a = arrays.vertices[arrays.sideVertex[s]];
    if (arrays.sideTwin[s] == kNone || a != Vec2{40000, 10000}) continue;
    const SideId twin = arrays.sideTwin[s];
    const Vec2 b = arrays.vertices[arrays.sideVertex[twin]];
    if (b != Vec2{40000, 20000}) continue;
    arrays.sideTwin[s] = arrays.sideTwin[twin] = kNone;
    break;
  }
  const MeshMetrics m = measured(NavMesh(arrays), worldOf(kRoom));
  EXPECT_EQ(m.coverage, (CoverageMetrics{14, 14, 14, 14, 0, 0, 0})) << "areas do not see it";
  EXPECT_EQ(m.complexity.graphEdges, 17U);
  ASSERT_EQ(m.defects.size(), 1U);
  EXPECT_EQ(m.defects[0].kind, DefectKind::kLostAdjacency);
  EXPECT_DOUBLE_EQ(m.defects[0].size, 1);
  EXPECT_DOUBLE_EQ(m.defects[0].place.x, 4);
  EXPECT_DOUBLE_EQ(m.defects[0].place.y, 1.5);
}

TEST(Coverage, AClosedConnectionIsFound) {
  const Environment rooms = twoRooms();
  const std::vector<LooseCell> cells{{0, {{0, 0}, {10, 0}, {10, 4}, {10, 6}, {10, 10}, {0, 10}}},
                                     {1, {{10, 0}, {20, 0}, {20, 10}, {10, 10}, {10, 6}, {10, 4}}}};
  const MeshMetrics open = measured(NavMesh(joinCells(cells, {{0, 1}, {1, 0}})), rooms);
  EXPECT_EQ(open.connectivity.components, 1U);
  // joinCells() joins the walls beside the door too; what lies on the door is what counts.
  EXPECT_TRUE(only(open, DefectKind::kLostAdjacency).empty());
  const MeshMetrics closed = measured(NavMesh(joinCells(cells)), rooms);
  EXPECT_EQ(closed.connectivity.components, 2U);
  const auto lost = only(closed, DefectKind::kLostAdjacency);
  ASSERT_EQ(lost.size(), 2U) << "once from each side";
  EXPECT_NEAR(lost[0].place.x, 10e-4, 1e-12);
  EXPECT_NEAR(lost[0].place.y, 5e-4, 1e-12);
}

// Two floors side by side, the right one sloped or raised; the left one's cell reaches over the line between them.
Environment floors(double rightHeight, double slope) {
  EnvironmentDraft draft;
  draft.layers.push_back(layerDraftOf({"....", "...."}, 0, 0));
  LayerDraft right;
  right.id = 1;
  right.height = rightHeight;
  right.walkable.push_back({{{4, 0}, {8, 0}, {8, 2}, {4, 2}}});
  if (slope != 0) {
    const double z = rightHeight + 4 * slope;
    right.surface = {{Vec3{4, 0, rightHeight}, Vec3{8, 0, z}, Vec3{8, 2, z}},
                     {Vec3{4, 0, rightHeight}, Vec3{8, 2, z}, Vec3{4, 2, rightHeight}}};
  }
  draft.layers.push_back(right);
  auto world = buildEnvironment(draft);
  EXPECT_TRUE(world.ok());
  return *world;
}

TEST(Coverage, WhatLiesOnAnotherLayerWithinReachIsNotIncorrect) {
  const NavMesh mesh = meshOf({{0, square(0, 0, 6, 2)}, {1, square(6, 0, 2, 2)}});
  const MeshMetrics level = measured(mesh, floors(0.5, 0));
  EXPECT_DOUBLE_EQ(level.coverage.covered, 16);
  EXPECT_DOUBLE_EQ(level.coverage.incorrect, 0);
  EXPECT_TRUE(level.defects.empty());
  const MeshMetrics above = measured(mesh, floors(1.5, 0));
  EXPECT_DOUBLE_EQ(above.coverage.incorrect, 4);
  EXPECT_DOUBLE_EQ(above.coverage.covered, 12);
  EXPECT_EQ(only(above, DefectKind::kMissing).size(), 1U);
  EXPECT_EQ(only(above, DefectKind::kIncorrect).size(), 1U);
  // With the threshold raised it fits again.
  MeasureSettings wide;
  wide.mapping = 2;
  EXPECT_DOUBLE_EQ(measured(mesh, floors(1.5, 0), wide).coverage.covered, 16);
}

TEST(Coverage, TheReachIsCutOnTheSlopeAndNotAtCorners) {
  // The right floor rises by 1 m per metre: the flat cell above it counts only for the first metre.
  const NavMesh mesh = meshOf({{0, square(0, 0, 7, 2)}, {1, square(7, 0, 1, 2)}});
  const MeshMetrics m = measured(mesh, floors(0, 1));
  EXPECT_NEAR(m.coverage.incorrect, 4, 1e-6);
  EXPECT_NEAR(m.coverage.mappedArea, 8 + 2 + 2, 1e-6);
  EXPECT_NEAR(m.coverage.covered, 12, 1e-6);
}

TEST(Coverage, WhatCoversTwiceAcrossLayersOverlaps) {
  const NavMesh mesh = meshOf({{0, square(0, 0, 6, 2)}, {1, square(4, 0, 4, 2)}});
  const MeshMetrics m = measured(mesh, floors(0.5, 0));
  EXPECT_DOUBLE_EQ(m.coverage.covered, 16);
  EXPECT_DOUBLE_EQ(m.coverage.overlap, 4);
  EXPECT_DOUBLE_EQ(m.coverage.incorrect, 0);
}

// Random boxes in a random world of squares, counted square by square.
TEST(Coverage, AgreesWithCountingSquares) {
  Random random(7);
  constexpr int kSize = 12;
  for (int round = 0; round < 60; ++round) {
    Picture picture(kSize, std::string(kSize, '#'));
    for (auto& row : picture) {
      for (char& c : row) c = random.chance(0.6) ? '.' : '#';
    }
    picture[0][0] = '.';
    int count[kSize][kSize] = {};
    std::vector<LooseCell> cells;
    const auto boxes = static_cast<int>(random.between(1, 9));
    double sum = 0;
    for (int i = 0; i < boxes; ++i) {
      const auto x = static_cast<int>(random.between(0, kSize - 1));
      const auto y = static_cast<int>(random.between(0, kSize - 1));
      const auto w = static_cast<int>(random.between(1, kSize - x));
      const auto h = static_cast<int>(random.between(1, kSize - y));
      cells.push_back({0, square(x, y, w, h)});
      sum += w * h;
      for (int a = x; a < x + w; ++a) {
        for (int b = y; b < y + h; ++b) ++count[b][a];
      }
    }
    double covered = 0;
    double incorrect = 0;
    for (int y = 0; y < kSize; ++y) {
      for (int x = 0; x < kSize; ++x) {
        covered += isFree(picture, x, y) && count[y][x] > 0 ? 1 : 0;
        incorrect += isFree(picture, x, y) ? 0 : count[y][x];
      }
    }
    MeshArrays arrays = joinCells(cells);
    arrays.sideTwin.assign(arrays.sideTwin.size(), kNone);
    const MeshMetrics m = measured(NavMesh(arrays), worldOf(picture));
    EXPECT_DOUBLE_EQ(m.coverage.regionArea, sum) << round;
    EXPECT_DOUBLE_EQ(m.coverage.covered, covered) << round;
    EXPECT_DOUBLE_EQ(m.coverage.incorrect, incorrect) << round;
    EXPECT_DOUBLE_EQ(m.coverage.overlap, sum - incorrect - covered) << round;
    EXPECT_EQ(m.coverage.bound, 0) << round;
  }
}

// Disks as 16-gons with corners off the lattice, against sampling.
TEST(Coverage, DisksAgreeWithSampling) {
  Random random(11);
  EnvironmentDraft draft;
  LayerDraft layer;
  layer.walkable.push_back({{{0, 0}, {10, 0}, {10, 10}, {0, 10}}});
  layer.obstacles.push_back({{{3, 3}, {7, 4}, {5, 8}}});
  draft.layers.push_back(layer);
  const Environment world = *buildEnvironment(draft);
  std::vector<LooseCell> cells;
  for (int i = 0; i < 12; ++i) {
    const Vec2 c{random.real(0, 1e5), random.real(0, 1e5)};
    const double r = random.real(5e3, 3e4);
    std::vector<Vec2> loop;
    for (int k = 0; k < 16; ++k) loop.push_back({c.x + r * std::cos(k * M_PI / 8), c.y + r * std::sin(k * M_PI / 8)});
    cells.push_back({0, loop});
  }
  const NavMesh mesh = meshOf(cells, {true, false, false});
  const MeshMetrics m = measured(mesh, world);
  const Locator locator(mesh);
  constexpr int kSamples = 400;
  std::vector<CellId> found(16);
  double covered = 0, mapped = 0;
  for (int y = 0; y < kSamples; ++y) {
    for (int x = 0; x < kSamples; ++x) {
      const Vec2 p{(x + 0.5) * 1e5 / kSamples, (y + 0.5) * 1e5 / kSamples};
      if (locate(world.layers[0].free, {static_cast<int32_t>(p.x), static_cast<int32_t>(p.y)}) != Side::kInside)
        continue;
      const size_t count = locator.locateAll(p, 0, found);
      covered += count > 0 ? 1 : 0;
      mapped += static_cast<double>(count);
    }
  }
  const double share = 100.0 / (kSamples * kSamples);
  EXPECT_NEAR(m.coverage.covered, covered * share, 0.1);
  EXPECT_NEAR(m.coverage.mappedArea, mapped * share, 0.5);
  double total = 0;
  for (CellId c = 0; c < mesh.cellCount(); ++c) total += cellArea(mesh, c);
  EXPECT_NEAR(m.coverage.regionArea, total, m.coverage.bound + 1e-12);
  EXPECT_GT(m.coverage.bound, 0);
  EXPECT_LT(m.coverage.bound, 1e-5);
}

TEST(Coverage, OutlinesOfOverlappingCells) {
  const MeshTraits overlapping{true, false, false};
  const Environment world = worldOf({".....", ".....", ".....", ".....", "....."});
  // A ring of four bars around the middle.
  const NavMesh ring =
      meshOf({{0, square(0, 0, 5, 1)}, {0, square(0, 4, 5, 1)}, {0, square(0, 0, 1, 5)}, {0, square(4, 0, 1, 5)}},
             overlapping);
  EXPECT_EQ(measured(ring, world).connectivity.boundaries, 2U);
  // Two squares that meet in a point keep a curve each.
  const NavMesh touching = meshOf({{0, square(0, 0, 2, 2)}, {0, square(2, 2, 2, 2)}}, overlapping);
  EXPECT_EQ(measured(touching, world).connectivity.boundaries, 2U);
}

TEST(Coverage, RefusesWhatItCannotMeasure) {
  const Environment world = worldOf(kRoom);
  MeshArrays clockwise = joinCells({{0, {{0, 0}, {0, 10000}, {10000, 10000}, {10000, 0}}}});
  EXPECT_EQ(measureMesh(NavMesh(clockwise), world).error().code, ErrorCode::kInvalidGeometry);
  MeshArrays broken = joinCells(gridCells(kRoom));
  broken.sideVertex[0] = 1000;
  EXPECT_EQ(measureMesh(NavMesh(broken), world).error().code, ErrorCode::kFormat);
  MeshArrays wrongTwin = joinCells(gridCells(kRoom));
  for (SideId s = 0; s < wrongTwin.sideTwin.size(); ++s) {
    if (wrongTwin.sideTwin[s] != kNone) {
      wrongTwin.sideTwin[s] = s == 0 ? 1 : 0;
      break;
    }
  }
  EXPECT_EQ(measureMesh(NavMesh(wrongTwin), world).error().code, ErrorCode::kFormat);
  Environment other = world;
  other.lattice.unit = 1e-3;
  EXPECT_EQ(measureMesh(gridMesh(kRoom), other).error().code, ErrorCode::kInvalidGeometry);
  MeasureSettings wrong;
  wrong.objectArea = 0;
  EXPECT_EQ(measureMesh(gridMesh(kRoom), world, wrong).error().code, ErrorCode::kInvalidSettings);
  wrong = {};
  wrong.mapping = std::nan("");
  EXPECT_EQ(measureMesh(gridMesh(kRoom), world, wrong).error().code, ErrorCode::kInvalidSettings);
}

TEST(FineLatticeTest, KeepsLatticePointsAndReachesTheEdge) {
  Box box;
  box.add(Point{-kMaxCoordinate, -kMaxCoordinate});
  box.add(Point{kMaxCoordinate, kMaxCoordinate});
  EXPECT_EQ(FineLattice(box).scale(), 1);
  Box small;
  small.add(Point{1000, 2000});
  small.add(Point{1100, 2100});
  const FineLattice fine(small);
  EXPECT_EQ(fine.scale(), 0x1p20);
  for (const Point p : {Point{1000, 2000}, Point{1033, 2077}, Point{1100, 2100}}) {
    EXPECT_EQ(fine.units(fine.round(toVec2(p))), toVec2(p));
  }
}

// Every generator of the registry that promises it, on worlds of every kind: exact coverage and the true topology.
TEST(Coverage, ExactGeneratorsCoverTheStudysWorlds) {
  const std::vector<MakeSettings> worlds{
      {"zelda", {}, 1, {}},       {"military", {}, 1, {}}, {"maze", {{"size", 16}}, 3, {}},
      {"parking-lot", {}, 1, {}}, {"library", {}, 1, {}},  {"neogen2", {}, 1, {}}};
  for (const MakeSettings& settings : worlds) {
    const auto world = makeEnvironment(settings);
    ASSERT_TRUE(world.ok());
    for (const GeneratorInfo& info : generators()) {
      if (!info.traits.exact) continue;
      GenerateSettings generate;
      generate.generator = info.name;
      const auto mesh = wend::generate(*world, generate);
      if (!mesh.ok()) {
        EXPECT_EQ(mesh.error().code, ErrorCode::kUnsupported) << info.name << ": " << mesh.error().message;
        continue;
      }
      SCOPED_TRACE(settings.kind + " " + info.name);
      const MeshMetrics m = measured(*mesh, *world);
      EXPECT_NEAR(m.coverage.coveredShare(), 1, 1e-6);
      EXPECT_LE(m.coverage.incorrectOfMapped(), 1e-6);
      EXPECT_LE(m.coverage.overlapShare(), 1e-6);
      EXPECT_LE(m.coverage.bound, 1e-6 * m.coverage.freeArea);
      EXPECT_TRUE(m.defects.empty()) << defectName(m.defects[0].kind) << " " << m.defects[0].size;
      const ConnectivityMetrics& c = m.connectivity;
      EXPECT_EQ(c.components, c.trueComponents);
      EXPECT_EQ(c.boundaries, c.trueBoundaries);
      // E - V + CC = B - CC + 2 g, where no vertex of the mesh lies inside the free space.
      const auto edges = static_cast<int64_t>(m.complexity.graphEdges);
      const auto vertices = static_cast<int64_t>(m.complexity.graphVertices);
      const int64_t inner = mesh->corridorMap() == nullptr ? mesh->vertexCount() : 0;
      if (inner == 0 || info.name == "delaunay" || info.name == "hertel-mehlhorn") {
        if (world->layers.size() == 1 || inner == 0) {
          EXPECT_EQ(edges - vertices + c.components, c.trueBoundaries - c.components + 2 * c.trueGenus);
        }
      }
      if (settings.kind == "maze") {
        EXPECT_DOUBLE_EQ(m.coverage.freeArea, 2 * 8 * 8 - 1);
        if (mesh->corridorMap() != nullptr) {
          // A rectilinear maze of n corners has an axis of n + 2 vertices, less what meets in a point of degree 4.
          const auto merged = static_cast<int64_t>(vertexCount(*world)) + 2 - vertices;
          EXPECT_GE(merged, 0);
          EXPECT_EQ(edges, vertices - 1);
        }
      }
    }
  }
}

}  // namespace
}  // namespace wend
