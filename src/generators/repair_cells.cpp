#include "generators/repair_cells.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "generators/hole.h"
#include "generators/patched_update.h"
#include "geometry/predicates.h"
#include "mesh/mesh_patch.h"

namespace wend {
namespace {

struct NewCell {
  LayerId layer = 0;
  std::vector<Vec2> loop;
};

std::vector<Vec2> loopOf(const NavMesh& mesh, CellId cell) {
  std::vector<Vec2> loop;
  for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell); ++s) loop.push_back(mesh.vertex(mesh.startVertex(s)));
  return loop;
}

// Joins new cells with cells beside the hole.
class Merging {
 public:
  Merging(const NavMesh& mesh, MeshPatch& patch) : mesh_(mesh), patch_(patch) {}

  void run(std::vector<NewCell>& cells, const std::vector<CellId>& removed) {
    for (const CellId cell : removed) openSides(cell);
    for (NewCell& cell : cells) {
      while (mergeOne(cell)) {
      }
    }
  }

 private:
  using Key = std::tuple<LayerId, double, double, double, double>;
  static Key keyOf(LayerId layer, Vec2 a, Vec2 b) { return {layer, a.x, a.y, b.x, b.y}; }

  // The sides of cells that stay which face a cell that does not.
  void openSides(CellId gone) {
    for (SideId s = mesh_.firstSide(gone); s < mesh_.endSide(gone); ++s) {
      const SideId twin = mesh_.twin(s);
      if (twin == kNone || patch_.isRemoved(mesh_.cellOf(twin))) continue;
      const CellId cell = mesh_.cellOf(twin);
      if (mesh_.layerOf(cell) != mesh_.layerOf(gone)) continue;
      facing_[keyOf(mesh_.layerOf(cell), mesh_.vertex(mesh_.startVertex(twin)), mesh_.vertex(mesh_.endVertex(twin)))] =
          twin;
    }
  }

  bool mergeOne(NewCell& cell) {
    const size_t n = cell.loop.size();
    for (size_t i = 0; i < n; ++i) {
      const Vec2 a = cell.loop[i];
      const Vec2 b = cell.loop[(i + 1) % n];
      const auto it = facing_.find(keyOf(cell.layer, b, a));
      if (it == facing_.end() || patch_.isRemoved(mesh_.cellOf(it->second))) continue;
      const SideId side = it->second;  // from b to a
      const Vec2 before = cell.loop[(i + n - 1) % n];
      const Vec2 after = cell.loop[(i + 2) % n];
      const Vec2 otherAfter = mesh_.vertex(mesh_.endVertex(mesh_.nextSide(side)));
      const Vec2 otherBefore = mesh_.vertex(mesh_.startVertex(mesh_.previousSide(side)));
      if (orient(before, a, otherAfter) < 0 || orient(otherBefore, b, after) < 0) continue;
      // They share more than this side.
      if (orient(a, b, after) == 0 && orient(a, b, otherBefore) == 0) continue;
      if (orient(a, b, before) == 0 && orient(a, b, otherAfter) == 0) continue;
      join(cell, i, side);
      return true;
    }
    return false;
  }

  void join(NewCell& cell, size_t i, SideId side) {
    const CellId other = mesh_.cellOf(side);
    std::vector<Vec2> loop(cell.loop.begin(), cell.loop.begin() + static_cast<ptrdiff_t>(i) + 1);
    for (SideId s = mesh_.nextSide(mesh_.nextSide(side)); s != side; s = mesh_.nextSide(s)) {
      loop.push_back(mesh_.vertex(mesh_.startVertex(s)));
    }
    loop.insert(loop.end(), cell.loop.begin() + static_cast<ptrdiff_t>(i) + 1, cell.loop.end());
    cell.loop = std::move(loop);
    patch_.removeCell(other);
    openSides(other);
  }

  const NavMesh& mesh_;
  MeshPatch& patch_;
  std::map<Key, SideId> facing_;
};

}  // namespace

Result<MeshUpdate> repairCells(const NavMesh& mesh, const Environment& before, const Environment& after,
                               const ChangedArea& changed, const RepairSettings& settings, const CutHole& cut,
                               const Context& context) {
  const Result<Hole> hole = findHole(mesh, before, after, changed, settings.keepDelaunay);
  if (!hole.ok()) return hole.error();
  MeshPatch patch(mesh, after, changed.facts.get());
  for (const CellId cell : hole->removed) patch.removeCell(cell);
  std::vector<NewCell> cells;
  const bool isFree = std::any_of(hole->environment.layers.begin(), hole->environment.layers.end(),
                                  [](const Layer& layer) { return !layer.free.empty(); });
  if (isFree) {
    const Result<NavMesh> made = cut(hole->environment, context);
    if (!made.ok()) return made.error();
    if (mesh.info().traits.convex && !made->info().traits.convex) {
      return Error{ErrorCode::kUnsupported, "the cells around the change would not be convex"};
    }
    for (CellId cell = 0; cell < made->cellCount(); ++cell) cells.push_back({made->layerOf(cell), loopOf(*made, cell)});
  }
  if (settings.mergeConvex) Merging(mesh, patch).run(cells, hole->removed);
  for (const NewCell& cell : cells) patch.addCell(cell.layer, cell.loop);
  Result<PatchedMesh> patched = patch.build(context);
  if (!patched.ok()) return patched.error();
  return updateInPlace(std::move(*patched));
}

}  // namespace wend
