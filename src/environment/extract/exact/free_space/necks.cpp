#include "environment/extract/exact/free_space/necks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "geometry/index/box_tree.h"

namespace wend::exact {
namespace {

// Up to here all pairs are tested.
constexpr size_t kMaxPairs = 64 * 64;

class PlugFinder {
 public:
  PlugFinder(const Rings& rings, const Tolerances& tolerances, std::vector<Convex>& plugs)
      : rings_(rings), width_(tolerances.neck), margin_(tolerances.overlap), plugs_(plugs) {}

  void run() {
    const size_t n = rings_.points.size();
    std::vector<uint32_t> corners;
    for (size_t r = 0; r < rings_.count(); ++r) {
      const std::span<const Point> ring = rings_.ring(r);
      for (size_t i = 0; i < ring.size(); ++i) {
        const Point before = ring[i == 0 ? ring.size() - 1 : i - 1];
        const Point after = ring[i + 1 == ring.size() ? 0 : i + 1];
        if (orient(before, ring[i], after) < 0) corners.push_back(rings_.begin[r] + static_cast<uint32_t>(i));
      }
    }
    if (corners.empty()) return;
    sides_.resize(n);
    next_.resize(n);
    previous_.resize(n);
    for (size_t r = 0; r < rings_.count(); ++r) {
      for (uint32_t i = rings_.begin[r]; i < rings_.begin[r + 1]; ++i) {
        next_[i] = i + 1 == rings_.begin[r + 1] ? rings_.begin[r] : i + 1;
        previous_[next_[i]] = i;
      }
    }
    const auto margin = static_cast<int32_t>(std::ceil(width_));
    for (uint32_t i = 0; i < n; ++i) {
      const Point a = at(i);
      const Point b = at(next_[i]);
      sides_[i].box = {{std::min(a.x, b.x) - margin, std::min(a.y, b.y) - margin},
                       {std::max(a.x, b.x) + margin, std::max(a.y, b.y) + margin}};
    }
    if (corners.size() * n <= kMaxPairs) {
      for (const uint32_t corner : corners) {
        for (uint32_t side = 0; side < n; ++side) {
          if (mayMeet(corner, side)) test(corner, side);
        }
      }
      return;
    }
    for (const uint64_t pair : nearPairs(corners)) test(static_cast<uint32_t>(pair >> 32), static_cast<uint32_t>(pair));
  }

 private:
  Point at(uint32_t i) const { return rings_.points[i]; }

  // Whether the direction from corner i to p leads into the free space.
  bool inside(uint32_t i, Point p) const {
    const bool leftOfNext = orient(at(i), at(next_[i]), p) > 0;
    const bool leftOfPrevious = orient(at(previous_[i]), at(i), p) > 0;
    const bool bendsIn = orient(at(previous_[i]), at(i), at(next_[i])) < 0;
    return bendsIn ? leftOfNext || leftOfPrevious : leftOfNext && leftOfPrevious;
  }

  // Whether the boundary walk leads from the corner to the side within a few widths: a jag, not a neck.
  bool nearAlong(uint32_t corner, uint32_t side) const {
    double length = 0;
    for (uint32_t i = corner; length < 4 * width_; i = next_[i]) {
      if (i == side) return true;
      length += distance(at(i), at(next_[i]));
    }
    length = 0;
    for (uint32_t i = previous_[corner]; length < 4 * width_; i = previous_[i]) {
      if (i == side) return true;
      length += distance(at(i), at(next_[i]));
    }
    return false;
  }
  static double distance(Point a, Point b) {
    const double x = double(b.x) - a.x;
    const double y = double(b.y) - a.y;
    return std::sqrt(x * x + y * y);
  }

  // Whether a side, not one of its own, comes near a corner.
  bool mayMeet(uint32_t corner, uint32_t side) const {
    return holds(sides_[side].box, at(corner)) && side != corner && next_[side] != corner;
  }

  // All corners and sides of which that holds, two as one number, sorted.
  std::vector<uint64_t> nearPairs(std::span<const uint32_t> corners) const {
    const BoxTree tree(sides_);
    std::vector<uint64_t> pairs;
    for (size_t first = 0; first < corners.size(); first += BoxTree::kTogether) {
      // Those in a row are near each other.
      const auto few = corners.subspan(first, std::min<size_t>(BoxTree::kTogether, corners.size() - first));
      std::array<BoxTree::Extent, BoxTree::kTogether> around;
      for (size_t i = 0; i < few.size(); ++i) {
        const Point v = at(few[i]);
        around[i].box = {{v.x - 1, v.y - 1}, {v.x + 1, v.y + 1}};
      }
      tree.forEach(std::span(around).first(few.size()), [&](uint32_t side, uint32_t which) {
        for (; which != 0; which &= which - 1) {
          const uint32_t corner = few[static_cast<size_t>(std::countr_zero(which))];
          if (mayMeet(corner, side)) pairs.push_back(uint64_t{corner} << 32 | side);
        }
      });
    }
    std::sort(pairs.begin(), pairs.end());
    return pairs;
  }

  void test(uint32_t corner, uint32_t side) {
    const Point v = at(corner);
    const Point a = at(side);
    const Point b = at(next_[side]);
    const double dx = double(b.x) - a.x;
    const double dy = double(b.y) - a.y;
    const double px = double(v.x) - a.x;
    const double py = double(v.y) - a.y;
    const double t = std::clamp((px * dx + py * dy) / (dx * dx + dy * dy), 0.0, 1.0);
    const double x = t * dx - px;
    const double y = t * dy - py;
    if (x * x + y * y > 2 * width_ * width_) return;
    if (t == 0 ? !inside(side, v) : t == 1 ? !inside(next_[side], v) : orient(a, b, v) <= 0) return;
    const double length = std::hypot(x, y);
    if (length > width_) return;
    // Towards the side; where rounding leaves almost nothing between, square to it.
    const double size = std::hypot(dx, dy);
    const double ux = length < 0.01 ? dy / size : x / length;
    const double uy = length < 0.01 ? -dx / size : y / length;
    const Point q = rounded(v.x + ux * width_, v.y + uy * width_);
    if (!inside(corner, q) || nearAlong(corner, side)) return;
    Convex plug;
    const auto add = [&](double along, double across) {
      plug.add(rounded(v.x + ux * along - uy * across, v.y + uy * along + ux * across));
    };
    add(-margin_, -margin_);
    add(length + margin_, -margin_);
    add(length + margin_, margin_);
    add(-margin_, margin_);
    if (tidy(plug)) plugs_.push_back(plug);
  }

  const Rings& rings_;
  double width_;
  double margin_;  // plugs reach this far beyond both ends, and to either side, so that rounding cannot open them
  std::vector<Convex>& plugs_;
  std::vector<BoxTree::Extent> sides_;  // with room for a neck around them
  std::vector<uint32_t> next_;
  std::vector<uint32_t> previous_;
};

// Follows both sides of a spike of one ring from its tip to where they part.
class HairDropper {
 public:
  HairDropper(std::span<const Point> ring, const Tolerances& tolerances) : p_(ring), tol_(tolerances) {
    const auto n = static_cast<uint32_t>(ring.size());
    next_.resize(n);
    previous_.resize(n);
    for (uint32_t i = 0; i < n; ++i) {
      next_[i] = i + 1 == n ? 0 : i + 1;
      previous_[next_[i]] = i;
    }
  }

  // False if there is nothing to drop.
  bool run(std::vector<Point>& rest) {
    gone_.assign(p_.size(), 0);
    bool any = false;
    for (uint32_t i = 0; i < p_.size(); ++i) {
      if (gone_[i] == 0 && drop(i)) any = true;
    }
    rest.clear();
    for (uint32_t i = 0; i < p_.size(); ++i) {
      if (gone_[i] == 0) rest.push_back(p_[i]);
    }
    return any;
  }

 private:
  bool drop(uint32_t tip) {
    uint32_t a = previous_[tip];
    uint32_t b = next_[tip];
    if (orient(p_[a], p_[tip], p_[b]) < 0) return false;
    uint32_t from = tip;
    uint32_t to = tip;
    double length = 0;
    while (a != b && next_[b] != a && isHair(a, b)) {
      from = a;
      to = b;
      const double lengthA = distance(p_[a], p_[tip]);
      const double lengthB = distance(p_[b], p_[tip]);
      length = std::min(lengthA, lengthB);
      if (lengthA < lengthB) {
        a = previous_[a];
      } else {
        b = next_[b];
      }
    }
    if (length < tol_.jag) return false;
    for (uint32_t i = next_[from]; i != to; i = next_[i]) gone_[i] = 1;
    next_[from] = to;
    previous_[to] = from;
    return true;
  }

  // Whether the sides that begin at a and end at b run back along each other, up to the nearer of the two.
  bool isHair(uint32_t a, uint32_t b) const {
    const Point inA = p_[next_[a]];
    const Point inB = p_[previous_[b]];
    const double ax = double(inA.x) - p_[a].x;
    const double ay = double(inA.y) - p_[a].y;
    const double bx = double(inB.x) - p_[b].x;
    const double by = double(inB.y) - p_[b].y;
    const double alike = ax * bx + ay * by;
    // Most go on, and lengths need not be known.
    if (alike <= 0 && std::min(ax * ax + ay * ay, bx * bx + by * by) > 2 * tol_.same * tol_.same) return false;
    const double sizeA = std::hypot(ax, ay);
    const double sizeB = std::hypot(bx, by);
    const bool isShort = std::min(sizeA, sizeB) <= tol_.same;
    if (!isShort && alike < kAlike * sizeA * sizeB) return false;
    return isNear(p_[b], p_[a], inA) || isNear(p_[a], p_[b], inB);
  }
  bool isNear(Point p, Point a, Point b) const {
    const double x = double(b.x) - a.x;
    const double y = double(b.y) - a.y;
    const double px = double(p.x) - a.x;
    const double py = double(p.y) - a.y;
    const double t = std::clamp((px * x + py * y) / (x * x + y * y), 0.0, 1.0);
    return std::hypot(px - t * x, py - t * y) <= tol_.same;
  }
  static double distance(Point a, Point b) { return std::hypot(double(b.x) - a.x, double(b.y) - a.y); }

  static constexpr double kAlike = 0.9;  // a cosine
  std::span<const Point> p_;
  const Tolerances& tol_;
  std::vector<uint32_t> next_;
  std::vector<uint32_t> previous_;
  std::vector<uint8_t> gone_;
};

}  // namespace

bool dropHairs(Rings& rings, const Tolerances& tolerances) {
  Rings kept;
  bool any = false;
  std::vector<Point> rest;
  for (size_t r = 0; r < rings.count(); ++r) {
    if (HairDropper(rings.ring(r), tolerances).run(rest)) any = true;
    kept.add(rest);
  }
  if (any) rings = std::move(kept);
  return any;
}

void findPlugs(const Rings& rings, const Tolerances& tolerances, std::vector<Convex>& plugs) {
  PlugFinder(rings, tolerances, plugs).run();
}

}  // namespace wend::exact
