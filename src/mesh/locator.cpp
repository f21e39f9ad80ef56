#include <algorithm>
#include <cmath>
#include <limits>

#include <wend/navmesh.h>

#include "geometry/index/grid_index.h"
#include "mesh/cell_geometry.h"
#include "mesh/cell_grid.h"
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

struct Locator::Impl {
  NavMesh mesh;
  std::vector<CellGrid> grids;         // per layer
  std::vector<SurfaceIndex> surfaces;  // per layer
  GridIndex layers;                    // over the layers' boxes

  explicit Impl(NavMesh m);

  Vec2 toUnits(Vec2 metres) const {
    const Vec2 units = mesh.lattice().toUnits(metres);
    return {snapped(units.x), snapped(units.y)};
  }
  CellId cellAt(Vec2 units, LayerId layer) const {
    for (const CellId cell : grids[layer].at(units)) {
      if (contains(mesh, cell, units)) return cell;
    }
    return kNone;
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
    const double distance = std::abs(surfaces[layer].at(units) - z);
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
    const double z = surfaces[layer].at(units);
    if (best == kNone || z < bestHeight) {
      best = cell;
      bestHeight = z;
    }
  }
  return best;
}

Locator::Impl::Impl(NavMesh m) : mesh(std::move(m)) {
  std::vector<std::vector<CellId>> cells(mesh.layerCount());
  for (CellId c = 0; c < mesh.cellCount(); ++c) cells[mesh.layerOf(c)].push_back(c);
  std::vector<Box> boxes(mesh.layerCount());
  for (LayerId layer = 0; layer < mesh.layerCount(); ++layer) {
    const CellGrid& grid = grids.emplace_back(mesh, cells[layer]);
    surfaces.emplace_back(mesh.info().layerHeights[layer]);
    const Vec2 low = grid.low();
    const Vec2 high = grid.high();
    if (low.x > high.x) continue;
    boxes[layer].add(Point{static_cast<int32_t>(std::floor(low.x)), static_cast<int32_t>(std::floor(low.y))});
    boxes[layer].add(Point{static_cast<int32_t>(std::ceil(high.x)), static_cast<int32_t>(std::ceil(high.y))});
  }
  layers = GridIndex(boxes);
}

Locator::Locator(NavMesh mesh) : impl_(std::make_shared<const Impl>(std::move(mesh))) {}

CellId Locator::locate(Vec2 metres, LayerId layer) const {
  if (!impl_ || layer >= impl_->grids.size()) return kNone;
  return impl_->cellAt(impl_->toUnits(metres), layer);
}

CellId Locator::locate(const Place& place) const {
  if (!impl_) return kNone;
  const Vec2 units = impl_->toUnits(place.top());
  return place.z ? impl_->nearestInHeight(units, *place.z, place.tolerance) : impl_->lowest(units);
}

size_t Locator::locateAll(Vec2 units, LayerId layer, std::span<CellId> out) const {
  if (!impl_ || layer >= impl_->grids.size()) return 0;
  size_t found = 0;
  for (const CellId cell : impl_->grids[layer].at(units)) {
    if (!contains(impl_->mesh, cell, units)) continue;
    if (found < out.size()) out[found] = cell;
    ++found;
  }
  return found;
}

double Locator::height(Vec2 metres, LayerId layer) const {
  if (!impl_ || layer >= impl_->surfaces.size()) return std::numeric_limits<double>::quiet_NaN();
  return impl_->surfaces[layer].at(impl_->toUnits(metres));
}

size_t Locator::memory() const {
  if (!impl_) return 0;
  size_t bytes = impl_->layers.memory();
  for (const CellGrid& grid : impl_->grids) bytes += grid.memory();
  for (const SurfaceIndex& surface : impl_->surfaces) bytes += surface.memory();
  return bytes;
}

}  // namespace wend
