#include "environment/extract/steep/steep_groups.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/disjoint_sets.h"
#include "base/parallel.h"

namespace wend::extraction {
namespace {

// A side leads up or down if its normal does by so much (a cosine).
constexpr double kAlong = 0.05;
// Floors with more corners are not tested for what lies above them: the test takes longer than it saves.
constexpr size_t kMostCorners = 64;
constexpr size_t kGroupsPerTask = 64;

class SteepGroups {
 public:
  SteepGroups(const Soup& soup, const Facets& facets, const TriangleNeighbours& neighbours, const SteepFaces& faces,
              const BoxTree& walkable, const Tolerances& tolerances, const Context& context)
      : soup_(soup),
        faces_(faces),
        steep_(faces.triangles()),
        covering_(soup, facets, walkable, tolerances),
        neighbours_(neighbours),
        tree_(walkable),
        tol_(tolerances),
        context_(context),
        limit_(tolerances.step + tolerances.contact) {}

  std::vector<uint32_t> run() {
    if (steep_.empty()) return {};
    group();
    joinAcrossCracks();
    std::vector<uint32_t> result;
    for (uint32_t i = 0; i < steep_.size(); ++i) {
      const Group& g = groupOf(sets_.find(i));
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

  // Faces that share sides, with the floors that they share sides with. What a floor lies under is not looked at
  // further: most of what is round stands on one.
  void group() {
    sets_ = DisjointSets(steep_.size());
    for (uint32_t i = 0; i < steep_.size(); ++i) {
      for (uint32_t side = 0; side < 3; ++side) {
        const uint32_t next = neighbours_.of(Kind::kRiser, steep_[i], side);
        // Once for both of them.
        if (next < steep_[i] && !soup_.triangles[next].walkable) sets_.join(i, faces_.placeOf(next));
      }
    }
    numbers_.resize(steep_.size());
    for (uint32_t i = 0; i < steep_.size(); ++i) {
      // Sets go by their least members.
      const uint32_t root = sets_.find(i);
      numbers_[i] = root == i ? static_cast<uint32_t>(groups_.size()) : numbers_[root];
      if (root == i) {
        groups_.emplace_back();
        roots_.push_back(i);
      }
      const Triangle& triangle = soup_.triangles[steep_[i]];
      Group& g = groupOf(i);
      g.box = joined(g.box, triangle.box);
      g.low = std::min(g.low, triangle.low);
      g.high = std::max(g.high, triangle.high);
    }
    parallelBlocks(groups_.size(), kGroupsPerTask, context_, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        groups_[i].covered = covering_.cover(groups_[i].box, groups_[i].low, groups_[i].high);
      }
    });
    for (uint32_t i = 0; i < steep_.size(); ++i) {
      if (!groupOf(i).covered) addSides(i, groupOf(i));
    }
  }

  // By shared sides; what is joined across cracks then goes by the group of its root.
  Group& groupOf(uint32_t place) { return groups_[numbers_[place]]; }

  void addSides(uint32_t i, Group& g) {
    const uint32_t t = steep_[i];
    const Triangle& triangle = soup_.triangles[t];
    for (uint32_t side = 0; side < 3; ++side) {
      const uint32_t next = neighbours_.of(Kind::kRiser, t, side);
      if (next != kNone && !soup_.triangles[next].walkable) continue;
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

  // What lies around a group that shares no side with a floor above or below it.
  void joinAcrossCracks() {
    std::vector<std::pair<uint32_t, uint32_t>> near;
    for (const uint32_t root : roots_) {
      const Group& g = groupOf(root);
      if (g.covered || !g.open) continue;
      if ((g.joins & kBelow) == 0) lookAround(root, kBelow, near);
      if ((g.joins & kAbove) == 0) lookAround(root, kAbove, near);
    }
    for (const auto& [a, b] : near) sets_.join(a, b);
    for (const uint32_t root : roots_) {
      if (sets_.find(root) != root) groupOf(sets_.find(root)).add(groupOf(root));
    }
  }

  void lookAround(uint32_t root, uint8_t way, std::vector<std::pair<uint32_t, uint32_t>>& near) {
    Group& g = groupOf(root);
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
                 other != kNone && numbers_[other] != numbers_[root] && !groupOf(other).covered) {
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
  const TriangleNeighbours& neighbours_;
  const BoxTree& tree_;
  const Tolerances& tol_;
  const Context& context_;
  double limit_;
  DisjointSets sets_;  // of places in steep_
  std::vector<uint32_t> roots_;
  std::vector<uint32_t> numbers_;  // of each place, into groups_
  std::vector<Group> groups_;
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
    const int first = orient(a, b, c);
    const bool beside = first == orient(a, b, box[1]) && first == orient(a, b, box[2]) && first == orient(a, b, box[3]);
    const Box edge = boxOf(a, b);
    if ((!beside || first == 0) && edge.min.x <= box[2].x && edge.max.x >= c.x && edge.min.y <= box[2].y &&
        edge.max.y >= c.y) {
      return false;
    }
    if ((a.y <= c.y) != (b.y <= c.y) && orient(a, b, c) == (b.y > a.y ? 1 : -1)) inside = !inside;
  }
  return inside;
}

std::vector<uint32_t> riserCandidates(const Soup& soup, const Facets& facets, const TriangleNeighbours& neighbours,
                                      const SteepFaces& faces, const BoxTree& walkable, const Tolerances& tolerances,
                                      const Context& context) {
  return SteepGroups(soup, facets, neighbours, faces, walkable, tolerances, context).run();
}

}  // namespace wend::extraction
