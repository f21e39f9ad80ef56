#include "generators/neogen/area_of_interest.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "generators/neogen/wall_points.h"
#include "geometry/predicates.h"
#include "geometry/vec2.h"

namespace wend::neogen {
namespace {

Vec2 turned(Vec2 d, double angle) {
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  return {c * d.x - s * d.y, s * d.x + c * d.y};
}

// Where the ray from the notch in direction d meets the edge, in parts of the edge: p is the edge's start seen from the
// notch, e its direction.
double meetingPoint(Vec2 p, Vec2 e, Vec2 d, double otherwise) {
  const double denominator = cross(d, e);
  return denominator > 0 ? std::clamp(cross(p, d) / denominator, 0.0, 1.0) : otherwise;
}

}  // namespace

// The wider limits are only asked about points beyond the exact ones: a point almost along a side of the corner lies on
// the far side of the wider limit's line.
int AreaOfInterest::fromAreaRight(Vec2 p) const {
  const int exact = orient(arriving_, notch_, p);
  return exact > 0 || !isWide_ ? exact : orient(notch_, wideRight_, p);
}
int AreaOfInterest::fromAreaLeft(Vec2 p) const {
  const int exact = orient(leaving_, notch_, p);
  return exact < 0 || !isWide_ ? exact : orient(notch_, wideLeft_, p);
}
int AreaOfInterest::fromRight(const Item& item, Vec2 p) const {
  return item.areaRight ? fromAreaRight(p) : orient(notch_, subdivision_.point(item.right), p);
}
int AreaOfInterest::fromLeft(const Item& item, Vec2 p) const {
  return item.areaLeft ? fromAreaLeft(p) : orient(notch_, subdivision_.point(item.left), p);
}
Vec2 AreaOfInterest::rightDirection(const Item& item) const {
  if (!item.areaRight) return subdivision_.point(item.right) - notch_;
  return isWide_ ? wideRight_ - notch_ : notch_ - arriving_;
}
Vec2 AreaOfInterest::leftDirection(const Item& item) const {
  if (!item.areaLeft) return subdivision_.point(item.left) - notch_;
  return isWide_ ? wideLeft_ - notch_ : notch_ - leaving_;
}

// Alpha opens the area on both sides, up to a half-plane.
void AreaOfInterest::widen(Subdivision::Half corner) {
  isWide_ = subdivision_.hasAlpha(subdivision_.origin(corner));
  if (!isWide_) return;
  const Vec2 out = leaving_ - notch_;
  const Vec2 in = notch_ - arriving_;
  const double excess = std::abs(std::atan2(cross(in, out), dot(in, out)));
  // A little less, so that what lies in the area is never taken for outside by Subdivision.
  const double angle = (1 - 1e-9) * std::min(subdivision_.alpha(), excess / 2);
  wideRight_ = notch_ + turned(in, -angle);
  wideLeft_ = notch_ + turned(-out, angle);
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
  widen(corner);
  for (Subdivision::Half spoke = corner;;) {
    const Subdivision::Half opposite = subdivision_.next(spoke);
    const Subdivision::Half in = subdivision_.next(opposite);
    const bool first = spoke == corner;
    const bool last = !subdivision_.isFree(in);
    const uint32_t rightVertex = subdivision_.origin(opposite);
    const uint32_t leftVertex = subdivision_.origin(in);
    const Vec2 right = subdivision_.point(rightVertex);
    const Vec2 left = subdivision_.point(leftVertex);
    // Nothing further around the fan lies in the area.
    if (!first && fromAreaLeft(right) >= 0) break;
    if (!last && fromAreaRight(left) >= 0 && fromAreaLeft(left) <= 0) pushVertex(leftVertex);
    if (last || fromAreaRight(left) > 0) {
      const bool areaRight = first || fromAreaRight(right) < 0;
      const bool areaLeft = last || fromAreaLeft(left) > 0;
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
    // A portal that ends inside a connection cuts the portal to the other layer in two.
    if (item.rank == Rank::kVertex && subdivision_.isInsideConnection(item.id)) continue;
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
  const Vec2 w = subdivision_.point(apex);
  const int rightSide = fromRight(item, w);
  const int leftSide = fromLeft(item, w);
  const bool pastRight = rightSide > 0 || (rightSide == 0 && item.areaRight);
  const bool beforeLeft = leftSide < 0 || (leftSide == 0 && item.areaLeft);
  if (pastRight && beforeLeft) {
    pushVertex(apex);
    if (rightSide != 0) pushEdge(pw, item.right, apex, item.areaRight, false);
    if (leftSide != 0) pushEdge(wq, apex, item.left, false, item.areaLeft);
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
  const Vec2 d = subdivision_.point(vertex) - notch_;
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
  const Vec2 p = subdivision_.start(item.id) - notch_;
  const Vec2 e = subdivision_.end(item.id) - subdivision_.start(item.id);
  Clip clip{};
  clip.from = meetingPoint(p, e, rightDirection(item), 0);
  clip.to = std::max(clip.from, meetingPoint(p, e, leftDirection(item), 1));
  clip.nearest = std::clamp(-dot(p, e) / dot(e, e), clip.from, clip.to);
  const Vec2 x{p.x + clip.nearest * e.x, p.y + clip.nearest * e.y};
  clip.square = dot(x, x);
  return clip;
}

std::optional<Vec2> AreaOfInterest::pointOn(const Sight& wall) const {
  if (subdivision_.isOpen(wall.edge)) return std::nullopt;
  const WallPoints points(subdivision_.start(wall.edge), subdivision_.end(wall.edge));
  const int64_t parts = points.parts();
  if (parts < 2) return std::nullopt;
  const auto place = [&](double t) { return static_cast<int64_t>(t * static_cast<double>(parts)); };
  const auto visible = [&](Vec2 x) {
    const int right = fromRight(last_, x);
    const int left = fromLeft(last_, x);
    return (right > 0 || (right == 0 && last_.areaRight)) && (left < 0 || (left == 0 && last_.areaLeft));
  };
  const Clip seen = clip(last_);
  std::optional<Vec2> best;
  double bestSquare = HUGE_VAL;
  for (const int64_t middle : {place(seen.nearest), place(seen.from), place(seen.to)}) {
    for (int64_t k = std::max<int64_t>(1, middle - 1); k <= std::min(parts - 1, middle + 2); ++k) {
      const Vec2 x = points.at(k);
      const Vec2 d = x - notch_;
      if (dot(d, d) >= bestSquare || !visible(x)) continue;
      bestSquare = dot(d, d);
      best = x;
    }
  }
  return best;
}

}  // namespace wend::neogen
