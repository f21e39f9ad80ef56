#include "environment/extract/exact/drawing/lost_passages.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/disjoint_sets.h"
#include "environment/boundary.h"
#include "environment/heights.h"

namespace wend::exact {
namespace {

class PassageFinder {
 public:
  PassageFinder(const Environment& environment, const Soup& soup, const Facets& facets, const Patches& patches,
                const Edges& edges, const Links& links, const Selection& selection,
                const PatchTriangles& patchTriangles)
      : environment_(environment),
        soup_(soup),
        facets_(facets),
        patches_(patches),
        edges_(edges),
        links_(links),
        selection_(selection),
        patchTriangles_(patchTriangles) {}

  std::vector<ExtractSpot> run() {
    joinPolygons();
    locatePatches();
    struct Pair {
      double length;
      uint32_t e, g;
    };
    std::vector<Pair> pairs;
    const auto add = [&](uint32_t e, uint32_t g, double length) {
      if (parts_.find(placeOf(e)) != parts_.find(placeOf(g))) pairs.push_back({length, e, g});
    };
    for (uint32_t e = 0; e < links_.match.size(); ++e) {
      if (links_.match[e] == kNone || e > links_.match[e]) continue;
      const Point p = patches_.rings.points[e];
      const Point q = patches_.rings.points[edges_.next[e]];
      add(e, links_.match[e], std::hypot(double(q.x) - p.x, double(q.y) - p.y));
    }
    for (const Link& link : links_.list) add(link.e, link.g, link.length);
    std::sort(pairs.begin(), pairs.end(), [](const Pair& p, const Pair& q) {
      return std::tuple(-p.length, p.e, p.g) < std::tuple(-q.length, q.e, q.g);
    });
    std::vector<ExtractSpot> spots;
    for (const Pair& pair : pairs) {
      const uint32_t a = parts_.find(placeOf(pair.e));
      const uint32_t b = parts_.find(placeOf(pair.g));
      if (!parts_.join(a, b)) continue;
      // A patch that was too narrow to be drawn may lead nowhere.
      if (a < polygons_ && b < polygons_) spots.push_back(spotAt(pair.e, pair.g));
    }
    addCutOff(spots);
    return spots;
  }

 private:
  void joinPolygons() {
    const Boundary boundary(environment_.layers, environment_.connections);
    polygons_ = boundary.polygonCount();
    parts_ = DisjointSets(polygons_ + patches_.count());
    const std::vector<uint32_t> twin = glue(boundary, environment_.connections);
    for (uint32_t e = 0; e < boundary.edgeCount(); ++e) {
      if (twin[e] == kNone) continue;
      parts_.join(boundary.ring(e).polygon, boundary.ring(twin[e]).polygon);
    }
    for (const Boundary::Ring& ring : boundary.rings()) {
      if (ring.hole == 0) places_.push_back({ring.layer, ring.polygon, ring.place});
    }
  }

  // The polygon that the middle of each patch's largest triangle lies in.
  void locatePatches() {
    std::vector<HeightLookup> heights;
    for (const Layer& layer : environment_.layers) heights.emplace_back(layer.heights);
    std::vector<Box> boxes;
    for (const Place& p : places_) boxes.push_back(boundingBox(environment_.layers[p.layer].free[p.place].outer));
    const GridIndex grid(boxes);
    polygonOf_.assign(patches_.count(), kNone);
    for (uint32_t patch = 0; patch < patches_.count(); ++patch) {
      if (selection_.component[patch] == kNone) continue;
      Point middle;
      double largest = 0;
      for (const auto& t : patchTriangles_.of(patch)) {
        const double area = doubledAreaOf(t);
        if (area <= largest) continue;
        largest = area;
        middle = {static_cast<int32_t>((int64_t{t[0].x} + t[1].x + t[2].x) / 3),
                  static_cast<int32_t>((int64_t{t[0].y} + t[1].y + t[2].y) / 3)};
      }
      if (largest == 0) continue;
      const double z = facets_.list[patches_.facet[patch]].plane.at(middle) * environment_.lattice.unit;
      // Another floor is at least the head room away; the floor itself within rounding.
      double nearest = 0.01;
      for (const uint32_t i : grid.at(middle)) {
        const Place& p = places_[i];
        const double off = std::abs(heights[p.layer].at(toVec2(middle)) - z);
        if (off >= nearest || locate(environment_.layers[p.layer].free[p.place], middle) == Side::kOutside) continue;
        nearest = off;
        polygonOf_[patch] = p.polygon;
      }
    }
  }

  // In the sets of parts.
  uint32_t placeOf(uint32_t edge) const {
    const uint32_t patch = edges_.patch[edge];
    return polygonOf_[patch] != kNone ? polygonOf_[patch] : static_cast<uint32_t>(polygons_) + patch;
  }

  // Polygons that no patch has its middle in: a neck of some patch was closed.
  void addCutOff(std::vector<ExtractSpot>& spots) {
    std::vector<uint8_t> known(parts_.size(), 0);
    for (const uint32_t polygon : polygonOf_) {
      if (polygon != kNone) known[parts_.find(polygon)] = 1;
    }
    for (const Place& p : places_) {
      uint8_t& seen = known[parts_.find(p.polygon)];
      if (seen != 0) continue;
      seen = 1;
      const Polygon& polygon = environment_.layers[p.layer].free[p.place];
      const Point at = polygon.outer[0];
      const Vec2 metres = environment_.lattice.toMetres(at);
      ExtractSpot spot;
      spot.place = {metres.x, metres.y, environment_.layers[p.layer].heights.at(toVec2(at))};
      spot.reason = "a part of the floor here hangs on a neck that was closed: it is too narrow";
      for (uint32_t patch = 0; patch < patches_.count() && spot.triangles.size() < ExtractSpot::kMaxBlamed; ++patch) {
        const Facet& facet = facets_.list[patches_.facet[patch]];
        if (selection_.component[patch] == kNone || at.x < facet.box.min.x - 2 || at.x > facet.box.max.x + 2 ||
            at.y < facet.box.min.y - 2 || at.y > facet.box.max.y + 2 ||
            std::abs(facet.plane.at(at) * environment_.lattice.unit - spot.place.z) > 0.01) {
          continue;
        }
        spot.blame(soup_.triangles[facets_.triangles[facet.firstTriangle]].source);
      }
      spots.push_back(std::move(spot));
    }
  }

  ExtractSpot spotAt(uint32_t e, uint32_t g) const {
    const Point p = patches_.rings.points[e];
    const Vec2 metres = environment_.lattice.toMetres(p);
    ExtractSpot spot;
    spot.place = {metres.x, metres.y, edges_.z[e] * environment_.lattice.unit};
    spot.reason = "the passage between two floors here was lost when the layers were drawn: it is too narrow";
    for (const uint32_t edge : {e, g}) {
      const Facet& facet = facets_.list[patches_.facet[edges_.patch[edge]]];
      spot.blame(soup_.triangles[facets_.triangles[facet.firstTriangle]].source);
    }
    return spot;
  }

  struct Place {
    uint32_t layer;
    uint32_t polygon;  // counted over all layers
    uint32_t place;    // in its layer
  };
  const Environment& environment_;
  const Soup& soup_;
  const Facets& facets_;
  const Patches& patches_;
  const Edges& edges_;
  const Links& links_;
  const Selection& selection_;
  const PatchTriangles& patchTriangles_;
  size_t polygons_ = 0;
  DisjointSets parts_;  // of polygons, and after them of patches that are not drawn
  std::vector<Place> places_;
  std::vector<uint32_t> polygonOf_;  // of each patch
};

}  // namespace

std::vector<ExtractSpot> findLostPassages(const Environment& environment, const Soup& soup, const Facets& facets,
                                          const Patches& patches, const Edges& edges, const Links& links,
                                          const Selection& selection, const PatchTriangles& patchTriangles) {
  return PassageFinder(environment, soup, facets, patches, edges, links, selection, patchTriangles).run();
}

}  // namespace wend::exact
