#include "generators/neogen/area_of_interest.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numeric>

#include "geometry/predicates.h"
#include "geometry/vec2.h"

namespace wend::neogen {
namespace {

Vec2 difference(Point a, Point b) {
  return {static_cast<double>(b.x) - a.x, static_cast<double>(b.y) - a.y};
}

// Where the ray from the notch in direction d meets the edge, in parts of the edge: p is the edge's start seen from the
// notch, e its direction.
double meetingPoint(Vec2 p, Vec2 e, Vec2 d, double otherwise) {
  const double denominator = cross(d, e);
  return denominator > 0 ? std::clamp(cross(p, d) / denominator, 0.0, 1.0) : otherwise;
}

}  // namespace

AreaOfInterest::Ray AreaOfInterest::rightRay(const Item& item) const {
  return item.areaRight ? Ray{arriving_, notch_, true} : Ray{notch_, subdivision_.point(item.right), false};
}
AreaOfInterest::Ray AreaOfInterest::leftRay(const Item& item) const {
  return item.areaLeft ? Ray{leaving_, notch_, true} : Ray{notch_, subdivision_.point(item.left), false};
}

void AreaOfInterest::start(Subdivision::Half corner) {
  byDistance_ = true;
  lookAround(corner);
}

// Walks the fan of the corner. The area holds the directions at most 180 degrees after the leaving side and at most
// 180 degrees before the arriving one.
void AreaOfInterest::lookAround(Subdivision::Half corner) {
  heap_.clear();
  steps_ = 0;
  notch_ = subdivision_.start(corner);
  leaving_ = subdivision_.end(corner);
  arriving_ = subdivision_.start(subdivision_.before(corner));
  for (Subdivision::Half spoke = corner;;) {
    const Subdivision::Half opposite = subdivision_.next(spoke);
    const Subdivision::Half in = subdivision_.next(opposite);
    const bool first = spoke == corner;
    const bool last = !subdivision_.isFree(in);
    const uint32_t rightVertex = subdivision_.origin(opposite);
    const uint32_t leftVertex = subdivision_.origin(in);
    const Point right = subdivision_.point(rightVertex);
    const Point left = subdivision_.point(leftVertex);
    // Nothing further around the fan lies in the area.
    if (!first && orient(notch_, leaving_, right) <= 0) break;
    if (!last && subdivision_.inAreaOfInterest(corner, left)) pushVertex(leftVertex);
    if (last || orient(arriving_, notch_, left) > 0) {
      const bool areaRight = first || orient(arriving_, notch_, right) < 0;
      const bool areaLeft = last || orient(notch_, leaving_, left) < 0;
      pushEdge(opposite, rightVertex, leftVertex, areaRight, areaLeft);
    }
    if (last) break;
    spoke = in ^ 1;
  }
}

std::optional<Sight> AreaOfInterest::next() {
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    const Item item = heap_.back();
    heap_.pop_back();
    ++steps_;
    if (item.rank == Rank::kFree) {
      lookThrough(item);
      continue;
    }
    last_ = item;
    Sight sight;
    sight.square = item.square;
    sight.right = item.right;
    sight.left = item.left;
    if (item.rank == Rank::kVertex) {
      sight.vertex = item.id;
    } else {
      sight.kind = item.rank == Rank::kWall ? Sight::Kind::kWall : Sight::Kind::kPortal;
      sight.edge = item.id;
    }
    return sight;
  }
  return std::nullopt;
}

void AreaOfInterest::lookThrough(const Item& item) {
  // The triangle behind the edge pq, with its apex w.
  const Subdivision::Half pw = subdivision_.next(item.id ^ 1);
  const Subdivision::Half wq = subdivision_.next(pw);
  const uint32_t apex = subdivision_.origin(wq);
  const Point w = subdivision_.point(apex);
  const Ray right = rightRay(item);
  const Ray left = leftRay(item);
  const int fromRight = right.side(w);
  const int fromLeft = left.side(w);
  const bool pastRight = fromRight > 0 || (fromRight == 0 && right.closed);
  const bool beforeLeft = fromLeft < 0 || (fromLeft == 0 && left.closed);
  if (pastRight && beforeLeft) {
    pushVertex(apex);
    if (fromRight != 0) pushEdge(pw, item.right, apex, item.areaRight, false);
    if (fromLeft != 0) pushEdge(wq, apex, item.left, false, item.areaLeft);
  } else if (!pastRight) {
    // The apex may limit the view more than the vertex before, which matters where the area is the limit.
    const bool nearer = item.areaRight && orient(notch_, subdivision_.point(item.right), w) > 0;
    pushEdge(wq, nearer ? apex : item.right, item.left, item.areaRight, item.areaLeft);
  } else {
    const bool nearer = item.areaLeft && orient(notch_, subdivision_.point(item.left), w) < 0;
    pushEdge(pw, item.right, nearer ? apex : item.left, item.areaRight, item.areaLeft);
  }
}

void AreaOfInterest::pushVertex(uint32_t vertex) {
  if (!byDistance_) {
    vertices_.push_back(vertex);
    return;
  }
  Item item;
  const Vec2 d = difference(notch_, subdivision_.point(vertex));
  item.id = vertex;
  item.square = dot(d, d);
  push(item);
}

void AreaOfInterest::pushEdge(uint32_t edge, uint32_t right, uint32_t left, bool areaRight, bool areaLeft) {
  const bool isFree = subdivision_.isFree(edge);
  if (!byDistance_) {
    if (isFree) heap_.push_back({0, edge, right, left, Rank::kFree, areaRight, areaLeft});
    return;
  }
  const Rank rank = isFree ? Rank::kFree : subdivision_.isWall(edge) ? Rank::kWall : Rank::kPortal;
  Item item{0, edge, right, left, rank, areaRight, areaLeft};
  item.square = clip(item).square;
  push(item);
}

void AreaOfInterest::push(const Item& item) {
  heap_.push_back(item);
  std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
}

AreaOfInterest::Clip AreaOfInterest::clip(const Item& item) const {
  const Vec2 p = difference(notch_, subdivision_.start(item.id));
  const Vec2 e = difference(subdivision_.start(item.id), subdivision_.end(item.id));
  const Ray right = rightRay(item);
  const Ray left = leftRay(item);
  Clip clip{};
  clip.from = meetingPoint(p, e, difference(right.from, right.to), 0);
  clip.to = std::max(clip.from, meetingPoint(p, e, difference(left.from, left.to), 1));
  clip.nearest = std::clamp(-dot(p, e) / dot(e, e), clip.from, clip.to);
  const Vec2 x{p.x + clip.nearest * e.x, p.y + clip.nearest * e.y};
  clip.square = dot(x, x);
  return clip;
}

std::optional<Point> AreaOfInterest::latticePoint(const Sight& wall) const {
  const Point p = subdivision_.start(wall.edge);
  const Point q = subdivision_.end(wall.edge);
  const int64_t dx = static_cast<int64_t>(q.x) - p.x;
  const int64_t dy = static_cast<int64_t>(q.y) - p.y;
  const int64_t parts = std::gcd(std::abs(dx), std::abs(dy));
  if (parts < 2) return std::nullopt;
  const auto place = [&](double t) { return static_cast<int64_t>(t * static_cast<double>(parts)); };
  const Ray right = rightRay(last_);
  const Ray left = leftRay(last_);
  const auto visible = [&](Point x) {
    const int fromRight = right.side(x);
    const int fromLeft = left.side(x);
    return (fromRight > 0 || (fromRight == 0 && right.closed)) && (fromLeft < 0 || (fromLeft == 0 && left.closed));
  };
  const Clip seen = clip(last_);
  std::optional<Point> best;
  double bestSquare = HUGE_VAL;
  for (const int64_t middle : {place(seen.nearest), place(seen.from), place(seen.to)}) {
    for (int64_t k = std::max<int64_t>(1, middle - 1); k <= std::min(parts - 1, middle + 2); ++k) {
      const Point x{static_cast<int32_t>(p.x + dx / parts * k), static_cast<int32_t>(p.y + dy / parts * k)};
      const Vec2 d = difference(notch_, x);
      if (dot(d, d) >= bestSquare || !visible(x)) continue;
      bestSquare = dot(d, d);
      best = x;
    }
  }
  return best;
}

}  // namespace wend::neogen
