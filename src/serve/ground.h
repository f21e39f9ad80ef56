#pragma once

#include <array>
#include <cmath>
#include <vector>

#include <wend/navmesh.h>

#include "mesh/surface_index.h"

// The surface of all layers, for shapes that lie on it.
namespace wend::serve {

class Ground {
 public:
  explicit Ground(const NavMesh& mesh) : lattice_(mesh.lattice()) {
    for (const HeightField& field : mesh.info().layerHeights) {
      surfaces_.emplace_back(field);
      flat_.push_back(field.flat());
    }
  }

  Vec3 lift(Vec2 units, LayerId layer) const {
    const Vec2 metres = lattice_.toMetres(units);
    return {metres.x, metres.y, layer < surfaces_.size() ? surfaces_[layer].at(units) : 0};
  }

  // Calls visit(a, b) for pieces of the segment that follow the surface.
  template <typename Visit>
  void follow(Vec2 a, Vec2 b, LayerId layer, const Visit& visit, int depth = 6) const {
    const Vec2 middle{(a.x + b.x) / 2, (a.y + b.y) / 2};
    if (isFlat(layer) || depth == 0 || bend(a, b, middle, layer) < kVisible) {
      visit(lift(a, layer), lift(b, layer));
      return;
    }
    follow(a, middle, layer, visit, depth - 1);
    follow(middle, b, layer, visit, depth - 1);
  }

  // The same for a triangle: halves its longest side until the pieces lie on the surface.
  template <typename Visit>
  void cover(Vec2 a, Vec2 b, Vec2 c, LayerId layer, const Visit& visit, int depth = 9) const {
    const double ab = length(a, b);
    const double bc = length(b, c);
    const double ca = length(c, a);
    if (bc > ab && bc >= ca) return cover(b, c, a, layer, visit, depth);
    if (ca > ab && ca > bc) return cover(c, a, b, layer, visit, depth);
    const Vec2 middle{(a.x + b.x) / 2, (a.y + b.y) / 2};
    if (isFlat(layer) || depth == 0 || ab * lattice_.unit < kFinest || !isBent(a, b, c, layer)) {
      visit(lift(a, layer), lift(b, layer), lift(c, layer));
      return;
    }
    cover(b, c, middle, layer, visit, depth - 1);
    cover(c, a, middle, layer, visit, depth - 1);
  }

 private:
  static constexpr double kVisible = 0.03;  // m; a smaller bend is not seen
  static constexpr double kFinest = 0.5;    // m; sides are not halved below this

  bool isFlat(LayerId layer) const { return layer >= flat_.size() || flat_[layer]; }
  static double length(Vec2 a, Vec2 b) { return std::hypot(b.x - a.x, b.y - a.y); }
  double bend(Vec2 a, Vec2 b, Vec2 middle, LayerId layer) const {
    return std::abs((lift(a, layer).z + lift(b, layer).z) / 2 - lift(middle, layer).z);
  }
  bool isBent(Vec2 a, Vec2 b, Vec2 c, LayerId layer) const {
    const auto middle = [](Vec2 p, Vec2 q) { return Vec2{(p.x + q.x) / 2, (p.y + q.y) / 2}; };
    if (bend(a, b, middle(a, b), layer) > kVisible || bend(b, c, middle(b, c), layer) > kVisible ||
        bend(c, a, middle(c, a), layer) > kVisible) {
      return true;
    }
    const Vec2 centre{(a.x + b.x + c.x) / 3, (a.y + b.y + c.y) / 3};
    const double mean = (lift(a, layer).z + lift(b, layer).z + lift(c, layer).z) / 3;
    return std::abs(mean - lift(centre, layer).z) > kVisible;
  }

  Lattice lattice_;
  std::vector<SurfaceIndex> surfaces_;
  std::vector<bool> flat_;
};

}  // namespace wend::serve
