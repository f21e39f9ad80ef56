#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "geometry/solid/polyhedron.h"

// Boxes by place: a uniform grid over the bounds. Boxes can be added and removed at any time.
namespace wend {

class BoxGrid {
 public:
  BoxGrid() = default;
  // `expected` boxes: about as many grid cells, at most kMaxCells.
  BoxGrid(const Box3& bounds, size_t expected);

  // Ids are those of the caller; one box per id.
  void add(uint32_t id, const Box3& box);
  void remove(uint32_t id, const Box3& box);
  // Calls visit(id) once for each box in grid cells that the query touches, in no order that means something, but the
  // same one each time. The caller compares boxes. Not thread-safe: it marks what it has visited.
  template <typename Visit>
  void visit(const Box3& query, Visit&& visit) const {
    ++round_;
    forCells(query, [&](size_t cell) {
      for (const uint32_t id : cells_[cell]) {
        if (id >= seen_.size()) seen_.resize(size_t{id} + 1, 0);
        if (seen_[id] == round_) continue;
        seen_[id] = round_;
        visit(id);
      }
    });
  }
  // The ids in the grid cell that holds a point, ascending if they were added so. Thread-safe.
  const std::vector<uint32_t>& at(Point3 p) const;

 private:
  static constexpr size_t kMaxCells = size_t{1} << 18;
  int slot(int axis, int32_t value) const {
    const int64_t offset = int64_t{value} - coordinate(bounds_.low, axis);
    const int64_t index = offset / size_[axis];
    return static_cast<int>(std::clamp<int64_t>(index, 0, count_[axis] - 1));
  }
  template <typename Use>
  void forCells(const Box3& box, Use&& use) const {
    if (cells_.empty()) return;
    const int x1 = slot(0, box.high.x);
    const int y1 = slot(1, box.high.y);
    const int z1 = slot(2, box.high.z);
    for (int x = slot(0, box.low.x); x <= x1; ++x) {
      for (int y = slot(1, box.low.y); y <= y1; ++y) {
        for (int z = slot(2, box.low.z); z <= z1; ++z) use(index(x, y, z));
      }
    }
  }
  size_t index(int x, int y, int z) const {
    return (static_cast<size_t>(x) * static_cast<size_t>(count_[1]) + static_cast<size_t>(y)) *
               static_cast<size_t>(count_[2]) +
           static_cast<size_t>(z);
  }

  Box3 bounds_;
  int64_t size_[3] = {1, 1, 1};  // of a grid cell
  int count_[3] = {1, 1, 1};
  std::vector<std::vector<uint32_t>> cells_;
  mutable std::vector<uint32_t> seen_;
  mutable uint32_t round_ = 0;
};

}  // namespace wend
