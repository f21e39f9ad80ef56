#include "environment/extract/exact/facets.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "base/parallel_sort.h"
#include "environment/extract/exact/digit_sort.h"

namespace wend::exact {
namespace {

constexpr size_t kFacetBlock = 512;

// The triangles that are wanted, largest first; ties by place, never by the order of the input.
template <typename Wanted, typename Size>
std::vector<uint32_t> bySize(const Soup& soup, const Context& context, const Wanted& wanted, const Size& size) {
  struct Corner {
    uint64_t place;  // in top view
    int32_t z;
    auto operator<=>(const Corner&) const = default;
  };
  struct Item {
    uint64_t place;  // of the least corner
    uint32_t triangle;
  };
  const auto cornersOf = [&](uint32_t t) {
    std::array<Corner, 3> c;
    for (size_t i = 0; i < 3; ++i) {
      const Point3& p = soup.points[soup.triangles[t].v[i]];
      c[i] = {orderOf(p.top()), p.z};
    }
    return c;
  };
  const auto sorted = [](std::array<Corner, 3> c) {
    if (c[1] < c[0]) std::swap(c[0], c[1]);
    if (c[2] < c[1]) std::swap(c[1], c[2]);
    if (c[1] < c[0]) std::swap(c[0], c[1]);
    return c;
  };
  const auto before = [&](const Item& p, const Item& q) {
    const double sizeP = size(soup.triangles[p.triangle]);
    const double sizeQ = size(soup.triangles[q.triangle]);
    if (sizeP != sizeQ) return sizeP > sizeQ;
    if (p.place != q.place) return p.place < q.place;
    const auto cp = cornersOf(p.triangle);
    const auto cq = cornersOf(q.triangle);
    const auto sortedP = sorted(cp);
    const auto sortedQ = sorted(cq);
    if (sortedP != sortedQ) return sortedP < sortedQ;
    // Two sides of one triangle.
    return cp != cq ? cp < cq : p.triangle < q.triangle;
  };
  // The upper halves of positive numbers order them, but for a few that are almost equal.
  std::vector<uint64_t> keys;
  keys.reserve(soup.triangles.size());
  for (uint32_t t = 0; t < soup.triangles.size(); ++t) {
    const Triangle& triangle = soup.triangles[t];
    if (wanted(triangle)) keys.push_back(~std::bit_cast<uint64_t>(size(triangle)) >> 32 << 32 | t);
  }
  sortByUpperHalf(keys, 32);
  std::vector<uint32_t> order(keys.size());
  std::vector<Item> equal;
  for (size_t i = 0, j = 0; i < keys.size(); i = j) {
    while (j < keys.size() && keys[j] >> 32 == keys[i] >> 32) ++j;
    if (j - i == 1) {
      order[i] = static_cast<uint32_t>(keys[i]);
      continue;
    }
    equal.clear();
    bool same = true;
    for (size_t k = i; k < j; ++k) {
      const auto t = static_cast<uint32_t>(keys[k]);
      const Triangle& triangle = soup.triangles[t];
      const auto place = [&](size_t c) { return orderOf(soup.points[triangle.v[c]].top()); };
      equal.push_back({std::min(std::min(place(0), place(1)), place(2)), t});
      same = same && size(triangle) == size(soup.triangles[equal[0].triangle]);
    }
    if (same) {
      parallelSort(equal, context, [](const Item& p, const Item& q) { return p.place < q.place; });
      for (auto from = equal.begin(), to = from; from != equal.end(); from = to) {
        while (to != equal.end() && to->place == from->place) ++to;
        if (to - from > 1) std::sort(from, to, before);
      }
    } else {
      parallelSort(equal, context, before);
    }
    for (size_t k = i; k < j; ++k) order[k] = equal[k - i].triangle;
  }
  return order;
}

class FacetMaker {
 public:
  FacetMaker(Soup& soup, const SidePartners& partners, const ExtractSettings& settings, const Tolerances& tolerances,
             const Context& context)
      : soup_(soup), settings_(settings), tolerances_(tolerances), context_(context), partners_(partners) {}

  Facets run() {
    // Walls know nothing of floors.
    parallelFor(2, context_, [&](size_t i) {
      if (i == 1) {
        makeWalls();
        return;
      }
      makeFloors();
    });
    return std::move(facets_);
  }

 private:
  void makeFloors() {
    for (const uint32_t seed : bySize(
             soup_, context_, [](const Triangle& t) { return t.walkable; }, [](const Triangle& t) { return t.area; })) {
      if (soup_.triangles[seed].facet == kNone) grow(seed);
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
        finish(list[f], f, arrows, made[block]);
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
  void grow(uint32_t seed) {
    const auto id = static_cast<uint32_t>(facets_.list.size());
    Facet facet;
    facet.plane = planeOf(soup_, soup_.triangles[seed]);
    facet.firstTriangle = static_cast<uint32_t>(facets_.triangles.size());
    facet.label = soup_.triangles[seed].label;
    soup_.triangles[seed].facet = id;
    facets_.triangles.push_back(seed);
    for (size_t i = facet.firstTriangle; i < facets_.triangles.size(); ++i) {
      const uint32_t t = facets_.triangles[i];
      for (uint32_t side = 0; side < 3; ++side) {
        const uint32_t next = partners_.of(Kind::kFloor, t, side);
        if (next == kNone || soup_.triangles[next].facet != kNone) continue;
        if (settings_.regions && soup_.triangles[next].label != facet.label) continue;
        const Point3& p = beyond(soup_.triangles[t], side, soup_.triangles[next]);
        if (std::abs(p.z - facet.plane.at(p.top())) > tolerances_.plane) continue;
        soup_.triangles[next].facet = id;
        facets_.triangles.push_back(next);
      }
    }
    facet.triangleCount = static_cast<uint32_t>(facets_.triangles.size()) - facet.firstTriangle;
    facets_.list.push_back(facet);
  }

  // The corner of a triangle across the side that it shares with another: the only one that may leave their plane.
  const Point3& beyond(const Triangle& t, uint32_t side, const Triangle& next) const {
    const uint32_t a = t.v[side];
    const uint32_t b = t.v[side == 2 ? 0 : side + 1];
    const std::array<uint32_t, 3>& v = next.v;
    return soup_.points[v[0] != a && v[0] != b ? v[0] : v[1] != a && v[1] != b ? v[1] : v[2]];
  }

  // Box, heights and outline: the sides that no triangle of the facet lies beyond.
  void finish(Facet& facet, uint32_t id, std::vector<Arrow>& arrows, Rings& outlines) const {
    facet.low = kMaxCoordinate;
    facet.high = -kMaxCoordinate;
    arrows.clear();
    for (const uint32_t t : facets_.trianglesOf(facet)) {
      const Triangle& triangle = soup_.triangles[t];
      facet.box = joined(facet.box, triangle.box);
      facet.low = std::min<double>(facet.low, triangle.low);
      facet.high = std::max<double>(facet.high, triangle.high);
      for (uint32_t side = 0; side < 3; ++side) {
        const uint32_t next = partners_.of(Kind::kFloor, t, side);
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
    for (const uint32_t seed : bySize(
             soup_, context_, [](const Triangle& t) { return t.wall; },
             [](const Triangle& t) { return double(t.high) - t.low; })) {
      if (facets_.wallOf[seed] != kNone) continue;
      const Triangle& first = soup_.triangles[seed];
      const Point3 origin = soup_.points[first.v[0]];
      facets_.wallOf[seed] = walls;
      queue.assign(1, seed);
      for (size_t i = 0; i < queue.size(); ++i) {
        for (uint32_t side = 0; side < 3; ++side) {
          const uint32_t next = partners_.of(Kind::kWall, queue[i], side);
          if (next == kNone || facets_.wallOf[next] != kNone) continue;
          const Point3& p = beyond(soup_.triangles[queue[i]], side, soup_.triangles[next]);
          const double off = first.normal.x * (double(p.x) - origin.x) + first.normal.y * (double(p.y) - origin.y) +
                             first.normal.z * (double(p.z) - origin.z);
          if (std::abs(off) > tolerances_.plane) continue;
          facets_.wallOf[next] = walls;
          queue.push_back(next);
        }
      }
      ++walls;
    }
  }

  Soup& soup_;
  const ExtractSettings& settings_;
  const Tolerances& tolerances_;
  const Context& context_;
  const SidePartners& partners_;
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

Facets makeFacets(Soup& soup, const SidePartners& partners, const ExtractSettings& settings,
                  const Tolerances& tolerances, const Context& context) {
  return FacetMaker(soup, partners, settings, tolerances, context).run();
}

}  // namespace wend::exact
