#include "generators/neogen/wedge.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numeric>

#include "geometry/predicates.h"

namespace wend::neogen {
namespace {

Vec2 difference(Point a, Point b) {
  return {static_cast<double>(b.x) - a.x, static_cast<double>(b.y) - a.y};
}
double dot(Vec2 a, Vec2 b) {
  return a.x * b.x + a.y * b.y;
}
double cross(Vec2 a, Vec2 b) {
  return a.x * b.y - a.y * b.x;
}

// Where the ray from the notch in direction d meets the edge, in parts of the edge: p is the edge's start seen from the
// notch, e its direction.
double meetingPoint(Vec2 p, Vec2 e, Vec2 d, double otherwise) {
  const double denominator = cross(d, e);
  return denominator > 0 ? std::clamp(cross(p, d) / denominator, 0.0, 1.0) : otherwise;
}

}  // namespace

bool WedgeQuery::leftOf(const Ray& ray, Point p) {
  const int side = orient(ray.from, ray.to, p);
  return side > 0 || (side == 0 && ray.closed);
}
bool WedgeQuery::rightOf(const Ray& ray, Point p) {
  const int side = orient(ray.from, ray.to, p);
  return side < 0 || (side == 0 && ray.closed);
}

// Walks the fan of the corner. With the sides va (leaving) and vb (arriving), the wedge holds the directions at most
// 180 degrees after va and at most 180 degrees before vb.
void WedgeQuery::start(Subdivision::Half corner) {
  items_.clear();
  heap_.clear();
  steps_ = 0;
  last_ = kNone;
  notch_ = subdivision_.start(corner);
  const Point a = subdivision_.end(corner);
  const Point b = subdivision_.start(subdivision_.before(corner));
  const Ray wedgeRight{b, notch_, true};
  const Ray wedgeLeft{a, notch_, true};
  for (Subdivision::Half spoke = corner;;) {
    const Subdivision::Half opposite = subdivision_.next(spoke);
    const Subdivision::Half in = subdivision_.next(opposite);
    const bool first = spoke == corner;
    const bool last = !subdivision_.isFree(in);
    const uint32_t p = subdivision_.origin(opposite);
    const uint32_t q = subdivision_.origin(in);
    const Point right = subdivision_.point(p);
    const Point left = subdivision_.point(q);
    if (!last && subdivision_.inWedge(corner, left)) pushVertex(q);
    if ((first || orient(notch_, a, right) > 0) && (last || orient(b, notch_, left) > 0)) {
      const bool rightInside = !first && orient(b, notch_, right) >= 0;
      const bool leftInside = !last && orient(notch_, a, left) >= 0;
      pushEdge(opposite, rightInside ? Ray{notch_, right, false} : wedgeRight,
               leftInside ? Ray{notch_, left, false} : wedgeLeft, p, q);
    }
    if (last) break;
    spoke = in ^ 1;
  }
}

std::optional<Sight> WedgeQuery::next() {
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    const uint32_t index = heap_.back().index;
    heap_.pop_back();
    ++steps_;
    if (items_[index].open) {
      lookThrough(Item(items_[index]));
      continue;
    }
    last_ = index;
    return items_[index].sight;
  }
  return std::nullopt;
}

void WedgeQuery::lookThrough(const Item& item) {
  // The triangle behind the edge pq, with its apex w.
  const Subdivision::Half pw = subdivision_.next(item.sight.edge ^ 1);
  const Subdivision::Half wq = subdivision_.next(pw);
  const uint32_t apex = subdivision_.origin(wq);
  const Point w = subdivision_.point(apex);
  const bool pastRight = leftOf(item.right, w);
  const bool beforeLeft = rightOf(item.left, w);
  const uint32_t right = item.sight.right;
  const uint32_t left = item.sight.left;
  if (pastRight && beforeLeft) {
    pushVertex(apex);
    const Ray ray{notch_, w, false};
    if (orient(item.right.from, item.right.to, w) != 0) pushEdge(pw, item.right, ray, right, apex);
    if (orient(item.left.from, item.left.to, w) != 0) pushEdge(wq, ray, item.left, apex, left);
  } else if (!pastRight) {
    const bool tighter = orient(notch_, subdivision_.point(right), w) > 0;
    pushEdge(wq, item.right, item.left, tighter ? apex : right, left);
  } else {
    const bool tighter = orient(notch_, subdivision_.point(left), w) < 0;
    pushEdge(pw, item.right, item.left, right, tighter ? apex : left);
  }
}

void WedgeQuery::pushVertex(uint32_t vertex) {
  Item item;
  const Vec2 d = difference(notch_, subdivision_.point(vertex));
  item.sight.vertex = vertex;
  item.sight.square = dot(d, d);
  push(item, 0, vertex);
}

void WedgeQuery::pushEdge(Subdivision::Half edge, const Ray& right, const Ray& left, uint32_t rightVertex,
                          uint32_t leftVertex) {
  Item item;
  item.right = right;
  item.left = left;
  item.open = subdivision_.isFree(edge);
  item.sight.kind = subdivision_.isWall(edge) ? Sight::Kind::kWall : Sight::Kind::kPortal;
  item.sight.edge = edge;
  item.sight.right = rightVertex;
  item.sight.left = leftVertex;
  clip(item);
  push(item, item.open ? 3 : item.sight.kind == Sight::Kind::kWall ? 1 : 2, edge);
}

void WedgeQuery::push(const Item& item, uint32_t rank, uint32_t id) {
  heap_.push_back({item.sight.square, rank, id, static_cast<uint32_t>(items_.size())});
  std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  items_.push_back(item);
}

void WedgeQuery::clip(Item& item) const {
  Sight& sight = item.sight;
  const Vec2 p = difference(notch_, subdivision_.start(sight.edge));
  const Vec2 e = difference(subdivision_.start(sight.edge), subdivision_.end(sight.edge));
  sight.from = meetingPoint(p, e, difference(item.right.from, item.right.to), 0);
  sight.to = std::max(sight.from, meetingPoint(p, e, difference(item.left.from, item.left.to), 1));
  sight.nearest = std::clamp(-dot(p, e) / dot(e, e), sight.from, sight.to);
  const Vec2 x{p.x + sight.nearest * e.x, p.y + sight.nearest * e.y};
  sight.square = dot(x, x);
}

std::optional<Point> WedgeQuery::latticePoint(const Sight& wall) const {
  const Point p = subdivision_.start(wall.edge);
  const Point q = subdivision_.end(wall.edge);
  const int64_t dx = static_cast<int64_t>(q.x) - p.x;
  const int64_t dy = static_cast<int64_t>(q.y) - p.y;
  const int64_t parts = std::gcd(std::abs(dx), std::abs(dy));
  if (parts < 2) return std::nullopt;
  const auto place = [&](double t) { return static_cast<int64_t>(t * static_cast<double>(parts)); };
  const Item& item = items_[last_];
  std::optional<Point> best;
  double bestSquare = HUGE_VAL;
  for (const int64_t middle : {place(wall.nearest), place(wall.from), place(wall.to)}) {
    for (int64_t k = std::max<int64_t>(1, middle - 1); k <= std::min(parts - 1, middle + 2); ++k) {
      const Point x{static_cast<int32_t>(p.x + dx / parts * k), static_cast<int32_t>(p.y + dy / parts * k)};
      const Vec2 d = difference(notch_, x);
      if (dot(d, d) >= bestSquare || !leftOf(item.right, x) || !rightOf(item.left, x)) continue;
      bestSquare = dot(d, d);
      best = x;
    }
  }
  return best;
}

}  // namespace wend::neogen
