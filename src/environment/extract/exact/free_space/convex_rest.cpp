#include "environment/extract/exact/free_space/convex_rest.h"

#include <cmath>
#include <utility>

#include "geometry/vec2.h"

namespace wend::exact {
namespace {

constexpr size_t kMostCornersOfFloor = 8;
constexpr size_t kMostPolygonsLeft = 16;
constexpr size_t kMostPiecesTried = 256;
// What lies less far beyond a line is not beyond it. Units.
constexpr double kOnLine = 0.01;
// Places are this far from a corner to the middle.
constexpr double kInwards = 0.05;

struct PieceSide {
  PieceSide(Point a, Point b)
      : ax(a.x), ay(a.y), x(double(b.x) - a.x), y(double(b.y) - a.y), near(kOnLine * (std::abs(x) + std::abs(y))) {}
  double ax, ay, x, y, near;
  double left(const Vec2& p) const { return x * (p.y - ay) - y * (p.x - ax); }
};

}  // namespace

void ConvexRest::begin(const Rings& outline) {
  corners_.clear();
  places_.clear();
  open_ = 0;
  if (outline.count() != 1 || outline.points.size() > kMostCornersOfFloor) return;
  const std::span<const Point> ring = outline.ring(0);
  const size_t n = ring.size();
  Vec2 middle{0, 0};
  for (size_t i = 0; i < n; ++i) {
    if (orient(ring[i], ring[(i + 1) % n], ring[(i + 2) % n]) < 0) return;
    middle = {middle.x + ring[i].x / static_cast<double>(n), middle.y + ring[i].y / static_cast<double>(n)};
  }
  corners_.assign(ring.begin(), ring.end());
  places_.push_back(middle);
  for (const Point p : ring) places_.push_back({p.x + kInwards * (middle.x - p.x), p.y + kInwards * (middle.y - p.y)});
  open_ = places_.size();
}

void ConvexRest::add(const Convex& piece) {
  if (open_ == 0) return;
  const Box box = boxOf(piece.ring());
  for (size_t i = 0; i < open_;) {
    const Vec2& place = places_[i];
    bool inside = place.x >= box.min.x && place.x <= box.max.x && place.y >= box.min.y && place.y <= box.max.y;
    for (uint32_t k = 0; k < piece.count && inside; ++k) {
      const PieceSide side(piece.p[k], piece.p[k + 1 == piece.count ? 0 : k + 1]);
      inside = side.left(place) >= -side.near;
    }
    if (inside) {
      std::swap(places_[i], places_[--open_]);
    } else {
      ++i;
    }
  }
}

bool ConvexRest::isCoveredBy(std::span<const Convex> pieces) {
  if (pieces.size() > kMostPiecesTried) return false;
  rest_.assign(1, {});
  for (const Point p : corners_) rest_[0].p[rest_[0].count++] = {double(p.x), double(p.y)};
  for (const Convex& piece : pieces) {
    next_.clear();
    for (const Polygon& polygon : rest_) {
      if (!takeAway(piece, polygon)) return false;
    }
    std::swap(rest_, next_);
    if (rest_.empty()) return true;
    if (rest_.size() > kMostPolygonsLeft) return false;
  }
  return false;
}

bool ConvexRest::takeAway(const Convex& piece, const Polygon& from) {
  const size_t before = next_.size();
  Polygon inside = from;
  Point a = piece.p[piece.count - 1];
  for (const Point b : piece.ring()) {
    const PieceSide side(a, b);
    a = b;
    std::array<double, 12> left;
    bool anyInside = false;
    bool anyBeyond = false;
    for (uint32_t i = 0; i < inside.count; ++i) {
      left[i] = side.left(inside.p[i]);
      anyInside = anyInside || left[i] > side.near;
      anyBeyond = anyBeyond || left[i] < -side.near;
    }
    if (!anyInside) {  // the piece lies elsewhere
      next_.resize(before);
      next_.push_back(from);
      return true;
    }
    if (!anyBeyond) continue;
    if (inside.count + 1 > inside.p.size()) return false;
    Polygon beyond;
    Polygon kept;
    for (uint32_t i = 0; i < inside.count; ++i) {
      const uint32_t j = i + 1 == inside.count ? 0 : i + 1;
      const Vec2& p = inside.p[i];
      const Vec2& q = inside.p[j];
      if (left[i] >= 0) kept.p[kept.count++] = p;
      if (left[i] <= 0) beyond.p[beyond.count++] = p;
      if ((left[i] > 0 && left[j] < 0) || (left[i] < 0 && left[j] > 0)) {
        const double t = left[i] / (left[i] - left[j]);
        const Vec2 at{p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)};
        kept.p[kept.count++] = at;
        beyond.p[beyond.count++] = at;
      }
    }
    next_.push_back(beyond);
    inside = kept;
  }
  return true;
}

}  // namespace wend::exact
