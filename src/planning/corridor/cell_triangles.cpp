#include "planning/corridor/cell_triangles.h"

#include <limits>
#include <span>

#include "geometry/predicates.h"
#include "geometry/vec2.h"
#include "mesh/cell_geometry.h"

namespace wend {
namespace {

// What is left of a cell while ears are cut off. Each corner knows the edge on its other side, if an ear was cut there.
struct UncutCell {
  static constexpr size_t kMost = 16;
  struct Corner {
    Vec2 place;
    uint8_t id;
    CellTriangles::Edge across;  // of the edge from here on
  };
  std::array<Corner, kMost> corners;
  size_t count = 0;

  const Corner& at(size_t i) const { return corners[i % count]; }

  // Whether no other corner lies in the closed triangle at i.
  bool isEar(size_t i) const {
    const Vec2 a = at(i + count - 1).place;
    const Vec2 b = at(i).place;
    const Vec2 c = at(i + 1).place;
    if (orient(a, b, c) <= 0) return false;
    for (size_t k = i + 2; k < i + count - 1; ++k) {
      const Vec2 p = at(k).place;
      if (orient(a, b, p) >= 0 && orient(b, c, p) >= 0 && orient(c, a, p) >= 0) return false;
    }
    return true;
  }
  // The ear with the shortest cut. A loop that is not simple, by rounding, may have none: then any corner does, since
  // a walk looks at one corner after the other and never at areas.
  size_t bestEar() const {
    size_t best = 0;
    double shortest = std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < count; ++i) {
      const Vec2 cut = at(i + 1).place - at(i + count - 1).place;
      if (dot(cut, cut) >= shortest || !isEar(i)) continue;
      shortest = dot(cut, cut);
      best = i;
    }
    return best;
  }
};

}  // namespace

void CellTriangles::follow(const NavMesh& mesh, uint64_t serial) {
  if (serial == serial_) return;
  serial_ = serial;
  if (stamp_.advance()) made_.wipe();
  made_.grow(mesh.cellCount());
  if (onSide_.size() < mesh.sideCount()) onSide_.resize(mesh.sideCount());
  if (edges_.size() < begin(mesh, mesh.cellCount())) edges_.resize(begin(mesh, mesh.cellCount()));
}

const CellTriangles::Half* CellTriangles::make(const NavMesh& mesh, CellId cell) {
  static_assert(kMostSides <= UncutCell::kMost && 4 * (kMostSides - 2) < kSide);
  const SideId first = mesh.firstSide(cell);
  const uint32_t sides = mesh.sideCount(cell);
  if (sides < 3 || sides > kMostSides) return nullptr;
  UncutCell rest;
  for (uint32_t i = 0; i < sides; ++i) {
    rest.corners[rest.count++] = {startPoint(mesh, first + i), static_cast<uint8_t>(i), kSide};
  }
  Half* const edges = edges_.data() + begin(mesh, cell);
  const auto put = [&](Edge edge, const UncutCell::Corner& corner) {
    edges[edge] = {corner.id, corner.across};
    if (corner.across == kSide) {
      onSide_[first + corner.id] = edge;
    } else {
      edges[corner.across].across = edge;
    }
  };
  Edge edge = 0;
  for (; rest.count > 3; edge += 4) {
    const size_t ear = rest.bestEar();
    const size_t before = (ear + rest.count - 1) % rest.count;
    put(edge, rest.corners[before]);
    put(edge + 1, rest.corners[ear]);
    edges[edge + 2] = {rest.at(ear + 1).id, kSide};  // the cut, whose other side follows
    rest.corners[before].across = edge + 2;
    for (size_t k = ear + 1; k < rest.count; ++k) rest.corners[k - 1] = rest.corners[k];
    --rest.count;
  }
  for (size_t i = 0; i < 3; ++i) put(edge + static_cast<Edge>(i), rest.corners[i]);
  made_.insert(cell, stamp_);
  return edges;
}

}  // namespace wend
