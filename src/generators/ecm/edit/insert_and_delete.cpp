#include "generators/ecm/edit/insert_and_delete.h"

#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "environment/edit/boundary_change.h"
#include "generators/ecm/corridor_cells.h"
#include "generators/ecm/edit/axis_zone.h"
#include "generators/ecm/edit/changed_walls.h"
#include "generators/ecm/edit/live_axis.h"
#include "generators/ecm/edit/splice_axis.h"
#include "generators/ecm/edit/zone_axis.h"
#include "generators/ecm/edit/zone_surface.h"
#include "mesh/mesh_patch.h"
#include "mesh/validator/check_corridor.h"

namespace wend::ecm {

namespace {

// Gives every cell of the new mesh its arc, from those of the old one.
void placeCells(const LiveAxis& old, const SplicedAxis& spliced, const PatchedMesh& patched,
                std::span<const uint32_t> newArcs, AxisDraft& draft) {
  std::unordered_map<CellId, CellId> cellNow;
  for (const CellId cell : patched.gone) cellNow[cell] = kNone;
  // Arcs whose number changed, and those of cells whose number did.
  std::map<uint32_t, uint32_t> arcs;
  for (const auto& [arc, now] : spliced.arcNow) {
    if (now != kNone) arcs[arc] = now;
  }
  for (const auto& [from, to] : patched.moved) {
    cellNow[from] = to;
    const uint32_t arc = old.map.cellArc[from];
    if (!spliced.arcNow.contains(arc)) arcs[arc] = arc;
  }
  draft.cellArc().resize(patched.mesh.cellCount(), kNone);
  draft.cellNext().resize(patched.mesh.cellCount(), kNone);
  for (const auto& [arc, now] : arcs) draft.arcCell().set(now, kNone);
  const auto add = [&](uint32_t arc, CellId cell) {
    draft.cellArc().set(cell, arc);
    draft.cellNext().set(cell, draft.axis().arcCell[arc]);
    draft.arcCell().set(arc, cell);
  };
  for (const auto& [arc, now] : arcs) {
    const uint32_t to = now;
    old.forEachCell(arc, [&](CellId cell) {
      const auto moved = cellNow.find(cell);
      if (moved == cellNow.end()) {
        add(to, cell);
      } else if (moved->second != kNone) {
        add(to, moved->second);
      }
    });
  }
  for (uint32_t i = 0; i < patched.added; ++i) add(newArcs[patched.given[i]], patched.cells[i]);
}

// In all layers, since the zone may reach across connections. Cells that are kept need no corner more: a wall that
// comes to touch another one from behind comes as near to the arcs there as their clearance, so they are in the zone.
std::vector<WallTouch> touchesOfZone(const Walls& walls, size_t layers, const Box& box) {
  std::vector<WallTouch> touches;
  for (LayerId layer = 0; layer < layers && !box.empty(); ++layer) {
    const std::vector<WallTouch> found = walls.touches(layer, box);
    touches.insert(touches.end(), found.begin(), found.end());
  }
  return touches;
}

// The mesh with the new axis of a zone.
struct ZoneUpdater {
  const NavMesh& mesh;
  const Environment& after;
  const ChangedArea& changed;
  const Walls& wallsNow;
  const AxisVersions::Known& known;
  const Context& context;

  Result<MeshUpdate> run(const AxisZone& zone, const Result<ZoneAxis>& axis) const {
    if (!axis.ok()) return axis.error();
    AxisDraft draft(known);
    const SplicedAxis spliced = spliceAxis(known.value->map, zone, *axis, draft);
    draft.measureExtents();

    ArcCells cells(after, touchesOfZone(wallsNow, after.layers.size(), zone.box));
    MeshPatch patch(mesh, after, changed.facts.get(), cells.tolerance());
    for (const auto& [arc, now] : spliced.arcNow) {
      if (now == kNone) known.value->forEachCell(arc, [&](CellId cell) { patch.removeCell(cell); });
    }
    std::vector<uint32_t> arcs;  // per added cell
    for (const uint32_t arc : spliced.added) {
      cells.cellsOf(draft.map(), arc, [&](LayerId layer, std::span<const Vec2> loop, std::span<const uint8_t> sides) {
        patch.addCell(layer, loop, sides);
        arcs.push_back(arc);
      });
    }
    Result<PatchedMesh> patched = patch.build(context);
    if (!patched.ok()) return patched.error();
    placeCells(*known.value, spliced, *patched, arcs, draft);
    WEND_ASSERT(findCorridorFault(draft.map(), after.layers.size(), patched->mesh.cellCount()).empty(),
                "the medial axis fits its mesh");

    MeshUpdate update;
    update.mesh = patched->mesh.withCorridorMap(draft.publish());
    update.inPlace = true;
    update.source = std::move(patched->source);
    update.cellsRemoved = patched->removed;
    update.cellsAdded = patched->added;
    return update;
  }
};

}  // namespace

Result<MeshUpdate> updateAxis(const NavMesh& mesh, const Environment& before, const Environment& after,
                              const ChangedArea& changed, const Context& context) {
  if (mesh.corridorMap() == nullptr) return Error{ErrorCode::kUnsupported, "the mesh has no medial axis"};
  const EditFacts facts = changed.facts ? *changed.facts : EditFacts{};
  const Walls wallsNow(after, facts.after);
  const ChangedWalls walls = findChangedWalls(Walls(before, facts.before), wallsNow, changed);
  std::shared_ptr<const LiveAxis> keep;
  const AxisVersions::Known known = liveAxisOf(mesh, keep);
  const ZoneUpdater updater{mesh, after, changed, wallsNow, known, context};
  const auto isSettled = [](const Result<MeshUpdate>& update) {
    return update.ok() || update.error().code == ErrorCode::kCancelled;
  };

  AxisZone zone = collectAxisZone(*known.value, after, walls, changed);
  Result<MeshUpdate> update = updater.run(zone, buildZoneAxis(*known.value, after, zone, walls, wallsNow));
  if (isSettled(update)) return update;
  update = updater.run(zone, buildZoneOnSurface(*known.value, after, zone, walls));
  if (isSettled(update) || after.layers.size() == 1) return update;
  zone = collectAxisZone(*known.value, after, walls, changed, ZoneReach::kAnyLayer);
  return updater.run(zone, buildZoneOnSurface(*known.value, after, zone, walls));
}

}  // namespace wend::ecm
