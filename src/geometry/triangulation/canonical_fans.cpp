#include <algorithm>

#include "geometry/predicates.h"
#include "geometry/triangulation/delaunay_mesh.h"

// Where four or more points lie on one circle, any triangulation of them is Delaunay. One of them is chosen that
// depends on the points alone.
namespace wend {

void DelaunayMesh::makeCanonical() {
  for (uint32_t t = 0; t < triangles_.size(); ++t) {
    if (triangles_[t].mark != 0 || isGhost(t)) continue;
    collectFace(t);
    if (hole_.size() > 1) makeFan();
    for (const uint32_t f : hole_) triangles_[f].mark = 2;
  }
  for (Triangle& triangle : triangles_) triangle.mark = 0;
  incident_.clear();
}

// The triangles joined to the seed by unconstrained edges whose four points are cocircular: a convex polygon. Their
// mark becomes 1; they are left in hole_.
void DelaunayMesh::collectFace(uint32_t seed) {
  hole_.assign(1, seed);
  triangles_[seed].mark = 1;
  const std::array<uint32_t, 3> circle = triangles_[seed].v;
  for (size_t next = 0; next < hole_.size(); ++next) {
    const uint32_t t = hole_[next];
    for (unsigned i = 0; i < 3; ++i) {
      const Side s = side(t, i);
      const uint32_t u = triangleOf(twin(s));
      if (isFixed(s) || triangles_[u].mark != 0 || isGhost(u)) continue;
      const Point d = points_[corner(twin(s))];
      if (inCircle(points_[circle[0]], points_[circle[1]], points_[circle[2]], d) != 0) continue;
      triangles_[u].mark = 1;
      hole_.push_back(u);
    }
  }
}

void DelaunayMesh::makeFan() {
  // Around the face, counter-clockwise; its triangles form a tree, so one walk meets every boundary side.
  const auto leaves = [&](Side s) { return triangles_[triangleOf(twin(s))].mark != 1; };
  Side start = side(hole_[0], 0);
  for (size_t i = 0; !leaves(start); ++i) start = side(hole_[i / 3], static_cast<unsigned>(i % 3));
  chain_.clear();
  Side s = start;
  do {
    chain_.push_back({endOf(s), s, twin(s)});
    s = following(s);
    while (!leaves(s)) s = following(twin(s));
  } while (s != start);

  // Begin with the edge that leaves the apex.
  const auto apex = std::min_element(chain_.begin(), chain_.end(), [&](const ChainEdge& a, const ChainEdge& b) {
    return points_[a.to] < points_[b.to];
  });
  std::rotate(chain_.begin(), apex + 1 == chain_.end() ? chain_.begin() : apex + 1, chain_.end());
  const uint32_t hub = chain_.back().to;
  const size_t count = chain_.size() - 2;
  for (size_t i = 0; i < count; ++i) {
    // Corners hub, x, y: side 0 is the boundary edge from x to y.
    triangles_[hole_[i]].v = {hub, chain_[i].to, chain_[i + 1].to};
    triangles_[hole_[i]].fixed = 0;
  }
  const auto join = [&](Side fresh, Side outer) {
    link(fresh, outer);
    if (isFixed(outer)) triangles_[fresh >> 2].fixed |= static_cast<uint8_t>(1U << (fresh & 3));
  };
  join(side(hole_[0], 2), chain_.front().outer);
  for (size_t i = 0; i < count; ++i) {
    join(side(hole_[i], 0), chain_[i + 1].outer);
    if (i + 1 < count) link(side(hole_[i], 1), side(hole_[i + 1], 2));
  }
  join(side(hole_[count - 1], 1), chain_.back().outer);
}

}  // namespace wend
