#include "planning/point/corner_graph.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/predicates.h"
#include "geometry/vec2.h"
#include "mesh/cell_geometry.h"

namespace wend {

void CornerGraph::begin(uint64_t serial, const NavMesh& mesh) {
  mesh_ = &mesh;
  if (stamp_.advance()) {
    nodes_.wipe();
  }
  if (serial == serial_) return;
  serial_ = serial;
  edges_.clear();
  corners_.assign(mesh.vertexCount(), {});
  for (SideId s = 0; s < mesh.sideCount(); ++s) {
    corners_[mesh.startVertex(s)].side = s;
    if (!mesh.isWall(s)) continue;
    corners_[mesh.startVertex(s)].wallAfter = mesh.endVertex(s);
    corners_[mesh.endVertex(s)].wallBefore = mesh.startVertex(s);
  }
  count_ = static_cast<size_t>(std::count_if(analysis_->turnable.begin(), analysis_->turnable.end(),
                                             [](uint8_t turnable) { return turnable != 0; }));
  shown_.grow(mesh.vertexCount());
  nodes_.grow(mesh.vertexCount());
}

// A shortest path bends at a corner only where both walls lie on one side of its line. Where layers are wound around a
// corner, free space may be on both sides.
bool CornerGraph::isTangent(VertexId corner, Vec2 from) const {
  const Corner& c = corners_[corner];
  if (c.wallBefore == kNone || c.wallAfter == kNone || mesh_->layerCount() > 1) return true;
  const Vec2 p = mesh_->vertex(corner);
  return orient(from, p, mesh_->vertex(c.wallBefore)) * orient(from, p, mesh_->vertex(c.wallAfter)) >= 0;
}

void CornerGraph::cellsAround(VertexId corner) {
  around_.clear();
  const SideId first = corners_[corner].side;
  SideId s = first;
  do {
    around_.push_back(mesh_->cellOf(s));
    s = mesh_->twin(mesh_->previousSide(s));
  } while (s != kNone && s != first);
  if (s == first) return;
  for (s = mesh_->twin(first); s != kNone; s = mesh_->twin(mesh_->nextSide(s))) around_.push_back(mesh_->cellOf(s));
}

template <typename Sees>
void CornerGraph::show(const Root& root, VertexId corner, const Sees& sees) {
  if (corner == root.vertex || analysis_->turnable[corner] == 0 || !shown_.insert(corner, lookStamp_)) return;
  const Vec2 p = mesh_->vertex(corner);
  if (!isTangent(corner, root.place) || (root.vertex != kNone && !isTangent(root.vertex, p))) return;
  sees(corner, distance(root.place, p));
}

// The view is closed: a corner on its edge is seen. Counter-clockwise from the right end of the side the corners of the
// cell, which is convex, lie right of the view, then in it, then left of it.
template <typename Sees>
void CornerGraph::lookThrough(const Root& root, const Cone& cone, const Sees& sees) {
  const NavMesh::Views& views = mesh_->views();
  const CellId cell = views.sideCell[cone.side];
  const SideId begin = views.cellBegin[cell];
  const SideId end = views.cellBegin[cell + 1];
  const Vec2 left = views.vertices[cone.left];
  const Vec2 right = views.vertices[cone.right];
  if (!passed_.enter(cell, cone.depth, left - root.place, right - root.place)) return;
  if (wanted_ != nullptr && !isGoalSeen_ &&
      std::find(wanted_->goalCells.begin(), wanted_->goalCells.end(), cell) != wanted_->goalCells.end()) {
    isGoalSeen_ = orient(root.place, right, wanted_->goal) >= 0 && orient(root.place, left, wanted_->goal) <= 0;
  }
  const auto next = [&](SideId s) { return s + 1 == end ? begin : s + 1; };
  SideId s = next(cone.side);
  VertexId a = views.sideVertex[s];
  int aRight = a == cone.right ? 0 : -1;  // -1: right of the view
  int aLeft = -1;                         // 1: left of the view
  for (; s != cone.side && aLeft <= 0; s = next(s)) {
    const VertexId b = views.sideVertex[next(s)];
    const int bRight = aRight > 0 ? 1 : orient(root.place, right, views.vertices[b]);
    const int bLeft = bRight <= 0 ? -1 : orient(root.place, left, views.vertices[b]);
    if (bRight >= 0 && bLeft <= 0) show(root, b, sees);
    if (bRight > 0 && aLeft < 0 && views.sideTwin[s] != kNone) {
      cones_.push_back({views.sideTwin[s], bLeft <= 0 ? b : cone.left, aRight >= 0 ? a : cone.right, cone.depth + 1});
    }
    a = b;
    aRight = bRight;
    aLeft = bLeft;
  }
}

template <typename Sees>
void CornerGraph::look(const Root& root, const Sees& sees) {
  if (lookStamp_.advance()) shown_.wipe();
  cones_.clear();
  passed_.begin(mesh_->sideCount());
  for (const CellId cell : root.cells) {
    for (SideId s = mesh_->firstSide(cell); s != mesh_->endSide(cell); ++s) {
      const VertexId a = mesh_->startVertex(s);
      const VertexId b = mesh_->endVertex(s);
      show(root, a, sees);
      // Seen edge-on, a side shows nothing that the sides beside it do not.
      if (!mesh_->isWall(s) && orient(root.place, mesh_->vertex(a), mesh_->vertex(b)) != 0) {
        cones_.push_back({mesh_->twin(s), b, a, 0});
      }
    }
  }
  while (!cones_.empty()) {
    const Cone cone = cones_.back();
    cones_.pop_back();
    lookThrough(root, cone, sees);
  }
}

// Makes the edges of a corner known.
void CornerGraph::expand(VertexId corner) {
  if (corners_[corner].first != kNone) return;
  if (edges_.size() >= kMostEdges) {
    edges_.clear();
    for (Corner& c : corners_) c.first = kNone;
  }
  cellsAround(corner);
  corners_[corner].first = static_cast<uint32_t>(edges_.size());
  look({mesh_->vertex(corner), corner, around_}, [&](VertexId to, double length) { edges_.push_back({to, length}); });
  corners_[corner].count = static_cast<uint32_t>(edges_.size()) - corners_[corner].first;
}

bool CornerGraph::search(uint64_t serial, const NavMesh& mesh, const MeshAnalysis& analysis, const SearchEnds& ends,
                         SearchPath& path, uint64_t& expanded) {
  analysis_ = &analysis;
  begin(serial, mesh);
  if (count_ > kMostCorners) return false;
  open_.clear();
  double best = std::numeric_limits<double>::infinity();
  VertexId last = kNone;
  // From a corner that sees the goal the path goes there straight.
  const auto reach = [&](VertexId corner, double g, VertexId before) {
    Node* node = nodes_.find(corner, stamp_);
    if (node == nullptr) {
      nodes_.set(corner, {.rest = distance(mesh.vertex(corner), ends.goal)}, stamp_);
      node = nodes_.find(corner, stamp_);
    }
    const double f = g + node->rest;
    if (node->g <= g || f >= best) return;
    node->g = g;
    node->before = before;
    if (node->seesGoal) {
      best = f;
      last = corner;
      return;
    }
    open_.push({f, g, corner, 0, 0});
  };
  look({ends.goal, kNone, ends.goalCells},
       [&](VertexId corner, double length) { nodes_.set(corner, {.rest = length, .seesGoal = true}, stamp_); });
  wanted_ = &ends;
  isGoalSeen_ = false;
  look({ends.start, kNone, ends.startCells}, [&](VertexId c, double length) { reach(c, length, kNone); });
  wanted_ = nullptr;
  path.clear();
  if (isGoalSeen_) return true;
  while (!open_.empty()) {
    const OpenEntry entry = open_.pop();
    if (entry.f >= best) break;
    const VertexId corner = entry.side;
    if (entry.g > nodes_.find(corner, stamp_)->g) continue;
    ++expanded;
    expand(corner);
    const Corner& c = corners_[corner];
    for (uint32_t i = c.first; i < c.first + c.count; ++i) reach(edges_[i].to, entry.g + edges_[i].length, corner);
  }
  for (VertexId corner = last; corner != kNone; corner = nodes_.find(corner, stamp_)->before) {
    path.bends.push_back({mesh.vertex(corner), corner});
  }
  std::reverse(path.bends.begin(), path.bends.end());
  return last != kNone;
}

}  // namespace wend
