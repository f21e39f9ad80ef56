#include "environment/extract/facets/facets.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/parallel.h"

namespace wend::extraction {
namespace {

constexpr size_t kFacetBlock = 512;
constexpr size_t kTriangleBlock = 1024;

// The corner of a triangle across the side that it shares with another: the only one that may leave their plane.
const Point3& beyond(const Soup& soup, const Triangle& t, uint32_t side, const Triangle& next) {
  const uint32_t a = t.v[side];
  const uint32_t b = t.v[side == 2 ? 0 : side + 1];
  const std::array<uint32_t, 3>& v = next.v;
  return soup.points[v[0] != a && v[0] != b ? v[0] : v[1] != a && v[1] != b ? v[1] : v[2]];
}

// Whether the facet that began with `seed` goes on from t to the next triangle beyond a side.
struct GoesOn {
  const Soup& soup;
  bool regions;
  double tolerance;
  bool operator()(const Plane& plane, uint32_t seed, uint32_t t, uint32_t side, uint32_t next) const {
    if (regions && soup.triangles[next].label != soup.triangles[seed].label) return false;
    const Point3& p = beyond(soup, soup.triangles[t], side, soup.triangles[next]);
    return std::abs(p.z - plane.at(p.top())) <= tolerance;
  }
};

class FacetMaker {
 public:
  FacetMaker(Soup& soup, const TriangleNeighbours& neighbours, const FacetSeeds& seeds, const ExtractSettings& settings,
             const Tolerances& tolerances, const Context& context)
      : soup_(soup),
        goesOn_{soup, settings.regions, tolerances.plane},
        tolerances_(tolerances),
        context_(context),
        neighbours_(neighbours),
        seeds_(seeds) {}

  Facets run() {
    // Walls know nothing of floors.
    parallelFor(2, context_, [&](size_t i) {
      if (i == 0) {
        makeFloors();
      } else {
        makeWalls();
      }
    });
    return std::move(facets_);
  }

 private:
  void makeFloors() {
    facetOf_.assign(soup_.triangles.size(), kNone);
    facets_.triangles.reserve(seeds_.floors.size());
    std::vector<uint32_t> firsts;  // of each facet, into the list of triangles
    firsts.reserve(seeds_.floors.size() + 1);
    for (const uint32_t seed : seeds_.floors) {
      if (facetOf_[seed] != kNone) continue;
      facetOf_[seed] = static_cast<uint32_t>(firsts.size());
      firsts.push_back(static_cast<uint32_t>(facets_.triangles.size()));
      facets_.triangles.push_back(seed);
      if (seeds_.alone[seed] == 0) grow(seed);
    }
    firsts.push_back(static_cast<uint32_t>(facets_.triangles.size()));
    finishFloors(firsts);
  }

  // Adds the other triangles of the facet that the last one has begun.
  void grow(uint32_t seed) {
    const Plane plane = planeOf(soup_, soup_.triangles[seed]);
    for (size_t i = facets_.triangles.size() - 1; i < facets_.triangles.size(); ++i) {
      const uint32_t t = facets_.triangles[i];
      for (uint32_t side = 0; side < 3; ++side) {
        const uint32_t next = neighbours_.of(Kind::kFloor, t, side);
        if (next == kNone || facetOf_[next] != kNone || !goesOn_(plane, seed, t, side, next)) continue;
        facetOf_[next] = facetOf_[seed];
        facets_.triangles.push_back(next);
      }
    }
  }

  void finishFloors(const std::vector<uint32_t>& firsts) {
    std::vector<Facet>& list = facets_.list;
    list.resize(firsts.size() - 1);
    std::vector<Rings> made((list.size() + kFacetBlock - 1) / kFacetBlock);
    parallelFor(made.size(), context_, [&](size_t block) {
      std::vector<Arrow> arrows;
      const auto last = static_cast<uint32_t>(std::min(list.size(), (block + 1) * kFacetBlock));
      for (auto f = static_cast<uint32_t>(block * kFacetBlock); f < last; ++f) {
        list[f].firstTriangle = firsts[f];
        list[f].triangleCount = firsts[f + 1] - firsts[f];
        finish(list[f], f, arrows, made[block]);
      }
    });
    const std::vector<uint32_t> before = gather(made, facets_.outlines, context_);
    parallelFor(made.size(), context_, [&](size_t block) {
      for (size_t f = block * kFacetBlock; f < std::min(list.size(), (block + 1) * kFacetBlock); ++f) {
        list[f].firstRing += before[block];
      }
    });
  }

  // Plane, box, heights and outline: the sides that no triangle of the facet lies beyond.
  void finish(Facet& facet, uint32_t id, std::vector<Arrow>& arrows, Rings& outlines) {
    const Triangle& first = soup_.triangles[facets_.triangles[facet.firstTriangle]];
    facet.plane = planeOf(soup_, first);
    facet.label = first.label;
    facet.low = kMaxCoordinate;
    facet.high = -kMaxCoordinate;
    arrows.clear();
    for (const uint32_t t : facets_.trianglesOf(facet)) {
      Triangle& triangle = soup_.triangles[t];
      triangle.facet = id;
      facet.box = joined(facet.box, triangle.box);
      facet.low = std::min<double>(facet.low, triangle.low);
      facet.high = std::max<double>(facet.high, triangle.high);
      for (uint32_t side = 0; side < 3; ++side) {
        const uint32_t next = facet.triangleCount == 1 ? kNone : neighbours_.of(Kind::kFloor, t, side);
        if (next != kNone && facetOf_[next] == id) continue;
        arrows.push_back(
            {soup_.points[triangle.v[side]].top(), soup_.points[triangle.v[side == 2 ? 0 : side + 1]].top()});
      }
    }
    facet.firstRing = static_cast<uint32_t>(outlines.count());
    if (facet.triangleCount == 1) {
      // Most facets of a terrain. Walks begin at their smallest point.
      const size_t least = static_cast<size_t>(std::min_element(arrows.begin(), arrows.end()) - arrows.begin());
      const std::array<Point, 3> ring{arrows[least].a, arrows[(least + 1) % 3].a, arrows[(least + 2) % 3].a};
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
    for (const uint32_t seed : seeds_.walls) {
      if (facets_.wallOf[seed] != kNone) continue;
      const Triangle& first = soup_.triangles[seed];
      const Point3 origin = soup_.points[first.v[0]];
      facets_.wallOf[seed] = walls;
      queue.assign(1, seed);
      for (size_t i = 0; i < queue.size(); ++i) {
        for (uint32_t side = 0; side < 3; ++side) {
          const uint32_t next = neighbours_.of(Kind::kWall, queue[i], side);
          if (next == kNone || facets_.wallOf[next] != kNone) continue;
          const Point3& p = beyond(soup_, soup_.triangles[queue[i]], side, soup_.triangles[next]);
          const double off = first.normal.x * (double(p.x) - origin.x) + first.normal.y * (double(p.y) - origin.y) +
                             first.normal.z * (double(p.z) - origin.z);
          // The back of a thin wall is another wall.
          const Vec3& normal = soup_.triangles[next].normal;
          const double along = first.normal.x * normal.x + first.normal.y * normal.y + first.normal.z * normal.z;
          if (std::abs(off) > tolerances_.plane || along < 0) continue;
          facets_.wallOf[next] = walls;
          queue.push_back(next);
        }
      }
      ++walls;
    }
  }

  Soup& soup_;
  GoesOn goesOn_;
  const Tolerances& tolerances_;
  const Context& context_;
  const TriangleNeighbours& neighbours_;
  const FacetSeeds& seeds_;
  std::vector<uint32_t> facetOf_;  // of each triangle
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

std::vector<uint8_t> findAlone(const Soup& soup, const TriangleNeighbours& neighbours, const ExtractSettings& settings,
                               const Tolerances& tolerances, const Context& context) {
  const GoesOn goesOn{soup, settings.regions, tolerances.plane};
  std::vector<uint8_t> alone(soup.triangles.size(), 0);
  parallelBlocks(soup.triangles.size(), kTriangleBlock, context, [&](size_t begin, size_t end) {
    for (auto t = static_cast<uint32_t>(begin); t < end; ++t) {
      if (!soup.triangles[t].walkable) continue;
      const Plane plane = planeOf(soup, soup.triangles[t]);
      bool any = false;
      for (uint32_t side = 0; side < 3 && !any; ++side) {
        const uint32_t next = neighbours.of(Kind::kFloor, t, side);
        any = next != kNone && goesOn(plane, t, t, side, next);
      }
      alone[t] = any ? 0 : 1;
    }
  });
  return alone;
}

Facets makeFacets(Soup& soup, const TriangleNeighbours& neighbours, const FacetSeeds& seeds,
                  const ExtractSettings& settings, const Tolerances& tolerances, const Context& context) {
  return FacetMaker(soup, neighbours, seeds, settings, tolerances, context).run();
}

}  // namespace wend::extraction
