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

// What a chain sweeps when it is pulled straight: the parts between it and its chord.
class Swept {
 public:
  explicit Swept(std::vector<Point> chain) : chain_(std::move(chain)) {}

  // Inside or on the border. O(n).
  bool contains(Point p) const {
    bool inside = false;
    Point a = chain_.back();
    for (const Point b : chain_) {
      const int side = orient(a, b, p);
      if (side == 0 && p.x >= std::min(a.x, b.x) && p.x <= std::max(a.x, b.x) && p.y >= std::min(a.y, b.y) &&
          p.y <= std::max(a.y, b.y)) {
        return true;
      }
      if ((a.y > p.y) != (b.y > p.y)) inside = inside != ((side > 0) == (b.y > a.y));
      a = b;
    }
    return inside;
  }

 private:
  std::vector<Point> chain_;
};

using Chord = std::pair<Point, Point>;

Chord chordOf(Point a, Point b) {
  return {std::min(a, b), std::max(a, b)};
}

// A chord may replace its chain if what the chain sweeps on its way there holds no vertex but its own. Then two chords
// never cross: the first would leave what the second chain sweeps across that chain, and an edge of that chain would
// end in what the first one sweeps.
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
    joinChains(anchors, kept);
    // In the order of the input, from the first vertex that stayed.
    std::sort(kept.begin(), kept.end(), [this](size_t i, size_t j) { return i % ringSize_ < j % ringSize_; });
    Ring result;
    result.reserve(kept.size());
    for (const size_t i : kept) result.push_back(vertex(i));
    return result;
  }

  // Beside a thin obstacle, chords through any corners would cross those of its other side, and the chains stay in
  // pieces. Those along the outermost corners do not: each piece takes the following ones as long as that is free.
  void joinChains(const std::vector<size_t>& anchors, std::vector<size_t>& kept) {
    if (kept.size() < 4) return;
    std::vector<size_t> joined;
    for (size_t i = 0; i < kept.size();) {
      joined.push_back(kept[i]);
      size_t next = i + 1;
      size_t failed = 0;
      size_t checked = i + 1;  // none before it is an anchor
      for (size_t k = i + 2; k <= kept.size() && failed < kMostFailed; k += stepFrom(k - i)) {
        while (checked < k && !std::binary_search(anchors.begin(), anchors.end(), kept[checked] % ringSize_)) ++checked;
        if (checked < k) break;
        const size_t last = k < kept.size() ? kept[k] : kept[0] + ringSize_;
        if (last - kept[i] > kMostJoined) break;
        if (last - kept[i] < ringSize_ && isNear({kept[i], last, 0}) && isFree({kept[i], last, 0})) {
          next = k;
          failed = 0;
        } else {
          ++failed;
        }
      }
      if (next > i + 1) {
        chords_.insert(chordOf(vertex(kept[i]), vertex(next < kept.size() ? kept[next] : kept[0])));
      }
      i = next;
    }
    if (joined.size() >= 3) kept = std::move(joined);
  }
  // One by one at first, then two beside each other in growing steps: every other corner of a stair is an outer one.
  static size_t stepFrom(size_t count) { return count < 10 || count % 2 == 0 ? 1 : count / 8 * 2 + 1; }
  // In a row.
  static constexpr size_t kMostFailed = 8;
  static constexpr size_t kMostJoined = 512;

  // Whether the whole chain lies within the tolerance of its chord.
  bool isNear(const Chain& chain) const {
    const Point a = vertex(chain.first);
    const Point b = vertex(chain.last);
    if (a == b) return false;
    for (size_t i = chain.first + 1; i < chain.last; ++i) {
      if (distance(a, b, vertex(i)) > tolerance_) return false;
    }
    return true;
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
    const Swept swept(std::move(points));
    return tree_->forEach(strip, [&](uint32_t id) {
      if (id >= ringBegin_ && id < ringBegin_ + ringSize_) {
        const size_t ahead = (id - ringBegin_ + ringSize_ - chain.first % ringSize_) % ringSize_;
        if (ahead <= chain.last - chain.first) return true;
      }
      const Point p = vertices_[id];
      return p == a || p == b || !swept.contains(p);
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
