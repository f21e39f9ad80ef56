#include <algorithm>
#include <cmath>
#include <map>

#include <wend/mesh_builder.h>

#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/predicates.h"

namespace wend {
namespace {

using Loop = std::vector<Point>;

Loop box(int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
  return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
}

Environment flat(const std::vector<std::vector<Loop>>& layers) {
  Environment environment;
  for (const auto& outers : layers) {
    Layer layer;
    layer.id = static_cast<int32_t>(environment.layers.size()) + 10;
    for (const Loop& outer : outers) layer.free.push_back({outer, {}});
    environment.layers.push_back(layer);
  }
  return environment;
}

Result<NavMesh> build(const Environment& environment, const std::vector<std::pair<LayerId, Loop>>& cells,
                      const MeshTraits& traits = {}) {
  MeshBuilder builder(environment);
  for (const auto& [layer, loop] : cells) builder.addCell(layer, std::span<const Point>(loop));
  return builder.build("test", 1, traits, Context{});
}

struct Span {
  Vec2 a, b;
};

Span span(const NavMesh& mesh, SideId s) {
  return {mesh.vertex(mesh.startVertex(s)), mesh.vertex(mesh.endVertex(s))};
}

// How much two segments that run in opposite directions over one line have in common, within a tolerance.
double commonLength(Span s, Span t, double tolerance) {
  const double length = std::hypot(s.b.x - s.a.x, s.b.y - s.a.y);
  const Vec2 u{(s.b.x - s.a.x) / length, (s.b.y - s.a.y) / length};
  const auto along = [&](Vec2 p) { return (p.x - s.a.x) * u.x + (p.y - s.a.y) * u.y; };
  const auto off = [&](Vec2 p) { return std::abs((p.y - s.a.y) * u.x - (p.x - s.a.x) * u.y); };
  if (off(t.a) > tolerance || off(t.b) > tolerance) return 0;
  return std::min(length, along(t.a)) - std::max(0.0, along(t.b));
}

// The slow obvious statement of what the builder promises: opposite overlapping sides are twins with the same ends;
// each vertex is one fan.
void expectCut(const NavMesh& mesh, double tolerance = 0) {
  const double margin = std::max(1e-6, 2 * tolerance);
  for (SideId s = 0; s < mesh.sideCount(); ++s) {
    EXPECT_NE(mesh.startVertex(s), mesh.endVertex(s));
    if (!mesh.isWall(s)) {
      ASSERT_LT(mesh.twin(s), mesh.sideCount());
      EXPECT_EQ(mesh.twin(mesh.twin(s)), s);
      EXPECT_EQ(mesh.startVertex(s), mesh.endVertex(mesh.twin(s)));
      EXPECT_EQ(mesh.endVertex(s), mesh.startVertex(mesh.twin(s)));
    }
    for (SideId t = 0; t < mesh.sideCount(); ++t) {
      if (mesh.layerOf(mesh.cellOf(s)) != mesh.layerOf(mesh.cellOf(t)) || t == mesh.twin(s)) continue;
      EXPECT_LE(commonLength(span(mesh, s), span(mesh, t), tolerance), margin) << "sides " << s << " and " << t;
    }
  }
  std::vector<uint32_t> corners(mesh.vertexCount(), 0);
  for (SideId s = 0; s < mesh.sideCount(); ++s) ++corners[mesh.startVertex(s)];
  std::vector<bool> seen(mesh.vertexCount(), false);
  for (SideId s = 0; s < mesh.sideCount(); ++s) {
    const VertexId v = mesh.startVertex(s);
    if (seen[v]) continue;
    seen[v] = true;
    uint32_t around = 0;
    SideId t = s;
    for (; t != kNone && (around == 0 || t != s); t = mesh.twin(mesh.previousSide(t))) ++around;
    if (t == kNone) {
      for (t = mesh.twin(s); t != kNone; t = mesh.twin(mesh.nextSide(t))) ++around;
    }
    EXPECT_EQ(around, corners[v]) << "the cells around vertex " << v << " are not one fan";
  }
}

uint32_t sideCount(const NavMesh& mesh, CellId cell) {
  return mesh.sideCount(cell);
}

TEST(MeshBuilder, NothingGivesAnEmptyMesh) {
  const auto mesh = build(flat({{}}), {});
  ASSERT_TRUE(mesh.ok()) << mesh.error().message;
  EXPECT_TRUE(mesh->empty());
  EXPECT_EQ(mesh->views().cellBegin.size(), 1U);
}

TEST(MeshBuilder, OneTriangle) {
  const Loop loop{{0, 0}, {10, 0}, {0, 10}};
  const auto mesh = build(flat({{loop}}), {{0, loop}});
  ASSERT_TRUE(mesh.ok()) << mesh.error().message;
  EXPECT_EQ(mesh->cellCount(), 1U);
  EXPECT_EQ(mesh->vertexCount(), 3U);
  EXPECT_EQ(mesh->portalCount(), 0U);
  EXPECT_EQ(mesh->info().generator, "test");
  EXPECT_EQ(mesh->info().layerIds, std::vector<int32_t>{10});
  EXPECT_EQ(mesh->info().environment.components, 1U);
  expectCut(*mesh);
}

TEST(MeshBuilder, BadLoopsAreTypedErrors) {
  const Environment environment = flat({{box(0, 0, 10, 10)}});
  const std::vector<std::pair<Loop, ErrorCode>> bad{
      {{}, ErrorCode::kInvalidGeometry},
      {{{0, 0}, {1, 1}}, ErrorCode::kInvalidGeometry},
      {{{0, 0}, {0, 10}, {10, 0}}, ErrorCode::kInvalidGeometry},                 // clockwise
      {{{0, 0}, {5, 0}, {10, 0}}, ErrorCode::kInvalidGeometry},                  // no area
      {{{0, 0}, {10, 0}, {10, 0}, {0, 10}}, ErrorCode::kInvalidGeometry},        // repeats a corner
      {{{0, 0}, {kMaxCoordinate + 1, 0}, {0, 1}}, ErrorCode::kOutsideLattice}};  // too far
  for (const auto& [loop, code] : bad) {
    const auto mesh = build(environment, {{0, loop}});
    ASSERT_FALSE(mesh.ok());
    EXPECT_EQ(mesh.error().code, code) << mesh.error().message;
  }
  const auto wrongLayer = build(environment, {{7, box(0, 0, 10, 10)}});
  ASSERT_FALSE(wrongLayer.ok());
  EXPECT_EQ(wrongLayer.error().code, ErrorCode::kInvalidGeometry);

  for (const double wrong : {std::nan(""), HUGE_VAL}) {
    MeshBuilder builder(environment);
    const std::vector<Vec2> loop{{0, 0}, {wrong, 0}, {0, 1}};
    builder.addCell(0, std::span<const Vec2>(loop));
    const auto mesh = builder.build("test", 1, {}, {});
    ASSERT_FALSE(mesh.ok());
    EXPECT_EQ(mesh.error().code, ErrorCode::kOutsideLattice);
  }
}

TEST(MeshBuilder, IsEmptyAfterBuilding) {
  const Environment environment = flat({{box(0, 0, 10, 10)}});
  MeshBuilder builder(environment);
  const Loop loop = box(0, 0, 10, 10);
  builder.addCell(0, std::span<const Point>(loop));
  EXPECT_EQ(builder.cellCount(), 1U);
  EXPECT_EQ(builder.build("test", 1, {}, {})->cellCount(), 1U);
  EXPECT_EQ(builder.cellCount(), 0U);
  EXPECT_EQ(builder.build("test", 1, {}, {})->cellCount(), 0U);
}

TEST(MeshBuilder, CutsTheLongSideOfATJunction) {
  const auto mesh =
      build(flat({{box(0, 0, 20, 20)}}), {{0, box(0, 0, 10, 20)}, {0, box(10, 0, 20, 10)}, {0, box(10, 10, 20, 20)}});
  ASSERT_TRUE(mesh.ok()) << mesh.error().message;
  EXPECT_EQ(mesh->portalCount(), 3U);
  EXPECT_EQ(sideCount(*mesh, 0), 5U);
  EXPECT_EQ(mesh->vertexCount(), 8U);
  expectCut(*mesh);
}

TEST(MeshBuilder, ThreeCellsOnOneSideLeaveWallsBetween) {
  // The three do not fill the side: walls stay before, between and after them.
  const auto mesh =
      build(flat({{box(0, 0, 10, 100), box(10, 5, 20, 20), box(10, 20, 20, 30), box(10, 50, 20, 60)}}),
            {{0, box(0, 0, 10, 100)}, {0, box(10, 5, 20, 20)}, {0, box(10, 20, 20, 30)}, {0, box(10, 50, 20, 60)}});
  ASSERT_TRUE(mesh.ok()) << mesh.error().message;
  EXPECT_EQ(mesh->portalCount(), 4U);
  EXPECT_EQ(sideCount(*mesh, 0), 3U + 6U);
  expectCut(*mesh);
}

TEST(MeshBuilder, ShiftedSidesCutEachOther) {
  const auto mesh =
      build(flat({{box(0, 0, 10, 20), box(10, 10, 20, 30)}}), {{0, box(0, 0, 10, 20)}, {0, box(10, 10, 20, 30)}});
  ASSERT_TRUE(mesh.ok()) << mesh.error().message;
  EXPECT_EQ(mesh->portalCount(), 1U);
  EXPECT_EQ(sideCount(*mesh, 0), 5U);
  EXPECT_EQ(sideCount(*mesh, 1), 5U);
  expectCut(*mesh);
}

TEST(MeshBuilder, CellsThatMeetInAPointHaveTheirOwnVertices) {
  const auto mesh =
      build(flat({{box(0, 0, 10, 10), box(10, 10, 20, 20)}}), {{0, box(0, 0, 10, 10)}, {0, box(10, 10, 20, 20)}});
  ASSERT_TRUE(mesh.ok()) << mesh.error().message;
  EXPECT_EQ(mesh->vertexCount(), 8U);
  EXPECT_EQ(mesh->portalCount(), 0U);
  expectCut(*mesh);
}

TEST(MeshBuilder, AVertexTouchedTwiceByOneSurfaceBelongsToTwoFans) {
  // A ring of four boxes around a square whose lower left corner touches the outer boundary's notch.
  Environment environment = flat({{}});
  const std::vector<std::pair<LayerId, Loop>> cells{
      {0, box(10, 0, 30, 10)}, {0, box(20, 10, 30, 30)}, {0, box(0, 20, 20, 30)}, {0, box(0, 10, 10, 20)}};
  const auto mesh = build(environment, cells);
  ASSERT_TRUE(mesh.ok()) << mesh.error().message;
  EXPECT_EQ(mesh->portalCount(), 3U);
  const auto atNotch = std::count(mesh->views().vertices.begin(), mesh->views().vertices.end(), Vec2{10, 10});
  EXPECT_EQ(atNotch, 2);
  EXPECT_EQ(topology(*mesh).boundaries, 1U);
  expectCut(*mesh);
}

TEST(MeshBuilder, ACellMayBeItsOwnNeighbour) {
  // One relaxed cell around a square hole, cut open along one side.
  const Loop ring{{0, 0},   {30, 0},  {30, 30}, {0, 30},  {0, 10}, {10, 10},
                  {10, 20}, {20, 20}, {20, 10}, {10, 10}, {0, 10}};
  MeshTraits traits;
  traits.convex = false;
  Environment environment = flat({{}});
  environment.layers[0].free = {{box(0, 0, 30, 30), {{{10, 10}, {10, 20}, {20, 20}, {20, 10}}}}};
  const auto mesh = build(environment, {{0, ring}}, traits);
  ASSERT_TRUE(mesh.ok()) << mesh.error().message;
  EXPECT_EQ(mesh->portalCount(), 1U);
  EXPECT_EQ(mesh->vertexCount(), 9U);
  EXPECT_EQ(topology(*mesh).boundaries, 2U);
  EXPECT_EQ(topology(*mesh), mesh->info().environment);
}

TEST(MeshBuilder, OverlappingCellsAreATypedError) {
  const Environment environment = flat({{box(0, 0, 20, 20)}});
  for (const Loop& second : {box(0, 0, 10, 10), box(0, 0, 20, 5), box(5, 0, 15, 30)}) {
    const auto mesh = build(environment, {{0, box(0, 0, 10, 10)}, {0, second}});
    ASSERT_FALSE(mesh.ok());
    EXPECT_EQ(mesh.error().code, ErrorCode::kInvalidGeometry);
    EXPECT_NE(mesh.error().message.find("overlap"), std::string::npos);
  }
  MeshTraits traits;
  traits.disjoint = false;
  EXPECT_TRUE(build(environment, {{0, box(0, 0, 10, 10)}, {0, box(0, 0, 20, 5)}}, traits).ok());
}

TEST(MeshBuilder, LayersAboveEachOtherStayApart) {
  const Environment environment = flat({{box(0, 0, 10, 10)}, {box(0, 0, 10, 10), box(10, 0, 20, 10)}});
  const auto mesh = build(environment, {{0, box(0, 0, 10, 10)}, {1, box(0, 0, 10, 10)}, {1, box(10, 0, 20, 10)}});
  ASSERT_TRUE(mesh.ok()) << mesh.error().message;
  EXPECT_EQ(mesh->portalCount(), 1U);
  EXPECT_EQ(mesh->vertexCount(), 4U + 6U);
  expectCut(*mesh);
}

Environment twoLayers(std::vector<Point> line) {
  Environment environment = flat({{box(0, 0, 10, 40)}, {box(10, 0, 20, 40)}});
  environment.connections.push_back({0, 1, std::move(line)});
  return environment;
}

TEST(MeshBuilder, ConnectionsWithTJunctionsFromBothSides) {
  const auto mesh =
      build(twoLayers({{10, 0}, {10, 40}}),
            {{0, box(0, 0, 10, 15)}, {0, box(0, 15, 10, 40)}, {1, box(10, 0, 20, 25)}, {1, box(10, 25, 20, 40)}});
  ASSERT_TRUE(mesh.ok()) << mesh.error().message;
  EXPECT_EQ(mesh->portalCount(), 2U + 3U);
  EXPECT_EQ(topology(*mesh).components, 1U);
  EXPECT_EQ(topology(*mesh).boundaries, 1U);
  // Vertices on the connection are shared by both layers.
  EXPECT_EQ(std::count(mesh->views().vertices.begin(), mesh->views().vertices.end(), Vec2{10, 15}), 1);
  EXPECT_EQ(mesh->vertexCount(), 3U + 4U + 3U);
}

TEST(MeshBuilder, ASideIsOpenOnlyWhereItsConnectionLies) {
  // The cells' sides reach beyond both ends of the connection, which has a collinear inner point.
  const auto mesh = build(twoLayers({{10, 10}, {10, 20}, {10, 30}}), {{0, box(0, 0, 10, 40)}, {1, box(10, 0, 20, 40)}});
  ASSERT_TRUE(mesh.ok()) << mesh.error().message;
  EXPECT_EQ(mesh->portalCount(), 2U);
  EXPECT_EQ(sideCount(*mesh, 0), 3U + 4U);
  EXPECT_EQ(sideCount(*mesh, 1), 3U + 4U);
  EXPECT_EQ(std::count(mesh->views().vertices.begin(), mesh->views().vertices.end(), Vec2{10, 0}), 2);
  EXPECT_EQ(std::count(mesh->views().vertices.begin(), mesh->views().vertices.end(), Vec2{10, 10}), 1);
}

TEST(MeshBuilder, LayersWithoutConnectionStayApartEvenWhenTheyTouch) {
  Environment environment = twoLayers({{10, 0}, {10, 40}});
  environment.connections.clear();
  const auto mesh = build(environment, {{0, box(0, 0, 10, 40)}, {1, box(10, 0, 20, 40)}});
  ASSERT_TRUE(mesh.ok()) << mesh.error().message;
  EXPECT_EQ(mesh->portalCount(), 0U);
  EXPECT_EQ(mesh->vertexCount(), 8U);
}

TEST(MeshBuilder, AConnectionOfUnknownLayersIsATypedError) {
  Environment environment = twoLayers({{10, 0}, {10, 40}});
  environment.connections[0].layerB = 9;
  const auto mesh = build(environment, {{0, box(0, 0, 10, 40)}});
  ASSERT_FALSE(mesh.ok());
  EXPECT_EQ(mesh.error().code, ErrorCode::kInvalidGeometry);
}

TEST(MeshBuilder, HeightsComeFromTheLayer) {
  Environment environment = flat({{box(0, 0, 10, 10)}, {box(10, 0, 20, 10)}});
  environment.layers[0].heights.base = 3;
  HeightField& ramp = environment.layers[1].heights;
  ramp.points = {{10, 0}, {20, 0}, {20, 10}, {10, 10}};
  ramp.z = {3, 5, 5, 3};
  ramp.triangles = {{0, 1, 2}, {0, 2, 3}};
  environment.connections.push_back({0, 1, {{10, 0}, {10, 10}}});
  const auto mesh = build(environment, {{0, box(0, 0, 10, 10)}, {1, box(10, 0, 20, 10)}});
  ASSERT_TRUE(mesh.ok()) << mesh.error().message;
  ASSERT_EQ(mesh->vertexCount(), 6U);
  for (VertexId v = 0; v < mesh->vertexCount(); ++v) {
    EXPECT_DOUBLE_EQ(mesh->position(v).z, mesh->vertex(v).x == 20 ? 5 : 3);
  }
}

TEST(MeshBuilder, CancelledBuildsStop) {
  const Environment environment = flat({{box(0, 0, 10, 10)}});
  MeshBuilder builder(environment);
  const Loop loop = box(0, 0, 10, 10);
  builder.addCell(0, std::span<const Point>(loop));
  Context context;
  context.cancel();
  const auto mesh = builder.build("test", 1, {}, context);
  ASSERT_FALSE(mesh.ok());
  EXPECT_EQ(mesh.error().code, ErrorCode::kCancelled);
}

// --- random partitions ----------------------------------------------------------------------------------------------

// Cuts a box into boxes at random places: T-junctions everywhere.
void cutAtRandom(Random& random, int32_t x0, int32_t y0, int32_t x1, int32_t y1, int depth, std::vector<Loop>& out) {
  const bool vertical = random.chance(0.5);
  const int32_t low = vertical ? x0 : y0;
  const int32_t high = vertical ? x1 : y1;
  if (depth == 0 || high - low < 2 || random.chance(0.1)) {
    out.push_back(box(x0, y0, x1, y1));
    return;
  }
  const auto cut = static_cast<int32_t>(random.between(low + 1, high - 1));
  cutAtRandom(random, x0, y0, vertical ? cut : x1, vertical ? y1 : cut, depth - 1, out);
  cutAtRandom(random, vertical ? cut : x0, vertical ? y0 : cut, x1, y1, depth - 1, out);
}

using Map = std::array<int32_t, 4>;

Loop mapped(const Loop& loop, const Map& m) {
  Loop out;
  for (const Point p : loop) out.push_back({m[0] * p.x + m[1] * p.y, m[2] * p.x + m[3] * p.y});
  return out;
}

TEST(MeshBuilder, RandomPartitionsBecomeWholeSurfaces) {
  for (uint64_t seed = 0; seed < 150; ++seed) {
    Random random(seed);
    std::vector<Loop> boxes;
    cutAtRandom(random, 0, 0, 12, 12, 5, boxes);
    random.shuffle(boxes);
    // Slanted lines too; all maps keep the orientation.
    const Map map = std::array<Map, 3>{Map{1, 0, 0, 1}, Map{3, -7, 2, 5}, Map{1000003, 17, -16, 1000033}}[seed % 3];
    std::vector<std::pair<LayerId, Loop>> cells;
    for (const Loop& loop : boxes) cells.emplace_back(0, mapped(loop, map));
    const auto mesh = build(flat({{mapped(box(0, 0, 12, 12), map)}}), cells);
    ASSERT_TRUE(mesh.ok()) << mesh.error().message;
    expectCut(*mesh);
    EXPECT_EQ(topology(*mesh), mesh->info().environment) << "seed " << seed;
    if (HasFailure()) return;
  }
}

TEST(MeshBuilder, RandomPartitionsOfTwoLayersMeetAcrossTheirConnection) {
  for (uint64_t seed = 0; seed < 150; ++seed) {
    Random random(seed);
    std::vector<Loop> left;
    std::vector<Loop> right;
    cutAtRandom(random, 0, 0, 12, 24, 5, left);
    cutAtRandom(random, 12, 0, 24, 24, 5, right);
    const Map map = std::array<Map, 2>{Map{1, 0, 0, 1}, Map{3, -7, 2, 5}}[seed % 2];
    const auto from = static_cast<int32_t>(random.between(0, 11));
    const auto to = static_cast<int32_t>(random.between(from + 2, 24));
    const auto middle = static_cast<int32_t>(random.between(from + 1, to - 1));
    const Loop line{{12, from}, {12, middle}, {12, to}};
    Loop leftOuter{{0, 0}, {12, 0}};
    Loop rightOuter{{24, 0}, {24, 24}, {12, 24}};
    for (const Point p : line) {
      if (p.y > 0 && p.y < 24) leftOuter.push_back(p);
    }
    for (auto it = line.rbegin(); it != line.rend(); ++it) {
      if (it->y > 0 && it->y < 24) rightOuter.push_back(*it);
    }
    leftOuter.insert(leftOuter.end(), {{12, 24}, {0, 24}});
    rightOuter.push_back({12, 0});
    Environment environment = flat({{mapped(leftOuter, map)}, {mapped(rightOuter, map)}});
    environment.connections.push_back({0, 1, mapped(line, map)});
    std::vector<std::pair<LayerId, Loop>> cells;
    for (const Loop& loop : left) cells.emplace_back(0, mapped(loop, map));
    for (const Loop& loop : right) cells.emplace_back(1, mapped(loop, map));
    const auto mesh = build(environment, cells);
    ASSERT_TRUE(mesh.ok()) << mesh.error().message;
    expectCut(*mesh);
    EXPECT_EQ(topology(*mesh), mesh->info().environment) << "seed " << seed;
    EXPECT_EQ(topology(*mesh).boundaries, 1U);
    if (HasFailure()) return;
  }
}

TEST(MeshBuilder, FractionalPartitionsMatchWithinTheTolerance) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    std::vector<Loop> boxes;
    cutAtRandom(random, 0, 0, 12, 12, 5, boxes);
    const double angle = random.real(0, 6);
    const double scale = random.real(10, 1e6);
    Environment environment = flat({{}});
    MeshBuilder builder(environment);
    MeshTraits traits;
    traits.exact = false;
    for (const Loop& loop : boxes) {
      std::vector<Vec2> turned;
      for (const Point p : loop) {
        const Vec2 noise{random.real(-3e-4, 3e-4), random.real(-3e-4, 3e-4)};
        turned.push_back({scale * (std::cos(angle) * p.x - std::sin(angle) * p.y) + noise.x,
                          scale * (std::sin(angle) * p.x + std::cos(angle) * p.y) + noise.y});
      }
      builder.addCell(0, std::span<const Vec2>(turned));
    }
    const auto mesh = builder.build("test", 1, traits, {});
    ASSERT_TRUE(mesh.ok()) << mesh.error().message;
    expectCut(*mesh, MeshBuilder::kDoubleTolerance);
    EXPECT_EQ(topology(*mesh).components, 1U) << "seed " << seed;
    EXPECT_EQ(topology(*mesh).boundaries, 1U) << "seed " << seed;
    EXPECT_EQ(topology(*mesh).genus, 0U) << "seed " << seed;
    if (HasFailure()) return;
  }
}

TEST(MeshBuilder, FractionalPointsOnASlantedConnection) {
  Environment environment =
      flat({{{{0, 0}, {100, 0}, {170, 30}, {0, 30}}}, {{{100, 0}, {200, 0}, {200, 30}, {170, 30}}}});
  environment.connections.push_back({0, 1, {{100, 0}, {170, 30}}});
  const auto on = [](double t) { return Vec2{100 + 70 * t, 30 * t}; };
  MeshBuilder builder(environment);
  const auto add = [&](LayerId layer, const std::vector<Vec2>& loop) {
    builder.addCell(layer, std::span<const Vec2>(loop));
  };
  add(0, {{0, 0}, {100, 0}, on(1.0 / 3), {0, 10}});
  add(0, {{0, 10}, on(1.0 / 3), {170, 30}, {0, 30}});
  add(1, {{100, 0}, {200, 0}, on(0.7)});
  add(1, {on(0.7), {200, 0}, {200, 30}, {170, 30}});
  const auto mesh = builder.build("test", 1, {}, {});
  ASSERT_TRUE(mesh.ok()) << mesh.error().message;
  EXPECT_EQ(mesh->portalCount(), 2U + 3U);
  EXPECT_EQ(topology(*mesh).components, 1U);
  EXPECT_EQ(topology(*mesh).boundaries, 1U);
}

TEST(MeshBuilder, FractionalCellsThatCollapseAreDropped) {
  Environment environment = flat({{box(0, 0, 20, 10)}});
  MeshBuilder builder(environment);
  const auto add = [&](const std::vector<Vec2>& loop) { builder.addCell(0, std::span<const Vec2>(loop)); };
  add({{0, 0}, {10.25, 0}, {10.25, 10}, {0, 10}});
  add({{10.25, 0}, {10.2505, 0}, {10.2505, 10}, {10.25, 10}});
  add({{10.2505, 0}, {20, 0}, {20, 10}, {10.2505, 10}});
  Context context;
  int notes = 0;
  context.onNote = [&](std::string_view) { ++notes; };
  const auto mesh = builder.build("test", 1, {}, context);
  ASSERT_TRUE(mesh.ok()) << mesh.error().message;
  EXPECT_EQ(mesh->cellCount(), 2U);
  EXPECT_EQ(mesh->portalCount(), 1U);
  EXPECT_EQ(notes, 1);
}

// A cell without width stands on the line of a connection, before and behind the connection's end: its sides meet each
// other only once they are cut there.
TEST(MeshBuilder, FractionalCellsThatFoldAtAConnectionAreDropped) {
  Environment environment = flat({{{{0, 0}, {20, 0}, {20, 5}, {10, 5}, {10, 10}, {0, 10}}}, {box(10, 5, 20, 10)}});
  environment.connections.push_back({0, 1, {{10, 5}, {10, 10}}});
  const Vec2 low{10 - 1e-8, 2.5};
  const Vec2 end{10, 5};
  const Vec2 high{10, 7.5};
  MeshBuilder builder(environment);
  const auto add = [&](LayerId layer, const std::vector<Vec2>& loop) {
    builder.addCell(layer, std::span<const Vec2>(loop));
  };
  add(0, {{0, 0}, {10, 0}, low, high, {10, 10}, {0, 10}});
  add(0, {{10, 0}, {20, 0}, {20, 5}, end, low});
  add(1, {low, end, high});
  add(1, {end, {20, 5}, {20, 10}, {10, 10}, high});
  MeshTraits traits;
  traits.convex = false;
  std::vector<uint32_t> kept;
  const auto mesh = builder.build("test", 1, traits, {}, &kept);
  ASSERT_TRUE(mesh.ok()) << mesh.error().message;
  EXPECT_EQ(kept, (std::vector<uint32_t>{0, 1, 3}));
  EXPECT_EQ(mesh->portalCount(), 2U + 2U);
  for (const MeshFault& fault : checkMesh(*mesh, &environment, 3)) ADD_FAILURE() << fault.message;
}

// The tip of a needle of an obstacle: its two walls are nearer to each other than the tolerance.
TEST(MeshBuilder, KnownWallsMatchNothing) {
  const Vec2 tip{10, 10};
  const Vec2 below{10.004, 9.9996};
  const Vec2 above{10.004, 10.0004};
  for (const bool known : {false, true}) {
    Environment environment = flat({{box(0, 0, 20, 20)}});
    MeshBuilder builder(environment);
    const auto add = [&](const std::vector<Vec2>& loop, std::vector<uint8_t> walls) {
      if (!known) walls.clear();
      builder.addCell(0, std::span<const Vec2>(loop), walls);
    };
    add({{0, 0}, {20, 0}, {20, 5}, below, tip}, {1, 1, 0, 1, 0});
    add({{0, 0}, tip, above, {20, 15}, {20, 20}}, {0, 1, 0, 1, 1});
    const auto mesh = builder.build("test", 1, {}, {});
    ASSERT_TRUE(mesh.ok()) << mesh.error().message;
    EXPECT_EQ(mesh->portalCount(), known ? 1U : 2U);
  }
}

TEST(MeshBuilder, ATighterToleranceKeepsNarrowCells) {
  Environment environment = flat({{box(0, 0, 20, 10)}});
  MeshBuilder builder(environment, 1e-6);
  const auto add = [&](const std::vector<Vec2>& loop) { builder.addCell(0, std::span<const Vec2>(loop)); };
  add({{0, 0}, {10.25, 0}, {10.25, 10}, {0, 10}});
  add({{10.25, 0}, {10.2505, 0}, {10.2505, 10}, {10.25, 10}});
  add({{10.2505, 0}, {20, 0}, {20, 10}, {10.2505, 10}});
  const auto mesh = builder.build("test", 1, {}, {});
  ASSERT_TRUE(mesh.ok()) << mesh.error().message;
  EXPECT_EQ(mesh->cellCount(), 3U);
  EXPECT_EQ(mesh->portalCount(), 2U);
}

TEST(MeshBuilder, SameCellsSameBytes) {
  Random random(5);
  std::vector<Loop> boxes;
  cutAtRandom(random, 0, 0, 64, 64, 8, boxes);
  std::vector<std::pair<LayerId, Loop>> cells;
  for (const Loop& loop : boxes) cells.emplace_back(0, loop);
  const Environment environment = flat({{box(0, 0, 64, 64)}});
  EXPECT_EQ(hash(*build(environment, cells)), hash(*build(environment, cells)));
}

}  // namespace
}  // namespace wend
