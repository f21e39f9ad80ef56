#include "environment/edit/boundary_change.h"

#include <algorithm>
#include <utility>

#include "geometry/area.h"
#include "geometry/int128.h"

namespace wend {
namespace {

using Clusters = std::vector<std::shared_ptr<const CutCluster>>;

std::span<const Point> baseRing(const LiveBase& base, uint32_t ring) {
  const Boundary::Ring& r = base.boundary().rings()[ring];
  const Polygon& polygon = base.environment().layers[r.layer].free[r.place];
  return r.hole == 0 ? polygon.outer : polygon.holes[r.hole - 1];
}

template <typename Visit>
void forEachLoop(const CutCluster& cluster, Visit&& visit) {
  for (const CutGroup& group : cluster.groups) {
    if (group.polygons.empty()) continue;  // outside of all that is free
    for (const Ring& ring : group.outers) visit(group.layer, ring);
    for (const Ring& ring : group.holes) visit(group.layer, ring);
  }
}

std::unordered_set<uint32_t> cutRings(const Clusters& clusters) {
  std::unordered_set<uint32_t> rings;
  for (const auto& cluster : clusters) rings.insert(cluster->rings.begin(), cluster->rings.end());
  return rings;
}

}  // namespace

std::vector<std::shared_ptr<const CutCluster>> clustersOnlyIn(const CutClusters& all, const CutClusters& others) {
  std::unordered_set<const CutCluster*> known;
  for (const auto& cluster : others.all) known.insert(cluster.get());
  Clusters left;
  for (const auto& cluster : all.all) {
    if (!known.contains(cluster.get())) left.push_back(cluster);
  }
  return left;
}

BoundaryChange changeBetween(const LiveBase& base, const CutClusters& before, const CutClusters& after) {
  const Clusters gone = clustersOnlyIn(before, after);
  const Clusters made = clustersOnlyIn(after, before);
  const std::unordered_set<uint32_t> cutBefore = cutRings(gone);
  const std::unordered_set<uint32_t> cutNow = cutRings(made);
  BoundaryChange change;
  const auto addBase = [&](uint32_t ring, std::vector<BoundaryChange::LayerRing>& to) {
    to.push_back({base.boundary().rings()[ring].layer, baseRing(base, ring)});
  };
  for (const uint32_t ring : cutNow) {
    if (!cutBefore.contains(ring)) addBase(ring, change.gone);
  }
  for (const uint32_t ring : cutBefore) {
    if (!cutNow.contains(ring)) addBase(ring, change.added);
  }
  for (const auto& cluster : gone) {
    forEachLoop(*cluster, [&](uint32_t layer, const Ring& ring) { change.gone.push_back({layer, ring}); });
  }
  for (const auto& cluster : made) {
    forEachLoop(*cluster, [&](uint32_t layer, const Ring& ring) { change.added.push_back({layer, ring}); });
  }
  return change;
}

std::optional<Topology> topologyAfter(const Topology& before, const Environment& after, const BoundaryChange& change,
                                      bool hasHolesOnly) {
  if (!hasHolesOnly && !after.connections.empty()) return std::nullopt;
  Int128 area = toInt128(before.doubledArea);
  for (const auto& [layer, ring] : change.added) area += doubledArea(ring);
  for (const auto& [layer, ring] : change.gone) area -= doubledArea(ring);
  Topology now;
  now.doubledArea = toDoubledArea(area);
  if (hasHolesOnly) {
    now.components = before.components;
    now.genus = before.genus;
    now.boundaries = before.boundaries + static_cast<uint32_t>(change.added.size() - change.gone.size());
    return now;
  }
  for (const Layer& layer : after.layers) {
    now.components += static_cast<uint32_t>(layer.free.size());
    for (const Polygon& polygon : layer.free) now.boundaries += 1 + static_cast<uint32_t>(polygon.holes.size());
  }
  // A version before with connections would have joined some of them.
  if (before.boundaries + change.added.size() != now.boundaries + change.gone.size()) return std::nullopt;
  return now;
}

VersionBoundary::VersionBoundary(std::shared_ptr<const LiveBase> base, const CutClusters& clusters)
    : base_(std::move(base)), clusters_(clusters), cut_(cutRings(clusters.all)) {
  cutsConnections_ = std::any_of(cut_.begin(), cut_.end(), [&](uint32_t ring) { return base_->isConnected(ring); });
  for (const auto& cluster : clusters_.all) {
    forEachLoop(*cluster, [&](uint32_t layer, const Ring& ring) {
      loops_.push_back({layer, ring, boundingBox(std::span<const Point>(ring))});
    });
  }
}

std::span<const Point> VersionBoundary::ringAt(uint32_t edge) const {
  return baseRing(*base_, base_->ringOf(edge));
}

}  // namespace wend
