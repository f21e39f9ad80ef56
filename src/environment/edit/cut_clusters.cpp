#include "environment/edit/cut_clusters.h"

#include <algorithm>
#include <unordered_set>

#include "base/disjoint_sets.h"
#include "environment/edit/hot_pixels.h"

namespace wend {
namespace {

using Clusters = std::vector<std::shared_ptr<const CutCluster>>;

// Cuts a set of footprints that nothing else concerns.
Result<Clusters> cutTogether(const LiveBase& base, const std::vector<SharedFootprint>& members,
                             const Context& context) {
  std::vector<Footprint> footprints;
  footprints.reserve(members.size());
  for (const SharedFootprint& member : members) footprints.push_back(*member);
  RoutedSources routed = routeSources(base, footprints);
  Result<std::vector<CutGroup>> groups = cutRings(base, footprints, routed, context);
  if (!groups.ok()) return groups.error();

  // A wall on a connection bends in both layers.
  std::unordered_map<uint32_t, uint32_t> groupOfRing;
  for (uint32_t g = 0; g < groups->size(); ++g) {
    for (const uint32_t ring : (*groups)[g].rings) groupOfRing[ring] = g;
  }
  DisjointSets sets(groups->size());
  for (const auto& [wall, stops] : routed.walls) {
    const uint32_t twin = base.twin(wall);
    if (twin != kNone) sets.join(groupOfRing.at(base.ringOf(wall)), groupOfRing.at(base.ringOf(twin)));
  }
  std::vector<std::shared_ptr<CutCluster>> made(groups->size());
  for (uint32_t g = 0; g < groups->size(); ++g) {
    std::shared_ptr<CutCluster>& cluster = made[sets.find(g)];
    if (!cluster) cluster = std::make_shared<CutCluster>();
    CutGroup& group = (*groups)[g];
    for (const uint32_t f : group.footprints) {
      cluster->members.push_back(members[f]);
      cluster->boxes.emplace_back(footprints[f].layer, boundingBox(footprints[f]));
    }
    cluster->rings.insert(cluster->rings.end(), group.rings.begin(), group.rings.end());
    cluster->groups.push_back(std::move(group));
  }
  for (auto& [wall, stops] : routed.walls) {
    made[sets.find(groupOfRing.at(base.ringOf(wall)))]->walls.emplace(wall, std::move(stops));
  }
  Clusters result;
  for (std::shared_ptr<CutCluster>& cluster : made) {
    if (!cluster) continue;
    std::sort(cluster->rings.begin(), cluster->rings.end());
    result.push_back(std::move(cluster));
  }
  return result;
}

bool concern(const CutCluster& a, const CutCluster& b) {
  for (const uint32_t ring : a.rings) {
    if (std::binary_search(b.rings.begin(), b.rings.end(), ring)) return true;
  }
  for (const auto& [layer, box] : a.boxes) {
    for (const auto& [otherLayer, other] : b.boxes) {
      if (layer == otherLayer && overlap(box, other)) return true;
    }
  }
  return false;
}

}  // namespace

Result<CutClusters> cutClusters(const LiveBase& base, std::span<const SharedFootprint> footprints,
                                const CutClusters& before, const Context& context) {
  // Clusters whose members are all still there may stay; what is in none of them is cut.
  std::unordered_set<const Footprint*> present;
  for (const SharedFootprint& footprint : footprints) present.insert(footprint.get());
  Clusters kept;
  std::unordered_set<const Footprint*> known;
  for (const std::shared_ptr<const CutCluster>& cluster : before.all) {
    const bool whole = std::all_of(cluster->members.begin(), cluster->members.end(),
                                   [&](const SharedFootprint& member) { return present.contains(member.get()); });
    if (!whole) continue;
    kept.push_back(cluster);
    for (const SharedFootprint& member : cluster->members) known.insert(member.get());
  }
  std::vector<SharedFootprint> loose;
  for (const SharedFootprint& footprint : footprints) {
    if (!footprint->loops.empty() && !known.contains(footprint.get())) loose.push_back(footprint);
  }
  for (;;) {
    Result<Clusters> made = loose.empty() ? Result<Clusters>(Clusters()) : cutTogether(base, loose, context);
    if (!made.ok()) return made.error();
    // A kept cluster that one of the new ones meets is cut again, together with them.
    Clusters apart;
    for (const std::shared_ptr<const CutCluster>& cluster : kept) {
      const bool meets =
          std::any_of(made->begin(), made->end(), [&](const auto& one) { return concern(*one, *cluster); });
      if (meets) {
        loose.insert(loose.end(), cluster->members.begin(), cluster->members.end());
      } else {
        apart.push_back(cluster);
      }
    }
    if (apart.size() < kept.size()) {
      kept = std::move(apart);
      continue;
    }
    kept.insert(kept.end(), made->begin(), made->end());
    return CutClusters{std::move(kept)};
  }
}

}  // namespace wend
