#include "environment/extract/exact/drawing/assemble.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "base/parallel.h"
#include "environment/attach_connections.h"
#include "environment/boundary.h"
#include "environment/canonical_order.h"
#include "environment/extract/close_connections.h"
#include "environment/extract/exact/drawing/simplify_borders.h"
#include "environment/extract/exact/drawing/straighten.h"
#include "environment/extract/exact/free_space/necks.h"
#include "environment/extract/polygons/triangulate_rings.h"
#include "environment/extract/polygons/untangle.h"
#include "geometry/overlay.h"
#include "geometry/polygon_check.h"

namespace wend::exact {
namespace {

// Walks into polygons; overlay() mends what rounding made invalid.
Result<std::vector<Polygon>> validPolygons(const Rings& rings, SidesMeet meet) {
  std::vector<Polygon> polygons = polygonsOf(rings);
  if (findPolygonFaults(polygons, 1, meet).empty()) return polygons;
  Shape shape;
  for (size_t i = 0; i < rings.count(); ++i) shape.loops.emplace_back(rings.ring(i).begin(), rings.ring(i).end());
  return overlay(std::span(&shape, 1), [](uint32_t groups) { return groups != 0; });
}

class Assembler {
 public:
  Assembler(const Assembly& from, const ExtractSettings& settings, const Tolerances& tolerances,
            std::vector<ExtractSpot>& spots, const Context& context)
      : from_(from), settings_(settings), tol_(tolerances), spots_(spots), context_(context) {}

  Result<Environment> run() {
    environment_.lattice = settings_.lattice;
    environment_.layers.resize(from_.plan.count);
    groupByLayer();
    std::vector<Status> status(from_.plan.count, Done{});
    // Heights and polygons of each layer. The two halves of the list go to different threads first.
    const size_t n = from_.plan.count;
    parallelFor(2 * n, context_, [&](size_t i) {
      if (i < n) {
        makeHeights(static_cast<uint32_t>(i));
      } else {
        status[i - n] = makeLayer(static_cast<uint32_t>(i - n));
      }
    });
    for (const Status& s : status) {
      if (!s.ok()) return s.error();
    }
    makeConnections();
    dropEmptyLayers();
    Context quiet;
    quiet.threads = context_.threads;
    mergeConnections(environment_, quiet);
    dropShortConnections();
    straighten(environment_, quiet);
    simplifyBorders(environment_, settings_.simplify / settings_.lattice.unit, quiet);
    putInOrder();
    closeWrongConnections(environment_, [&](const Connection& c, const std::string& fault) {
      spot(c, fmt::format("the connection between two layers here was dropped: {}", fault));
    });
    return std::move(environment_);
  }

 private:
  void groupByLayer() {
    const uint32_t n = from_.plan.count;
    arrows_.resize(n);
    patchesOf_.resize(n);
    openPoints_.resize(n);
    for (const BorderSegment& s : from_.separation.borders) arrows_[s.layer].push_back({s.a, s.b});
    for (uint32_t p = 0; p < from_.patches.count(); ++p) {
      if (from_.plan.layer[p] != kNone) patchesOf_[from_.plan.layer[p]].push_back(p);
    }
    for (const auto& [i, j] : from_.separation.openings) {
      for (const uint32_t k : {i, j}) {
        const BorderSegment& s = from_.separation.borders[k];
        openPoints_[s.layer].push_back(s.a);
        openPoints_[s.layer].push_back(s.b);
      }
    }
  }

  // Heights are in the order of their first use already.
  void putInOrder() {
    std::vector<HeightField> heights;
    for (Layer& layer : environment_.layers) heights.push_back(std::move(layer.heights));
    for (Layer& layer : environment_.layers) layer.heights = {};
    putInCanonicalOrder(environment_);
    for (size_t i = 0; i < heights.size(); ++i) environment_.layers[i].heights = std::move(heights[i]);
  }

  Status makeLayer(uint32_t index) {
    Layer& layer = environment_.layers[index];
    layer.id = static_cast<int32_t>(index);
    Rings rings;
    chainRings(arrows_[index], rings);
    SidesMeet meet = untangle(rings) ? SidesMeet::kInEnds : SidesMeet::kAnywhere;
    Rings kept = withoutScraps(rings);
    std::vector<Convex> plugs;
    findPlugs(kept, tol_, plugs);
    std::erase_if(plugs, [&](const Convex& plug) { return nearOpening(index, plug); });
    if (!plugs.empty()) {
      Rings cut;
      Cutter cutter;
      if (cutter.cut(kept, plugs, CutPart::kOutside, cut).ok()) kept = withoutScraps(cut);
      meet = SidesMeet::kAnywhere;
    }
    auto polygons = validPolygons(kept, meet);
    if (!polygons.ok()) return polygons.error();
    layer.free = std::move(polygons).value();
    std::erase_if(layer.free, [&](const Polygon& polygon) {
      return isSliver(polygon, tol_.sliver) ||
             ((isSliver(polygon, tol_.isolated) || isScrap(polygon)) && !isOpen(index, polygon));
    });
    if (settings_.regions) return makeRegions(index);
    return Done{};
  }

  bool nearOpening(uint32_t layer, const Convex& plug) const {
    const double reach = 3 * tol_.wall;
    return std::any_of(openPoints_[layer].begin(), openPoints_[layer].end(), [&](Point p) {
      return std::abs(double(p.x) - plug.p[0].x) < reach && std::abs(double(p.y) - plug.p[0].y) < reach;
    });
  }

  static bool isSliver(const Polygon& polygon, double width) {
    double area = doubledAreaOf(polygon.outer);
    double around = lengthAround(polygon.outer);
    for (const Ring& hole : polygon.holes) {
      area += doubledAreaOf(hole);
      around += lengthAround(hole);
    }
    return area < width * around;
  }

  // Smaller than anything that could stand there.
  bool isScrap(const Polygon& polygon) const { return doubledAreaOf(polygon.outer) < 2 * tol_.passage * tol_.passage; }

  // Whether it leads to another layer.
  bool isOpen(uint32_t layer, const Polygon& polygon) const {
    return std::any_of(openPoints_[layer].begin(), openPoints_[layer].end(), [&](Point p) {
      return std::find(polygon.outer.begin(), polygon.outer.end(), p) != polygon.outer.end();
    });
  }

  // Holes that are cracks of rounding, or smaller than anything that could stand there, are filled.
  Rings withoutScraps(const Rings& rings) const {
    Rings kept;
    for (size_t i = 0; i < rings.count(); ++i) {
      const std::span<const Point> ring = rings.ring(i);
      const double area = doubledAreaOf(ring);
      const double around = lengthAround(ring);
      const bool crack = std::abs(area) < tol_.sliver * around;
      if (area <= 0 ? crack || around < 2 * tol_.passage : crack) continue;
      kept.add(ring);
    }
    return kept;
  }

  void makeHeights(uint32_t index) {
    size_t expected = 0;
    for (const uint32_t p : patchesOf_[index]) expected += from_.patchTriangles.of(p).size();
    HeightFieldBuilder builder(from_.heights, expected, tol_, environment_.layers[index].heights);
    for (const uint32_t p : patchesOf_[index]) {
      if (from_.separation.marked[p] == 0)
        builder.addPatchTriangles(from_.patchTriangles.begin[p], from_.patchTriangles.begin[p + 1]);
    }
    for (const Trimmed& part : from_.separation.parts) {
      if (part.layer != index) continue;
      for (const auto& triangle : triangulateRings(part.rings)) builder.add(triangle, planeOfPatch(part.patch));
    }
    for (const CrackFilling& filling : from_.borders.fillings()) {
      if (filling.layer != index) continue;
      for (uint32_t i = 1; i + 1 < filling.count; ++i) {
        builder.add({filling.p[0], filling.p[i], filling.p[i + 1]},
                    std::array<double, 3>{filling.z[0], filling.z[i], filling.z[i + 1]});
      }
    }
    builder.finish();
  }
  const Plane& planeOfPatch(uint32_t patch) const { return from_.facets.list[from_.patches.facet[patch]].plane; }

  Status makeRegions(uint32_t index) {
    std::map<std::string, std::vector<Arrow>> byLabel;
    for (const uint32_t p : patchesOf_[index]) {
      const uint32_t label = from_.facets.list[from_.patches.facet[p]].label;
      if (label >= from_.scene.labels.size() || from_.scene.labels[label].empty()) continue;
      std::vector<BorderSegment> borders;
      from_.borders.of(p, borders);
      std::vector<Arrow>& arrows = byLabel[from_.scene.labels[label]];
      for (const BorderSegment& s : borders) arrows.push_back({s.a, s.b});
    }
    for (auto& [label, arrows] : byLabel) {
      cancelOpposite(arrows);
      Rings rings;
      chainRings(arrows, rings);
      const SidesMeet meet = untangle(rings) ? SidesMeet::kInEnds : SidesMeet::kAnywhere;
      auto area = validPolygons(withoutScraps(rings), meet);
      if (!area.ok()) return area.error();
      if (!area->empty()) environment_.layers[index].regions.push_back({label, std::move(area).value()});
    }
    return Done{};
  }

  void makeConnections() {
    for (const auto& [i, j] : from_.separation.openings) {
      const BorderSegment& s = from_.separation.borders[i];
      const BorderSegment& t = from_.separation.borders[j];
      const BorderSegment& first = s.layer < t.layer ? s : t;
      environment_.connections.push_back({first.layer, std::max(s.layer, t.layer), {first.a, first.b}});
    }
    // Mending a layer may have moved an end by a unit, or dropped it with a scrap.
    const Boundary boundary(environment_.layers, environment_.connections);
    std::set<std::tuple<uint32_t, uint32_t, Point, Point>> seen;
    std::erase_if(environment_.connections, [&](const Connection& c) {
      const bool there = boundary.find(c.layerA, c.line[0], c.line[1]) != kNone &&
                         boundary.find(c.layerB, c.line[1], c.line[0]) != kNone &&
                         seen.insert({c.layerA, c.layerB, c.line[0], c.line[1]}).second;
      if (!there && lengthOf(c) >= 2 * tol_.passage) {
        spot(c, "the connection between two layers here was dropped: rounding took their borders apart");
      }
      return !there;
    });
    closeJags(boundary);
  }

  // A line that both borders follow goes on over jags where the ends of two links fell apart.
  void closeJags(const Boundary& boundary) {
    using End = std::tuple<uint32_t, uint32_t, Point>;
    std::set<End> starts;
    for (const Connection& c : environment_.connections) starts.insert({c.layerA, c.layerB, c.line[0]});
    const size_t n = environment_.connections.size();
    for (size_t i = 0; i < n; ++i) {
      const Connection& c = environment_.connections[i];
      const Point a = c.line[1];
      if (starts.contains({c.layerA, c.layerB, a})) continue;
      const uint32_t next = boundary.next(boundary.find(c.layerA, c.line[0], a));
      const Connection jag{c.layerA, c.layerB, {a, boundary.end(next)}};
      if (lengthOf(jag) < tol_.jag && starts.contains({c.layerA, c.layerB, jag.line[1]}) &&
          boundary.find(c.layerB, jag.line[1], a) != kNone) {
        environment_.connections.push_back(jag);
      }
    }
  }

  double lengthOf(const Connection& c) const {
    double sum = 0;
    for (size_t i = 0; i + 1 < c.line.size(); ++i) {
      sum += std::hypot(double(c.line[i + 1].x) - c.line[i].x, double(c.line[i + 1].y) - c.line[i].y);
    }
    return sum;
  }

  void spot(const Connection& c, const std::string& reason) {
    const Point p = c.line[0];
    const Vec2 metres = settings_.lattice.toMetres(p);
    ExtractSpot found;
    found.place = {metres.x, metres.y, environment_.layers[c.layerA].heights.at(toVec2(p))};
    found.reason = reason;
    for (const uint32_t layer : {c.layerA, c.layerB}) {
      for (const uint32_t patch : patchesOf_[layer]) {
        const Facet& facet = from_.facets.list[from_.patches.facet[patch]];
        if (p.x < facet.box.min.x - 2 || p.x > facet.box.max.x + 2 || p.y < facet.box.min.y - 2 ||
            p.y > facet.box.max.y + 2) {
          continue;
        }
        found.blame(from_.soup.triangles[from_.facets.triangles[facet.firstTriangle]].source);
      }
    }
    spots_.push_back(std::move(found));
  }

  void dropEmptyLayers() {
    std::vector<uint32_t> number(environment_.layers.size());
    std::vector<Layer> layers;
    std::vector<std::vector<uint32_t>> patches;
    for (size_t i = 0; i < environment_.layers.size(); ++i) {
      number[i] = static_cast<uint32_t>(layers.size());
      if (environment_.layers[i].free.empty()) continue;
      layers.push_back(std::move(environment_.layers[i]));
      layers.back().id = static_cast<int32_t>(number[i]);
      patches.push_back(std::move(patchesOf_[i]));
    }
    environment_.layers = std::move(layers);
    patchesOf_ = std::move(patches);
    for (Connection& c : environment_.connections) {
      c.layerA = number[c.layerA];
      c.layerB = number[c.layerB];
    }
  }

  void dropShortConnections() {
    std::erase_if(environment_.connections, [&](const Connection& c) { return lengthOf(c) < 2 * tol_.passage; });
  }

  const Assembly& from_;
  const ExtractSettings& settings_;
  const Tolerances& tol_;
  std::vector<ExtractSpot>& spots_;
  const Context& context_;
  Environment environment_;
  std::vector<std::vector<Arrow>> arrows_;  // of each layer
  std::vector<std::vector<uint32_t>> patchesOf_;
  std::vector<std::vector<Point>> openPoints_;
};

}  // namespace

Result<Environment> assemble(const Assembly& from, const ExtractSettings& settings, const Tolerances& tolerances,
                             std::vector<ExtractSpot>& spots, const Context& context) {
  return Assembler(from, settings, tolerances, spots, context).run();
}

}  // namespace wend::exact
