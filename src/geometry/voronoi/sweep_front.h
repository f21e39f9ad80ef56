#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include <boost/polygon/detail/voronoi_ctypes.hpp>
#include <boost/polygon/detail/voronoi_predicates.hpp>
#include <boost/polygon/detail/voronoi_structures.hpp>

#include "geometry/voronoi/beach_line.h"
#include "geometry/voronoi/circle_queue.h"
#include "geometry/voronoi/sweep_circle.h"
#include "geometry/voronoi/sweep_edges.h"
#include "geometry/voronoi/sweep_numbers.h"

// What the Voronoi sweeps have in common: sites, the beach line, and the circle events in which its arcs vanish. The
// only place that knows Boost, whose predicates decide.
namespace wend::sweep {

namespace bp = boost::polygon;

struct ToDouble {
  template <typename T>
  double operator()(const T& number) const {
    return static_cast<double>(number);
  }
  double operator()(const WideInt& number) const {
    const auto [value, exponent] = number.scaled();
    return std::ldexp(value, exponent);
  }
  double operator()(const ScaledDouble& number) const { return number.value(); }
};

struct ToScaledDouble {
  ScaledDouble operator()(const WideInt& number) const {
    const auto [value, exponent] = number.scaled();
    return ScaledDouble(value, exponent);
  }
};

// The numbers that the sweep computes with, named as Boost asks.
struct SweepNumbers {
  using int_type = int32_t;
  using int_x2_type = int64_t;
  using uint_x2_type = uint64_t;
  using big_int_type = WideInt;
  using fpt_type = double;
  using efpt_type = ScaledDouble;
  using ulp_cmp_type = bp::detail::ulp_comparison<double>;
  using to_fpt_converter_type = ToDouble;
  using to_efpt_converter_type = ToScaledDouble;
};

using Predicates = bp::detail::voronoi_predicates<SweepNumbers>;
using Circle = bp::detail::circle_event<double>;

// A point, or a segment from the end that the sweep meets first, or back from the other one (inverse). Named as Boost
// asks.
// NOLINTBEGIN(readability-identifier-naming)
class Site {
 public:
  using point_type = bp::detail::point_2d<int32_t>;
  Site(Point a, Point b, uint32_t index, bool inverse, const SweepLine* lines = nullptr)
      : a_(a.x, a.y), b_(b.x, b.y), index_(index), inverse_(inverse), segment_(a != b), lines_(lines) {}

  const point_type& point0() const { return a_; }
  const point_type& point1() const { return b_; }
  int32_t x() const { return a_.x(); }
  int32_t y() const { return a_.y(); }
  int32_t x0() const { return a_.x(); }
  int32_t y0() const { return a_.y(); }
  int32_t x1() const { return b_.x(); }
  int32_t y1() const { return b_.y(); }
  uint32_t sorted_index() const { return index_; }
  bool is_inverse() const { return inverse_; }
  bool is_segment() const { return segment_; }
  const SweepLine& line() const { return lines_[inverse_ ? 1 : 0]; }
  const SweepLine& reversed() const { return lines_[inverse_ ? 0 : 1]; }

 private:
  point_type a_;
  point_type b_;
  uint32_t index_;
  bool inverse_;
  bool segment_;
  const SweepLine* lines_;  // of a segment: onwards and back
};

// A bisector for comparisons.
class Bisector {
 public:
  using site_type = Site;
  Bisector(const Site& left, const Site& right) : left_(left), right_(right) {}
  const Site& left_site() const { return left_; }
  const Site& right_site() const { return right_; }

 private:
  const Site& left_;
  const Site& right_;
};
// NOLINTEND(readability-identifier-naming)

// Circle events from sweep_circle.h, and from exact numbers what is not sure there. The order of the arguments and what
// their indices mean are Boost's.
class CircleFormation {
 public:
  void ppp(const Site& p, const Site& q, const Site& r, Circle& event) {
    const SweepCircle circle = sweepCircle(point(p), point(q), point(r));
    event = Circle(circle.x, circle.y, circle.lowerX);
    if (!circle.sure()) exact_.ppp(p, q, r, event, !circle.sureX, !circle.sureY, !circle.sureLowerX);
  }
  void pps(const Site& p, const Site& q, const Site& s, int segmentIndex, Circle& event) {
    const SweepCircle circle = sweepCircle(point(p), point(q), s.line(), segmentIndex == 2);
    event = Circle(circle.x, circle.y, circle.lowerX);
    if (!circle.sure()) exact_.pps(p, q, s, segmentIndex, event, !circle.sureX, !circle.sureY, !circle.sureLowerX);
  }
  void pss(const Site& p, const Site& s, const Site& t, int pointIndex, Circle& event) {
    const SweepCircle circle = sweepCircle(point(p), s.reversed(), t.line(), pointIndex == 2);
    event = Circle(circle.x, circle.y, circle.lowerX);
    if (!circle.sure()) exact_.pss(p, s, t, pointIndex, event, !circle.sureX, !circle.sureY, !circle.sureLowerX);
  }
  void sss(const Site& s, const Site& t, const Site& u, Circle& event) {
    const SweepCircle circle = sweepCircle(s.line(), t.line(), u.line());
    event = Circle(circle.x, circle.y, circle.lowerX);
    if (!circle.sure()) exact_.sss(s, t, u, event, !circle.sureX, !circle.sureY, !circle.sureLowerX);
  }

 private:
  static Point point(const Site& site) { return {site.x0(), site.y0()}; }

  Predicates::mp_circle_formation_functor<Site, Circle> exact_;
};

using CirclePredicate =
    Predicates::circle_formation_predicate<Site, Circle, Predicates::circle_existence_predicate<Site>, CircleFormation>;

class Front {
 protected:
  // A site and its direction: twice its place in the order of the sweep, and one more for an inverse segment.
  using Side = uint32_t;

  explicit Front(const std::vector<VoronoiSite>& sites) : given_(sites), edges_(sites.size()) {
    order_.reserve(sites.size());
    sites_.reserve(2 * sites.size());
    lines_.reserve(2 * sites.size());  // they stay where they are
  }

  // The next one in the order of the sweep.
  Side addSite(uint32_t given) {
    const auto [a, b] = std::minmax(given_[given].a, given_[given].b);
    const auto index = static_cast<uint32_t>(order_.size());
    order_.push_back(given);
    const SweepLine* lines = nullptr;
    if (a != b) {
      lines = &lines_.emplace_back(a, b);
      lines_.push_back(lines->reversed());
    }
    sites_.emplace_back(a, b, index, false, lines);
    sites_.emplace_back(b, a, index, true, lines);
    return 2 * index;
  }
  const Site& site(Side side) const { return sites_[side]; }
  uint32_t givenId(Side side) const { return order_[side / 2]; }

  // The bisector next above a new site, if possible from one near it.
  uint32_t findAbove(Side added, uint32_t near) const {
    const Bisector key(site(added), site(added));
    const auto isBelow = [&](const BeachNode& node) {
      return isLower_(Bisector(site(node.left), site(node.right)), key);
    };
    return near == kNone ? beach_.find(isBelow) : beach_.findFrom(near, isBelow);
  }

  // Takes the circles that come before a site.
  void passCirclesBefore(Side added) {
    while (skipDropped() && !isBefore_(site(added), circles_[queue_.front()].event)) passNextCircle();
  }
  void passAllCircles() {
    while (skipDropped()) passNextCircle();
  }

  // Where the bisector `high` meets the one below, the arc between them vanishes.
  void passCircle(uint32_t high) {
    const Circle circle = circles_[beach_[high].circle].event;
    dropCircle(high);
    const uint32_t low = beach_.previous(high);
    const Side left = beach_[low].left;
    Side right = beach_[high].right;
    if (!site(left).is_segment() && site(right).is_segment() && site(right).point1() == site(left).point0()) right ^= 1;
    beach_[low].right = right;
    beach_[low].edge =
        edges_.join(givenId(left), givenId(right), {circle.x(), circle.y()}, beach_[low].edge, beach_[high].edge);
    beach_.erase(high);
    if (const uint32_t below = beach_.previous(low); below != kNone) {
      dropCircle(low);
      addCircle(beach_[below].left, left, right, low);
    }
    if (const uint32_t above = beach_.next(low); above != kNone) {
      dropCircle(above);
      addCircle(left, right, beach_[above].right, above);
    }
  }

  // Of two bisectors with circles.
  bool meetsBefore(uint32_t node, uint32_t other) const {
    const auto placeOf = [&](uint32_t id) {
      const Circle& circle = circles_[beach_[id].circle].event;
      return std::pair(circle.lower_x(), circle.y());
    };
    return placeOf(node) < placeOf(other);
  }

  // In which the bisector `node`, between the second and the third site, meets the one below.
  void addCircle(Side first, Side second, Side third, uint32_t node) {
    Circle event;
    if (!isCircle_(site(first), site(second), site(third), event)) return;
    if (freeCircles_.empty()) {
      freeCircles_.push_back(static_cast<uint32_t>(circles_.size()));
      circles_.emplace_back();
    }
    const uint32_t id = freeCircles_.back();
    freeCircles_.pop_back();
    circles_[id] = {event, node};
    beach_[node].circle = id;
    queue_.push({event.lower_x(), id}, [&](uint32_t circle) { return circles_[circle].event.y(); });
  }
  void dropCircle(uint32_t node) {
    if (beach_[node].circle == kNone) return;
    circles_[beach_[node].circle].node = kNone;
    beach_[node].circle = kNone;
  }

  VoronoiDiagram finish() { return std::move(edges_).finish(given_); }

  const std::vector<VoronoiSite>& given_;
  BeachLine beach_;
  SweepEdges edges_;
  Predicates::event_comparison_predicate<Site, Circle> isBefore_;

 private:
  struct CircleEvent {
    Circle event;
    uint32_t node = kNone;  // the higher one of the two bisectors that meet; kNone: will not happen
  };

  // Whether any are left.
  bool skipDropped() {
    while (!queue_.empty() && circles_[queue_.front()].node == kNone) popCircle();
    return !queue_.empty();
  }
  void passNextCircle() {
    const uint32_t node = circles_[queue_.front()].node;
    popCircle();
    passCircle(node);
  }
  void popCircle() {
    freeCircles_.push_back(queue_.front());
    queue_.pop([&](uint32_t circle) { return circles_[circle].event.y(); });
  }

  std::vector<uint32_t> order_;  // given sites in the order in which the sweep meets them
  std::vector<Site> sites_;      // by Side
  std::vector<SweepLine> lines_;
  std::vector<CircleEvent> circles_;
  std::vector<uint32_t> freeCircles_;
  CircleQueue queue_;
  Predicates::node_comparison_predicate<Bisector> isLower_;
  CirclePredicate isCircle_;
};

}  // namespace wend::sweep
