#include "generators/neogen/relaxed_convexity.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <tuple>

#include "generators/neogen/notches.h"
#include "geometry/predicates.h"
#include "geometry/vec2.h"

namespace wend::neogen {
namespace {

using Half = Subdivision::Half;

// By how much the corner exceeds 180 degrees, radians; 0 if it does not.
double excessOf(Point before, Point at, Point after) {
  if (orient(before, at, after) >= 0) return 0;
  const double ux = static_cast<double>(at.x) - before.x;
  const double uy = static_cast<double>(at.y) - before.y;
  const double vx = static_cast<double>(after.x) - at.x;
  const double vy = static_cast<double>(after.y) - at.y;
  return std::abs(std::atan2(ux * vy - uy * vx, ux * vx + uy * vy));
}

double squaredDistance(Point p, Point a, Point b) {
  const double ex = static_cast<double>(b.x) - a.x;
  const double ey = static_cast<double>(b.y) - a.y;
  const double px = static_cast<double>(p.x) - a.x;
  const double py = static_cast<double>(p.y) - a.y;
  const double length = ex * ex + ey * ey;
  const double t = length > 0 ? std::clamp((px * ex + py * ey) / length, 0.0, 1.0) : 0;
  const double dx = px - t * ex;
  const double dy = py - t * ey;
  return dx * dx + dy * dy;
}

class RingChoice {
 public:
  RingChoice(const Ring& ring, double alpha, double tau)
      : ring_(ring), alpha_(alpha), tau_(tau), excess_(ring.size()), kept_(ring.size(), 0) {
    const size_t n = ring.size();
    for (size_t i = 0; i < n; ++i) excess_[i] = excessOf(at(i + n - 1), at(i), at(i + 1));
    keepAboveAlpha();
    if (tau <= 0) return;
    const auto other = std::find(kept_.begin(), kept_.end(), 0);
    if (other == kept_.end()) {
      thin(0, n - 1);
      return;
    }
    const auto start = static_cast<size_t>(other - kept_.begin());
    for (size_t i = start; i < start + n;) {
      size_t end = i + 1;
      while (kept_[end % n] != 0) ++end;
      thin(i, end);
      i = end;
    }
  }

  bool isNotch(size_t i) const { return excess_[i] > 0; }
  bool isKept(size_t i) const { return kept_[i] != 0; }
  bool isStrict(size_t i) const { return isKept(i) && isSmall(i); }

 private:
  bool isSmall(size_t i) const { return excess_[i] > 0 && excess_[i] <= alpha_; }

  void keepAboveAlpha() {
    const size_t n = ring_.size();
    size_t start = 0;
    while (start < n && isSmall(start)) ++start;
    double sum = 0;
    for (size_t k = 0; k < n; ++k) {
      const size_t i = (start + k) % n;
      sum = isSmall(i) ? sum + excess_[i] : 0;
      kept_[i] = excess_[i] > alpha_ || sum > alpha_ ? 1 : 0;
      if (kept_[i] != 0) sum = 0;
    }
  }

  Point at(size_t i) const { return ring_[i % ring_.size()]; }

  // The notches strictly between two vertices. Not recursive: a run may have millions.
  void thin(size_t first, size_t last) {
    std::vector<std::pair<size_t, size_t>> runs{{first, last}};
    while (!runs.empty()) {
      const auto [a, b] = runs.back();
      runs.pop_back();
      size_t furthest = a;
      double most = tau_ * tau_;
      for (size_t i = a + 1; i < b; ++i) {
        const double square = squaredDistance(at(i), at(a), at(b));
        if (square <= most) continue;
        most = square;
        furthest = i;
      }
      if (furthest == a) {
        for (size_t i = a + 1; i < b; ++i) kept_[i % ring_.size()] = 0;
      } else {
        runs.emplace_back(a, furthest);
        runs.emplace_back(furthest, b);
      }
    }
  }

  const Ring& ring_;
  double alpha_;
  double tau_;
  std::vector<double> excess_;
  std::vector<uint8_t> kept_;
};

void choose(const Ring& ring, double alpha, double tau, NotchChoice& choice) {
  const size_t n = ring.size();
  if (n < 3) return;
  const RingChoice kept(ring, alpha, tau);
  for (size_t i = 0; i < n; ++i) {
    if (!kept.isNotch(i)) continue;
    const BoundaryCorner corner{ring[i], ring[(i + 1) % n]};
    if (!kept.isKept(i)) {
      choice.ignored.push_back(corner);
      continue;
    }
    ++choice.kept;
    if (kept.isStrict(i)) choice.strict.push_back(corner);
  }
}

// Cells with an id each, joined when a portal between them goes.
class SimpleMerger {
 public:
  explicit SimpleMerger(Subdivision& subdivision) : subdivision_(subdivision), cell_(subdivision.halfCount(), kNone) {
    for (Half first = 0; first < subdivision.halfCount(); ++first) {
      if (cell_[first] != kNone || subdivision.isFree(first) || subdivision.isOutside(first)) continue;
      const auto id = static_cast<uint32_t>(parent_.size());
      parent_.push_back(id);
      for (Half h = first; cell_[h] == kNone; h = subdivision.after(h)) cell_[h] = id;
    }
  }

  void removeIfSimple(Half portal) {
    const Half twin = portal ^ 1;
    const uint32_t a = find(cell_[portal]);
    const uint32_t b = find(cell_[twin]);
    if (a == b || !meetOnlyIn(portal)) return;
    subdivision_.unmark(portal);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  uint32_t find(uint32_t id) {
    while (parent_[id] != id) {
      parent_[id] = parent_[parent_[id]];
      id = parent_[id];
    }
    return id;
  }

  // Whether the two cells have no point in common but the portal's ends. Walks the shorter loop only.
  bool meetOnlyIn(Half portal) {
    Half mine = subdivision_.after(portal);
    Half other = subdivision_.after(portal ^ 1);
    while (mine != portal && other != (portal ^ 1)) {
      mine = subdivision_.after(mine);
      other = subdivision_.after(other);
    }
    const Half start = mine == portal ? portal : portal ^ 1;
    const uint32_t opposite = find(cell_[start ^ 1]);
    for (Half h = subdivision_.after(subdivision_.after(start)); h != start; h = subdivision_.after(h)) {
      uint32_t v = subdivision_.origin(h);
      do {
        if (hasCorner(opposite, v)) return false;
        v = subdivision_.sibling(v);
      } while (v != subdivision_.origin(h));
    }
    return true;
  }
  bool hasCorner(uint32_t cell, uint32_t vertex) {
    for (Half out = subdivision_.wallFrom(vertex);;) {
      if (find(cell_[out]) == cell) return true;
      const Half in = subdivision_.before(out);
      if (subdivision_.isWall(in)) return false;
      out = in ^ 1;
    }
  }

  Subdivision& subdivision_;
  std::vector<uint32_t> cell_;  // of each half-edge of a loop, before merging
  std::vector<uint32_t> parent_;
};

// The cell of each half-edge of a triangle: what free edges join.
std::vector<uint32_t> cellsByFreeEdges(const Subdivision& subdivision, uint32_t& count) {
  std::vector<uint32_t> cell(subdivision.halfCount(), kNone);
  std::vector<Half> stack;
  count = 0;
  for (Half first = 0; first < subdivision.halfCount(); ++first) {
    if (cell[first] != kNone || subdivision.isOutside(first)) continue;
    stack.push_back(first);
    while (!stack.empty()) {
      const Half seed = stack.back();
      stack.pop_back();
      if (cell[seed] != kNone) continue;
      for (const Half h : {seed, subdivision.next(seed), subdivision.previous(seed)}) {
        cell[h] = count;
        if (subdivision.isFree(h)) stack.push_back(h ^ 1);
      }
    }
    ++count;
  }
  return cell;
}

BoundaryCorner boundaryCorner(const Subdivision& subdivision, uint32_t vertex) {
  const auto rounded = [](Vec2 p) { return Point{static_cast<int32_t>(p.x), static_cast<int32_t>(p.y)}; };
  return {rounded(subdivision.point(vertex)), rounded(subdivision.wallEnd(vertex))};
}

// Looks at one cell after the other.
class DentFinder {
 public:
  DentFinder(const Subdivision& subdivision, double tau) : subdivision_(subdivision), tau_(tau) {}

  void find(std::span<const Half> loop, std::vector<Dent>& dents) {
    if (std::none_of(loop.begin(), loop.end(), [&](Half h) { return isIgnoredNotch(h); })) return;
    const std::vector<size_t> hull = hullOf(loop);
    for (size_t k = 0; k < hull.size(); ++k) {
      const Vec2 a = subdivision_.start(loop[hull[k]]);
      const size_t last = hull[(k + 1) % hull.size()] + (k + 1 == hull.size() ? loop.size() : 0);
      const Vec2 b = subdivision_.start(loop[last % loop.size()]);
      Dent deepest{{}, tau_, false};
      for (size_t i = hull[k] + 1; i < last; ++i) {
        const Half h = loop[i % loop.size()];
        if (!isIgnoredNotch(h)) continue;
        const double depth = distanceToSegment(subdivision_.start(h), a, b);
        if (depth <= deepest.depth) continue;
        const uint32_t notch = subdivision_.origin(h);
        deepest = {boundaryCorner(subdivision_, notch), depth, !subdivision_.isNotchOfBoundary(notch)};
      }
      if (deepest.depth > tau_) dents.push_back(deepest);
    }
  }

 private:
  bool isIgnoredNotch(Half h) const {
    const uint32_t vertex = subdivision_.origin(h);
    return subdivision_.isIgnored(vertex) && subdivision_.isReflexOnBoundary(vertex);
  }

  // Places in the loop of the corners of its convex hull, ascending.
  std::vector<size_t> hullOf(std::span<const Half> loop) const {
    const auto at = [&](size_t i) { return subdivision_.start(loop[i]); };
    std::vector<size_t> order(loop.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::sort(order.begin(), order.end(),
              [&](size_t i, size_t j) { return std::tuple(at(i).x, at(i).y, i) < std::tuple(at(j).x, at(j).y, j); });
    std::vector<size_t> hull;
    const auto add = [&](size_t i, size_t least) {
      while (hull.size() > least && orient(at(hull[hull.size() - 2]), at(hull.back()), at(i)) <= 0) hull.pop_back();
      hull.push_back(i);
    };
    for (const size_t i : order) add(i, 1);
    const size_t lower = hull.size();
    for (size_t k = order.size() - 1; k-- > 0;) add(order[k], lower);
    hull.pop_back();
    std::sort(hull.begin(), hull.end());
    return hull;
  }

  const Subdivision& subdivision_;
  double tau_;
};

}  // namespace

NotchChoice chooseNotches(const Layer& layer, const Lattice& lattice, const Settings& settings) {
  const double alpha = settings.alpha * std::numbers::pi / 180;
  const double tau = settings.tau / lattice.unit;
  NotchChoice choice;
  for (const Polygon& polygon : layer.free) {
    choose(polygon.outer, alpha, tau, choice);
    for (const Ring& hole : polygon.holes) choose(hole, alpha, tau, choice);
  }
  std::sort(choice.ignored.begin(), choice.ignored.end());
  std::sort(choice.strict.begin(), choice.strict.end());
  return choice;
}

bool ignoreNotches(Subdivision& subdivision, const NotchChoice& choice) {
  bool any = false;
  for (uint32_t v = 0; v < subdivision.vertexCount(); ++v) {
    const BoundaryCorner corner = boundaryCorner(subdivision, v);
    if (std::binary_search(choice.strict.begin(), choice.strict.end(), corner)) subdivision.makeStrict(v);
    if (!std::binary_search(choice.ignored.begin(), choice.ignored.end(), corner)) continue;
    subdivision.ignore(v);
    any = true;
  }
  subdivision.findSites();
  return any;
}

std::vector<Dent> deepDents(const Subdivision& subdivision, double tau) {
  std::vector<Dent> dents;
  DentFinder finder(subdivision, tau);
  std::vector<uint8_t> done(subdivision.halfCount(), 0);
  std::vector<Half> loop;
  for (Half first = 0; first < subdivision.halfCount(); ++first) {
    if (done[first] != 0 || subdivision.isFree(first) || subdivision.isOutside(first)) continue;
    loop.clear();
    for (Half h = first; done[h] == 0; h = subdivision.after(h)) {
      done[h] = 1;
      loop.push_back(h);
    }
    finder.find(loop, dents);
  }
  return dents;
}

void cutCellsThatAreNotSimple(Subdivision& subdivision) {
  uint32_t count = 0;
  const std::vector<uint32_t> cell = cellsByFreeEdges(subdivision, count);
  std::vector<uint32_t> loops(count, 0);
  std::vector<uint8_t> notSimple(count, 0);
  std::vector<uint8_t> done(subdivision.halfCount(), 0);
  std::vector<Half> lastVisit(subdivision.vertexCount(), kNone);  // the first half-edge of the loop
  for (Half first = 0; first < subdivision.halfCount(); ++first) {
    if (done[first] != 0 || subdivision.isFree(first) || subdivision.isOutside(first)) continue;
    if (++loops[cell[first]] > 1) notSimple[cell[first]] = 1;
    for (Half h = first; done[h] == 0; h = subdivision.after(h)) {
      done[h] = 1;
      Half& visit = lastVisit[subdivision.site(subdivision.origin(h))];
      if (visit == first) notSimple[cell[first]] = 1;
      visit = first;
    }
  }
  for (Half h = 0; h < subdivision.halfCount(); h += 2) {
    if (subdivision.isFree(h) && notSimple[cell[h]] != 0) subdivision.mark(h);
  }
}

void mergeSimply(Subdivision& subdivision) {
  SimpleMerger merger(subdivision);
  for (const Half h : portalsByLength(subdivision)) {
    if (!subdivision.isNeeded(h)) merger.removeIfSimple(h);
  }
}

}  // namespace wend::neogen
