#include "geometry/voronoi_sweep.h"

#include <algorithm>

#include <boost/polygon/detail/voronoi_ctypes.hpp>
#include <boost/polygon/detail/voronoi_predicates.hpp>
#include <boost/polygon/detail/voronoi_structures.hpp>

#include "geometry/beach_line.h"
#include "geometry/circle_queue.h"
#include "geometry/sweep_circle.h"
#include "geometry/sweep_edges.h"
#include "geometry/sweep_numbers.h"

// The only place that knows Boost, whose predicates decide. The sweep itself is our own: most sites begin where a
// segment ends or another site has just begun, and there the place in the beach line is known.
namespace wend {
namespace {

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

class Sweep {
 public:
  explicit Sweep(const std::vector<VoronoiSite>& sites)
      : given_(sites), edges_(sites.size()), endingAt_(sites.size(), kNone), beganAt_(sites.size(), kNone) {
    sortSites();
  }

  VoronoiDiagram run() {
    if (order_.size() > 1) {
      begin();
      while (true) {
        const bool sitesLeft = next_ < order_.size();
        if (!sitesLeft && queue_.empty()) break;
        if (queue_.empty() || (sitesLeft && isBefore_(site(2 * next_), circles_[queue_.front()].event))) {
          passSites();
        } else {
          passCircle();
        }
        while (!queue_.empty() && circles_[queue_.front()].node == kNone) popCircle();
      }
    }
    return std::move(edges_).finish(given_);
  }

 private:
  // A site and its direction: twice its place in the order of the sweep, and one more for an inverse segment.
  using Side = uint32_t;

  struct CircleEvent {
    Circle event;
    uint32_t node = kNone;  // the higher one of the two bisectors that meet; kNone: will not happen
  };
  // Segments that end in a point.
  struct Ending {
    uint32_t node;  // between the two sides of the segment
    uint32_t next;
  };

  const Site& site(Side side) const { return sites_[side]; }
  uint32_t givenId(Side side) const { return order_[side / 2]; }

  // Most are in the order of their x; beside that, sites on the upright line come before segments that leave it, and
  // lower ones first.
  void sortSites() {
    struct Keyed {
      uint64_t key;
      uint32_t id;
    };
    const auto siteOf = [&](uint32_t id) {
      const auto [a, b] = std::minmax(given_[id].a, given_[id].b);
      return Site(a, b, id, false);
    };
    const auto rank = [](int32_t v) { return static_cast<uint32_t>(v) ^ 0x80000000U; };
    std::vector<Keyed> keyed(given_.size());
    for (uint32_t i = 0; i < keyed.size(); ++i) {
      const Point a = std::min(given_[i].a, given_[i].b);
      const uint64_t leaves = given_[i].a.x == given_[i].b.x ? 0 : 1;
      keyed[i] = {uint64_t{rank(a.x)} << 32 | leaves << 31 | rank(a.y) >> 1, i};
    }
    std::sort(keyed.begin(), keyed.end(), [&](const Keyed& a, const Keyed& b) {
      return a.key != b.key ? a.key < b.key : isBefore_(siteOf(a.id), siteOf(b.id));
    });
    order_.reserve(keyed.size());
    sites_.reserve(2 * keyed.size());
    lines_.reserve(2 * keyed.size());  // they stay where they are
    for (const Keyed& k : keyed) {
      const auto [a, b] = std::minmax(given_[k.id].a, given_[k.id].b);
      const auto index = static_cast<uint32_t>(order_.size());
      order_.push_back(k.id);
      const SweepLine* lines = nullptr;
      if (a != b) {
        lines = &lines_.emplace_back(a, b);
        lines_.push_back(lines->reversed());
      }
      sites_.emplace_back(a, b, index, false, lines);
      sites_.emplace_back(b, a, index, true, lines);
    }
  }

  // The beach line of the sites that begin on one upright line with the first one, or else of the first two.
  void begin() {
    while (next_ < order_.size() && site(2 * next_).x0() == site(0).x0() && site(2 * next_).x1() == site(0).x0()) {
      ++next_;
    }
    if (next_ == 1) {
      insertArc(0, 0, 2, kNone);
      next_ = 2;
      return;
    }
    for (uint32_t i = 0; i + 1 < next_; ++i) {
      beach_.insert(kNone, {2 * i, 2 * i + 2, edges_.add(givenId(2 * i), givenId(2 * i + 2)), kNone});
    }
  }

  // The bisector next above a new site.
  uint32_t findAbove(Side added, uint32_t near) const {
    const Bisector key(site(added), site(added));
    const auto isBelow = [&](const BeachNode& node) {
      return isLower_(Bisector(site(node.left), site(node.right)), key);
    };
    return near == kNone ? beach_.find(isBelow) : beach_.findFrom(near, isBelow);
  }

  // The next site, with all other segments that begin in the same point.
  void passSites() {
    const Site& first = site(2 * next_);
    uint32_t end = next_ + 1;
    uint32_t near = kNone;
    if (!first.is_segment()) {
      near = endSegments(givenId(2 * next_));
    } else {
      while (end < order_.size() && site(2 * end).is_segment() && site(2 * end).point0() == first.point0()) ++end;
      near = bisectorOf(given_[givenId(2 * next_)]);
    }
    uint32_t above = findAbove(2 * next_, near);
    if (!first.is_segment()) {
      above = passSite(2 * next_, above);
      beganAt_[givenId(2 * next_)] = above;
    } else {
      for (uint32_t i = next_; i < end; ++i) above = passSite(2 * i, above);
    }
    next_ = end;
  }

  // Takes away what divides the two sides of segments that end in a point. Returns a bisector that is left beside them.
  uint32_t endSegments(uint32_t point) {
    uint32_t beside = kNone;
    for (uint32_t i = endingAt_[point]; i != kNone; i = endings_[i].next) {
      const uint32_t node = endings_[i].node;
      beside = beach_.next(node) == kNone ? beach_.previous(node) : beach_.next(node);
      beach_.erase(node);
    }
    return beside;
  }

  // A bisector of the point in which a segment begins, if one is left.
  uint32_t bisectorOf(const VoronoiSite& segment) const {
    const uint32_t point = std::min(segment.a, segment.b) == segment.a ? segment.siteA : segment.siteB;
    const uint32_t node = beganAt_[point];
    if (node == kNone || beach_[node].left == kNone) return kNone;
    return givenId(beach_[node].left) == point || givenId(beach_[node].right) == point ? node : kNone;
  }

  // Divides the arc below the bisector `above` in two. Returns the lower bisector of the new arc.
  uint32_t passSite(Side added, uint32_t above) {
    const Side inverse = site(added).is_segment() ? added ^ 1 : added;
    const uint32_t below = above == kNone ? beach_.last() : beach_.previous(above);
    const Side arcLow = below == kNone ? beach_[above].left : beach_[below].right;
    const Side arcHigh = above == kNone ? arcLow : beach_[above].left;
    if (above != kNone && below != kNone) dropCircle(above);
    const uint32_t node = insertArc(arcLow, arcHigh, added, above);
    if (below != kNone) addCircle(beach_[below].left, arcLow, added, node);
    if (above != kNone) addCircle(inverse, arcHigh, beach_[above].right, above);
    return node;
  }

  uint32_t insertArc(Side arcLow, Side arcHigh, Side added, uint32_t above) {
    const uint32_t edge = edges_.add(givenId(arcHigh), givenId(added));
    if (!site(added).is_segment()) {
      above = beach_.insert(above, {added, arcHigh, edge ^ 1, kNone});
      return beach_.insert(above, {arcLow, added, edge, kNone});
    }
    above = beach_.insert(above, {added ^ 1, arcHigh, edge ^ 1, kNone});
    above = beach_.insert(above, {added, added ^ 1, kNone, kNone});
    const VoronoiSite& segment = given_[givenId(added)];
    uint32_t& endings = endingAt_[std::min(segment.a, segment.b) == segment.a ? segment.siteB : segment.siteA];
    endings_.push_back({above, endings});
    endings = static_cast<uint32_t>(endings_.size() - 1);
    return beach_.insert(above, {arcLow, added, edge, kNone});
  }

  // The arc between two bisectors vanishes.
  void passCircle() {
    const CircleEvent circle = circles_[queue_.front()];
    const uint32_t high = circle.node;
    const uint32_t low = beach_.previous(high);
    const Side left = beach_[low].left;
    Side right = beach_[high].right;
    if (!site(left).is_segment() && site(right).is_segment() && site(right).point1() == site(left).point0()) right ^= 1;
    beach_[low].right = right;
    beach_[low].edge = edges_.join(givenId(left), givenId(right), {circle.event.x(), circle.event.y()},
                                   beach_[low].edge, beach_[high].edge);
    beach_.erase(high);
    popCircle();
    if (const uint32_t below = beach_.previous(low); below != kNone) {
      dropCircle(low);
      addCircle(beach_[below].left, left, right, low);
    }
    if (const uint32_t above = beach_.next(low); above != kNone) {
      dropCircle(above);
      addCircle(left, right, beach_[above].right, above);
    }
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
  void popCircle() {
    freeCircles_.push_back(queue_.front());
    queue_.pop([&](uint32_t circle) { return circles_[circle].event.y(); });
  }

  const std::vector<VoronoiSite>& given_;
  std::vector<uint32_t> order_;  // given sites in the order in which the sweep meets them
  std::vector<Site> sites_;      // by Side
  std::vector<SweepLine> lines_;
  uint32_t next_ = 0;  // in the order
  BeachLine beach_;
  SweepEdges edges_;
  std::vector<CircleEvent> circles_;
  std::vector<uint32_t> freeCircles_;
  CircleQueue queue_;
  std::vector<Ending> endings_;
  std::vector<uint32_t> endingAt_;  // per given point: the last one of its endings
  std::vector<uint32_t> beganAt_;   // per given point: a bisector of it when it was passed
  Predicates::event_comparison_predicate<Site, Circle> isBefore_;
  Predicates::node_comparison_predicate<Bisector> isLower_;
  CirclePredicate isCircle_;
};

}  // namespace

VoronoiDiagram sweepVoronoi(const std::vector<VoronoiSite>& sites) {
  return Sweep(sites).run();
}

}  // namespace wend
