#include "environment/extract/exact/facets.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/parallel_sort.h"
#include "environment/extract/exact/side_partners.h"

namespace wend::exact {
namespace {

// Steeper than this, a riser is a wall: it has next to no width in top view.
constexpr double kSteepestRiser = 0.02;
// Outlines with more corners than this are no risers; measuring their local height is quadratic.
constexpr size_t kMaxRiserCorners = 64;
// Heights along lines uphill exceed those of the corners by no more than rounding. Units.
constexpr double kRiserSlack = 0.1;
constexpr size_t kBlock = 4096;
constexpr size_t kFacetBlock = 512;

// The triangles of a kind, largest first; ties by place, never by the order of the input.
template <typename Size>
std::vector<uint32_t> bySize(const Soup& soup, const std::vector<uint8_t>& kinds, Kind kind, const Context& context,
                             const Size& size) {
  using Place = std::array<int32_t, 3>;
  struct Item {
    double size;
    uint64_t place;  // of the smallest corner, in top view
    int32_t z;       // its height
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
    if ((kinds[t] & static_cast<uint8_t>(kind)) == 0) continue;
    Item item{size(soup.triangles[t]), UINT64_MAX, 0, t};
    for (const uint32_t v : soup.triangles[t].v) {
      const Point3& p = soup.points[v];
      const uint64_t place = orderOf(p.top());
      if (place > item.place || (place == item.place && p.z > item.z)) continue;
      item.place = place;
      item.z = p.z;
    }
    order.push_back(item);
  }
  parallelSort(order, context, [&](const Item& p, const Item& q) {
    if (p.size != q.size) return p.size > q.size;
    if (p.place != q.place) return p.place < q.place;
    if (p.z != q.z) return p.z < q.z;
    const auto cp = places(p.triangle);
    const auto cq = places(q.triangle);
    auto sortedP = cp;
    auto sortedQ = cq;
    std::sort(sortedP.begin(), sortedP.end());
    std::sort(sortedQ.begin(), sortedQ.end());
    if (sortedP != sortedQ) return sortedP < sortedQ;
    // Two sides of one triangle.
    return cp != cq ? cp < cq : p.triangle < q.triangle;
  });
  std::vector<uint32_t> sorted(order.size());
  for (size_t i = 0; i < order.size(); ++i) sorted[i] = order[i].triangle;
  return sorted;
}

// The largest difference in height along any line uphill that stays inside the outline.
double localHeight(const Plane& plane, std::span<const std::span<const Point>> rings) {
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

class FacetMaker {
 public:
  FacetMaker(Soup& soup, const ExtractSettings& settings, const Tolerances& tolerances, const Context& context)
      : soup_(soup),
        settings_(settings),
        tolerances_(tolerances),
        context_(context),
        kinds_(kindsOf()),
        partners_(soup, kinds_, context) {}

  Facets run() {
    // Walls know nothing of floors.
    parallelFor(2, context_, [&](size_t i) {
      if (i == 1) {
        makeWalls();
        return;
      }
      makeFloors();
      if (!settings_.strict) makeRisers();
    });
    return std::move(facets_);
  }

 private:
  std::vector<uint8_t> kindsOf() const {
    std::vector<uint8_t> kinds(soup_.triangles.size());
    parallelBlocks(kinds.size(), kBlock, context_, [&](size_t begin, size_t end) {
      for (size_t t = begin; t < end; ++t) {
        const Triangle& triangle = soup_.triangles[t];
        const auto mark = [&](Kind kind, bool is) { kinds[t] |= is ? static_cast<uint8_t>(kind) : 0; };
        mark(Kind::kFloor, triangle.walkable);
        mark(Kind::kWall, triangle.wall);
        mark(Kind::kRiser, !settings_.strict && mayBeRiser(triangle));
      }
    });
    return kinds;
  }

  bool mayBeRiser(const Triangle& t) const {
    if (t.walkable || t.normal.z < kSteepestRiser) return false;
    const double limit = tolerances_.step + tolerances_.contact;
    if (double(t.high) - t.low <= limit - kRiserSlack) return true;
    const std::array<Point3, 3> p = soup_.corners(t);
    const std::array<Point, 3> corners{p[0].top(), p[1].top(), p[2].top()};
    const std::span<const Point> ring(corners);
    return localHeight(planeOf(soup_, t), std::span(&ring, 1)) <= limit;
  }

  void makeFloors() {
    for (const uint32_t seed :
         bySize(soup_, kinds_, Kind::kFloor, context_, [](const Triangle& t) { return t.area; })) {
      if (soup_.triangles[seed].facet == kNone) grow(seed, Kind::kFloor);
    }
    finishFloors();
  }

  void finishFloors() {
    std::vector<Facet>& list = facets_.list;
    std::vector<Rings> made((list.size() + kFacetBlock - 1) / kFacetBlock);
    parallelFor(made.size(), context_, [&](size_t block) {
      std::vector<Arrow> arrows;
      const auto last = static_cast<uint32_t>(std::min(list.size(), (block + 1) * kFacetBlock));
      for (auto f = static_cast<uint32_t>(block * kFacetBlock); f < last; ++f) {
        finish(list[f], f, Kind::kFloor, arrows, made[block]);
      }
    });
    for (size_t block = 0; block < made.size(); ++block) {
      const auto before = static_cast<uint32_t>(facets_.outlines.count());
      for (size_t f = block * kFacetBlock; f < std::min(list.size(), (block + 1) * kFacetBlock); ++f) {
        list[f].firstRing += before;
      }
      facets_.outlines.add(made[block]);
    }
  }

  // The triangles of one facet; its outline comes later.
  void grow(uint32_t seed, Kind kind) {
    const auto id = static_cast<uint32_t>(facets_.list.size());
    Facet facet;
    facet.plane = planeOf(soup_, soup_.triangles[seed]);
    facet.firstTriangle = static_cast<uint32_t>(facets_.triangles.size());
    facet.label = soup_.triangles[seed].label;
    facet.riser = kind == Kind::kRiser;
    soup_.triangles[seed].facet = id;
    facets_.triangles.push_back(seed);
    for (size_t i = facet.firstTriangle; i < facets_.triangles.size(); ++i) {
      const uint32_t t = facets_.triangles[i];
      for (uint32_t side = 0; side < 3; ++side) {
        const uint32_t next = partners_.of(kind, t, side);
        if (next == kNone || soup_.triangles[next].facet != kNone) continue;
        if (settings_.regions && soup_.triangles[next].label != facet.label) continue;
        if (!inPlane(facet, soup_.triangles[next])) continue;
        soup_.triangles[next].facet = id;
        facets_.triangles.push_back(next);
      }
    }
    facet.triangleCount = static_cast<uint32_t>(facets_.triangles.size()) - facet.firstTriangle;
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
  void finish(Facet& facet, uint32_t id, Kind kind, std::vector<Arrow>& arrows, Rings& outlines) const {
    facet.low = kMaxCoordinate;
    facet.high = -kMaxCoordinate;
    arrows.clear();
    for (const uint32_t t : facets_.trianglesOf(facet)) {
      const Triangle& triangle = soup_.triangles[t];
      facet.box = joined(facet.box, triangle.box);
      facet.low = std::min<double>(facet.low, triangle.low);
      facet.high = std::max<double>(facet.high, triangle.high);
      for (uint32_t side = 0; side < 3; ++side) {
        const uint32_t next = partners_.of(kind, t, side);
        if (next != kNone && soup_.triangles[next].facet == id) continue;
        arrows.push_back(
            {soup_.points[triangle.v[side]].top(), soup_.points[triangle.v[side == 2 ? 0 : side + 1]].top()});
      }
    }
    facet.firstRing = static_cast<uint32_t>(outlines.count());
    if (facet.triangleCount == 1 && arrows.size() == 3) {
      // Most facets of a terrain. Walks begin at their smallest point.
      const size_t first = static_cast<size_t>(std::min_element(arrows.begin(), arrows.end()) - arrows.begin());
      const std::array<Point, 3> ring{arrows[first].a, arrows[(first + 1) % 3].a, arrows[(first + 2) % 3].a};
      outlines.add(ring);
    } else {
      chainRings(arrows, outlines);
    }
    facet.ringCount = static_cast<uint32_t>(outlines.count()) - facet.firstRing;
  }

  void makeWalls() {
    facets_.wallOf.assign(soup_.triangles.size(), kNone);
    uint32_t walls = 0;
    std::vector<uint32_t> queue;
    for (const uint32_t seed :
         bySize(soup_, kinds_, Kind::kWall, context_, [](const Triangle& t) { return double(t.high) - t.low; })) {
      if (facets_.wallOf[seed] != kNone) continue;
      const Triangle& first = soup_.triangles[seed];
      const Point3 origin = soup_.points[first.v[0]];
      facets_.wallOf[seed] = walls;
      queue.assign(1, seed);
      for (size_t i = 0; i < queue.size(); ++i) {
        for (uint32_t side = 0; side < 3; ++side) {
          const uint32_t next = partners_.of(Kind::kWall, queue[i], side);
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
    std::vector<uint8_t> onFloor(soup_.points.size(), 0);
    for (const Triangle& t : soup_.triangles) {
      for (const uint32_t v : t.v) onFloor[v] |= t.walkable ? 1 : 0;
    }
    std::vector<std::span<const Point>> rings;
    std::vector<Arrow> arrows;
    for (const uint32_t seed :
         bySize(soup_, kinds_, Kind::kRiser, context_, [](const Triangle& t) { return t.area; })) {
      if (soup_.triangles[seed].facet != kNone) continue;
      grow(seed, Kind::kRiser);
      Facet& facet = facets_.list.back();
      finish(facet, static_cast<uint32_t>(facets_.list.size() - 1), Kind::kRiser, arrows, facets_.outlines);
      rings.clear();
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

  Soup& soup_;
  const ExtractSettings& settings_;
  const Tolerances& tolerances_;
  const Context& context_;
  std::vector<uint8_t> kinds_;
  SidePartners partners_;
  Facets facets_;
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

Facets makeFacets(Soup& soup, const ExtractSettings& settings, const Tolerances& tolerances, const Context& context) {
  return FacetMaker(soup, settings, tolerances, context).run();
}

}  // namespace wend::exact
