#pragma once

#include <string>
#include <vector>

#include <wend/environment.h>
#include <wend/navmesh.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

// What every mesh of grown regions obeys, beside the laws of exact meshes.
namespace wend {

// Cells around each vertex; a vertex on a wall has one fan, which is open.
inline std::vector<uint32_t> cellsAround(const NavMesh& mesh) {
  std::vector<uint32_t> count(mesh.vertexCount(), 0);
  for (SideId s = 0; s < mesh.sideCount(); ++s) ++count[mesh.startVertex(s)];
  return count;
}

// Vertices on walls, on connections and on portals that are not axis-aligned (borders of terrain).
inline std::vector<bool> atBorders(const NavMesh& mesh) {
  std::vector<bool> out(mesh.vertexCount(), false);
  for (SideId s = 0; s < mesh.sideCount(); ++s) {
    const bool isBorder = mesh.isWall(s) || mesh.layerOf(mesh.cellOf(s)) != mesh.layerOf(mesh.cellOf(mesh.twin(s)));
    if (!isBorder) continue;
    out[mesh.startVertex(s)] = true;
    out[mesh.endVertex(s)] = true;
  }
  return out;
}

// Portals within a layer are axis-aligned, and at most four cells meet in a point inside free space. Only for meshes
// without borders of terrain. Returns what is wrong.
inline std::string grownFault(const NavMesh& mesh) {
  for (SideId s = 0; s < mesh.sideCount(); ++s) {
    if (mesh.isWall(s) || mesh.layerOf(mesh.cellOf(s)) != mesh.layerOf(mesh.cellOf(mesh.twin(s)))) continue;
    const Vec2 a = mesh.vertex(mesh.startVertex(s));
    const Vec2 b = mesh.vertex(mesh.endVertex(s));
    if (a.x != b.x && a.y != b.y) return fmt::format("portal {} is slanted", s);
  }
  const std::vector<uint32_t> around = cellsAround(mesh);
  const std::vector<bool> isBorder = atBorders(mesh);
  for (VertexId v = 0; v < mesh.vertexCount(); ++v) {
    if (!isBorder[v] && around[v] > 4) return fmt::format("{} cells at vertex {}", around[v], v);
  }
  return "";
}

inline void expectGrown(const NavMesh& mesh) {
  EXPECT_EQ(grownFault(mesh), "");
}

}  // namespace wend
