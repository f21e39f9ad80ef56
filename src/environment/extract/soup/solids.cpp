#include "environment/extract/soup/solids.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <utility>

#include "base/disjoint_sets.h"

namespace wend::extraction {
namespace {

// Triangles that hang together by their corners and may be a piece of a torn body: a wall, or less. More of them are
// looked at as they are, so that whole models do not pay.
constexpr uint32_t kMostOfPiece = 8;

double dot(const Vec3& a, const Vec3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

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

// A triangle at a side that it shares with others.
struct Leaf {
  uint32_t triangle;  // its number among those asked for
  double angle;       // around the side, counter-clockwise seen against its way from the smaller id to the larger
  double slack;       // by which rounding may have turned it
  bool enters;        // whether the solid lies beyond it, in the direction of growing angles
};

// Calls join(t, u) for those that bound one solid where several meet along a side: around the side, each that enters a
// solid with the next that leaves one. Faces that lie on each other part two solids: one is left before the other is
// entered. Nothing is joined if as many do not enter as leave.
template <typename Join>
void joinAround(std::vector<Leaf>& leaves, const Join& join) {
  const auto enters = std::count_if(leaves.begin(), leaves.end(), [](const Leaf& leaf) { return leaf.enters; });
  if (2 * static_cast<size_t>(enters) != leaves.size()) return;
  std::sort(leaves.begin(), leaves.end(), [](const Leaf& p, const Leaf& q) {
    return p.angle != q.angle ? p.angle < q.angle : p.enters != q.enters ? q.enters : p.triangle < q.triangle;
  });
  const size_t n = leaves.size();
  for (size_t i = 0; i < n; ++i) {
    Leaf& own = leaves[i];
    Leaf& next = leaves[i + 1 == n ? 0 : i + 1];
    const double apart = next.angle - own.angle + (i + 1 == n ? 2 * std::numbers::pi : 0);
    if (own.enters && !next.enters && apart <= own.slack + next.slack) std::swap(own, next);
  }
  std::vector<uint32_t> entered;
  std::vector<uint8_t> left(n, 0);
  // Twice around: the first to leave was entered before the beginning.
  for (size_t i = 0; i < 2 * n; ++i) {
    const Leaf& leaf = leaves[i % n];
    if (leaf.enters) {
      if (i < n) entered.push_back(leaf.triangle);
    } else if (left[i % n] == 0 && !entered.empty()) {
      join(entered.back(), leaf.triangle);
      entered.pop_back();
      left[i % n] = 1;
    }
  }
}

// The triangles of a chain, as they lie around the side. `grain` is what places are off by.
void leavesAt(const Soup& soup, const std::vector<uint32_t>& triangles, const SharedSides& sides, uint32_t first,
              double grain, std::vector<Leaf>& leaves) {
  leaves.clear();
  const auto [p, q] = sides.endsOf(first);
  const auto between = [&](uint32_t from, uint32_t to) {
    const Point3& a = soup.points[from];
    const Point3& b = soup.points[to];
    return Vec3{double(b.x) - a.x, double(b.y) - a.y, double(b.z) - a.z};
  };
  const uint32_t begin = std::min(p, q);
  const Vec3 along = between(begin, std::max(p, q));
  const double length = std::sqrt(dot(along, along));
  Vec3 zero;  // across the side, to where angles begin
  for (uint32_t side = first; side != kNone; side = sides.after(side)) {
    const uint32_t far = soup.triangles[triangles[side / 3]].v[(side % 3 + 2) % 3];
    const Vec3 across = cross(along, between(begin, far));
    if (side == first) zero = across;
    const double angle = std::atan2(dot(along, cross(zero, across)), length * dot(zero, across));
    // The side itself and the corner across may be off.
    const double slack = 2 * grain * length / std::sqrt(dot(across, across));
    leaves.push_back({side / 3, angle, slack, sides.way(side) < 0});
  }
}

// Places that lie within a distance of each other, in chains: which one stands for each. Expected O(n).
class NearPlaces {
 public:
  NearPlaces(const Soup& soup, double distance)
      : soup_(soup),
        distance_(distance),
        reach_(static_cast<int64_t>(std::ceil(distance))),
        shift_(static_cast<int>(std::bit_width(static_cast<uint64_t>(8 * reach_)))),
        names_(soup.points.size(), kNone) {}

  void add(uint32_t point) {
    if (names_[point] == kNone) {
      names_[point] = static_cast<uint32_t>(points_.size());
      points_.push_back(point);
    }
  }
  void join() {
    sets_ = DisjointSets(points_.size());
    head_.assign(std::bit_ceil(2 * points_.size() + 1), kNone);
    next_.assign(points_.size(), kNone);
    for (uint32_t i = 0; i < points_.size(); ++i) {
      const Point3& p = soup_.points[points_[i]];
      // What is near lies in the cubes of the corners of one around the place: most often that is its own.
      const std::array<int32_t, 2> x = cubesAt(p.x);
      const std::array<int32_t, 2> y = cubesAt(p.y);
      const std::array<int32_t, 2> z = cubesAt(p.z);
      for (int32_t cx = x[0]; cx <= x[1]; ++cx) {
        for (int32_t cy = y[0]; cy <= y[1]; ++cy) {
          for (int32_t cz = z[0]; cz <= z[1]; ++cz) joinWith(i, slotOf(cx, cy, cz));
        }
      }
      const uint32_t own = slotOf(cubeOf(p.x), cubeOf(p.y), cubeOf(p.z));
      next_[i] = std::exchange(head_[own], i);
    }
  }
  // The point that stands for one that was added.
  uint32_t operator()(uint32_t point) { return points_[sets_.find(names_[point])]; }

 private:
  int32_t cubeOf(int64_t x) const { return static_cast<int32_t>(x >> shift_); }
  std::array<int32_t, 2> cubesAt(int32_t x) const { return {cubeOf(int64_t{x} - reach_), cubeOf(int64_t{x} + reach_)}; }
  uint32_t slotOf(int32_t x, int32_t y, int32_t z) const {
    const uint64_t h = (static_cast<uint64_t>(static_cast<uint32_t>(x)) << 32 | static_cast<uint32_t>(y)) ^
                       static_cast<uint64_t>(static_cast<uint32_t>(z)) * 0xc2b2ae3d27d4eb4fULL;
    return static_cast<uint32_t>(h * 0x9e3779b97f4a7c15ULL >> 32) & static_cast<uint32_t>(head_.size() - 1);
  }
  void joinWith(uint32_t i, uint32_t slot) {
    const Point3& p = soup_.points[points_[i]];
    for (uint32_t k = head_[slot]; k != kNone; k = next_[k]) {
      const Point3& q = soup_.points[points_[k]];
      const Vec3 d{double(p.x) - q.x, double(p.y) - q.y, double(p.z) - q.z};
      if (dot(d, d) <= distance_ * distance_) sets_.join(i, k);
    }
  }

  const Soup& soup_;
  double distance_;
  int64_t reach_;
  int shift_;                     // of coordinates to cubes at least eight times as wide
  std::vector<uint32_t> names_;   // of each point
  std::vector<uint32_t> points_;  // by name
  DisjointSets sets_;
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
    : soup_(soup),
      grain_(tolerances.grain),
      crack_(tolerances.contact),
      height_(tolerances.height - tolerances.step - 2 * tolerances.contact) {
  findTall();
  if (tall_.empty()) return;
  findBodies();
  if (any()) makeTree(context);
}

// Triangles that hang together by their corners, where they span more than the head room: the rest needs no sides.
// Small pieces, as torn bodies consist of, hang together where their corners are near each other.
void Solids::findTall() {
  DisjointSets sets(soup_.points.size());
  for (const Triangle& t : soup_.triangles) {
    sets.join(t.v[0], t.v[1]);
    sets.join(t.v[0], t.v[2]);
  }
  std::vector<uint32_t> sizes(soup_.points.size(), 0);
  for (const Triangle& t : soup_.triangles) ++sizes[sets.find(t.v[0])];
  NearPlaces places(soup_, crack_);
  std::vector<uint32_t> loose;
  for (uint32_t p = 0; p < soup_.points.size(); ++p) {
    if (sizes[sets.find(p)] > kMostOfPiece) continue;
    places.add(p);
    loose.push_back(p);
  }
  places.join();
  for (const uint32_t p : loose) sets.join(p, places(p));
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
  std::vector<uint32_t> open;       // sides of one triangle
  std::vector<Leaf> leaves;
  sides.forEachChain([&](uint32_t first) {
    const uint32_t second = sides.after(first);
    const bool pair = second != kNone && sides.after(second) == kNone && sides.way(first) != sides.way(second);
    if (pair) {
      sets.join(first / 3, second / 3);
      return;
    }
    if (second == kNone) {
      open.push_back(first);
      return;
    }
    irregular.push_back(first);
    leavesAt(soup_, tall_, sides, first, grain_, leaves);
    joinAround(leaves, [&](uint32_t t, uint32_t u) { sets.join(t, u); });
  });
  const std::vector<OpenSide> cracks = closeCracks(sides, open, sets);
  bodyOf_.assign(tall_.size(), kNone);
  for (uint32_t i = 0; i < tall_.size(); ++i) {
    const Triangle& t = soup_.triangles[tall_[i]];
    const uint32_t root = sets.find(i);
    if (root == i) {
      bodyOf_[i] = static_cast<uint32_t>(bodies_.size());
      bodies_.push_back({t.box, double(t.low), double(t.high), -1e300, false});
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
  const auto openAlong = [&](double z) {
    std::sort(turns.begin(), turns.end());
    for (size_t i = 0, j = 0; i < turns.size(); i = j) {
      int sum = 0;
      for (; j < turns.size() && turns[j].first == turns[i].first; ++j) sum += turns[j].second;
      Body& body = bodies_[turns[i].first];
      if (sum != 0) body.open = std::max(body.open, z);
    }
    turns.clear();
  };
  const auto highest = [&](uint32_t side) {
    const auto [a, b] = sides.endsOf(side);
    return double(std::max(soup_.points[a].z, soup_.points[b].z));
  };
  for (const uint32_t first : irregular) {
    for (uint32_t side = first; side != kNone; side = sides.after(side)) {
      turns.emplace_back(bodyOf_[side / 3], sides.way(side));
    }
    openAlong(highest(first));
  }
  for (size_t i = 0, j = 0; i < cracks.size(); i = j) {
    double z = -1e300;
    for (; j < cracks.size() && cracks[j].ends == cracks[i].ends; ++j) {
      const uint32_t body = bodyOf_[cracks[j].side / 3];
      turns.emplace_back(body, cracks[j].way);
      bodies_[body].torn = bodies_[body].torn || cracks[j].joined;
      z = std::max(z, highest(cracks[j].side));
    }
    openAlong(z);
  }
  // Those too low for a person go.
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

// Corners that are torn apart by less than what is no obstacle part no body: sides of single triangles between the same
// places are one, and those of two that run against each other join them. In the order of the places.
template <typename Sides>
std::vector<Solids::OpenSide> Solids::closeCracks(const Sides& sides, const std::vector<uint32_t>& open,
                                                  DisjointSets& sets) {
  NearPlaces places(soup_, crack_);
  for (const uint32_t side : open) {
    for (const uint32_t point : sides.endsOf(side)) places.add(point);
  }
  places.join();
  std::vector<OpenSide> cracks;
  for (const uint32_t side : open) {
    const auto [p, q] = sides.endsOf(side);
    const uint32_t a = places(p);
    const uint32_t b = places(q);
    // What is as short as a crack closes it.
    if (a != b) cracks.push_back({uint64_t{std::min(a, b)} << 32 | std::max(a, b), side, a < b ? 1 : -1, false});
  }
  std::sort(cracks.begin(), cracks.end(),
            [](const OpenSide& s, const OpenSide& t) { return s.ends != t.ends ? s.ends < t.ends : s.side < t.side; });
  for (size_t i = 0, j = 0; i < cracks.size(); i = j) {
    while (j < cracks.size() && cracks[j].ends == cracks[i].ends) ++j;
    if (j - i != 2 || cracks[i].way == cracks[i + 1].way) continue;
    sets.join(cracks[i].side / 3, cracks[i + 1].side / 3);
    cracks[i].joined = cracks[i + 1].joined = true;
  }
  return cracks;
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

bool Solids::isTorn(const Box& box, double low, double high) const {
  return std::any_of(bodies_.begin(), bodies_.end(), [&](const Body& body) {
    return body.torn && meet(body.box, box) && body.low <= high && body.high >= low;
  });
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
