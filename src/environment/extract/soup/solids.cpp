#include "environment/extract/soup/solids.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "base/disjoint_sets.h"

namespace wend::extraction {
namespace {

// The sides of some triangles that have the same two ends, whichever way they run: chains through one table.
class SharedSides {
 public:
  SharedSides(const Soup& soup, const std::vector<uint32_t>& triangles)
      : soup_(soup), triangles_(triangles), next_(3 * triangles.size(), kNone) {
    head_.assign(std::bit_ceil(2 * next_.size() + 1), kNone);
    for (uint32_t side = 0; side < next_.size(); ++side) {
      const auto [a, b] = endsOf(side);
      uint32_t at = slotOf(std::min(a, b), std::max(a, b));
      while (head_[at] != kNone && !same(head_[at], side)) at = (at + 1) & mask();
      next_[side] = std::exchange(head_[at], side);
    }
  }

  // Calls body(first side of a chain).
  template <typename Body>
  void forEachChain(const Body& body) const {
    for (const uint32_t first : head_) {
      if (first != kNone) body(first);
    }
  }
  uint32_t after(uint32_t side) const { return next_[side]; }
  std::array<uint32_t, 2> endsOf(uint32_t side) const {
    const std::array<uint32_t, 3>& v = soup_.triangles[triangles_[side / 3]].v;
    const uint32_t k = side % 3;
    return {v[k], v[k == 2 ? 0 : k + 1]};
  }
  // +1 from the end with the smaller id to the other, -1 back.
  int way(uint32_t side) const {
    const auto [a, b] = endsOf(side);
    return a < b ? 1 : -1;
  }

 private:
  uint32_t mask() const { return static_cast<uint32_t>(head_.size() - 1); }
  uint32_t slotOf(uint32_t a, uint32_t b) const {
    const uint64_t both = uint64_t{a} << 32 | b;
    return static_cast<uint32_t>(both * 0x9e3779b97f4a7c15ULL >> 32) & mask();
  }
  bool same(uint32_t p, uint32_t q) const {
    const auto [a, b] = endsOf(p);
    const auto [c, d] = endsOf(q);
    return (a == c && b == d) || (a == d && b == c);
  }

  const Soup& soup_;
  const std::vector<uint32_t>& triangles_;
  std::vector<uint32_t> head_;
  std::vector<uint32_t> next_;
};

// Whether p, moved a little to the right and less upwards, lies left of the line: no place is on two triangles or none
// where two share a side.
bool isLeft(Point a, Point b, Point p) {
  const int side = orient(a, b, p);
  if (side != 0) return side > 0;
  return b.y != a.y ? b.y < a.y : b.x > a.x;
}

bool isWithin(const Box& inner, const Box& outer) {
  return inner.min.x >= outer.min.x && inner.min.y >= outer.min.y && inner.max.x <= outer.max.x &&
         inner.max.y <= outer.max.y;
}

}  // namespace

Solids::Solids(const Soup& soup, const Tolerances& tolerances, const Context& context)
    : soup_(soup), height_(tolerances.height - tolerances.step - 2 * tolerances.contact) {
  findTall();
  if (tall_.empty()) return;
  findBodies();
  if (any()) makeTree(context);
}

// Triangles that hang together by their corners, where they span more than the head room: the rest needs no sides.
void Solids::findTall() {
  DisjointSets sets(soup_.points.size());
  for (const Triangle& t : soup_.triangles) {
    sets.join(t.v[0], t.v[1]);
    sets.join(t.v[0], t.v[2]);
  }
  std::vector<std::pair<int32_t, int32_t>> range(soup_.points.size(), {INT32_MAX, INT32_MIN});
  for (const Triangle& t : soup_.triangles) {
    auto& [low, high] = range[sets.find(t.v[0])];
    low = std::min(low, t.low);
    high = std::max(high, t.high);
  }
  for (uint32_t i = 0; i < soup_.triangles.size(); ++i) {
    const auto& [low, high] = range[sets.find(soup_.triangles[i].v[0])];
    if (double(high) - low >= height_) tall_.push_back(i);
  }
}

void Solids::findBodies() {
  const SharedSides sides(soup_, tall_);
  DisjointSets sets(tall_.size());
  std::vector<uint32_t> irregular;  // chains
  sides.forEachChain([&](uint32_t first) {
    const uint32_t second = sides.after(first);
    const bool pair = second != kNone && sides.after(second) == kNone && sides.way(first) != sides.way(second);
    if (pair) {
      sets.join(first / 3, second / 3);
    } else {
      irregular.push_back(first);
    }
  });
  bodyOf_.assign(tall_.size(), kNone);
  for (uint32_t i = 0; i < tall_.size(); ++i) {
    const Triangle& t = soup_.triangles[tall_[i]];
    const uint32_t root = sets.find(i);
    if (root == i) {
      bodyOf_[i] = static_cast<uint32_t>(bodies_.size());
      bodies_.push_back({t.box, double(t.low), double(t.high), -1e300});
      continue;
    }
    bodyOf_[i] = bodyOf_[root];  // roots come first
    Body& body = bodies_[bodyOf_[i]];
    body.box = joined(body.box, t.box);
    body.low = std::min(body.low, double(t.low));
    body.high = std::max(body.high, double(t.high));
  }
  // A body is open along a side that its triangles do not run along as often one way as the other.
  std::vector<std::pair<uint32_t, int>> turns;
  for (const uint32_t first : irregular) {
    turns.clear();
    for (uint32_t side = first; side != kNone; side = sides.after(side)) {
      turns.emplace_back(bodyOf_[side / 3], sides.way(side));
    }
    std::sort(turns.begin(), turns.end());
    const auto [a, b] = sides.endsOf(first);
    const double z = std::max(soup_.points[a].z, soup_.points[b].z);
    for (size_t i = 0, j = 0; i < turns.size(); i = j) {
      int sum = 0;
      for (; j < turns.size() && turns[j].first == turns[i].first; ++j) sum += turns[j].second;
      Body& body = bodies_[turns[i].first];
      if (sum != 0) body.open = std::max(body.open, z);
    }
  }
  // Those that can hold nobody go.
  std::vector<uint32_t> number(bodies_.size(), kNone);
  std::vector<Body> kept;
  for (size_t i = 0; i < bodies_.size(); ++i) {
    if (bodies_[i].high - bodies_[i].low < height_ || bodies_[i].open >= bodies_[i].high) continue;
    number[i] = static_cast<uint32_t>(kept.size());
    kept.push_back(bodies_[i]);
  }
  bodies_ = std::move(kept);
  for (uint32_t& body : bodyOf_) body = number[body];
}

void Solids::makeTree(const Context& context) {
  std::vector<BoxTree::Extent> extents;
  for (uint32_t i = 0; i < tall_.size(); ++i) {
    const Triangle& t = soup_.triangles[tall_[i]];
    if (bodyOf_[i] == kNone || t.area == 0) continue;
    triangles_.push_back(tall_[i]);
    bodyOfTriangle_.push_back(bodyOf_[i]);
    extents.push_back({t.box, t.low, t.high});
  }
  tree_ = BoxTree(extents, &context);
}

bool Solids::mayHold(const Box& box, double low, double high) const {
  return std::any_of(bodies_.begin(), bodies_.end(),
                     [&](const Body& body) { return meet(body.box, box) && body.low <= high && body.high >= low; });
}

bool Solids::holds(Point p, double z) const {
  if (!mayHold({p, p}, z, z)) return false;
  std::vector<std::pair<uint32_t, int>> turns;  // body and +1 where its surface is left, -1 where it is entered
  const Box around{{p.x - 1, p.y - 1}, {p.x + 1, p.y + 1}};
  tree_.forEach(around, z, 4e9, [&](uint32_t i) {
    const Body& body = bodies_[bodyOfTriangle_[i]];
    if (body.open > z) return;
    const Triangle& t = soup_.triangles[triangles_[i]];
    std::array<Point3, 3> c = soup_.corners(t);
    if (t.area < 0) std::swap(c[1], c[2]);
    if (!isLeft(c[0].top(), c[1].top(), p) || !isLeft(c[1].top(), c[2].top(), p) || !isLeft(c[2].top(), c[0].top(), p))
      return;
    const double height =
        c[0].z - (t.normal.x * (double(p.x) - c[0].x) + t.normal.y * (double(p.y) - c[0].y)) / t.normal.z;
    if (height > z) turns.emplace_back(bodyOfTriangle_[i], t.area > 0 ? 1 : -1);
  });
  std::sort(turns.begin(), turns.end());
  std::vector<std::pair<uint32_t, int>> sums;
  for (const auto& [body, turn] : turns) {
    if (sums.empty() || sums.back().first != body) sums.emplace_back(body, 0);
    sums.back().second += turn;
  }
  for (const auto& [outer, sum] : sums) {
    if (sum <= 0) continue;
    int rest = sum;
    for (const auto& [inner, turn] : sums) {
      if (turn < 0 && isWithin(bodies_[inner].box, bodies_[outer].box)) rest += turn;
    }
    if (rest > 0) return true;
  }
  return false;
}

}  // namespace wend::extraction
