#include "environment/extract/exact/risers.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "base/parallel.h"
#include "environment/extract/exact/gradient_line.h"
#include "environment/extract/exact/reach.h"

namespace wend::exact {
namespace {

constexpr size_t kBlock = 64;
// Lines this far beside each other are the same. Units.
constexpr double kFine = 8;
// Lines are looked at this far beside the corners. Units.
constexpr double kInset = 2;
// A floor lies above or below a side of a face that leads up or down by so much (a cosine).
constexpr double kAlong = 0.05;
// Floors with more corners are not asked whether they lie under something: that takes longer than it saves.
constexpr size_t kMostCorners = 64;
constexpr uint8_t kBelow = 1;
constexpr uint8_t kAbove = 2;

struct Interval {
  double from, to;
};

// A steep triangle in its own frame: u across the line uphill, v along it.
class Face {
 public:
  Face(const Soup& soup, const Triangle& t) : plane_(planeOf(soup, t)), steep_(std::hypot(plane_.a, plane_.b)) {
    const std::array<Point3, 3> p = soup.corners(t);
    for (size_t i = 0; i < 3; ++i) {
      u_[i] = across(p[i].top());
      v_[i] = uphill(p[i].top());
    }
  }
  double across(Point p) const { return (plane_.a * (p.y - plane_.oy) - plane_.b * (p.x - plane_.ox)) / steep_; }
  double uphill(Point p) const { return (plane_.a * (p.x - plane_.ox) + plane_.b * (p.y - plane_.oy)) / steep_; }
  Vec2 at(double u, double v) const {
    return {plane_.ox + (plane_.a * v - plane_.b * u) / steep_, plane_.oy + (plane_.b * v + plane_.a * u) / steep_};
  }
  double least() const { return *std::min_element(u_.begin(), u_.end()); }
  double most() const { return *std::max_element(u_.begin(), u_.end()); }
  const std::array<double, 3>& corners() const { return u_; }

  // The middle of the line at u, inside.
  Vec2 middle(double u) const {
    double low = 1e300;
    double high = -1e300;
    for (size_t i = 0; i < 3; ++i) {
      const size_t j = i == 2 ? 0 : i + 1;
      if ((u_[i] < u) == (u_[j] < u)) continue;
      const double v = v_[i] + (v_[j] - v_[i]) * (u - u_[i]) / (u_[j] - u_[i]);
      low = std::min(low, v);
      high = std::max(high, v);
    }
    return at(u, 0.5 * (low + high));
  }

  // What lies between two lines, and a little more at the ends of the face.
  std::array<Point, 4> strip(const Interval& part) const {
    constexpr double kBeyond = 20;
    const double from = part.from <= least() ? part.from - kBeyond : part.from;
    const double to = part.to >= most() ? part.to + kBeyond : part.to;
    const double low = *std::min_element(v_.begin(), v_.end()) - kBeyond;
    const double high = *std::max_element(v_.begin(), v_.end()) + kBeyond;
    const auto corner = [&](double u, double v) {
      const Vec2 p = at(u, v);
      return rounded(p.x, p.y);
    };
    return {corner(from, low), corner(from, high), corner(to, high), corner(to, low)};
  }

 private:
  Plane plane_;
  double steep_;
  std::array<double, 3> u_;
  std::array<double, 3> v_;
};

class RiserFinder {
 public:
  RiserFinder(const Soup& soup, const Facets& facets, const SidePartners& partners, const BoxTree& surfaces,
              const Tolerances& tolerances)
      : soup_(soup),
        facets_(facets),
        partners_(partners),
        tree_(surfaces),
        tol_(tolerances),
        lines_(soup, partners, surfaces, tolerances),
        limit_(tolerances.step + tolerances.contact) {}

  // Steep triangles whose neighbourhood has floors both below and above.
  std::vector<uint32_t> candidates() {
    for (uint32_t t = 0; t < soup_.triangles.size(); ++t) {
      if (isSteep(soup_.triangles[t])) steep_.push_back(t);
    }
    if (steep_.empty()) return {};
    group();
    joinAcrossCracks();
    std::vector<uint32_t> result;
    for (uint32_t i = 0; i < steep_.size(); ++i) {
      const Group& g = groups_[find(i)];
      const Triangle& t = soup_.triangles[steep_[i]];
      if (g.joins == (kBelow | kAbove) && g.top - g.foot <= limit_ && !g.covered && !isCovered(t.box, t.low, t.high)) {
        result.push_back(steep_[i]);
      }
    }
    return result;
  }

  // The parts of a triangle, across the line uphill, that are no riser; false if that is all of it.
  bool findClosed(uint32_t triangle, std::vector<Interval>& closed) const {
    closed.clear();
    const Face face(soup_, soup_.triangles[triangle]);
    if (face.most() - face.least() < 1) return false;
    std::vector<double> cuts(face.corners().begin(), face.corners().end());
    std::sort(cuts.begin(), cuts.end());
    std::vector<std::pair<double, GradientLines::Run>> known;
    if (mayDiffer(triangle, face, cuts, known)) addCuts(triangle, face, cuts);
    sortBetween(triangle, face, cuts, known, closed);
    return tidy(face, closed);
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

  uint32_t find(uint32_t i) {
    while (root_[i] != i) i = root_[i] = root_[root_[i]];
    return i;
  }
  void join(uint32_t a, uint32_t b) {
    a = find(a);
    b = find(b);
    if (a != b) root_[std::max(a, b)] = std::min(a, b);
  }

  // Faces that share sides, with the floors that they share sides with.
  void group() {
    number_.assign(soup_.triangles.size(), kNone);
    for (uint32_t i = 0; i < steep_.size(); ++i) number_[steep_[i]] = i;
    root_.resize(steep_.size());
    std::iota(root_.begin(), root_.end(), 0U);
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
          join(i, number_[next]);
          continue;
        }
        const uint8_t way = wayBeyond(triangle, side);
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
    for (uint32_t i = 0; i < steep_.size(); ++i) {
      if (root_[i] == i) groups_[i].covered = isCovered(groups_[i].box, groups_[i].low, groups_[i].high);
    }
  }

  // Where a floor lies so near, the riser gives way to it. Most rounded things stand on one.
  bool isCovered(const Box& box, double low, double high) const {
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
  bool contains(const Facet& floor, const std::array<Point, 4>& box) const {
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

  void collect() {
    for (uint32_t i = 0; i < steep_.size(); ++i) {
      if (find(i) != i) groups_[find(i)].add(groups_[i]);
    }
  }

  // Whether a side leads up or down.
  uint8_t wayBeyond(const Triangle& t, uint32_t side) const {
    const Point3& a = soup_.points[t.v[side]];
    const Point3& b = soup_.points[t.v[side == 2 ? 0 : side + 1]];
    const double x = double(b.x) - a.x;
    const double y = double(b.y) - a.y;
    // How much the way out leads uphill.
    const double up = (t.normal.y * x - t.normal.x * y) / (std::hypot(x, y) * std::hypot(t.normal.x, t.normal.y));
    return up > kAlong ? kAbove : up < -kAlong ? kBelow : 0;
  }

  // What lies around a group that shares no side with a floor above or below it.
  void joinAcrossCracks() {
    std::vector<std::pair<uint32_t, uint32_t>> near;
    for (uint32_t i = 0; i < steep_.size(); ++i) {
      if (root_[i] != i || groups_[i].covered || !groups_[i].open) continue;
      if ((groups_[i].joins & kBelow) == 0) lookAround(i, kBelow, near);
      if ((groups_[i].joins & kAbove) == 0) lookAround(i, kAbove, near);
    }
    for (const auto& [a, b] : near) join(a, b);
    if (!near.empty()) collect();
  }

  void lookAround(uint32_t root, uint8_t way, std::vector<std::pair<uint32_t, uint32_t>>& near) {
    Group& g = groups_[root];
    const auto margin = static_cast<int32_t>(std::ceil(tol_.gap + 2));
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
      } else if (number_[i] != kNone && find(number_[i]) != root && !groups_[find(number_[i])].covered) {
        near.emplace_back(root, number_[i]);
      }
    };
    tree_.forEach(box, low, high, look);
    if (near.size() > before || (g.joins & way) == 0) return;
    // Lines that leave the group go on to these floors.
    if (way == kBelow) g.foot = std::min(g.foot, nearest);
    if (way == kAbove) g.top = std::max(g.top, nearest);
  }

  using Runs = std::vector<std::pair<double, GradientLines::Run>>;

  // The ends of what lies between two cuts.
  static Interval between(double from, double to) {
    const double inset = std::min(kInset, 0.25 * (to - from));
    return {from + inset, to - inset};
  }

  // Looks at the lines beside the corners. Whether those between may do better: across open sides.
  bool mayDiffer(uint32_t triangle, const Face& face, const std::vector<double>& cuts, Runs& known) const {
    bool high = true;
    uint8_t lost = kBelow | kAbove;
    for (size_t i = 0; i + 1 < cuts.size(); ++i) {
      if (cuts[i + 1] - cuts[i] < 1) continue;
      const Interval part = between(cuts[i], cuts[i + 1]);
      for (const double u : {part.from, part.to}) {
        const GradientLines::Run r = run(triangle, face, u);
        known.emplace_back(u, r);
        high = high && r.high;
        lost &= r.ends ? 0 : r.below ? kAbove : kBelow;
      }
    }
    if (high) return false;
    bool differs = false;
    for (uint32_t side = 0; side < 3; ++side) {
      if (partners_.of(Kind::kRiser, triangle, side) != kNone) continue;
      const uint8_t way = wayBeyond(soup_.triangles[triangle], side);
      differs = differs || lost == 0 || way == 0 || (way & lost) != 0;
    }
    return differs;
  }

  void sortBetween(uint32_t triangle, const Face& face, const std::vector<double>& cuts, const Runs& known,
                   std::vector<Interval>& closed) const {
    const auto runAt = [&](double u) {
      const auto it = std::find_if(known.begin(), known.end(), [&](const auto& k) { return k.first == u; });
      return it != known.end() ? it->second : run(triangle, face, u);
    };
    for (size_t i = 0; i + 1 < cuts.size(); ++i) {
      if (cuts[i + 1] - cuts[i] < 1) continue;
      const Interval part = between(cuts[i], cuts[i + 1]);
      const size_t before = closed.size();
      sort(triangle, face, part.from, runAt(part.from), part.to, runAt(part.to), closed);
      for (size_t k = before; k < closed.size(); ++k) {
        if (closed[k].from == part.from) closed[k].from = cuts[i];
        if (closed[k].to == part.to) closed[k].to = cuts[i + 1];
      }
    }
  }

  // Where a line may begin to pass other triangles: at corners of what lies beyond open sides.
  void addCuts(uint32_t triangle, const Face& face, std::vector<double>& cuts) const {
    const Triangle& t = soup_.triangles[triangle];
    const auto margin = static_cast<int32_t>(std::ceil(tol_.gap + 2));
    const Box box{{t.box.min.x - margin, t.box.min.y - margin}, {t.box.max.x + margin, t.box.max.y + margin}};
    const double least = face.least();
    const double most = face.most();
    tree_.forEach(box, t.low - limit_, t.high + limit_, [&](uint32_t other) {
      for (const Point3& p : soup_.corners(soup_.triangles[other])) {
        if (p.x < box.min.x || p.x > box.max.x || p.y < box.min.y || p.y > box.max.y) continue;
        const double u = face.across(p.top());
        if (u > least + 1 && u < most - 1 && isNear(t, p)) cuts.push_back(u);
      }
    });
    std::sort(cuts.begin(), cuts.end());
    const double end = cuts.back();
    cuts.erase(std::unique(cuts.begin(), cuts.end(), [](double u, double v) { return v - u < 1; }), cuts.end());
    cuts.back() = end;
  }

  bool isNear(const Triangle& t, const Point3& p) const {
    const Vec2 q = nearestIn(soup_.corners(t), p.x, p.y);
    const double reach = tol_.gap + Tolerances::kSame;
    return std::abs(q.x - p.x) <= reach && std::abs(q.y - p.y) <= reach && p.z >= t.low - limit_ &&
           p.z <= t.high + limit_;
  }

  GradientLines::Run run(uint32_t triangle, const Face& face, double u) const {
    const Vec2 p = face.middle(u);
    return lines_.at(triangle, p.x, p.y);
  }
  void sort(uint32_t triangle, const Face& face, double from, const GradientLines::Run& first, double to,
            const GradientLines::Run& last, std::vector<Interval>& closed) const {
    // Of two lines that end on floors over the same triangles, what lies between them does too.
    const bool same = first.ends == last.ends;
    if (same && (!first.ends || first.path == last.path || to - from < 2 * tol_.passage)) {
      if (!first.ends) closed.push_back({from, to});
      return;
    }
    if (to - from < kFine) {
      closed.push_back({from, to});
      return;
    }
    const double middle = 0.5 * (from + to);
    const GradientLines::Run between = run(triangle, face, middle);
    sort(triangle, face, from, first, middle, between, closed);
    sort(triangle, face, middle, between, to, last, closed);
  }

  // Joins what abuts; neither part may be a hair. False if nothing is open.
  static bool tidy(const Face& face, std::vector<Interval>& closed) {
    size_t kept = 0;
    for (const Interval& part : closed) {
      if (kept > 0 && part.from - closed[kept - 1].to < Tolerances::kJag) {
        closed[kept - 1].to = part.to;
      } else {
        closed[kept++] = part;
      }
    }
    closed.resize(kept);
    std::erase_if(closed, [](const Interval& part) { return part.to - part.from < Tolerances::kJag; });
    double open = face.most() - face.least();
    for (Interval& part : closed) {
      if (part.from - face.least() < Tolerances::kJag) part.from = face.least();
      if (face.most() - part.to < Tolerances::kJag) part.to = face.most();
      open -= part.to - part.from;
    }
    return open > 0.5;
  }

  const Soup& soup_;
  const Facets& facets_;
  const SidePartners& partners_;
  const BoxTree& tree_;
  const Tolerances& tol_;
  GradientLines lines_;
  double limit_;
  std::vector<uint32_t> steep_;
  std::vector<uint32_t> number_;  // of each triangle: its place in steep_
  std::vector<uint32_t> root_;    // of each in steep_
  std::vector<Group> groups_;     // of each root
};

struct Riser {
  uint32_t triangle;
  std::vector<Interval> closed;
};

// Larger ones first; ties by place, never by the order of the input.
bool comesBefore(const Soup& soup, uint32_t p, uint32_t q) {
  const Triangle& a = soup.triangles[p];
  const Triangle& b = soup.triangles[q];
  if (a.area != b.area) return a.area > b.area;
  const auto places = [&](const Triangle& t) {
    std::array<std::tuple<int32_t, int32_t, int32_t>, 3> c;
    for (size_t i = 0; i < 3; ++i) c[i] = {soup.points[t.v[i]].x, soup.points[t.v[i]].y, soup.points[t.v[i]].z};
    std::sort(c.begin(), c.end());
    return c;
  };
  const auto ca = places(a);
  const auto cb = places(b);
  return ca != cb ? ca < cb : p < q;
}

void addFacet(Soup& soup, const Riser& riser, Facets& facets) {
  Triangle& t = soup.triangles[riser.triangle];
  t.facet = static_cast<uint32_t>(facets.list.size());
  Facet facet;
  facet.plane = planeOf(soup, t);
  facet.firstTriangle = static_cast<uint32_t>(facets.triangles.size());
  facet.triangleCount = 1;
  facet.firstRing = static_cast<uint32_t>(facets.outlines.count());
  facet.ringCount = 1;
  facet.label = t.label;
  facet.box = t.box;
  facet.low = t.low;
  facet.high = t.high;
  facet.riser = true;
  facet.firstClosed = static_cast<uint32_t>(facets.closed.size());
  facet.closedCount = static_cast<uint32_t>(riser.closed.size());
  const Face face(soup, t);
  for (const Interval& part : riser.closed) facets.closed.push_back(face.strip(part));
  const std::array<Point3, 3> p = soup.corners(t);
  std::array<Point, 3> ring{p[0].top(), p[1].top(), p[2].top()};
  std::rotate(ring.begin(), std::min_element(ring.begin(), ring.end()), ring.end());
  facets.outlines.add(ring);
  facets.triangles.push_back(riser.triangle);
  facets.list.push_back(facet);
}

}  // namespace

std::vector<uint8_t> addRisers(Soup& soup, const SidePartners& partners, const BoxTree& surfaces,
                               const ExtractSettings& settings, const Tolerances& tolerances, const Context& context,
                               Facets& facets) {
  RiserFinder finder(soup, facets, partners, surfaces, tolerances);
  const std::vector<uint32_t> candidates = finder.candidates();
  std::vector<uint8_t> reached;
  std::vector<Riser> risers;
  if (settings.seedPoints.empty()) {
    std::vector<std::vector<Riser>> found((candidates.size() + kBlock - 1) / kBlock);
    parallelFor(found.size(), context, [&](size_t block) {
      const size_t end = std::min(candidates.size(), (block + 1) * kBlock);
      std::vector<Interval> closed;
      for (size_t i = block * kBlock; i < end; ++i) {
        if (finder.findClosed(candidates[i], closed)) found[block].push_back({candidates[i], closed});
      }
    });
    for (std::vector<Riser>& part : found) {
      risers.insert(risers.end(), std::make_move_iterator(part.begin()), std::make_move_iterator(part.end()));
    }
  } else {
    std::vector<Interval> closed;
    reached = withinReach(soup, facets, surfaces, settings, tolerances, candidates, [&](uint32_t t) {
      const bool open = finder.findClosed(t, closed);
      if (open) risers.push_back({t, closed});
      return open;
    });
  }
  std::sort(risers.begin(), risers.end(),
            [&](const Riser& p, const Riser& q) { return comesBefore(soup, p.triangle, q.triangle); });
  for (const Riser& riser : risers) addFacet(soup, riser, facets);
  reached.resize(facets.list.size(), 1);
  return reached;
}

}  // namespace wend::exact
