#include <algorithm>

#include "generators/adaptive_grid/growth.h"

// The expanders: what one call adds to a cluster.
namespace wend::adaptive_grid {
namespace {

uint8_t bitOf(GridDirection side) {
  return static_cast<uint8_t>(1U << static_cast<unsigned>(side));
}

}  // namespace

bool Growth::expand(Growing& cluster) {
  if (isStopped(cluster)) return false;
  ++calls_;
  ++cluster.calls;
  switch (settings_.expander) {
    case GridExpander::kOneSide:
      return expandOneSide(cluster);
    case GridExpander::kAllSides:
      return expandAllSides(cluster);
    case GridExpander::kDiagonal:
      return expandPair(cluster);
    case GridExpander::kSquare:
      return expandSquare(cluster);
  }
  return false;
}

bool Growth::isOpen(Growing& cluster, GridDirection side) {
  if ((cluster.closed & bitOf(side)) != 0) return false;
  if (canGrow(cluster.box, side)) return true;
  cluster.closed |= bitOf(side);
  return false;
}

bool Growth::expandOneSide(Growing& cluster) {
  for (uint8_t i = 0; i < 4; ++i) {
    const auto place = static_cast<uint8_t>(settings_.memory ? (cluster.next + i) % 4 : i);
    const GridDirection side = settings_.order[place];
    if (!isOpen(cluster, side)) continue;
    grow(cluster.box, side);
    cluster.next = static_cast<uint8_t>((place + 1) % 4);
    return true;
  }
  return false;
}

bool Growth::expandAllSides(Growing& cluster) {
  bool grew = false;
  for (const GridDirection side : settings_.order) {
    if (!isOpen(cluster, side)) continue;
    grow(cluster.box, side);
    grew = true;
  }
  return grew;
}

// The first side of each axis that can grow, in the order of the settings.
bool Growth::expandPair(Growing& cluster) {
  bool grew = false;
  for (const bool horizontal : {true, false}) {
    for (const GridDirection side : settings_.order) {
      if ((side == GridDirection::kEast || side == GridDirection::kWest) != horizontal) continue;
      if (!isOpen(cluster, side)) continue;
      grow(cluster.box, side);
      grew = true;
      break;
    }
  }
  return grew;
}

// `closed` has one bit per corner here: a blocked pair of layers stays blocked as well.
bool Growth::expandSquare(Growing& cluster) {
  for (uint8_t corner = 0; corner < 4; ++corner) {
    if ((cluster.closed >> corner & 1U) != 0) continue;
    const GridDirection across = (corner & 1U) == 0 ? GridDirection::kEast : GridDirection::kWest;
    const GridDirection along = (corner & 2U) == 0 ? GridDirection::kSouth : GridDirection::kNorth;
    GridCluster wider = cluster.box;
    bool open = fits(cluster.box, 1, 1) && canGrow(cluster.box, across);
    if (open) {
      if (across == GridDirection::kEast) {
        ++wider.right;
      } else {
        --wider.left;
      }
      open = canGrow(wider, along);
    }
    if (!open) {
      cluster.closed |= static_cast<uint8_t>(1U << corner);
      continue;
    }
    grow(cluster.box, across);
    grow(cluster.box, along);
    return true;
  }
  return false;
}

bool Growth::fits(const GridCluster& box, uint32_t addedRows, uint32_t addedColumns) const {
  const uint64_t wide = uint64_t{box.width()} + addedColumns;
  const uint64_t high = uint64_t{box.height()} + addedRows;
  if (settings_.maxSide > 0 && std::max(wide, high) > settings_.maxSide) return false;
  return settings_.maxPixels == 0 || wide * high <= settings_.maxPixels;
}

bool Growth::canGrow(const GridCluster& box, GridDirection side) {
  const bool across = side == GridDirection::kEast || side == GridDirection::kWest;
  tests_ += across ? box.height() : box.width();
  return isLayerFree(box, side);
}

// All pixels of the layer are free, or none is taken: a cluster stays a rectangle.
bool Growth::isLayerFree(const GridCluster& box, GridDirection side) const {
  const bool across = side == GridDirection::kEast || side == GridDirection::kWest;
  if (!fits(box, across ? 0 : 1, across ? 1 : 0)) return false;
  switch (side) {
    case GridDirection::kEast:
      return box.right + 1 < width_ && taken_.isColumnFree(box.right + 1, box.top, box.bottom);
    case GridDirection::kWest:
      return box.left > 0 && taken_.isColumnFree(box.left - 1, box.top, box.bottom);
    case GridDirection::kSouth:
      return box.bottom + 1 < height_ && taken_.isRowFree(box.bottom + 1, box.left, box.right);
    case GridDirection::kNorth:
      return box.top > 0 && taken_.isRowFree(box.top - 1, box.left, box.right);
  }
  return false;
}

void Growth::extend(GridCluster& box, GridDirection side) {
  switch (side) {
    case GridDirection::kEast:
      ++box.right;
      break;
    case GridDirection::kWest:
      --box.left;
      break;
    case GridDirection::kSouth:
      ++box.bottom;
      break;
    case GridDirection::kNorth:
      --box.top;
      break;
  }
}

void Growth::grow(GridCluster& box, GridDirection side) {
  extend(box, side);
  switch (side) {
    case GridDirection::kEast:
      taken_.takeColumn(box.right, box.top, box.bottom);
      break;
    case GridDirection::kWest:
      taken_.takeColumn(box.left, box.top, box.bottom);
      break;
    case GridDirection::kSouth:
      taken_.takeRow(box.bottom, box.left, box.right);
      break;
    case GridDirection::kNorth:
      taken_.takeRow(box.top, box.left, box.right);
      break;
  }
}

}  // namespace wend::adaptive_grid
