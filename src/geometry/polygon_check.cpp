#include "geometry/polygon_check.h"

#include <algorithm>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "geometry/predicates.h"
#include "geometry/segment_pairs.h"

namespace wend {
namespace {

std::string text(Point p) {
  return fmt::format("({}, {})", p.x, p.y);
}

// One directed side of a ring. The interior lies on its left.
struct Side {
  Point a;
  Point b;
  uint32_t ring;  // index into all rings
};

// A ring passing through a vertex: it comes from `from` and leaves to `to`.
struct Visit {
  Point at;
  Point from;
  Point to;
  uint32_t ring;
};

class PolygonChecker {
 public:
  PolygonChecker(std::span<const Polygon> polygons, size_t limit, SidesMeet meet) : limit_(limit), meet_(meet) {
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
        sides_.push_back({ring[i], next, r});
      }
    }
  }

  void checkSegments() {
    if (meet_ == SidesMeet::kInEnds) return;
    std::vector<Segment> segments(sides_.size());
    for (size_t i = 0; i < sides_.size(); ++i) segments[i] = {sides_[i].a, sides_[i].b};
    struct Pair {
      uint32_t i;
      uint32_t j;
      auto operator<=>(const Pair&) const = default;
    };
    std::vector<Pair> bad;
    const PairSearch search = forEachClosePair(segments, {}, pairBudget(segments.size()), [&](uint32_t i, uint32_t j) {
      if (!meetInEndsOnly(segments[i], segments[j])) bad.push_back({std::min(i, j), std::max(i, j)});
      return bad.size() < kMaxBadPairs;
    });
    std::sort(bad.begin(), bad.end());
    bad.erase(std::unique(bad.begin(), bad.end()), bad.end());
    for (const Pair& pair : bad) {
      if (!addMeeting(pair.i, pair.j)) return;
    }
    if (search == PairSearch::kOverBudget) {
      add(PolygonFaultKind::kCrossing, sides_.front().ring, sides_.front().a,
          "the segments lie so close together that comparing them takes too long; cut the world into smaller parts");
    }
  }

  bool addMeeting(uint32_t i, uint32_t j) {
    const Side& s = sides_[i];
    const Side& t = sides_[j];
    const std::string both = fmt::format("{}-{} of {} and {}-{} of {}", text(s.a), text(s.b), name(s.ring), text(t.a),
                                         text(t.b), name(t.ring));
    switch (meet(s.a, s.b, t.a, t.b)) {
      case Meeting::kCross:
        return add(PolygonFaultKind::kCrossing, s.ring, nearCrossing(s, t), fmt::format("segments {} cross", both));
      case Meeting::kOverlap:
        return add(PolygonFaultKind::kCrossing, s.ring, std::max(std::min(s.a, s.b), std::min(t.a, t.b)),
                   fmt::format("segments {} overlap", both));
      case Meeting::kTouch: {
        const bool onS = onSegment(s.a, s.b, t.a) || onSegment(s.a, s.b, t.b);
        const Point p = onS ? (onSegment(s.a, s.b, t.a) ? t.a : t.b) : (onSegment(t.a, t.b, s.a) ? s.a : s.b);
        return add(PolygonFaultKind::kVertexOnEdge, onS ? t.ring : s.ring, p,
                   fmt::format("vertex {} lies inside a segment: {}", text(p), both));
      }
      case Meeting::kNone:
        break;
    }
    return true;
  }

  static Point nearCrossing(const Side& s, const Side& t) {
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

  // At a vertex the interior is the wedge clockwise from the way back to the way on. Another segment in that wedge
  // means that the walk should have turned there.
  void checkWalks() {
    visits_.reserve(sides_.size());
    for (uint32_t r = 0; r < rings_.size(); ++r) {
      const Ring& ring = *rings_[r].points;
      const size_t n = ring.size();
      for (size_t i = 0; i < n; ++i) {
        visits_.push_back({ring[i], ring[i == 0 ? n - 1 : i - 1], ring[i + 1 == n ? 0 : i + 1], r});
      }
    }
    std::stable_sort(visits_.begin(), visits_.end(), [](const Visit& v, const Visit& w) { return v.at < w.at; });
    for (size_t i = 0, j = 0; i < visits_.size(); i = j) {
      while (j < visits_.size() && visits_[j].at == visits_[i].at) ++j;
      if (j - i > 1 && !checkVertex(std::span(visits_).subspan(i, j - i))) return;
    }
  }

  // Directions around a vertex, counter-clockwise from straight left.
  static bool turnsBefore(Point centre, Point p, Point q) {
    const bool below = p < centre;  // left half: downwards first
    if (below != (q < centre)) return below;
    return orient(centre, p, q) > 0;
  }

  bool checkVertex(std::span<const Visit> visits) {
    struct Spoke {
      Point tip;
      uint32_t visit;
      bool leaves;
    };
    const Point centre = visits.front().at;
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
  // component's leftmost vertex.
  void checkNesting() {
    component_.resize(rings_.size());
    std::iota(component_.begin(), component_.end(), 0U);
    for (size_t i = 1; i < visits_.size(); ++i) {
      if (visits_[i].at != visits_[i - 1].at) continue;
      const uint32_t a = find(visits_[i - 1].ring);
      const uint32_t b = find(visits_[i].ring);
      component_[std::max(a, b)] = std::min(a, b);
    }
    std::vector<uint32_t> holeOf(rings_.size(), kNone);  // by component: its hole ring
    for (uint32_t r = 0; r < rings_.size(); ++r) {
      if (rings_[r].index != 0) holeOf[find(r)] = r;
    }
    // visits_ are sorted by point: the first visit of a component is at its leftmost vertex.
    std::vector<uint32_t> questions;
    std::vector<uint8_t> asked(rings_.size(), 0);
    for (uint32_t v = 0; v < visits_.size(); ++v) {
      const uint32_t component = find(visits_[v].ring);
      if (asked[component] != 0) continue;
      asked[component] = 1;
      questions.push_back(v);
    }
    std::sort(questions.begin(), questions.end(), [&](uint32_t v, uint32_t w) {
      return visits_[v].at.y != visits_[w].at.y ? visits_[v].at.y < visits_[w].at.y : v < w;
    });
    const auto answer = [&](uint32_t v, uint32_t side) { return checkOutside(v, side, holeOf); };
    if (questions.size() <= kFewQuestions) {
      for (const uint32_t v : questions) {
        if (!answer(v, sideLeftOf(visits_[v].at))) return;
      }
    } else {
      sweep(questions, answer);
    }
  }

  // `side` is the segment seen from the leftmost vertex towards the left, kNone if there is none.
  bool checkOutside(uint32_t v, uint32_t side, const std::vector<uint32_t>& holeOf) {
    const uint32_t hole = holeOf[find(visits_[v].ring)];
    const bool inInterior = side != kNone && sides_[side].a.y > sides_[side].b.y;  // downwards: its left faces us
    const Point place = visits_[v].at;
    if (hole == kNone && inInterior) {
      return add(PolygonFaultKind::kNesting, visits_[v].ring, place,
                 fmt::format("{} lies inside {}: polygons overlap", name(visits_[v].ring), name(sides_[side].ring)));
    }
    if (hole != kNone && (!inInterior || rings_[sides_[side].ring].polygon != rings_[hole].polygon)) {
      return add(PolygonFaultKind::kNesting, hole, place, fmt::format("{} lies outside its polygon", name(hole)));
    }
    return true;
  }

  Point low(uint32_t side) const { return sides_[side].a.y < sides_[side].b.y ? sides_[side].a : sides_[side].b; }
  Point high(uint32_t side) const { return sides_[side].a.y < sides_[side].b.y ? sides_[side].b : sides_[side].a; }

  // Whether side s lies left of side t where both are met by a level line. They do not cross.
  bool leftOf(uint32_t s, uint32_t t) const {
    if (s == t) return false;
    if (low(s).y >= low(t).y) {
      const int turn = orient(low(t), high(t), low(s));
      return turn != 0 ? turn > 0 : orient(low(t), high(t), high(s)) > 0;
    }
    const int turn = orient(low(s), high(s), low(t));
    return turn != 0 ? turn < 0 : orient(low(s), high(s), high(t)) < 0;
  }

  // The side next to the left of a vertex, just above it: sides are known not to cross.
  uint32_t sideLeftOf(Point p) const {
    uint32_t nearest = kNone;
    for (uint32_t i = 0; i < sides_.size(); ++i) {
      const Side& s = sides_[i];
      if ((s.a.y > p.y) == (s.b.y > p.y) || std::min(s.a.x, s.b.x) >= p.x) continue;
      if (orient(low(i), high(i), p) < 0 && (nearest == kNone || leftOf(nearest, i))) nearest = i;
    }
    return nearest;
  }

  struct Order {
    using is_transparent = void;
    const PolygonChecker* checker;
    bool operator()(uint32_t s, uint32_t t) const { return checker->leftOf(s, t); }
    bool operator()(uint32_t s, Point p) const { return orient(checker->low(s), checker->high(s), p) < 0; }
    bool operator()(Point p, uint32_t s) const { return orient(checker->low(s), checker->high(s), p) > 0; }
  };

  // Answers, for each visit in `questions`, lowest first, which side is next to the left, just above the vertex. Sweeps
  // upwards over sides that are known not to cross.
  template <typename Answer>
  void sweep(const std::vector<uint32_t>& questions, Answer&& answer) {
    std::vector<uint32_t> starts;
    for (uint32_t i = 0; i < sides_.size(); ++i) {
      if (sides_[i].a.y != sides_[i].b.y) starts.push_back(i);
    }
    std::vector<uint32_t> ends = starts;
    const auto byHeight = [](auto height) {
      return [height](uint32_t i, uint32_t j) { return height(i) != height(j) ? height(i) < height(j) : i < j; };
    };
    const auto lowest = [&](uint32_t i) { return low(i).y; };
    const auto highest = [&](uint32_t i) { return high(i).y; };
    const auto level = [&](uint32_t v) { return visits_[v].at.y; };
    std::sort(starts.begin(), starts.end(), byHeight(lowest));
    std::sort(ends.begin(), ends.end(), byHeight(highest));

    std::set<uint32_t, Order> active(Order{this});
    size_t start = 0;
    size_t end = 0;
    for (const uint32_t v : questions) {
      const int32_t y = level(v);
      // Levels between the questions pass in order, each taking sides out before putting others in.
      while (start < starts.size() && lowest(starts[start]) <= y) {
        const int32_t at = lowest(starts[start]);
        for (; end < ends.size() && highest(ends[end]) <= at; ++end) active.erase(ends[end]);
        for (; start < starts.size() && lowest(starts[start]) == at; ++start) active.insert(starts[start]);
      }
      for (; end < ends.size() && highest(ends[end]) <= y; ++end) active.erase(ends[end]);
      const auto after = active.lower_bound(visits_[v].at);
      if (!answer(v, after == active.begin() ? kNone : *std::prev(after))) return;
    }
  }

  static constexpr size_t kMaxBadPairs = 1'000'000;
  // Up to here looking at all sides for each beats a sweep.
  static constexpr size_t kFewQuestions = 32;

  size_t limit_;
  SidesMeet meet_;
  std::vector<RingRef> rings_;
  std::vector<Side> sides_;
  std::vector<Visit> visits_;  // sorted by point
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

std::vector<PolygonFault> findPolygonFaults(std::span<const Polygon> polygons, size_t limit, SidesMeet meet) {
  return PolygonChecker(polygons, limit, meet).run();
}

}  // namespace wend
