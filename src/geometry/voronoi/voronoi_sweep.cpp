#include "geometry/voronoi/voronoi_sweep.h"

#include <algorithm>

#include "geometry/voronoi/sweep_front.h"

// Over all sites. Most begin where a segment ends or another site has just begun, and there the place in the beach line
// is known.
namespace wend {
namespace {

class Sweep : sweep::Front {
 public:
  explicit Sweep(const std::vector<VoronoiSite>& sites)
      : Front(sites),
        count_(static_cast<uint32_t>(sites.size())),
        endingAt_(sites.size(), kNone),
        beganAt_(sites.size(), kNone) {
    sortSites();
  }

  VoronoiDiagram run() {
    if (count_ > 1) {
      begin();
      while (next_ < count_) {
        passCirclesBefore(2 * next_);
        passSites();
      }
      passAllCircles();
    }
    return finish();
  }

 private:
  // Segments that end in a point.
  struct Ending {
    uint32_t node;  // between the two sides of the segment
    uint32_t next;
  };

  // Most are in the order of their x; beside that, sites on the upright line come before segments that leave it, and
  // lower ones first.
  void sortSites() {
    struct Keyed {
      uint64_t key;
      uint32_t id;
    };
    const auto siteOf = [&](uint32_t id) {
      const auto [a, b] = std::minmax(given_[id].a, given_[id].b);
      return sweep::Site(a, b, id, false);
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
    for (const Keyed& k : keyed) addSite(k.id);
  }

  // The beach line of the sites that begin on one upright line with the first one, or else of the first two.
  void begin() {
    while (next_ < count_ && site(2 * next_).x0() == site(0).x0() && site(2 * next_).x1() == site(0).x0()) {
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

  // The next site, with all other segments that begin in the same point.
  void passSites() {
    const sweep::Site& first = site(2 * next_);
    uint32_t end = next_ + 1;
    uint32_t near = kNone;
    if (!first.is_segment()) {
      near = endSegments(givenId(2 * next_));
    } else {
      while (end < count_ && site(2 * end).is_segment() && site(2 * end).point0() == first.point0()) ++end;
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

  uint32_t count_;     // of sites
  uint32_t next_ = 0;  // in the order of the sweep
  std::vector<Ending> endings_;
  std::vector<uint32_t> endingAt_;  // per given point: the last one of its endings
  std::vector<uint32_t> beganAt_;   // per given point: a bisector of it when it was passed
};

}  // namespace

VoronoiDiagram sweepVoronoi(const std::vector<VoronoiSite>& sites) {
  return Sweep(sites).run();
}

}  // namespace wend
