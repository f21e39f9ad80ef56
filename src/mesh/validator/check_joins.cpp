#include <set>
#include <utility>

#include "mesh/cell_geometry.h"
#include "mesh/overlap_sweep.h"
#include "mesh/validator/check_steps.h"

namespace wend {

namespace {

Vec2 middle(const NavMesh& mesh, SideId side) {
  const Vec2 a = startPoint(mesh, side);
  const Vec2 b = endPoint(mesh, side);
  return {(a.x + b.x) / 2, (a.y + b.y) / 2};
}

}  // namespace

std::vector<bool> checkTwins(const NavMesh& mesh, FaultList& faults) {
  std::vector<bool> joined(mesh.sideCount(), false);
  for (SideId s = 0; s < mesh.sideCount(); ++s) {
    if (mesh.isWall(s)) continue;
    const SideId t = mesh.twin(s);
    const CellId cell = mesh.cellOf(s);
    if (mesh.twin(t) != s) {
      faults.add(MeshFaultKind::kTwin, cell, middle(mesh, s),
                 "side {} of cell {} names side {} of cell {}, but not vice versa", s, cell, t, mesh.cellOf(t));
    } else if (mesh.cellOf(t) == cell) {
      faults.add(MeshFaultKind::kTwin, cell, middle(mesh, s), "cell {} is its own neighbour", cell);
    } else if (mesh.startVertex(s) != mesh.endVertex(t) || mesh.endVertex(s) != mesh.startVertex(t)) {
      if (s < t) {
        faults.add(MeshFaultKind::kTwin, cell, middle(mesh, s),
                   "the portal between cells {} and {} has other vertices on each side", cell, mesh.cellOf(t));
      }
    } else {
      joined[s] = true;
    }
  }
  return joined;
}

void checkFans(const NavMesh& mesh, const std::vector<bool>& joined, FaultList& faults) {
  const auto reliable = [&](SideId s) { return mesh.isWall(s) || joined[s]; };
  std::vector<SideId> first(mesh.vertexCount(), kNone);
  std::vector<uint32_t> degree(mesh.vertexCount(), 0);
  std::vector<bool> doubtful(mesh.vertexCount(), false);
  for (SideId s = 0; s < mesh.sideCount(); ++s) {
    const VertexId v = mesh.startVertex(s);
    if (degree[v]++ == 0) first[v] = s;
    if (!reliable(s) || !reliable(mesh.previousSide(s))) doubtful[v] = true;
  }
  for (VertexId v = 0; v < mesh.vertexCount(); ++v) {
    if (doubtful[v]) continue;
    if (degree[v] == 0) {
      faults.add(MeshFaultKind::kFan, kNone, mesh.vertex(v), "vertex {} belongs to no cell", v);
      continue;
    }
    // Around the vertex one way until a wall or the start, then the other way.
    uint32_t met = 1;
    SideId s = first[v];
    while (met <= degree[v] && !mesh.isWall(s)) {
      s = mesh.nextSide(mesh.twin(s));
      if (s == first[v]) break;
      ++met;
    }
    if (mesh.isWall(s)) {
      for (s = mesh.previousSide(first[v]); met <= degree[v] && !mesh.isWall(s); ++met) {
        s = mesh.previousSide(mesh.twin(s));
      }
    }
    if (met != degree[v]) {
      faults.add(MeshFaultKind::kFan, mesh.cellOf(first[v]), mesh.vertex(v),
                 "the {} cells around vertex {} are not one fan: {} of them are joined", degree[v], v, met);
    }
  }
}

void checkOverlap(const NavMesh& mesh, const std::vector<bool>& joined, const std::vector<bool>& badLayers,
                  FaultList& faults) {
  std::vector<std::vector<SweepSide>> sides(mesh.layerCount());
  for (SideId s = 0; s < mesh.sideCount(); ++s) {
    const CellId cell = mesh.cellOf(s);
    const LayerId layer = mesh.layerOf(cell);
    const bool inside = joined[s] && mesh.layerOf(mesh.neighbour(s)) == layer;
    if (badLayers[layer] || (inside && mesh.twin(s) < s)) continue;
    sides[layer].push_back(
        sweepSide(startPoint(mesh, s), endPoint(mesh, s), cell, inside ? mesh.neighbour(s) : kNone, s));
  }
  for (std::vector<SweepSide>& layer : sides) {
    std::set<std::pair<CellId, CellId>> known;
    for (const SweepFault& fault : sweepSides(std::move(layer), faults.room())) {
      const auto [a, b] = std::minmax(fault.firstCell, fault.secondCell);
      if (!known.insert({a, b}).second) continue;
      if (fault.kind != SweepFaultKind::kSlit) {
        faults.add(MeshFaultKind::kOverlap, a, fault.place, "cells {} and {} overlap", a, b);
      } else if (mesh.info().traits.exact && mesh.isWall(fault.first) && mesh.isWall(fault.second)) {
        faults.add(MeshFaultKind::kObstacle, a, fault.place,
                   "cells {} and {} have a wall without thickness between them", a, b);
      }
    }
  }
}

}  // namespace wend
