#include <utility>

#include <gtest/gtest.h>

#include "tests/mesh/grid_mesh.h"

namespace wend {
namespace {

TEST(NavMesh, EmptyMeshHasNothing) {
  const NavMesh mesh;
  EXPECT_TRUE(mesh.empty());
  EXPECT_EQ(mesh.cellCount(), 0U);
  EXPECT_EQ(mesh.portalCount(), 0U);
  EXPECT_EQ(mesh.memory(), 0U);
  EXPECT_EQ(topology(mesh), Topology{});
}

TEST(NavMesh, CopiesShareTheArrays) {
  const NavMesh mesh(openGrid(3, 2));
  const NavMesh copy = mesh;
  EXPECT_EQ(copy.views().vertices.data(), mesh.views().vertices.data());
  EXPECT_EQ(hash(copy), hash(mesh));
}

TEST(NavMesh, WalksAroundACell) {
  const NavMesh mesh(openGrid(3, 2));
  EXPECT_EQ(mesh.cellCount(), 6U);
  EXPECT_EQ(mesh.portalCount(), 7U);
  for (SideId s = 0; s < mesh.sideCount(); ++s) {
    EXPECT_EQ(mesh.previousSide(mesh.nextSide(s)), s);
    EXPECT_EQ(mesh.endVertex(s), mesh.startVertex(mesh.nextSide(s)));
    if (mesh.isWall(s)) {
      EXPECT_EQ(mesh.neighbour(s), kNone);
    } else {
      EXPECT_EQ(mesh.startVertex(s), mesh.endVertex(mesh.twin(s)));
      EXPECT_EQ(mesh.neighbour(mesh.twin(s)), mesh.cellOf(s));
    }
  }
  EXPECT_DOUBLE_EQ(cellArea(mesh, 0), 1.0);
  EXPECT_EQ(mesh.position(4), (Vec3{0, 1, 0}));
}

TEST(NavMesh, TopologyOfAnOpenGrid) {
  const MeshArrays arrays = openGrid(7, 5);
  EXPECT_EQ(topology(NavMesh(arrays)), arrays.environment);
}

TEST(NavMesh, TopologyOfPictures) {
  const int64_t square = 200'000'000;
  EXPECT_EQ(topology(gridMesh({"."})), (Topology{square, 1, 1, 0}));
  EXPECT_EQ(topology(gridMesh({". ."})), (Topology{2 * square, 2, 2, 0}));
  EXPECT_EQ(topology(gridMesh({"...", ". .", "..."})), (Topology{8 * square, 1, 2, 0}));
  EXPECT_EQ(topology(gridMesh({".....", ". . .", "....."})), (Topology{13 * square, 1, 3, 0}));
  // Touching corners are no way through: two components, two fans, two vertices at one place.
  EXPECT_EQ(topology(gridMesh({". ", " ."})), (Topology{2 * square, 2, 2, 0}));
  // Two holes that touch in a corner are one boundary of the interior.
  EXPECT_EQ(topology(gridMesh({"....", ". ..", ".. .", "...."})), (Topology{14 * square, 1, 2, 0}));
}

TEST(NavMesh, CrossingBridgesHaveGenus) {
  // Layer 0 is a plus sign. A bridge in layer 1 joins its east arm to its west arm, another in layer 2 its north arm to
  // its south arm. Two bands on a disc in alternating order: a torus with one boundary.
  std::vector<LooseCell> cells = gridCells({" . ", "...", " . "}, 0, 100);
  cells.push_back({1, {{300, 100}, {400, -200}, {400, -100}, {300, 200}}});
  cells.push_back({1, {{400, -100}, {400, -200}, {-100, -200}, {-100, -100}}});
  cells.push_back({1, {{-100, -100}, {-100, -200}, {0, 100}, {0, 200}}});
  cells.push_back({2, {{100, 300}, {200, 300}, {-200, 500}, {-200, 400}}});
  cells.push_back({2, {{-200, 400}, {-200, 500}, {-300, -400}, {-200, -300}}});
  cells.push_back({2, {{-200, -300}, {-300, -400}, {200, 0}, {100, 0}}});
  const Topology found = topology(NavMesh(joinCells(cells, {{0, 1}, {0, 2}})));
  EXPECT_EQ(found.components, 1U);
  EXPECT_EQ(found.boundaries, 1U);
  EXPECT_EQ(found.genus, 1U);
}

TEST(NavMesh, AreaOffTheLatticeIsRounded) {
  std::vector<LooseCell> cells = gridCells({".."}, 0, 100);
  cells[0].loop[2].x += 0.25;
  cells[1].loop[3].x += 0.25;
  const NavMesh mesh(joinCells(cells));
  EXPECT_TRUE(topology(mesh).doubledArea == 40'000);
  EXPECT_DOUBLE_EQ(cellArea(mesh, 0) + cellArea(mesh, 1), 2e-4);
}

// 100 units wide, a portal in the middle; the lower cell is 8 units thin at its left end, and its point lies at a wall
// and the portal.
TEST(NavMesh, CountsSlivers) {
  const auto sliversOf = [](const std::vector<LooseCell>& cells) {
    return countSlivers(NavMesh(joinCells(cells, {})));
  };
  const LooseCell upper{0, {{0, 0}, {100, 0}, {100, 50}, {0, 50}}};
  EXPECT_EQ(sliversOf({upper, {0, {{0, 0}, {100, -8}, {100, 0}}}}), 1U);  // 4.6 degrees
  EXPECT_EQ(sliversOf({upper, {0, {{0, 0}, {100, -9}, {100, 0}}}}), 0U);  // 5.1 degrees
  EXPECT_EQ(sliversOf({upper, {1, {{0, 0}, {100, -8}, {100, 0}}}}), 0U);  // walls only: no generator can help
  EXPECT_EQ(countSlivers(NavMesh()), 0U);
}

TEST(NavMesh, HashSeesEveryField) {
  const MeshArrays arrays = gridArrays({"..", ".."});
  const uint64_t original = hash(NavMesh(arrays));
  const auto changed = [&](auto&& change) {
    MeshArrays other = arrays;
    change(other);
    return hash(NavMesh(std::move(other))) != original;
  };
  EXPECT_TRUE(changed([](MeshArrays& a) { a.lattice.unit = 1e-3; }));
  EXPECT_TRUE(changed([](MeshArrays& a) { a.generator = "tset"; }));
  EXPECT_TRUE(changed([](MeshArrays& a) { a.settingsHash = 1; }));
  EXPECT_TRUE(changed([](MeshArrays& a) { a.environmentHash = 1; }));
  EXPECT_TRUE(changed([](MeshArrays& a) { a.environment.doubledArea.high += 1; }));
  EXPECT_TRUE(changed([](MeshArrays& a) { a.environment.components = 2; }));
  EXPECT_TRUE(changed([](MeshArrays& a) { a.environment.boundaries = 2; }));
  EXPECT_TRUE(changed([](MeshArrays& a) { a.environment.genus = 2; }));
  EXPECT_TRUE(changed([](MeshArrays& a) { a.traits.convex = false; }));
  EXPECT_TRUE(changed([](MeshArrays& a) { a.traits.disjoint = false; }));
  EXPECT_TRUE(changed([](MeshArrays& a) { a.traits.exact = false; }));
  EXPECT_TRUE(changed([](MeshArrays& a) { a.vertices[2].y += 1; }));
  EXPECT_TRUE(changed([](MeshArrays& a) { a.heights[2] += 1; }));
  EXPECT_TRUE(changed([](MeshArrays& a) { a.cellBegin[1] = 3; }));
  EXPECT_TRUE(changed([](MeshArrays& a) { a.cellLayer[1] = 3; }));
  EXPECT_TRUE(changed([](MeshArrays& a) { a.sideVertex[1] = 3; }));
  EXPECT_TRUE(changed([](MeshArrays& a) { a.sideTwin[1] = 3; }));
  EXPECT_TRUE(changed([](MeshArrays& a) { a.sideCell[1] = 3; }));
  EXPECT_TRUE(changed([](MeshArrays& a) { a.layerIds[0] = 3; }));
  EXPECT_TRUE(changed([](MeshArrays& a) { a.layerNames[0] = "x"; }));
  EXPECT_TRUE(changed([](MeshArrays& a) { a.layerHeights[0].base = 1; }));
  EXPECT_TRUE(changed([](MeshArrays& a) { a.layerHeights[0].points.push_back({}); }));
  EXPECT_TRUE(changed([](MeshArrays& a) { a.layerHeights[0].z.push_back(0); }));
  EXPECT_TRUE(changed([](MeshArrays& a) { a.layerHeights[0].triangles.push_back({}); }));
}

TEST(LateHash, IsComputedOnceForAllCopies) {
  int computed = 0;
  const LateHash late([&] { return static_cast<uint64_t>(7 * ++computed); });
  const LateHash copy = late;
  EXPECT_EQ(computed, 0);
  EXPECT_EQ(copy.value(), 7u);
  EXPECT_EQ(late.value(), 7u);
  EXPECT_EQ(computed, 1);
  EXPECT_EQ(LateHash(3).value(), 3u);
  EXPECT_EQ(LateHash().value(), 0u);
}

TEST(LayerHeights, CopiesShareThemUntilOneIsChanged) {
  LayerHeights heights{HeightField{}, HeightField{}};
  const LayerHeights same = heights;
  EXPECT_EQ(same.begin(), std::as_const(heights).begin());
  heights[1].base = 2;
  EXPECT_EQ(same[1].base, 0);
  EXPECT_NE(same, heights);
  LayerHeights copy = heights;
  copy.push_back({});
  EXPECT_EQ(std::as_const(heights).size(), 2u);
  EXPECT_EQ(copy.size(), 3u);
  EXPECT_EQ(LayerHeights().size(), 0u);
  EXPECT_EQ(LayerHeights(), LayerHeights());
}

TEST(NavMesh, TopologyOfDamagedTwinsEnds) {
  MeshArrays arrays = openGrid(4, 4);
  for (size_t i = 0; i < arrays.sideTwin.size(); ++i) {
    if (arrays.sideTwin[i] != kNone) arrays.sideTwin[i] = static_cast<SideId>((i * 7) % arrays.sideTwin.size());
  }
  const Topology found = topology(NavMesh(arrays));
  EXPECT_EQ(found.doubledArea, topology(NavMesh(openGrid(4, 4))).doubledArea);
  EXPECT_GE(found.components, 1U);
  EXPECT_LE(found.components, 16U);
}

}  // namespace
}  // namespace wend
