#include "geometry/simplify.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "geometry/index/point_tree.h"
#include "geometry/predicates.h"

namespace wend {
namespace {

// Beyond this depth chains are halved instead of split at their farthest vertex: no input takes quadratic time.
constexpr int kMaxDepth = 64;

double distance(Point a, Point b, Point p) {
  const double dx = static_cast<double>(b.x) - a.x;
  const double dy = static_cast<double>(b.y) - a.y;
  const double px = static_cast<double>(p.x) - a.x;
  const double py = static_cast<double>(p.y) - a.y;
  const double length2 = dx * dx + dy * dy;
  const double t = length2 == 0 ? 0 : std::clamp((px * dx + py * dy) / length2, 0.0, 1.0);
  return std::hypot(px - t * dx, py - t * dy);
}

// The convex hull of a few points, as its lower and its upper side from left to right.
class ConvexHull {
 public:
  explicit ConvexHull(std::vector<Point> points) {
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    for (const Point p : points) {
      append(lower_, p, 1);
      append(upper_, p, -1);
    }
  }

  // Inside or on the border. O(log n).
  bool contains(Point p) const {
    if (p < lower_.front() || lower_.back() < p) return false;
    return on(lower_, p, 1) && on(upper_, p, -1);
  }

 private:
  static void append(std::vector<Point>& side, Point p, int turn) {
    while (side.size() > 1 && orient(side[side.size() - 2], side.back(), p) * turn <= 0) side.pop_back();
    side.push_back(p);
  }

  // Points are ordered by x, then y, which serves upright borders as well.
  static bool on(const std::vector<Point>& side, Point p, int turn) {
    const auto right = std::lower_bound(side.begin(), side.end(), p);
    if (right == side.begin() || *right == p) return true;
    return orient(*(right - 1), *right, p) * turn >= 0;
  }

  std::vector<Point> lower_;
  std::vector<Point> upper_;
};

using Chord = std::pair<Point, Point>;

Chord chordOf(Point a, Point b) {
  return {std::min(a, b), std::max(a, b)};
}

// A chord may replace its chain if the hull of the chain holds no vertex but its own. Then hulls of different chains
// have at most ends in common (two that overlap without holding each other's vertices belong to chains that cross), so
// pulling every chain straight inside its hull moves nothing across anything.
class Simplifier {
 public:
  Simplifier(std::span<const Polygon> polygons, double tolerance, std::span<const Point> keep) : tolerance_(tolerance) {
    for (const Polygon& polygon : polygons) {
      addRing(polygon.outer);
      for (const Ring& hole : polygon.holes) addRing(hole);
    }
    std::vector<Point> sorted = vertices_;
    std::sort(sorted.begin(), sorted.end());
    for (size_t i = 1; i < sorted.size(); ++i) {
      if (sorted[i] == sorted[i - 1]) fixed_.push_back(sorted[i]);
    }
    fixed_.insert(fixed_.end(), keep.begin(), keep.end());
    std::sort(fixed_.begin(), fixed_.end());
    std::sort(edges_.begin(), edges_.end());
  }

  std::vector<Polygon> run(std::span<const Polygon> polygons) {
    const PointTree tree(vertices_);
    tree_ = &tree;
    std::vector<Polygon> result;
    result.reserve(polygons.size());
    size_t ring = 0;
    for (const Polygon& polygon : polygons) {
      Polygon& simple = result.emplace_back();
      simple.outer = simplifyRing(ring++);
      for (size_t h = 0; h < polygon.holes.size(); ++h) simple.holes.push_back(simplifyRing(ring++));
    }
    return result;
  }

 private:
  struct Chain {
    size_t first;  // position in the ring
    size_t last;   // > first; may pass the ring's end
    int depth;
  };

  void addRing(const Ring& ring) {
    begin_.push_back(vertices_.size());
    vertices_.insert(vertices_.end(), ring.begin(), ring.end());
    for (size_t i = 0; i < ring.size(); ++i) edges_.push_back(chordOf(ring[i], ring[i + 1 == ring.size() ? 0 : i + 1]));
  }

  Ring simplifyRing(size_t ring) {
    ringBegin_ = begin_[ring];
    ringSize_ = (ring + 1 < begin_.size() ? begin_[ring + 1] : vertices_.size()) - ringBegin_;
    const auto input = std::span(vertices_).subspan(ringBegin_, ringSize_);
    if (ringSize_ < 4) return {input.begin(), input.end()};
    const std::vector<size_t> anchors = anchorsOf();
    std::vector<size_t> kept;
    for (size_t i = 0; i < anchors.size(); ++i) {
      const bool wraps = i + 1 == anchors.size();
      chains_.push_back({anchors[i], wraps ? anchors.front() + ringSize_ : anchors[i + 1], 0});
      while (!chains_.empty()) {
        const Chain chain = chains_.back();
        chains_.pop_back();
        const size_t split = splitOf(chain);
        if (split == chain.first) {
          kept.push_back(chain.first);
        } else {
          chains_.push_back({split, chain.last, chain.depth + 1});
          chains_.push_back({chain.first, split, chain.depth + 1});
        }
      }
    }
    // In the order of the input, from the first vertex that stayed.
    std::sort(kept.begin(), kept.end(), [this](size_t i, size_t j) { return i % ringSize_ < j % ringSize_; });
    Ring result;
    result.reserve(kept.size());
    for (const size_t i : kept) result.push_back(vertex(i));
    return result;
  }

  Point vertex(size_t i) const { return vertices_[ringBegin_ + i % ringSize_]; }

  // Vertices that stay whatever the tolerance: the fixed ones, or else the smallest and the one farthest from it.
  std::vector<size_t> anchorsOf() const {
    std::vector<size_t> anchors;
    for (size_t i = 0; i < ringSize_; ++i) {
      if (std::binary_search(fixed_.begin(), fixed_.end(), vertex(i))) anchors.push_back(i);
    }
    if (anchors.size() >= 2) return anchors;
    if (anchors.empty()) {
      size_t smallest = 0;
      for (size_t i = 1; i < ringSize_; ++i) {
        if (vertex(i) < vertex(smallest)) smallest = i;
      }
      anchors.push_back(smallest);
    }
    size_t farthest = anchors.front() + 1;
    for (size_t i = anchors.front() + 2; i < anchors.front() + ringSize_; ++i) {
      const Point from = vertex(anchors.front());
      if (distance(from, from, vertex(i)) > distance(from, from, vertex(farthest))) farthest = i;
    }
    anchors.push_back(farthest % ringSize_);
    std::sort(anchors.begin(), anchors.end());
    return anchors;
  }

  // Where to split the chain; its first vertex if it becomes its chord.
  size_t splitOf(const Chain& chain) {
    if (chain.last == chain.first + 1) return chain.first;
    const Point a = vertex(chain.first);
    const Point b = vertex(chain.last);
    size_t farthest = chain.first + 1;
    double most = -1;
    for (size_t i = chain.first + 1; i < chain.last; ++i) {
      const double d = distance(a, b, vertex(i));
      if (d > most) {
        most = d;
        farthest = i;
      }
    }
    if (most <= tolerance_ && a != b && isFree(chain)) {
      chords_.insert(chordOf(a, b));
      return chain.first;
    }
    return most == 0 || chain.depth > kMaxDepth ? chain.first + (chain.last - chain.first) / 2 : farthest;
  }

  bool isFree(const Chain& chain) const {
    const Point a = vertex(chain.first);
    const Point b = vertex(chain.last);
    const Chord chord = chordOf(a, b);
    if (std::binary_search(edges_.begin(), edges_.end(), chord) || chords_.contains(chord)) return false;
    std::vector<Point> points;
    Strip strip{{}, a, b};
    for (size_t i = chain.first; i <= chain.last; ++i) {
      const Point p = vertex(i);
      const Int128 area = cross(a, b, p);
      strip.box.add(p);
      strip.low = std::min(strip.low, area);
      strip.high = std::max(strip.high, area);
      points.push_back(p);
    }
    const ConvexHull hull(std::move(points));
    return tree_->forEach(strip, [&](uint32_t id) {
      if (id >= ringBegin_ && id < ringBegin_ + ringSize_) {
        const size_t ahead = (id - ringBegin_ + ringSize_ - chain.first % ringSize_) % ringSize_;
        if (ahead <= chain.last - chain.first) return true;
      }
      const Point p = vertices_[id];
      return p == a || p == b || !hull.contains(p);
    });
  }

  double tolerance_;
  std::vector<Point> vertices_;  // of all rings
  std::vector<size_t> begin_;    // by ring
  std::vector<Point> fixed_;     // sorted
  std::vector<Chord> edges_;     // of the input, sorted
  std::set<Chord> chords_;       // that replaced chains
  const PointTree* tree_ = nullptr;

  size_t ringBegin_ = 0;
  size_t ringSize_ = 0;
  std::vector<Chain> chains_;
};

}  // namespace

std::vector<Polygon> simplify(std::span<const Polygon> polygons, double tolerance, std::span<const Point> keep) {
  if (!(tolerance >= 0)) return {polygons.begin(), polygons.end()};
  return Simplifier(polygons, tolerance, keep).run(polygons);
}

}  // namespace wend
