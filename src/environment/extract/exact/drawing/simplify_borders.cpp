#include "environment/extract/exact/drawing/simplify_borders.h"

#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "environment/extract/polygons/rings.h"
#include "environment/heights.h"
#include "geometry/predicates.h"
#include "geometry/simplify.h"
#include "geometry/vec2.h"

namespace wend::exact {
namespace {

// Adds triangles between borders as they were and as they are.
class HeightsBeyond {
 public:
  explicit HeightsBeyond(HeightField& field) : field_(field) {}

  // The vertices of the second ring are some of the first, in the same order.
  void follow(const Ring& before, const Ring& after) {
    if (field_.flat() || before.size() == after.size()) return;
    if (!lookup_) lookup_.emplace(old_ = field_);
    size_t at = 0;
    while (before[at] != after[0]) ++at;
    std::vector<Point> chain;
    for (size_t i = 0; i < after.size(); ++i) {
      const Point end = after[i + 1 == after.size() ? 0 : i + 1];
      chain.assign(1, before[at]);
      do {
        at = at + 1 == before.size() ? 0 : at + 1;
        chain.push_back(before[at]);
      } while (before[at] != end);
      if (chain.size() > 2) cover(chain);
    }
  }

 private:
  // The interior was left of the chain, and is left of the line between its ends now.
  void cover(std::span<const Point> chain) {
    const Vec2 from = toVec2(chain.front());
    const Vec2 along = toVec2(chain.back()) - from;
    const double square = dot(along, along);
    const auto foot = [&](Point p) {
      const Vec2 d = toVec2(p) - from;
      if (cross(along, d) <= 0) return p;  // the border moved inwards there
      const double t = std::fmin(std::fmax(dot(d, along) / square, 0.0), 1.0);
      return extraction::rounded(from.x + t * along.x, from.y + t * along.y);
    };
    for (size_t i = 0; i + 1 < chain.size(); ++i) {
      const Point a = chain[i];
      const Point b = chain[i + 1];
      const double za = lookup_->at(toVec2(a));
      const double zb = lookup_->at(toVec2(b));
      add({foot(a), foot(b), b}, {za, zb, zb});
      add({foot(a), b, a}, {za, zb, za});
    }
  }

  void add(const std::array<Point, 3>& p, const std::array<double, 3>& z) {
    if (orient(p[0], p[1], p[2]) <= 0) return;
    const auto first = static_cast<uint32_t>(field_.points.size());
    for (size_t i = 0; i < 3; ++i) {
      field_.points.push_back(p[i]);
      field_.z.push_back(z[i]);
    }
    field_.triangles.push_back({first, first + 1, first + 2});
  }

  HeightField& field_;
  HeightField old_;
  std::optional<HeightLookup> lookup_;
};

}  // namespace

void simplifyBorders(Environment& environment, double tolerance, const Context& context) {
  if (!(tolerance > 1)) return;
  std::vector<std::vector<Point>> keep(environment.layers.size());
  for (const Connection& c : environment.connections) {
    for (const uint32_t layer : {c.layerA, c.layerB}) {
      keep[layer].insert(keep[layer].end(), c.line.begin(), c.line.end());
    }
  }
  parallelFor(environment.layers.size(), context, [&](size_t i) {
    Layer& layer = environment.layers[i];
    std::vector<Polygon> simple = simplify(layer.free, tolerance, keep[i]);
    HeightsBeyond heights(layer.heights);
    for (size_t p = 0; p < simple.size(); ++p) {
      heights.follow(layer.free[p].outer, simple[p].outer);
      for (size_t h = 0; h < simple[p].holes.size(); ++h) heights.follow(layer.free[p].holes[h], simple[p].holes[h]);
    }
    layer.free = std::move(simple);
  });
}

}  // namespace wend::exact
