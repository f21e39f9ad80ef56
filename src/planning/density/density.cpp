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

DensityMap::DensityMap(const NavMesh& mesh) : cellOf_(mesh.cellCount()) {
  const CorridorMap* axis = mesh.corridorMap().get();
  if (axis == nullptr || axis->empty()) {
    areas_.resize(mesh.cellCount());
    for (CellId cell = 0; cell < mesh.cellCount(); ++cell) cellOf_[cell] = cell;
  } else {
    std::vector<uint32_t> edgeOf(axis->bendingPoints.size());
    for (uint32_t e = 0; e < axis->edges.size(); ++e) {
      const CorridorMap::Edge& edge = axis->edges[e];
      std::fill_n(edgeOf.begin() + edge.first, edge.count, e);
    }
    areas_.resize(axis->edges.size());
    for (CellId cell = 0; cell < mesh.cellCount(); ++cell) cellOf_[cell] = edgeOf[axis->cellArc[cell]];
  }
  for (CellId cell = 0; cell < mesh.cellCount(); ++cell) areas_[cellOf_[cell]] += cellArea(mesh, cell);
  covered_.assign(areas_.size(), 0);
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
