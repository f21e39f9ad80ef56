#include "geometry/solid/box_grid.h"

#include <cmath>

namespace wend {

BoxGrid::BoxGrid(const Box3& bounds, size_t expected) : bounds_(bounds) {
  double extent[3];
  double volume = 1;
  for (int axis = 0; axis < 3; ++axis) {
    extent[axis] = std::max(1.0, double(coordinate(bounds.high, axis)) - coordinate(bounds.low, axis));
    volume *= extent[axis];
  }
  const auto wanted = static_cast<double>(std::clamp<size_t>(expected, 1, kMaxCells));
  const double side = std::cbrt(volume / wanted);
  size_t cells = 1;
  for (int axis = 0; axis < 3; ++axis) {
    count_[axis] = std::clamp(static_cast<int>(extent[axis] / side), 1, 64);
    size_[axis] = static_cast<int64_t>(std::ceil(extent[axis] / count_[axis]));
    cells *= static_cast<size_t>(count_[axis]);
  }
  cells_.resize(cells);
}

void BoxGrid::add(uint32_t id, const Box3& box) {
  forCells(box, [&](size_t cell) { cells_[cell].push_back(id); });
}

void BoxGrid::remove(uint32_t id, const Box3& box) {
  forCells(box, [&](size_t cell) {
    std::vector<uint32_t>& ids = cells_[cell];
    const auto it = std::find(ids.begin(), ids.end(), id);
    if (it == ids.end()) return;
    *it = ids.back();
    ids.pop_back();
  });
}

const std::vector<uint32_t>& BoxGrid::at(Point3 p) const {
  static const std::vector<uint32_t> none;
  if (cells_.empty()) return none;
  return cells_[index(slot(0, p.x), slot(1, p.y), slot(2, p.z))];
}

}  // namespace wend
