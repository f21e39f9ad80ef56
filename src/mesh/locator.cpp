#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <wend/navmesh.h>

#include "geometry/extent.h"
#include "geometry/index/grid_index.h"
#include "mesh/cell_geometry.h"
#include "mesh/cell_grid.h"
#include "mesh/live_arrays.h"
#include "mesh/surface_index.h"

namespace wend {

namespace {

// A coordinate in metres that was written from the lattice returns within 2^-52 relative, below 5e-7 units; so what
// comes this close to a lattice coordinate is that coordinate.
constexpr double kLatticeTolerance = 1e-6;

double snapped(double units) {
  const double whole = std::nearbyint(units);
  return std::abs(units - whole) <= kLatticeTolerance ? whole : units;
}

}  // namespace

// Cells that are found together. After an edit a level is added with the cells that are new; what older levels say of
// cells that are gone does no harm, since each answer is looked up in the mesh as it is. Small levels are merged, so
// that there are few.
struct LocatorLevel {
  // Up to so many cells are looked through one by one: a grid over them would take longer to make than it saves before
  // the next edit.
  static constexpr size_t kShort = 512;
  enum class Kind : uint8_t { kGrids, kList };

  Kind kind;
  std::vector<CellId> cells;     // ascending; not kept if they are all
  std::vector<CellGrid> grids;   // per layer
  std::vector<Extent> extents;   // of a list: of each cell
  std::vector<Extent> ofLayers;  // around the cells of each layer

  LocatorLevel(const NavMesh& mesh, std::vector<CellId> given, Kind k)
      : kind(k), cells(std::move(given)), ofLayers(mesh.layerCount()) {
    if (kind == Kind::kList) {
      listCells(mesh);
      return;
    }
    std::vector<std::vector<CellId>> ofLayer(mesh.layerCount());
    for (const CellId cell : cells) ofLayer[mesh.layerOf(cell)].push_back(cell);
    for (LayerId layer = 0; layer < mesh.layerCount(); ++layer) {
      grids.emplace_back(mesh, ofLayer[layer]);
      if (ofLayer[layer].empty()) continue;
      ofLayers[layer].add(grids.back().low());
      ofLayers[layer].add(grids.back().high());
    }
    if (cells.size() == mesh.cellCount()) cells = {};
  }

  // Calls visit(cell) for the cells that may contain the point, ascending, until it returns false.
  template <typename Visit>
  void forEachAt(LayerId layer, Vec2 units, Visit&& visit) const {
    if (kind == Kind::kGrids) {
      for (const CellId cell : grids[layer].at(units)) {
        if (!visit(cell)) return;
      }
      return;
    }
    Extent point;
    point.add(units);
    if (!ofLayers[layer].meets(point)) return;
    for (size_t i = 0; i < cells.size(); ++i) {
      if (extents[i].meets(point) && !visit(cells[i])) return;
    }
  }

 private:
  void listCells(const NavMesh& mesh) {
    // Lattice units: more than a corner is off by.
    constexpr double kCornerError = 1e-4;
    for (const CellId cell : cells) {
      Extent extent;
      for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell); ++s) {
        extent.add(startPoint(mesh, s), kCornerError);
        ofLayers[mesh.layerOf(cell)].add(startPoint(mesh, s), kCornerError);
      }
      extents.push_back(extent);
    }
  }
};

// The surfaces of the layers, which edits never change.
struct LayerSurfaces {
  const LayerHeights heights;  // the indexes refer to them
  std::vector<SurfaceIndex> indexes;

  explicit LayerSurfaces(LayerHeights h) : heights(std::move(h)) {
    for (const HeightField& field : heights) indexes.emplace_back(field);
  }
};

struct Locator::Impl {
  NavMesh mesh;
  std::vector<std::shared_ptr<const LocatorLevel>> levels;  // the largest first
  std::shared_ptr<const LayerSurfaces> surfaces;
  GridIndex layers;  // over the layers' boxes

  explicit Impl(NavMesh m);
  Impl(const Impl& before, NavMesh m, std::vector<CellId> changed);

  void indexLayers();
  const SurfaceIndex& surface(LayerId layer) const { return surfaces->indexes[layer]; }
  Vec2 toUnits(Vec2 metres) const {
    const Vec2 units = mesh.lattice().toUnits(metres);
    return {snapped(units.x), snapped(units.y)};
  }
  bool isAt(CellId cell, Vec2 units, LayerId layer) const {
    return cell < mesh.cellCount() && mesh.layerOf(cell) == layer && contains(mesh, cell, units);
  }
  // The smallest cell there from `least` on.
  CellId cellAt(Vec2 units, LayerId layer, CellId least = 0) const {
    CellId best = kNone;
    for (const auto& level : levels) {
      level->forEachAt(layer, units, [&](CellId cell) {
        if (cell >= best) return false;
        if (cell < least || !isAt(cell, units, layer)) return true;
        best = cell;
        return false;
      });
    }
    return best;
  }
  // The cell whose layer is nearest in height to z, at most `tolerance` metres away.
  CellId nearestInHeight(Vec2 units, double z, double tolerance) const;
  // The cell of the lowest layer.
  CellId lowest(Vec2 units) const;
};

CellId Locator::Impl::nearestInHeight(Vec2 units, double z, double tolerance) const {
  CellId best = kNone;
  double bestDistance = tolerance;
  for (const LayerId layer : layers.at(units)) {
    const CellId cell = cellAt(units, layer);
    if (cell == kNone) continue;
    const double distance = std::abs(surface(layer).at(units) - z);
    if (distance < bestDistance || (best == kNone && distance <= bestDistance)) {
      best = cell;
      bestDistance = distance;
    }
  }
  return best;
}

CellId Locator::Impl::lowest(Vec2 units) const {
  CellId best = kNone;
  double bestHeight = std::numeric_limits<double>::infinity();
  for (const LayerId layer : layers.at(units)) {
    const CellId cell = cellAt(units, layer);
    if (cell == kNone) continue;
    const double z = surface(layer).at(units);
    if (best == kNone || z < bestHeight) {
      best = cell;
      bestHeight = z;
    }
  }
  return best;
}

Locator::Impl::Impl(NavMesh m) : mesh(std::move(m)) {
  std::vector<CellId> all(mesh.cellCount());
  std::iota(all.begin(), all.end(), 0U);
  levels.push_back(std::make_shared<const LocatorLevel>(mesh, std::move(all), LocatorLevel::Kind::kGrids));
  surfaces = std::make_shared<const LayerSurfaces>(mesh.info().layerHeights);
  indexLayers();
}

Locator::Impl::Impl(const Impl& before, NavMesh m, std::vector<CellId> changed)
    : mesh(std::move(m)), levels(before.levels), surfaces(before.surfaces) {
  constexpr size_t kGrowth = 4;
  while (levels.size() > 1 && (levels.back()->kind == LocatorLevel::Kind::kList ||
                               levels.back()->cells.size() <= kGrowth * changed.size())) {
    const std::vector<CellId>& older = levels.back()->cells;
    changed.insert(changed.end(), older.begin(), older.end());
    levels.pop_back();
    std::sort(changed.begin(), changed.end());
    changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
    if (changed.size() <= LocatorLevel::kShort) break;
  }
  std::sort(changed.begin(), changed.end());
  changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
  changed.erase(std::lower_bound(changed.begin(), changed.end(), mesh.cellCount()), changed.end());
  auto kind = changed.size() <= LocatorLevel::kShort ? LocatorLevel::Kind::kList : LocatorLevel::Kind::kGrids;
  if (2 * changed.size() > mesh.cellCount()) {
    kind = LocatorLevel::Kind::kGrids;
    changed.resize(mesh.cellCount());
    std::iota(changed.begin(), changed.end(), 0U);
    levels.clear();
  }
  levels.push_back(std::make_shared<const LocatorLevel>(mesh, std::move(changed), kind));
  indexLayers();
}

void Locator::Impl::indexLayers() {
  std::vector<Box> boxes(mesh.layerCount());
  for (LayerId layer = 0; layer < mesh.layerCount(); ++layer) {
    for (const auto& level : levels) {
      const Extent& extent = level->ofLayers[layer];
      if (extent.minX > extent.maxX) continue;
      boxes[layer].add(
          Point{static_cast<int32_t>(std::floor(extent.minX)), static_cast<int32_t>(std::floor(extent.minY))});
      boxes[layer].add(
          Point{static_cast<int32_t>(std::ceil(extent.maxX)), static_cast<int32_t>(std::ceil(extent.maxY))});
    }
  }
  layers = GridIndex(boxes);
}

Locator::Locator(NavMesh mesh) : impl_(std::make_shared<const Impl>(std::move(mesh))) {}

Locator Locator::next(NavMesh mesh) const {
  const auto difference = impl_ ? differenceBetween(impl_->mesh, mesh) : std::nullopt;
  if (!difference || mesh.layerCount() != impl_->mesh.layerCount()) return Locator(std::move(mesh));
  const NavMesh& before = impl_->mesh;
  const auto isSame = [&](CellId cell) {
    if (cell >= before.cellCount() || before.layerOf(cell) != mesh.layerOf(cell) ||
        before.sideCount(cell) != mesh.sideCount(cell)) {
      return false;
    }
    SideId was = before.firstSide(cell);
    for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s, ++was) {
      if (!(startPoint(mesh, s) == startPoint(before, was))) return false;
    }
    return true;
  };
  std::vector<CellId> changed;
  for (const uint32_t block : difference->cells) {
    const CellId begin = block * BlockLog::kBlock;
    for (CellId cell = begin; cell < std::min(begin + BlockLog::kBlock, mesh.cellCount()); ++cell) {
      if (!isSame(cell)) changed.push_back(cell);
    }
  }
  Locator next;
  next.impl_ = std::make_shared<const Impl>(*impl_, std::move(mesh), std::move(changed));
  return next;
}

CellId Locator::locate(Vec2 metres, LayerId layer) const {
  if (!impl_ || layer >= impl_->mesh.layerCount()) return kNone;
  return impl_->cellAt(impl_->toUnits(metres), layer);
}

CellId Locator::locate(const Place& place) const {
  if (!impl_) return kNone;
  const Vec2 units = impl_->toUnits(place.top());
  return place.z ? impl_->nearestInHeight(units, *place.z, place.tolerance) : impl_->lowest(units);
}

size_t Locator::locateAll(Vec2 units, LayerId layer, std::span<CellId> out) const {
  if (!impl_ || layer >= impl_->mesh.layerCount()) return 0;
  size_t found = 0;
  if (impl_->levels.size() == 1) {
    impl_->levels.front()->forEachAt(layer, units, [&](CellId cell) {
      if (!impl_->isAt(cell, units, layer)) return true;
      if (found < out.size()) out[found] = cell;
      ++found;
      return true;
    });
    return found;
  }
  for (CellId cell = impl_->cellAt(units, layer); cell != kNone; cell = impl_->cellAt(units, layer, cell + 1)) {
    if (found < out.size()) out[found] = cell;
    ++found;
  }
  return found;
}

double Locator::height(Vec2 metres, LayerId layer) const {
  if (!impl_ || layer >= impl_->surfaces->indexes.size()) return std::numeric_limits<double>::quiet_NaN();
  return impl_->surface(layer).at(impl_->toUnits(metres));
}

size_t Locator::memory() const {
  if (!impl_) return 0;
  size_t bytes = impl_->layers.memory();
  for (const auto& level : impl_->levels) {
    for (const CellGrid& grid : level->grids) bytes += grid.memory();
    bytes += (level->extents.size() + level->ofLayers.size()) * sizeof(Extent);
  }
  // The list of the largest level is that of all cells; it is not kept.
  for (size_t i = 1; i < impl_->levels.size(); ++i) bytes += impl_->levels[i]->cells.size() * sizeof(CellId);
  for (const SurfaceIndex& surface : impl_->surfaces->indexes) bytes += surface.memory();
  return bytes;
}

}  // namespace wend
