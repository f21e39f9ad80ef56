#include "generators/regrow_cells.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "generators/growth_cells.h"
#include "generators/hole.h"
#include "generators/patched_update.h"
#include "geometry/growth/merge_convex.h"
#include "mesh/mesh_patch.h"

namespace wend {
namespace {

using growth::GrowthSpace;
using growth::Outline;
using growth::Region;

// Corners are rounded once and then welded to others: a cell is known again within this, in lattice units.
constexpr double kNear = 4 * kGrownCornerTolerance;

bool touch(const Box& a, const Box& b) {
  return !a.empty() && !b.empty() && a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y &&
         b.min.y <= a.max.y;
}

bool contains(const Box& box, Point p) {
  return p.x >= box.min.x && p.x <= box.max.x && p.y >= box.min.y && p.y <= box.max.y;
}

// Whether a stretch runs along a segment, in its direction.
bool liesOn(Vec2 from, Vec2 to, Point a, Point b) {
  const double dx = static_cast<double>(b.x) - a.x;
  const double dy = static_cast<double>(b.y) - a.y;
  const double length = std::hypot(dx, dy);
  if (dx * (to.x - from.x) + dy * (to.y - from.y) <= 0) return false;
  for (const Vec2 p : {from, to}) {
    const double along = ((p.x - a.x) * dx + (p.y - a.y) * dy) / length;
    const double off = ((p.x - a.x) * dy - (p.y - a.y) * dx) / length;
    if (std::abs(off) > kNear || along < -kNear || along > length + kNear) return false;
  }
  return true;
}

// The work on one layer.
class LayerRepair {
 public:
  LayerRepair(const NavMesh& mesh, const Environment& after, LayerId layer, const ChangedEdges& edges,
              std::vector<Box> changed)
      : mesh_(mesh), after_(after), layer_(layer), edges_(edges), changed_(std::move(changed)) {
    for (CellId cell = 0; cell < mesh_.cellCount(); ++cell) {
      if (mesh_.layerOf(cell) != layer_) continue;
      cells_.push_back(cell);
      boxes_.push_back(boxOf(cell));
    }
    isRemoved_.assign(cells_.size(), false);
  }

  Status run(const RegrowSettings& settings, const GrowPlace& grow, MeshPatch& patch, const Context& context) {
    for (size_t i = 0; i < cells_.size(); ++i) isRemoved_[i] = isTouched(i) || standsAtGoneWall(i);
    // A cell that is not known again, because a wall that it follows has moved, makes the place larger.
    do {
      if (Status status = makeSpace(settings); !status.ok()) return status;
    } while (!addKept());
    growth::GrowSettings growSettings;
    growSettings.firstAsked = static_cast<uint32_t>(space_->regions().size());
    growSettings.beside = beside_;
    std::vector<growth::Seed> seeds;
    for (const growth::Seed& seed : wallSeeds(*space_)) {
      if (contains(place_, seed.square)) seeds.push_back(seed);
    }
    grow(*space_, seeds, growSettings, context);
    if (context.cancelled()) return Error{ErrorCode::kCancelled, "Growth was cancelled by the caller."};
    hand(settings, growSettings.firstAsked, patch);
    return Done{};
  }

 private:
  Vec2 start(SideId s) const { return mesh_.vertex(mesh_.startVertex(s)); }
  Vec2 end(SideId s) const { return mesh_.vertex(mesh_.endVertex(s)); }

  Box boxOf(CellId cell) const {
    Box box;
    for (SideId s = mesh_.firstSide(cell); s < mesh_.endSide(cell); ++s) {
      const Vec2 p = start(s);
      // A corner that rounding moved off a lattice line is on it.
      box.add(Point{static_cast<int32_t>(std::floor(p.x + kNear)), static_cast<int32_t>(std::floor(p.y + kNear))});
      box.add(Point{static_cast<int32_t>(std::ceil(p.x - kNear)), static_cast<int32_t>(std::ceil(p.y - kNear))});
    }
    return box;
  }

  bool isTouched(size_t i) const {
    return std::any_of(changed_.begin(), changed_.end(), [&](const Box& box) { return touch(boxes_[i], box); });
  }

  bool standsAtGoneWall(size_t i) const {
    for (SideId s = mesh_.firstSide(cells_[i]); s < mesh_.endSide(cells_[i]); ++s) {
      if (!mesh_.isWall(s)) continue;
      const auto isOn = [&](const LayerEdge& edge) {
        return edge.layer == layer_ && liesOn(start(s), end(s), edge.a, edge.b);
      };
      if (std::any_of(edges_.gone.begin(), edges_.gone.end(), isOn) &&
          std::none_of(edges_.added.begin(), edges_.added.end(), isOn)) {
        return true;
      }
    }
    return false;
  }

  // The place of the removed cells, the cells around it, and the walls around those. All that borders on a cell beside
  // the place is known, so its free stretches are those of the place.
  Status makeSpace(const RegrowSettings& settings) {
    place_ = Box{};
    for (const Box& box : changed_) place_.add(box);
    for (size_t i = 0; i < cells_.size(); ++i) {
      if (isRemoved_[i]) place_.add(boxes_[i]);
    }
    const auto withTouching = [&](const Box& box, std::vector<size_t>& found) {
      Box all = box;
      for (size_t i = 0; i < cells_.size(); ++i) {
        if (isRemoved_[i] || !touch(boxes_[i], box)) continue;
        found.push_back(i);
        all.add(boxes_[i]);
      }
      return all;
    };
    std::vector<size_t> first;
    kept_.clear();
    const Box window = withTouching(withTouching(place_, first), kept_);
    for (const wend::Region& region : after_.layers[layer_].regions) {
      if (settings.terrain && touch(boundingBox(region.area), window)) {
        return Error{ErrorCode::kUnsupported, "borders of terrain lie around the change"};
      }
    }
    space_.emplace(after_.layers[layer_].free, connectionEdges(after_, layer_), window);
    return Done{};
  }

  // Enters the cells that stay as regions. False if some are not known again: these are removed now.
  bool addKept() {
    beside_.clear();
    keptOutlines_.clear();
    bool all = true;
    for (const size_t i : kept_) {
      std::optional<Region> region = regionOf(i);
      if (!region) {
        isRemoved_[i] = true;
        all = false;
        continue;
      }
      if (!all) continue;
      const uint32_t id = space_->addRegion(*std::move(region));
      if (touch(boxes_[i], place_)) beside_.push_back(id);
    }
    return all;
  }

  // The wall that a slanted side lies on, or kNone.
  uint32_t wallOf(Vec2 from, Vec2 to) {
    Box box;
    for (const Vec2 p : {from, to}) {
      box.add(Point{static_cast<int32_t>(std::floor(p.x)), static_cast<int32_t>(std::floor(p.y))});
      box.add(Point{static_cast<int32_t>(std::ceil(p.x)), static_cast<int32_t>(std::ceil(p.y))});
    }
    space_->collect(box, walls_, regions_);
    for (const uint32_t id : walls_) {
      const growth::Wall& wall = space_->walls()[id];
      if (wall.isSlanted() && liesOn(from, to, wall.from, wall.to)) return id;
    }
    return kNone;
  }

  std::optional<Region> regionOf(size_t i) {
    Region region;
    const Box& box = boxes_[i];
    region.limit[growth::kLeft] = box.min.x;
    region.limit[growth::kRight] = box.max.x;
    region.limit[growth::kBottom] = box.min.y;
    region.limit[growth::kTop] = box.max.y;
    for (SideId s = mesh_.firstSide(cells_[i]); s < mesh_.endSide(cells_[i]); ++s) {
      const Vec2 from = start(s);
      const Vec2 to = end(s);
      if (std::abs(from.x - to.x) <= kNear || std::abs(from.y - to.y) <= kNear) continue;
      const uint32_t wall = wallOf(from, to);
      if (wall == kNone) return std::nullopt;
      if (std::find(region.contacts.begin(), region.contacts.end(), wall) == region.contacts.end()) {
        region.contacts.push_back(wall);
      }
    }
    refresh(region, space_->walls());
    return isCell(region, cells_[i]) ? std::optional(std::move(region)) : std::nullopt;
  }

  // Whether the corners of a region are corners of the cell.
  bool isCell(const Region& region, CellId cell) {
    const Outline outline = outlineOf(region, space_->walls());
    const bool same = std::all_of(outline.begin(), outline.end(), [&](const growth::OutlineEdge& edge) {
      const Vec2 p = edge.start.toVec2();
      for (SideId s = mesh_.firstSide(cell); s < mesh_.endSide(cell); ++s) {
        if (std::hypot(start(s).x - p.x, start(s).y - p.y) <= kNear) return true;
      }
      return false;
    });
    if (same) keptOutlines_.push_back(outline);
    return same && outline.size() >= 3;
  }

  void hand(const RegrowSettings& settings, uint32_t kept, MeshPatch& patch) {
    for (size_t i = 0; i < cells_.size(); ++i) {
      if (isRemoved_[i]) patch.removeCell(cells_[i]);
    }
    std::vector<Outline> outlines;
    for (uint32_t id = kept; id < space_->regions().size(); ++id) {
      outlines.push_back(outlineOf(space_->regions()[id], space_->walls()));
    }
    if (settings.merge) join(outlines, patch);
    std::vector<Vec2> loop;
    std::vector<uint8_t> isWall;
    for (const Outline& outline : outlines) {
      loop.clear();
      isWall.clear();
      for (const growth::OutlineEdge& edge : outline) {
        loop.push_back(edge.start.toVec2());
        isWall.push_back(edge.wall != kNone && !space_->walls()[edge.wall].isOpen ? 1 : 0);
      }
      patch.addCell(layer_, loop, isWall);
    }
  }

  // Joins new cells with each other and with those beside the place. A kept cell that comes out as it was stays.
  void join(std::vector<Outline>& outlines, MeshPatch& patch) const {
    std::map<std::vector<int64_t>, CellId> known;
    for (const uint32_t id : beside_) {
      known[keyOf(keptOutlines_[id])] = cells_[kept_[id]];
      outlines.push_back(keptOutlines_[id]);
    }
    growth::mergeConvex(outlines);
    std::erase_if(outlines, [&](const Outline& outline) { return known.erase(keyOf(outline)) != 0; });
    for (const auto& [key, cell] : known) patch.removeCell(cell);
  }

  // The corners where the boundary turns; an outline may begin at any of them.
  static std::vector<int64_t> keyOf(const Outline& outline) {
    std::vector<std::array<int64_t, 3>> corners;
    for (const growth::OutlineEdge& edge : outline) {
      corners.push_back({edge.start.x, edge.start.y, edge.start.denominator});
    }
    std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
    std::vector<int64_t> key;
    for (const auto& corner : corners) key.insert(key.end(), corner.begin(), corner.end());
    return key;
  }

  const NavMesh& mesh_;
  const Environment& after_;
  LayerId layer_;
  const ChangedEdges& edges_;
  std::vector<Box> changed_;
  std::vector<CellId> cells_;  // of the layer
  std::vector<Box> boxes_;
  std::vector<bool> isRemoved_;
  Box place_;
  std::vector<size_t> kept_;  // around the place; region i of the space is the i-th of them
  std::vector<Outline> keptOutlines_;
  std::vector<uint32_t> beside_;
  std::optional<GrowthSpace> space_;
  std::vector<uint32_t> walls_;
  std::vector<uint32_t> regions_;
};

}  // namespace

Result<MeshUpdate> regrowCells(const NavMesh& mesh, const Environment& before, const Environment& after,
                               const ChangedArea& changed, const RegrowSettings& settings, const GrowPlace& grow,
                               const Context& context) {
  const ChangedEdges edges = changedEdges(before, after, changed);
  std::map<LayerId, std::vector<Box>> boxes;
  for (const ChangedArea::Box& part : changed.boxes) {
    if (!part.box.empty()) boxes[part.layer].push_back(part.box);
  }
  MeshPatch patch(mesh, after, changed.facts.get(), kGrownCornerTolerance);
  for (auto& [layer, list] : boxes) {
    const Status status = LayerRepair(mesh, after, layer, edges, std::move(list)).run(settings, grow, patch, context);
    if (!status.ok()) return status.error();
  }
  Result<PatchedMesh> patched = patch.build(context);
  if (!patched.ok()) return patched.error();
  return updateInPlace(std::move(*patched));
}

}  // namespace wend
