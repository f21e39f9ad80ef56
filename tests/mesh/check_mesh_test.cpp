#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/predicates.h"
#include "mesh/overlap_sweep.h"
#include "tests/mesh/grid_mesh.h"

namespace wend {
namespace {

constexpr int32_t kMetre = 10000;

Ring ring(std::vector<std::pair<int, int>> metres) {
  Ring out;
  for (const auto& [x, y] : metres) out.push_back({x * kMetre, y * kMetre});
  return out;
}

// Layer 0 is 4 x 3 m with a pillar of one square metre; a connection one metre wide leads east into layer 1, 2 x 3 m,
// 0.5 m higher. Cells are squares of one metre.
Environment world() {
  Environment environment;
  environment.layers.resize(2);
  environment.layers[0].id = 10;
  environment.layers[0].free = {
      {ring({{0, 0}, {4, 0}, {4, 1}, {4, 2}, {4, 3}, {0, 3}}), {ring({{1, 1}, {1, 2}, {2, 2}, {2, 1}})}}};
  environment.layers[1].id = 20;
  environment.layers[1].heights.base = 0.5;
  environment.layers[1].free = {{ring({{4, 0}, {6, 0}, {6, 3}, {4, 3}, {4, 2}, {4, 1}}), {}}};
  environment.connections = {{0, 1, ring({{4, 1}, {4, 2}})}};
  return environment;
}

std::vector<LooseCell> worldCells() {
  std::vector<LooseCell> cells = gridCells({"....", ". ..", "...."}, 0, kMetre);
  const std::vector<LooseCell> east = gridCells({"..", "..", ".."}, 1, kMetre, {4.0 * kMetre, 0});
  cells.insert(cells.end(), east.begin(), east.end());
  return cells;
}

// Joins layers across the connection only.
MeshArrays finish(const std::vector<LooseCell>& cells, const Environment& environment = world()) {
  MeshArrays arrays = joinCells(cells, {{0, 1}});
  for (SideId s = 0; s < arrays.sideTwin.size(); ++s) {
    const SideId t = arrays.sideTwin[s];
    if (t == kNone || arrays.cellLayer[arrays.sideCell[s]] == arrays.cellLayer[arrays.sideCell[t]]) continue;
    const NavMesh joined(arrays);
    const double y = std::min(joined.vertex(joined.startVertex(s)).y, joined.vertex(joined.endVertex(s)).y);
    if (y == kMetre) continue;
    arrays.sideTwin[s] = kNone;
    arrays.sideTwin[t] = kNone;
  }
  arrays.environmentHash = hash(environment);
  arrays.environment = topology(environment);
  arrays.layerIds = {10, 20};
  arrays.layerNames = {"west", "east"};
  arrays.layerHeights.resize(2);
  // Vertices again, now that some twins are gone: one per fan.
  std::vector<Vec2> start;
  for (const VertexId v : arrays.sideVertex) start.push_back(arrays.vertices[v]);
  arrays.vertices.clear();
  arrays.heights.clear();
  std::vector<VertexId> renumbered(start.size(), kNone);
  const NavMesh twins(arrays);
  for (SideId s = 0; s < start.size(); ++s) {
    if (renumbered[s] != kNone) continue;
    SideId first = s;
    for (SideId p = twins.previousSide(first); !twins.isWall(p); p = twins.previousSide(first)) {
      first = twins.twin(p);
      if (first == s) break;
    }
    for (SideId t = first; renumbered[t] == kNone; t = twins.nextSide(twins.twin(t))) {
      renumbered[t] = static_cast<VertexId>(arrays.vertices.size());
      if (twins.isWall(t)) break;
    }
    arrays.vertices.push_back(start[s]);
    arrays.heights.push_back(0);
  }
  arrays.sideVertex = renumbered;
  return arrays;
}

std::vector<MeshFault> check(const MeshArrays& arrays, bool withEnvironment) {
  const Environment environment = world();
  const std::vector<MeshFault> faults = checkMesh(NavMesh(arrays), withEnvironment ? &environment : nullptr);
  for (const MeshFault& fault : faults) EXPECT_FALSE(fault.message.empty());
  return faults;
}

std::set<std::string> kinds(const std::vector<MeshFault>& faults) {
  std::set<std::string> names;
  for (const MeshFault& fault : faults) names.insert(faultName(fault.kind));
  return names;
}

const MeshFault* find(const std::vector<MeshFault>& faults, MeshFaultKind kind) {
  const auto it = std::find_if(faults.begin(), faults.end(), [&](const MeshFault& f) { return f.kind == kind; });
  return it == faults.end() ? nullptr : &*it;
}

std::string all(const std::vector<MeshFault>& faults) {
  std::string text;
  for (const MeshFault& f : faults) text += std::string(faultName(f.kind)) + ": " + f.message + "\n";
  return text;
}

using Names = std::set<std::string>;

TEST(CheckMesh, EmptyMeshIsGood) {
  EXPECT_TRUE(checkMesh(NavMesh()).empty());
}

TEST(CheckMesh, GoodMeshesHaveNoFaults) {
  const MeshArrays arrays = finish(worldCells());
  EXPECT_EQ(all(check(arrays, false)), "");
  EXPECT_EQ(all(check(arrays, true)), "");
  EXPECT_EQ(all(checkMesh(NavMesh(openGrid(30, 20)))), "");
  EXPECT_EQ(all(checkMesh(gridMesh({". ", " ."}))), "");
  EXPECT_EQ(all(checkMesh(gridMesh({"....", ". ..", ".. .", "...."}))), "");
}

TEST(CheckMesh, LargerCellsAndCutSidesAreGood) {
  // The squares left of the pillar become one cell with collinear corners; the wall below stays in three pieces.
  std::vector<LooseCell> cells = worldCells();
  const double m = kMetre;
  std::erase_if(cells, [&](const LooseCell& c) { return c.layer == 0 && c.loop[0].x == 0; });
  cells.push_back({0, {{0, 0}, {m, 0}, {m, m}, {m, 2 * m}, {m, 3 * m}, {0, 3 * m}}});
  EXPECT_EQ(all(check(finish(cells), true)), "");
}

TEST(CheckMesh, NonConvexCellsWhereTheyAreAllowed) {
  // A C of one cell around the pillar, without its east side.
  const double m = kMetre;
  std::vector<LooseCell> cells = worldCells();
  std::erase_if(cells, [&](const LooseCell& c) { return c.layer == 0 && c.loop[0].x < 2 * m; });
  cells.push_back(
      {0, {{0, 0}, {m, 0}, {2 * m, 0}, {2 * m, m}, {m, m}, {m, 2 * m}, {2 * m, 2 * m}, {2 * m, 3 * m}, {0, 3 * m}}});
  MeshArrays arrays = finish(cells);
  const std::vector<MeshFault> faults = check(arrays, true);
  EXPECT_EQ(kinds(faults), Names{"convexity"}) << all(faults);
  EXPECT_EQ(faults[0].cell, arrays.cellLayer.size() - 1);
  EXPECT_EQ(faults[0].place, (Vec2{1, 1}));
  arrays.traits.convex = false;
  EXPECT_EQ(all(check(arrays, true)), "");
}

TEST(CheckMesh, ArraysOutOfRange) {
  const auto faults = [](auto&& damage) {
    MeshArrays arrays = finish(worldCells());
    damage(arrays);
    return kinds(check(arrays, true));
  };
  const Names expected{"arrays"};
  EXPECT_EQ(faults([](MeshArrays& a) { a.sideVertex[5] = 10000; }), expected);
  EXPECT_EQ(faults([](MeshArrays& a) { a.sideVertex.pop_back(); }), expected);
  EXPECT_EQ(faults([](MeshArrays& a) { a.sideTwin[5] = 10000; }), expected);
  EXPECT_EQ(faults([](MeshArrays& a) { a.sideCell[5] = 10000; }), expected);
  EXPECT_EQ(faults([](MeshArrays& a) { a.cellBegin[5] = 10000; }), expected);
  EXPECT_EQ(faults([](MeshArrays& a) { a.cellBegin[5] = 0; }), expected);
  EXPECT_EQ(faults([](MeshArrays& a) { a.cellLayer[5] = 2; }), expected);
  EXPECT_EQ(faults([](MeshArrays& a) { a.vertices[5].y = std::numeric_limits<double>::quiet_NaN(); }), expected);
  EXPECT_EQ(faults([](MeshArrays& a) { a.vertices[5].y = -std::numeric_limits<double>::infinity(); }), expected);
  EXPECT_EQ(faults([](MeshArrays& a) { a.heights[5] = std::numeric_limits<double>::quiet_NaN(); }), expected);
  EXPECT_EQ(faults([](MeshArrays& a) { a.layerNames.pop_back(); }), expected);
  EXPECT_EQ(faults([](MeshArrays& a) { a.lattice.unit = -1; }), expected);
}

TEST(CheckMesh, RandomDamageNeverCrashes) {
  const MeshArrays good = finish(worldCells());
  const Environment environment = world();
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    Random random(seed);
    MeshArrays arrays = good;
    for (uint64_t k = 1 + random.below(4); k > 0; --k) {
      const auto damage = [&](auto& array, uint64_t range) {
        array[random.below(array.size())] = random.chance(0.1) ? kNone : static_cast<uint32_t>(random.below(range));
      };
      switch (random.below(6)) {
        case 0:
          damage(arrays.sideVertex, arrays.vertices.size());
          break;
        case 1:
          damage(arrays.sideTwin, arrays.sideTwin.size());
          break;
        case 2:
          damage(arrays.cellBegin, arrays.sideTwin.size());
          break;
        case 3:
          damage(arrays.cellLayer, 2);
          break;
        case 4:
          // Off the world: an inner vertex moved a little may leave a good mesh.
          arrays.vertices[random.below(arrays.vertices.size())] = {random.real(-1e5, -1), random.real(-1e5, 1e5)};
          break;
        default:
          std::swap(arrays.sideTwin[random.below(arrays.sideTwin.size())],
                    arrays.sideTwin[random.below(arrays.sideTwin.size())]);
      }
    }
    const NavMesh mesh(arrays);
    const bool same = hash(mesh) == hash(NavMesh(good));
    ASSERT_EQ(checkMesh(mesh, &environment).empty(), same) << "seed " << seed;
    ASSERT_LE(checkMesh(mesh, &environment, 3).size(), 3U);
  }
}

TEST(CheckMesh, LoopTooShort) {
  std::vector<LooseCell> cells = worldCells();
  const double m = kMetre;
  cells[3].loop = {{3 * m, 0}, {4 * m, 0}};
  const std::vector<MeshFault> faults = check(finish(cells), false);
  const MeshFault* fault = find(faults, MeshFaultKind::kLoop);
  ASSERT_NE(fault, nullptr);
  EXPECT_EQ(fault->cell, 3U);
}

TEST(CheckMesh, LoopNotSimple) {
  const double m = kMetre;
  using Loop = std::vector<Vec2>;
  for (const Loop& loop : {Loop{{0, 0}, {m, 0}, {0, m}, {m, m}},                                  // bow tie
                           Loop{{0, 0}, {m, 0}, {m, 0}, {m, m}, {0, m}},                          // repeated corner
                           Loop{{0, 0}, {m, 0}, {2 * m, 0}, {m, 0}, {m, m}, {0, m}},              // spike
                           Loop{{0, 0}, {m, 0}, {m, m}, {m / 2, 0}, {0, m}},                      // touches itself
                           Loop{{0, 0}, {m, 0}, {m, m}, {0, m}, {0, 0}, {m, 0}, {m, m}, {0, m}},  // twice around
                           Loop{{0, 0}, {3 * m, 0}, {3 * m, 3 * m}, {m, m}, {2 * m, m}, {0, 3 * m}}}) {
    MeshArrays arrays = joinCells({{0, loop}});
    arrays.traits.convex = false;
    const std::vector<MeshFault> faults = checkMesh(NavMesh(arrays));
    ASSERT_NE(find(faults, MeshFaultKind::kLoop), nullptr) << all(faults);
    EXPECT_EQ(find(faults, MeshFaultKind::kLoop)->cell, 0U);
  }
}

TEST(CheckMesh, Clockwise) {
  std::vector<LooseCell> cells = worldCells();
  std::reverse(cells[6].loop.begin(), cells[6].loop.end());
  std::vector<MeshFault> faults = check(finish(cells), false);
  const MeshFault* fault = find(faults, MeshFaultKind::kOrientation);
  ASSERT_NE(fault, nullptr);
  EXPECT_EQ(fault->cell, 6U);
  // Clockwise and not convex.
  faults = checkMesh(NavMesh(joinCells({{0, {{0, 0}, {0, 90}, {90, 90}, {90, 0}, {45, 45}}}})));
  ASSERT_NE(find(faults, MeshFaultKind::kOrientation), nullptr) << all(faults);
  EXPECT_EQ(find(faults, MeshFaultKind::kLoop), nullptr);
}

TEST(CheckMesh, NoArea) {
  const std::vector<MeshFault> faults = checkMesh(NavMesh(joinCells({{0, {{0, 0}, {10, 0}, {20, 0}}}})));
  ASSERT_NE(find(faults, MeshFaultKind::kOrientation), nullptr) << all(faults);
}

TEST(CheckMesh, ReflexByOneUnit) {
  std::vector<LooseCell> cells = worldCells();
  cells[0].loop.insert(cells[0].loop.begin() + 1, Vec2{kMetre / 2, 1});
  const std::vector<MeshFault> faults = check(finish(cells), false);
  const MeshFault* fault = find(faults, MeshFaultKind::kConvexity);
  ASSERT_NE(fault, nullptr);
  EXPECT_EQ(fault->cell, 0U);
  EXPECT_EQ(fault->place, (Vec2{0.5, 0.0001}));
}

TEST(CheckMesh, RoundedCornersAreNotReflex) {
  // A corner off the lattice may be off its line by rounding, not by more.
  for (const double dent : {1e-9, 1e-3, 0.5}) {
    MeshArrays arrays = joinCells({{0, {{0, 0}, {500.5, dent}, {1000, 0}, {1000, 1000}, {0, 1000}}}});
    arrays.environment = {2'000'000, 1, 1, 0};
    const std::vector<MeshFault> faults = checkMesh(NavMesh(arrays));
    EXPECT_EQ(find(faults, MeshFaultKind::kConvexity) != nullptr, dent > 0.1) << dent;
    // A thousandth of a unit is more than a billionth of this small area.
    EXPECT_EQ(find(faults, MeshFaultKind::kArea) != nullptr, dent > 1e-6) << dent;
  }
}

TEST(CheckMesh, TwinsNotMutual) {
  MeshArrays arrays = finish(worldCells());
  const SideId side = arrays.cellBegin[2] + 1;
  ASSERT_NE(arrays.sideTwin[side], kNone);
  const SideId other = arrays.sideTwin[side];
  arrays.sideTwin[other] = kNone;
  const std::vector<MeshFault> faults = check(arrays, true);
  const MeshFault* fault = find(faults, MeshFaultKind::kTwin);
  ASSERT_NE(fault, nullptr);
  EXPECT_EQ(fault->cell, 2U);
  EXPECT_EQ(fault->place, (Vec2{3, 0.5}));
}

TEST(CheckMesh, TwinsOverOtherVertices) {
  MeshArrays arrays = finish(worldCells());
  // Exchange the partners of two portals.
  const SideId a = arrays.cellBegin[2] + 1;
  const SideId b = arrays.cellBegin[5] + 1;
  const SideId aTwin = arrays.sideTwin[a];
  const SideId bTwin = arrays.sideTwin[b];
  ASSERT_TRUE(aTwin != kNone && bTwin != kNone);
  arrays.sideTwin[a] = bTwin;
  arrays.sideTwin[bTwin] = a;
  arrays.sideTwin[b] = aTwin;
  arrays.sideTwin[aTwin] = b;
  const std::vector<MeshFault> faults = check(arrays, true);
  EXPECT_EQ(std::count_if(faults.begin(), faults.end(), [](const auto& f) { return f.kind == MeshFaultKind::kTwin; }),
            2);
}

TEST(CheckMesh, OneVertexForTwoFans) {
  // Two squares touch in a corner; welding their vertices there makes a way through a point.
  MeshArrays arrays = gridArrays({". ", " ."});
  std::vector<VertexId> touching;
  for (VertexId v = 0; v < arrays.vertices.size(); ++v) {
    if (arrays.vertices[v] == Vec2{10000, 10000}) touching.push_back(v);
  }
  ASSERT_EQ(touching.size(), 2U);
  for (VertexId& v : arrays.sideVertex) {
    if (v == touching[1]) v = touching[0];
  }
  const std::vector<MeshFault> faults = checkMesh(NavMesh(arrays));
  ASSERT_EQ(faults.size(), 2U) << all(faults);
  EXPECT_EQ(faults[0].kind, MeshFaultKind::kFan);
  EXPECT_EQ(faults[0].place, (Vec2{1, 1}));
  EXPECT_EQ(faults[1].kind, MeshFaultKind::kFan);  // the vertex that nobody uses any more
}

TEST(CheckMesh, TwoVerticesForOneFan) {
  MeshArrays arrays = finish(worldCells());
  arrays.vertices.push_back(arrays.vertices[arrays.sideVertex[0]]);
  arrays.heights.push_back(0);
  arrays.sideVertex[0] = static_cast<VertexId>(arrays.vertices.size() - 1);
  const std::vector<MeshFault> faults = check(arrays, true);
  EXPECT_FALSE(faults.empty());
}

TEST(CheckMesh, PortalBetweenLayersOffTheConnection) {
  // Join the layers over the whole side, not only where the connection is.
  const Environment environment = world();
  MeshArrays arrays = joinCells(worldCells(), {{0, 1}});
  const MeshArrays good = finish(worldCells());
  arrays.environment = good.environment;
  arrays.environmentHash = good.environmentHash;
  arrays.layerIds = good.layerIds;
  const std::vector<MeshFault> faults = checkMesh(NavMesh(arrays), &environment);
  const MeshFault* fault = find(faults, MeshFaultKind::kLayer);
  ASSERT_NE(fault, nullptr) << all(faults);
  EXPECT_EQ(fault->place, (Vec2{4, 0.5}));
}

TEST(CheckMesh, PortalBetweenLayersInsideALayer) {
  // A cell changes its layer: its portals are off every boundary.
  MeshArrays arrays = finish(worldCells());
  arrays.cellLayer[2] = 1;
  const std::vector<MeshFault> faults = check(arrays, true);
  EXPECT_NE(find(faults, MeshFaultKind::kLayer), nullptr) << all(faults);
}

TEST(CheckMesh, ClosedConnection) {
  MeshArrays arrays = finish(worldCells());
  const Environment environment = world();
  std::vector<LooseCell> cells = worldCells();
  arrays = joinCells(cells);
  const MeshArrays good = finish(cells);
  arrays.environment = good.environment;
  arrays.environmentHash = good.environmentHash;
  arrays.layerIds = good.layerIds;
  const std::vector<MeshFault> faults = checkMesh(NavMesh(arrays), &environment);
  EXPECT_EQ(kinds(faults), (Names{"obstacle", "topology"})) << all(faults);
  EXPECT_EQ(find(faults, MeshFaultKind::kObstacle)->place, (Vec2{4, 1.5}));
}

TEST(CheckMesh, OverlappingCell) {
  const double m = kMetre;
  using Loop = std::vector<Vec2>;
  // Across sides, inside one cell, equal to one cell, over several whole cells, sharing sides.
  for (const Loop& loop : {Loop{{m / 2, m / 4}, {m + 1, m / 4}, {m + 1, m / 2}, {m / 2, m / 2}},
                           Loop{{m / 4, m / 4}, {m / 2, m / 4}, {m / 4, m / 2}}, Loop{{0, 0}, {m, 0}, {m, m}, {0, m}},
                           Loop{{0, 0}, {2 * m, 0}, {2 * m, m}, {0, m}}, Loop{{0, 0}, {m, 0}, {m, m}},
                           Loop{{0, 0}, {m / 2, 0}, {0, 1}}, Loop{{m - 1, 0}, {m, 0}, {m, m}}}) {
    std::vector<LooseCell> cells = worldCells();
    cells.push_back({0, loop});
    // Both ways of numbering, since the sweep must not depend on it.
    for (int order = 0; order < 2; ++order) {
      MeshArrays arrays = finish(cells);
      const std::vector<MeshFault> faults = check(arrays, false);
      const MeshFault* fault = find(faults, MeshFaultKind::kOverlap);
      ASSERT_NE(fault, nullptr) << all(faults);
      EXPECT_LE(fault->place.x, 2);
      EXPECT_LE(fault->place.y, 1);
      arrays.traits.disjoint = false;
      EXPECT_EQ(find(check(arrays, false), MeshFaultKind::kOverlap), nullptr);
      std::reverse(cells.begin(), cells.end());
    }
  }
}

TEST(CheckMesh, MissingCell) {
  std::vector<LooseCell> cells = worldCells();
  cells.erase(cells.begin() + 3);  // at (3, 0)
  const MeshArrays arrays = finish(cells);
  EXPECT_EQ(kinds(check(arrays, false)), Names{"area"});
  const std::vector<MeshFault> faults = check(arrays, true);
  EXPECT_EQ(kinds(faults), (Names{"area", "obstacle"})) << all(faults);
  for (const MeshFault& fault : faults) {
    if (fault.kind != MeshFaultKind::kObstacle) continue;
    EXPECT_TRUE(fault.place.x >= 3 && fault.place.x <= 4 && fault.place.y >= 0 && fault.place.y <= 1) << fault.message;
  }
}

TEST(CheckMesh, CellThroughAWall) {
  // A cell where the pillar stands.
  const double m = kMetre;
  std::vector<LooseCell> cells = worldCells();
  cells.push_back({0, {{m, m}, {2 * m, m}, {2 * m, 2 * m}, {m, 2 * m}}});
  const MeshArrays arrays = finish(cells);
  EXPECT_EQ(kinds(check(arrays, false)), (Names{"area", "topology"}));
  const std::vector<MeshFault> faults = check(arrays, true);
  EXPECT_EQ(kinds(faults), (Names{"area", "obstacle", "topology"})) << all(faults);
  for (const MeshFault& fault : faults) {
    if (fault.kind != MeshFaultKind::kObstacle) continue;
    EXPECT_TRUE(fault.place.x >= 1 && fault.place.x <= 2 && fault.place.y >= 1 && fault.place.y <= 2) << fault.message;
    EXPECT_NE(fault.cell, kNone);
  }
}

TEST(CheckMesh, CellBeyondTheOuterWall) {
  const double m = kMetre;
  std::vector<LooseCell> cells = worldCells();
  cells[0].loop = {{-1, 0}, {m, 0}, {m, m}, {-1, m}};
  const std::vector<MeshFault> faults = check(finish(cells), true);
  const MeshFault* fault = find(faults, MeshFaultKind::kObstacle);
  ASSERT_NE(fault, nullptr);
  EXPECT_EQ(fault->cell, 0U);
  EXPECT_NE(find(faults, MeshFaultKind::kArea), nullptr);
}

TEST(CheckMesh, LostAdjacency) {
  MeshArrays arrays = finish(worldCells());
  const SideId side = arrays.cellBegin[2] + 1;
  arrays.sideTwin[arrays.sideTwin[side]] = kNone;
  arrays.sideTwin[side] = kNone;
  for (const bool withEnvironment : {false, true}) {
    const std::vector<MeshFault> faults = check(arrays, withEnvironment);
    const MeshFault* fault = find(faults, MeshFaultKind::kObstacle);
    ASSERT_NE(fault, nullptr) << all(faults);
    EXPECT_EQ(fault->cell, 2U);
    EXPECT_EQ(fault->place, (Vec2{3, 0.5}));
  }
}

TEST(CheckMesh, AreaByOneUnit) {
  MeshArrays arrays = finish(worldCells());
  arrays.environment.doubledArea.low += 1;
  EXPECT_EQ(kinds(check(arrays, false)), Names{"area"});
  arrays.traits.exact = false;
  EXPECT_EQ(kinds(check(arrays, false)), Names{});
}

TEST(CheckMesh, RecordedTopologyDiffers) {
  const MeshArrays good = finish(worldCells());
  for (const Topology& other :
       {Topology{good.environment.doubledArea, 2, 3, 0}, Topology{good.environment.doubledArea, 1, 1, 0},
        Topology{good.environment.doubledArea, 1, 2, 1}}) {
    MeshArrays arrays = good;
    arrays.environment = other;
    EXPECT_EQ(kinds(check(arrays, false)), Names{"topology"});
  }
}

TEST(CheckMesh, AnotherEnvironment) {
  MeshArrays arrays = finish(worldCells());
  arrays.environmentHash = arrays.environmentHash ^ 1;
  EXPECT_EQ(kinds(check(arrays, true)), Names{"topology"});
  Environment other = world();
  other.layers.pop_back();
  other.connections.clear();
  EXPECT_NE(find(checkMesh(NavMesh(finish(worldCells())), &other), MeshFaultKind::kLayer), nullptr);
}

TEST(CheckMesh, LimitHolds) {
  MeshArrays arrays = finish(worldCells());
  std::reverse(arrays.vertices.begin(), arrays.vertices.end());
  const Environment environment = world();
  for (const size_t limit : {size_t{0}, size_t{1}, size_t{5}}) {
    EXPECT_EQ(checkMesh(NavMesh(arrays), &environment, limit).size(), limit);
  }
}

// --- The sweep against every pair of sides
// ----------------------------------------------------------------------------

// Whether the interiors of two convex cells meet: no side of either separates them.
bool slowOverlap(const std::vector<Vec2>& a, const std::vector<Vec2>& b) {
  const auto separates = [](const std::vector<Vec2>& p, const std::vector<Vec2>& q) {
    for (size_t i = 0; i < p.size(); ++i) {
      const Vec2 u = p[i];
      const Vec2 v = p[(i + 1) % p.size()];
      if (std::all_of(q.begin(), q.end(),
                      [&](Vec2 w) { return (v.x - u.x) * (w.y - u.y) - (v.y - u.y) * (w.x - u.x) <= 0; })) {
        return true;
      }
    }
    return false;
  };
  return !separates(a, b) && !separates(b, a);
}

TEST(SideSweep, AgreesWithBruteForce) {
  size_t overlapping = 0;
  for (uint64_t seed = 0; seed < 20'000; ++seed) {
    Random random(seed);
    std::vector<std::vector<Vec2>> loops;
    const int64_t size = random.between(2, 12);
    for (uint64_t k = 2 + random.below(3); k > 0; --k) {
      std::vector<Vec2> loop;
      const auto point = [&] {
        return Vec2{static_cast<double>(random.between(0, size)), static_cast<double>(random.between(0, size))};
      };
      for (int i = 0; i < 3; ++i) loop.push_back(point());
      const double area =
          (loop[1].x - loop[0].x) * (loop[2].y - loop[0].y) - (loop[1].y - loop[0].y) * (loop[2].x - loop[0].x);
      if (area == 0) continue;
      if (area < 0) std::swap(loop[1], loop[2]);
      loops.push_back(loop);
    }
    bool slow = false;
    std::vector<SweepSide> sides;
    for (CellId i = 0; i < loops.size(); ++i) {
      for (CellId j = 0; j < i; ++j) slow = slow || slowOverlap(loops[i], loops[j]);
      for (size_t k = 0; k < 3; ++k) {
        sides.push_back(sweepSide(loops[i][k], loops[i][(k + 1) % 3], i, kNone, static_cast<SideId>(sides.size())));
      }
    }
    const std::vector<SweepFault> faults = sweepSides(sides, 100);
    const bool fast =
        std::any_of(faults.begin(), faults.end(), [](const SweepFault& f) { return f.kind != SweepFaultKind::kSlit; });
    ASSERT_EQ(fast, slow) << "seed " << seed;
    overlapping += slow;
  }
  EXPECT_GT(overlapping, 1000U);
  EXPECT_LT(overlapping, 19'000U);
}

TEST(SideSweep, SimpleLoopsAgainstEveryPair) {
  size_t simple = 0;
  for (uint64_t seed = 0; seed < 20'000; ++seed) {
    Random random(seed, 2);
    const size_t n = 3 + random.below(5);
    const int64_t size = random.between(2, 20);
    std::vector<Point> loop;
    for (size_t i = 0; i < n; ++i) {
      Point p{static_cast<int32_t>(random.between(0, size)), static_cast<int32_t>(random.between(0, size))};
      while (!loop.empty() && p == loop.back()) p.x = static_cast<int32_t>(random.between(0, size));
      loop.push_back(p);
    }
    if (loop.front() == loop.back()) continue;
    bool slow = true;
    std::vector<SweepSide> sides;
    for (size_t i = 0; i < n; ++i) {
      const Point a = loop[i];
      const Point b = loop[(i + 1) % n];
      sides.push_back(sweepSide(toVec2(a), toVec2(b), 0, kNone, static_cast<SideId>(i)));
      for (size_t j = 0; j < i; ++j) {
        const Meeting meeting = meet(a, b, loop[j], loop[(j + 1) % n]);
        const bool neighbours = j + 1 == i || (j == 0 && i + 1 == n);
        slow = slow && (meeting == Meeting::kNone || (neighbours && n > 2 && meeting == Meeting::kTouch));
      }
    }
    ASSERT_EQ(isSimple(sides), slow) << "seed " << seed;
    simple += slow;
  }
  EXPECT_GT(simple, 1000U);
}

}  // namespace
}  // namespace wend
