#include <algorithm>
#include <stdexcept>

#include "geometry/predicates.h"
#include "geometry/voronoi/sweep_front.h"
#include "geometry/voronoi/voronoi_sweep.h"

// Only inside loops of segments: what lies beyond them has no arcs. The beach line holds a node for each segment that
// the sweep crosses, between its two sides, and bisectors only where inside is. Places along the loops are known; only
// where a part begins or something stands in the way they are looked for.
namespace wend {
namespace {

struct NotInside : std::runtime_error {
  NotInside() : std::runtime_error("the segments are not loops around an inside") {}
};

class InsideSweep : sweep::Front {
 public:
  InsideSweep(const std::vector<VoronoiSite>& sites, const std::vector<LoopCorner>& corners)
      : Front(sites), corners_(corners), sideOf_(sites.size(), kNone), nodeOf_(sites.size(), kNone) {}

  VoronoiDiagram run() {
    for (const uint32_t point : inOrder()) {
      const Side p = addSite(point);
      passCirclesBefore(p);
      pass(corners_[point], p);
    }
    passAllCircles();
    VoronoiDiagram diagram = finish();
    diagram.inside = true;
    return diagram;
  }

 private:
  std::vector<uint32_t> inOrder() const {
    struct Keyed {
      uint64_t key;
      uint32_t point;
    };
    const auto rank = [](int32_t v) { return static_cast<uint32_t>(v) ^ 0x80000000U; };
    std::vector<Keyed> keyed(corners_.size());
    for (uint32_t i = 0; i < keyed.size(); ++i) {
      keyed[i] = {uint64_t{rank(given_[i].a.x)} << 32 | rank(given_[i].a.y), i};
    }
    std::sort(keyed.begin(), keyed.end(), [](const Keyed& a, const Keyed& b) { return a.key < b.key; });
    std::vector<uint32_t> order(keyed.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = keyed[i].point;
    return order;
  }

  // The lower side of a segment that begins; the upper one is its inverse.
  Side begin(uint32_t segment) { return sideOf_[segment] = addSite(segment); }

  // Left of the way in and out is inside.
  void pass(const LoopCorner& corner, Side p) {
    const Point at = given_[givenId(p)].a;
    const Point from = given_[corner.in].a;
    const Point to = given_[corner.out].b;
    const int turn = orient(from, at, to);
    const bool inBegins = at < from;
    const bool outBegins = at < to;
    if (inBegins && outBegins) {
      if (turn == 0) throw NotInside();
      turn > 0 ? openInside(p, corner.out, corner.in) : openOutside(p, corner.in, corner.out);
    } else if (!inBegins && !outBegins) {
      if (turn == 0) throw NotInside();
      turn > 0 ? closeInside(p, corner.in, corner.out) : closeOutside(p, corner.out, corner.in);
    } else if (outBegins) {
      goOnAbove(p, corner.in, corner.out, turn > 0);
    } else {
      goOnBelow(p, corner.out, corner.in, turn > 0);
    }
  }

  // Between two segments, the lower one first, that begin in a point.
  void openInside(Side p, uint32_t low, uint32_t high) {
    const Side lower = begin(low);
    const Side upper = begin(high);
    const uint32_t above = findAbove(p, kNone);
    const uint32_t below = above == kNone ? beach_.last() : beach_.previous(above);
    if ((above != kNone && !isBetweenSides(above)) || (below != kNone && !isBetweenSides(below))) throw NotInside();
    nodeOf_[low] = beach_.insert(above, {lower, lower ^ 1, kNone, kNone});
    beach_.insert(above, {lower ^ 1, upper, joinAt(p, lower, upper), kNone});
    nodeOf_[high] = beach_.insert(above, {upper, upper ^ 1, kNone, kNone});
  }

  // What two segments that begin in a point enclose is not inside, but the point is.
  void openOutside(Side p, uint32_t low, uint32_t high) {
    const uint32_t above = findAbove(p, kNone);
    const uint32_t below = above == kNone ? kNone : beach_.previous(above);
    if (below == kNone || beach_[below].right != beach_[above].left) throw NotInside();
    const Side lower = begin(low);
    const Side upper = begin(high);
    const Side arc = beach_[above].left;
    dropCircle(above);
    const uint32_t edge = edges_.add(givenId(arc), givenId(p));
    const uint32_t first = beach_.insert(above, {arc, p, edge, kNone});
    const uint32_t toLower = insert(above, p, lower);
    nodeOf_[low] = beach_.insert(above, {lower, lower ^ 1, kNone, kNone});
    nodeOf_[high] = beach_.insert(above, {upper, upper ^ 1, kNone, kNone});
    insert(above, upper ^ 1, p);
    const uint32_t last = beach_.insert(above, {p, arc, edge ^ 1, kNone});
    addCircle(beach_[below].left, arc, p, first);
    addCircle(arc, p, lower, toLower);
    addCircle(upper ^ 1, p, arc, last);
    addCircle(p, arc, beach_[above].right, above);
  }

  // Puts a segment that begins where one that ends was.
  Side replace(uint32_t ends, uint32_t begins) {
    const Side added = begin(begins);
    const uint32_t sides = nodeOf_[begins] = nodeOf_[ends];
    beach_[sides].left = added;
    beach_[sides].right = added ^ 1;
    return added;
  }

  // From a segment that ends in a point to one that begins there; inside lies above them.
  void goOnAbove(Side p, uint32_t ends, uint32_t begins, bool convex) {
    const Side old = sideOf_[ends] ^ 1;
    const uint32_t above = beach_.next(nodeOf_[ends]);
    if (above == kNone || beach_[above].left != old) throw NotInside();
    const Side added = replace(ends, begins);
    dropCircle(above);
    if (convex) {
      beach_.insert(above, {added ^ 1, old, joinAt(p, added, old), kNone});
      addCircle(added ^ 1, old, beach_[above].right, above);
      return;
    }
    insert(above, added ^ 1, p);
    const uint32_t node = insert(above, p, old);
    addCircle(added ^ 1, p, old, node);
    addCircle(p, old, beach_[above].right, above);
  }

  // The same with inside below them.
  void goOnBelow(Side p, uint32_t ends, uint32_t begins, bool convex) {
    const Side old = sideOf_[ends];
    const uint32_t sides = nodeOf_[ends];
    const uint32_t below = beach_.previous(sides);
    if (below == kNone || beach_[below].right != old) throw NotInside();
    const Side added = replace(ends, begins);
    if (convex) {
      addCircle(beach_[below].left, old, added, beach_.insert(sides, {old, added, joinAt(p, old, added), kNone}));
      return;
    }
    const uint32_t node = insert(sides, old, p);
    addCircle(beach_[below].left, old, p, node);
    addCircle(old, p, added, insert(sides, p, added));
  }

  // Between two segments, the lower one first, that end in a point.
  void closeInside(Side p, uint32_t low, uint32_t high) {
    const uint32_t lowSides = nodeOf_[low];
    const uint32_t highSides = nodeOf_[high];
    passCirclesBetween(lowSides, highSides);
    const uint32_t node = beach_.next(lowSides);
    const Side lower = beach_[lowSides].right;
    const Side upper = beach_[highSides].left;
    if (beach_[node].left != lower || beach_[node].right != upper) throw NotInside();
    edges_.join(givenId(p), givenId(upper), placeOf(p), edges_.add(givenId(p), givenId(lower)), beach_[node].edge);
    dropCircle(node);
    for (const uint32_t id : {lowSides, node, highSides}) beach_.erase(id);
  }

  // Arcs that vanish in the very point, with rounding perhaps later.
  void passCirclesBetween(uint32_t low, uint32_t high) {
    while (true) {
      uint32_t earliest = kNone;
      size_t count = 0;
      for (uint32_t id = beach_.next(low); id != high; id = beach_.next(id), ++count) {
        if (id == kNone) throw NotInside();
        if (beach_[id].circle != kNone && (earliest == kNone || meetsBefore(id, earliest))) earliest = id;
      }
      if (count == 1) return;
      if (earliest == kNone) throw NotInside();
      passCircle(earliest);
    }
  }

  // Around a point in which two segments end that enclose no inside.
  void closeOutside(Side p, uint32_t low, uint32_t high) {
    const uint32_t lowSides = nodeOf_[low];
    const uint32_t highSides = nodeOf_[high];
    const uint32_t below = beach_.previous(lowSides);
    const uint32_t above = beach_.next(highSides);
    const Side lower = sideOf_[low];
    const Side upper = sideOf_[high] ^ 1;
    if (below == kNone || above == kNone || beach_.next(lowSides) != highSides || beach_[below].right != lower ||
        beach_[above].left != upper) {
      throw NotInside();
    }
    beach_[lowSides] = BeachNode{lower, p, edges_.add(givenId(lower), givenId(p)), kNone};
    beach_[highSides] = BeachNode{p, upper, edges_.add(givenId(p), givenId(upper)), kNone};
    addCircle(beach_[below].left, lower, p, lowSides);
    addCircle(lower, p, upper, highSides);
    dropCircle(above);
    addCircle(p, upper, beach_[above].right, above);
  }

  uint32_t insert(uint32_t above, Side left, Side right) {
    return beach_.insert(above, {left, right, edges_.add(givenId(left), givenId(right)), kNone});
  }

  // The edge between two segments from the point on in which they meet. Those between them and the point end there.
  uint32_t joinAt(Side p, Side left, Side right) {
    const uint32_t low = edges_.add(givenId(left), givenId(p));
    const uint32_t high = edges_.add(givenId(p), givenId(right));
    return edges_.join(givenId(left), givenId(right), placeOf(p), low, high);
  }
  Vec2 placeOf(Side p) const { return {double(site(p).x()), double(site(p).y())}; }

  bool isBetweenSides(uint32_t node) const { return beach_[node].left / 2 == beach_[node].right / 2; }

  const std::vector<LoopCorner>& corners_;  // by point
  std::vector<Side> sideOf_;                // of a given segment: its lower side
  std::vector<uint32_t> nodeOf_;            // of a given segment: the node between its sides
};

}  // namespace

VoronoiDiagram sweepInside(const std::vector<VoronoiSite>& sites, const std::vector<LoopCorner>& corners) {
  return InsideSweep(sites, corners).run();
}

}  // namespace wend
