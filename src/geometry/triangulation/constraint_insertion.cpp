#include <algorithm>

#include "geometry/predicates.h"
#include "geometry/triangulation/delaunay_mesh.h"

// Constraints: the triangles that a segment crosses are removed, and the two sides of the hole are triangulated anew.
//
// Each side is a polygon that can be seen from the segment as a whole, and in such a polygon every convex corner is an
// ear (Toussaint and Avis 1982). So a scan with a stack triangulates it in linear time, where flipping crossed edges in
// a queue may need quadratic time; Lawson flips then restore the constrained Delaunay property.
namespace wend {

void DelaunayMesh::indexStars() {
  if (!incident_.empty() || triangles_.empty()) return;
  incident_.assign(points_.size(), 0);
  for (uint32_t t = 0; t < triangles_.size(); ++t) {
    for (const uint32_t v : triangles_[t].v) {
      if (v != kGhost) incident_[v] = t;
    }
  }
}

namespace {

DelaunayMesh::Side cornerAt(const DelaunayMesh& mesh, uint32_t t, uint32_t v) {
  const auto& corners = mesh.triangles()[t].v;
  return DelaunayMesh::side(t, corners[0] == v ? 0 : corners[1] == v ? 1 : 2);
}

}  // namespace

DelaunayMesh::Side DelaunayMesh::findSide(uint32_t a, uint32_t b) {
  indexStars();
  if (triangles_.empty()) return kNone;
  // Both stars in step, so that the smaller one decides: over all edges of a planar graph the sum of the smaller
  // degrees is linear, whatever hubs it has.
  const Side startA = cornerAt(*this, incident_[a], a);
  const Side startB = cornerAt(*this, incident_[b], b);
  Side atA = startA;
  Side atB = startB;
  do {
    if (corner(following(atA)) == b) return preceding(atA);
    if (corner(preceding(atB)) == a) return following(atB);
    atA = nextAround(atA);
    atB = nextAround(atB);
  } while (atA != startA && atB != startB);
  return kNone;
}

DelaunayMesh::Ahead DelaunayMesh::lookAhead(Side at, uint32_t target) const {
  const uint32_t right = corner(following(at));
  if (right == kGhost) return {};
  const Point from = points_[corner(at)];
  const Point to = points_[target];
  const int turn = orient(from, to, points_[right]);
  if (turn == 0 && (points_[right] > from) == (to > from)) return {Ahead::Kind::kVertex, 0, right};
  const uint32_t left = corner(preceding(at));
  if (turn >= 0 || left == kGhost || orient(from, to, points_[left]) <= 0) return {};
  return {Ahead::Kind::kCrossing, at, 0};
}

std::optional<DelaunayMesh::Crossing> DelaunayMesh::insertConstraint(uint32_t a, uint32_t b,
                                                                     std::vector<Edge>* pieces) {
  if (a == b || triangles_.empty()) return std::nullopt;
  indexStars();
  std::vector<Edge> fromB;
  while (a != b) {
    // Most constraints are there already.
    if (const Side there = findSide(a, b); there != kNone) {
      setFixed(there);
      if (pieces != nullptr) pieces->push_back({a, b});
      break;
    }
    // From both ends in step, as in findSide().
    Side atA = cornerAt(*this, incident_[a], a);
    Side atB = cornerAt(*this, incident_[b], b);
    Ahead ahead;
    bool forward = true;
    while (true) {
      ahead = lookAhead(atA, b);
      forward = true;
      if (ahead.kind != Ahead::Kind::kNothing) break;
      ahead = lookAhead(atB, a);
      forward = false;
      if (ahead.kind != Ahead::Kind::kNothing) break;
      atA = nextAround(atA);
      atB = nextAround(atB);
    }
    const uint32_t from = forward ? a : b;
    uint32_t reached = ahead.vertex;
    if (ahead.kind == Ahead::Kind::kVertex) {
      setFixed(findSide(from, reached));
    } else if (const auto crossing = cutThrough(ahead.side, from, forward ? b : a, reached)) {
      return crossing;
    }
    if (forward) {
      if (pieces != nullptr) pieces->push_back({a, reached});
      a = reached;
    } else {
      if (pieces != nullptr) fromB.push_back({reached, b});
      b = reached;
    }
  }
  if (pieces != nullptr) pieces->insert(pieces->end(), fromB.rbegin(), fromB.rend());
  return std::nullopt;
}

// Walks from a along the segment to b until a vertex on it is reached; then fills the hole.
std::optional<DelaunayMesh::Crossing> DelaunayMesh::cutThrough(Side first, uint32_t a, uint32_t b, uint32_t& reached) {
  hole_.assign(1, triangleOf(first));
  chain_.clear();
  std::vector<ChainEdge> rightChain;
  chain_.push_back({endOf(first), following(first)});
  rightChain.push_back({a, preceding(first)});
  Side crossed = first;
  while (true) {
    if (isFixed(crossed)) return Crossing{{startOf(crossed), endOf(crossed)}};
    const uint32_t right = startOf(crossed);
    const Side entered = twin(crossed);
    const uint32_t apex = corner(entered);
    hole_.push_back(triangleOf(entered));
    const int turn = orient(points_[a], points_[b], points_[apex]);
    if (turn >= 0) chain_.push_back({apex, preceding(entered)});
    if (turn <= 0) rightChain.push_back({right, following(entered)});
    if (turn == 0) {
      reached = apex;
      break;
    }
    crossed = turn > 0 ? following(entered) : preceding(entered);
  }
  const uint32_t split = static_cast<uint32_t>(chain_.size());
  chain_.insert(chain_.end(), rightChain.rbegin(), rightChain.rend());

  resolveOuterSides();
  size_t used = 0;
  const Side left = closeChain(a, 0, split, used);
  const Side right = closeChain(reached, split, static_cast<uint32_t>(chain_.size()), used);
  for (const ChainEdge& edge : chain_) {
    link(edge.fresh, edge.partner == kNone ? edge.outer : chain_[edge.partner].fresh);
    if (edge.fixed) triangles_[edge.fresh >> 2].fixed |= static_cast<uint8_t>(1U << (edge.fresh & 3));
  }
  link(left, right);
  setFixed(left);
  for (const uint32_t t : hole_) {
    for (unsigned i = 0; i < 3; ++i) stack_.push_back(side(t, i));
  }
  legalize();
  return std::nullopt;
}

// The triangles of the hole are about to be overwritten: remember what lies behind its edges.
void DelaunayMesh::resolveOuterSides() {
  for (const uint32_t t : hole_) triangles_[t].mark = 1;
  for (uint32_t e = 0; e < chain_.size(); ++e) {
    chain_[e].outer = twin(chain_[e].old);
    chain_[e].fixed = isFixed(chain_[e].old);
    triangles_[chain_[e].old >> 2].v[chain_[e].old & 3] = e;
  }
  // An edge with the hole on both sides dangles into it.
  for (ChainEdge& edge : chain_) {
    if (triangles_[edge.outer >> 2].mark != 0) edge.partner = corner(edge.outer);
  }
  for (const uint32_t t : hole_) triangles_[t].mark = 0;
}

void DelaunayMesh::attach(const Scan& edge, Side s) {
  if (edge.chainEdge != kNone) {
    chain_[edge.chainEdge].fresh = s;
  } else {
    link(s, edge.side);
  }
}

// Triangulates the polygon between the chain, which starts at `from`, and the segment joining its ends; the polygon
// lies right of the chain. Returns the side along the segment.
DelaunayMesh::Side DelaunayMesh::closeChain(uint32_t from, uint32_t begin, uint32_t end, size_t& used) {
  scan_.assign(1, {from, kNone, 0});
  for (uint32_t e = begin; e < end; ++e) {
    Scan next{chain_[e].to, e, 0};
    while (scan_.size() >= 2) {
      const Scan& middle = scan_.back();
      const uint32_t before = scan_[scan_.size() - 2].vertex;
      if (orient(points_[before], points_[middle.vertex], points_[next.vertex]) >= 0) break;
      const uint32_t t = hole_[used++];
      triangles_[t] = {{before, next.vertex, middle.vertex}, {}};
      for (const uint32_t v : triangles_[t].v) incident_[v] = t;
      attach(next, side(t, 0));
      attach(middle, side(t, 1));
      next = {next.vertex, kNone, side(t, 2)};
      scan_.pop_back();
    }
    scan_.push_back(next);
  }
  return scan_.back().side;
}

void DelaunayMesh::setFixed(Side s) {
  const Side o = twin(s);
  triangles_[s >> 2].fixed |= static_cast<uint8_t>(1U << (s & 3));
  triangles_[o >> 2].fixed |= static_cast<uint8_t>(1U << (o & 3));
}

void DelaunayMesh::legalize() {
  while (!stack_.empty()) {
    const Side s = stack_.back();
    stack_.pop_back();
    if (isFixed(s)) continue;
    const Side o = twin(s);
    const uint32_t t = triangleOf(s);
    const uint32_t u = triangleOf(o);
    if (isGhost(t) || isGhost(u) || !conflicts(t, points_[corner(o)])) continue;
    incident_[startOf(s)] = t;
    incident_[endOf(s)] = u;
    flip(s);
    stack_.insert(stack_.end(), {side(t, 0), side(t, 2), side(u, 0), side(u, 1)});
  }
}

}  // namespace wend
