#include "environment/edit/apply_footprints.h"

#include <algorithm>
#include <exception>
#include <map>
#include <new>

#include <fmt/format.h>

#include "base/disjoint_sets.h"
#include "environment/edit/cut_connections.h"
#include "environment/edit/cut_rings.h"
#include "geometry/predicates.h"
#include "geometry/ring_parity.h"

namespace wend {
namespace {

bool holds(const Box& box, Vec2 p) {
  return p.x >= box.min.x && p.x <= box.max.x && p.y >= box.min.y && p.y <= box.max.y;
}

// The middle of an edge lies on no other ring, even where rings touch in vertices.
Vec2 middleOfEdge(const Ring& ring) {
  const Vec2 a = toVec2(ring[0]);
  const Vec2 b = toVec2(ring[1]);
  return {(a.x + b.x) / 2, (a.y + b.y) / 2};
}

// Polygons from the loops of one connected set of polygons of the base.
std::vector<Polygon> nest(std::vector<Ring> outers, std::vector<Ring> holes) {
  std::vector<Polygon> polygons;
  std::vector<Box> boxes;
  std::sort(outers.begin(), outers.end());
  for (Ring& outer : outers) {
    boxes.push_back(boundingBox(std::span<const Point>(outer)));
    polygons.push_back({std::move(outer), {}});
  }
  for (Ring& hole : holes) {
    size_t home = 0;
    if (polygons.size() > 1) {
      const Vec2 p = middleOfEdge(hole);
      home = polygons.size();
      for (size_t i = 0; i < polygons.size(); ++i) {
        if (!holds(boxes[i], p) || !isInside(polygons[i].outer, p)) continue;
        // Of outers around each other the innermost one counts.
        if (home == polygons.size() || isInside(polygons[home].outer, middleOfEdge(polygons[i].outer))) home = i;
      }
    }
    if (home < polygons.size()) polygons[home].holes.push_back(std::move(hole));
  }
  for (Polygon& polygon : polygons) std::sort(polygon.holes.begin(), polygon.holes.end());
  return polygons;
}

class Assembly {
 public:
  Assembly(const LiveBase& base, const CutClusters& clusters) : base_(base) {
    for (const auto& cluster : clusters.all) {
      for (const CutGroup& group : cluster->groups) groups_.push_back(&group);
    }
  }

  void run(Environment& environment) {
    const uint32_t polygons = base_.boundary().polygonCount();
    DisjointSets sets(polygons);
    std::vector<uint8_t> cut(base_.boundary().rings().size(), 0);
    std::vector<uint32_t> concerned;
    for (const CutGroup* group : groups_) {
      for (const uint32_t polygon : group->polygons) {
        sets.join(group->polygons.front(), polygon);
        concerned.push_back(polygon);
      }
      for (const uint32_t ring : group->rings) cut[ring] = 1;
    }
    std::sort(concerned.begin(), concerned.end());
    concerned.erase(std::unique(concerned.begin(), concerned.end()), concerned.end());

    struct Loops {
      std::vector<Ring> outers;
      std::vector<Ring> holes;
    };
    std::map<uint32_t, Loops> loops;  // by the least polygon of each set
    for (const uint32_t polygon : concerned) {
      Loops& home = loops[sets.find(polygon)];
      const Boundary::Ring& outer = base_.boundary().rings()[base_.firstRing(polygon)];
      Polygon& old = environment.layers[outer.layer].free[outer.place];
      for (uint32_t r = base_.firstRing(polygon); r < base_.endRing(polygon); ++r) {
        if (cut[r] != 0) continue;
        const uint32_t hole = base_.boundary().rings()[r].hole;
        if (hole == 0) {
          home.outers.push_back(std::move(old.outer));
        } else {
          home.holes.push_back(std::move(old.holes[hole - 1]));
        }
      }
      old = {};
    }
    for (const CutGroup* group : groups_) {
      if (group->polygons.empty()) continue;
      Loops& home = loops[sets.find(group->polygons.front())];
      home.outers.insert(home.outers.end(), group->outers.begin(), group->outers.end());
      home.holes.insert(home.holes.end(), group->holes.begin(), group->holes.end());
    }
    std::vector<uint8_t> changed(environment.layers.size(), 0);
    for (auto& [polygon, set] : loops) {
      const uint32_t layer = base_.boundary().rings()[base_.firstRing(polygon)].layer;
      changed[layer] = 1;
      for (Polygon& made : nest(std::move(set.outers), std::move(set.holes))) {
        environment.layers[layer].free.push_back(std::move(made));
      }
    }
    for (size_t layer = 0; layer < changed.size(); ++layer) {
      if (changed[layer] == 0) continue;
      std::vector<Polygon>& free = environment.layers[layer].free;
      std::erase_if(free, [](const Polygon& polygon) { return polygon.outer.empty(); });
      std::sort(free.begin(), free.end(), [](const Polygon& p, const Polygon& q) { return p.outer < q.outer; });
    }
  }

 private:
  const LiveBase& base_;
  std::vector<const CutGroup*> groups_;
};

Status checkFootprints(const LiveBase& base, std::span<const SharedFootprint> footprints) {
  constexpr int32_t kReach = kMaxCoordinate - 64;  // leaves room for frames
  for (const SharedFootprint& footprint : footprints) {
    if (footprint->layer >= base.environment().layers.size()) {
      return Error{ErrorCode::kInvalidSettings, fmt::format("there is no layer with index {}", footprint->layer)};
    }
    const Box box = boundingBox(*footprint);
    if (!box.empty() && (box.min.x < -kReach || box.min.y < -kReach || box.max.x > kReach || box.max.y > kReach)) {
      return Error{ErrorCode::kOutsideLattice, "an obstacle reaches beyond the lattice; choose a coarser unit"};
    }
  }
  return Done{};
}

// Runs what must not throw.
template <typename Work>
auto guarded(Work&& work) -> decltype(work()) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::kLimit, "not enough memory for these obstacles; apply fewer of them"};
  } catch (const std::exception& e) {
    return Error{ErrorCode::kInternal, fmt::format("cutting the obstacles out failed: {}", e.what())};
  }
}

Result<EditedEnvironment> apply(const LiveBase& base, std::span<const SharedFootprint> footprints,
                                const CutClusters& before, const Context& context) {
  if (Status status = checkFootprints(base, footprints); !status.ok()) return status.error();
  Result<CutClusters> clusters = cutClusters(base, footprints, before, context);
  if (!clusters.ok()) return clusters.error();
  EditedEnvironment result;
  result.environment = base.environment();
  result.clusters = *std::move(clusters);
  if (footprints.empty()) return result;
  // What was known of the base is not true of what is left of it.
  result.environment.truth.reset();
  Assembly(base, result.clusters).run(result.environment);
  if (vertexCount(result.environment) == 0) {
    return Error{ErrorCode::kEmpty, "the obstacles cover all that is walkable; leave some of it free"};
  }
  result.cut = cutConnections(base, result.clusters, result.environment.connections);
  return result;
}

}  // namespace

Result<EditedEnvironment> applyFootprints(const LiveBase& base, std::span<const SharedFootprint> footprints,
                                          const CutClusters& before, const Context& context) {
  return guarded([&] { return apply(base, footprints, before, context); });
}

Result<CutClusters> tryCutClusters(const LiveBase& base, std::span<const SharedFootprint> footprints,
                                   const CutClusters& before, const Context& context) {
  if (Status status = checkFootprints(base, footprints); !status.ok()) return status.error();
  return guarded([&] { return cutClusters(base, footprints, before, context); });
}

Result<EditedEnvironment> applyFootprints(const LiveBase& base, std::span<const Footprint> footprints,
                                          const Context& context) {
  std::vector<SharedFootprint> shared;
  for (const Footprint& footprint : footprints) shared.push_back(std::make_shared<const Footprint>(footprint));
  return applyFootprints(base, shared, {}, context);
}

}  // namespace wend
