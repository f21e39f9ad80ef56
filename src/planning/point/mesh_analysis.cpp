#include "planning/point/mesh_analysis.h"

#include <cmath>
#include <numbers>

#include "geometry/predicates.h"
#include "geometry/vec2.h"

namespace wend {
namespace {

std::vector<uint32_t> findComponents(const NavMesh& mesh) {
  std::vector<uint32_t> component(mesh.cellCount(), kNone);
  std::vector<CellId> open;
  uint32_t count = 0;
  for (CellId first = 0; first < mesh.cellCount(); ++first) {
    if (component[first] != kNone) continue;
    component[first] = count;
    open.push_back(first);
    while (!open.empty()) {
      const CellId cell = open.back();
      open.pop_back();
      for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s) {
        const CellId next = mesh.neighbour(s);
        if (next == kNone || component[next] != kNone) continue;
        component[next] = count;
        open.push_back(next);
      }
    }
    ++count;
  }
  return component;
}

// Strips leaves until none is left. A cell joined to one neighbour by two portals encloses an obstacle, so portals are
// counted, not neighbours.
std::vector<CellId> findDeadEnds(const NavMesh& mesh) {
  std::vector<uint32_t> portals(mesh.cellCount(), 0);
  std::vector<CellId> leaves;
  for (CellId cell = 0; cell < mesh.cellCount(); ++cell) {
    for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s) portals[cell] += mesh.isWall(s) ? 0 : 1;
    if (portals[cell] == 1) leaves.push_back(cell);
  }
  std::vector<CellId> parent(mesh.cellCount(), kNone);
  std::vector<uint8_t> stripped(mesh.cellCount(), 0);
  while (!leaves.empty()) {
    const CellId cell = leaves.back();
    leaves.pop_back();
    if (portals[cell] != 1) continue;  // the other half of the last pair of a tree: it stays as the tree's root
    stripped[cell] = 1;
    for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s) {
      const CellId next = mesh.neighbour(s);
      if (next == kNone || stripped[next] != 0) continue;
      parent[cell] = next;
      if (--portals[next] == 1) leaves.push_back(next);
    }
  }
  return parent;
}

// The next side counter-clockwise around the start of `side`, or kNone at a wall. Twins that are not mutual (a damaged
// mesh) count as walls, so that walking around a vertex always ends.
SideId rotate(const NavMesh& mesh, SideId side) {
  const SideId before = mesh.previousSide(side);
  const SideId across = mesh.twin(before);
  return across != kNone && mesh.twin(across) == before ? across : kNone;
}

// The free angle of a fan that begins with the wall `first` and runs counter-clockwise, compared with pi.
bool isFreeAngleAbovePi(const NavMesh& mesh, SideId first) {
  const Vec2 v = mesh.vertex(mesh.startVertex(first));
  const Vec2 begin = mesh.vertex(mesh.endVertex(first));
  for (SideId side = first; side != kNone; side = rotate(mesh, side)) {
    const Vec2 end = mesh.vertex(mesh.startVertex(mesh.previousSide(side)));
    const int sign = orient(v, begin, end);
    if (sign < 0) return true;
    // Exactly pi so far: more only if the fan goes on.
    if (sign == 0) return rotate(mesh, side) != kNone;
  }
  return false;
}

// Inner vertices where layers meet may carry several full turns. The sum is a multiple of 2 pi, so rounding cannot
// mistake it.
void findConePoints(const NavMesh& mesh, std::vector<uint8_t>& turnable) {
  for (SideId s = 0; s < mesh.sideCount(); ++s) {
    if (mesh.isWall(s) || mesh.layerOf(mesh.cellOf(s)) == mesh.layerOf(mesh.neighbour(s))) continue;
    const VertexId vertex = mesh.startVertex(s);
    const Vec2 v = mesh.vertex(vertex);
    double sum = 0;
    SideId side = s;
    do {
      const Vec2 a = mesh.vertex(mesh.endVertex(side));
      const Vec2 b = mesh.vertex(mesh.startVertex(mesh.previousSide(side)));
      const double cross = (a.x - v.x) * (b.y - v.y) - (a.y - v.y) * (b.x - v.x);
      const double dot = (a.x - v.x) * (b.x - v.x) + (a.y - v.y) * (b.y - v.y);
      sum += std::abs(std::atan2(cross, dot));
      side = rotate(mesh, side);
    } while (side != kNone && side != s);
    if (side == s && sum > 3 * std::numbers::pi) turnable[vertex] = 1;
  }
}

std::vector<uint8_t> findTurnable(const NavMesh& mesh) {
  std::vector<uint8_t> turnable(mesh.vertexCount(), 0);
  for (SideId s = 0; s < mesh.sideCount(); ++s) {
    if (mesh.isWall(s) && isFreeAngleAbovePi(mesh, s)) turnable[mesh.startVertex(s)] = 1;
  }
  if (mesh.layerCount() > 1) findConePoints(mesh, turnable);
  return turnable;
}

}  // namespace

MeshAnalysis analyseMesh(const NavMesh& mesh) {
  return {findComponents(mesh), findDeadEnds(mesh), findTurnable(mesh)};
}

}  // namespace wend
