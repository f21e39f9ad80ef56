#include <algorithm>

#include "geometry/index/hilbert_order.h"
#include "geometry/predicates.h"
#include "geometry/triangulation/delaunay_mesh.h"

// Incremental insertion with Lawson flips.
namespace wend {

bool DelaunayMesh::insertPoints(const Context& context) {
  std::vector<uint32_t> order = insertionOrder(points_);
  // The first triangle: two points and the first one that is not on their line.
  size_t third = 2;
  while (third < order.size() && orient(points_[order[0]], points_[order[1]], points_[order[third]]) == 0) ++third;
  if (third >= order.size()) return true;
  std::rotate(order.begin() + 2, order.begin() + static_cast<std::ptrdiff_t>(third),
              order.begin() + static_cast<std::ptrdiff_t>(third) + 1);

  triangles_.reserve(2 * order.size() + 2);
  makeFirstTriangle(order[0], order[1], order[2]);
  for (size_t i = 3; i < order.size(); ++i) {
    if ((i & 0xfff) == 0) {
      if (context.cancelled()) return false;
      if ((i & 0xffff) == 0) context.report("triangulate", static_cast<double>(i) / static_cast<double>(order.size()));
    }
    insertPoint(order[i]);
  }
  return true;
}

void DelaunayMesh::makeFirstTriangle(uint32_t a, uint32_t b, uint32_t c) {
  if (orient(points_[a], points_[b], points_[c]) < 0) std::swap(b, c);
  triangles_.push_back({{a, b, c}, {}});
  triangles_.push_back({{kGhost, c, b}, {}});
  triangles_.push_back({{kGhost, a, c}, {}});
  triangles_.push_back({{kGhost, b, a}, {}});
  for (unsigned i = 0; i < 3; ++i) link(side(0, i), side(i + 1, 0));
  // Ghosts around the hull: side 1 of (ghost, x, y) runs from y to the ghost, side 2 from the ghost to x.
  link(side(1, 1), side(3, 2));
  link(side(3, 1), side(2, 2));
  link(side(2, 1), side(1, 2));
}

DelaunayMesh::Place DelaunayMesh::locate(Point p) {
  uint32_t t = last_;
  Side entered = kNone;
  if (isGhost(t)) {
    for (unsigned i = 0; i < 3; ++i) {
      if (triangles_[t].v[i] == kGhost) {
        t = triangleOf(triangles_[t].twin[i]);
        break;
      }
    }
  }
  // A visibility walk: in a Delaunay triangulation it cannot go in circles.
  while (true) {
    const Triangle& triangle = triangles_[t];
    Side through = kNone;
    Side on = kNone;
    for (unsigned i = 0; i < 3; ++i) {
      if (side(t, i) == entered) continue;
      const int turn = orient(points_[triangle.v[(i + 1) % 3]], points_[triangle.v[(i + 2) % 3]], p);
      if (turn < 0) {
        through = side(t, i);
        break;
      }
      if (turn == 0) on = side(t, i);
    }
    if (through == kNone) return on == kNone ? Place{side(t, 0), false} : Place{on, true};
    entered = twin(through);
    t = triangleOf(entered);
    if (isGhost(t)) return {side(t, 0), false};
  }
}

void DelaunayMesh::insertPoint(uint32_t p) {
  const Place place = locate(points_[p]);
  if (place.onSide) {
    splitSide(place.side, p);
  } else {
    splitTriangle(triangleOf(place.side), p);
  }
  flipAround(p);
}

// New triangles have p as corner 0; the sides to check are their sides 0.
void DelaunayMesh::splitTriangle(uint32_t t, uint32_t p) {
  const Triangle old = triangles_[t];
  const uint32_t u = static_cast<uint32_t>(triangles_.size());
  const uint32_t w = u + 1;
  triangles_.resize(triangles_.size() + 2);
  const uint32_t star[3] = {t, u, w};
  for (unsigned i = 0; i < 3; ++i) {
    triangles_[star[i]] = {{p, old.v[i], old.v[(i + 1) % 3]}, {}};
    link(side(star[i], 0), old.twin[(i + 2) % 3]);
    stack_.push_back(side(star[i], 0));
  }
  for (unsigned i = 0; i < 3; ++i) link(side(star[i], 1), side(star[(i + 1) % 3], 2));
  last_ = t;
}

void DelaunayMesh::splitSide(Side s, uint32_t p) {
  const Side o = twin(s);
  const uint32_t star[4] = {triangleOf(s), triangleOf(o), static_cast<uint32_t>(triangles_.size()),
                            static_cast<uint32_t>(triangles_.size() + 1)};
  const uint32_t ring[4] = {endOf(s), corner(s), startOf(s), corner(o)};
  const Side outer[4] = {twin(following(s)), twin(preceding(s)), twin(following(o)), twin(preceding(o))};
  triangles_.resize(triangles_.size() + 2);
  for (unsigned i = 0; i < 4; ++i) {
    triangles_[star[i]] = {{p, ring[i], ring[(i + 1) % 4]}, {}};
    link(side(star[i], 0), outer[i]);
    stack_.push_back(side(star[i], 0));
  }
  for (unsigned i = 0; i < 4; ++i) link(side(star[i], 1), side(star[(i + 1) % 4], 2));
  last_ = star[0];
}

void DelaunayMesh::flipAround(uint32_t p) {
  while (!stack_.empty()) {
    const Side s = stack_.back();
    stack_.pop_back();
    const Side o = twin(s);
    if (!conflicts(triangleOf(o), points_[p])) continue;
    flip(s);
    stack_.push_back(side(triangleOf(s), 0));
    stack_.push_back(side(triangleOf(o), 0));
  }
}

void DelaunayMesh::flip(Side s) {
  const Side o = twin(s);
  const uint32_t t = triangleOf(s);
  const uint32_t u = triangleOf(o);
  const Triangle own = triangles_[t];
  const Triangle other = triangles_[u];
  const Side bp = following(s & 3);
  const Side pa = preceding(s & 3);
  const Side ad = following(o & 3);
  const Side db = preceding(o & 3);
  const uint32_t p = own.v[s & 3];
  const uint32_t d = other.v[o & 3];
  const auto bit = [](const Triangle& from, Side side) { return from.fixed >> side & 1U; };
  triangles_[t].v = {p, own.v[bp], d};
  triangles_[t].fixed = static_cast<uint8_t>(bit(other, ad) | bit(own, pa) << 2);
  triangles_[u].v = {p, d, own.v[pa]};
  triangles_[u].fixed = static_cast<uint8_t>(bit(other, db) | bit(own, bp) << 1);
  link(side(t, 0), other.twin[ad]);
  link(side(t, 2), own.twin[pa]);
  link(side(u, 0), other.twin[db]);
  link(side(u, 1), own.twin[bp]);
  link(side(t, 1), side(u, 2));
}

}  // namespace wend
