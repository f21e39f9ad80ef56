#include "environment/extract/exact/facets.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace wend::exact {
namespace {

// Steeper than this, a riser is a wall: it has next to no width in top view.
constexpr double kSteepestRiser = 0.02;
// Outlines with more corners than this are no risers; measuring their local height is quadratic.
constexpr size_t kMaxRiserCorners = 64;

// For each side of the chosen triangles (3 t + i, from corner i to the next) the triangle beyond it; kNone unless there
// is exactly one, running the other way.
class Partners {
 public:
  Partners(const Soup& soup, const std::vector<uint8_t>& chosen) : partner_(3 * soup.triangles.size(), kNone) {
    std::vector<uint32_t> begin(soup.points.size() + 1, 0);
    const auto forSides = [&](auto&& body) {
      for (uint32_t t = 0; t < soup.triangles.size(); ++t) {
        if (chosen[t] == 0) continue;
        for (uint32_t i = 0; i < 3; ++i) body(t, i, soup.triangles[t].v[i], soup.triangles[t].v[i == 2 ? 0 : i + 1]);
      }
    };
    forSides([&](uint32_t, uint32_t, uint32_t a, uint32_t b) { ++begin[std::min(a, b) + 1]; });
    for (size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
    struct Side {
      uint32_t other;
      uint32_t side;
      bool forward;
    };
    std::vector<Side> sides(begin.back());
    std::vector<uint32_t> fill(begin.begin(), begin.end() - 1);
    forSides([&](uint32_t t, uint32_t i, uint32_t a, uint32_t b) {
      sides[fill[std::min(a, b)]++] = {std::max(a, b), 3 * t + i, a < b};
    });
    for (size_t p = 0; p + 1 < begin.size(); ++p) {
      const auto first = sides.begin() + begin[p];
      const auto last = sides.begin() + begin[p + 1];
      std::sort(first, last,
                [](const Side& x, const Side& y) { return x.other != y.other ? x.other < y.other : x.side < y.side; });
      for (auto i = first, j = first; i != last; i = j) {
        while (j != last && j->other == i->other) ++j;
        if (j - i != 2 || i->forward == (i + 1)->forward) continue;
        partner_[i->side] = (i + 1)->side / 3;
        partner_[(i + 1)->side] = i->side / 3;
      }
    }
  }
  uint32_t of(uint32_t triangle, uint32_t side) const { return partner_[3 * size_t{triangle} + side]; }

 private:
  std::vector<uint32_t> partner_;
};

// Largest first; ties by place, never by the order of the input.
std::vector<uint32_t> bySize(const Soup& soup, const std::vector<uint8_t>& chosen,
                             const std::function<double(const Triangle&)>& size) {
  using Place = std::array<int32_t, 3>;
  struct Item {
    double size;
    Place smallest;  // corner
    uint32_t triangle;
  };
  const auto places = [&](uint32_t t) {
    std::array<Place, 3> c;
    for (size_t i = 0; i < 3; ++i) {
      const Point3& p = soup.points[soup.triangles[t].v[i]];
      c[i] = {p.x, p.y, p.z};
    }
    return c;
  };
  std::vector<Item> order;
  for (uint32_t t = 0; t < soup.triangles.size(); ++t) {
    if (chosen[t] == 0) continue;
    const auto c = places(t);
    order.push_back({size(soup.triangles[t]), std::min({c[0], c[1], c[2]}), t});
  }
  std::sort(order.begin(), order.end(), [&](const Item& p, const Item& q) {
    if (p.size != q.size) return p.size > q.size;
    if (p.smallest != q.smallest) return p.smallest < q.smallest;
    auto cp = places(p.triangle);
    auto cq = places(q.triangle);
    std::sort(cp.begin(), cp.end());
    std::sort(cq.begin(), cq.end());
    return cp < cq;
  });
  std::vector<uint32_t> sorted(order.size());
  for (size_t i = 0; i < order.size(); ++i) sorted[i] = order[i].triangle;
  return sorted;
}

class FacetMaker {
 public:
  FacetMaker(Soup& soup, const ExtractSettings& settings, const Tolerances& tolerances)
      : soup_(soup), settings_(settings), tolerances_(tolerances) {}

  Facets run() {
    makeFloors();
    makeWalls();
    if (!settings_.strict) makeRisers();
    return std::move(facets_);
  }

 private:
  std::vector<uint8_t> choose(const std::function<bool(const Triangle&)>& wanted) const {
    std::vector<uint8_t> chosen(soup_.triangles.size());
    for (size_t t = 0; t < chosen.size(); ++t) chosen[t] = wanted(soup_.triangles[t]) ? 1 : 0;
    return chosen;
  }

  void makeFloors() {
    const std::vector<uint8_t> chosen = choose([](const Triangle& t) { return t.walkable; });
    const Partners partners(soup_, chosen);
    for (const uint32_t seed : bySize(soup_, chosen, [](const Triangle& t) { return t.area; })) {
      if (soup_.triangles[seed].facet == kNone) grow(seed, partners, false);
    }
  }

  void grow(uint32_t seed, const Partners& partners, bool riser) {
    const auto id = static_cast<uint32_t>(facets_.list.size());
    Facet facet;
    facet.plane = planeOf(soup_, soup_.triangles[seed]);
    facet.firstTriangle = static_cast<uint32_t>(facets_.triangles.size());
    facet.label = soup_.triangles[seed].label;
    facet.riser = riser;
    soup_.triangles[seed].facet = id;
    facets_.triangles.push_back(seed);
    for (size_t i = facet.firstTriangle; i < facets_.triangles.size(); ++i) {
      const uint32_t t = facets_.triangles[i];
      for (uint32_t side = 0; side < 3; ++side) {
        const uint32_t next = partners.of(t, side);
        if (next == kNone || soup_.triangles[next].facet != kNone) continue;
        if (settings_.regions && soup_.triangles[next].label != facet.label) continue;
        if (!inPlane(facet, soup_.triangles[next])) continue;
        soup_.triangles[next].facet = id;
        facets_.triangles.push_back(next);
      }
    }
    facet.triangleCount = static_cast<uint32_t>(facets_.triangles.size()) - facet.firstTriangle;
    finish(facet, id, partners);
    facets_.list.push_back(facet);
  }

  bool inPlane(const Facet& facet, const Triangle& t) const {
    // On steep risers snapping moves heights by several units; what counts there is the distance. They carry no heights
    // of their own, so they may be less plane than floors.
    const double slack =
        facet.riser ? tolerances_.contact * std::hypot(1.0, facet.plane.a, facet.plane.b) : tolerances_.plane;
    for (const Point3& p : soup_.corners(t)) {
      if (std::abs(p.z - facet.plane.at(p.top())) > slack) return false;
    }
    return true;
  }

  // Box, heights and outline: the sides that no triangle of the facet lies beyond.
  void finish(Facet& facet, uint32_t id, const Partners& partners) {
    facet.low = kMaxCoordinate;
    facet.high = -kMaxCoordinate;
    arrows_.clear();
    for (const uint32_t t : facets_.trianglesOf(facet)) {
      const Triangle& triangle = soup_.triangles[t];
      facet.box.add(triangle.box);
      facet.low = std::min<double>(facet.low, triangle.low);
      facet.high = std::max<double>(facet.high, triangle.high);
      for (uint32_t side = 0; side < 3; ++side) {
        const uint32_t next = partners.of(t, side);
        if (next != kNone && soup_.triangles[next].facet == id) continue;
        arrows_.push_back(
            {soup_.points[triangle.v[side]].top(), soup_.points[triangle.v[side == 2 ? 0 : side + 1]].top()});
      }
    }
    facet.firstRing = static_cast<uint32_t>(facets_.outlines.count());
    chainRings(arrows_, facets_.outlines);
    facet.ringCount = static_cast<uint32_t>(facets_.outlines.count()) - facet.firstRing;
  }

  void makeWalls() {
    facets_.wallOf.assign(soup_.triangles.size(), kNone);
    const std::vector<uint8_t> chosen = choose([](const Triangle& t) { return isWall(t); });
    const Partners partners(soup_, chosen);
    uint32_t walls = 0;
    std::vector<uint32_t> queue;
    for (const uint32_t seed : bySize(soup_, chosen, [](const Triangle& t) { return double(t.high) - t.low; })) {
      if (facets_.wallOf[seed] != kNone) continue;
      const Triangle& first = soup_.triangles[seed];
      const Point3 origin = soup_.points[first.v[0]];
      facets_.wallOf[seed] = walls;
      queue.assign(1, seed);
      for (size_t i = 0; i < queue.size(); ++i) {
        for (uint32_t side = 0; side < 3; ++side) {
          const uint32_t next = partners.of(queue[i], side);
          if (next == kNone || facets_.wallOf[next] != kNone) continue;
          bool inPlane = true;
          for (const Point3& p : soup_.corners(soup_.triangles[next])) {
            const double off = first.normal.x * (double(p.x) - origin.x) + first.normal.y * (double(p.y) - origin.y) +
                               first.normal.z * (double(p.z) - origin.z);
            inPlane = inPlane && std::abs(off) <= tolerances_.plane;
          }
          if (!inPlane) continue;
          facets_.wallOf[next] = walls;
          queue.push_back(next);
        }
      }
      ++walls;
    }
  }

  void makeRisers() {
    const double limit = tolerances_.step + tolerances_.contact;
    const std::vector<uint8_t> chosen = choose([&](const Triangle& t) {
      if (t.walkable || t.normal.z < kSteepestRiser) return false;
      const std::array<Point3, 3> p = soup_.corners(t);
      const std::array<Point, 3> ring{p[0].top(), p[1].top(), p[2].top()};
      return localHeight(planeOf(soup_, t), {ring}) <= limit;
    });
    std::vector<uint8_t> onFloor(soup_.points.size(), 0);
    for (const Triangle& t : soup_.triangles) {
      for (const uint32_t v : t.v) onFloor[v] |= t.walkable ? 1 : 0;
    }
    const Partners partners(soup_, chosen);
    for (const uint32_t seed : bySize(soup_, chosen, [](const Triangle& t) { return t.area; })) {
      if (soup_.triangles[seed].facet != kNone) continue;
      grow(seed, partners, true);
      const Facet& facet = facets_.list.back();
      std::vector<std::span<const Point>> rings;
      size_t corners = 0;
      for (uint32_t r = 0; r < facet.ringCount; ++r) {
        rings.push_back(facets_.outlines.ring(facet.firstRing + r));
        corners += rings.back().size();
      }
      if (corners > kMaxRiserCorners || !joinsFloors(facet, onFloor) || localHeight(facet.plane, rings) > limit) drop();
    }
  }

  // Whether corners of floors lie both at its foot and at its top: a quick look before the riser is cut and linked.
  bool joinsFloors(const Facet& facet, const std::vector<uint8_t>& onFloor) const {
    int32_t low = kMaxCoordinate;
    int32_t high = -kMaxCoordinate;
    for (const uint32_t t : facets_.trianglesOf(facet)) {
      for (const uint32_t v : soup_.triangles[t].v) {
        if (onFloor[v] == 0) continue;
        low = std::min(low, soup_.points[v].z);
        high = std::max(high, soup_.points[v].z);
      }
    }
    return high - low > tolerances_.contact;
  }

  // Takes the last facet back; its triangles keep its number, so that no other grows over them.
  void drop() {
    Facet& facet = facets_.list.back();
    facet.triangleCount = 0;
    facet.ringCount = 0;
  }

  // The largest difference in height along any line uphill that stays inside the outline.
  static double localHeight(const Plane& plane, const std::vector<std::span<const Point>>& rings) {
    const double steep = std::hypot(plane.a, plane.b);
    if (!(steep > 0)) return 0;
    const auto across = [&](Point p) { return (plane.a * (p.y - plane.oy) - plane.b * (p.x - plane.ox)) / steep; };
    const auto uphill = [&](Point p) { return (plane.a * (p.x - plane.ox) + plane.b * (p.y - plane.oy)) / steep; };
    double longest = 0;
    std::vector<double> crossings;
    for (const std::span<const Point> ring : rings) {
      for (const Point corner : ring) {
        for (const double shift : {-0.01, 0.01}) {
          const double u = across(corner) + shift;
          crossings.clear();
          for (const std::span<const Point> other : rings) {
            for (size_t i = 0; i < other.size(); ++i) {
              const Point p = other[i];
              const Point q = other[i + 1 == other.size() ? 0 : i + 1];
              const double up = across(p);
              const double uq = across(q);
              if ((up < u) == (uq < u)) continue;
              crossings.push_back(uphill(p) + (uphill(q) - uphill(p)) * (u - up) / (uq - up));
            }
          }
          std::sort(crossings.begin(), crossings.end());
          for (size_t i = 0; i + 1 < crossings.size(); i += 2) {
            longest = std::max(longest, crossings[i + 1] - crossings[i]);
          }
        }
      }
    }
    return longest * steep;
  }

  Soup& soup_;
  const ExtractSettings& settings_;
  const Tolerances& tolerances_;
  Facets facets_;
  std::vector<Arrow> arrows_;
};

}  // namespace

Plane planeOf(const Soup& soup, const Triangle& triangle) {
  const Point3& o = soup.points[triangle.v[0]];
  Plane plane;
  plane.a = -triangle.normal.x / triangle.normal.z;
  plane.b = -triangle.normal.y / triangle.normal.z;
  plane.c = o.z;
  plane.ox = o.x;
  plane.oy = o.y;
  return plane;
}

Facets makeFacets(Soup& soup, const ExtractSettings& settings, const Tolerances& tolerances) {
  return FacetMaker(soup, settings, tolerances).run();
}

}  // namespace wend::exact
