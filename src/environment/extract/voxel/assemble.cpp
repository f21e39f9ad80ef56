#include "environment/extract/voxel/assemble.h"

#include <algorithm>
#include <map>
#include <string>

#include <fmt/format.h>

#include "base/parallel.h"
#include "environment/attach_connections.h"
#include "environment/canonical_order.h"
#include "environment/extract/close_connections.h"
#include "environment/extract/voxel/heights.h"
#include "geometry/simplify.h"

namespace wend::voxel {
namespace {

class Assembler {
 public:
  Assembler(const Drawing& drawing, const Scene& scene, const extraction::Facets& facets,
            const ExtractSettings& settings, const Context& context)
      : d_(drawing), scene_(scene), facets_(facets), settings_(settings), context_(context) {}

  Environment run(std::vector<ExtractSpot>& spots) {
    environment_.lattice = settings_.lattice;
    environment_.layers.resize(d_.selection.layers);
    const std::vector<Contour> contours = trace(d_, d_.selection.layers, d_.selection.layer, context_);
    const std::vector<HeightPlan> heights = planHeights(d_, facets_, context_);
    if (context_.cancelled()) return {};
    parallelFor(contours.size(), context_, [&](size_t i) {
      Layer& layer = environment_.layers[i];
      layer.id = static_cast<int32_t>(i);
      layer.free = simple(contours[i]);
      layer.heights = fitHeights(heights[i], layer.free, facets_, d_.measures);
    });
    if (settings_.regions) makeRegions();
    for (uint32_t i = 0; i < contours.size(); ++i) {
      for (const Contour::Stretch& s : contours[i].stretches) {
        if (s.partner != kNone && i < s.partner) environment_.connections.push_back({i, s.partner, {s.a, s.b}});
      }
    }
    Context quiet;
    quiet.threads = context_.threads;
    mergeConnections(environment_, quiet);
    putInCanonicalOrder(environment_);
    closeWrongConnections(environment_, [&](const Connection& c, const std::string& fault) {
      const Vec2 metres = settings_.lattice.toMetres(c.line[0]);
      spots.push_back({{metres.x, metres.y, environment_.layers[c.layerA].heights.at(toVec2(c.line[0]))},
                       fmt::format("the connection between two layers here was dropped: {}", fault),
                       {}});
    });
    return std::move(environment_);
  }

 private:
  // What both layers of a connection have in common stays as it is.
  std::vector<Polygon> simple(const Contour& contour) const {
    std::vector<Point> keep;
    for (const Contour::Stretch& s : contour.stretches) {
      if (s.partner == kNone) continue;
      keep.push_back(s.a);
      keep.push_back(s.b);
    }
    std::vector<Polygon> polygons = contour.polygons;
    partCorners(polygons, keep);
    return simplify(polygons, d_.measures.simplify * d_.measures.pixel, keep);
  }

  // Pixels that touch in a corner only are taken apart there by a quarter of a pixel: nothing passes, and beside a thin
  // wall every corner of the stair would have to stay.
  void partCorners(std::vector<Polygon>& polygons, std::vector<Point> keep) const {
    std::sort(keep.begin(), keep.end());
    std::vector<Point> corners;
    forRings(polygons, [&](const Ring& ring) { corners.insert(corners.end(), ring.begin(), ring.end()); });
    std::sort(corners.begin(), corners.end());
    std::vector<Point> shared;
    for (size_t i = 1; i < corners.size(); ++i) {
      if (corners[i] == corners[i - 1] && !std::binary_search(keep.begin(), keep.end(), corners[i])) {
        shared.push_back(corners[i]);
      }
    }
    if (shared.empty()) return;
    const int32_t quarter = d_.measures.pixel / 4;
    const auto towards = [&](Point from, Point to) {
      const auto sign = [](int32_t x) { return (x > 0 ? 1 : 0) - (x < 0 ? 1 : 0); };
      return Point{from.x + quarter * sign(to.x - from.x), from.y + quarter * sign(to.y - from.y)};
    };
    forRings(polygons, [&](Ring& ring) {
      Ring parted;
      for (size_t i = 0; i < ring.size(); ++i) {
        const Point p = ring[i];
        if (quarter == 0 || !std::binary_search(shared.begin(), shared.end(), p)) {
          parted.push_back(p);
          continue;
        }
        parted.push_back(towards(p, ring[i == 0 ? ring.size() - 1 : i - 1]));
        parted.push_back(towards(p, ring[i + 1 == ring.size() ? 0 : i + 1]));
      }
      ring = std::move(parted);
    });
  }
  template <typename Polygons, typename Body>
  static void forRings(Polygons& polygons, const Body& body) {
    for (auto& polygon : polygons) {
      body(polygon.outer);
      for (auto& hole : polygon.holes) body(hole);
    }
  }

  void makeRegions() {
    std::map<std::string, uint32_t> numbers;  // sorted by name
    std::vector<uint32_t> labelOf(scene_.labels.size(), kNone);
    for (uint32_t i = 0; i < scene_.labels.size(); ++i) {
      if (scene_.labels[i].empty()) continue;
      labelOf[i] = numbers.try_emplace(scene_.labels[i], static_cast<uint32_t>(numbers.size())).first->second;
    }
    if (numbers.empty()) return;
    // Only pairs of layer and label that occur are parts.
    const auto labels = static_cast<uint32_t>(numbers.size());
    std::map<uint64_t, uint32_t> parts;
    std::vector<uint32_t> part(d_.maps.count(), kNone);
    uint64_t key = ~uint64_t{0};
    uint32_t known = kNone;
    for (uint32_t s = 0; s < d_.maps.count(); ++s) {
      const uint32_t label = facets_.list[d_.maps.facet[s]].label;
      if (d_.selection.layer[s] == kNone || label >= labelOf.size() || labelOf[label] == kNone) continue;
      const uint64_t wanted = uint64_t{d_.selection.layer[s]} * labels + labelOf[label];
      if (wanted != key) known = parts.try_emplace(wanted, static_cast<uint32_t>(parts.size())).first->second;
      key = wanted;
      part[s] = known;
    }
    const auto contours = trace(d_, static_cast<uint32_t>(parts.size()), part, context_);
    for (const auto& [name, number] : numbers) {
      for (uint32_t layer = 0; layer < d_.selection.layers; ++layer) {
        const auto it = parts.find(uint64_t{layer} * labels + number);
        if (it == parts.end()) continue;
        environment_.layers[layer].regions.push_back({name, simple(contours[it->second])});
      }
    }
  }

  const Drawing& d_;
  const Scene& scene_;
  const extraction::Facets& facets_;
  const ExtractSettings& settings_;
  const Context& context_;
  Environment environment_;
};

}  // namespace

Result<Environment> assemble(const Drawing& drawing, const Scene& scene, const extraction::Facets& facets,
                             const ExtractSettings& settings, std::vector<ExtractSpot>& spots, const Context& context) {
  return Assembler(drawing, scene, facets, settings, context).run(spots);
}

}  // namespace wend::voxel
