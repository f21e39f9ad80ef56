#include <algorithm>
#include <cmath>
#include <limits>

#include <wend/game/terrain.h>

#include <fmt/format.h>

#include "geometry/index/box_tree.h"

namespace wend {
namespace {

Error badTerrain(std::string sentence) {
  return {ErrorCode::kInvalidSettings, std::move(sentence)};
}

// The labelled polygons of a layer that cover a place.
class LabelIndex {
 public:
  explicit LabelIndex(const Layer& layer) : layer_(layer) {
    std::vector<BoxTree::Extent> extents;
    for (uint32_t r = 0; r < layer.regions.size(); ++r) {
      for (uint32_t p = 0; p < layer.regions[r].area.size(); ++p) {
        parts_.push_back({r, p});
        extents.push_back({boundingBox(std::span<const Polygon>(&layer.regions[r].area[p], 1))});
      }
    }
    tree_ = BoxTree(extents);
  }

  template <typename Visit>
  void at(Point place, const Visit& visit) const {
    tree_.forEach(Box{place, place}, [&](uint32_t i) {
      const Region& region = layer_.regions[parts_[i].first];
      const Polygon& polygon = region.area[parts_[i].second];
      if (locate(std::span<const Polygon>(&polygon, 1), place) != Side::kOutside) visit(region.label);
    });
  }

 private:
  const Layer& layer_;
  std::vector<std::pair<uint32_t, uint32_t>> parts_;
  BoxTree tree_;
};

// The mean of the corners of a convex cell, rounded.
Point middleOf(const NavMesh& mesh, CellId cell) {
  Vec2 sum;
  for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell); ++s) {
    const Vec2 p = mesh.vertex(mesh.startVertex(s));
    sum = {sum.x + p.x, sum.y + p.y};
  }
  const double count = mesh.sideCount(cell);
  return {static_cast<int32_t>(std::lround(sum.x / count)), static_cast<int32_t>(std::lround(sum.y / count))};
}

}  // namespace

TerrainMap::TerrainMap(NavMesh mesh, std::vector<TraversalMethod> methods)
    : mesh_(std::move(mesh)), methods_(std::move(methods)), masks_(mesh_.cellCount(), 0) {}

Result<TerrainMap> TerrainMap::of(const NavMesh& mesh, const Environment& environment,
                                  std::vector<TraversalMethod> methods) {
  if (methods.empty() || methods.size() > 32) return badTerrain("Terrain needs 1 to 32 traversal methods.");
  for (size_t i = 0; i < methods.size(); ++i) {
    if (methods[i].name.empty() || methods[i].labels.empty()) {
      return badTerrain("A traversal method needs a name and a label.");
    }
    for (size_t j = 0; j < i; ++j) {
      if (methods[j].name == methods[i].name) {
        return badTerrain(fmt::format("There are two traversal methods '{}'.", methods[i].name));
      }
    }
  }
  if (mesh.layerCount() != environment.layers.size()) {
    return badTerrain("The mesh was made from an environment with other layers.");
  }
  TerrainMap map(mesh, std::move(methods));
  std::vector<LabelIndex> labels;
  labels.reserve(environment.layers.size());
  for (const Layer& layer : environment.layers) labels.emplace_back(layer);
  const auto maskOf = [&](const std::string& label) {
    uint32_t mask = 0;
    for (size_t i = 0; i < map.methods_.size(); ++i) {
      const auto& list = map.methods_[i].labels;
      if (std::find(list.begin(), list.end(), label) != list.end()) mask |= 1U << i;
    }
    return mask;
  };
  const uint32_t plain = maskOf("");
  for (CellId cell = 0; cell < mesh.cellCount(); ++cell) {
    bool isLabelled = false;
    uint32_t mask = 0;
    labels[mesh.layerOf(cell)].at(middleOf(mesh, cell), [&](const std::string& label) {
      isLabelled = true;
      mask |= maskOf(label);
    });
    map.masks_[cell] = isLabelled ? mask : plain;
  }
  return map;
}

bool TerrainMap::isBoundary(SideId portal) const {
  return !mesh_.isWall(portal) && masks_[mesh_.cellOf(portal)] != masks_[mesh_.neighbour(portal)];
}

Result<uint32_t> TerrainMap::bitOf(const std::string& method) const {
  for (size_t i = 0; i < methods_.size(); ++i) {
    if (methods_[i].name == method) return 1U << i;
  }
  return badTerrain(fmt::format("There is no traversal method '{}'.", method));
}

Result<GraphCosts> TerrainMap::costsOf(const Traversal& traversal) const {
  constexpr double kClosed = std::numeric_limits<double>::infinity();
  GraphCosts costs;
  costs.cellCosts.assign(mesh_.cellCount(), kClosed);
  uint32_t own = 0;
  for (const Traversal::Use& use : traversal.methods) {
    const Result<uint32_t> bit = bitOf(use.method);
    if (!bit.ok()) return bit.error();
    if (!(use.cost > 0)) return badTerrain("The cost of a traversal method must be above 0.");
    own |= *bit;
    for (CellId cell = 0; cell < mesh_.cellCount(); ++cell) {
      if ((masks_[cell] & *bit) != 0) costs.cellCosts[cell] = std::min(costs.cellCosts[cell], use.cost);
    }
  }
  struct Crossing {
    uint32_t from;
    uint32_t to;
    double cost;
  };
  std::vector<Crossing> crossings;
  for (const TraverseType& type : traversal.crossings) {
    const Result<uint32_t> from = bitOf(type.from);
    const Result<uint32_t> to = bitOf(type.to);
    if (!from.ok()) return from.error();
    if (!to.ok()) return to.error();
    if (!(type.cost >= 0)) return badTerrain("The cost of a traverse type must be at least 0 m.");
    crossings.push_back({*from, *to, type.cost});
    if (type.bothWays) crossings.push_back({*to, *from, type.cost});
  }
  costs.portalCosts.assign(mesh_.sideCount(), 0);
  for (SideId s = 0; s < mesh_.sideCount(); ++s) {
    if (!isBoundary(s)) continue;
    const uint32_t here = masks_[mesh_.cellOf(s)] & own;
    const uint32_t there = masks_[mesh_.neighbour(s)] & own;
    if ((here & there) != 0) continue;
    double cost = kClosed;
    for (const Crossing& crossing : crossings) {
      if ((here & crossing.from) != 0 && (there & crossing.to) != 0) cost = std::min(cost, crossing.cost);
    }
    costs.portalCosts[s] = cost;
  }
  return costs;
}

}  // namespace wend
