#include "environment/extract/polygons/small_ring.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "environment/extract/polygons/rings.h"
#include "geometry/index/hilbert_order.h"
#include "geometry/predicates.h"

namespace wend::extraction {
namespace {

constexpr size_t kMostCorners = 32;
constexpr size_t kMostTriangles = kMostCorners - 2;
constexpr uint8_t kBorder = 255;

bool segmentsMeet(Point a, Point b, Point c, Point d) {
  if (!meet(boxOf(a, b), boxOf(c, d))) return false;
  return orient(a, b, c) * orient(a, b, d) <= 0 && orient(c, d, a) * orient(c, d, b) <= 0;
}

class SmallRing {
 public:
  explicit SmallRing(std::span<const Point> ring) : p_(ring), n_(static_cast<uint8_t>(ring.size())) {}

  bool run(std::vector<std::array<Point, 3>>& triangles) {
    if (!isSimple() || !cutEars()) return false;
    flipSides();
    number();
    for (uint8_t t = 0; t < count_; ++t) {
      if (done_[t] == 0) addFace(t);
    }
    std::sort(made_.begin(), made_.begin() + madeCount_);
    for (size_t i = 0; i < madeCount_; ++i) {
      const std::array<uint8_t, 3>& v = made_[i].v;
      triangles.push_back({p_[v[0]], p_[v[1]], p_[v[2]]});
    }
    return true;
  }

 private:
  // Side i runs from corner i to the next; sides are written 4 t + i.
  struct Triangle {
    std::array<uint8_t, 3> v;
    std::array<uint8_t, 3> twin;
  };
  // In the order that the general triangulation gives: by the places of the first two corners along a curve, the first
  // being the least of the three.
  struct Made {
    uint64_t first, second;
    std::array<uint8_t, 3> v;
    bool operator<(const Made& other) const {
      return first != other.first ? first < other.first : second < other.second;
    }
  };
  static uint8_t following(uint8_t i) { return i == 2 ? 0 : static_cast<uint8_t>(i + 1); }
  static uint8_t preceding(uint8_t i) { return i == 0 ? 2 : static_cast<uint8_t>(i - 1); }

  bool isSimple() const {
    for (size_t i = 0; i < n_; ++i) {
      const Point a = p_[i];
      const Point b = p_[i + 1 == n_ ? 0 : i + 1];
      const Point c = p_[(i + 2) % n_];
      // Back along itself.
      if (a == b || (orient(a, b, c) == 0 && holds(boxOf(b, c), a)) ||
          (orient(a, b, c) == 0 && holds(boxOf(a, b), c))) {
        return false;
      }
      for (size_t j = i + 2; j < n_ && (i > 0 || j + 1 < n_); ++j) {
        if (segmentsMeet(a, b, p_[j], p_[j + 1 == n_ ? 0 : j + 1])) return false;
      }
    }
    return true;
  }

  // Any triangulation at all; false if the ring is clockwise.
  bool cutEars() {
    for (uint8_t i = 0; i < n_; ++i) {
      next_[i] = i + 1 == n_ ? 0 : static_cast<uint8_t>(i + 1);
      previous_[next_[i]] = i;
      owner_[i] = kBorder;
    }
    uint8_t left = n_;
    uint8_t i = 0;
    for (uint8_t tried = 0; left > 3;) {
      if (isEar(i)) {
        const uint8_t a = previous_[i];
        const uint8_t b = next_[i];
        add(a, i, b);
        owner_[a] = side(static_cast<uint8_t>(count_ - 1), 2);
        next_[a] = b;
        previous_[b] = a;
        --left;
        tried = 0;
        i = a;
        continue;
      }
      if (++tried > left) return false;
      i = next_[i];
    }
    if (orient(p_[previous_[i]], p_[i], p_[next_[i]]) <= 0) return false;
    add(previous_[i], i, next_[i]);
    join(side(static_cast<uint8_t>(count_ - 1), 2), owner_[next_[i]]);
    return true;
  }

  bool isEar(uint8_t i) const {
    const Point a = p_[previous_[i]];
    const Point b = p_[i];
    const Point c = p_[next_[i]];
    if (orient(a, b, c) <= 0) return false;
    for (uint8_t k = next_[next_[i]]; k != previous_[i]; k = next_[k]) {
      if (orient(a, b, p_[k]) >= 0 && orient(b, c, p_[k]) >= 0 && orient(c, a, p_[k]) >= 0) return false;
    }
    return true;
  }

  void add(uint8_t a, uint8_t b, uint8_t c) {
    const uint8_t t = count_++;
    triangles_[t] = {{a, b, c}, {kBorder, kBorder, kBorder}};
    join(side(t, 0), owner_[a]);
    join(side(t, 1), owner_[b]);
  }
  static uint8_t side(uint8_t t, uint8_t i) { return static_cast<uint8_t>(4 * t + i); }
  void join(uint8_t s, uint8_t other) {
    triangles_[s / 4].twin[s % 4] = other;
    if (other != kBorder) triangles_[other / 4].twin[other % 4] = s;
  }

  // Until no corner lies in the circle of a triangle beside it.
  void flipSides() {
    for (bool changed = true; changed;) {
      changed = false;
      for (uint8_t t = 0; t < count_; ++t) {
        for (uint8_t i = 0; i < 3; ++i) {
          const uint8_t twin = triangles_[t].twin[i];
          if (twin == kBorder || twin < side(t, i)) continue;
          if (inCircleOf(t, apex(twin)) <= 0) continue;
          flip(t, i);
          changed = true;
        }
      }
    }
  }
  uint8_t apex(uint8_t s) const { return triangles_[s / 4].v[preceding(s % 4)]; }
  int inCircleOf(uint8_t t, uint8_t corner) const {
    const std::array<uint8_t, 3>& v = triangles_[t].v;
    return inCircle(p_[v[0]], p_[v[1]], p_[v[2]], p_[corner]);
  }

  void flip(uint8_t t, uint8_t i) {
    const Triangle own = triangles_[t];
    const uint8_t u = own.twin[i] / 4;
    const uint8_t j = own.twin[i] % 4;
    const Triangle other = triangles_[u];
    const uint8_t a = own.v[i];
    const uint8_t b = own.v[following(i)];
    const uint8_t c = own.v[preceding(i)];
    const uint8_t d = other.v[preceding(j)];
    triangles_[t].v = {a, d, c};
    triangles_[u].v = {d, b, c};
    join(side(t, 0), other.twin[following(j)]);
    join(side(t, 2), own.twin[preceding(i)]);
    join(side(u, 0), other.twin[preceding(j)]);
    join(side(u, 1), own.twin[following(i)]);
    join(side(t, 1), side(u, 2));
  }

  void number() {
    const Box box = boxOf(p_);
    const auto span = static_cast<uint64_t>(std::max(int64_t{box.max.x} - box.min.x, int64_t{box.max.y} - box.min.y));
    const auto levels = static_cast<int>(std::bit_width(span));
    for (uint8_t i = 0; i < n_; ++i) place_[i] = hilbertKey(p_[i], box.min, levels);
  }

  // Triangles on one circle become a fan around their smallest corner.
  void addFace(uint8_t seed) {
    std::array<uint8_t, kMostTriangles> face;
    size_t size = 1;
    face[0] = seed;
    done_[seed] = 1;
    for (size_t k = 0; k < size; ++k) {
      for (const uint8_t twin : triangles_[face[k]].twin) {
        if (twin == kBorder || done_[twin / 4] != 0 || inCircleOf(seed, apex(twin)) != 0) continue;
        done_[twin / 4] = 1;
        face[size++] = twin / 4;
      }
    }
    if (size == 1) {
      const std::array<uint8_t, 3>& v = triangles_[seed].v;
      make(v[0], v[1], v[2]);
      return;
    }
    for (size_t k = 0; k < size; ++k) done_[face[k]] = 2;
    uint8_t hub = triangles_[seed].v[0];
    for (size_t k = 0; k < size; ++k) {
      const Triangle& t = triangles_[face[k]];
      for (uint8_t i = 0; i < 3; ++i) {
        if (p_[t.v[i]] < p_[hub]) hub = t.v[i];
        if (t.twin[i] == kBorder || done_[t.twin[i] / 4] != 2) next_[t.v[i]] = t.v[following(i)];
      }
    }
    for (size_t k = 0; k < size; ++k) done_[face[k]] = 1;
    for (uint8_t x = next_[hub]; next_[x] != hub; x = next_[x]) make(hub, x, next_[x]);
  }

  void make(uint8_t a, uint8_t b, uint8_t c) {
    if (place_[b] < place_[a] && place_[b] < place_[c]) {
      made_[madeCount_++] = {place_[b], place_[c], {b, c, a}};
    } else if (place_[c] < place_[a]) {
      made_[madeCount_++] = {place_[c], place_[a], {c, a, b}};
    } else {
      made_[madeCount_++] = {place_[a], place_[b], {a, b, c}};
    }
  }

  std::span<const Point> p_;
  uint8_t n_;
  std::array<uint8_t, kMostCorners> next_;
  std::array<uint8_t, kMostCorners> previous_;
  std::array<uint8_t, kMostCorners> owner_;  // of what is left of the ring: the side beyond the edge from each corner
  std::array<Triangle, kMostTriangles> triangles_;
  uint8_t count_ = 0;
  std::array<uint8_t, kMostTriangles> done_{};
  std::array<uint64_t, kMostCorners> place_;
  std::array<Made, kMostTriangles> made_;
  size_t madeCount_ = 0;
};

}  // namespace

bool triangulateSmall(std::span<const Point> ring, std::vector<std::array<Point, 3>>& triangles) {
  return ring.size() >= 3 && ring.size() <= kMostCorners && SmallRing(ring).run(triangles);
}

}  // namespace wend::extraction
