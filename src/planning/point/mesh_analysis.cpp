#include "planning/point/mesh_analysis.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "geometry/predicates.h"
#include "geometry/vec2.h"
#include "mesh/live_arrays.h"

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

// Whether layers wind around an inner vertex by more than one full turn; `first` is any side that starts in it. The sum
// is a multiple of 2 pi, so rounding cannot mistake it.
bool isConePoint(const NavMesh& mesh, SideId first) {
  const Vec2 v = mesh.vertex(mesh.startVertex(first));
  double sum = 0;
  SideId side = first;
  do {
    const Vec2 a = mesh.vertex(mesh.endVertex(side));
    const Vec2 b = mesh.vertex(mesh.startVertex(mesh.previousSide(side)));
    const double cross = (a.x - v.x) * (b.y - v.y) - (a.y - v.y) * (b.x - v.x);
    const double dot = (a.x - v.x) * (b.x - v.x) + (a.y - v.y) * (b.y - v.y);
    sum += std::abs(std::atan2(cross, dot));
    side = rotate(mesh, side);
  } while (side != kNone && side != first);
  return side == first && sum > 3 * std::numbers::pi;
}

// Whether the side makes its start turnable: each vertex has one wall that starts in it at most, and inner vertices of
// several layers lie on portals between layers.
bool isTurnAt(const NavMesh& mesh, SideId side) {
  if (mesh.isWall(side)) return isFreeAngleAbovePi(mesh, side);
  return mesh.layerOf(mesh.cellOf(side)) != mesh.layerOf(mesh.neighbour(side)) && isConePoint(mesh, side);
}

std::vector<uint8_t> findTurnable(const NavMesh& mesh) {
  std::vector<uint8_t> turnable(mesh.vertexCount(), 0);
  for (SideId s = 0; s < mesh.sideCount(); ++s) {
    if (isTurnAt(mesh, s)) turnable[mesh.startVertex(s)] = 1;
  }
  return turnable;
}

// The next side clockwise around the start of `side`, or kNone at a wall.
SideId rotateBack(const NavMesh& mesh, SideId side) {
  const SideId across = mesh.twin(side);
  return across != kNone && mesh.twin(across) == side ? mesh.nextSide(across) : kNone;
}

// Whether one of the sides that start where this one does makes that vertex turnable.
bool isTurnAround(const NavMesh& mesh, SideId first) {
  SideId side = first;
  do {
    if (isTurnAt(mesh, side)) return true;
    side = rotate(mesh, side);
  } while (side != kNone && side != first);
  if (side == first) return false;
  for (side = rotateBack(mesh, first); side != kNone; side = rotateBack(mesh, side)) {
    if (isTurnAt(mesh, side)) return true;
  }
  return false;
}

}  // namespace

MeshAnalysis analyseMesh(const NavMesh& mesh) {
  return {findComponents(mesh), findDeadEnds(mesh), findTurnable(mesh)};
}

MeshAnalysis analyseMesh(const NavMesh& mesh, const NavMesh& old, const MeshAnalysis& before) {
  const std::optional<MeshDifference> difference = differenceBetween(old, mesh);
  if (!difference) return analyseMesh(mesh);
  std::vector<uint8_t> turnable = before.turnable;
  turnable.resize(mesh.vertexCount(), 0);
  std::vector<uint8_t> seen(mesh.vertexCount(), 0);
  for (const uint32_t block : difference->sides) {
    const SideId end = std::min((block + 1) * BlockLog::kBlock, mesh.sideCount());
    for (SideId s = block * BlockLog::kBlock; s < end; ++s) {
      for (const SideId side : {s, mesh.nextSide(s)}) {
        const VertexId vertex = mesh.startVertex(side);
        if (seen[vertex] != 0) continue;
        seen[vertex] = 1;
        turnable[vertex] = isTurnAround(mesh, side) ? 1 : 0;
      }
    }
  }
  return {findComponents(mesh), findDeadEnds(mesh), std::move(turnable)};
}

}  // namespace wend
