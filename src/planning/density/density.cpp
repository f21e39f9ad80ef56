#include "planning/density/density.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numbers>

#include <wend/corridor_map.h>

#include "planning/density/fundamental_diagram.h"

namespace wend {
namespace {

constexpr double kCoveredUnit = 1e-8;  // m2

}  // namespace

// Returns how many density cells there are.
size_t DensityMap::numberCells(const NavMesh& mesh) {
  cellOf_.resize(mesh.cellCount());
  const CorridorMap* axis = mesh.corridorMap().get();
  if (axis == nullptr || axis->empty()) {
    for (CellId cell = 0; cell < mesh.cellCount(); ++cell) cellOf_[cell] = cell;
    return mesh.cellCount();
  }
  std::vector<uint32_t> edgeOf(axis->bendingPoints.size());
  for (uint32_t e = 0; e < axis->edges.size(); ++e) {
    const CorridorMap::Edge& edge = axis->edges[e];
    std::fill_n(edgeOf.begin() + edge.first, edge.count, e);
  }
  for (CellId cell = 0; cell < mesh.cellCount(); ++cell) cellOf_[cell] = edgeOf[axis->cellArc[cell]];
  return axis->edges.size();
}

DensityMap::DensityMap(const NavMesh& mesh) {
  areas_.resize(numberCells(mesh));
  for (CellId cell = 0; cell < mesh.cellCount(); ++cell) areas_[cellOf_[cell]] += cellArea(mesh, cell);
  covered_.assign(areas_.size(), 0);
}

// Numbers are cheap for all cells; areas are measured again only where a cell has come or gone.
DensityMap DensityMap::next(const NavMesh& mesh, std::span<const CellId> source, std::vector<uint8_t>& changed) const {
  DensityMap map;
  const size_t count = map.numberCells(mesh);
  changed.assign(std::max(count, size()), 0);
  const auto isSame = [&](CellId cell) {
    return cell < source.size() && source[cell] == cell && cell < cellOf_.size() && cellOf_[cell] == map.cellOf_[cell];
  };
  for (CellId cell = 0; cell < mesh.cellCount(); ++cell) {
    if (isSame(cell)) continue;
    changed[map.cellOf_[cell]] = 1;
    if (cell < cellOf_.size()) changed[cellOf_[cell]] = 1;
  }
  for (size_t cell = mesh.cellCount(); cell < cellOf_.size(); ++cell) changed[cellOf_[cell]] = 1;
  map.areas_ = areas_;
  map.areas_.resize(count, 0);
  map.covered_ = covered_;
  map.covered_.resize(count, 0);
  for (size_t i = 0; i < count; ++i) {
    if (changed[i] == 0) continue;
    map.areas_[i] = 0;
    map.covered_[i] = 0;
  }
  for (CellId cell = 0; cell < mesh.cellCount(); ++cell) {
    if (changed[map.cellOf_[cell]] != 0) map.areas_[map.cellOf_[cell]] += cellArea(mesh, cell);
  }
  map.changed_ = true;
  changed.resize(size());
  return map;
}

DensityMap::Covered DensityMap::areaOf(double radius) {
  return std::llround(std::numbers::pi * radius * radius / kCoveredUnit);
}

void DensityMap::add(uint32_t cell, Covered area) {
  std::atomic_ref<Covered>(covered_[cell]).fetch_add(area, std::memory_order_relaxed);
  // Written once, or the threads would take the cache line from each other.
  const std::atomic_ref<bool> changed(changed_);
  if (!changed.load(std::memory_order_relaxed)) changed.store(true, std::memory_order_relaxed);
}

void DensityMap::move(uint32_t from, uint32_t to, Covered area) {
  if (from == to) return;
  add(from, -area);
  add(to, area);
}

void DensityMap::clear() {
  std::fill(covered_.begin(), covered_.end(), 0);
  changed_ = true;
}

void DensityMap::prepare(FundamentalDiagram diagram) {
  if (prepared(diagram) != nullptr) return;
  if (changed_) {
    for (Prepared& known : prepared_) known.isFresh = false;
    changed_ = false;
  }
  Prepared& known = prepared_[static_cast<size_t>(diagram)];
  known.slowness.resize(size());
  for (uint32_t cell = 0; cell < size(); ++cell) known.slowness[cell] = slowness(diagram, density(cell));
  known.isFresh = true;
}

double DensityMap::densityWithout(uint32_t cell, Covered area) const {
  if (areas_[cell] < kLeastArea) return 0;
  const Covered rest = std::max<Covered>(0, covered_[cell] - area);
  return std::min(1.0, static_cast<double>(rest) * kCoveredUnit / areas_[cell]);
}

double DensityCost::slownessNow(uint32_t cell) const {
  if (cell == view_.avoided) return kSlowest;
  return slowness(view_.diagram, view_.map->densityWithout(cell, cell == view_.ownCell ? view_.own : 0));
}

}  // namespace wend
