#include "geometry/polygon_check.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "base/parallel.h"
#include "geometry/area.h"
#include "geometry/index/segment_pairs.h"
#include "geometry/predicates.h"
#include "geometry/ring_sweep.h"

namespace wend {
namespace {

std::string text(Point p) {
  return fmt::format("({}, {})", p.x, p.y);
}

// A ring passing through a vertex: it comes from `from` and leaves to `to`.
struct Visit {
  Point from;
  Point to;
  uint32_t ring;
};

class PolygonChecker {
 public:
  PolygonChecker(std::span<const Polygon> polygons, size_t limit, SidesMeet meet, const Context& context)
      : limit_(limit), meet_(meet), context_(context) {
    for (uint32_t p = 0; p < polygons.size(); ++p) {
      rings_.push_back({&polygons[p].outer, p, 0});
      for (uint32_t h = 0; h < polygons[p].holes.size(); ++h) rings_.push_back({&polygons[p].holes[h], p, h + 1});
    }
  }

  std::vector<PolygonFault> run() {
    using Stage = void (PolygonChecker::*)();
    for (const Stage stage :
         {&PolygonChecker::checkRings, &PolygonChecker::checkSegments, &PolygonChecker::checkOrientation,
          &PolygonChecker::checkWalks, &PolygonChecker::checkNesting}) {
      if (limit_ > 0 && faults_.empty()) (this->*stage)();
    }
    return std::move(faults_);
  }

 private:
  struct RingRef {
    const Ring* points;
    uint32_t polygon;
    uint32_t index;  // 0 = outer
  };

  std::string name(uint32_t ring) const {
    const RingRef& ref = rings_[ring];
    return ref.index == 0 ? fmt::format("the outer ring of polygon {}", ref.polygon)
                          : fmt::format("hole {} of polygon {}", ref.index - 1, ref.polygon);
  }

  // False once there are enough.
  bool add(PolygonFaultKind kind, uint32_t ring, Point place, std::string message) {
    if (faults_.size() < limit_) {
      faults_.push_back({kind, rings_[ring].polygon, rings_[ring].index, place, std::move(message)});
    }
    return faults_.size() < limit_;
  }

  void checkRings() {
    constexpr auto outside = [](int32_t c) { return c < -kMaxCoordinate || c > kMaxCoordinate; };
    for (uint32_t r = 0; r < rings_.size(); ++r) {
      const Ring& ring = *rings_[r].points;
      ringBegin_.push_back(static_cast<uint32_t>(sides_.size()));
      if (ring.size() < 3) {
        add(PolygonFaultKind::kRingTooShort, r, ring.empty() ? Point{} : ring.front(),
            fmt::format("{} has {} points; a ring needs at least 3", name(r), ring.size()));
        continue;
      }
      for (size_t i = 0; i < ring.size(); ++i) {
        const Point next = ring[i + 1 == ring.size() ? 0 : i + 1];
        if (outside(ring[i].x) || outside(ring[i].y)) {
          add(PolygonFaultKind::kOutsideLattice, r, ring[i],
              fmt::format("{} has the point {}, beyond the lattice of +-2^30 units", name(r), text(ring[i])));
        }
        if (ring[i] == next) {
          add(PolygonFaultKind::kRepeatedPoint, r, next,
              fmt::format("{} has the point {} twice in a row", name(r), text(next)));
        }
        sides_.push_back({ring[i], next});
        ringOf_.push_back(r);
      }
    }
    ringBegin_.push_back(static_cast<uint32_t>(sides_.size()));
  }

  // Beside it the sides are put in the orders that later stages need.
  void checkSegments() {
    parallelFor(2, context_, [&](size_t i) {
      if (i == 0 && meet_ == SidesMeet::kAnywhere) comparePairs();
      if (i == 1) {
        sortByPlace();
        sweep_.emplace(sides_, ringBegin_);
      }
    });
  }

  void comparePairs() {
    struct Pair {
      uint32_t i;
      uint32_t j;
      auto operator<=>(const Pair&) const = default;
    };
    std::vector<Pair> bad;
    const PairSearch search = forEachClosePair(sides_, {}, pairBudget(sides_.size()), [&](uint32_t i, uint32_t j) {
      if (!meetInEndsOnly(sides_[i], sides_[j])) bad.push_back({std::min(i, j), std::max(i, j)});
      return bad.size() < kMaxBadPairs;
    });
    std::sort(bad.begin(), bad.end());
    bad.erase(std::unique(bad.begin(), bad.end()), bad.end());
    for (const Pair& pair : bad) {
      if (!addMeeting(pair.i, pair.j)) return;
    }
    if (search == PairSearch::kOverBudget) {
      add(PolygonFaultKind::kCrossing, 0, sides_.front().a,
          "the segments lie so close together that comparing them takes too long; cut the world into smaller parts");
    }
  }

  bool addMeeting(uint32_t i, uint32_t j) {
    const Segment& s = sides_[i];
    const Segment& t = sides_[j];
    const std::string both = fmt::format("{}-{} of {} and {}-{} of {}", text(s.a), text(s.b), name(ringOf_[i]),
                                         text(t.a), text(t.b), name(ringOf_[j]));
    switch (meet(s.a, s.b, t.a, t.b)) {
      case Meeting::kCross:
        return add(PolygonFaultKind::kCrossing, ringOf_[i], nearCrossing(s, t), fmt::format("segments {} cross", both));
      case Meeting::kOverlap:
        return add(PolygonFaultKind::kCrossing, ringOf_[i], std::max(std::min(s.a, s.b), std::min(t.a, t.b)),
                   fmt::format("segments {} overlap", both));
      case Meeting::kTouch: {
        const bool onS = onSegment(s.a, s.b, t.a) || onSegment(s.a, s.b, t.b);
        const Point p = onS ? (onSegment(s.a, s.b, t.a) ? t.a : t.b) : (onSegment(t.a, t.b, s.a) ? s.a : s.b);
        return add(PolygonFaultKind::kVertexOnEdge, ringOf_[onS ? j : i], p,
                   fmt::format("vertex {} lies inside a segment: {}", text(p), both));
      }
      case Meeting::kNone:
        break;
    }
    return true;
  }

  static Point nearCrossing(const Segment& s, const Segment& t) {
    const double denominator = static_cast<double>(cross(t.a, t.b, s.a)) - static_cast<double>(cross(t.a, t.b, s.b));
    const double along = static_cast<double>(cross(t.a, t.b, s.a)) / denominator;
    return {static_cast<int32_t>(s.a.x + along * (static_cast<double>(s.b.x) - s.a.x)),
            static_cast<int32_t>(s.a.y + along * (static_cast<double>(s.b.y) - s.a.y))};
  }

  void checkOrientation() {
    for (uint32_t r = 0; r < rings_.size(); ++r) {
      const bool outer = rings_[r].index == 0;
      const Int128 area = doubledArea(*rings_[r].points);
      if (outer ? area > 0 : area < 0) continue;
      if (!add(PolygonFaultKind::kOrientation, r, rings_[r].points->front(),
               fmt::format("{} is not {}", name(r), outer ? "counter-clockwise" : "clockwise"))) {
        return;
      }
    }
  }

  // Sides that begin where others do; few, as a rule.
  void sortByPlace() {
    const auto bits = std::bit_width(2 * sides_.size());
    const size_t mask = (size_t{1} << bits) - 1;
    std::vector<uint32_t> firstAt(mask + 1, kNone);
    std::vector<uint8_t> known(sides_.size(), 0);
    for (uint32_t i = 0; i < sides_.size(); ++i) {
      const Point p = sides_[i].a;
      auto at = static_cast<size_t>(std::bit_cast<uint64_t>(p) * 0x9e3779b97f4a7c15ULL >> (64 - bits));
      while (firstAt[at] != kNone && sides_[firstAt[at]].a != p) at = (at + 1) & mask;
      const uint32_t first = firstAt[at];
      if (first == kNone) {
        firstAt[at] = i;
        continue;
      }
      if (known[first] == 0) byPlace_.push_back({p, first});
      known[first] = 1;
      byPlace_.push_back({p, i});
    }
    std::sort(byPlace_.begin(), byPlace_.end());
  }

  // At a vertex the interior is the wedge clockwise from the way back to the way on. Another segment in that wedge
  // means that the walk should have turned there.
  void checkWalks() {
    std::vector<Visit> visits;
    for (size_t i = 0, j = 0; i < byPlace_.size(); i = j) {
      while (j < byPlace_.size() && byPlace_[j].at == byPlace_[i].at) ++j;
      visits.clear();
      for (size_t k = i; k < j; ++k) {
        const uint32_t side = byPlace_[k].side;
        const uint32_t ring = ringOf_[side];
        const uint32_t before = side == ringBegin_[ring] ? ringBegin_[ring + 1] - 1 : side - 1;
        visits.push_back({sides_[before].a, sides_[side].b, ring});
      }
      if (!checkVertex(byPlace_[i].at, visits)) return;
    }
  }

  // Directions around a vertex, counter-clockwise from straight left.
  static bool turnsBefore(Point centre, Point p, Point q) {
    const bool below = p < centre;  // left half: downwards first
    if (below != (q < centre)) return below;
    return orient(centre, p, q) > 0;
  }

  bool checkVertex(Point centre, std::span<const Visit> visits) {
    struct Spoke {
      Point tip;
      uint32_t visit;
      bool leaves;
    };
    std::vector<Spoke> spokes;
    for (uint32_t k = 0; k < visits.size(); ++k) {
      spokes.push_back({visits[k].from, k, false});
      spokes.push_back({visits[k].to, k, true});
    }
    std::sort(spokes.begin(), spokes.end(),
              [&](const Spoke& s, const Spoke& t) { return turnsBefore(centre, s.tip, t.tip); });
    // Clockwise from each arrival the next spoke must be its own departure.
    for (size_t k = 0; k < spokes.size(); ++k) {
      if (spokes[k].leaves) continue;
      const Spoke& next = spokes[k == 0 ? spokes.size() - 1 : k - 1];
      if (next.leaves && next.visit == spokes[k].visit) continue;
      const uint32_t ring = visits[spokes[k].visit].ring;
      const uint32_t other = visits[next.visit].ring;
      const bool own = rings_[ring].polygon == rings_[other].polygon;
      const bool go =
          own ? add(PolygonFaultKind::kBoundaryWalk, ring, centre,
                    fmt::format("{} leaves the touching vertex {} across its own interior; it should go on "
                                "along {}",
                                name(ring), text(centre), name(other)))
              : add(PolygonFaultKind::kNesting, ring, centre,
                    fmt::format("{} lies inside {} at the touching vertex {}", name(other), name(ring), text(centre)));
      if (!go) return false;
    }
    return true;
  }

  uint32_t find(uint32_t ring) {
    while (component_[ring] != ring) ring = component_[ring] = component_[component_[ring]];
    return ring;
  }

  // After the walks are right, rings that touch form components, and each component's outside is one face: the interior
  // of one polygon if the component has a hole ring, the exterior otherwise. It must be what lies left of the
  // component's lowest vertex.
  void checkNesting() {
    component_.resize(rings_.size());
    std::iota(component_.begin(), component_.end(), 0U);
    for (size_t i = 1; i < byPlace_.size(); ++i) {
      if (byPlace_[i].at != byPlace_[i - 1].at) continue;
      const uint32_t a = find(ringOf_[byPlace_[i - 1].side]);
      const uint32_t b = find(ringOf_[byPlace_[i].side]);
      component_[std::max(a, b)] = std::min(a, b);
    }
    std::vector<uint32_t> holeOf(rings_.size(), kNone);  // by component: its hole ring
    for (uint32_t r = 0; r < rings_.size(); ++r) {
      if (rings_[r].index != 0) holeOf[find(r)] = r;
    }
    // Of each component the side that begins in its lowest vertex, of equals the leftmost.
    const auto isLower = [&](uint32_t i, uint32_t j) {
      const Point p = sides_[i].a;
      const Point q = sides_[j].a;
      return p.y != q.y ? p.y < q.y : p.x != q.x ? p.x < q.x : i < j;
    };
    std::vector<uint32_t> lowest(rings_.size(), kNone);
    for (uint32_t r = 0; r < rings_.size(); ++r) {
      uint32_t& least = lowest[find(r)];
      for (uint32_t i = ringBegin_[r]; i < ringBegin_[r + 1]; ++i) {
        if (least == kNone || isLower(i, least)) least = i;
      }
    }
    std::erase(lowest, kNone);
    std::sort(lowest.begin(), lowest.end(), isLower);
    for (const uint32_t i : lowest) {
      if (!checkOutside(i, sweep_->leftOf(sides_[i].a), holeOf)) return;
    }
  }

  // From where side i begins, the lowest vertex of its component, the side `seen` is next to the left.
  bool checkOutside(uint32_t i, uint32_t seen, const std::vector<uint32_t>& holeOf) {
    const uint32_t ring = ringOf_[i];
    const uint32_t hole = holeOf[find(ring)];
    const bool inInterior = seen != kNone && sides_[seen].a.y > sides_[seen].b.y;  // downwards: its left faces us
    const Point place = sides_[i].a;
    if (hole == kNone && inInterior) {
      return add(PolygonFaultKind::kNesting, ring, place,
                 fmt::format("{} lies inside {}: polygons overlap", name(ring), name(ringOf_[seen])));
    }
    if (hole != kNone && (!inInterior || rings_[ringOf_[seen]].polygon != rings_[hole].polygon)) {
      return add(PolygonFaultKind::kNesting, hole, place, fmt::format("{} lies outside its polygon", name(hole)));
    }
    return true;
  }

  // Where a side begins.
  struct Place {
    Point at;
    uint32_t side;
    auto operator<=>(const Place&) const = default;
  };

  static constexpr size_t kMaxBadPairs = 1'000'000;

  size_t limit_;
  SidesMeet meet_;
  const Context& context_;
  std::vector<RingRef> rings_;
  std::vector<uint32_t> ringBegin_;  // in sides_
  std::vector<Segment> sides_;       // directed, the interior on their left
  std::vector<uint32_t> ringOf_;     // of each side
  std::vector<Place> byPlace_;       // of sides that begin where others do, sorted
  std::optional<RingSweep> sweep_;
  std::vector<uint32_t> component_;
  std::vector<PolygonFault> faults_;
};

}  // namespace

const char* polygonFaultName(PolygonFaultKind kind) {
  switch (kind) {
    case PolygonFaultKind::kRingTooShort:
      return "ring-too-short";
    case PolygonFaultKind::kRepeatedPoint:
      return "repeated-point";
    case PolygonFaultKind::kOutsideLattice:
      return "outside-lattice";
    case PolygonFaultKind::kCrossing:
      return "crossing";
    case PolygonFaultKind::kVertexOnEdge:
      return "vertex-on-edge";
    case PolygonFaultKind::kOrientation:
      return "orientation";
    case PolygonFaultKind::kNesting:
      return "nesting";
    case PolygonFaultKind::kBoundaryWalk:
      return "boundary-walk";
  }
  return "unknown";
}

std::vector<PolygonFault> findPolygonFaults(std::span<const Polygon> polygons, size_t limit, SidesMeet meet,
                                            int threads) {
  Context context;
  context.threads = threads;
  return PolygonChecker(polygons, limit, meet, context).run();
}

}  // namespace wend
