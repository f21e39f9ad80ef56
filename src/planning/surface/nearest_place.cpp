#include "planning/surface/nearest_place.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "mesh/cell_geometry.h"

namespace wend {
namespace {

// Between the radius that the table keeps and the given one, so that rounding leaves a candidate free.
constexpr double kCandidateRadius = 1 + 0.4 * kRadiusSlack;
// Lattice units: how far beside its cell rounding may put a candidate.
constexpr double kBeside = 1e-4;

class NearestSearch {
 public:
  NearestSearch(const Surface& surface, const Place& place, double reach, NearestScratch& scratch,
                const PlaceTest& accepts)
      : surface_(surface),
        mesh_(surface.mesh),
        asked_(place),
        p_(surface.mesh.lattice().toUnits(place.top())),
        r_(surface.radius() * kCandidateRadius),
        best_(reach),
        scratch_(scratch),
        accepts_(accepts) {}

  std::optional<SurfacePlace> run() {
    surface_.buckets.around(p_, best_, scratch_.buckets, [&](CellId cell) {
      look(cell);
      return best_;
    });
    return found_;
  }

 private:
  void look(CellId cell) {
    cell_ = cell;
    if (contains(mesh_, cell, p_)) consider(p_);
    if (found_ && best_ == 0) return;
    if (surface_.table == nullptr) {
      for (SideId s = mesh_.firstSide(cell); s != mesh_.endSide(cell); ++s) {
        if (mesh_.isWall(s)) consider(closestOnSegment(p_, sideStart(mesh_, s), sideEnd(mesh_, s)));
      }
      return;
    }
    if (distanceToCell() >= best_) return;
    const std::span<const Wall> shapes = surface_.table->cell(cell).shapes;
    std::vector<Wall>& walls = scratch_.walls;
    walls.assign(shapes.begin(), shapes.end());
    for (const Wall& w : walls) {
      considerLine(w);
      considerArc(w.a);
      considerArc(w.b);
    }
    for (size_t i = 0; i < walls.size(); ++i) {
      for (size_t k = i + 1; k < walls.size(); ++k) {
        if (!areBoxesApart(walls[i].a, walls[i].b, walls[k].a, walls[k].b, 2 * r_)) cross(walls[i], walls[k]);
      }
    }
  }
  double distanceToCell() const {
    double least = HUGE_VAL;
    for (SideId s = mesh_.firstSide(cell_); s != mesh_.endSide(cell_); ++s) {
      least = std::min(least, distanceToSegment(p_, sideStart(mesh_, s), sideEnd(mesh_, s)));
    }
    return contains(mesh_, cell_, p_) ? 0 : least;
  }

  void consider(Vec2 q) {
    const double distance = length(q - p_);
    if (distance > best_ || (found_ && distance >= best_)) return;
    if (surface_.table != nullptr && (!isInCell(q) || !surface_.isFree(cell_, q))) return;
    if (!surface_.isAtHeight(asked_, q, cell_)) return;
    const SurfacePlace place{q, cell_};
    if (!accepts_(place)) return;
    best_ = distance;
    found_ = place;
  }
  bool isInCell(Vec2 q) const {
    // The lines along the sides of a sliver do not bound it at its tips: its box does.
    Vec2 low = q;
    Vec2 high = q;
    for (SideId s = mesh_.firstSide(cell_); s != mesh_.endSide(cell_); ++s) {
      const Vec2 p = sideStart(mesh_, s);
      low = s == mesh_.firstSide(cell_) ? p : Vec2{std::min(low.x, p.x), std::min(low.y, p.y)};
      high = s == mesh_.firstSide(cell_) ? p : Vec2{std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    if (q.x < low.x - kBeside || q.x > high.x + kBeside || q.y < low.y - kBeside || q.y > high.y + kBeside)
      return false;
    for (SideId s = mesh_.firstSide(cell_); s != mesh_.endSide(cell_); ++s) {
      const Vec2 a = sideStart(mesh_, s);
      const Vec2 along = sideEnd(mesh_, s) - a;
      if (wend::cross(along, q - a) < -kBeside * length(along)) return false;
    }
    return true;
  }

  void considerLine(const Wall& w) {
    const Vec2 along = w.b - w.a;
    const double size = length(along);
    if (!(size > 0)) return;
    const double foot = dot(p_ - w.a, along) / size;
    if (foot < 0 || foot > size) return;
    const Vec2 at = w.a + (foot / size) * along;
    const Vec2 off = (r_ / size) * leftOf(along);
    consider(at + off);
    consider(at - off);
  }
  void considerArc(Vec2 centre) {
    const Vec2 away = p_ - centre;
    const double size = length(away);
    if (size > 0) consider(centre + (r_ / size) * away);
  }

  // Where the outlines of what two walls block cross each other.
  void cross(const Wall& first, const Wall& second) {
    for (const Vec2 a : {first.a, first.b}) {
      for (const Vec2 b : {second.a, second.b}) crossArcs(a, b);
      crossLines(second, a);
    }
    for (const Vec2 b : {second.a, second.b}) crossLines(first, b);
    crossLines(first, second);
  }
  void crossArcs(Vec2 a, Vec2 b) {
    const Vec2 way = b - a;
    const double square = dot(way, way);
    if (!(square > 0) || square > 4 * r_ * r_) return;
    const Vec2 middle = 0.5 * (a + b);
    const double off = std::sqrt(std::max(0.0, r_ * r_ / square - 0.25));
    consider(middle + off * leftOf(way));
    consider(middle - off * leftOf(way));
  }
  // Both lines beside a wall with the circle around a corner.
  void crossLines(const Wall& w, Vec2 centre) {
    const double size = length(w.b - w.a);
    if (!(size > 0)) return;
    const Vec2 u = (1 / size) * (w.b - w.a);
    const double away = wend::cross(u, centre - w.a);
    for (const double side : {r_, -r_}) {
      const double across = side - away;
      if (std::abs(across) > r_) continue;
      const double along = std::sqrt(std::max(0.0, (r_ - across) * (r_ + across)));
      for (const double by : {along, -along}) consider(centre + across * leftOf(u) + by * u);
    }
  }
  void crossLines(const Wall& first, const Wall& second) {
    const Vec2 u = direction(first.b - first.a, {0, 0});
    const Vec2 v = direction(second.b - second.a, {0, 0});
    const double sine = wend::cross(u, v);
    if (std::abs(sine) < 1e-12) return;
    for (const double side : {r_, -r_}) {
      const Vec2 a = first.a + side * leftOf(u);
      for (const double other : {r_, -r_}) {
        const Vec2 b = second.a + other * leftOf(v);
        consider(a + (wend::cross(b - a, v) / sine) * u);
      }
    }
  }

  const Surface& surface_;
  const NavMesh& mesh_;
  const Place& asked_;
  Vec2 p_;
  double r_;
  double best_;
  NearestScratch& scratch_;
  const PlaceTest& accepts_;
  CellId cell_ = kNone;
  std::optional<SurfacePlace> found_;
};

}  // namespace

std::optional<SurfacePlace> findNearestPlace(const Surface& surface, const Place& place, double reach,
                                             NearestScratch& scratch, const PlaceTest& accepts) {
  return NearestSearch(surface, place, reach, scratch, accepts).run();
}

}  // namespace wend
