#include "environment/extract/steep/risers.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>

#include "base/parallel.h"
#include "environment/extract/steep/climb_bounds.h"
#include "environment/extract/steep/gradient_line.h"
#include "environment/extract/steep/steep_groups.h"

namespace wend::extraction {
namespace {

constexpr size_t kBlock = 64;
// Lines this far beside each other are the same. Grains.
constexpr double kFine = 8;
// Lines are looked at this far beside the corners. Grains.
constexpr double kInset = 2;

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

  // The longest of the lines of a part, inside.
  double longest(const Interval& part) const {
    std::array<size_t, 3> order{0, 1, 2};
    std::sort(order.begin(), order.end(), [&](size_t i, size_t k) { return u_[i] < u_[k]; });
    const auto [first, middle, last] = order;
    // All grow evenly towards the one through the middle corner.
    const double beside = v_[first] + (v_[last] - v_[first]) * (u_[middle] - u_[first]) / (u_[last] - u_[first]);
    const double most = std::abs(v_[middle] - beside);
    if (part.to < u_[middle]) return most * (part.to - u_[first]) / (u_[middle] - u_[first]);
    if (part.from > u_[middle]) return most * (u_[last] - part.from) / (u_[last] - u_[middle]);
    return most;
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
  RiserFinder(const Soup& soup, const TriangleNeighbours& neighbours, const SteepFaces& faces,
              const SteepBorders& borders, const BoxTree& walkable, const Tolerances& tolerances)
      : soup_(soup),
        neighbours_(neighbours),
        faces_(faces),
        tree_(walkable),
        tol_(tolerances),
        lines_(soup, neighbours, faces, borders, tolerances),
        limit_(tolerances.step + tolerances.contact) {}

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
  using Runs = std::vector<std::pair<double, GradientLines::Run>>;

  // The ends of what lies between two cuts.
  Interval between(double from, double to) const {
    const double inset = std::min(kInset * tol_.grain, 0.25 * (to - from));
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
      if (neighbours_.of(Kind::kRiser, triangle, side) != kNone) continue;
      const uint8_t way = wayBeyond(faces_.of(triangle), side);
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
    const auto margin = static_cast<int32_t>(std::ceil(tol_.gap + 2 * tol_.grain));
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
    if (p.z < t.low - limit_ || p.z > t.high + limit_) return false;
    const Vec2 q = nearestIn(soup_.corners(t), p.x, p.y);
    const double reach = tol_.gap + tol_.same;
    return std::abs(q.x - p.x) <= reach && std::abs(q.y - p.y) <= reach;
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
    if (to - from < kFine * tol_.grain) {
      closed.push_back({from, to});
      return;
    }
    const double middle = 0.5 * (from + to);
    const GradientLines::Run between = run(triangle, face, middle);
    sort(triangle, face, from, first, middle, between, closed);
    sort(triangle, face, middle, between, to, last, closed);
  }

  // Joins what abuts; neither part may be a hair. False if nothing is open.
  bool tidy(const Face& face, std::vector<Interval>& closed) const {
    size_t kept = 0;
    for (const Interval& part : closed) {
      if (kept > 0 && part.from - closed[kept - 1].to < tol_.jag) {
        closed[kept - 1].to = part.to;
      } else {
        closed[kept++] = part;
      }
    }
    closed.resize(kept);
    std::erase_if(closed, [&](const Interval& part) { return part.to - part.from < tol_.jag; });
    double open = face.most() - face.least();
    for (Interval& part : closed) {
      if (part.from - face.least() < tol_.jag) part.from = face.least();
      if (face.most() - part.to < tol_.jag) part.to = face.most();
      open -= part.to - part.from;
    }
    return open > 0.5;
  }

  const Soup& soup_;
  const TriangleNeighbours& neighbours_;
  const SteepFaces& faces_;
  const BoxTree& tree_;
  const Tolerances& tol_;
  GradientLines lines_;
  double limit_;
};

struct Riser {
  uint32_t triangle;
  std::vector<Interval> closed;
};

// Whether what is open beside closed parts is nowhere wide enough for anything to be left of it.
bool isThin(const Soup& soup, const Riser& riser, const Tolerances& tolerances) {
  if (riser.closed.empty()) return false;
  constexpr double kRounding = 4;  // may widen it by so much; units
  const Face face(soup, soup.triangles[riser.triangle]);
  double from = face.least();
  bool thin = true;
  const auto look = [&](double to) {
    const double width = to > from ? std::min(to - from, face.longest({from, to})) : 0;
    thin = thin && width + kRounding < tolerances.sliver;
  };
  for (const Interval& part : riser.closed) {
    look(part.from);
    from = part.to;
  }
  look(face.most());
  return thin;
}

// Whether a triangle that no line crosses is found to be none: hairs are not looked at.
bool isWide(const Soup& soup, const SteepFaces& faces, uint32_t triangle, const Tolerances& tolerances) {
  const std::array<Point3, 3> p = soup.corners(soup.triangles[triangle]);
  const SteepFace& face = faces.of(triangle);
  const auto across = [&](const Point3& q) { return q.x * face.y - q.y * face.x; };
  const auto [least, most] = std::minmax({across(p[0]), across(p[1]), across(p[2])});
  return most - least > 2 * tolerances.jag;
}

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

RiserCandidates::RiserCandidates(const Soup& soup, const TriangleNeighbours& neighbours, const Facets& facets,
                                 const BoxTree& walkable, const Tolerances& tolerances, const Context& context)
    : neighbours_(neighbours),
      walkable_(walkable),
      tolerances_(tolerances),
      faces_(soup, neighbours, context),
      triangles_(riserCandidates(soup, facets, neighbours, faces_, walkable, tolerances, context)) {
  if (triangles_.empty()) return;
  borders_.emplace(soup, neighbours, faces_, walkable, tolerances, triangles_, context);
  const ClimbBounds bounds = climbBounds(soup, neighbours, faces_, *borders_, triangles_, context);
  std::erase_if(triangles_, [&](uint32_t t) {
    const uint32_t place = faces_.placeOf(t);
    const double least = bounds.top[place] - bounds.foot[place];
    return least > tolerances.step + tolerances.contact + 1 && isWide(soup, faces_, t, tolerances);
  });
}

std::vector<uint8_t> RiserCandidates::add(std::span<const uint8_t> wanted, Soup& soup, Facets& facets,
                                          const Context& context) const {
  if (triangles_.empty()) return {};
  const CoveringFloors covering(soup, facets, walkable_, tolerances_);
  const RiserFinder finder(soup, neighbours_, faces_, *borders_, walkable_, tolerances_);
  std::vector<std::vector<Riser>> found((triangles_.size() + kBlock - 1) / kBlock);
  parallelFor(found.size(), context, [&](size_t block) {
    const size_t end = std::min(triangles_.size(), (block + 1) * kBlock);
    std::vector<Interval> closed;
    for (size_t i = block * kBlock; i < end; ++i) {
      const Triangle& t = soup.triangles[triangles_[i]];
      if (wanted[i] == 0 || covering.cover(t.box, t.low, t.high)) continue;
      if (finder.findClosed(triangles_[i], closed)) found[block].push_back({triangles_[i], closed});
    }
  });
  std::vector<Riser> risers;
  for (std::vector<Riser>& part : found) {
    risers.insert(risers.end(), std::make_move_iterator(part.begin()), std::make_move_iterator(part.end()));
  }
  std::sort(risers.begin(), risers.end(),
            [&](const Riser& p, const Riser& q) { return comesBefore(soup, p.triangle, q.triangle); });
  std::vector<uint8_t> marks;
  for (const Riser& riser : risers) {
    addFacet(soup, riser, facets);
    marks.push_back(isThin(soup, riser, tolerances_) ? 0 : 1);
  }
  return marks;
}

}  // namespace wend::extraction
