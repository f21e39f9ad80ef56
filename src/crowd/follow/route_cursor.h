#pragma once

#include "crowd/follow/follow.h"
#include "planning/clearance/distances.h"

// A place on the polyline of a route, moved forwards segment by segment.
namespace wend {

inline Vec2 inPlan(Vec3 p) {
  return {p.x, p.y};
}

class RouteCursor {
 public:
  // The route has at least one point.
  RouteCursor(const Route& route, const FollowState& state)
      : route_(&route), segment_(state.segment), segmentArc_(state.segmentArc) {
    measure();
    setArc(state.arc);
  }

  double arc() const { return arc_; }
  Vec2 at() const { return at_; }
  double z() const {
    const Vec3 a = route_->points[segment_];
    if (!(length_ > 0)) return a.z;
    return a.z + (end().z - a.z) * ((arc_ - segmentArc_) / length_);
  }
  Vec2 direction() const { return length_ > 0 ? (1 / length_) * (inPlan(end()) - start()) : Vec2{}; }
  bool isLast() const { return segment_ + 2 >= route_->points.size(); }
  Vec2 segmentEnd() const { return inPlan(end()); }
  double segmentEndArc() const { return segmentArc_ + length_; }

  // To the start of the next segment; call only if this is not the last.
  void next() {
    ++segment_;
    segmentArc_ += length_;
    measure();
    setArc(segmentArc_);
  }
  // On this segment.
  void setArc(double arc) {
    arc_ = std::clamp(arc, segmentArc_, segmentArc_ + length_);
    at_ = arc_ >= segmentArc_ + length_ ? inPlan(end())
                                        : start() + ((arc_ - segmentArc_) / length_) * (inPlan(end()) - start());
  }
  // Forwards along the route, to its end at most.
  void forward(double metres) {
    const double goal = arc_ + std::max(0.0, metres);
    while (!isLast() && segmentEndArc() < goal) next();
    setArc(goal);
  }
  // To the place nearest to x, not farther than `window` along the route; the first of several.
  void toNearest(Vec2 x, double window) {
    const double limit = arc_ + window;
    const double from = arc_;
    double best = moveNearest(x, from, limit);
    if (isLast() || segmentEndArc() >= limit) return;
    RouteCursor scan = *this;
    do {
      scan.next();
      const double square = scan.moveNearest(x, from, limit);
      if (square < best) {
        best = square;
        *this = scan;
      }
    } while (!scan.isLast() && scan.segmentEndArc() < limit);
  }
  // From here to the end of the route, metres. Adds up the last few segments and trusts the route's length before.
  double remaining() const {
    constexpr size_t kExact = 4;
    if (segment_ + kExact < route_->points.size()) return std::max(0.0, route_->length - arc_);
    double sum = std::max(0.0, segmentEndArc() - arc_);
    for (size_t i = segment_ + 2; i < route_->points.size(); ++i) {
      sum += length(inPlan(route_->points[i]) - inPlan(route_->points[i - 1]));
    }
    return sum;
  }
  void store(FollowState& state) const {
    state.segment = segment_;
    state.segmentArc = segmentArc_;
    state.arc = arc_;
  }

 private:
  Vec2 start() const { return inPlan(route_->points[segment_]); }
  Vec3 end() const { return route_->points[std::min<size_t>(segment_ + 1, route_->points.size() - 1)]; }
  // To the place of this segment nearest to x, between two lengths along the route. Returns the squared distance.
  double moveNearest(Vec2 x, double from, double limit) {
    const double t = length_ > 0 ? dot(x - start(), direction()) : 0;
    setArc(std::clamp(segmentArc_ + t, std::min(from, segmentEndArc()), std::max(from, limit)));
    const Vec2 off = x - at_;
    return dot(off, off);
  }
  void measure() { length_ = length(inPlan(end()) - start()); }
  const Route* route_;
  uint32_t segment_;
  double segmentArc_;
  double length_ = 0;
  double arc_ = 0;
  Vec2 at_;
};

}  // namespace wend
