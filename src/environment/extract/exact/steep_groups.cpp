#include "environment/extract/exact/steep_groups.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/disjoint_sets.h"
#include "base/parallel.h"

namespace wend::exact {
namespace {

// A side leads up or down if its normal does by so much (a cosine).
constexpr double kAlong = 0.05;
// Floors with more corners are not asked whether they lie under something: that takes longer than it saves.
constexpr size_t kMostCorners = 64;
constexpr size_t kBlock = 64;  // groups per task

class SteepGroups {
 public:
  SteepGroups(const Soup& soup, const Facets& facets, const SidePartners& partners, const SteepFaces& faces,
              const BoxTree& surfaces, const Tolerances& tolerances, const Context& context)
      : soup_(soup),
        faces_(faces),
        steep_(faces.triangles()),
        covering_(soup, facets, surfaces, tolerances),
        partners_(partners),
        tree_(surfaces),
        tol_(tolerances),
        context_(context),
        limit_(tolerances.step + tolerances.contact) {}

  std::vector<uint32_t> run() {
    if (steep_.empty()) return {};
    group();
    joinAcrossCracks();
    std::vector<uint32_t> result;
    for (uint32_t i = 0; i < steep_.size(); ++i) {
      const Group& g = groups_[sets_.find(i)];
      if (g.joins == (kBelow | kAbove) && g.top - g.foot <= limit_ && !g.covered) result.push_back(steep_[i]);
    }
    return result;
  }

 private:
  struct Group {
    uint8_t joins = 0;
    bool open = false;     // has sides without a neighbour
    bool covered = false;  // a floor lies under all of it, within a step
    Box box;
    int32_t low = kMaxCoordinate;
    int32_t high = -kMaxCoordinate;
    // No line begins above the foot or ends below the top.
    double foot = -kMaxCoordinate;
    double top = kMaxCoordinate;
    void add(const Group& other) {
      foot = std::max(foot, other.foot);
      top = std::min(top, other.top);
      joins |= other.joins;
      open = open || other.open;
      box = joined(box, other.box);
      low = std::min(low, other.low);
      high = std::max(high, other.high);
    }
  };

  // Faces that share sides, with the floors that they share sides with.
  void group() {
    sets_ = DisjointSets(steep_.size());
    groups_.resize(steep_.size());
    for (uint32_t i = 0; i < steep_.size(); ++i) {
      const uint32_t t = steep_[i];
      const Triangle& triangle = soup_.triangles[t];
      Group& g = groups_[i];
      g.box = triangle.box;
      g.low = triangle.low;
      g.high = triangle.high;
      for (uint32_t side = 0; side < 3; ++side) {
        const uint32_t next = partners_.of(Kind::kRiser, t, side);
        if (next != kNone && !soup_.triangles[next].walkable) {
          sets_.join(i, faces_.placeOf(next));
          continue;
        }
        const uint8_t way = wayBeyond(faces_.at(i), side);
        if (next == kNone) {
          g.open = true;
        } else {
          g.joins |= way;
        }
        const auto [low, high] =
            std::minmax(soup_.points[triangle.v[side]].z, soup_.points[triangle.v[side == 2 ? 0 : side + 1]].z);
        if (way != kAbove) g.foot = std::max<double>(g.foot, high);
        if (way != kBelow) g.top = std::min<double>(g.top, low);
      }
    }
    collect();
    std::vector<uint32_t> roots;
    for (uint32_t i = 0; i < steep_.size(); ++i) {
      if (sets_.find(i) == i) roots.push_back(i);
    }
    parallelBlocks(roots.size(), kBlock, context_, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        Group& g = groups_[roots[i]];
        g.covered = covering_.cover(g.box, g.low, g.high);
      }
    });
  }

  void collect() {
    for (uint32_t i = 0; i < steep_.size(); ++i) {
      if (sets_.find(i) != i) groups_[sets_.find(i)].add(groups_[i]);
    }
  }

  // What lies around a group that shares no side with a floor above or below it.
  void joinAcrossCracks() {
    std::vector<std::pair<uint32_t, uint32_t>> near;
    for (uint32_t i = 0; i < steep_.size(); ++i) {
      if (sets_.find(i) != i || groups_[i].covered || !groups_[i].open) continue;
      if ((groups_[i].joins & kBelow) == 0) lookAround(i, kBelow, near);
      if ((groups_[i].joins & kAbove) == 0) lookAround(i, kAbove, near);
    }
    for (const auto& [a, b] : near) sets_.join(a, b);
    if (!near.empty()) collect();
  }

  void lookAround(uint32_t root, uint8_t way, std::vector<std::pair<uint32_t, uint32_t>>& near) {
    Group& g = groups_[root];
    const auto margin = static_cast<int32_t>(std::ceil(tol_.gap + 2 * tol_.grain));
    const Box box{{g.box.min.x - margin, g.box.min.y - margin}, {g.box.max.x + margin, g.box.max.y + margin}};
    const double low = way == kBelow ? g.low - limit_ : g.low + 1;
    const double high = way == kBelow ? g.high - 1 : g.high + limit_;
    double nearest = way == kBelow ? -kMaxCoordinate : kMaxCoordinate;
    const size_t before = near.size();
    const auto look = [&](uint32_t i) {
      const Triangle& t = soup_.triangles[i];
      if (t.walkable) {
        g.joins |= way;
        nearest = way == kBelow ? std::max<double>(nearest, t.high) : std::min<double>(nearest, t.low);
      } else if (const uint32_t other = faces_.placeOf(i);
                 other != kNone && sets_.find(other) != root && !groups_[sets_.find(other)].covered) {
        near.emplace_back(root, other);
      }
    };
    tree_.forEach(box, low, high, look);
    if (near.size() > before || (g.joins & way) == 0) return;
    // Lines that leave the group go on to these floors.
    if (way == kBelow) g.foot = std::min(g.foot, nearest);
    if (way == kAbove) g.top = std::max(g.top, nearest);
  }

  const Soup& soup_;
  const SteepFaces& faces_;
  const std::vector<uint32_t>& steep_;
  CoveringFloors covering_;
  const SidePartners& partners_;
  const BoxTree& tree_;
  const Tolerances& tol_;
  const Context& context_;
  double limit_;
  DisjointSets sets_;          // of places in steep_
  std::vector<Group> groups_;  // of each root
};

}  // namespace

uint8_t wayBeyond(const SteepFace& face, uint32_t side) {
  const double along = kAlong * face.length[side];
  return face.turn[side] < -along ? kAbove : face.turn[side] > along ? kBelow : 0;
}

bool CoveringFloors::cover(const Box& box, double low, double high) const {
  const std::array<Point, 4> corners{box.min, {box.max.x, box.min.y}, box.max, {box.min.x, box.max.y}};
  bool any = false;
  uint32_t last = kNone;
  tree_.forEach(box, high - limit_ - 1, low + tol_.height, [&](uint32_t i) {
    const uint32_t id = soup_.triangles[i].facet;
    if (any || id == kNone || id == last) return;
    last = id;
    const Facet& floor = facets_.list[id];
    any = std::all_of(corners.begin(), corners.end(),
                      [&](Point p) {
                        const double z = floor.plane.at(p);
                        return z > high - limit_ && z < low + tol_.height - tol_.contact;
                      }) &&
          contains(floor, corners);
  });
  return any;
}

bool CoveringFloors::contains(const Facet& floor, const std::array<Point, 4>& box) const {
  if (floor.ringCount != 1) return false;
  const std::span<const Point> ring = facets_.outlines.ring(floor.firstRing);
  if (ring.size() > kMostCorners) return false;
  bool inside = false;
  for (size_t i = 0; i < ring.size(); ++i) {
    const Point a = ring[i];
    const Point b = ring[i + 1 == ring.size() ? 0 : i + 1];
    const Point c = box[0];
    // The border must pass beside the box; a line to the right of one corner then tells the rest.
    const int first = turn(a, b, c);
    const bool beside = first == turn(a, b, box[1]) && first == turn(a, b, box[2]) && first == turn(a, b, box[3]);
    const Box edge = boxOf(a, b);
    if ((!beside || first == 0) && edge.min.x <= box[2].x && edge.max.x >= c.x && edge.min.y <= box[2].y &&
        edge.max.y >= c.y) {
      return false;
    }
    if ((a.y <= c.y) != (b.y <= c.y) && turn(a, b, c) == (b.y > a.y ? 1 : -1)) inside = !inside;
  }
  return inside;
}

std::vector<uint32_t> riserCandidates(const Soup& soup, const Facets& facets, const SidePartners& partners,
                                      const SteepFaces& faces, const BoxTree& surfaces, const Tolerances& tolerances,
                                      const Context& context) {
  return SteepGroups(soup, facets, partners, faces, surfaces, tolerances, context).run();
}

}  // namespace wend::exact
