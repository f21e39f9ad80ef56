#include "generators/ecm/edit/update_axis.h"

#include <memory>
#include <utility>

#include "base/assert.h"
#include "generators/ecm/corridor_cells.h"
#include "generators/ecm/edit/axis_zone.h"
#include "generators/ecm/edit/changed_walls.h"
#include "generators/ecm/edit/splice_axis.h"
#include "generators/ecm/edit/zone_axis.h"
#include "mesh/mesh_patch.h"
#include "mesh/validator/check_corridor.h"

namespace wend::ecm {

Result<MeshUpdate> updateAxis(const NavMesh& mesh, const Environment& before, const Environment& after,
                              const ChangedArea& changed, const Context& context) {
  if (mesh.corridorMap() == nullptr) return Error{ErrorCode::kUnsupported, "the mesh has no medial axis"};
  const CorridorMap& map = *mesh.corridorMap();
  const Walls wallsNow(after);
  const ChangedWalls walls = findChangedWalls(Walls(before), wallsNow, changed);
  const AxisZone zone = collectAxisZone(map, after, walls, changed);
  const Result<ZoneAxis> axis = buildZoneAxis(map, after, zone, walls, wallsNow);
  if (!axis.ok()) return axis.error();
  SplicedAxis spliced = spliceAxis(map, zone, *axis);

  ArcCells cells(after);
  MeshPatch patch(mesh, after, cells.tolerance());
  for (CellId cell = 0; cell < mesh.cellCount(); ++cell) {
    if (spliced.arcOfOld[map.cellArc[cell]] == kNone) patch.removeCell(cell);
  }
  std::vector<uint32_t> arcs;  // per added cell
  for (const uint32_t arc : spliced.added) {
    cells.cellsOf(spliced.map, arc, [&](LayerId layer, std::span<const Vec2> loop, std::span<const uint8_t> sides) {
      patch.addCell(layer, loop, sides);
      arcs.push_back(arc);
    });
  }
  Result<PatchedMesh> patched = patch.build(context);
  if (!patched.ok()) return patched.error();
  std::vector<uint32_t>& cellArc = spliced.map.cellArc;
  cellArc.reserve(patched->source.size());
  for (const CellId source : patched->source) {
    cellArc.push_back(source != kNone ? spliced.arcOfOld[map.cellArc[source]] : kNone);
  }
  const size_t firstNew = patched->source.size() - patched->added;
  for (uint32_t i = 0; i < patched->added; ++i) cellArc[firstNew + i] = arcs[patched->given[i]];
  WEND_ASSERT(findCorridorFault(spliced.map, after.layers.size(), patched->mesh.cellCount()).empty(),
              "the medial axis fits its mesh");

  MeshUpdate update;
  update.mesh = patched->mesh.withCorridorMap(std::make_shared<const CorridorMap>(std::move(spliced.map)));
  update.inPlace = true;
  update.source = std::move(patched->source);
  update.cellsRemoved = patched->removed;
  update.cellsAdded = patched->added;
  return update;
}

}  // namespace wend::ecm
